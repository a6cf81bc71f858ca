"""What compiled code asks of the core of a convex shape, whatever its kind."""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, HULL, POINT, SEGMENT, Convex


@kernel
def support(shape: Convex, pool: Array, d: Vec3) -> Vec3:
    """Return a point of the core that is farthest along d, which may have any length."""
    # The pool is looked at here and handed on to no other function: references to it would be counted, which
    # takes ten times as long as a box does. For the same reason loops call this function themselves.
    x, y, z = shape.half
    if shape.kind == BOX:
        return x if d[0] >= 0.0 else -x, y if d[1] >= 0.0 else -y, z if d[2] >= 0.0 else -z
    if shape.kind == HULL:
        first, last = shape.first, shape.first + 3 * shape.n_points
        if shape.n_cells > 0:
            cell = shape.first + cell_of(d, shape.n_cells)
            first, last = shape.first + int(pool[cell]), shape.first + int(pool[cell + 1])
        best, farthest = first, -INFINITY
        for i in range(first, last, 3):
            along = pool[i] * d[0] + pool[i + 1] * d[1] + pool[i + 2] * d[2]
            if along > farthest:
                best, farthest = i, along
        return pool[best], pool[best + 1], pool[best + 2]
    if shape.kind == SEGMENT:
        return 0.0, 0.0, z if d[2] >= 0.0 else -z
    if shape.kind == CYLINDER:
        across = sqrt(d[0] * d[0] + d[1] * d[1])
        part = x / across if across > 0.0 else 0.0
        return part * d[0], part * d[1], z if d[2] >= 0.0 else -z
    if shape.kind == CONE:
        across = sqrt(d[0] * d[0] + d[1] * d[1])
        if 2.0 * z * d[2] >= x * across:
            return 0.0, 0.0, z
        part = x / across if across > 0.0 else 0.0
        return part * d[0], part * d[1], -z
    if shape.kind == ELLIPSOID:
        p = x * d[0], y * d[1], z * d[2]
        length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
        part = 1.0 / length if length > 0.0 else 0.0
        return part * x * p[0], part * y * p[1], part * z * p[2]
    return 0.0, 0.0, 0.0


@kernel
def cell_of(d: Vec3, n_cells: int) -> int:
    """Cell of a direction among those of a cube with `n_cells` along a side: 6 sides, two axes each."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    axis, largest, u, v = 2, d[2], d[0], d[1]
    if x >= y and x >= z:
        axis, largest, u, v = 0, d[0], d[1], d[2]
    elif y >= z:
        axis, largest, u, v = 1, d[1], d[2], d[0]
    if largest == 0.0:
        return 0
    side = 2 * axis + (1 if largest < 0.0 else 0)
    half, last = 0.5 * n_cells, n_cells - 1
    i, j = int((u / abs(largest) + 1.0) * half), int((v / abs(largest) + 1.0) * half)
    return (side * n_cells + min(i, last)) * n_cells + min(j, last)


@kernel
def half_extent(shape: Convex, x: float, y: float, z: float) -> float:
    """How far the core reaches from its origin along a unit vector, either way; of a hull, a bound of it."""
    a, b, c = shape.half
    if shape.kind == POINT:
        return 0.0
    if shape.kind == SEGMENT:
        return c * abs(z)
    if shape.kind == CYLINDER or shape.kind == CONE:  # of the cone, what its base does where it looks down
        return a * sqrt(x * x + y * y) + c * abs(z)
    if shape.kind == ELLIPSOID:
        return sqrt((a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2)
    return min(a * abs(x) + b * abs(y) + c * abs(z), shape.reach)


@kernel
def is_polytope(shape: Convex) -> bool:
    """Is the core the hull of some points?"""
    return not (shape.kind == CYLINDER or shape.kind == ELLIPSOID or shape.kind == CONE)
