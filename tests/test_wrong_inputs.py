"""Wrong input of odd kinds gets a sentence of this package's own, whatever it is."""

import fractions
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact import _validate

POINTS = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
FACES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]


class NoArray:
    def __array__(self, *_, **__):
        raise RuntimeError("no array today")

    def __repr__(self):
        raise RuntimeError("no words either")


def robot():
    slide = fc.Joint("slide", "prismatic", "base", "arm", limits=(-1, 1))
    return fc.Robot({"base": (), "arm": fc.Sphere(1)}, [slide])


def masked(is_masked):
    return np.ma.MaskedArray(POINTS, mask=np.full((4, 3), is_masked))


@pytest.mark.parametrize("points", [masked(True), [np.ma.MaskedArray(row, mask=[0, 1, 0]) for row in POINTS]])
def test_masked_numbers_are_refused(points):
    with pytest.raises(ValueError, match=r"^vertices must have no masked numbers: fill them first$"):
        fc.Mesh(points, FACES)


def test_an_array_that_could_be_masked_and_is_not_is_taken():
    assert (fc.Mesh(masked(False), FACES).vertices == POINTS).all()


@pytest.mark.parametrize(
    ("points", "error"),
    [
        ([[10**400, 1, 2]], TypeError),
        (NoArray(), ValueError),
        ((x for x in POINTS), TypeError),
        (fc.Sphere, TypeError),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(points, error):
    with pytest.raises(error, match=r"^vertices must be "):
        fc.Mesh(points, FACES)


@pytest.mark.parametrize("value", [10**5000, NoArray(), np.zeros((4, 4)), "\ud800" * 9], ids=type)
def test_whatever_was_received_is_shown_in_one_line(value):
    text = _validate.shown(value)
    assert text.isascii()
    assert "\n" not in text


@pytest.mark.parametrize("value", [10**400, fractions.Fraction(10**400, 3)], ids=type)
def test_numbers_beyond_all_are_infinite_on_their_side(value):
    assert (_validate.as_float("x", value), _validate.as_float("x", -value)) == (np.inf, -np.inf)


def test_limits_of_a_joint_may_be_beyond_all_numbers():
    limits = (-(10**400), 10**400)
    assert fc.Joint("j", "prismatic", "a", "b", limits=limits).limits == (-np.inf, np.inf)
    with pytest.raises(ValueError, match=r"limits of joint 'j' must be two numbers; received "):
        fc.Joint("j", "prismatic", "a", "b", limits=("1", 10**5000))
    with pytest.raises(ValueError, match=r"mimic of joint 'j' must be a name, a multiplier and an offset"):
        fc.Joint("j", "prismatic", "a", "b", mimic=("k", 10**400, 0))


def test_samples_between_limits_beyond_all_numbers_are_configurations():
    wide = fc.Joint("slide", "prismatic", "base", "arm", limits=(-1e308, 1e308))
    one = fc.Robot({"base": (), "arm": ()}, [wide])
    configurations = one.sample(5)
    assert np.isfinite(configurations).all()
    assert one.at(configurations).motion.is_batch


@pytest.mark.parametrize("seed", [None, -1, 1.5, "x", True, np.matrix([[1.0, 2.0]]), POINTS])
def test_a_seed_is_an_integer_or_a_generator(seed):
    with pytest.raises(
        TypeError, match=r"^seed must be an integer, 0 or more, or a numpy.random.Generator; "
    ):
        robot().sample(3, seed)
    assert len(robot().sample(0, np.random.default_rng(1))) == 0


@pytest.mark.parametrize("thing", [trimesh.Scene(), trimesh.PointCloud(POINTS), 5, None, "box.obj"])
def test_what_is_no_mesh_is_refused_by_its_kind(thing):
    with pytest.raises(TypeError, match=rf"received {type(thing).__name__}$"):
        fc.Mesh.from_trimesh(thing)


@pytest.mark.parametrize("bodies", [5, None, [("a", 1)], fc.Sphere(1)])
def test_bodies_of_a_scene_are_things_by_name(bodies):
    for call in (fc.Scene, fc.Scene().add, fc.Scene().update):
        with pytest.raises(TypeError, match=r"^bodies must be things by their names; received "):
            call(bodies)


def test_a_scene_takes_a_thing_with_one_name_only():
    with pytest.raises(TypeError, match=r"^a thing goes with one name"):
        fc.Scene().add({"a": fc.Sphere(1)}, fc.Sphere(2))
    assert [] not in fc.Scene(ball=fc.Sphere(1))
    with pytest.raises(KeyError, match="no body is named one int"):
        fc.Scene(ball=fc.Sphere(1))[10**5000]
    with pytest.raises(TypeError, match=r"^which must be several, as in a list; received 5$"):
        fc.Scene(ball=fc.Sphere(1)).move(5, np.eye(4))
    with pytest.raises(TypeError, match=r"^which must be several, as in a list; received "):
        fc.Scene(ball=fc.Sphere(1)).move(np.array(0), np.eye(4))


@pytest.mark.parametrize(
    "call",
    [
        lambda name: fc.Scene({name: fc.Sphere(1)}),
        lambda name: fc.Joint(name, "fixed", "a", "b"),
        lambda name: fc.Robot({name: ()}),
        lambda name: fc.Robot({"base": ()}, name=name),
        lambda name: robot().allow("arm", name),
        lambda name: robot().attach("arm", fc.Sphere(1), name=name),
        lambda name: robot().attach("arm", fc.Sphere(1), touching=[name]),
    ],
)
def test_a_name_is_a_text_of_whole_characters(call):
    with pytest.raises(ValueError, match=r"must be a text of whole characters; received '\\ud800'$"):
        call("\ud800")
    with pytest.raises(TypeError, match=r" must be a text; received 5$"):
        call(5)


@pytest.mark.parametrize(("shape", "motion"), [(5, 6), (fc.Sphere, None), (fc.Sphere(1), 5)])
def test_only_shapes_with_motions_move(shape, motion):
    with pytest.raises(TypeError, match=r"^(shape|motion) must be "):
        fc.Moving(shape, motion)


def test_a_path_is_one_that_the_system_takes(tmp_path):
    for path, error in ((5, TypeError), ("a\0b.html", ValueError), ("\ud800.html", ValueError)):
        with pytest.raises(error, match=r"^path must "):
            fc.show(fc.Sphere(1), path)
    assert _validate.as_path("path", tmp_path) == Path(tmp_path)


@pytest.mark.parametrize("ask", [fc.is_free, fc.first_contact, fc.first_contacts, fc.safe_step])
def test_a_robot_with_nothing_to_check_against_is_no_question(ask):
    with pytest.raises(ValueError, match=r"^there is nothing to check: give obstacles, {} for none, or self"):
        ask(robot().moving([0], [1]))


@pytest.mark.parametrize("ask", [fc.distance, fc.intersects])
def test_nor_is_one_at_rest(ask):
    with pytest.raises(ValueError, match=r"^there is nothing to check: "):
        ask(robot().at([0]))


@pytest.mark.parametrize("length", [1e46, 10**400, np.inf, np.nan, -1])
def test_lengths_go_as_far_as_coordinates(length):
    for option in ("tolerance", "min_separation"):
        with pytest.raises(ValueError, match=rf"^{option} must be (at most|a finite number at least 0)"):
            fc.first_contact(fc.Sphere(1), fc.Sphere(1), **{option: length})


def test_names_that_no_page_takes_are_shown_by_number(tmp_path):
    ball = fc.Sphere(1)
    page = fc.show({"a\udcff": ball}, tmp_path / "page.html", title="b\ud800")
    assert page.read_text(encoding="utf-8").count("b\\ud800") > 0
    for thing in (fc.Sphere, SimpleNamespace(things=5)):
        with pytest.raises(TypeError, match=r"^what is shown must be a thing, several by name"):
            fc.show(thing, tmp_path / "other.html")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
