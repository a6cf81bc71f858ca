"""From a verb and two things to an answer: look up who answers, refuse what it does not take, call it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.answer import about, named
from firstcontact.queries.quick import QUICK
from firstcontact.queries.refusals import NO_THICKNESS, THIN
from firstcontact.queries.registry import (
    CLOUD,
    CLOUDS,
    DEFORMING,
    DEFORMING_CLOUD,
    DEFORMING_PLANAR,
    MESH,
    NOTHING,
    PLANAR,
    ROBOT,
    ROWS,
    SEVERAL,
)
from firstcontact.queries.row import Row
from firstcontact.shapes.bounded import bounded
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving

# The method that can be asked for by its name, also of what knows no other, along time.
USUAL_METHOD = "c2a"

# What can be asked about; classes of these have kinds and rows, too, and so has what only looks like them.
THINGS = Moving, Movable

# What is answered in short also about convex shapes and meshes whose motions have a law.
FOLLOWED = frozenset(("first_contact", "safe_step", "is_free"))

# What rests, where other things deform: its vertices move on lines, of no length.
ON_LINES_BY_REST = {MESH: DEFORMING, CLOUD: DEFORMING_CLOUD, PLANAR: DEFORMING_PLANAR}

# Options whose refusals say more than that they have no meaning.
SELF_CONTACT = "self_contact is for robots and for lists; leave b out to ask about a mesh that deforms"
MORE = {
    ("solid", "robots"): ": their closed meshes always are",
    ("solid", "what deforms"): ": it goes with the first contact of two things, or of a list",
    ("within", "what deforms"): ": it goes with a DistanceField; min_separation is a distance of meshes",
    ("ignore_near", "what deforms"): ": it is about the neighbours in one mesh, so leave b out",
    ("min_separation", "fields"): ": contacts with a field have within",
}


def answer(verb: str, a: Any, b: Any, ask: Ask = USUAL) -> Any:
    """Let whoever answers a verb about two things do so; `TypeError` or `ValueError` where nobody does."""
    found = in_short(verb, a, b, ask)
    return _answered(verb, a, b, ask)[0] if found is None else found


def answer_about(verb: str, a: Any, b: Any, ask: Ask = USUAL) -> Any:
    """Let an answer know what it is about, besides."""
    found = in_short(verb, a, b, ask)
    return answer_at_length(verb, a, b, ask) if found is None else found


def answer_at_length(verb: str, a: Any, b: Any, ask: Ask = USUAL) -> Any:
    """Answer in the way that all things and options can go."""
    found, things = _answered(verb, a, b, ask)
    return found if found._about.things else about(found, named(things))


def answered_at_length(verb: str, a: Any, b: Any, ask: Ask) -> Any:
    """Answer in that way, but do not let the answer know what it is about."""
    return _answered(verb, a, b, ask)[0]


def row_for(verb: str, a: Any, b: Any) -> Row:
    """Find the row of the registry for two things, which may be a refusal."""
    kinds = kind_of(a), kind_of(b)
    if is_thick(a) or is_thick(b):
        thick = _refused_thickness(verb, a, b)
        if thick is not None:
            return thick
    row = ROWS[verb, *kinds]
    if not row.is_by_rest:
        return row
    on_lines = _kind_on_lines(a), _kind_on_lines(b)
    if row.refusal and on_lines != kinds and not ON_LINES_BY_REST.keys().isdisjoint(on_lines):
        # One of two rests and the other does not: what moves is at fault, since neither deforms.
        return replace(row, name="a" if on_lines[0] is kinds[0] else "b")
    return ROWS[verb, *on_lines]


def kind_of(thing: object) -> Kind:
    """Tell what is given. What is no thing counts as several: who takes several looks at what it is."""
    if isinstance(thing, THINGS):
        shape = thing.shape if isinstance(thing, Moving) else thing
        return CLOUDS[thing.kind] if shape.is_cloud else thing.kind
    if thing is None:
        return NOTHING
    return MESH if hasattr(thing, "faces") and not isinstance(thing, Mapping) else SEVERAL


def row_alone(verb: str, thing: Any, kind: Kind) -> Row:
    """Find the row of the registry for a thing and rays or points, or nothing, which may be a refusal."""
    row = ROWS[verb, kind_of(thing), kind]
    thick = _refused_thickness(verb, thing, thing) if is_thick(thing) and not row.refusal else None
    return row if thick is None else thick


def is_thick(thing: Any) -> bool:
    """Is this a mesh with a thickness, or has it such parts?"""
    shape: Any = thing.shape if isinstance(thing, Moving) else thing
    is_movable = isinstance(shape, Movable)
    if is_movable and shape.kind is ROBOT:
        return bool(shape.has_thick_parts)
    return is_movable and shape.is_thick


def _refused_thickness(verb: str, a: Any, b: Any) -> Row | None:
    """The row of a verb that knows no thickness of one of two things; None where it does."""
    is_met_by_itself = verb == "intersects" and b is None
    if verb not in THIN and not is_met_by_itself:
        return None
    return Row(refusal=NO_THICKNESS, name="a" if is_thick(a) else "b")


def refuse(row: Row, verb: str, a: Any, b: Any = None) -> None:
    """Raise a `TypeError` where nobody answers about two things."""
    if row.refusal:
        thing = a if row.name == "a" else b
        what = type(thing.shape if isinstance(thing, Moving) else thing).__name__
        raise TypeError(row.refusal.format(verb=verb, name=row.name, what=what))


def as_body(thing: Any) -> Moving:
    """Accept a body of a scene."""
    refuse(row_for("Scene", thing, None), "Scene", thing)
    return as_moving(thing)


def in_short(verb: str, a: Any, b: Any, ask: Ask) -> Any:
    """Let who is quick about single things answer; None where nobody is, or leaves it to who is thorough."""
    if type(a) is Moving and a.kind is ROBOT:
        short = QUICK[verb][ROBOT][NOTHING]
        return None if short is None else short(a.shape, None, b, None, (a, b), ask)
    try:
        short, rows_a, rows_b = QUICK[verb][a.kind][b.kind], a.rows, b.rows
    except Exception:  # it is no thing of ours: who is thorough says so
        return None
    if short is None or not isinstance(a, THINGS) or not isinstance(b, THINGS):
        return None
    if rows_a is None or rows_b is None:
        if verb not in FOLLOWED or max(a.kind, b.kind) > MESH:
            return None
        rows_a, rows_b = a.followed, b.followed
        if rows_a is None or rows_b is None:
            return None
    shape_a = a.shape if type(a) is Moving else a
    return short(shape_a, rows_a, b.shape if type(b) is Moving else b, rows_b, (a, b), ask)


def alone_in_short(verb: str, thing: Any, kind: Kind) -> tuple[Any, Any, Any]:
    """The shape and the rows of a thing, and who is quick about it and rays or points; None for nobody."""
    try:
        short, rows = QUICK[verb][thing.kind][kind], thing.rows
    except Exception:  # it is no thing of ours: who is thorough says so
        return thing, None, None
    shape = thing.shape if type(thing) is Moving else thing
    is_thing = rows is not None and isinstance(thing, THINGS) and not shape.is_cloud and not shape.is_thick
    return shape, rows, short if is_thing else None


def _answered(verb: str, a: Any, b: Any, ask: Ask) -> tuple[Any, list[Moving]]:
    """Give the answer, and what it is about."""
    row = row_for(verb, a, b)
    if row.refusal:
        refuse(row, verb, a, b)
    if ask is not USUAL:
        refuse_options(row, ask)
    if kind_of(a) is SEVERAL:  # who answers looks at what is in the list
        return _found(row, verb, a, b, ask), []
    thing = as_moving(a)
    if b is None or thing.kind is ROBOT:  # a robot gathers its obstacles, of any kind, by itself
        return _found(row, verb, thing, b, ask), [thing]
    other = as_moving(b)
    return _found(row, verb, *bounded(thing, other), ask), [thing, other]


def _found(row: Row, verb: str, a: Any, b: Any, ask: Ask) -> Any:
    """Let who answers do so, here or wherever an executor has workers."""
    is_here = ask.executor is None and ask.out is None
    return row.answer(a, b, ask) if is_here else row.answer_far(verb, a, b, ask)


def refuse_options(row: Row, ask: Ask) -> None:
    """Raise a `ValueError` for an option that the things at hand have no use for."""
    for option in ask.given():
        is_usual = option == "method" and ask.method == USUAL_METHOD and "tolerance" in row.takes
        if option in row.takes or is_usual:
            continue
        if option == "self_contact":
            raise ValueError(SELF_CONTACT)
        name = "exact=False" if option == "exact" else option
        raise ValueError(f"{name} has no meaning for {row.called}{MORE.get((option, row.called), '')}")


def _kind_on_lines(thing: Any) -> Kind:
    """Kind of a thing where a mesh at rest is one whose vertices move on lines, of no length."""
    kind = kind_of(thing)
    is_still = not isinstance(thing, Moving) or thing.motion.is_resting
    return ON_LINES_BY_REST.get(kind, kind) if is_still else kind
