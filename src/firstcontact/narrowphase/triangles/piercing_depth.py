"""How firmly an edge passes through a triangle: how far all may be moved, and it still does."""

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, norm, sub


@kernel
def piercing_depth(p: Vec3, q: Vec3, t: Triangle) -> float:
    """Clearance with which the edge from p to q passes through a triangle; 0 where it does not.

    Both ends are as far from the plane of the triangle, on either side, and the line of the edge from the
    lines of its sides: whatever moves by less cannot leave by an end or over a side.
    """
    e, f = sub(t[1], t[0]), sub(t[2], t[0])
    n, size = cross(e, f), norm(e) * norm(f)
    x, y = dot(sub(p, t[0]), n), dot(sub(q, t[0]), n)
    if not (size > 0.0 and min(x, y) < 0.0 and max(x, y) > 0.0):
        return 0.0
    depth, d = min(abs(x), abs(y)) / size, sub(q, p)
    length, lowest, highest = norm(d), INFINITY, -INFINITY
    for i in range(3):
        e = sub(t[(i + 1) % 3], t[i])
        # The distance of the two lines, times the sine of their angle.
        apart = dot(cross(d, e), sub(t[i], p)) / (length * norm(e))
        lowest, highest = min(lowest, apart), max(highest, apart)
    return max(min(depth, max(lowest, -highest)), 0.0)


@kernel
def crossing_depth(a: Triangle, b: Triangle) -> float:
    """The firmest of all edges of one triangle that pass through the other."""
    depth = 0.0
    for i in range(3):
        j = (i + 1) % 3
        depth = max(depth, max(piercing_depth(a[i], a[j], b), piercing_depth(b[i], b[j], a)))
    return depth
