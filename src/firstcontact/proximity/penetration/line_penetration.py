"""How far two patches of surface overlap on any one line along a direction.

When one has been moved as far, they touch at most: no line meets a after b. They may bend around each other,
as a ball in a bowl does, when no plane parts them.
"""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.narrowphase.triangles.closest_points import plane_weights
from firstcontact.proximity.penetration.plane_penetration import point_of
from firstcontact.proximity.touching.contact_direction import FLAT, NOWHERE, normal_of, unit
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, scale, sub

NAN = np.nan

# Two points on one line, a's above b's by the first number.
Lift = tuple[float, Vec3, Vec3]

# Part of a triangle, or of an edge, by which a line may pass beside it: rounding must not let one through
# between two.
BESIDE = 2.0**-40


@driver
def thickest(a: Array, b: Array, d: Vec3) -> Lift:
    """Find where triangles (n, 9) overlap most along d, by a number below zero where no line meets both."""
    return _thickest(a, b, d, INFINITY, (np.empty((len(a), 4)), np.empty((len(b), 4))))


@driver
def least_thickness(
    a: Array, b: Array, inside_a: Array, inside_b: Array, directions: Array
) -> tuple[float, Vec3]:
    """Find the direction, of some (n, 3), along which triangles (n, 9) overlap least; infinite if none does.

    Along it, points of either body that are inside the other must see the other's triangles: else these are
    cut off there, and more of the bodies overlaps.
    """
    best, direction = INFINITY, NOWHERE
    shadows = np.empty((len(a), 4)), np.empty((len(b), 4))
    for i in range(len(directions)):
        d = point_of(directions, i)
        if d != NOWHERE and _do_see(inside_b, a, d) and _do_see(inside_a, b, scale(-1.0, d)):
            found = _thickest(a, b, d, best, shadows)[0]
            if 0.0 <= found < best:
                best, direction = found, d
    return best, direction


def normals_of(a: Array, b: Array, most: int) -> Array:
    """Directions from a to b, at most so many, that undo an overlap of triangles (n, 9) if any does.

    The mean of all normals, of b's against b, and then those themselves, evenly chosen, both ways.
    """
    triangles = np.concatenate([a, b]).reshape(-1, 3, 3)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    mean = normals[: len(a)].sum(axis=0) - normals[len(a) :].sum(axis=0)
    mean /= float(np.linalg.norm(mean)) or 1.0
    some = normals[:: -(-len(normals) // max(most // 2, 1))]
    return np.concatenate([[mean], [-mean], some, -some])


@kernel
def _do_see(points: Array, faces: Array, d: Vec3) -> bool:
    """Is there a face along d from every one of the points?"""
    for i in range(len(points)):
        does_see = False
        for j in range(len(faces)):
            if _height(point_of(points, i), triangle_of(faces, j), d) >= 0.0:
                does_see = True
                break
        if not does_see:
            return False
    return True


@kernel
def _thickest(a: Array, b: Array, d: Vec3, enough: float, shadows: tuple[Array, Array]) -> Lift:
    """As `thickest`; no more is looked at beyond what is enough. There is room for the shadows of both."""
    across = unit(cross(d, (1.0, 0.0, 0.0) if abs(d[0]) < 0.5 else (0.0, 1.0, 0.0)))
    boxes_a, boxes_b = shadows
    _cast_shadows(a, across, cross(d, across), boxes_a)
    _cast_shadows(b, across, cross(d, across), boxes_b)
    best = -INFINITY, NOWHERE, NOWHERE
    for i in range(len(a)):
        for j in range(len(b)):
            if (
                boxes_a[i, 0] <= boxes_b[j, 1]
                and boxes_b[j, 0] <= boxes_a[i, 1]
                and boxes_a[i, 2] <= boxes_b[j, 3]
                and boxes_b[j, 2] <= boxes_a[i, 3]
            ):
                best = _higher(best, triangle_of(a, i), triangle_of(b, j), d)
                if best[0] >= enough:
                    return best
    return best


@kernel
def _cast_shadows(faces: Array, x: Vec3, y: Vec3, boxes: Array) -> None:
    """Write the extents of triangles along two directions, (n, 4)."""
    for i in range(len(faces)):
        p, q, r = triangle_of(faces, i)
        px, qx, rx, py, qy, ry = dot(p, x), dot(q, x), dot(r, x), dot(p, y), dot(q, y), dot(r, y)
        boxes[i, 0], boxes[i, 1] = min(min(px, qx), rx), max(max(px, qx), rx)
        boxes[i, 2], boxes[i, 3] = min(min(py, qy), ry), max(max(py, qy), ry)


@kernel
def _higher(best: Lift, a: Triangle, b: Triangle, d: Vec3) -> Lift:
    """Return the best so far, or two points of these triangles if a's is higher above b's."""
    for _ in range(3):
        height = _height(b[0], a, d)
        if height > best[0]:
            best = height, add(b[0], scale(height, d)), b[0]
        height = -_height(a[0], b, d)
        if height > best[0]:
            best = height, a[0], add(a[0], scale(-height, d))
        for _ in range(3):
            e, f, w = sub(a[1], a[0]), sub(b[1], b[0]), sub(a[0], b[0])
            n = cross(e, f)
            slope = dot(normal_of(e, f), d)
            if abs(slope) > FLAT:
                height = dot(n, w) / dot(n, d)
                if height > best[0]:
                    w = sub(w, scale(height, d))
                    s, u = dot(cross(f, w), n) / dot(n, n), dot(cross(e, w), n) / dot(n, n)
                    if min(s, u) >= -BESIDE and max(s, u) <= 1.0 + BESIDE:
                        x = add(a[0], scale(s, e))
                        best = height, x, sub(x, scale(height, d))
            b = b[1], b[2], b[0]
        a, b = (a[1], a[2], a[0]), (b[1], b[2], b[0])
    return best


@kernel
def _height(p: Vec3, t: Triangle, d: Vec3) -> float:
    """How far along d from p the line meets a triangle; not a number where it does not."""
    e, f = sub(t[1], t[0]), sub(t[2], t[0])
    if not abs(dot(normal_of(e, f), d)) > FLAT:
        return NAN
    n = cross(e, f)
    height = dot(n, sub(t[0], p)) / dot(n, d)
    x, y = plane_weights(e, f, sub(add(p, scale(height, d)), t[0]), n, dot(n, n))
    return height if min(min(x, y), 1.0 - x - y) >= -BESIDE else NAN
