"""The direction of a contact, from a to b, told by the faces around the place where they touch.

Faces around a feature are rows of an array (n, 9): the corners, as seen from the point that touches.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.motions.relative_motion import Placement
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

NOWHERE = (0.0, 0.0, 0.0)
SOME_DIRECTION = (0.0, 0.0, 1.0)

# Sine of the angle below which edges are parallel, a face is a segment, or a motion is along the surface:
# the direction that is left is mostly rounding.
FLAT = 1e-9

# Cosine from which the normal of a face, or of two edges, is that of their closest points, but more exact.
SAME = 0.99


class Fans(NamedTuple):
    """The faces around two features, as seen from their closest points; the first n of each array count."""

    a: Array
    n_a: int
    b: Array
    n_b: int


@kernel
def unit(v: Vec3) -> Vec3:
    """Vector of length one; none for one that has hardly any."""
    length = norm(v)
    return scale(1.0 / length, v) if length > SHORTEST else NOWHERE


@kernel
def normal_of(e: Vec3, f: Vec3) -> Vec3:
    """Unit vector at right angles to two, of any sign; none where they are parallel."""
    length_e, length_f = norm(e), norm(f)
    if not (length_e > SHORTEST and length_f > SHORTEST):
        return NOWHERE
    n = cross(scale(1.0 / length_e, e), scale(1.0 / length_f, f))
    sine = norm(n)
    return scale(1.0 / sine, n) if sine > FLAT else NOWHERE


@kernel
def face_normal(fan: Array, i: int) -> Vec3:
    """Unit normal of one of the faces; none for a face without area."""
    p = fan[i, 0], fan[i, 1], fan[i, 2]
    return normal_of(sub((fan[i, 3], fan[i, 4], fan[i, 5]), p), sub((fan[i, 6], fan[i, 7], fan[i, 8]), p))


@kernel
def farthest(fan: Array, n_faces: int, n: Vec3, blur: float) -> float:
    """How far the faces certainly reach along n, which may be off by so much."""
    best = 0.0
    for i in range(n_faces):
        for k in range(0, 9, 3):
            x = fan[i, k], fan[i, k + 1], fan[i, k + 2]
            best = max(best, dot(n, x) - blur * norm(x))
    return best


@kernel
def misfit(fans: Fans, n: Vec3, blur: float) -> float:
    """How far a, or b, reaches over to the other side of the plane at right angles to n."""
    return max(farthest(fans.a, fans.n_a, n, blur), farthest(fans.b, fans.n_b, scale(-1.0, n), blur))


@kernel
def approach(place: Placement, x: Vec3) -> Vec3:
    """Velocity of a's point at x as seen by b's."""
    turn_a = scale(place.rate_a, cross(place.axis_a, sub(x, place.pivot_a)))
    turn_b = scale(place.rate_b, cross(place.axis_b, sub(x, place.pivot_b)))
    return add(place.velocity, sub(turn_a, turn_b))


@kernel
def oriented(n: Vec3, place: Placement, x: Vec3) -> Vec3:
    """Turn n to the way a moves at x, as seen from b, or else to the way from the middle of a to b's."""
    velocity = approach(place, x)
    towards = dot(velocity, n)
    if not abs(towards) > FLAT * norm(velocity):
        towards = -dot(place.offset, n)
    return n if towards >= 0.0 else scale(-1.0, n)


@kernel
def outwards(fan: Array, n_faces: int) -> Vec3:
    """Mean of the unit vectors to the corners of the faces: where the body is."""
    total = NOWHERE
    for i in range(n_faces):
        for k in range(0, 9, 3):
            x = fan[i, k], fan[i, k + 1], fan[i, k + 2]
            length = norm(x)
            if length > SHORTEST:
                total = add(total, scale(1.0 / length, x))
    return total


@kernel
def touching_direction(
    fans: Fans, normal: Vec3, place: Placement, x: Vec3, near: float, slack: float
) -> Vec3:
    """Direction where the distance is none: that which parts the two, or of all normals the best.

    normal : that of the two edges, or of the face, that touch at x; none where there is none
    near : length that counts as none
    slack : how far a and b may reach over to the other side
    """
    away = unit(sub(outwards(fans.b, fans.n_b), outwards(fans.a, fans.n_a)))
    amiss = misfit(fans, away, 0.0) if away != NOWHERE else INFINITY
    if amiss <= near:
        return away
    best, least = away, INFINITY
    for k in range(1 + fans.n_b + fans.n_a):
        n = normal
        if k > 0:
            n = face_normal(fans.b, k - 1) if k <= fans.n_b else face_normal(fans.a, k - 1 - fans.n_b)
        if n != NOWHERE:
            n = oriented(n, place, x)
            for _ in range(2):
                bad = misfit(fans, n, 0.0)
                if bad < least - near:
                    best, least = n, bad
                n = scale(-1.0, n)
    if least > slack and amiss < least:
        best = away
    if best == NOWHERE:
        best = unit(approach(place, x))
    return best if best != NOWHERE else SOME_DIRECTION


@kernel
def gap_direction(w: Vec3, exact: Vec3) -> Vec3:
    """Unit vector along the gap w: the normal of face or edges, which is exact, where it is the same."""
    n = scale(1.0 / norm(w), w)
    cosine = dot(n, exact)
    if abs(cosine) < SAME:
        return n
    return exact if cosine > 0.0 else scale(-1.0, exact)
