"""How near a mesh that deforms comes to a rigid thing, or to another that deforms: is a bound ever wrong?

The referee measures all pairs of pieces in extended precision at many times, nearer and nearer to where it
sees the least. None of its distances may be less than `distance_lower`; at `time` they are `distance` apart;
both ends are as near as the tolerance says. Swapped, the brackets meet; and what is proven to be kept, the
first contact with that separation does not contradict.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from deforming_cases import deforming_case, distance_then, other_in, simpler_deforming
from pieces import Real
from things import is_empty, shape_of

EVENLY = np.linspace(0.0, 1.0, 17)
MOST_NODES = 1_000_000


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A mesh whose vertices move, together or apart, or rest, in a step or in some; and a thing near it."""
    return deforming_case(rng) | {"tolerance": float(rng.choice([-1.0, -1.0, 1e-3, 1e-6]))}


def check(case: dict[str, Any]) -> str | None:
    """Ask, and measure at many times."""
    frames = [np.reshape(frame, (-1, 3)).astype(float) for frame in case["frames"]]
    faces = np.reshape(case["faces"], (-1, 3)).astype(int)
    a, b = fc.Mesh(frames[0], faces).along(frames, case["times"]), other_in(case)
    options = {"max_iterations": MOST_NODES} | (
        {} if case["tolerance"] < 0 else {"tolerance": case["tolerance"]}
    )
    found = fc.clearance(a, b, **options)
    if len(faces) == 0 or is_empty(case["b"]):
        return None if found.distance == found.distance_lower == np.inf else f"without faces: {found!r}"
    mesh = frames, np.array(case["times"]), faces
    sizes = [float(np.abs(frame).max()) for frame in frames] + [_reach(case)]
    rounding = 1e-12 * max(sizes)
    fault = _fault(case, found, mesh, rounding) or _told_otherwise(a, b, options, found, rounding)
    kind = f"deforming and {'mesh' if case['b']['kind'] == 'mesh' else 'convex'}"
    return fault and f"{kind}: {fault}"


def _reach(case: dict[str, Any]) -> float:
    places = [np.abs(case["motion"][name]).max() for name in ("place", "velocity", "center")]
    return float(np.abs(shape_of(case["b"]).bounds).max() + sum(places))


def _fault(case: dict[str, Any], found: Any, mesh: Any, rounding: float) -> str | None:
    lower, distance = found.distance_lower, found.distance
    if not 0.0 <= lower <= distance:
        return f"distance_lower {lower} is not between 0 and the distance {distance}"
    at, width = found.time, float(EVENLY[1])
    times, seen = EVENLY, distance_then(case, mesh, EVENLY)
    at, least = float(times[np.argmin(seen)]), float(seen.min())
    for _ in range(3):
        times = np.unique(np.clip(at + width * np.linspace(-1.0, 1.0, 9), 0.0, 1.0))
        seen = distance_then(case, mesh, times)
        at, least = (float(times[np.argmin(seen)]), float(seen.min())) if seen.min() < least else (at, least)
        width /= 4.0
    there = float(distance_then(case, mesh, np.array([found.time], Real))[0])
    if lower > min(least, there) + rounding:
        return f"distance_lower is {lower}, and at {at} they are {least} apart"
    if abs(there - distance) > 100.0 * rounding:
        return f"the distance is {distance}, and {there} at {found.time}"
    if found.status == fc.Status.MAX_ITERATIONS:
        return f"the search gave up, and distance_lower is {lower}" if lower > 0.0 else None
    allowed = max(0.0101 * distance, 1e-5 * _reach(case)) if case["tolerance"] < 0 else case["tolerance"]
    if distance - lower > 1.001 * allowed + 1e4 * rounding:
        return f"the ends {lower} and {distance} are farther apart than {allowed}"
    return None


def _told_otherwise(a: Any, b: Any, options: dict[str, Any], found: Any, rounding: float) -> str | None:
    """The same of both swapped, and of the first contact with that separation."""
    swapped = fc.clearance(b, a, **options)
    if max(swapped.distance_lower - found.distance, found.distance_lower - swapped.distance) > rounding:
        return f"swapped, {swapped!r} has nothing in common with {found!r}"
    kept = 0.999 * found.distance_lower
    hit = fc.first_contact(a, b, min_separation=kept) if found.status == fc.Status.SEPARATED else None
    if hit and hit.time_upper < np.inf:
        return f"{kept} is kept, and at {hit.time_upper} they are nearer"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without motion of either; fewer frames and faces; rounder numbers."""
    yield from simpler_deforming(case)
