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
    fault = _order_fault(found) or _fault(found, times, seen, referee.rounding)
    if not fault:
        fault = _fault(fc.contact_intervals(b, a, **options), times, seen, referee.rounding)
        fault = fault and f"swapped, {fault}"
    return (fault or _batch_fault(a, b, options, found)) and f"{kinds}: {fault or 'in a batch'}"


def _order_fault(found: Any) -> str | None:
    """Are the ends of all intervals in their order?"""
    last = -np.inf
    for (touch, touch_upper), (part, part_upper) in found:
        if not (0.0 <= touch <= touch_upper <= part_upper <= 1.0 and touch <= part <= part_upper):
            return f"the ends {touch}, {touch_upper}, {part}, {part_upper} are in no order"
        if not last < touch:
            return f"a contact begins at {touch}, and the one before is over at {last}"
        last = part_upper
    proven = found.is_proven
    if (found.touch[proven, 1] > found.part[proven, 0]).any():
        return "contact is proven, and parting before it"
    return None


def _fault(found: Any, times: Any, seen: Any, rounding: float) -> str | None:
    """Does a measured distance contradict an interval?"""
    is_free = np.ones(len(times), bool)
    for k, ((touch, touch_upper), (part, part_upper)) in enumerate(found):
        is_free &= (times < touch) | (times > part_upper)
        inside = (times >= touch_upper) & (times <= part)
        if not found.is_proven[k] or not inside.any():
            continue
        is_apart = inside & (seen.lower > rounding)
        if found.doubt[k] == 0.0 and is_apart.any():
            i = int(np.argmax(is_apart))
            return f"apart by {seen.lower[i]} at {times[i]}, in contact from {touch_upper} to {part}"
        if found.doubt[k] > (part - touch_upper) * (1.0 + 1e-9):
            return f"the doubt {found.doubt[k]} is more than from {touch_upper} to {part}"
    is_wrong = is_free & (seen.upper <= 1e-4 * rounding)
    if is_wrong.any():
        i = int(np.argmax(is_wrong))
        return f"in contact at {times[i]}, which is in none of {len(found)} intervals"
    return None


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
