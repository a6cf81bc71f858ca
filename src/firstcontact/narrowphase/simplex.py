"""The point of a simplex that is closest to the origin, as weights of its corners.

Weights come from orthogonal edges, not from determinants of inner products: those square how slender a
triangle is, and lose all digits where these lose half of them. What is left of the weights' error moves the
point by a rounding of the corners' size.
"""

from firstcontact._jit import kernel
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

Quad = tuple[Vec3, Vec3, Vec3, Vec3]
Weights = tuple[float, float, float, float]

# Rounding of a volume spanned by three edges, in units of the product of their lengths: some 12 operations.
VOLUME = 16.0 * UNIT_ROUNDOFF

# Weights of the middle of a tetrahedron.
INSIDE = (0.25, 0.25, 0.25, 0.25)


@kernel
def closest_weights(w: Quad, n: int) -> Weights:
    """Weights of the closest point of a simplex with n corners; all zero where the origin is inside."""
    if n == 1:
        return 1.0, 0.0, 0.0, 0.0
    if n == 2:
        s, t = segment_weights(w[0], w[1])
        return s, t, 0.0, 0.0
    if n == 3:
        r, s, t = triangle_weights(w[0], w[1], w[2])
        return r, s, t, 0.0
    return _tetrahedron_weights(w)


@kernel
def segment_weights(a: Vec3, b: Vec3) -> tuple[float, float]:
    """Weights of the point of a segment that is closest to the origin."""
    e = sub(b, a)
    along, length_squared = -dot(a, e), dot(e, e)
    if not along > 0.0:
        return 1.0, 0.0
    if along >= length_squared:
        return 0.0, 1.0
    t = along / length_squared
    return 1.0 - t, t


@kernel
def triangle_weights(a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Weights of the point of a triangle that is closest to the origin."""
    e, f = sub(b, a), sub(c, a)
    length_squared = dot(e, e)
    slant = dot(e, f) / length_squared if length_squared > 0.0 else 0.0
    height = sub(f, scale(slant, e))
    height_squared = dot(height, height)
    if not (length_squared > 0.0 and height_squared > 0.0):
        return _edges_weights(a, b, c, True, True, True)
    on_c = -dot(a, height) / height_squared
    on_b = -dot(a, e) / length_squared - on_c * slant
    on_a = 1.0 - on_b - on_c
    if on_a > 0.0 and on_b > 0.0 and on_c > 0.0:
        return on_a, on_b, on_c
    return _edges_weights(a, b, c, not on_c > 0.0, not on_b > 0.0, not on_a > 0.0)


@kernel
def _edges_weights(a: Vec3, b: Vec3, c: Vec3, has_ab: bool, has_ac: bool, has_bc: bool) -> Vec3:
    """Weights of the closest point of some edges of a triangle."""
    best, weights = -1.0, (1.0, 0.0, 0.0)
    if has_ab:
        s, t = segment_weights(a, b)
        p = add(scale(s, a), scale(t, b))
        best, weights = dot(p, p), (s, t, 0.0)
    if has_ac:
        s, t = segment_weights(a, c)
        p = add(scale(s, a), scale(t, c))
        if best < 0.0 or dot(p, p) < best:
            best, weights = dot(p, p), (s, 0.0, t)
    if has_bc:
        s, t = segment_weights(b, c)
        p = add(scale(s, b), scale(t, c))
        if best < 0.0 or dot(p, p) < best:
            weights = 0.0, s, t
    return weights


@kernel
def _tetrahedron_weights(w: Quad) -> Weights:
    """Weights of the closest point of a tetrahedron: of the faces that the origin may be beyond."""
    best, weights = -1.0, (0.0, 0.0, 0.0, 0.0)
    for opposite in range(4):
        a, b, c, d = w[3], w[1], w[2], w[0]
        if opposite == 1:
            a, b, c, d = w[3], w[0], w[2], w[1]
        elif opposite == 2:
            a, b, c, d = w[3], w[0], w[1], w[2]
        elif opposite == 3:
            a, b, c, d = w[2], w[0], w[1], w[3]
        if _is_beyond(a, b, c, d):
            r, s, t = triangle_weights(a, b, c)
            p = add(add(scale(r, a), scale(s, b)), scale(t, c))
            length_squared = dot(p, p)
            if best < 0.0 or length_squared < best:
                best = length_squared
                if opposite == 0:
                    weights = 0.0, s, t, r
                elif opposite == 1:
                    weights = s, 0.0, t, r
                elif opposite == 2:
                    weights = s, t, 0.0, r
                else:
                    weights = s, t, r, 0.0
    return weights


@kernel
def _is_beyond(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> bool:
    """May the origin be beyond the face a, b, c of a tetrahedron, as seen from the fourth corner?"""
    e, f, g = sub(b, a), sub(c, a), sub(d, a)
    normal = cross(e, f)
    of_origin, of_corner = -dot(normal, a), dot(normal, g)
    area = VOLUME * norm(e) * norm(f)
    if not (abs(of_origin) > area * norm(a) and abs(of_corner) > area * norm(g)):
        return True
    return (of_origin > 0.0) != (of_corner > 0.0)
