"""How far a direction shows two triangles apart."""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, sub


@kernel
def shadow_gap(a: Triangle, b: Triangle, n: Vec3) -> float:
    """Gap between the shadows on a direction of any length, in either order; for none at all, none."""
    length = sqrt(dot(n, n))
    if not length > 0.0:
        return -INFINITY
    n = n[0] / length, n[1] / length, n[2] / length
    # Seen from a corner, coordinates are no larger than what they tell apart.
    a1, a2 = dot(n, sub(a[1], a[0])), dot(n, sub(a[2], a[0]))
    b0, b1, b2 = dot(n, sub(b[0], a[0])), dot(n, sub(b[1], a[0])), dot(n, sub(b[2], a[0]))
    above = min(min(b0, b1), b2) - max(max(0.0, a1), a2)
    return max(above, min(min(0.0, a1), a2) - max(max(b0, b1), b2))


@kernel
def separation_triangle_triangle(a: Triangle, b: Triangle) -> float:
    """Widest gap between the shadows of two triangles that a face or a pair of edges shows; negative: none.

    Unlike the closest points, which lose their direction where they nearly meet, it tells gaps from contact
    down to rounding. The directions are the normals of the triangles' Minkowski difference: they show every
    gap, though not its full width where corners are closest.
    """
    na, nb = cross(sub(a[1], a[0]), sub(a[2], a[0])), cross(sub(b[1], b[0]), sub(b[2], b[0]))
    widest = max(shadow_gap(a, b, na), shadow_gap(a, b, nb))
    for i in range(3):
        side_a, side_b = sub(a[(i + 1) % 3], a[i]), sub(b[(i + 1) % 3], b[i])
        # Of triangles in one plane.
        widest = max(widest, max(shadow_gap(a, b, cross(na, side_a)), shadow_gap(a, b, cross(nb, side_b))))
        for j in range(3):
            widest = max(widest, shadow_gap(a, b, cross(side_a, sub(b[(j + 1) % 3], b[j]))))
    return widest
