"""Closest points of a point and a triangle, and of two segments, as barycentric weights.

The weights are always a point of the primitives, whatever the rounding: nonnegative, of sum one. Degenerate
triangles and segments are treated as the segments and points that they are.
"""

from firstcontact._jit import kernel
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, lerp, scale, sub

# Squared sine of the angle below which a triangle is a sliver, or two segments are nearly parallel: a foot
# computed with the normal has lost digits then. It is corrected, and compared with the feet on the edges.
SLENDER = 1e-2

ORIGIN = (0.0, 0.0, 0.0)


@kernel
def closest_point_segment(p: Vec3, a: Vec3, b: Vec3) -> float:
    """Parameter in [0, 1] of the point of segment ab closest to p; 0 for a segment of no length."""
    d = sub(b, a)
    length_squared = dot(d, d)
    if not length_squared > 0.0:
        return 0.0
    return min(max(dot(sub(p, a), d) / length_squared, 0.0), 1.0)


@kernel
def distance_squared_point_segment(p: Vec3, a: Vec3, b: Vec3, w: float) -> float:
    """Squared distance of p and the point at parameter w of segment ab."""
    g = sub(p, lerp(a, b, w))
    return dot(g, g)


@kernel
def closest_point_triangle_edges(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Weights of the point on the edges of triangle abc closest to p."""
    ab, bc, ca = (
        closest_point_segment(p, a, b),
        closest_point_segment(p, b, c),
        closest_point_segment(p, c, a),
    )
    d_ab = distance_squared_point_segment(p, a, b, ab)
    d_bc = distance_squared_point_segment(p, b, c, bc)
    d_ca = distance_squared_point_segment(p, c, a, ca)
    if d_ab <= d_bc and d_ab <= d_ca:
        return 1.0 - ab, ab, 0.0
    if d_bc <= d_ca:
        return 0.0, 1.0 - bc, bc
    return ca, 0.0, 1.0 - ca


@kernel
def triangle_point(a: Vec3, b: Vec3, c: Vec3, w: Vec3) -> Vec3:
    """Point of triangle abc with weights w."""
    return add(add(scale(w[0], a), scale(w[1], b)), scale(w[2], c))


@kernel
def plane_weights(ab: Vec3, ac: Vec3, ap: Vec3, n: Vec3, n_squared: float) -> tuple[float, float]:
    """Weights of b and c at the foot of p on the plane of the triangle, whose normal is n."""
    return dot(cross(ap, ac), n) / n_squared, dot(cross(ab, ap), n) / n_squared


@kernel
def closest_point_triangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Weights of the point of triangle abc closest to p."""
    ab, ac = sub(b, a), sub(c, a)
    n = cross(ab, ac)
    n_squared = dot(n, n)
    if not n_squared > 0.0:
        return closest_point_triangle_edges(p, a, b, c)
    wb, wc = plane_weights(ab, ac, sub(p, a), n, n_squared)
    is_slender = n_squared <= SLENDER * dot(ab, ab) * dot(ac, ac)
    if is_slender:
        rest = sub(p, triangle_point(a, b, c, (1.0 - wb - wc, wb, wc)))
        db, dc = plane_weights(ab, ac, rest, n, n_squared)
        wb, wc = wb + db, wc + dc
    face = (1.0 - wb - wc, wb, wc)
    if not (face[0] >= 0.0 and wb >= 0.0 and wc >= 0.0):
        return closest_point_triangle_edges(p, a, b, c)
    if not is_slender:
        return face
    edge = closest_point_triangle_edges(p, a, b, c)
    to_face, to_edge = sub(p, triangle_point(a, b, c, face)), sub(p, triangle_point(a, b, c, edge))
    return face if dot(to_face, to_face) <= dot(to_edge, to_edge) else edge


@kernel
def closest_segment_ends(a0: Vec3, a1: Vec3, b0: Vec3, b1: Vec3) -> tuple[float, float, float]:
    """Parameters on both segments of their closest points, one of them an end, and the squared distance."""
    u = closest_point_segment(a0, b0, b1)
    best = (0.0, u, distance_squared_point_segment(a0, b0, b1, u))
    u = closest_point_segment(a1, b0, b1)
    d = distance_squared_point_segment(a1, b0, b1, u)
    if d < best[2]:
        best = (1.0, u, d)
    s = closest_point_segment(b0, a0, a1)
    d = distance_squared_point_segment(b0, a0, a1, s)
    if d < best[2]:
        best = (s, 0.0, d)
    s = closest_point_segment(b1, a0, a1)
    d = distance_squared_point_segment(b1, a0, a1, s)
    if d < best[2]:
        best = (s, 1.0, d)
    return best


@kernel
def line_parameters(da: Vec3, db: Vec3, ab: Vec3, n: Vec3, n_squared: float) -> tuple[float, float]:
    """Parameters of the closest points of two lines with directions da, db, n = da x db, ab apart."""
    return dot(cross(ab, db), n) / n_squared, dot(cross(ab, da), n) / n_squared


@kernel
def closest_segment_segment(a0: Vec3, a1: Vec3, b0: Vec3, b1: Vec3) -> tuple[float, float]:
    """Parameters on both segments of their closest points."""
    da, db = sub(a1, a0), sub(b1, b0)
    n = cross(da, db)
    n_squared = dot(n, n)
    if n_squared > 0.0:
        s, u = line_parameters(da, db, sub(b0, a0), n, n_squared)
        is_slender = n_squared <= SLENDER * dot(da, da) * dot(db, db)
        if is_slender:
            ds, _ = line_parameters(da, db, sub(lerp(b0, b1, u), lerp(a0, a1, s)), n, n_squared)
            u = closest_point_segment(lerp(a0, a1, s + ds), b0, b1)
            s = closest_point_segment(lerp(b0, b1, u), a0, a1)
        if 0.0 <= s <= 1.0 and 0.0 <= u <= 1.0:
            g = sub(lerp(a0, a1, s), lerp(b0, b1, u))
            if not is_slender or dot(g, g) <= closest_segment_ends(a0, a1, b0, b1)[2]:
                return s, u
    ends = closest_segment_ends(a0, a1, b0, b1)
    return ends[0], ends[1]


@kernel
def contact_weights(r: Triangle, is_edge_edge: bool) -> tuple[float, float, float, float]:
    """Weights of the closest points: of the four points, each side's of sum one."""
    if is_edge_edge:
        s, u = closest_segment_segment(r[0], r[1], r[2], ORIGIN)
        return 1.0 - s, s, 1.0 - u, u
    w = closest_point_triangle(r[0], r[1], r[2], ORIGIN)
    return 1.0, w[0], w[1], w[2]


@kernel
def weighted_offset(r: Triangle, w: tuple[float, float, float, float], is_edge_edge: bool) -> Vec3:
    """Vector from the point of the second side with weights w to that of the first."""
    second = scale(w[2], r[2])
    if is_edge_edge:
        return sub(add(scale(w[0], r[0]), scale(w[1], r[1])), second)
    return sub(r[0], add(scale(w[1], r[1]), second))
