"""Closest points of a point and a triangle, and of two segments, as barycentric weights.

The weights are always a point of the primitives, whatever the rounding: nonnegative, of sum one. Degenerate
triangles and segments are treated as the segments and points that they are.
"""

from firstcontact._jit import kernel
from firstcontact.narrowphase.moving_quad import Triple
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, lerp, scale, sub

# A triangle whose doubled area squared is below this part of its longest sides' product squared is thin: the
# foot on its plane is then compared with the feet on its edges, since its weights lose half their digits.
THIN = 1e-8

# Segments whose directions' squared sine is below this are compared at their ends as well, likewise.
PARALLEL = 1e-8

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
def closest_point_triangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Weights of the point of triangle abc closest to p."""
    ab, ac, ap = sub(b, a), sub(c, a), sub(p, a)
    n = cross(ab, ac)
    area_squared = dot(n, n)
    if not area_squared > 0.0:
        return closest_point_triangle_edges(p, a, b, c)
    wb = dot(cross(ap, ac), n) / area_squared
    wc = dot(cross(ab, ap), n) / area_squared
    wa = 1.0 - wb - wc
    if not (wa >= 0.0 and wb >= 0.0 and wc >= 0.0):
        return closest_point_triangle_edges(p, a, b, c)
    face = (wa, wb, wc)
    if area_squared > THIN * dot(ab, ab) * dot(ac, ac):
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
def closest_segment_segment(a0: Vec3, a1: Vec3, b0: Vec3, b1: Vec3) -> tuple[float, float]:
    """Parameters on both segments of their closest points."""
    da, db, r = sub(a1, a0), sub(b1, b0), sub(a0, b0)
    aa, bb, ab = dot(da, da), dot(db, db), dot(da, db)
    ra, rb = dot(r, da), dot(r, db)
    n = cross(da, db)
    area_squared = dot(n, n)
    if area_squared > 0.0:
        s = (ab * rb - ra * bb) / area_squared
        u = (aa * rb - ab * ra) / area_squared
        if 0.0 <= s <= 1.0 and 0.0 <= u <= 1.0:
            if area_squared > PARALLEL * aa * bb:
                return s, u
            ends = closest_segment_ends(a0, a1, b0, b1)
            g = sub(lerp(a0, a1, s), lerp(b0, b1, u))
            if dot(g, g) <= ends[2]:
                return s, u
            return ends[0], ends[1]
    ends = closest_segment_ends(a0, a1, b0, b1)
    return ends[0], ends[1]


@kernel
def contact_weights(r: Triple, is_edge_edge: bool) -> tuple[float, float, float, float]:
    """Weights of the closest points: of the four points, each side's of sum one."""
    if is_edge_edge:
        s, u = closest_segment_segment(r[0], r[1], r[2], ORIGIN)
        return 1.0 - s, s, 1.0 - u, u
    w = closest_point_triangle(r[0], r[1], r[2], ORIGIN)
    return 1.0, w[0], w[1], w[2]


@kernel
def weighted_offset(r: Triple, w: tuple[float, float, float, float], is_edge_edge: bool) -> Vec3:
    """Vector from the point of the second side with weights w to that of the first."""
    second = scale(w[2], r[2])
    if is_edge_edge:
        return sub(add(scale(w[0], r[0]), scale(w[1], r[1])), second)
    return sub(r[0], add(scale(w[1], r[1]), second))
