"""First contacts of small meshes that move by quaternions: algebra is the referee of all methods.

Algebra is on trial itself: at some times before its answer, fractions must have no edge that passes through a
face; and a face that is passed through at `time_upper` of another method must not come before its time.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.quaternion_motion import cross_at
from shrinking import fewer_and_rounder
from things import mesh_in, pose_in, pose_of, scale_in, scaled, shape_of

MOST_PAIRS = 36

# Where to look, in parts of the time found.
PARTS = (Fraction(0), Fraction(2, 7), Fraction(5, 7), Fraction(99, 100))


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two meshes, each from a pose to a pose; it may rest, turn only, or go straight only."""
    a, b = mesh_in(rng), mesh_in(rng)
    while len(a["faces"]) * len(b["faces"]) > MOST_PAIRS:
        a, b = mesh_in(rng), mesh_in(rng)
    case: dict[str, Any] = {"a": a, "b": b, "center": rng.integers(-2, 3, 3).astype(float).tolist()}
    for name in "ab":
        case[f"start_{name}"], case[f"end_{name}"] = pose_in(rng), pose_in(rng)
        kind = rng.integers(5)
        if kind == 0:
            case[f"end_{name}"] = case[f"start_{name}"]
        elif kind < 3:
            part = ("rotation", "place")[kind - 1]
            case[f"end_{name}"] = case[f"end_{name}"] | {part: case[f"start_{name}"][part]}
    return scaled(case, scale_in(rng)) | {"method": str(rng.choice(["c2a", "interval", "c2a-2009", "ca"]))}


def moving(case: dict[str, Any], name: str) -> Any:
    """A mesh on its way."""
    start, end = (pose_of(case[f"{when}_{name}"]) for when in ("start", "end"))
    return shape_of(case[name]).moving(start, end, path="quaternion", center=case["center"])


def check(case: dict[str, Any]) -> str | None:
    """Compare a method with algebra, and algebra with fractions."""
    a, b = moving(case, "a"), moving(case, "b")
    truth = fc.first_contact(a, b, method="algebraic")
    found = fc.first_contact(a, b, method=case["method"])
    if found.time > truth.time_upper:
        return f"{case['method']} is late: at {found.time}, and algebra at {truth.time}"
    if found.time_upper < truth.time:
        return f"{case['method']} proves a contact by {found.time_upper}, algebra has none until {truth.time}"
    if truth.time > 0.0:
        end = Fraction(min(truth.time, 1.0))
        for part in PARTS:
            if cross_at(a, b, part * end):
                return f"surfaces cross at {float(part * end)}, and algebra has no contact until {truth.time}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer faces, and rounder numbers."""
    yield from fewer_and_rounder(case)
