"""First contacts of rigid bodies of any two kinds, one way and in a batch.

The referee goes along the motion in extended precision, in steps that cannot skip a contact. Never late,
never missed, within the tolerance at the time, proven by `time_upper`; alone as in a batch.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_first_contact import distances_at, scan
from pieces import extent_of, pairs_of, pieces_of, unplaced
from shrinking import fewer_and_rounder
from things import is_empty, motion_in, motion_row, moving_of, scale_in, scaled, shape_in, shape_of

MOST_PAIRS = 60

HITS = (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, each with a motion; as few pairs of pieces as the referee can look at soon."""
    a, b = shape_in(rng), shape_in(rng)
    while _count(a) * _count(b) > MOST_PAIRS:
        a, b = shape_in(rng), shape_in(rng)
    case = {"a": a, "b": b, "motion_a": motion_in(rng), "motion_b": motion_in(rng)}
    if rng.random() < 0.2:  # the second is far from, or at rest at, its origin
        case["motion_b"] |= {"velocity": [0.0] * 3, "turn": [0.0] * 3}
    if rng.random() < 0.1:
        away = rng.choice([1e3, 1e6]) * rng.integers(-1, 2, 3)
        for name in ("motion_a", "motion_b"):
            case[name]["place"] = (np.array(case[name]["place"]) + away).tolist()
    case["tolerance"] = float(rng.choice([1e-6, 1e-3, 1e-9]))
    case["min_separation"] = float(rng.choice([0.0, 0.0, 0.1]))
    return scaled(case, scale_in(rng))


def _count(data: dict[str, Any]) -> int:
    return len(data["faces"]) if data["kind"] == "mesh" else 1


def check(case: dict[str, Any]) -> str | None:
    """Ask, and follow the motion to the time that was found."""
    x, y = (moving_of(shape_of(case[name]), case[f"motion_{name}"]) for name in "ab")
    options = {name: case[name] for name in ("tolerance", "min_separation", "method") if name in case}
    found = fc.first_contact(x, y, **options)
    if is_empty(case["a"]) or is_empty(case["b"]):
        return f"a mesh without faces is in contact: {found}" if found else None
    if fc.safe_step(x, y, **options) != min(found.time, 1.0):
        return f"safe_step is {fc.safe_step(x, y, **options)}, and the first contact at {found.time}"
    kinds = "-".join(sorted((case["a"]["kind"], case["b"]["kind"])))
    if found.status == fc.Status.MAX_ITERATIONS:
        return f"{kinds}: the search gave up at {found.time}"
    if (found.status == fc.Status.CONTACT_AT_START) != (found.time == 0.0):
        return f"{kinds}: {found.status.name} at {found.time}"
    fault = _fault(case, found)
    return fault and f"{kinds}: {fault}"


def _fault(case: dict[str, Any], found: Any) -> str | None:
    a, b = map(unplaced, pairs_of(pieces_of(case["a"]), pieces_of(case["b"])))
    n = len(a.radius)
    rows = [np.broadcast_to(motion_row(case[name]), (n, 1, 24)) for name in ("motion_a", "motion_b")]
    separation, rounding = case["min_separation"], 1e-12 * _extent(case)
    until = min(found.time, 1.0)
    witness = float(scan(a, b, rows, separation, separation + 1e-4 * rounding, until).witness.min())
    if witness <= until and until > 0.0:
        return f"the time is {found.time}, and a contact at {witness}"
    if not found:
        return None
    distance = float(distances_at(a, b, rows, until).lower.min())
    if distance > separation + case["tolerance"] + 100 * rounding:
        return f"the distance is {distance} at {found.time}, and the tolerance {case['tolerance']}"
    if found.time_upper < found.time:
        return f"time_upper {found.time_upper} is before the time {found.time}"
    if found.time_upper <= 1.0:
        near = scan(a, b, rows, separation, separation + 1e4 * rounding, found.time_upper)
        if float(near.free_until.min()) == np.inf:
            return f"there is no contact up to time_upper {found.time_upper}"
    return None


def _extent(case: dict[str, Any]) -> float:
    motions = case["motion_a"], case["motion_b"]
    places = [np.abs(m["place"]) + np.abs(m["velocity"]) + 2 * np.abs(m["center"]) for m in motions]
    return extent_of(case["a"], case["b"], places)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without turns, velocities and rotations; fewer faces; rounder numbers."""
    for name in ("motion_a", "motion_b"):
        for part in ({"turn": [0.0] * 3}, {"velocity": [0.0] * 3}, {"rotation": np.eye(3).tolist()}):
            if case[name] != case[name] | part:
                yield case | {name: case[name] | part}
    yield from fewer_and_rounder(case)
