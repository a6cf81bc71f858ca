"""Two boxes along the 15 directions that tell: the axes of each, and those normal to an axis of each.

If the boxes are apart, one of them shows a gap; if not, the one along which they overlap least is their
shortest way out of each other (Gottschalk, Lin, Manocha, 1996).
"""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.convex.difference import CorePair, Escape, placed, size_of
from firstcontact.narrowphase.convex.gjk import CLOSED
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import Mat3, mat_vec
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub


class Axis(NamedTuple):
    """A direction: an axis of a, of b, or normal to both, -1 for none; and how far boxes overlap along it."""

    of_a: int
    of_b: int
    overlap: float


@kernel
def escape_box_box(pair: CorePair) -> Escape:
    """Find the shortest way out of two boxes; a depth below zero, of no meaning, where they are apart."""
    rounding = CLOSED * size_of(pair) + SHORTEST
    axis = least_overlap(pair.a.half, pair.b.half, pair.frame.rotation, pair.frame.offset, rounding)
    n = _direction(axis, pair.frame.rotation)
    if axis.overlap < -rounding:
        return Escape(axis.overlap, n, False, n, 1)
    if dot(n, pair.frame.offset) > 0.0:
        n = scale(-1.0, n)
    # The direction may be off a little where edges are almost parallel: the way along it is measured.
    p = placed(pair.frame, _corner(pair.a.half, mat_vec(pair.back, n)))
    q = _corner(pair.b.half, (-n[0], -n[1], -n[2]))
    depth = dot(n, sub(p, q))
    if axis.of_a >= 0 and axis.of_b >= 0:
        side = _axis(pair.frame.rotation, axis.of_a)
        e, f = (axis.of_b + 1) % 3, (axis.of_b + 2) % 3
        v = sub(sub(p, q), scale(depth, n))
        along = -(v[e] * side[e] + v[f] * side[f]) / (side[e] * side[e] + side[f] * side[f])
        return Escape(depth, n, True, add(p, scale(along, side)), 1)
    # A corner of one on a face of the other, unless an edge or a face is parallel to it.
    if axis.of_a >= 0:
        return Escape(depth, n, _is_corner(pair.b.half, n, rounding), add(q, scale(depth, n)), 1)
    return Escape(depth, n, _is_corner(pair.a.half, mat_vec(pair.back, n), rounding), p, 1)


@kernel
def least_overlap(half_a: Vec3, half_b: Vec3, m: Mat3, t: Vec3, rounding: float) -> Axis:
    """Direction along which boxes overlap least, or the first that shows a gap wider than rounding.

    m, t : box a is turned by m and its middle is at t, as seen from b
    """
    best = Axis(-1, -1, INFINITY)
    for k in range(3):
        reach = half_a[0] * abs(m[3 * k]) + half_a[1] * abs(m[3 * k + 1]) + half_a[2] * abs(m[3 * k + 2])
        overlap = half_b[k] + reach - abs(t[k])
        if overlap < best.overlap:
            best = Axis(-1, k, overlap)
        reach = half_b[0] * abs(m[k]) + half_b[1] * abs(m[3 + k]) + half_b[2] * abs(m[6 + k])
        overlap = half_a[k] + reach - abs(t[0] * m[k] + t[1] * m[3 + k] + t[2] * m[6 + k])
        # Of directions that are equal but for rounding, the first.
        if overlap < best.overlap - rounding:
            best = Axis(k, -1, overlap)
        if best.overlap < -rounding:
            return best
    for j in range(3):
        j1, j2 = (j + 1) % 3, (j + 2) % 3
        for k in range(3):
            k1, k2 = (k + 1) % 3, (k + 2) % 3
            y, z = m[3 * k1 + j], m[3 * k2 + j]
            reach = half_a[j1] * abs(m[3 * k + j2]) + half_a[j2] * abs(m[3 * k + j1])
            reach += half_b[k1] * abs(z) + half_b[k2] * abs(y)
            # Not yet divided by the direction's length, it is right to rounding.
            overlap, length = reach - abs(t[k2] * y - t[k1] * z) + rounding, sqrt(y * y + z * z)
            if overlap < 0.0:
                return Axis(j, k, -INFINITY)
            if overlap + rounding < best.overlap * length:
                best = Axis(j, k, overlap / length)
    return best


@kernel
def _direction(axis: Axis, m: Mat3) -> Vec3:
    """Unit vector of an axis."""
    if axis.of_a < 0:
        return 1.0 if axis.of_b == 0 else 0.0, 1.0 if axis.of_b == 1 else 0.0, 1.0 if axis.of_b == 2 else 0.0
    v = _axis(m, axis.of_a)
    if axis.of_b == 0:
        v = 0.0, v[2], -v[1]
    elif axis.of_b == 1:
        v = -v[2], 0.0, v[0]
    elif axis.of_b == 2:
        v = v[1], -v[0], 0.0
    return scale(1.0 / norm(v), v)


@kernel
def _axis(m: Mat3, j: int) -> Vec3:
    return m[j], m[3 + j], m[6 + j]


@kernel
def _corner(half: Vec3, d: Vec3) -> Vec3:
    """Corner of a box that is farthest along d."""
    x, y, z = half
    return x if d[0] >= 0.0 else -x, y if d[1] >= 0.0 else -y, z if d[2] >= 0.0 else -z


@kernel
def _is_corner(half: Vec3, n: Vec3, rounding: float) -> bool:
    """Is a single corner of a box farthest along a direction, beyond rounding?"""
    least = min(min(half[0] * abs(n[0]), half[1] * abs(n[1])), half[2] * abs(n[2]))
    return least > rounding
