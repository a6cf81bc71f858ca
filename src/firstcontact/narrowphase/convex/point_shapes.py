"""A point and a convex shape: how far it is from the surface, where that is closest, and the normal there.

A shape is all points within a radius of its core. What is some way inside the core is as far, and the radius
more, inside the shape.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.narrowphase.convex.point_ellipsoid import closest_on_ellipsoid
from firstcontact.scalar.vec3 import Vec3, sub
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, SEGMENT, Convex

# Signed distance, closest point of the surface, outward normal.
Measured = tuple[float, Vec3, Vec3]

# What a point on the axis of a round shape, or at its middle, is moved along.
ANYWHERE = (1.0, 0.0, 0.0)


@kernel
def measure_solid(shape: Convex, p: Vec3) -> Measured:
    """Measure a shape other than a hull from p, as seen from its origin; negative inside."""
    if shape.kind == BOX:
        d, point, normal = _from_box(shape.half, p)
    elif shape.kind == CYLINDER:
        d, point, normal = _from_cylinder(shape.half, p)
    elif shape.kind == CONE:
        d, point, normal = from_cone(shape.half, p)
    elif shape.kind == ELLIPSOID:
        d, point, normal = _from_ellipsoid(shape.half, p)
    else:
        along = min(max(p[2], -shape.half[2]), shape.half[2]) if shape.kind == SEGMENT else 0.0
        d, point, normal = _away(p, (0.0, 0.0, along), ANYWHERE)
    r = shape.radius
    if r > 0.0:
        point = point[0] + r * normal[0], point[1] + r * normal[1], point[2] + r * normal[2]
    return d - r, point, normal


@kernel
def _away(p: Vec3, q: Vec3, instead: Vec3) -> Measured:
    """Distance of p from a point q, q, and the direction from there; another where they are one."""
    x, y, z = sub(p, q)
    largest = max(max(abs(x), abs(y)), abs(z))
    if not largest > 0.0:
        return 0.0, q, instead
    x, y, z = x / largest, y / largest, z / largest
    length = sqrt(x * x + y * y + z * z)
    return largest * length, q, (x / length, y / length, z / length)


@kernel
def _from_box(half: Vec3, p: Vec3) -> Measured:
    """Measure a box from p: inside, from its nearest side."""
    x = min(max(p[0], -half[0]), half[0])
    y = min(max(p[1], -half[1]), half[1])
    z = min(max(p[2], -half[2]), half[2])
    if x != p[0] or y != p[1] or z != p[2]:
        return _away(p, (x, y, z), ANYWHERE)
    dx, dy, dz = half[0] - abs(x), half[1] - abs(y), half[2] - abs(z)
    if dx <= dy and dx <= dz:
        s = 1.0 if x >= 0.0 else -1.0
        return 0.0 - dx, (s * half[0], y, z), (s, 0.0, 0.0)
    if dy <= dz:
        s = 1.0 if y >= 0.0 else -1.0
        return 0.0 - dy, (x, s * half[1], z), (0.0, s, 0.0)
    s = 1.0 if z >= 0.0 else -1.0
    return 0.0 - dz, (x, y, s * half[2]), (0.0, 0.0, s)


@kernel
def _from_cylinder(half: Vec3, p: Vec3) -> Measured:
    """Measure a cylinder around the third axis from p: inside, from its wall or an end."""
    radius, z = half[0], min(max(p[2], -half[2]), half[2])
    across, _, (ux, uy, _) = _away((p[0], p[1], 0.0), (0.0, 0.0, 0.0), ANYWHERE)
    if across > radius:
        return _away(p, (radius * ux, radius * uy, z), (ux, uy, 0.0))
    if z != p[2]:
        return _away(p, (p[0], p[1], z), ANYWHERE)
    to_wall, to_end = radius - across, half[2] - abs(z)
    if to_wall <= to_end:
        return 0.0 - to_wall, (radius * ux, radius * uy, z), (ux, uy, 0.0)
    s = 1.0 if z >= 0.0 else -1.0
    return 0.0 - to_end, (p[0], p[1], s * half[2]), (0.0, 0.0, s)


@kernel
def from_cone(half: Vec3, p: Vec3) -> Measured:
    """Measure a cone around the third axis, its apex up, from p: inside, from its side or its base."""
    radius, h = half[0], half[2]
    slant = sqrt(radius * radius + 4.0 * h * h)
    across, _, (ux, uy, _) = _away((p[0], p[1], 0.0), (0.0, 0.0, 0.0), ANYWHERE)
    # In the plane through the axis: out of the side, and along it from the apex down.
    out = across * (2.0 * h / slant) + (p[2] - h) * (radius / slant)
    along = across * (radius / slant) - (p[2] - h) * (2.0 * h / slant)
    side = 2.0 * h / slant * ux, 2.0 * h / slant * uy, radius / slant
    below = -h - p[2]
    if below > 0.0 and across <= radius:
        return below, (p[0], p[1], -h), (0.0, 0.0, -1.0)
    if below > 0.0 or (out > 0.0 and along >= slant):
        return _away(p, (radius * ux, radius * uy, -h), side)
    if out > 0.0 and along <= 0.0:
        return _away(p, (0.0, 0.0, h), side)
    if below >= out:
        return below, (p[0], p[1], -h), (0.0, 0.0, -1.0)
    return out, (p[0] - out * side[0], p[1] - out * side[1], p[2] - out * side[2]), side


@kernel
def _from_ellipsoid(e: Vec3, p: Vec3) -> Measured:
    """Measure an ellipsoid from p."""
    q = closest_on_ellipsoid(e, p)
    unit = min(min(e[0], e[1]), e[2])
    out = (q[0] / e[0]) * (unit / e[0]), (q[1] / e[1]) * (unit / e[1]), (q[2] / e[2]) * (unit / e[2])
    normal = _away(out, (0.0, 0.0, 0.0), ANYWHERE)[2]
    d = _away(p, q, normal)[0]
    x, y, z = p[0] / e[0], p[1] / e[1], p[2] / e[2]
    is_inside = x * x + y * y + z * z < 1.0
    return -d if is_inside and d > 0.0 else d, q, normal
