"""Directions that prove how far two triangles are apart.

The vector between closest points is one, off by what the points are off, in units of their distance. At 1e-8
of the triangles' size nothing is left of it: a face seen along a direction that is off by as much covers the
gap. The features have better ones, however near they are: the normal of a face, that of two edges, and the
vector's part at right angles to an edge.
"""

from firstcontact._jit import kernel
from firstcontact.motions.rotation import axis_and_angle
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, scale, sub

Gap = tuple[float, Vec3]  # between the shadows of two triangles on a unit vector, and the vector


@kernel
def gap_along(a: Triangle, b: Triangle, n: Vec3) -> float:
    """How far the shadow of b on a unit vector lies beyond that of a."""
    near = min(min(dot(n, b[0]), dot(n, b[1])), dot(n, b[2]))
    return near - max(max(dot(n, a[0]), dot(n, a[1])), dot(n, a[2]))


@kernel
def widest_gap(a: Triangle, b: Triangle, n: Vec3) -> Gap:
    """Try a unit vector, and those of all features on its side; return the one that proves most."""
    best = (gap_along(a, b, n), n)
    for i in range(3):
        side_a, side_b = sub(a[(i + 1) % 3], a[i]), sub(b[(i + 1) % 3], b[i])
        best = _wider(best, a, b, n, cross(side_a, cross(n, side_a)))
        best = _wider(best, a, b, n, cross(side_b, cross(n, side_b)))
        for j in range(3):
            best = _wider(best, a, b, n, cross(side_a, sub(b[(j + 1) % 3], b[j])))
    best = _wider(best, a, b, n, cross(sub(a[1], a[0]), sub(a[2], a[0])))
    return _wider(best, a, b, n, cross(sub(b[1], b[0]), sub(b[2], b[0])))


@kernel
def _wider(best: Gap, a: Triangle, b: Triangle, n: Vec3, direction: Vec3) -> Gap:
    axis, length = axis_and_angle(direction)
    if length == 0.0:
        return best
    along = axis if dot(axis, n) >= 0.0 else scale(-1.0, axis)
    gap = gap_along(a, b, along)
    return (gap, along) if gap > best[0] else best
