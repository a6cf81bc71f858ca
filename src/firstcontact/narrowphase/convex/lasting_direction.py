"""How long two convex shapes are apart along a direction, which may turn with them.

The bounds of `motion_bound` take all points of a shape to be as far ahead as the first, and as fast as the
fastest. Those of a face that turns then seem to close at once, though it keeps away from what is in front of
it. Here each point counts with its own distance and speed, and the direction turns with the closest features.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import FOREVER, SHORTENED, Travel, lasting_time
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import Simplex
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# A step that is no shorter than this part of the one in sight is good enough; nor is it looked at more often.
IN_SIGHT, MOST_LOOKS = 0.95, 3

# A direction that turns faster than so many times the shapes follows no feature of theirs.
MOST_TURNS = 4.0

_STILL = (0.0, 0.0, 0.0)


@kernel
def longer_time(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    place: Placement,
    simplex: Simplex,
    bound: tuple[Vec3, float, float, float, float],
) -> float:
    """Lengthen a step in which a gap along a direction from a to b is not travelled.

    simplex : where the search for the distance ended
    bound : the direction, the gap, the bend of the travel along it, the step that follows, and how long one
        is of use
    """
    n, gap, bend, time, most = bound
    turn = _turn_of(n, simplex, place)
    if turn != _STILL:
        rate, speed = norm(turn), norm(place.velocity)
        far_a = norm(sub(place.offset, place.pivot_a)) + a.reach
        far_b, apart = norm(place.pivot_b) + b.reach, norm(sub(place.pivot_a, place.pivot_b))
        bent = (place.rate_a + rate) ** 2 * far_a + (place.rate_b + rate) ** 2 * far_b
        bent = 0.5 * (bent + rate * (rate * apart + 3.0 * speed))
        time = _longer_along(a, b, pool_a, pool_b, place, turn, (n, gap, bent, time, most))
    return _longer_along(a, b, pool_a, pool_b, place, _STILL, (n, gap, bend, time, most))


@kernel
def _turn_of(n: Vec3, simplex: Simplex, place: Placement) -> Vec3:
    """Angular velocity of a direction that stays across the closest features: a face, or two edges."""
    corners, points = simplex.corners, simplex.points
    if simplex.n_corners < 2 or simplex.n_corners > 3:
        return _STILL
    e, r = _drift(corners[0], points[0], corners[1], points[1], n, place)
    squared = dot(e, e)
    if simplex.n_corners == 2 and points[0] == points[1]:  # a corner of a, and b, a face of which it may be
        return scale(place.rate_b, place.axis_b)
    if simplex.n_corners == 2 and add(points[0], corners[0]) == add(points[1], corners[1]):
        return scale(place.rate_a, place.axis_a)
    if simplex.n_corners == 3:
        f, s = _drift(corners[0], points[0], corners[2], points[2], n, place)
        m = cross(e, f)
        squared, change = dot(m, m), add(scale(r, cross(f, m)), scale(s, cross(m, e)))
    else:
        change = scale(r, e)
    limit = MOST_TURNS * (place.rate_a + place.rate_b)
    if not norm(change) < limit * squared:
        return _STILL
    return cross(n, scale(1.0 / squared, change))


@kernel
def _drift(w: Vec3, p: Vec3, v: Vec3, q: Vec3, n: Vec3, place: Placement) -> tuple[Vec3, float]:
    """The way between two corners of the simplex, and how fast it must fall along n to stay across it."""
    e, x = sub(v, w), sub(q, p)
    y = add(e, x)
    moving = sub(scale(place.rate_b, cross(place.axis_b, y)), scale(place.rate_a, cross(place.axis_a, x)))
    return e, -dot(n, moving)


@kernel
def _longer_along(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    place: Placement,
    turn: Vec3,
    bound: tuple[Vec3, float, float, float, float],
) -> float:
    """The same along a direction with an angular velocity."""
    # As seen along n, which turns at u, a point at r of what turns at w gets to (n + s n x (w - u)) . r in a
    # time s, and s^2 bend beyond. The farthest along that vector tells how far all get. It is convex in s:
    # where it is within the gap at one time, it was before; where it is beyond, it was below its chord, which
    # begins with nothing. Rounding is that of travel: the vectors are no longer than 2. Of the bend: the two
    # turns make one of (w + u)^2 at the most; the offset d + s v between the points that the two turn about
    # has u^2 (d + s v) + 2 u v along n, with s u <= 1.
    n, gap, bend, time, most = bound
    back = scale(-1.0, n)
    turn_a = cross(n, sub(scale(place.rate_a, place.axis_a), turn))
    turn_b = cross(back, sub(scale(place.rate_b, place.axis_b), turn))
    straight = dot(n, place.velocity) + dot(cross(turn, n), sub(place.pivot_a, place.pivot_b))
    around, arm = transposed(place.rotation), sub(place.offset, place.pivot_a)
    p = add(arm, mat_vec(place.rotation, support(a, pool_a, mat_vec(around, n))))
    q = sub(support(b, pool_b, back), place.pivot_b)
    sight = lasting_time(gap, Travel(straight + dot(turn_a, p) + dot(turn_b, q), FOREVER, bend))
    sight = min(min(sight, most), 1.0 / (place.rate_a + place.rate_b + norm(turn)))
    here = dot(n, p) + dot(back, q)
    for _ in range(MOST_LOOKS):
        if time >= IN_SIGHT * sight:
            break
        d, e = add(n, scale(sight, turn_a)), add(back, scale(sight, turn_b))
        far_a = dot(d, add(arm, mat_vec(place.rotation, support(a, pool_a, mat_vec(around, d)))))
        far_b = dot(e, sub(support(b, pool_b, e), place.pivot_b))
        gone = far_a + far_b - here + sight * (straight + sight * bend)
        if gone <= gap:
            return SHORTENED * sight
        time = max(time, SHORTENED * sight * (gap / gone))
        sight = sqrt(time * sight)
    return time
