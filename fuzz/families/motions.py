"""First contacts of rigid bodies along formulas of ten families, with a thing at rest.

The referee places the body, in extended precision, at many times before the one found and at that time, by
the formula itself. Never late, and within the tolerance at the time.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_first_contact import distances_at
from oracles.trajectories import FAMILIES, Real, rotation_of
from pieces import extent_of, pairs_of, pieces_of, unplaced
from shrinking import fewer_and_rounder
from things import is_empty, shape_in, shape_of

MOST_PAIRS = 16

# When to look, in units of the time found: evenly, and ever closer to it.
PARTS = np.concatenate([np.linspace(0.0, 1.0, 24, endpoint=False), 1.0 - 2.0 ** -np.arange(5.0, 35.0, 3.0)])


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, a family, the seed of its numbers, and a place near the way."""
    a, b = shape_in(rng), shape_in(rng)
    while _count(a) * _count(b) > MOST_PAIRS:
        a, b = shape_in(rng), shape_in(rng)
    family, seed = int(rng.integers(len(FAMILIES))), int(rng.integers(1 << 30))
    _, place = _pose({"family": family, "seed": seed}, float(rng.random()))
    near = place.astype(float) + rng.normal(size=3) * float(rng.choice([0.0, 0.5, 2.0]))
    tolerance, separation = float(rng.choice([1e-6, 1e-3])), float(rng.choice([0.0, 0.0, 0.1]))
    case = {"a": a, "b": b, "family": family, "seed": seed, "place": near.tolist()}
    return case | {"tolerance": tolerance, "min_separation": separation}


def _count(data: dict[str, Any]) -> int:
    return len(data["faces"]) if data["kind"] == "mesh" else 1


def _function(case: dict[str, Any]) -> Any:
    return FAMILIES[case["family"]](np.random.default_rng(case["seed"]))


def _pose(case: dict[str, Any], t: float) -> tuple[Any, Any]:
    """Rotation and place by the formula, in extended precision."""
    given = _function(case)(Real(t))
    turn, place = given if isinstance(given, tuple) else (None, given)
    rotation = np.eye(3, dtype=Real) if turn is None else rotation_of(np.asarray(turn, Real))
    return rotation, np.asarray(place, Real)


def check(case: dict[str, Any]) -> str | None:
    """Ask, and place the body up to the time that was found."""
    x = shape_of(case["a"]).along(fc.motion(_function(case)))
    y = shape_of(case["b"]).at((np.eye(3), case["place"]))
    options = {name: case[name] for name in ("tolerance", "min_separation")}
    found = fc.first_contact(x, y, **options)
    if is_empty(case["a"]) or is_empty(case["b"]):
        return f"a mesh without faces is in contact: {found}" if found else None
    if fc.safe_step(x, y, **options) != min(found.time, 1.0):
        return f"safe_step is not the time of the first contact, {found.time}"
    if found.status == fc.Status.MAX_ITERATIONS:
        return None  # all that is said is that there is none before
    return _fault(case, found)


def _fault(case: dict[str, Any], found: Any) -> str | None:
    a, b = map(unplaced, pairs_of(pieces_of(case["a"]), pieces_of(case["b"])))
    until, n = min(found.time, 1.0), len(a.radius)
    times = [*(until * PARTS), until]
    rows_a = np.concatenate([_row(*_pose(case, t), n) for t in times])
    rows_b = np.concatenate([_row(np.eye(3), case["place"], n) for _ in times])
    each = np.tile(np.arange(n), len(times))
    bounds = distances_at(a.only(each), b.only(each), [rows_a, rows_b], 0.0).upper.reshape(len(times), n)
    *before, there = bounds.min(axis=1).astype(float).tolist()
    rounding = 1e-12 * extent_of(case["a"], case["b"], [np.abs(case["place"]) + 20.0])
    if until > 0.0 and min(before) < case["min_separation"] - rounding:
        return f"the time is {found.time}, and they are in contact at {times[int(np.argmin(before))]}"
    if found and there > case["min_separation"] + case["tolerance"] + 100 * rounding:
        return f"the distance is {there} at {found.time}, and the tolerance {case['tolerance']}"
    return None


def _row(rotation: Any, place: Any, n: int) -> Any:
    """A row that stands still there, (n, 1, 24)."""
    row = np.zeros((1, 24), Real)
    row[:, :9], row[:, 9:12], row[:, 23] = np.reshape(rotation, 9), place, 1
    return np.broadcast_to(row, (n, 1, 24))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer faces, and rounder numbers; the motion stays."""
    for other in fewer_and_rounder(case):
        yield other | {"family": case["family"], "seed": case["seed"]}
