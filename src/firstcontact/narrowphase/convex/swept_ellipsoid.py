"""Balls and ellipsoids that move straight on: when they meet a triangle, in closed form.

In units of its own axes an ellipsoid is a ball of radius 1, whose center meets what is within that radius of
the triangle: first its plane, on the way to which nothing else can be met; or the cylinder around an edge, or
the ball around a corner. These are a linear equation and six quadratic ones.

Times are found to rounding and are not bounds of anything. Who needs a proof checks the gap at that time.
"""

from math import sqrt

import numpy as np

from firstcontact._jit import kernel
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, norm, scale, sub

NEVER = np.inf


@kernel
def swept_point_ball(w: Vec3, v: Vec3, radius: float) -> float:
    """Time at which a point at w, which moves by v, gets into a ball around the origin; NEVER if not.

    What is in the ball, or goes away from it, does not get in.
    """
    return _entry(dot(v, v), dot(w, v), dot(w, w) - radius * radius)


@kernel
def _entry(a: float, b: float, c: float) -> float:
    """Smaller root of ``a t^2 + 2 b t + c`` where that is positive now and falls; else NEVER."""
    discriminant = b * b - a * c
    if not (c > 0.0 and b < 0.0 and discriminant >= 0.0):
        return NEVER
    return c / (sqrt(discriminant) - b)  # no cancellation


@kernel
def swept_ball_triangle(v: Vec3, radius: float, t: Triangle) -> tuple[float, Vec3]:
    """Time at which a ball around the origin, which moves by v, meets a triangle, and the point where.

    NEVER where it does not; nothing is said of a ball that meets it from the start.
    """
    e, f = sub(t[1], t[0]), sub(t[2], t[0])
    normal = cross(e, f)
    size = norm(normal)
    height, speed = dot(t[0], normal), dot(v, normal)
    if height < 0.0:
        height, speed, size = -height, -speed, -size
    time = (height - radius * abs(size)) / speed if speed > 0.0 else -1.0
    if time >= 0.0:
        # The ball's first point on the plane.
        p = add(scale(time, v), scale(radius / size, normal))
        if _is_above(p, t, normal):
            return time, p
    best, point = NEVER, t[0]
    for i in range(3):
        p, q = t[i], t[(i + 1) % 3]
        time = swept_point_ball(p, scale(-1.0, v), radius)
        if time < best:
            best, point = time, p
        time, along = _swept_ball_edge(v, radius, p, sub(q, p))
        if time < best:
            best, point = time, add(p, scale(along, sub(q, p)))
    return best, point


@kernel
def _is_above(p: Vec3, t: Triangle, normal: Vec3) -> bool:
    """Is a point above a triangle, or below it?"""
    a, b, c = sub(t[0], p), sub(t[1], p), sub(t[2], p)
    u, v, w = dot(cross(a, b), normal), dot(cross(b, c), normal), dot(cross(c, a), normal)
    return u >= 0.0 and v >= 0.0 and w >= 0.0 and u + v + w > 0.0


@kernel
def _swept_ball_edge(v: Vec3, radius: float, p: Vec3, e: Vec3) -> tuple[float, float]:
    """Time at which a ball around the origin, which moves by v, meets the edge e from p, and where on it."""
    length_squared = dot(e, e)
    if not length_squared > 0.0:
        return NEVER, 0.0
    share_p, share_v = dot(p, e) / length_squared, dot(v, e) / length_squared
    # What counts is at right angles to the edge.
    w, across = sub(p, scale(share_p, e)), sub(v, scale(share_v, e))
    time = swept_point_ball(w, scale(-1.0, across), radius)
    along = time * share_v - share_p
    return (time, along) if time < NEVER and 0.0 <= along <= 1.0 else (NEVER, 0.0)


@kernel
def swept_ellipsoid_triangle(v: Vec3, radii: Vec3, t: Triangle) -> tuple[float, Vec3]:
    """Time at which an ellipsoid around the origin, which moves by v, meets a triangle, and its normal there.

    The normal is outward, not of unit length. NEVER as for `swept_ball_triangle`.
    """
    scales = 1.0 / radii[0], 1.0 / radii[1], 1.0 / radii[2]
    w = _stretched(v, scales)
    corners = _stretched(t[0], scales), _stretched(t[1], scales), _stretched(t[2], scales)
    time, point = swept_ball_triangle(w, 1.0, corners)
    if time == NEVER:
        return NEVER, v
    # Directions at right angles to a surface shrink where what lies on it grows.
    return time, _stretched(sub(point, scale(time, w)), scales)


@kernel
def _stretched(p: Vec3, scales: Vec3) -> Vec3:
    return p[0] * scales[0], p[1] * scales[1], p[2] * scales[2]
