"""How far two patches of surface must be moved until a plane parts them, and along which direction.

As far as their shadows on a direction overlap. Those directions are tried in which the overlap of two convex
polyhedra can be least: the normals of the faces, and the common normals of edges.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.creases import FLAT
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.proximity.penetration.contact_regions import Patch
from firstcontact.proximity.touching.contact_direction import (
    NOWHERE,
    SOME_DIRECTION,
    face_normal,
    normal_of,
    unit,
)
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub

# Pairs of edges whose common normals are tried, at most: some 50 ms. Beyond, those of faces must do.
MAX_EDGE_PAIRS = 2**23

# Points that are looked at along all directions together, at most: some 0.2 s. Only bodies deep in each other
# and about equally thick in all directions have as many directions that need to be tried.
MAX_SHADOWS = 2**26

# Points of a region that are far from each other: they alone rule out most directions.
N_SPREAD = 4

# Columns of an arc: an end of an edge, the other as seen from it, and the normals on either side.
FROM, WAY, NORMAL, OTHER_NORMAL = 0, 3, 6, 9

# An overlap, and the direction of it.
Thin = tuple[float, Vec3]


class Shadows(NamedTuple):
    """What is known of two patches; arrays (n, 3) of points as seen from b.

    held_a, held_b : points of each that are in the other body; for a whole body, all of its own
    spread : points in both bodies that are far from each other
    facing_a, facing_b : as in `Topology`; 0 for a whole body, which ends where it is farthest
    near : patches must not go on beyond what is held by more: else they are cut off there, and more of the
        bodies overlaps
    latest : (2,) room for what ruled out the last direction
    """

    held_a: Array
    held_b: Array
    spread: Array
    facing_a: float
    facing_b: float
    near: float
    latest: NDArray[np.int64]


def spread_of(points: Array) -> Array:
    """Some of the points (n, 3) that are far from each other, the first two about the farthest."""
    if len(points) == 0:
        return points
    chosen = [points[np.linalg.norm(points - points[0], axis=1).argmax()]]
    nearest = np.full(len(points), np.inf)
    for _ in range(N_SPREAD - 1):
        nearest = np.minimum(nearest, np.linalg.norm(points - chosen[-1], axis=1))
        chosen.append(points[nearest.argmax()])
    return np.array(chosen)


@kernel
def point_of(points: Array, i: int) -> Vec3:
    """Read one of an array of points (n, 3)."""
    return points[i, 0], points[i, 1], points[i, 2]


@driver
def thinnest(a: Patch, b: Patch, shadows: Shadows, known: float) -> Thin:
    """Find the direction in which the shadows of two patches overlap least, if less than what is known."""
    best = (known, NOWHERE)
    best = _thinner(best, a, b, shadows, unit(sub(mean_normal(a.faces), mean_normal(b.faces))))
    best = _thinner(best, a, b, shadows, SOME_DIRECTION)
    budget = MAX_SHADOWS // (len(a.points) + len(b.points) + len(shadows.held_a) + len(shadows.held_b))
    for faces in (a.faces, b.faces):
        for i in range(len(faces)):
            d = face_normal(faces, i)
            for _ in range(2):
                if budget > 0 and _width(shadows.spread, d) < best[0]:
                    best = _thinner(best, a, b, shadows, d)
                    budget -= 1
                d = scale(-1.0, d)
    arcs_a, arcs_b = np.empty((len(a.edges), 12)), np.empty((len(b.edges), 12))
    n_a = _list_arcs(a.edges, shadows.spread, best[0], arcs_a)
    n_b = _list_arcs(b.edges, shadows.spread, best[0], arcs_b)
    if n_a * n_b <= MAX_EDGE_PAIRS:
        for i in range(n_a):
            for j in range(n_b):
                d = _common_normal(arcs_a, arcs_b, i, j, best[0])
                if d != NOWHERE and budget > 0 and _width(shadows.spread, d) < best[0]:
                    best = _thinner(best, a, b, shadows, d)
                    budget -= 1
    return best


@kernel
def _width(points: Array, d: Vec3) -> float:
    """How far points, if any, are apart along d."""
    return farthest_along(points, d) + farthest_along(points, scale(-1.0, d))


@kernel
def _thinner(best: Thin, a: Patch, b: Patch, shadows: Shadows, d: Vec3) -> Thin:
    """Return the best so far, or the overlap on d, if that is less, and not cut off."""
    back, latest, near = scale(-1.0, d), shadows.latest, shadows.near
    low = -farthest_along(shadows.spread, back)
    top = _reach(a.points, d, best[0] + low, latest[:1])
    if d == NOWHERE or top - low >= best[0]:
        return best
    bottom = -_reach(b.points, back, best[0] - top, latest[1:])
    if (
        top - bottom >= best[0]
        or top > farthest_along(shadows.held_a, d) + near
        or -bottom > farthest_along(shadows.held_b, back) + near
        or shadows.facing_a * _facing(a.faces, d, top - near) < 0.0
        or shadows.facing_b * _facing(b.faces, back, -bottom - near) < 0.0
    ):
        return best
    return top - bottom, d


@kernel
def _facing(faces: Array, d: Vec3, height: float) -> float:
    """Sum of the normals of faces that reach to a height along d, as far as they point along d.

    Where a dent is deepest, nothing goes on beyond either, but the body is on the other side.
    """
    total = 0.0
    for i in range(len(faces)):
        p, q, r = triangle_of(faces, i)
        if max(max(dot(d, p), dot(d, q)), dot(d, r)) >= height:
            total += dot(d, normal_of(sub(q, p), sub(r, p)))
    return total


@kernel
def _reach(points: Array, d: Vec3, enough: float, latest: NDArray[np.int64]) -> float:
    """As `farthest_along`, but no more than enough; what was enough the last time is looked at first."""
    most = dot(d, point_of(points, latest[0]))
    if most >= enough:
        return most
    for i in range(len(points)):
        height = dot(d, point_of(points, i))
        if height > most:
            most = height
            if most >= enough:
                latest[0] = i
                break
    return most


@kernel
def farthest_along(points: Array, d: Vec3) -> float:
    """How far points reach along d."""
    most = -INFINITY
    for i in range(len(points)):
        most = max(most, dot(d, point_of(points, i)))
    return most


@kernel
def mean_normal(faces: Array) -> Vec3:
    """Sum of the faces' unit normals."""
    total = NOWHERE
    for i in range(len(faces)):
        total = add(total, face_normal(faces, i))
    return total


@kernel
def _list_arcs(edges: Array, spread: Array, best: float, arcs: Array) -> int:
    """Write edges that can be farthest along a direction with less than the best overlap; how many.

    An arc is a row: an end of the edge, the other as seen from it, and the normals of the two triangles on
    the side where neither has anything beyond: the edge is farthest in all directions between the normals.
    """
    n = 0
    for i in range(len(edges)):
        p, row = (edges[i, 0], edges[i, 1], edges[i, 2]), edges[i]
        e, f, g = (
            sub((row[3], row[4], row[5]), p),
            sub((row[6], row[7], row[8]), p),
            sub((row[9], row[10], row[11]), p),
        )
        u, v = normal_of(e, f), normal_of(e, g)
        u, v = scale(-1.0 if dot(u, g) > 0.0 else 1.0, u), scale(-1.0 if dot(v, f) > 0.0 else 1.0, v)
        if u == NOWHERE or v == NOWHERE or norm(sub(u, v)) <= FLAT or _is_wide(u, v, spread, best):
            continue
        for k in range(3):
            arcs[n, FROM + k], arcs[n, WAY + k] = p[k], e[k]
            arcs[n, NORMAL + k], arcs[n, OTHER_NORMAL + k] = u[k], v[k]
        n += 1
    return n


@kernel
def _is_wide(u: Vec3, v: Vec3, spread: Array, best: float) -> bool:
    """Is a region wider than the best overlap along all directions between two?"""
    for i in range(1, len(spread)):
        for j in range(i):
            # A direction between is no shorter a sum of the two than it is as a unit vector.
            w = sub(point_of(spread, i), point_of(spread, j))
            x, y = dot(u, w), dot(v, w)
            if min(x, y) > best or max(x, y) < -best:
                return True
    return False


@kernel
def _normals_of(arc: Array) -> tuple[Vec3, Vec3]:
    """Normals on either side of an edge."""
    one = arc[NORMAL], arc[NORMAL + 1], arc[NORMAL + 2]
    return one, (arc[OTHER_NORMAL], arc[OTHER_NORMAL + 1], arc[OTHER_NORMAL + 2])


@kernel
def _common_normal(arcs_a: Array, arcs_b: Array, i: int, j: int, best: float) -> Vec3:
    """Direction in which a's edge is farthest, and b's against it; none, too, if they overlap by the best."""
    one, other = arcs_a[i], arcs_b[j]
    f = other[WAY], other[WAY + 1], other[WAY + 2]
    u, v = _normals_of(one)
    if dot(u, f) * dot(v, f) > 0.0:
        return NOWHERE
    e = one[WAY], one[WAY + 1], one[WAY + 2]
    x, y = _normals_of(other)
    if dot(x, e) * dot(y, e) > 0.0:
        return NOWHERE
    d = normal_of(e, f)
    if dot(d, add(u, v)) < 0.0:
        d = scale(-1.0, d)
    apart = one[FROM] - other[FROM], one[FROM + 1] - other[FROM + 1], one[FROM + 2] - other[FROM + 2]
    return d if dot(d, add(x, y)) < 0.0 and dot(d, apart) < best else NOWHERE
