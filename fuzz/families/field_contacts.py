"""First contacts, distances and clearances of a body and a field, on courses of any kind.

The referee measures the shape that the field was made of, in extended precision, at many times: at none
before the contact may they be nearer than the separation, at its time they are as near as is promised. Where
one is inside the other, the library itself, asked about the shape, says so. Swapped, and in a batch, all is
the same.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from courses import Referee, courses_case, on_course, pose_then, simpler_courses, twice
from firstcontact.bodies.mesh_parts import is_closed
from things import is_empty, shape_of

SECONDS_A_CASE = 60.0

EVENLY = np.linspace(0.0, 1.0, 33)
CLOSER = 2.0 ** -np.arange(5.0, 40.0, 3.0)

# Far and thin things have fields of many cells; searches that take longer are left with nothing proven.
MOST_CELLS, MOST_STEPS = 100_000, 50_000


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes on courses; the second one is a field, at times the first one too."""
    case = courses_case(rng) | {"part": float(rng.choice([0.03, 0.1]))}
    case["is_field"] = bool(rng.random() < 0.2)
    return case | {"separation": float(rng.choice([0.0, 0.0, 0.05]))}


def check(case: dict[str, Any]) -> str | None:
    """Ask about the fields, and measure the shapes."""
    if is_empty(case["a"]) or is_empty(case["b"]):
        return None
    shapes = [shape_of(case[name]) for name in "ab"]
    fields = [_field_of(shape, case["part"]) for shape in shapes]
    if fields[1] is None or (case["is_field"] and fields[0] is None):
        return None
    things = [fields[0] if case["is_field"] else shapes[0], fields[1]]
    a, b = (on_course(thing, case[f"course_{name}"]) for thing, name in zip(things, "ab", strict=True))
    kinds = f"{case['a']['kind']}{' field' if case['is_field'] else ''}-{case['b']['kind']}"
    size = min(float(np.ptp(shape.bounds, axis=0).max()) for shape in shapes)
    options = {"max_iterations": MOST_STEPS, "min_separation": case["separation"] * size}
    found, referee = fc.first_contact(a, b, **options), Referee(case)
    fault = _fault(case, shapes, things, found, options, referee) or _told_otherwise(a, b, options, found)
    fault = fault or _off_at_start(case, shapes, things, referee) or _off_least(a, b, referee)
    return fault and f"{kinds}: {fault}"


def _field_of(shape: Any, part: float) -> Any:
    size = float(np.ptp(shape.bounds, axis=0).max())
    try:
        return fc.DistanceField.of(shape, part * size, max_cells=MOST_CELLS)
    except ValueError:
        return None


def _solid(shape: Any) -> bool:
    """Does a thing count as all that is inside it, and can it be asked so?"""
    return not isinstance(shape, fc.Mesh) or is_closed(shape)


def _fault(
    case: dict[str, Any], shapes: Any, things: Any, found: Any, options: dict[str, Any], referee: Referee
) -> str | None:
    separation, r = options["min_separation"], referee.rounding
    before = found.time - CLOSER if np.isfinite(found.time) else np.empty(0)
    times = np.unique(np.clip(np.concatenate([EVENLY, before]), 0.0, 1.0))
    seen = referee.at(times)
    is_near = (seen.upper <= separation - r) | (seen.upper == 0.0)
    late = times[is_near & (times < found.time)]
    if len(late) > 0:
        return f"contact is told at {found.time}, and they touch at {late[0]}"
    truth = _truth(case, shapes, things, options)
    if truth is not None and truth.time_upper < found.time * (1.0 - 1e-12):
        return f"contact is told at {found.time}, and of the shape {truth!r}"
    if found.status not in (fc.Status.CONTACT, fc.Status.CONTACT_AT_START):
        return None
    if truth is not None and truth.time > found.time_upper * (1.0 + 1e-9) + 1e-12:
        return f"contact is proven by {found.time_upper}, and of the shape {truth!r}"
    if truth is not None and truth.time <= found.time:
        return None
    there, tolerances = referee.at([found.time]).lower[0], sum(_tolerance(thing) for thing in things)
    usual = 1e-6 * 4.0 * max(float(np.linalg.norm(shape.bounds, axis=1).max()) for shape in shapes)
    allowed = np.sqrt(2.0) * (separation + usual + 3.0 * tolerances) + 1e3 * r
    if there > allowed:
        return f"contact is told at {found.time}, and they are {there} apart, which is more than {allowed}"
    return None


def _tolerance(thing: Any) -> float:
    return thing.tolerance if isinstance(thing, fc.DistanceField) else 0.0


def _truth(case: dict[str, Any], shapes: Any, things: Any, options: dict[str, Any]) -> Any:
    """The first contact of the shapes themselves, where solid is solid."""
    are_solid = [_solid(shape) for shape in shapes]
    if not all(are_solid) or (isinstance(things[0], fc.Mesh) and case["b"]["kind"] == "mesh"):
        return None
    moving = (on_course(shape, case[f"course_{name}"]) for shape, name in zip(shapes, "ab", strict=True))
    return fc.first_contact(*moving, **options, solid=True)


def _told_otherwise(a: Any, b: Any, options: dict[str, Any], found: Any) -> str | None:
    """Swapped, and in a batch, it is the same."""
    swapped = fc.first_contact(b, a, **options)
    is_same = swapped.time == found.time and swapped.status == found.status
    if not is_same and not isinstance(a.shape, fc.DistanceField):
        return f"swapped, it is {swapped!r}, and not {found!r}"
    both = fc.first_contacts(fc.Moving(a.shape, twice(a.motion)), b, **options)
    if (both.time != found.time).any() or (both.time_upper != found.time_upper).any():
        return f"in a batch, times are {both.time.tolist()}, and not {found.time}"
    return None


def _off_at_start(case: dict[str, Any], shapes: Any, things: Any, referee: Referee) -> str | None:
    """The distance at the start is never too large, and not too small."""
    poses = [tuple(np.array(part, float) for part in pose_then(case[f"course_{name}"], 0.0)) for name in "ab"]
    placed = [thing.at(pose) for thing, pose in zip(things, poses, strict=True)]
    found, touches = fc.distance(*placed), fc.intersects(*placed)
    if (found.distance == 0.0) is not touches:
        return f"the distance is {found.distance}, and intersects says {touches}"
    seen = referee.at([0.0])
    if found.distance > seen.upper[0] + referee.rounding:
        return f"the distance is {found.distance}, and in truth at most {seen.upper[0]}"
    tolerances = sum(_tolerance(thing) for thing in things)
    least = seen.lower[0] / np.sqrt(2.0) - 2.5 * tolerances - 0.01 * seen.lower[0] - referee.rounding
    standing = [shape.at(pose) for shape, pose in zip(shapes, poses, strict=True)]
    is_inside = all(map(_solid, shapes)) and fc.intersects(*standing, solid=True)
    if found.distance < least and not is_inside:
        return f"the distance is {found.distance}, and in truth {seen.lower[0]}"
    return None


def _off_least(a: Any, b: Any, referee: Referee) -> str | None:
    """The least distance is between both ends of the clearance."""
    found = fc.clearance(a, b, max_iterations=MOST_STEPS)
    nearest = referee.at(EVENLY).upper.min()
    if nearest < found.distance_lower - referee.rounding:
        return f"the clearance is {found!r}, and they are {nearest} apart"
    there = referee.at([found.time]).lower[0]
    if there > found.distance + referee.rounding and found.distance > 0.0:
        return f"the clearance is {found!r}, and they are {there} apart then"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Simpler courses and shapes."""
    yield from simpler_courses(case)
