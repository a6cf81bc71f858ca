"""The registry of kinds: no question without an answer or a sentence, no option that is taken and ignored."""

import ast
import inspect
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.ask import Ask
from firstcontact.queries.look_up import kind_of, row_for
from firstcontact.queries.registry import (
    CLOUD,
    COMPOUND,
    CONVEX,
    DEFORMING,
    DEFORMING_CLOUD,
    DEFORMING_PLANAR,
    FIELD,
    HALF_SPACE,
    MESH,
    NOTHING,
    PLANAR,
    POINTS,
    RAYS,
    ROBOT,
    ROWS,
    SEVERAL,
    VERBS,
    VOXELS,
)
from queries.kinds_table import TABLES, written
from source_trees import nodes_of
from when_asked import WhenAsked

CHOOSE = Path(__file__).resolve().parents[2] / "docs" / "choose.md"
AT_AN_INSTANT = ("distance", "intersects", "penetration", "depths")
TWO_THINGS = (
    "first_contact",
    "first_contacts",
    "safe_step",
    "is_free",
    "clearance",
    "contact_intervals",
    "contacts",
    *AT_AN_INSTANT,
    "near",
)

BALL = fc.Sphere(0.5)
TETRA = fc.Mesh(
    [[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
)
ARM = fc.Robot(
    {"base": (), "arm": fc.Sphere(0.5)}, [fc.Joint("slide", "prismatic", "base", "arm", axis=[1, 0, 0])]
)

FIELDS = WhenAsked(lambda shape: fc.DistanceField.of(shape, 0.1))
ROPE = fc.Strands([[0, 0, 0], [0.5, 0, 0], [0.5, 0.5, 0]], [3], 0.1)
FLOOR = fc.HalfSpace([1, 0, 0], -2)
PAIR = fc.Compound([BALL, fc.Box([0.2, 0.2, 0.2]).at((np.eye(3), [0, 0, 0.6]))])
STEPS = fc.Voxels([[0, 0, 0], [1, 0, 0], [1, 1, 0]], 0.25)
KINDS = (CONVEX, MESH, DEFORMING, CLOUD, DEFORMING_CLOUD, FIELD, HALF_SPACE)
SQUARE = fc.Polygon([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
IN_PLANE = PLANAR, DEFORMING_PLANAR
KINDS = (*KINDS, COMPOUND, VOXELS, *IN_PLANE, ROBOT, SEVERAL, NOTHING)


def things_of(first, second, verb):
    """Two things apart; contacts of what does not deform with a field, and some near pairs, at an instant."""
    is_still = second is FIELD and (verb, first) in (("contacts", MESH), ("contacts", CLOUD), ("near", ROBOT))
    is_still |= verb == "near" and first in IN_PLANE
    instant = "distance" if is_still else verb
    return thing_of(first, instant, 0.0), thing_of(second, instant, 4.0)


def thing_of(kind, verb, x):
    """Something small of a kind, around x, that the verb takes if it takes that kind at all."""
    is_still = verb in (*AT_AN_INSTANT, "ray_cast", "contacts")
    here, there = np.eye(4), np.eye(4)
    here[0, 3], there[0, 3] = x, x if is_still else x + 0.5
    places = TETRA.vertices + here[:3, 3]
    flat, corners = (0.0, here[:2, 3]), SQUARE.vertices + here[:2, 3]
    return {
        CONVEX: BALL.at(here) if is_still else BALL.moving(here, there),
        MESH: TETRA.at(here) if is_still else TETRA.moving(here, there),
        DEFORMING: TETRA.deforming(places, places + (verb == "contacts") * 0.5),
        CLOUD: ROPE.at(here) if is_still else ROPE.moving(here, there),
        DEFORMING_CLOUD: ROPE.deforming(
            ROPE.positions + here[:3, 3], ROPE.positions + here[:3, 3] + (verb == "contacts") * 0.5
        ),
        FIELD: FIELDS[BALL].at(here) if is_still else FIELDS[BALL].moving(here, there),
        HALF_SPACE: FLOOR.at(here) if is_still else FLOOR.moving(here, there),
        COMPOUND: PAIR.at(here) if is_still else PAIR.moving(here, there),
        VOXELS: STEPS.at(here) if is_still else STEPS.moving(here, there),
        PLANAR: SQUARE.at(flat) if is_still else SQUARE.moving(flat, (0.0, there[:2, 3])),
        DEFORMING_PLANAR: SQUARE.deforming(corners, corners + (verb == "contacts") * 0.5),
        ROBOT: ARM.at([x]) if is_still else ARM.moving([x], [x + 0.5]),
        SEVERAL: {"tetra": TETRA.at(here)},
        NOTHING: None,
    }[kind]


def asked(verb, a, b, **options):
    """Ask for real, of a robot alone about itself."""
    if kind_of(a) is ROBOT and b is None and "self_contact" not in options:
        options["self_contact"] = True
    if verb == "near":
        options.setdefault("within", 9.0)
    return getattr(fc, verb)(a, b, **options)


def asked_plainly(verb, a, b):
    return fc.near(a, b, within=1.0) if verb == "near" else getattr(fc, verb)(a, b)


def options_of(verb):
    parameters = inspect.signature(getattr(fc, verb)).parameters.values()
    return [one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]


VALUES = {
    "tolerance": 1e-3,
    "min_separation": 1e-3,
    "method": "interval",
    "max_iterations": 99,
    "solid": True,
    "exact": False,
    "culling": fc.Culling(),
    "assume_free_start": True,
    "self_contact": True,
    "progress": True,
    "time_tolerance": 1e-6,
    "max_contacts": 99,
    "within": 0.1,
    "relative_error": 0.1,
    "executor": ThreadPoolExecutor(1),
    "out": "answers",
    "only_closing": True,
    "ignore_near": 1,
    "groups": [0],
    "ignore_groups": [(0, 0)],
}


def values_of(option, a, b):
    """What is given for an option, and what goes with it."""
    if "groups" not in option:
        return {option: VALUES[option]}
    things = list(a.values()) if isinstance(a, dict) else [a, b]
    own = [np.zeros(thing.shape.n_vertices, int) for thing in things if thing is not None]
    return {"groups": own if b is not None else own[0], "ignore_groups": [(0, 0)]}


SOURCE = Path(fc.__file__).parent
CLASSES_OF_KINDS = {"Mesh", "HeightField", "Shape", "ConvexShape", "ConvexHull", "DistanceField", "Robot"}
CLASSES_OF_KINDS |= {"HalfSpace", "Compound", "Voxels", "Planar", "Polygon", "Polyline"}

# Where a class that is a kind is looked at all the same, and why.
TOLD_BY_CLASS = {
    "articulated/model/world_shapes.py": "raises where it is not what the registry has promised",
    "articulated/paths/kept_worlds.py": "what may change unseen, as a scene does, is not kept",
    "bodies/face_blocks.py": "a grid need not be built into a tree, whoever asks: the answers are the same",
    "fields/distance_field.py": "an operand that a user gives",
    "proximity/penetration/vertex_depths.py": "a mesh has no table of convex shapes to look at",
    "queries/depths.py": "the registry says so: an assertion, for the types",
    "queries/kinds/field_first.py": "raises where it is not what the registry has promised",
    "shapes/compound.py": "raises where it is not what the registry has promised",
    "shapes/half_space.py": "raises where it is not what the registry has promised",
    "shapes/mesh.py": "whatever a user gives for a mesh",
    "shapes/voxels.py": "raises where it is not what the registry has promised",
    "shapes/planar.py": "raises where it is not what the registry has promised",
    "shapes/rounded.py": "whatever a user gives to be rounded",
}


def told_by_class(path):
    """Does a file ask whether a thing is of a class that is a kind?"""
    calls = (node for node in nodes_of(path) if isinstance(node, ast.Call))
    asked = [call.args[1] for call in calls if ast.unparse(call.func) == "isinstance"]
    return any(CLASSES_OF_KINDS & set(re.findall(r"\w+", ast.unparse(classes))) for classes in asked)


def test_kinds_are_told_apart_by_the_registry_alone():
    rooms = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in ("cli", "viz")]
    found = {path.relative_to(SOURCE).as_posix() for path in rooms if told_by_class(path)}
    assert found == TOLD_BY_CLASS.keys()


def test_every_two_kinds_have_a_row_that_answers_or_says_why_not():
    with_fields = {("contacts", POINTS, FIELD)}
    of_verbs = {(verb, a, b) for verb, others in VERBS.items() for a, b in product(KINDS, others)}
    assert of_verbs | with_fields == ROWS.keys()
    for key, row in ROWS.items():
        assert bool(row.home) is not bool(row.refusal), key
        assert row.takes <= set(Ask._fields)
        assert callable(row.answer) if row.home else not row.takes


def test_every_option_of_a_verb_is_an_option_of_some_row():
    for verb in TWO_THINGS:
        taken = frozenset().union(*(row.takes for (own, _, _), row in ROWS.items() if own == verb))
        assert set(options_of(verb)) <= taken
    assert set(VALUES) == set(Ask._fields)


@pytest.mark.parametrize("verb", TWO_THINGS)
@pytest.mark.parametrize("first", KINDS, ids=str)
@pytest.mark.parametrize("second", KINDS, ids=str)
def test_two_kinds_are_answered_about_or_refused_in_one_sentence(verb, first, second):
    a, b = things_of(first, second, verb)
    assert [kind_of(a), kind_of(b)] == [first, second]
    row = row_for(verb, a, b)
    if row.home:
        found = asked(verb, a, b)
        names = ["a"] if b is None else ["a", "b"]
        names = ["tetra"] if first is SEVERAL else names
        if hasattr(found, "things") and first is not ROBOT:
            assert list(found.things) == names
        return
    with pytest.raises(TypeError) as error:
        asked(verb, a, b)
    assert "\n" not in str(error.value)
    assert 20 < len(str(error.value)) < 200
    assert "{" not in str(error.value)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_one_thing_meets_rays_or_is_a_body_or_is_refused(kind):
    thing = thing_of(kind, "ray_cast", 0.0)
    point = [-5, 0.2] if kind in IN_PLANE else [-5, 0.2, 0.1]
    calls = {
        ("ray_cast", RAYS): lambda: fc.ray_cast(thing, point, [1, *[0] * (len(point) - 1)]),
        ("signed_distance", POINTS): lambda: fc.signed_distance(thing, point),
        ("contains", POINTS): lambda: fc.contains(thing, point),
        ("Scene", NOTHING): lambda: fc.Scene(it=thing),
        ("swept_volume", NOTHING): lambda: fc.swept_volume(thing, 0.5),
    }
    for (verb, b), call in calls.items():
        if ROWS[verb, kind, b].home:
            assert call() is not None
        else:
            words = r"\w+ (knows no (points|fields|half-spaces|things in the plane)|is of single shapes)"
            with pytest.raises(TypeError, match=rf"^('it': )?(a (thing must be|robot goes with) |{words})"):
                call()


@pytest.mark.parametrize("verb", TWO_THINGS)
def test_an_option_is_taken_or_refused_by_its_name(verb):
    n_refused = 0
    for first, second, option in product(KINDS, KINDS, options_of(verb)):
        a, b = things_of(first, second, verb)
        row = row_for(verb, a, b)
        if row.home and option not in row.takes:
            with pytest.raises(ValueError, match=rf"^{option}(=False)? (has no meaning for|is for robots)"):
                asked(verb, a, b, **{option: VALUES[option]})
            n_refused += 1
    assert n_refused > 0 or not options_of(verb) or verb in ("contacts", "contact_intervals", "penetration")


@pytest.mark.parametrize("verb", ["first_contact", "contacts", "distance"])
def test_an_option_that_is_taken_changes_no_kind_of_answer(verb):
    for first, second, option in product(KINDS, KINDS, options_of(verb)):
        a, b = things_of(first, second, verb)
        row = row_for(verb, a, b)
        if row.home and option in row.takes and option not in ("executor", "out"):  # which are for batches
            given = values_of(option, a, b)
            if option == "method" and first is ROBOT:
                given = {"method": "advancement"}
            assert type(asked(verb, a, b, **given)) is type(asked(verb, a, b))


class Pretender:
    """Has all that tells a thing's kind."""

    kind, rows, followed, shape = CONVEX, BALL.rows, None, BALL


@pytest.mark.parametrize("thing", [fc.Sphere, fc.Mesh, fc.Moving, Pretender, Pretender()])
def test_what_only_looks_like_a_thing_is_refused(thing):
    for verb in TWO_THINGS:
        for a, b in ((thing, BALL), (BALL, thing)):
            with pytest.raises(TypeError, match=r"^[a-zA-Z_ ]+ (must be|lists features|is for|knows no)"):
                asked_plainly(verb, a, b)
    for ask in (fc.signed_distance, fc.contains):
        with pytest.raises(TypeError, match=r"^a thing must be a shape"):
            ask(thing, [0.0, 0.0, 0.0])


def test_the_usual_method_may_be_named_where_there_is_no_other():
    moving = thing_of(CONVEX, "first_contact", 0.0)
    assert fc.first_contact(moving, BALL, method="c2a") == fc.first_contact(moving, BALL)
    with pytest.raises(ValueError, match=r"^method must be 'c2a' or 'interval'; received 'ca'$"):
        fc.first_contacts(moving, TETRA, method="ca")
    with pytest.raises(ValueError, match=r"^method must be 'advancement' or .*; received 'ca'$"):
        fc.first_contacts(moving, BALL, method="ca")
    both = fc.Compound([BALL.at(np.eye(4))])
    with pytest.raises(ValueError, match=r"^method has no meaning for compounds$"):
        fc.first_contacts(both, BALL, method="interval")
    assert fc.first_contact(both, BALL, method="c2a") == fc.first_contact(both, BALL)


def test_a_mesh_at_rest_counts_as_one_that_deforms_where_the_other_does():
    falling, still = TETRA.deforming(TETRA.vertices, TETRA.vertices - 1), TETRA.at(np.eye(4))
    moving = TETRA.moving(np.eye(4), velocity=[1, 0, 0])
    for one, kind in ((still, DEFORMING), (TETRA, DEFORMING), (moving, MESH)):
        assert row_for("first_contact", falling, one) == ROWS["first_contact", DEFORMING, kind]
    assert row_for("first_contact", still, moving) == ROWS["first_contact", MESH, MESH]


def test_shapes_alone_load_nothing_of_robots_or_of_what_deforms():
    names = ", ".join(
        f"firstcontact.queries.{name}" for name in ("proximity", "look_up", "kinds.resting", "kinds.convex")
    )
    code = f"import sys, {names}; print(*(name.split('.')[1] for name in sys.modules if name.count('.') > 1))"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "shapes" in told.split()
    assert not set(told.split()) & {"articulated", "deformable", "scene"}


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_of_the_guide_are_those_of_the_registry(name):
    assert written(CHOOSE.read_text(encoding="utf-8"), name) == TABLES[name]()
