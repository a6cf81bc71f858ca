"""Distance of two convex shapes (Gilbert, Johnson, Keerthi, 1988), with a proof of it.

The differences of points of b and of a are a convex set; its point closest to the origin is as far away as
the shapes are. A simplex of differences is taken closer to the origin, corner by corner. Each direction that
is tried proves a gap, which is a lower bound; each simplex has a point, which is an upper one. When they meet
the distance is known, whatever was lost to rounding on the way.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.convex.simplex import Quad, Weights, closest_weights, inside_weights
from firstcontact.narrowphase.triangles.closest_segments import closest_segments
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.convex import SEGMENT, Convex
from firstcontact.shapes.cores import support

# Steps before giving up. Polytopes end by themselves, and the roundest shapes were seen to need half of it.
MAX_STEPS = 256

# Steps that bring neither bound nearer before it ends. On a side that is curved one way and straight the
# other, a corner at the other end of a line makes the simplex no shorter, and its direction right.
PATIENCE = 12

# The two bounds count as one when they differ by this, in units of the shapes' sizes and distance: each is a
# sum of some ten rounded terms.
CLOSED = 16.0 * UNIT_ROUNDOFF


class Precision(NamedTuple):
    """How well a distance is to be known: its two bounds differ by `part` of what is beyond a margin.

    enough : or the upper one is no more than this
    """

    part: float
    margin: float
    enough: float


# Where nothing else is asked for.
EXACT = Precision(2.0**-44, 0.0, 0.0)


class ClosestCores(NamedTuple):
    """Two cores at a distance, in the frame of b.

    distance : of the points; where the cores overlap, minus a length by which they certainly do, to rounding
    gap : a lower bound that the direction proves, to rounding; not positive where they overlap
    direction : unit vector from a to b
    point_a, point_b : nearly closest points
    steps : how many it took
    """

    distance: float
    gap: float
    direction: Vec3
    point_a: Vec3
    point_b: Vec3
    steps: int


class RelativePose(NamedTuple):
    """Where shape a is, as seen from b."""

    rotation: Mat3
    offset: Vec3


class Simplex(NamedTuple):
    """Where a search begins, or ended: up to four points of each core, in the frame of b.

    direction : a unit vector from a to b
    points : of a
    corners : vectors from them to points of b
    n_corners : how many count; without any, the search begins along the direction
    """

    direction: Vec3
    points: Quad
    corners: Quad
    n_corners: int


@kernel
def closest_convex_convex(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, frame: RelativePose, guess: Vec3, precision: Precision
) -> ClosestCores:
    """Find the closest points of two cores.

    guess : a direction from a to b, of any length
    """
    return closest_from(a, b, pool_a, pool_b, frame, no_simplex(guess), precision)[0]


@kernel
def closest_from(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    frame: RelativePose,
    start: Simplex,
    precision: Precision,
) -> tuple[ClosestCores, Simplex]:
    """Find the closest points of two cores from a simplex on; return the last one too."""
    straight = closest_straight(a, b, frame)
    if straight.steps > 0:
        return straight, start
    back = transposed(frame.rotation)
    n = direction = start.direction
    none = (0.0, 0.0, 0.0, 0.0)
    corners, points, n_corners = start.corners, start.points, start.n_corners
    weights, length, gap, step, stalled = none, INFINITY, -INFINITY, 0, 0
    rounding = CLOSED * (a.reach + b.reach + norm(frame.offset)) + SHORTEST
    if n_corners > 0:
        weights = closest_weights(corners, n_corners)
        corners, points, weights, n_corners = _compressed(corners, points, weights)
        length = norm(_combined(corners, weights)) if n_corners > 0 else INFINITY
        if length > rounding and n_corners > 0:
            n = direction = _outward(corners, n_corners, weights, length)
    while step < MAX_STEPS:
        step += 1
        # The point of a that is farthest along n, and the vector from it to that of b that is farthest back.
        d, e = mat_vec(back, n), (-n[0], -n[1], -n[2])
        p = add(frame.offset, mat_vec(frame.rotation, support(a, pool_a, d)))
        w = sub(support(b, pool_b, e), p)
        along = dot(n, w)
        stalled += 1
        if along > gap:
            gap, direction, stalled = along, n, 0
        if length - gap <= precision.part * (gap - precision.margin) + rounding:
            break
        is_known = w == corners[0] or w == corners[1] or w == corners[2] or w == corners[3]
        if is_known and n_corners > 0:
            break
        tried, tried_points = _with(corners, n_corners, w), _with(points, n_corners, p)
        new_weights = closest_weights(tried, n_corners + 1)
        if new_weights == none:
            new_weights = inside_weights(tried)
            found = _closest(
                -_inner_radius(tried), min(gap, 0.0), direction, tried_points, tried, new_weights, step
            )
            return found, Simplex(direction, points, corners, n_corners)
        new_length = norm(_combined(tried, new_weights))
        if new_length < length:
            stalled = 0
        if stalled == PATIENCE or new_length > length * (1.0 + CLOSED):
            break
        length = new_length
        corners, points, weights, n_corners = _compressed(tried, tried_points, new_weights)
        if length <= precision.enough:
            break
        if length <= rounding:
            length, gap = 0.0, min(gap, 0.0)
            break
        n = _outward(corners, n_corners, weights, length)
    found = _closest(length, gap, direction, points, corners, weights, step)
    return found, Simplex(direction, points, corners, n_corners)


@kernel
def closest_straight(a: Convex, b: Convex, frame: RelativePose) -> ClosestCores:
    """Closest points of cores that are points or segments, in closed form; for all others 0 steps."""
    if a.kind > SEGMENT or b.kind > SEGMENT:
        return ClosestCores(0.0, 0.0, frame.offset, frame.offset, frame.offset, 0)
    # A point is a segment without a length.
    half_a, half_b, m = a.half[2], b.half[2], frame.rotation
    side = half_a * m[2], half_a * m[5], half_a * m[8]
    p, q = closest_segments(side, half_b, frame.offset)
    e = sub(q, p)
    length = norm(e)
    n = scale(1.0 / length, e) if length > SHORTEST else (1.0, 0.0, 0.0)
    gap = -dot(n, frame.offset) - abs(dot(n, side)) - abs(n[2]) * half_b
    # Where segments are almost parallel, points may be off; then the two bounds differ.
    return ClosestCores(length, gap, n, p, q, 1 if gap >= length * (1.0 - CLOSED) else 0)


@kernel
def no_simplex(guess: Vec3) -> Simplex:
    """Begin along a direction, of any length."""
    size = norm(guess)
    direction = scale(1.0 / size, guess) if size > SHORTEST else (1.0, 0.0, 0.0)
    nowhere = (0.0, 0.0, 0.0)
    quad = nowhere, nowhere, nowhere, nowhere
    return Simplex(direction, quad, quad, int(np.int64(0)))


@kernel
def moved_simplex(simplex: Simplex, before: RelativePose, after: RelativePose) -> Simplex:
    """Take the points of a with it from one place to another."""
    back = transposed(before.rotation)
    p0, w0 = _moved(simplex.points[0], simplex.corners[0], before, back, after)
    p1, w1 = _moved(simplex.points[1], simplex.corners[1], before, back, after)
    p2, w2 = _moved(simplex.points[2], simplex.corners[2], before, back, after)
    points, corners = (p0, p1, p2, p2), (w0, w1, w2, w2)
    return Simplex(simplex.direction, points, corners, simplex.n_corners)


@kernel
def _moved(p: Vec3, w: Vec3, before: RelativePose, back: Mat3, after: RelativePose) -> tuple[Vec3, Vec3]:
    own = mat_vec(back, sub(p, before.offset))
    moved = add(after.offset, mat_vec(after.rotation, own))
    return moved, add(w, sub(p, moved))


@kernel
def _with(corners: Quad, n: int, corner: Vec3) -> Quad:
    """Put one more corner in the n-th place, and all after it."""
    if n == 0:
        return corner, corner, corner, corner
    if n == 1:
        return corners[0], corner, corner, corner
    if n == 2:
        return corners[0], corners[1], corner, corner
    return corners[0], corners[1], corners[2], corner


@kernel
def _combined(corners: Quad, weights: Weights) -> Vec3:
    p = add(scale(weights[0], corners[0]), scale(weights[1], corners[1]))
    return add(p, add(scale(weights[2], corners[2]), scale(weights[3], corners[3])))


@kernel
def _compressed(corners: Quad, points: Quad, weights: Weights) -> tuple[Quad, Quad, Weights, int]:
    """Move the corners that have a weight to the front; repeat the last in what is left over."""
    n = 0
    c, p, s = corners, points, (0.0, 0.0, 0.0, 0.0)
    for i in range(4):
        if weights[i] > 0.0:
            if n == 0:
                corner, point = corners[i], points[i]
                c, p = (corner, corner, corner, corner), (point, point, point, point)
                s = weights[i], 0.0, 0.0, 0.0
            elif n == 1:
                c, p = (c[0], corners[i], corners[i], corners[i]), (p[0], points[i], points[i], points[i])
                s = s[0], weights[i], 0.0, 0.0
            else:
                c, p = (c[0], c[1], corners[i], corners[i]), (p[0], p[1], points[i], points[i])
                s = s[0], s[1], weights[i], 0.0
            n += 1
    return c, p, s, n


@kernel
def _outward(corners: Quad, n: int, weights: Weights, length: float) -> Vec3:
    """Unit vector from the origin to the closest point of a simplex.

    It is made at right angles to the simplex, not from the point itself, which close to the origin is mostly
    rounding.
    """
    v = _combined(corners, weights)
    if n == 2:
        e = sub(corners[1], corners[0])
        v = sub(v, scale(dot(v, e) / dot(e, e), e))
    elif n == 3:
        normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))
        along = dot(normal, v)
        size = norm(normal)
        if abs(along) > 0.5 * size * length:
            return scale(1.0 / size if along > 0.0 else -1.0 / size, normal)
    size = norm(v)
    return scale(1.0 / size, v) if size > SHORTEST else (1.0, 0.0, 0.0)


@kernel
def _inner_radius(corners: Quad) -> float:
    """Distance of the origin, which a tetrahedron holds, from its nearest face."""
    a, b, c, d = corners
    nearer = min(_from_plane(a, b, c), _from_plane(a, b, d))
    return min(nearer, min(_from_plane(a, c, d), _from_plane(b, c, d)))


@kernel
def _from_plane(a: Vec3, b: Vec3, c: Vec3) -> float:
    normal = cross(sub(b, a), sub(c, a))
    return abs(dot(normal, a)) / norm(normal)


@kernel
def _closest(
    distance: float, gap: float, direction: Vec3, points: Quad, corners: Quad, weights: Weights, steps: int
) -> ClosestCores:
    p = _combined(points, weights)
    return ClosestCores(distance, gap, direction, p, add(p, _combined(corners, weights)), steps)


@kernel
def core_distance(closest: ClosestCores) -> float:
    """Distance of two cores: 0 unless a gap between them is proven.

    Round shapes that all but touch may have points that are 1e-9 of the size apart, and no gap. Where there
    is one, the distance of the points is the better bound of the two: a direction that is off by little makes
    it wrong by the square of that, and the gap by as much.
    """
    return closest.distance if closest.gap > 0.0 else 0.0


@kernel
def surface_points(closest: ClosestCores, radius_a: float, radius_b: float) -> tuple[Vec3, Vec3]:
    """Closest points of two shapes with these radii around their cores; a common one where they overlap."""
    return on_surfaces(closest.point_a, closest.point_b, closest.direction, radius_a, radius_b)


@kernel
def on_surfaces(p: Vec3, q: Vec3, direction: Vec3, radius_a: float, radius_b: float) -> tuple[Vec3, Vec3]:
    """The same of two points with balls around them, and of a direction for where they are in one place."""
    e = sub(q, p)
    d = norm(e)
    n = scale(1.0 / d, e) if d > SHORTEST else direction
    if d > radius_a + radius_b:
        return add(p, scale(radius_a, n)), sub(q, scale(radius_b, n))
    # In the middle of what both balls cover of the line between the cores.
    middle = 0.5 * (d + radius_a - radius_b)
    common = add(p, scale(min(max(middle, d - radius_b, 0.0), radius_a, d), n))
    return common, common
