"""When two rigid bodies touch and part on courses of any kind: straight, turning, thrown, in several legs.

The referee measures both in extended precision at many times, most of them near the ends that are told.
Before a contact, after it and between two there is none; between the inner ends there is, but for `doubt`;
ends are in their order. Alone as in a batch; swapped, nothing is contradicted.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from courses import Referee, courses_case, on_course, simpler_courses, twice
from spans import fault_of_ends, fault_of_spans
from things import is_empty, shape_of

EVENLY = np.linspace(0.0, 1.0, 33)
CLOSER = np.concatenate([[0.0], 2.0 ** -np.arange(8.0, 48.0, 5.0)])

# More ends than this are not looked at one by one.
MOST_ENDS = 24


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, each with a course; touching exactly, far away, or the very same at times."""
    return courses_case(rng)


def check(case: dict[str, Any]) -> str | None:
    """Ask, and measure at many times."""
    a, b = (on_course(shape_of(case[name]), case[f"course_{name}"]) for name in "ab")
    options = {} if case["is_usual"] else {"tolerance": case["tolerance"]}
    found = fc.contact_intervals(a, b, **options)
    if is_empty(case["a"]) or is_empty(case["b"]):
        return f"a mesh without faces is in contact: {found!r}" if len(found) else None
    kinds = "-".join(sorted((case["a"]["kind"], case["b"]["kind"])))
    referee = Referee(case)
    ends = np.concatenate([found.touch, found.part]).ravel()[:MOST_ENDS]
    near = (ends[:, None] + np.concatenate([-CLOSER, CLOSER])).ravel()
    middles = found.part[:, 0] / 2 + found.touch[:, 1] / 2
    times = np.unique(np.clip(np.concatenate([EVENLY, near, middles]), 0.0, 1.0))
    seen = referee.at(times)
    bounds = seen.lower, seen.upper
    fault = fault_of_ends(found) or fault_of_spans(found, times, bounds, referee.rounding)
    if not fault:
        fault = fault_of_spans(fc.contact_intervals(b, a, **options), times, bounds, referee.rounding)
        fault = fault and f"swapped, {fault}"
    return (fault or _batch_fault(a, b, options, found)) and f"{kinds}: {fault or 'in a batch'}"


def _batch_fault(a: Any, b: Any, options: dict[str, Any], found: Any) -> str | None:
    """The same in a batch."""
    batch = fc.contact_intervals(fc.Moving(a.shape, twice(a.motion)), b, **options)
    for one in batch:
        for name in ("touch", "part", "doubt", "is_proven"):
            if not np.array_equal(getattr(one, name), getattr(found, name)):
                return f"{name} differs"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without turns, velocities, accelerations and rotations; fewer faces; rounder numbers."""
    yield from simpler_courses(case)
