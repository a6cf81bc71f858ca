"""Least distances and contact intervals of rigid bodies of any two kinds, with accelerations or without.

The referee places both, in extended precision, at many times: none is nearer than the lower end, and at the
time that is told they are as near as that. No contact is outside the outer bounds of the intervals, and
within the inner ones there is one.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from families.throws import placed_at, thrown, whole_extent
from oracles.convex_first_contact import distances_at
from pieces import pairs_of, pieces_of, unplaced
from shrinking import fewer_and_rounder
from things import is_empty, motion_in, scale_in, scaled, shape_in

MOST_PAIRS = 16
N_TIMES = 33


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, each with a motion; half of them with an acceleration."""
    a, b = shape_in(rng), shape_in(rng)
    while _count(a) * _count(b) > MOST_PAIRS:
        a, b = shape_in(rng), shape_in(rng)
    case = {"a": a, "b": b, "motion_a": motion_in(rng), "motion_b": motion_in(rng)}
    for name in ("motion_a", "motion_b"):
        size = float(rng.choice([0.0, 1.0, 10.0], p=[0.6, 0.2, 0.2]))
        case[name]["acceleration"] = (size * rng.integers(-4, 5, 3) / 2.0).tolist()
    case["tolerance"] = float(rng.choice([0.0, 1e-3, 0.1]))
    return scaled(case, scale_in(rng))


def _count(data: dict[str, Any]) -> int:
    return len(data["faces"]) if data["kind"] == "mesh" else 1


def check(case: dict[str, Any]) -> str | None:
    """Ask, and place both bodies at times between."""
    x, y = (thrown(case, name) for name in "ab")
    found = fc.clearance(x, y, tolerance=case["tolerance"] or None)
    spans = fc.contact_intervals(x, y)
    if is_empty(case["a"]) or is_empty(case["b"]):
        return None if found.distance == np.inf and len(spans) == 0 else f"nothing is near: {found}"
    if not 0.0 <= found.distance_lower <= found.distance:
        return f"the bracket is upside down: {found}"
    times = np.array([*np.linspace(0.0, 1.0, N_TIMES), found.time])
    distances, rounding = _distances(case, times), 1e-12 * whole_extent(case)
    kinds = "-".join(sorted((case["a"]["kind"], case["b"]["kind"])))
    if distances.min() < found.distance_lower - rounding:
        return f"{kinds}: nearer than {found.distance_lower}: {distances.min()}"
    if abs(distances[-1] - found.distance) > 1e4 * rounding:
        return f"{kinds}: at {found.time} the distance is {distances[-1]}, and told is {found.distance}"
    fault = _fault(spans, times[:-1], distances[:-1], rounding)
    return fault and f"{kinds}: {fault}"


def _fault(spans: Any, times: Any, distances: Any, rounding: float) -> str | None:
    is_out, is_in = np.ones(len(times), bool), np.zeros(len(times), bool)
    for k, ((touch, proven), (lasts, part)) in enumerate(spans):
        if not (touch <= proven and lasts <= part):
            return f"a bracket is upside down: {spans[k]}"
        is_out &= ~((touch <= times) & (times <= part))
        if spans.is_proven[k] and spans.doubt[k] == 0.0:
            is_in |= (proven <= times) & (times <= lasts)
    if (distances[is_out] <= 0.0).any():
        return f"a contact at {times[is_out & (distances <= 0.0)][0]} is in no interval"
    if (distances[is_in] > 1e4 * rounding).any():
        return f"no contact at {times[is_in & (distances > 1e4 * rounding)][0]}, within an interval"
    return None


def _distances(case: dict[str, Any], times: Any) -> Any:
    """Distances at times, (m,), as the referee has them from above."""
    a, b = map(unplaced, pairs_of(pieces_of(case["a"]), pieces_of(case["b"])))
    n = len(a.radius)
    rows = [
        np.concatenate([placed_at(case[name], t, n) for t in times.tolist()])
        for name in ("motion_a", "motion_b")
    ]
    each = np.tile(np.arange(n), len(times))
    bounds = distances_at(a.only(each), b.only(each), rows, 0.0).upper.reshape(len(times), n)
    return bounds.min(axis=1).astype(float)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the same with fewer or rounder numbers."""
    return fewer_and_rounder(case)
