"""Oriented boxes around points, by the covariance of their convex hull's surface.

As in Gottschalk, Lin, Manocha, "OBBTree", 1996: the hull is sampled infinitely densely, which has a closed
form, so neither points inside nor many in one place turn the box. Points in a plane have no such hull: there
the triangles count instead, and where these have no area, the points themselves.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bounds.oriented_box import ACROSS, ALONG, CENTER, HALF, NORMAL, SIZE
from firstcontact.bounds.quick_hull import HullRoom, quick_hull
from firstcontact.scalar.eigenvectors import Symmetric3, principal_axes
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import Mat3
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

Axes = tuple[Vec3, Vec3, Vec3]


@kernel
def fit_box(points: Array, triangles: Ids, room: HullRoom, turns: Array, row: Array) -> None:
    """Write the box around points (n, 3), by their hull or else by triangles (m, 3) of them.

    It holds them up to a few roundings of how far they are from each other and from zero. The room for
    `turns` is (2, 3, 3).
    """
    mean = _mean(points)
    n_faces = quick_hull(points, room)
    covariance = _surface_covariance(points, room.corners[:n_faces], mean)
    if n_faces == 0:
        covariance = _surface_covariance(points, triangles, mean)
    if not _trace(covariance) > 0.0:
        covariance = _point_covariance(points, mean)
    _write_box(points, mean, _at_right_angles(principal_axes(covariance, turns)), row)


@kernel
def _mean(points: Array) -> Vec3:
    x, y, z, share = 0.0, 0.0, 0.0, 1.0 / len(points)
    for i in range(len(points)):
        x, y, z = x + share * points[i, 0], y + share * points[i, 1], z + share * points[i, 2]
    return x, y, z


@kernel
def _seen(points: Array, i: int, mean: Vec3) -> Vec3:
    return points[i, 0] - mean[0], points[i, 1] - mean[1], points[i, 2] - mean[2]


@kernel
def _trace(m: Symmetric3) -> float:
    return m[0] + m[3] + m[5]


@kernel
def _surface_covariance(points: Array, corners: Ids, mean: Vec3) -> Symmetric3:
    """Covariance of all points of triangles, by 12 times their area; of none, or none with an area, zeros."""
    total, c, m = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for f in range(len(corners)):
        p, q, r = (
            _seen(points, corners[f, 0], mean),
            _seen(points, corners[f, 1], mean),
            _seen(points, corners[f, 2], mean),
        )
        area, s = norm(cross(sub(q, p), sub(r, p))), add(add(p, q), r)
        total, c = total + area, add(c, scale(area / 3.0, s))
        # Nine times the centroid's square is that of the sum of the corners.
        m = _with_square(_with_square(_with_square(_with_square(m, area, s), area, p), area, q), area, r)
    if not total > SHORTEST:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    return _with_square(m, -12.0 / total, c)


@kernel
def _point_covariance(points: Array, mean: Vec3) -> Symmetric3:
    m = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(len(points)):
        m = _with_square(m, 1.0, _seen(points, i, mean))
    return m


@kernel
def _with_square(m: Symmetric3, weight: float, v: Vec3) -> Symmetric3:
    """Add the weighted product of a vector with itself."""
    x, y, z = scale(weight, v)
    return (
        m[0] + x * v[0],
        m[1] + x * v[1],
        m[2] + x * v[2],
        m[3] + y * v[1],
        m[4] + y * v[2],
        m[5] + z * v[2],
    )


@kernel
def _at_right_angles(m: Mat3) -> Axes:
    """Unit vectors at right angles to the last digits, from such as are nearly."""
    x = (m[0], m[1], m[2])
    x = scale(1.0 / norm(x), x)
    y = (m[3], m[4], m[5])
    y = sub(y, scale(dot(x, y), x))
    y = scale(1.0 / norm(y), y)
    return x, y, cross(x, y)


@kernel
def _write_box(points: Array, mean: Vec3, axes: Axes, row: Array) -> None:
    """Write the box with these axes around points, seen from their mean."""
    along, across, normal = axes
    low, high = (INFINITY, INFINITY, INFINITY), (-INFINITY, -INFINITY, -INFINITY)
    for i in range(len(points)):
        p = _seen(points, i, mean)
        x, y, z = dot(p, along), dot(p, across), dot(p, normal)
        low = min(low[0], x), min(low[1], y), min(low[2], z)
        high = max(high[0], x), max(high[1], y), max(high[2], z)
    middle, half = scale(0.5, add(low, high)), scale(0.5, sub(high, low))
    flat = add(scale(middle[0], along), scale(middle[1], across))
    center = add(mean, add(flat, scale(middle[2], normal)))
    for k in range(3):
        row[CENTER + k], row[HALF + k] = center[k], half[k]
        row[ALONG + k], row[ACROSS + k], row[NORMAL + k] = along[k], across[k], normal[k]
    row[SIZE] = norm(half)
