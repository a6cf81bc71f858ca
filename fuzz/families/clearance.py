"""The least distance of two rigid bodies on courses of any kind: straight, turning, thrown, in several legs.

The referee measures both in extended precision at many times, nearer and nearer to where it sees the least.
None of its distances may be less than `distance_lower`; at `time` they are `distance` apart, by the points
that are told; both ends are as near as the tolerance says. Alone as in a batch; swapped, the brackets meet.
What stays apart has no contact that is proven, and what touches has an interval.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from courses import Referee, Seen, courses_case, on_course, simpler_courses, twice
from things import is_empty, shape_of

# What extended precision itself may lose, in units of what plain numbers do.
STRICT = 1e-3

# Fast turns with a small tolerance take more, and are left with nothing proven.
MOST_STEPS = 100_000

EVENLY = np.linspace(0.0, 1.0, 41)
CLOSER = 2.0 ** -np.arange(6.0, 40.0, 4.0)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, each with a course; the very same, or far away, at times."""
    return courses_case(rng)


def check(case: dict[str, Any]) -> str | None:
    """Ask, and measure at many times."""
    a, b = (on_course(shape_of(case[name]), case[f"course_{name}"]) for name in "ab")
    options = {"max_iterations": MOST_STEPS} | ({} if case["is_usual"] else {"tolerance": case["tolerance"]})
    found = fc.clearance(a, b, **options)
    if is_empty(case["a"]) or is_empty(case["b"]):
        return None if found.distance == found.distance_lower == np.inf else f"without faces: {found!r}"
    kinds = "-".join(sorted((case["a"]["kind"], case["b"]["kind"])))
    referee = Referee(case)
    fault = _fault(case, found, referee) or _told_otherwise(a, b, options, found, referee.rounding)
    fault = fault or _contradicted(found, fc.contact_intervals(a, b))
    return fault and f"{kinds}: {fault}"


def _fault(case: dict[str, Any], found: Any, referee: Referee) -> str | None:
    there, least = referee.at([found.time]), _least(referee, found.time)
    r, distance, lower = referee.rounding, found.distance, found.distance_lower
    if not 0.0 <= lower <= distance:
        return f"distance_lower {lower} is not between 0 and the distance {distance}"
    if lower > least[1] + STRICT * r:
        return f"distance_lower is {lower}, and at {least[0]} they are {least[1]} apart"
    if not there.lower[0] - r <= distance <= there.upper[0] + r:
        return f"the distance is {distance}, and {there.lower[0]} to {there.upper[0]} at {found.time}"
    if abs(float(np.linalg.norm(found.points[0] - found.points[1])) - distance) > r:
        return f"the points {found.points.tolist()} are not {distance} apart"
    allowed = (
        max(case["tolerance"], 0.0) if not case["is_usual"] else max(0.0101 * distance, 1e-5 * _size(case))
    )
    if found.status == fc.Status.MAX_ITERATIONS:
        return f"the search gave up, and distance_lower is {lower}" if lower > 0.0 else None
    if distance - lower > 1.001 * allowed + 1e3 * r:
        return f"the ends {lower} and {distance} are farther apart than {allowed}"
    expected = (
        fc.Status.CONTACT if distance == 0.0 else fc.Status.SEPARATED if lower > 0.0 else fc.Status.UNDECIDED
    )
    return None if found.status == expected else f"the status is {found.status}, of {found!r}"


def _contradicted(found: Any, spans: Any) -> str | None:
    """Do the times of contact go with the least distance?"""
    if found.distance_lower > 0.0 and spans.is_proven.any():
        return f"apart by {found.distance_lower}, and in contact at {spans.touch[spans.is_proven][0]}"
    is_told = ((spans.touch[:, 0] <= found.time) & (found.time <= spans.part[:, 1])).any()
    return (
        f"at no distance at {found.time}, in no interval" if found.distance == 0.0 and not is_told else None
    )


def _least(referee: Referee, time: float) -> tuple[float, float]:
    """When and how far apart the two are where they are nearest, of many times."""
    near = np.concatenate([time - CLOSER, time + CLOSER])
    times = np.unique(np.clip(np.concatenate([EVENLY, near]), 0.0, 1.0))
    width, seen = EVENLY[1], referee.at(times)
    at, least = _best(times, seen)
    for _ in range(3):
        times = np.unique(np.clip(at + width * np.linspace(-1.0, 1.0, 9), 0.0, 1.0))
        then, nearer = _best(times, referee.at(times))
        at, least = (then, nearer) if nearer < least else (at, least)
        width /= 4.0
    return at, least


def _best(times: Any, seen: Seen) -> tuple[float, float]:
    k = int(np.argmin(seen.upper))
    return float(times[k]), float(seen.upper[k])


def _size(case: dict[str, Any]) -> float:
    """The larger size of both, or a little more."""
    shapes = (shape_of(case[name]) for name in "ab")
    return max(2.0 * float(np.linalg.norm(np.abs(shape.bounds).max(axis=0))) for shape in shapes)


def _told_otherwise(a: Any, b: Any, options: dict[str, Any], found: Any, rounding: float) -> str | None:
    """The same of both swapped, and in a batch."""
    swapped = fc.clearance(b, a, **options)
    if max(swapped.distance_lower - found.distance, found.distance_lower - swapped.distance) > rounding:
        return f"swapped, {swapped!r} has nothing in common with {found!r}"
    batch = fc.clearance(fc.Moving(a.shape, twice(a.motion)), b, **options)
    for name in ("distance", "distance_lower", "time", "points", "faces", "status"):
        alone, both = np.asarray(getattr(found, name)), np.asarray(getattr(batch, name))
        if not (
            np.array_equal(both[0], alone, equal_nan=True) and np.array_equal(both[1], alone, equal_nan=True)
        ):
            return f"the {name} is {alone.tolist()}, and in a batch {both.tolist()}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without turns, velocities, accelerations and rotations; fewer faces; rounder numbers."""
    yield from simpler_courses(case)
