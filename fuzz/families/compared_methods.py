"""First contacts of two convex shapes by methods that are there to be compared, with accelerations or not.

The referee is that of `throws`: extended precision at many times before the one found. And the default, whose
brackets must overlap with those of each method.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from families import throws
from things import CONVEX

METHODS = "swept", "bisection", "extruded"

# Steps that a method has: half of what turns fast, or slides along another, takes thousands of them.
MOST_STEPS = 1 << 16


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two convex shapes on their ways, and a method."""
    while True:
        case = throws.make(rng)
        if case["a"]["kind"] in CONVEX and case["b"]["kind"] in CONVEX:
            break
    for name in ("motion_a", "motion_b"):
        if rng.random() < 0.5:
            case[name]["acceleration"] = [0.0, 0.0, 0.0]
    return case | {"method": str(rng.choice(METHODS))}


def check(case: dict[str, Any]) -> str | None:
    """Ask, place both shapes up to the time that was found, and compare with the default."""
    has_pull = any(case["motion_a"]["acceleration"]) or any(case["motion_b"]["acceleration"])
    things = [throws.thrown(case, name, has_pull) for name in "ab"]
    options = {name: case[name] for name in ("tolerance", "min_separation")}
    method = case["method"]
    found = fc.first_contact(*things, method=method, max_iterations=MOST_STEPS, **options)
    usual = fc.first_contact(*things, **options)
    if found.time > usual.time_upper:
        return f"{method} is late: {found.time}, and by default contact is proven by {usual.time_upper}"
    if usual.time > found.time_upper:
        return f"{method} proves a contact by {found.time_upper}, and by default none is before {usual.time}"
    if fc.safe_step(*things, method=method, max_iterations=MOST_STEPS, **options) != min(found.time, 1.0):
        return f"{method} has another safe_step than a first contact"
    if found.status == fc.Status.MAX_ITERATIONS:
        return None  # all that is said is that there is none before
    fault = throws.fault_in(case, found)
    return fault and f"{method}: {fault}"


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """As throws are made smaller."""
    yield from throws.smaller(case)
