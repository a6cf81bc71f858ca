"""Closest points of two triangles.

Most pairs are settled by the first guess: of each triangle, the edge that faces the other one is taken, and
the closest points of the two edges are those of the triangles when neither third corner lies nearer along the
line between them. Where one does, an edge with that corner is the next guess. Then come corners above faces,
then all pairs of edges. What none of these settles (triangles that cross, touch or nearly lie in one plane,
thin ones, sizes whose powers underflow) is left to a slow search over all features.

Distances are right to about 1e-13 of the size of the triangles or of the distance, whichever is larger. For
thin triangles that nearly touch this is what is measured, but no more than 1e-8 is promised: the accuracy of
`closest_points`. Triangles nearer than TOUCH of their size may count as touching: their points are the same.
"""

from math import frexp, ldexp

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.elementary.separation_advancement import normal_along, rejected
from firstcontact.narrowphase.triangles.closest_points import (
    ORIGIN,
    SLENDER,
    closest_point_triangle,
    closest_segment_ends,
    closest_segment_segment,
    plane_weights,
    triangle_point,
)
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, largest_component, lerp, scale, sub

Nearest = tuple[float, Vec3, Vec3]  # squared distance of two points, and the points

# Part of the size or of the distance that does not count: some hundred roundings.
TOUCH = 2.0**-43
TOUCH_SQUARED = TOUCH**2

# Squared sine of the angle of two edges from which on the closest points of their lines are right to TOUCH:
# what is rounded is divided by it.
SKEW = 2.0**-10

# Squared distance in units of the squared size. Rounding turns a shorter line between closest points by more
# than TOUCH, and corners cannot be compared along it.
CLOSE_SQUARED = 2.0**-12

# Below this, a power of a length may have lost digits to underflow.
FAINT = 2.0**-900

# Pairs of edges tried by guessing. Of random triangles apart, 84 % are settled by the first guess, 9 % by the
# second, and 5 % by corners above faces.
GUESSES = 2
EDGE_PAIRS = 9

# Steps towards the point where an edge pierces a face. One is enough where the triangle is not thin.
PIERCING_STEPS = 3

# No denormal times two to this overflows, and no power of it underflows.
LARGEST_EXPONENT = 1000


@kernel
def clamped(x: float) -> float:
    """Nearest number in [0, 1]."""
    return min(max(x, 0.0), 1.0)


@kernel
def chosen(is_first: bool, x: Vec3, y: Vec3) -> Vec3:
    """Return x or y; as a function of its own, since the compiler then does without branches."""
    return x if is_first else y


@kernel
def farthest_last(t: Triangle, direction: Vec3) -> Triangle:
    """Put the corner that lies least far along the direction last."""
    x, y, z = dot(t[0], direction), dot(t[1], direction), dot(t[2], direction)
    is_0 = (x < y) & (x < z)
    is_1 = (not is_0) & (y < z)
    last = chosen(is_0, t[0], chosen(is_1, t[1], t[2]))
    return chosen(is_0, t[2], t[0]), chosen(is_1, t[2], t[1]), last


@kernel
def turned(t: Triangle, s: float) -> Triangle:
    """Put the last corner on the first edge, in place of the end that is farther from parameter s."""
    is_second = s > 0.5
    return chosen(is_second, t[1], t[0]), t[2], chosen(is_second, t[0], t[1])


@kernel
def next_edges(a: Triangle, b: Triangle, i: int) -> tuple[Triangle, Triangle]:
    """Put the pair of edges that follows pair i of all nine first."""
    return (a[1], a[2], a[0]) if i % 3 == 2 else a, (b[1], b[2], b[0])


@kernel
def closest_of_edges(w: Vec3, ea: Vec3, eb: Vec3) -> tuple[float, float, bool]:
    """Parameters of the closest points of edges ea and eb that start w apart; whether they are skew."""
    aa, bb, ab, aw, bw = dot(ea, ea), dot(eb, eb), dot(ea, eb), dot(ea, w), dot(eb, w)
    determinant = aa * bb - ab * ab
    if determinant > SKEW * aa * bb + FAINT:
        inverse_aa, inverse_bb = 1.0 / aa, 1.0 / bb  # so that no division waits for another
        s = clamped((aw * bb - bw * ab) / determinant)
        u = clamped((s * ab - bw) * inverse_bb)
        return clamped((u * ab + aw) * inverse_aa), u, True
    s, u, _ = closest_segment_ends(ORIGIN, ea, w, add(w, eb))
    return s, u, False


@kernel
def straightened(v: Vec3, ea: Vec3, eb: Vec3, s: float, u: float) -> Vec3:
    """Make the offset normal to the edges on which it ends between their corners."""
    is_on_a, is_on_b = 0.0 < s < 1.0, 0.0 < u < 1.0
    if is_on_a and is_on_b:
        return normal_along(ea, eb, v)
    if is_on_a:
        return rejected(v, ea)
    return rejected(v, eb) if is_on_b else v


@kernel
def gain_along(v: Vec3, e: Vec3, s: float) -> float:
    """How far along v the ends of edge e reach beyond its point at parameter s."""
    x = dot(v, e)
    return max(-s * x, (1.0 - s) * x)


@kernel
def closest_face_corner(a: Triangle, b: Triangle) -> tuple[bool, Vec3, Vec3]:
    """Look for a corner of b above the face of a, with b beyond it; whether there is one."""
    e, f = sub(a[1], a[0]), sub(a[2], a[0])
    n = cross(e, f)
    n_squared = dot(n, n)
    x, y, z = dot(sub(b[0], a[0]), n), dot(sub(b[1], a[0]), n), dot(sub(b[2], a[0]), n)
    is_beside = min(min(x, y), z) > 0.0 or max(max(x, y), z) < 0.0
    if not is_beside or not n_squared > SLENDER * dot(e, e) * dot(f, f) + FAINT:
        return False, a[0], b[0]
    x, y, z = abs(x), abs(y), abs(z)
    corner = chosen(x <= min(y, z), b[0], chosen(y <= z, b[1], b[2]))
    we, wf = plane_weights(e, f, sub(corner, a[0]), n, n_squared)
    return (we >= 0.0) & (wf >= 0.0) & (we + wf <= 1.0), triangle_point(*a, (1.0 - we - wf, we, wf)), corner


@kernel
def nearer(best: Nearest, x: Vec3, y: Vec3) -> Nearest:
    """Return the nearer of the best points so far and of x and y."""
    v = sub(y, x)
    d_squared = dot(v, v)
    return (d_squared, x, y) if d_squared < best[0] else best


@kernel
def nearest_edge_face(best: Nearest, start: Vec3, e: Vec3, t: Triangle) -> Nearest:
    """Try the point of edge e that lies in the plane of triangle t; an edge of no length is a corner."""
    n = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    along = dot(e, n)
    inverse_along = 1.0 / along if along != 0.0 else 0.0
    s, step = 0.0, dot(sub(t[0], start), n) * inverse_along
    for _ in range(PIERCING_STEPS):
        s += step
        if not 0.0 <= s <= 1.0:
            break
        x = add(start, scale(s, e))
        y = triangle_point(*t, closest_point_triangle(x, *t))
        best = nearer(best, x, y)
        # The normal of a thin triangle is inexact, but matters less and less from one point to the next.
        step = dot(sub(y, x), n) * inverse_along
        if abs(step) <= TOUCH:
            break
    return best


@kernel
def seen_from(t: Triangle, origin: Vec3, factor: float) -> Triangle:
    """Triangle in coordinates with another origin and scale."""
    return (
        scale(factor, sub(t[0], origin)),
        scale(factor, sub(t[1], origin)),
        scale(factor, sub(t[2], origin)),
    )


@kernel
def closest_of_all_features(a: Triangle, b: Triangle) -> tuple[Vec3, Vec3]:
    """Closest points by trying all features, until two points touch."""
    # Seen from a corner, in units of the triangles' size, nothing overflows or underflows.
    origin = a[0]
    a, b = seen_from(a, origin, 1.0), seen_from(b, origin, 1.0)
    size = max(largest_component(*a), largest_component(*b))
    factor = ldexp(1.0, min(-frexp(size)[1], LARGEST_EXPONENT))
    a, b = seen_from(a, ORIGIN, factor), seen_from(b, ORIGIN, factor)
    touch_squared = TOUCH_SQUARED * (factor * size) ** 2
    best = (INFINITY, a[0], b[0])
    for k in range(4):  # edges through faces both ways, then corners and faces both ways
        for _ in range(3):
            if best[0] > touch_squared:
                best = nearest_edge_face(best, a[0], sub(a[1], a[0]) if k < 2 else ORIGIN, b)
            a = a[1], a[2], a[0]
        a, b, best = b, a, (best[0], best[2], best[1])
    for i in range(EDGE_PAIRS):
        if best[0] > touch_squared:
            s, u = closest_segment_segment(a[0], a[1], b[0], b[1])
            best = nearer(best, lerp(a[0], a[1], s), lerp(b[0], b[1], u))
        a, b = next_edges(a, b, i)
    p, q = best[1], best[2] if best[0] > touch_squared else best[1]
    return add(origin, scale(1.0 / factor, p)), add(origin, scale(1.0 / factor, q))


@kernel
def closest_triangle_triangle(a: Triangle, b: Triangle) -> tuple[Vec3, Vec3]:
    """Closest points of two triangles, a's first; the same point twice where they meet."""
    to_b = sub(add(add(b[0], b[1]), b[2]), add(add(a[0], a[1]), a[2]))
    a, b = farthest_last(a, to_b), farthest_last(b, scale(-1.0, to_b))
    for trial in range(GUESSES + EDGE_PAIRS):
        if trial == GUESSES:
            is_found, p, q = closest_face_corner(a, b)
            if is_found:
                return p, q
            is_found, q, p = closest_face_corner(b, a)
            if is_found:
                return p, q
        w, ea, eb = sub(b[0], a[0]), sub(a[1], a[0]), sub(b[1], b[0])
        s, u, is_skew = closest_of_edges(w, ea, eb)
        pa, pb = scale(s, ea), scale(u, eb)
        v = sub(add(w, pb), pa)
        d_squared, size_squared = dot(v, v), dot(ea, ea) + dot(eb, eb)
        if not d_squared > TOUCH_SQUARED * size_squared + FAINT:
            break
        gain = 0.0
        if not is_skew or d_squared < CLOSE_SQUARED * size_squared:
            v = straightened(v, ea, eb, s, u)
            if not is_skew:
                gain = max(gain_along(v, ea, s), gain_along(scale(-1.0, v), eb, u))
        # To go towards the third corners would gain this much of the squared distance.
        gain_a, gain_b = dot(sub(sub(a[2], a[0]), pa), v), -dot(sub(sub(b[2], b[0]), pb), v)
        if max(max(gain_a, gain_b), gain) <= TOUCH * d_squared:
            return lerp(a[0], a[1], s), lerp(b[0], b[1], u)
        if trial < GUESSES:
            a = turned(a, s) if gain_a > 0.0 else a
            b = turned(b, u) if gain_b > 0.0 else b
        else:
            a, b = next_edges(a, b, trial - GUESSES)
    return closest_of_all_features(a, b)
