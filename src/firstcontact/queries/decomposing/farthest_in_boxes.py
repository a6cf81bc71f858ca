"""How far points of one thing can be from another: proven, by boxes.

Both signed distances change by no more than one goes. So in a box of the half-diagonal r, whose middle is at
f from the other and at g from the thing itself, nothing that is in the thing is farther than f + r from the
other, and nothing is in the thing if g > r. Boxes of which that is too little are taken apart.
"""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array

# How well it is to be known, as a part of the tolerance, or of what it is.
NEARNESS = 0.2

# Boxes that are looked at, in all; those that are left then count with what is known of them.
MOST_BOXES = 200_000

# What rounding may hide of a distance, in units of the size.
ROUNDING = 1e-11

# Where the middles of the eight parts of a box are, from its own, in halves of its sides.
OCTANTS = np.array(list(product((-0.5, 0.5), repeat=3)))


class Boxes(NamedTuple):
    """Boxes of one size: middles (n, 3), halves of sides (3,), and which parts (n, k) may be nearest."""

    middles: Array
    halves: Array
    may_be_nearest: NDArray[np.bool_]


class Measured(NamedTuple):
    """Signed distances (n,) of the middles of boxes from a thing itself and from the other one.

    may_be_nearest : (n, k), which parts of either may be nearest to points of each box: its parts inherit it
    """

    own: Array
    other: Array
    may_be_nearest: NDArray[np.bool_]


# Who measures boxes, given their half-diagonal.
Measure = Callable[[Boxes, float], Measured]


def whole_box(corners: Array, n_parts: int) -> tuple[Boxes, float]:
    """One box around points (n, 3), and what rounding may hide of distances there."""
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    slack = ROUNDING * float(np.linalg.norm(upper - lower) + np.abs(corners).max())
    middle, halves = 0.5 * (lower + upper)[np.newaxis], 0.5 * (upper - lower) + slack
    return Boxes(middle, halves, np.ones((1, n_parts), np.bool_)), slack


def farthest_in_boxes(measure: Measure, boxes: Boxes, tolerance: float, slack: float) -> float:
    """How far points of a thing in some boxes are from the other thing, at most."""
    least, most, looked_at = 0.0, 0.0, 0
    while len(boxes.middles) > 0:
        r = float(np.linalg.norm(boxes.halves)) + slack
        own, other, may_be_nearest = measure(boxes, r)
        least = max(least, float(other[own <= -slack].max(initial=0.0)) - slack)
        bounds, enough = np.where(own > r, 0.0, other + r), least + NEARNESS * max(tolerance, least)
        is_open, looked_at = bounds > enough, looked_at + len(bounds)
        if looked_at + len(OCTANTS) * np.count_nonzero(is_open) > MOST_BOXES:
            return max(most, float(bounds.max()))
        most = max(most, float(bounds[~is_open].max(initial=0.0)))
        boxes = _taken_apart(boxes, may_be_nearest, np.flatnonzero(is_open))
    return most


def _taken_apart(boxes: Boxes, may_be_nearest: NDArray[np.bool_], which: NDArray[np.intp]) -> Boxes:
    """Eight parts of each of some boxes."""
    middles = boxes.middles[which, np.newaxis] + OCTANTS * boxes.halves
    owned = np.repeat(may_be_nearest[which], len(OCTANTS), axis=0)
    return Boxes(middles.reshape(-1, 3), 0.5 * boxes.halves, owned)
