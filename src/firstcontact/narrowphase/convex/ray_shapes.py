"""Where a line meets convex shapes, in closed form: from entering to leaving, and the normals there.

Shapes are around the origin. A direction's largest component is one in magnitude, and sizes are near one, so
that squares neither overflow nor underflow. A point of the line is ``o + depth d``.
"""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.triangles.ray_triangle import unit
from firstcontact.scalar.vec3 import Vec3, dot, scale
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, POINT


class DepthSpan(NamedTuple):
    """Depths between which a line is inside; out of order where it never is."""

    enter: float
    leave: float


class Solid(NamedTuple):
    """A shape that is not a hull: kind, half the size of the core along each axis, the radius around it."""

    kind: int
    half: Vec3
    radius: float


@kernel
def span_solid(solid: Solid, o: Vec3, d: Vec3) -> DepthSpan:
    """Where is a line inside a shape?"""
    kind, half, radius = solid
    if kind == POINT:
        return span_ball(o, d, radius)
    if kind == ELLIPSOID:
        return span_ellipsoid(o, d, half)
    along = span_slab(o[2], d[2], half[2])
    if kind == BOX:
        return _common(_common(span_slab(o[0], d[0], half[0]), span_slab(o[1], d[1], half[1])), along)
    if kind == CYLINDER:
        return _common(span_ball((o[0], o[1], 0.0), (d[0], d[1], 0.0), half[0]), along)
    if kind == CONE:
        return _common(span_cone(o, d, half), along)
    # The capsule: its side and its two ends, which together are convex.
    side = _common(span_ball((o[0], o[1], 0.0), (d[0], d[1], 0.0), radius), along)
    low = span_ball((o[0], o[1], o[2] + half[2]), d, radius)
    high = span_ball((o[0], o[1], o[2] - half[2]), d, radius)
    return _united(side, _united(low, high))


@kernel
def span_ball(o: Vec3, d: Vec3, radius: float) -> DepthSpan:
    """Where is a line inside a ball? Without a third component, inside a disc.

    Of the roots of t**2 - 2 b t + c the one nearer to 0 is c over the other: from a start on the surface, it
    is 0 exactly. Half their distance is that of the line's middle from the surface. A line through a point
    inside has roots, whatever rounding says.
    """
    square, distance = dot(d, d), sqrt(dot(o, o))
    if square == 0.0:
        return DepthSpan(-INFINITY, INFINITY) if distance <= radius else DepthSpan(INFINITY, -INFINITY)
    b = -dot(o, d) / square
    c = (distance - radius) * ((distance + radius) / square)
    foot = o[0] + b * d[0], o[1] + b * d[1], o[2] + b * d[2]
    gap = sqrt(dot(foot, foot))
    inside = (radius - gap) * (radius + gap)
    if inside < 0.0 and distance > radius:
        return DepthSpan(INFINITY, -INFINITY)
    h = sqrt(max(inside, 0.0) / square)
    far = b + h if b > 0.0 else b - h
    near = c / far if h > 0.0 else far  # a line that touches does so at one depth
    return DepthSpan(min(near, far), max(near, far))


@kernel
def span_capsule(o: Vec3, d: Vec3, axis: Vec3, radius: float) -> DepthSpan:
    """Where is a line within a radius of the segment from 0 along an axis, which may have no length?"""
    length = sqrt(dot(axis, axis))
    low = span_ball(o, d, radius)
    if length == 0.0:
        return low
    u = axis[0] / length, axis[1] / length, axis[2] / length
    x, y = dot(o, u), dot(d, u)
    across = d[0] - y * u[0], d[1] - y * u[1], d[2] - y * u[2]
    start = o[0] - x * u[0], o[1] - x * u[1], o[2] - x * u[2]
    side = _common(span_ball(start, across, radius), span_slab(x - 0.5 * length, y, 0.5 * length))
    high = span_ball((o[0] - axis[0], o[1] - axis[1], o[2] - axis[2]), d, radius)
    return _united(side, _united(low, high))


@kernel
def span_ellipsoid(o: Vec3, d: Vec3, radii: Vec3) -> DepthSpan:
    """Where is a line inside an ellipsoid? In space stretched to make it the unit ball."""
    x, y, z = d[0] / radii[0], d[1] / radii[1], d[2] / radii[2]
    speed = max(max(abs(x), abs(y)), abs(z))
    start = o[0] / radii[0], o[1] / radii[1], o[2] / radii[2]
    span = span_ball(start, (x / speed, y / speed, z / speed), 1.0)
    return DepthSpan(span.enter / speed, span.leave / speed)


@kernel
def span_cone(o: Vec3, d: Vec3, half: Vec3) -> DepthSpan:
    """Where is a line inside a cone that goes on below its base for ever? Its apex is half a height up.

    With u, a the start across and along the axis, as seen from the apex, v, b the direction, and k the slope,
    inside is where u u - k^2 a^2, along the line, is not positive: a quadratic whose discriminant is a
    difference of squares, as its ends are. Where the line is steeper than the side, it is inside both the
    cone and the one above the apex, for ever; the one above does not count.
    """
    slope, a = half[0] / (2.0 * half[2]), o[2] - half[2]
    around, sideways = sqrt(o[0] * o[0] + o[1] * o[1]), sqrt(d[0] * d[0] + d[1] * d[1])
    deep, rise = slope * abs(a), slope * abs(d[2])
    x, y = slope * (a * d[0] - d[2] * o[0]), slope * (a * d[1] - d[2] * o[1])
    w, turn = sqrt(x * x + y * y), abs(o[0] * d[1] - o[1] * d[0])
    is_inside = a <= 0.0 and around <= deep
    if w < turn and sideways > rise and not is_inside:
        return DepthSpan(INFINITY, -INFINITY)
    square, constant = (sideways - rise) * (sideways + rise), (around - deep) * (around + deep)
    b = slope * slope * a * d[2] - (o[0] * d[0] + o[1] * d[1])
    root = sqrt(max((w - turn) * (w + turn), 0.0))
    far = b + root if b >= 0.0 else b - root
    first = constant / far if far != 0.0 else 0.0
    if square == 0.0:
        # Along the side: the line has one end, which on the side itself is the apex.
        end, is_down = (first if b != 0.0 else -a / d[2]), d[2] < 0.0
        if b != 0.0 and (b > 0.0) != is_down:
            return DepthSpan(INFINITY, -INFINITY)
        return DepthSpan(end, INFINITY) if is_down else DepthSpan(-INFINITY, end)
    last = far / square
    low, high = min(first, last), max(first, last)
    if square > 0.0:
        is_below = a + 0.5 * (low + high) * d[2] <= 0.0
        return DepthSpan(low, high) if is_below or is_inside else DepthSpan(INFINITY, -INFINITY)
    return DepthSpan(high, INFINITY) if d[2] < 0.0 else DepthSpan(-INFINITY, low)


@kernel
def span_slab(o: float, d: float, half: float) -> DepthSpan:
    """Where is a coordinate within half a size of 0?"""
    if d == 0.0:
        return DepthSpan(-INFINITY, INFINITY) if abs(o) <= half else DepthSpan(INFINITY, -INFINITY)
    low, high = (-half - o) / d, (half - o) / d
    return DepthSpan(min(low, high), max(low, high))


@kernel
def _common(a: DepthSpan, b: DepthSpan) -> DepthSpan:
    return DepthSpan(max(a.enter, b.enter), min(a.leave, b.leave))


@kernel
def _united(a: DepthSpan, b: DepthSpan) -> DepthSpan:
    """Hull of two spans, of which those that are out of order count for nothing."""
    if a.enter > a.leave:
        return b
    if b.enter > b.leave:
        return a
    return DepthSpan(min(a.enter, b.enter), max(a.leave, b.leave))


@kernel
def normal_solid(solid: Solid, p: Vec3, d: Vec3, outwards: float) -> Vec3:
    """Unit normal at a point of the surface where a line enters, or leaves if `outwards` is 1, else -1.

    Of a flat side, the direction tells its sign: a thin shape's point may be on either side, by rounding.
    """
    kind, half, _ = solid
    if kind == POINT:
        return unit(p)
    if kind == ELLIPSOID:
        q = p[0] / half[0], p[1] / half[1], p[2] / half[2]
        least = min(min(half[0], half[1]), half[2])
        return unit((q[0] * (least / half[0]), q[1] * (least / half[1]), q[2] * (least / half[2])))
    if kind == BOX:
        x, y, z = abs(p[0]) - half[0], abs(p[1]) - half[1], abs(p[2]) - half[2]
        if x >= y and x >= z:
            return _sign(p[0], outwards * d[0]), 0.0, 0.0
        if y >= z:
            return 0.0, _sign(p[1], outwards * d[1]), 0.0
        return 0.0, 0.0, _sign(p[2], outwards * d[2])
    if kind == CYLINDER:
        if abs(p[2]) - half[2] >= sqrt(p[0] * p[0] + p[1] * p[1]) - half[0]:
            return 0.0, 0.0, _sign(p[2], outwards * d[2])
        return unit((p[0], p[1], 0.0))
    if kind == CONE:
        return _normal_cone(half, p, scale(outwards, d))
    return unit((p[0], p[1], p[2] - max(min(p[2], half[2]), -half[2])))


@kernel
def _normal_cone(half: Vec3, p: Vec3, along: Vec3) -> Vec3:
    """Outward normal of the base or the side of a cone, whichever is nearer and not against a direction."""
    around, slant = sqrt(p[0] * p[0] + p[1] * p[1]), sqrt(half[0] * half[0] + 4.0 * half[2] * half[2])
    across, up = 2.0 * half[2] / slant, half[0] / slant
    x, y = (p[0] / around, p[1] / around) if around > 0.0 else (0.0, 0.0)
    side = (across * x, across * y, up) if around > 0.0 else (0.0, 0.0, 1.0)
    is_base = -half[2] - p[2] >= around * across + (p[2] - half[2]) * up
    if (is_base and along[2] <= 0.0) or dot(side, along) < 0.0:
        return 0.0, 0.0, -1.0
    return side


@kernel
def _sign(p: float, along: float) -> float:
    """Sign of the second number; where it is zero, of the first."""
    x = along if along != 0.0 else p
    return 1.0 if x >= 0.0 else -1.0
