"""The point of a simplex that is closest to the origin, as weights of its corners.

Weights come from orthogonal edges, not from determinants of inner products: those square how slender a
triangle is, and lose all digits where these lose half of them. What is left of the weights' error moves the
point by a rounding of the corners' size.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, scale, sub

Quad = tuple[Vec3, Vec3, Vec3, Vec3]
Weights = tuple[float, float, float, float]

# Rounding of a volume spanned by three edges, in units of the product of their lengths: some 12 operations.
VOLUME = 16.0 * UNIT_ROUNDOFF

# Rounding of a squared length, in units of it, for corners of about its size.
LENGTH = 16.0 * UNIT_ROUNDOFF


class Foot(NamedTuple):
    """A point of a simplex: its squared distance from the origin, and its weights, with how many count."""

    length_squared: float
    n_corners: int
    weights: Weights


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
    if not length_squared > 0.0:
        return _edges_weights(a, b, c, True, True, True)
    slant, height = _split(f, e, length_squared)
    height_squared = dot(height, height)
    if not height_squared > 0.0:
        return _edges_weights(a, b, c, True, True, True)
    along, beside = _split(a, e, length_squared)
    on_c = -dot(beside, height) / height_squared
    on_b = -along - on_c * slant
    on_a = 1.0 - on_b - on_c
    if on_a > 0.0 and on_b > 0.0 and on_c > 0.0:
        return on_a, on_b, on_c
    return _edges_weights(a, b, c, not on_c > 0.0, not on_b > 0.0, not on_a > 0.0)


@kernel
def _split(f: Vec3, e: Vec3, length_squared: float) -> tuple[float, Vec3]:
    """Split f into a multiple of e, and what is at right angles to it.

    Twice: what is left along e at first is rounding of f, and in a slender triangle as large as the rest.
    """
    part = dot(f, e) / length_squared
    rest = sub(f, scale(part, e))
    more = dot(rest, e) / length_squared
    return part + more, sub(rest, scale(more, e))


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
    a, b, c, d = w
    e, f, g = sub(a, d), sub(b, d), sub(c, d)
    fg, ge, ef = cross(f, g), cross(g, e), cross(e, f)
    volume = dot(e, fg)
    sign = 1.0 if volume > 0.0 else -1.0
    # Volumes of the origin with each face: those of the faces around d, and what is left for that opposite.
    on_a, on_b, on_c = -sign * dot(d, fg), -sign * dot(d, ge), -sign * dot(d, ef)
    x, y, z, size = _spread(e), _spread(f), _spread(g), _spread(d)
    error = VOLUME * max(max(x * y, y * z), x * z) * max(size, max(max(x, y), z))
    is_flat = not abs(volume) > error
    best = Foot(INFINITY, 0, (0.0, 0.0, 0.0, 0.0))
    if is_flat or not on_a > error:
        r, s, t = triangle_weights(d, b, c)
        best = _better(best, _length_squared(d, b, c, r, s, t), (0.0, s, t, r))
    if is_flat or not on_b > error:
        r, s, t = triangle_weights(d, a, c)
        best = _better(best, _length_squared(d, a, c, r, s, t), (s, 0.0, t, r))
    if is_flat or not on_c > error:
        r, s, t = triangle_weights(d, a, b)
        best = _better(best, _length_squared(d, a, b, r, s, t), (s, t, 0.0, r))
    if is_flat or not abs(volume) - on_a - on_b - on_c > 4.0 * error:
        r, s, t = triangle_weights(c, a, b)
        best = _better(best, _length_squared(c, a, b, r, s, t), (s, t, r, 0.0))
    return best.weights


@kernel
def inside_weights(w: Quad) -> Weights:
    """Weights of the origin, for a tetrahedron that holds it."""
    a, b, c, d = w
    e, f, g = sub(a, d), sub(b, d), sub(c, d)
    fg, ge, ef = cross(f, g), cross(g, e), cross(e, f)
    part = -1.0 / dot(e, fg)
    on_a, on_b, on_c = part * dot(d, fg), part * dot(d, ge), part * dot(d, ef)
    return on_a, on_b, on_c, 1.0 - on_a - on_b - on_c


@kernel
def _better(best: Foot, length_squared: float, weights: Weights) -> Foot:
    """Return the shorter of two; of those that rounding cannot tell apart, the one with more corners.

    More corners are a better direction, where one of them has next to no weight.
    """
    n = 0
    for weight in weights:
        n += weight > 0.0
    limit = best.length_squared * (1.0 + LENGTH) if n > best.n_corners else best.length_squared
    return Foot(length_squared, n, weights) if length_squared < limit else best


@kernel
def _length_squared(a: Vec3, b: Vec3, c: Vec3, r: float, s: float, t: float) -> float:
    p = add(add(scale(r, a), scale(s, b)), scale(t, c))
    return dot(p, p)


@kernel
def _spread(a: Vec3) -> float:
    """Length of a vector, or up to twice as much."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])
