"""First contacts of rigid bodies of any two kinds with constant accelerations.

The referee places both, in extended precision, at many times before the one found, at that time and at
`time_upper`. Never late, within the tolerance at the time, in contact at `time_upper`; without accelerations
to the last digit as if none were given.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_first_contact import distances_at
from pieces import extent_of, pairs_of, pieces_of, unplaced
from shrinking import fewer_and_rounder
from things import is_empty, motion_in, motion_row, pose_of, scale_in, scaled, shape_in, shape_of

MOST_PAIRS = 16

Real = np.longdouble

# When to look, in units of the time found: evenly, and ever closer to it.
PARTS = np.concatenate([np.linspace(0.0, 1.0, 16, endpoint=False), 1.0 - 2.0 ** -np.arange(5.0, 35.0, 3.0)])


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, each with a motion and an acceleration; at times none, or the same for both."""
    a, b = shape_in(rng), shape_in(rng)
    while _count(a) * _count(b) > MOST_PAIRS:
        a, b = shape_in(rng), shape_in(rng)
    case = {"a": a, "b": b, "motion_a": motion_in(rng), "motion_b": motion_in(rng)}
    for name in ("motion_a", "motion_b"):
        size = float(rng.choice([0.0, 1e-9, 1e-3, 1.0, 10.0, 1e3], p=[0.2, 0.05, 0.05, 0.3, 0.3, 0.1]))
        case[name]["acceleration"] = (size * rng.integers(-4, 5, 3) / 2.0).tolist()
        if rng.random() < 0.2:  # up and back again
            case[name]["velocity"] = [-0.5 * x for x in case[name]["acceleration"]]
    if rng.random() < 0.2:
        case["motion_b"]["acceleration"] = case["motion_a"]["acceleration"]
    case["tolerance"] = float(rng.choice([1e-6, 1e-3, 1e-9]))
    case["min_separation"] = float(rng.choice([0.0, 0.0, 0.1]))
    return scaled(case, scale_in(rng))


def _count(data: dict[str, Any]) -> int:
    return len(data["faces"]) if data["kind"] == "mesh" else 1


def thrown(case: dict[str, Any], name: str, has_acceleration: bool = True) -> Any:
    """A body on its way, with its acceleration or without."""
    data = case[f"motion_{name}"]
    more = {"acceleration": data["acceleration"]} if has_acceleration else {}
    return shape_of(case[name]).moving(
        pose_of(data),
        velocity=data["velocity"],
        angular_velocity=data["turn"],
        center=data["center"],
        **more,
    )


def check(case: dict[str, Any]) -> str | None:
    """Ask, and place both bodies up to the time that was found."""
    x, y = (thrown(case, name) for name in "ab")
    options = {name: case[name] for name in ("tolerance", "min_separation")}
    found = fc.first_contact(x, y, **options)
    if is_empty(case["a"]) or is_empty(case["b"]):
        return f"a mesh without faces is in contact: {found}" if found else None
    if not any(case["motion_a"]["acceleration"]) and not any(case["motion_b"]["acceleration"]):
        plain = fc.first_contact(thrown(case, "a", False), thrown(case, "b", False), **options)
        if (plain.time, plain.time_upper) != (found.time, found.time_upper):
            return f"without accelerations the time is {plain.time}, and with none of any size {found.time}"
    if fc.safe_step(x, y, **options) != min(found.time, 1.0):
        return f"safe_step is {fc.safe_step(x, y, **options)}, and the first contact at {found.time}"
    kinds = "-".join(sorted((case["a"]["kind"], case["b"]["kind"])))
    if found.status == fc.Status.MAX_ITERATIONS:
        return None  # all that is said is that there is none before
    fault = fault_in(case, found)
    return fault and f"{kinds}: {fault}"


def fault_in(case: dict[str, Any], found: Any) -> str | None:
    """Say what is wrong with a first contact, by where both bodies are in extended precision."""
    a, b = map(unplaced, pairs_of(pieces_of(case["a"]), pieces_of(case["b"])))
    separation, rounding = case["min_separation"], 1e-12 * whole_extent(case)
    until = min(found.time, 1.0)

    n, times = len(a.radius), [*(until * PARTS), until, min(found.time_upper, 1.0)]
    rows = [np.concatenate([placed_at(case[name], t, n) for t in times]) for name in ("motion_a", "motion_b")]
    each = np.tile(np.arange(n), len(times))
    bounds = distances_at(a.only(each), b.only(each), rows, 0.0).upper.reshape(len(times), n)
    *before, there, upper = bounds.min(axis=1).astype(float).tolist()
    if until > 0.0 and min(before) < separation - rounding:
        return f"the time is {found.time}, and they are in contact at {times[int(np.argmin(before))]}"
    if not found:
        return None
    if there > separation + case["tolerance"] + 100 * rounding:
        return f"the distance is {there} at {found.time}, and the tolerance {case['tolerance']}"
    if found.time_upper < found.time:
        return f"time_upper {found.time_upper} is before the time {found.time}"
    if found.time_upper <= 1.0 and upper > separation + rounding:
        return f"the distance is {upper} at time_upper {found.time_upper}"
    return None


def placed_at(motion: dict[str, Any], t: float, n: int) -> Any:
    """The motion as a row that stands still where it is at a time, (n, 1, 24)."""
    row = motion_row(motion).astype(Real)
    velocity, acceleration, time = row[:, 12:15].copy(), np.array(motion["acceleration"], Real), Real(t)
    row[:, 9:12] += time * velocity + time * time * acceleration / 2
    row[:, 12:15] = 0
    row[:, :9] = _turned(row[0, 15:18], row[0, 18] * time, row[0, :9].reshape(3, 3)).reshape(-1)
    row[:, 18] = 0
    return np.broadcast_to(row, (n, 1, row.shape[1]))


def _turned(axis: Any, angle: Any, rotation: Any) -> Any:
    x, y, z = axis
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], Real)
    turn = np.eye(3, dtype=Real) + np.sin(angle) * across + 2 * np.sin(angle / 2) ** 2 * (across @ across)
    return turn @ rotation


def whole_extent(case: dict[str, Any]) -> float:
    """How far all coordinates of a case go."""
    motions = case["motion_a"], case["motion_b"]
    places = [
        np.abs(m["place"]) + np.abs(m["velocity"]) + 2 * np.abs(m["center"]) + np.abs(m["acceleration"])
        for m in motions
    ]
    return extent_of(case["a"], case["b"], places)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without turns, velocities, accelerations and rotations; fewer faces; rounder numbers."""
    nought = [0.0] * 3
    for name in ("motion_a", "motion_b"):
        parts = ({part: nought} for part in ("turn", "velocity", "acceleration"))
        for part in (*parts, {"rotation": np.eye(3).tolist()}):
            if case[name] != case[name] | part:
                yield case | {name: case[name] | part}
    yield from fewer_and_rounder(case)
