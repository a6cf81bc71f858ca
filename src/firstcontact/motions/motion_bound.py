"""Directed motion bounds: how far a convex set can travel along a direction, and so how long a gap lasts.

A point at r from the axis of a turn of rate w has, along a fixed unit vector n, the velocity w c . r with
c = n x axis, and an acceleration of at most w^2 |c| times its distance from the axis. Over a time s from now
on it gains at most

    s w (c . r) + s^2 w^2 |c| distance / 2,    and at most    s w |c| distance.

The second is that of Lemmas 1 and 2 of Tang, Kim, Manocha, "C2A: controlled conservative advancement", 2009,
but for the sign of the translation, which counts here. The distance of a volume is that of its center and
its reach, or in Lemma 1 that of its farthest corner and its radius: `rigid.mesh_steps` takes the smaller, and
`rigid.lemma_steps` has both lemmas as published. The first knows how the set moves now. It is exact to first
order: close to contact, steps converge as those of Newton's method.

However long it turns, a point stays on its circle: its shadow on n never lies beyond (n . axis) (r . axis)
+ |c| distance. What spins next to another thing without reaching it never does.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, cross, dot, norm

FOREVER = np.inf

# Rounding of where a set is on its circles, in units of their size.
ON_CIRCLE = 16.0 * UNIT_ROUNDOFF

# A step is shortened by this part of it, to make up for the rounding of the last operations.
SHORTENED = 1.0 - 2.0**-48


class Travel(NamedTuple):
    """Bounds of the travel along a direction over a time s: ``s now + s^2 bend``, and ``s most``."""

    now: float
    most: float
    bend: float


@kernel
def turning_travel(support: float, cosine: float, rate: float, distance: float) -> Travel:
    """Travel of a set that turns.

    support : largest c . r of its points, for c = n x axis and r from the axis
    cosine : length of c
    distance : of its farthest point from the axis
    """
    most = rate * cosine * distance
    return Travel(rate * support, most, 0.5 * rate * most)


@kernel
def farthest_shadow(r: Vec3, n: Vec3, axis: Vec3) -> float:
    """How far along n turning can take a point, seen from a point of the axis, however long it lasts.

    Convex in r, so that a hull gets no farther than its corners, and a ball around r by its radius.
    """
    distance = distance_from_axis(r, axis)
    return dot(n, axis) * dot(r, axis) + norm(cross(n, axis)) * distance + ON_CIRCLE * norm(r)


@kernel
def distance_from_axis(r: Vec3, axis: Vec3) -> float:
    """Distance of a point, seen from a point of the axis, from the axis."""
    return norm(cross(r, axis))


@kernel
def lasting_time(gap: float, travel: Travel) -> float:
    """Return a time in which a gap cannot be travelled; FOREVER where none is long enough."""
    if not gap > 0.0:
        return 0.0
    if not travel.most > 0.0:
        return FOREVER
    now, bend = travel.now, travel.bend
    root = sqrt(now * now + 4.0 * bend * gap)
    bent = (root - now) / (2.0 * bend) if bend > 0.0 else FOREVER
    if now > 0.0:  # the same root, without cancellation
        bent = 2.0 * gap / (now + root)
    return SHORTENED * max(bent, gap / travel.most)


@kernel
def straight_time(gap: float, speed: float) -> float:
    """Return a time in which a gap cannot be travelled at a speed; FOREVER where there is none."""
    if not gap > 0.0:
        return 0.0
    return SHORTENED * (gap / speed) if speed > 0.0 else FOREVER
