"""Is a function that is trilinear in a box within a tolerance of the distance to a surface, all over the box?

The proofs are in docs/fields.md, section by section under the names used here. All of them need the triangles
that can be closest to any point of the box, with the closest points to its middle: its `Near`.
"""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.fields.core_distance import core_distance, core_extent
from firstcontact.fields.surface import CLUSTER, Source, Surface, closest_on, side_of, triangle_at
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

# Outcomes: the function is off somewhere; it is nowhere off; nothing is known.
IS_OFF, IS_PROVEN, IS_OPEN = range(3)

# Squared sine of the angle below which the normal of a triangle has lost digits, and is not used; and what is
# lost above it: some 16 roundings, over the sine.
SLENDER = 1e-6
TILT_ROUNDING = 1e-11

Corners = tuple[float, float, float, float, float, float, float, float]


class Near(NamedTuple):
    """Triangles near a box, and clusters of them, which are small beside it: rows first to last.

    ids : of triangles; of clusters, -1 less their number
    points, distances : the closest point to the middle of the box and its distance; of a cluster, the middle
        of its ball and the distance to the ball
    """

    ids: Ids
    points: Array
    distances: Array


class Box(NamedTuple):
    """A cube, half its width, half its diagonal, rounded up, and which triangles are near it.

    distance, closest : of the middle to the surface, unsigned, and the triangle that is closest
    """

    middle: Vec3
    half: float
    radius: float
    first: int
    last: int
    distance: float
    closest: int


class Allowed(NamedTuple):
    """How far the function may be off, and how far off a distance is by rounding, at most."""

    tolerance: float
    rounding: float


@kernel
def corner_of(box: Box, i: int) -> Vec3:
    """Corner i of a box: bits 0, 1 and 2 of its number say which end of x, y and z."""
    h = box.half
    return add(box.middle, (h if i & 1 else -h, h if i & 2 else -h, h if i & 4 else -h))


@kernel
def prove_box(source: Source, near: Near, box: Box, values: Corners, allowed: Allowed) -> int:
    """Decide about the trilinear function with the given values at the corners of a box."""
    if source.kind >= 0:
        return _prove_convex(source, box, values, allowed.tolerance)
    surface = source.surface
    side = side_of(surface, box.closest, box.middle)
    value = 0.0
    for i in range(8):
        value += 0.125 * values[i]
    if abs(side * box.distance - value) > allowed.tolerance:
        return IS_OFF
    if _by_lipschitz(box, values, side, allowed.tolerance):
        return IS_PROVEN
    if box.distance > box.radius + allowed.rounding:
        is_below = _is_below_triangles(surface, near, box, values, side, allowed.tolerance)
        if is_below and _is_above_tangents(surface, near, box, values, side, allowed.tolerance):
            return IS_PROVEN
    if surface.is_signed and box.distance <= 2.0 * box.radius:
        return IS_PROVEN if _by_slab(surface, near, box, values, allowed) else IS_OPEN
    return IS_OPEN


@kernel
def value_of(source: Source, p: Vec3) -> tuple[float, Vec3]:
    """Signed distance of a convex source at a point, and its gradient."""
    distance, gradient = core_distance(source.kind, source.half, sub(p, source.middle))
    return distance - source.radius, gradient


@kernel
def _prove_convex(source: Source, box: Box, values: Corners, tolerance: float) -> int:
    """Decide about a convex distance: nowhere above what is between corners, nowhere below its tangents."""
    g = value_of(source, box.middle)[1]
    at_middle = (
        dot(g, sub(box.middle, source.middle)) - core_extent(source.kind, source.half, g) - source.radius
    )
    value, most = 0.0, -INFINITY
    for k in range(8):
        value += 0.125 * values[k]
        most = max(most, values[k] - at_middle - dot(g, sub(corner_of(box, k), box.middle)))
    if most <= tolerance:
        return IS_PROVEN
    return IS_OFF if value - at_middle > tolerance else IS_OPEN


@kernel
def _by_lipschitz(box: Box, values: Corners, side: float, tolerance: float) -> bool:
    """Is the box so small that the distance cannot leave the tolerance?"""
    low, high = values[0], values[0]
    for i in range(1, 8):
        low, high = min(low, values[i]), max(high, values[i])
    d = side * box.distance
    return d + box.radius - low <= tolerance and high - d + box.radius <= tolerance


@kernel
def _is_below_triangles(
    surface: Surface, near: Near, box: Box, values: Corners, side: float, tolerance: float
) -> bool:
    """Is the unsigned distance nowhere larger than the function: since that to one triangle is convex.

    So is a mean of those to two of them, which is what counts where one is closest here, the other there.
    """
    one = _excess(surface, box.closest, box, values, side)
    worst = 0
    for k in range(1, 8):
        worst = k if one[k] > one[worst] else worst
    if one[worst] <= tolerance:
        return True
    there = closest_triangle(surface, near, box, corner_of(box, worst))[0]
    other = _excess(surface, there, box, values, side)
    for part in (0.25, 0.5, 0.75, 1.0):
        most = -INFINITY
        for k in range(8):
            most = max(most, one[k] + part * (other[k] - one[k]))
        if most <= tolerance:
            return True
    return False


@kernel
def _excess(surface: Surface, i: int, box: Box, values: Corners, side: float) -> Corners:
    """By how much the distance of one triangle is larger than the function, at each corner."""
    return (
        _distance(surface, i, corner_of(box, 0)) - side * values[0],
        _distance(surface, i, corner_of(box, 1)) - side * values[1],
        _distance(surface, i, corner_of(box, 2)) - side * values[2],
        _distance(surface, i, corner_of(box, 3)) - side * values[3],
        _distance(surface, i, corner_of(box, 4)) - side * values[4],
        _distance(surface, i, corner_of(box, 5)) - side * values[5],
        _distance(surface, i, corner_of(box, 6)) - side * values[6],
        _distance(surface, i, corner_of(box, 7)) - side * values[7],
    )


@kernel
def _distance(surface: Surface, i: int, p: Vec3) -> float:
    return norm(sub(p, closest_on(surface.triangles, i, p)))


@kernel
def _is_above_tangents(
    surface: Surface, near: Near, box: Box, values: Corners, side: float, tolerance: float
) -> bool:
    """Is the unsigned distance nowhere smaller: those to triangles and balls are above tangents."""
    largest = -INFINITY
    for k in range(8):
        largest = max(largest, side * values[k])
    for row in range(box.first, box.last):
        distance, i = near.distances[row], near.ids[row]
        if distance - box.radius >= largest - tolerance:
            continue
        q = near.points[row, 0], near.points[row, 1], near.points[row, 2]
        if _is_above_tangent(box, values, side, tolerance, q, distance):
            continue
        if i >= 0:
            return False
        for j in range((-1 - i) * CLUSTER, min(-i * CLUSTER, len(surface.triangles))):
            if ball_distance(surface.own_balls, j, box.middle) - box.radius >= largest - tolerance:
                continue
            q = closest_on(surface.triangles, j, box.middle)
            if not _is_above_tangent(box, values, side, tolerance, q, norm(sub(box.middle, q))):
                return False
    return True


@kernel
def _is_above_tangent(
    box: Box, values: Corners, side: float, tolerance: float, q: Vec3, distance: float
) -> bool:
    """Is a tangent, of the distance from q less some radius, nowhere below the function?"""
    away = sub(box.middle, q)
    length = norm(away)
    if not length > 0.0:
        return False
    g = scale(box.half / length, away)
    for k in range(8):
        rise = (g[0] if k & 1 else -g[0]) + (g[1] if k & 2 else -g[1]) + (g[2] if k & 4 else -g[2])
        if side * values[k] - distance - rise > tolerance:
            return False
    return True


@kernel
def _by_slab(surface: Surface, near: Near, box: Box, values: Corners, allowed: Allowed) -> bool:
    """Does all surface nearby lie between two planes, close to each other, and part inside from outside?"""
    g, value = (0.0, 0.0, 0.0), 0.0
    for k in range(8):
        v = values[k]
        g = add(g, (v if k & 1 else -v, v if k & 2 else -v, v if k & 4 else -v))
        value += 0.125 * v
    length = norm(g)
    if not length > 0.0:
        return False
    n = scale(1.0 / length, g)
    bend = 0.0
    for k in range(8):
        bend = max(bend, abs(values[k] - value - dot(n, sub(corner_of(box, k), box.middle))))
    reach = 2.0 * box.radius + abs(value) + allowed.tolerance
    if reach > box.distance + 4.0 * box.radius:
        return False
    width = 0.0
    for row in range(box.first, box.last):
        if near.distances[row] <= reach:
            room = allowed.tolerance - bend
            width = max(width, _row_from_plane(surface, near, row, (n, value, reach), box.middle, room))
            if width > room:
                return False
    beyond = width + 2.0 * allowed.rounding
    if abs(value) + beyond > 2.0 * box.radius:
        return False
    above = add(box.middle, scale(beyond - value, n))
    below = add(box.middle, scale(-beyond - value, n))
    return side_at(surface, near, box, above) > 0.0 and side_at(surface, near, box, below) < 0.0


@kernel
def _row_from_plane(
    surface: Surface, near: Near, row: int, plane: tuple[Vec3, float, float], middle: Vec3, room: float
) -> float:
    """Bound how far from a plane a triangle, or a cluster of them, goes in a ball around the middle."""
    n, value, reach = plane
    i = near.ids[row]
    q = near.points[row, 0], near.points[row, 1], near.points[row, 2]
    if i >= 0:
        return _farthest_from_plane(surface, i, q, middle, plane)
    radius = surface.balls[-1 - i, 3]
    farthest = abs(value + dot(n, sub(q, middle))) + radius
    if farthest <= room:
        return float(farthest)
    farthest = 0.0
    for j in range((-1 - i) * CLUSTER, min(-i * CLUSTER, len(surface.triangles))):
        if ball_distance(surface.own_balls, j, middle) > reach:
            continue
        q = closest_on(surface.triangles, j, middle)
        if norm(sub(middle, q)) <= reach:
            farthest = max(farthest, _farthest_from_plane(surface, j, q, middle, plane))
            if farthest > room:
                return farthest
    return farthest


@kernel
def _farthest_from_plane(
    surface: Surface, i: int, q: Vec3, middle: Vec3, plane: tuple[Vec3, float, float]
) -> float:
    """Bound how far from a plane a triangle, with its closest point q, goes in a ball around the middle."""
    n, value, reach = plane
    a, b, c = triangle_at(surface.triangles, i)
    farthest = max(
        abs(value + dot(n, sub(a, middle))),
        abs(value + dot(n, sub(b, middle))),
        abs(value + dot(n, sub(c, middle))),
    )
    ab, ac = sub(b, a), sub(c, a)
    m = cross(ab, ac)
    area_squared = dot(m, m)
    if not area_squared > SLENDER * dot(ab, ab) * dot(ac, ac):
        return farthest
    away = sub(middle, q)
    along = sqrt(max(reach * reach - dot(away, away), 0.0))
    tilt = norm(cross(n, m)) / sqrt(area_squared) + TILT_ROUNDING
    return min(farthest, abs(value + dot(n, sub(q, middle))) + tilt * along)


@kernel
def side_at(surface: Surface, near: Near, box: Box, p: Vec3) -> float:
    """Sign of the distance at a point that is not farther from the middle than two radii."""
    return side_of(surface, closest_triangle(surface, near, box, p)[0], p)


@kernel
def closest_triangle(surface: Surface, near: Near, box: Box, p: Vec3) -> tuple[int, float]:
    """Triangle closest to a point near a box, and its distance, unsigned."""
    away = norm(sub(p, box.middle)) * (1.0 + 1e-12)
    best = box.closest
    least = norm(sub(p, closest_on(surface.triangles, best, p)))
    for row in range(box.first, box.last):
        if near.distances[row] - away >= least:
            continue
        i = near.ids[row]
        if i >= 0:
            if ball_distance(surface.own_balls, i, p) < least:
                distance = norm(sub(p, closest_on(surface.triangles, i, p)))
                if distance < least:
                    best, least = int(i), distance
        elif ball_distance(surface.balls, -1 - i, p) < least:
            best, least = closest_in_cluster(surface, -1 - i, p, best, least)
    return best, least


@kernel
def ball_distance(balls: Array, i: int, p: Vec3) -> float:
    """Distance of a point from a ball, rounded down; negative inside."""
    ball = balls[i]
    return float(norm(sub(p, (ball[0], ball[1], ball[2]))) * (1.0 - 1e-14) - ball[3])


@kernel
def closest_in_cluster(surface: Surface, i: int, p: Vec3, best: int, least: float) -> tuple[int, float]:
    """Triangle of a cluster that is closer to a point than the best so far, and its distance; or that."""
    for j in range(i * CLUSTER, min((i + 1) * CLUSTER, len(surface.triangles))):
        if ball_distance(surface.own_balls, j, p) < least:
            distance = norm(sub(p, closest_on(surface.triangles, j, p)))
            if distance < least:
                best, least = j, distance
    return best, least
