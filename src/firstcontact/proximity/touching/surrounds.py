"""Is a point inside a closed mesh? By the triangles that a segment from it to the outside passes through.

How often the surface winds around the point is how often the segment passes through it outwards, less how
often inwards. A tree finds the few triangles that are near the segment. Each of them is passed for certain,
or is not for certain; where rounding leaves that open, as close to an edge, another segment is tried, and in
the end the solid angles of all triangles are summed up.
"""

from math import atan2, frexp, ldexp, pi

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import Volume
from firstcontact.narrowphase.triangles.piercing import sure_volume_sign
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, norm, scale, sub

# What is added to the way from the body's origin to a point, in units of the reach: a segment that goes on
# there leaves the body soon, and not along an axis, or through an edge, as those of symmetric things would.
TILTS = ((0.0379, 0.0613, 0.0457), (-0.2791, 0.1123, 0.1877), (0.1709, -0.3307, 0.2141))

# A way that is shorter than this, in the same units, is none: the tilt has undone it.
NO_WAY = 2.0**-7

# How long segments are, in units of the reach: from anywhere in the body, they end outside.
LENGTH = 2.5

# Volumes that are so near a segment, in units of the reach, may meet it: some thousand roundings.
NEAR = 2.0**-40

# In place of a direction, where rounding decides whether a triangle is passed.
UNSURE = 2

# A denormal times two to this is far from one.
LARGEST_EXPONENT = 1000


@kernel
def surrounds(mesh: WideBody, point: Vec3, stack: NodeStack) -> bool:
    """Does a closed mesh wind around a point, seen from its origin? On the surface it may be either."""
    return surrounds_beyond(mesh, point, stack, int(np.int64(0)))


@kernel
def surrounds_beyond(mesh: WideBody, point: Vec3, stack: NodeStack, first: int) -> bool:
    """The same, where so many places of the stack are taken."""
    if len(mesh.triangles) == 0 or norm(point) > mesh.reach:
        return False
    for tilt in TILTS:
        x, y, z = point[0] / mesh.reach, point[1] / mesh.reach, point[2] / mesh.reach
        way = add((x, y, z), tilt)
        length = norm(way)
        if mesh.reach > 0.0 and length > NO_WAY:
            turns, is_sure = _turns_along(mesh, point, scale(1.0 / length, way), stack, first)
            if is_sure:
                return turns != 0
    return winds_around(mesh.triangles, mesh.reach, point)


@kernel
def _turns_along(mesh: WideBody, start: Vec3, way: Vec3, stack: NodeStack, first: int) -> tuple[int, bool]:
    """How often a surface winds around the start of a segment along a unit vector; is that certain?"""
    around, near = _segment(start, way, LENGTH * mesh.reach), NEAR * mesh.reach
    end = add(start, scale(LENGTH * mesh.reach, way))
    waiting, measured, turns, n = stack.waiting, stack.measured, 0, first + 1
    waiting[first] = 0
    while n > first:
        n -= 1
        block = mesh.blocks_of[waiting[n]]
        if block < 0:
            passed = passes(start, end, triangle_of(mesh.triangles, ~block))
            if passed == UNSURE:
                return 0, False
            turns += passed
            continue
        measure_block(around, mesh.blocks[block], measured)
        for k in range(WIDTH):
            if not measured[k] > near:
                waiting[n] = mesh.nodes[block, k]
                n += 1
    return turns, True


@kernel
def _segment(start: Vec3, way: Vec3, length: float) -> Volume:
    """A segment along a unit vector, as a volume without a radius."""
    x, y, z = abs(way[0]), abs(way[1]), abs(way[2])
    axis = (1.0, 0.0, 0.0) if x <= min(y, z) else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    across = cross(way, axis)
    across = scale(1.0 / norm(across), across)
    half = 0.5 * length
    return Volume(add(start, scale(half, way)), way, across, cross(way, across), half, 0.0, 0.0, half)


@kernel
def passes(p: Vec3, q: Vec3, t: Triangle) -> int:
    """Does the segment from p to q pass through a triangle: 1 out of its front, -1 into it, 0 not at all?

    UNSURE where rounding may hide it.
    """
    n_left, n_right = 0, 0
    for i in range(3):
        sign = sure_volume_sign(p, q, t[i], t[(i + 1) % 3])
        n_left += sign > 0
        n_right += sign < 0
    if n_left > 0 and n_right > 0:
        return 0
    sides = sure_volume_sign(t[0], t[1], t[2], p) * sure_volume_sign(t[0], t[1], t[2], q)
    if sides > 0:
        return 0
    if sides == 0 or n_left + n_right < 3:
        return UNSURE
    return 1 if n_right > 0 else -1


@kernel
def winds_around(triangles: Array, reach: float, point: Vec3) -> bool:
    """Do the triangles (n, 9) of a closed body of this reach wind around a point? Seen from its origin."""
    if norm(point) > reach:
        return False
    # In units of the body's size, products of three lengths neither overflow nor underflow.
    factor = ldexp(1.0, min(-frexp(reach)[1], LARGEST_EXPONENT))
    angle = 0.0
    for i in range(len(triangles)):
        a, b, c = triangle_of(triangles, i)
        x, y, z = scale(factor, sub(a, point)), scale(factor, sub(b, point)), scale(factor, sub(c, point))
        angle += _half_solid_angle(x, y, z)
    # One turn is 4 pi of solid angle; the sum is a whole number of them, but for rounding.
    return abs(angle) > pi


@kernel
def _half_solid_angle(a: Vec3, b: Vec3, c: Vec3) -> float:
    """Half the solid angle of a triangle, seen from 0 (Van Oosterom and Strackee 1983)."""
    x, y, z = norm(a), norm(b), norm(c)
    return atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y)
