"""Signed distances of the cores of convex shapes, with their gradients: closed forms."""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.narrowphase.convex.point_shapes import from_cone
from firstcontact.scalar.vec3 import Vec3, norm, scale
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, SEGMENT

# Halvings of an interval of parameters: as many as a double has digits, and as many again for its scale.
HALVINGS = 110

# Points on a plane of symmetry of an ellipsoid are moved off it by this part of its size: there the parameter
# of the closest point is at the end of its interval. No distance changes by more than that.
OFF_PLANE = 2.0**-46


@kernel
def core_distance(kind: int, half: Vec3, p: Vec3) -> tuple[float, Vec3]:
    """Signed distance of a core at a point, and its gradient: a unit vector, also where there are many."""
    if kind == BOX:
        return _box_distance(half, p)
    if kind == CYLINDER:
        return _cylinder_distance(half, p)
    if kind == ELLIPSOID:
        return _ellipsoid_distance(half, p)
    if kind == CONE:
        found = from_cone(half, p)
        return found[0], found[2]
    z = min(max(p[2], -half[2]), half[2]) if kind == SEGMENT else 0.0
    away = p[0], p[1], p[2] - z
    distance = norm(away)
    if not distance > 0.0:
        return 0.0, (1.0, 0.0, 0.0)
    return distance, scale(1.0 / distance, away)


@kernel
def core_extent(kind: int, half: Vec3, g: Vec3) -> float:
    """How far a core reaches along a unit vector."""
    if kind == BOX:
        return half[0] * abs(g[0]) + half[1] * abs(g[1]) + half[2] * abs(g[2])
    if kind == CYLINDER:
        return half[0] * sqrt(g[0] * g[0] + g[1] * g[1]) + half[2] * abs(g[2])
    if kind == CONE:
        return max(half[2] * g[2], half[0] * sqrt(g[0] * g[0] + g[1] * g[1]) - half[2] * g[2])
    if kind == ELLIPSOID:
        return norm((half[0] * g[0], half[1] * g[1], half[2] * g[2]))
    return half[2] * abs(g[2]) if kind == SEGMENT else 0.0


@kernel
def _signed(x: float, like: float) -> float:
    return -x if like < 0.0 else x


@kernel
def _box_distance(half: Vec3, p: Vec3) -> tuple[float, Vec3]:
    x, y, z = abs(p[0]) - half[0], abs(p[1]) - half[1], abs(p[2]) - half[2]
    out = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    distance = norm(out)
    if distance > 0.0:
        part = 1.0 / distance
        g = _signed(part * out[0], p[0]), _signed(part * out[1], p[1]), _signed(part * out[2], p[2])
        return distance, g
    if x >= y and x >= z:
        return x, (_signed(1.0, p[0]), 0.0, 0.0)
    return (y, (0.0, _signed(1.0, p[1]), 0.0)) if y >= z else (z, (0.0, 0.0, _signed(1.0, p[2])))


@kernel
def _cylinder_distance(half: Vec3, p: Vec3) -> tuple[float, Vec3]:
    across = sqrt(p[0] * p[0] + p[1] * p[1])
    ux, uy = (p[0] / across, p[1] / across) if across > 0.0 else (1.0, 0.0)
    side, end = across - half[0], abs(p[2]) - half[2]
    up = _signed(1.0, p[2])
    if side <= 0.0 and end <= 0.0:
        return (side, (ux, uy, 0.0)) if side >= end else (end, (0.0, 0.0, up))
    a, b = max(side, 0.0), max(end, 0.0)
    distance = sqrt(a * a + b * b)
    return distance, (a / distance * ux, a / distance * uy, b / distance * up)


@kernel
def _ellipsoid_distance(half: Vec3, p: Vec3) -> tuple[float, Vec3]:
    """Closest point x = a^2 p / (t + a^2), by halving the interval of t in which it is on the surface."""
    a, b, c = half
    least = min(min(a, b), c)
    off = OFF_PLANE * least
    x, y, z = max(abs(p[0]), off), max(abs(p[1]), off), max(abs(p[2]), off)
    # With s = t / least^2, the sum of ((p / a) / (s r + 1))^2, r = (least / a)^2, falls from infinity to 0.
    ra, rb, rc = (least / a) ** 2, (least / b) ** 2, (least / c) ** 2
    u, v, w = x / a, y / b, z / c
    low, high = -1.0, norm((x / least * (a / least), y / least * (b / least), z / least * (c / least)))
    for _ in range(HALVINGS):
        s = 0.5 * (low + high)
        if (u / (s * ra + 1.0)) ** 2 + (v / (s * rb + 1.0)) ** 2 + (w / (s * rc + 1.0)) ** 2 > 1.0:
            low = s
        else:
            high = s
    q = x / (high * ra + 1.0), y / (high * rb + 1.0), z / (high * rc + 1.0)
    n = q[0] / (a * a), q[1] / (b * b), q[2] / (c * c)
    length = norm(n)
    distance = norm((x - q[0], y - q[1], z - q[2]))
    is_inside = u * u + v * v + w * w < 1.0
    g = _signed(n[0] / length, p[0]), _signed(n[1] / length, p[1]), _signed(n[2] / length, p[2])
    return -distance if is_inside else distance, g
