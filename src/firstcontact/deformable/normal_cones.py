"""Regions of a moving surface that cannot touch themselves: no fold, no contour that crosses itself.

Seen along a fixed direction, a region whose faces all show their front covers every point as often as its
contour winds around it. A contour that never meets itself winds at most once: no part of the region lies over
another. The proof is in docs/deformable.md.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.deformable.regions import MAX_CONTOUR_EDGES, Contours
from firstcontact.scalar.error_bounds import UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import (
    Triangle,
    Vec3,
    add,
    cross,
    dot,
    largest_component,
    largest_magnitudes,
    scale,
    sub,
)

Components = tuple[float, ...]

# One of each pair of opposite directions: towards the faces, edges and corners of a cube. Products with 0, 1
# and -1 are exact.
DIRECTIONS = (
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 0.0, 1.0),
    (1.0, 1.0, 0.0),
    (1.0, -1.0, 0.0),
    (1.0, 0.0, 1.0),
    (1.0, 0.0, -1.0),
    (0.0, 1.0, 1.0),
    (0.0, 1.0, -1.0),
    (1.0, 1.0, 1.0),
    (1.0, 1.0, -1.0),
    (1.0, -1.0, 1.0),
    (1.0, -1.0, -1.0),
)
N_DIRECTIONS = len(DIRECTIONS)
_LENGTHS = tuple(float(np.linalg.norm(direction)) for direction in DIRECTIONS)

# Normal along a direction, in units of the sum of the six products of a cross product: 7 u.
NORMAL_DIRECTION = 16.0 * UNIT_ROUNDOFF

# Gap between two edges of a contour along an axis of its picture, in units of the contour's size: 12 u.
CONTOUR_GAP = 16.0 * UNIT_ROUNDOFF

# Twice the area of an edge and a point of a contour's picture, in units of the squared size: 288 u.
CONTOUR_SIDE = 320.0 * UNIT_ROUNDOFF

# Subtrees, of some hundred faces each, from which a thread is worth its start.
WORTH_A_THREAD = 16

# Rows of a contour's picture: the coordinates of its vertices, then the ranges of its edges in each.
_START_U, _START_V, _END_U, _END_V = range(4)
_LOW, _HIGH, _N_ROWS = 4, 8, 12


class MovingTree(NamedTuple):
    """A tree over the faces of a mesh, and both ends of its vertices' motion."""

    children: Ids
    faces: Ids
    start: Array
    end: Array


def flat_nodes(
    children: Ids, faces: Ids, contours: Contours, vertices_t0: Array, vertices_t1: Array
) -> Flags:
    """Tell which nodes are proven free of self-contact for all t in [0, 1], vertices moving linearly.

    Conservative: in the region of a node that is True, no two features touch unless they share a vertex; of
    the others nothing is known. The nodes below one that is True are True.

    Parameters
    ----------
    children, faces, contours : what `region_contours` takes and returns
    vertices_t0, vertices_t1 : (m, 3) positions at both ends of the motion
    """
    flat = np.zeros(len(children), np.bool_)
    allowed = np.empty(len(children), np.int32)
    tree = MovingTree(children, faces, vertices_t0, vertices_t1)

    def mark(first: int, last: int) -> None:
        _mark_subtrees(tree, contours, (first, last), allowed, flat)

    on_ranges(mark, len(contours.subtrees) - 1, WORTH_A_THREAD)
    return flat


@driver
def _mark_subtrees(
    tree: MovingTree, contours: Contours, subtrees: tuple[int, int], allowed: Ids, flat: Flags
) -> None:
    """Mark the flat nodes of some subtrees; no two have nodes in common."""
    picture = np.empty((_N_ROWS, MAX_CONTOUR_EDGES))
    for s in range(subtrees[0], subtrees[1]):
        subtree = contours.subtrees[s], contours.subtrees[s + 1]
        _mark_subtree(tree, contours, subtree, allowed, flat, picture)


@kernel
def _mark_subtree(
    tree: MovingTree,
    contours: Contours,
    subtree: tuple[int, int],
    allowed: Ids,
    flat: Flags,
    picture: Array,
) -> None:
    """Find the directions that each node's faces allow, from below; test contours from above.

    From above, since most tests succeed: then nothing below needs one.
    """
    children, faces, start, end = tree
    nodes, _, offsets, vertex_ids = contours
    first, last = subtree
    for i in range(first, last):
        left, right = children[nodes[i], 0], children[nodes[i], 1]
        if left < 0:
            allowed[nodes[i]] = _allowed_directions(
                _corners(faces, ~left, start), _corners(faces, ~left, end)
            )
        else:
            allowed[nodes[i]] = allowed[left] & allowed[right]
    for i in range(last - 1, first - 1, -1):
        node, n = nodes[i], offsets[i + 1] - offsets[i]
        if (not flat[node]) & (allowed[node] != 0) & (n > 0):
            size = _draw(vertex_ids[offsets[i] : offsets[i + 1]], start, end, _middle(allowed[node]), picture)
            flat[node] = _is_simple(picture, n, size)
        if flat[node] & (children[node, 0] >= 0):  # what holds for a region holds for its parts
            flat[children[node, 0]] = flat[children[node, 1]] = True


@kernel
def _corners(faces: Ids, face: int, vertices: Array) -> Triangle:
    """The corners of a face."""
    a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
    return _point(vertices, a), _point(vertices, b), _point(vertices, c)


@kernel
def _point(vertices: Array, i: int) -> Vec3:
    """The position of a vertex."""
    return vertices[i, 0], vertices[i, 1], vertices[i, 2]


@kernel
def _allowed_directions(start: Triangle, end: Triangle) -> int:
    """Bits of the directions that a moving face's normal has an acute angle with, at all times.

    The normal is a quadratic in time, and positive along a direction if its Bernstein coefficients are.
    """
    e0, f0 = sub(start[1], start[0]), sub(start[2], start[0])
    e1, f1 = sub(end[1], end[0]), sub(end[2], end[0])
    n0, n2 = cross(e0, f0), cross(e1, f1)
    n1 = scale(0.5, add(cross(e0, f1), cross(e1, f0)))
    e, f = largest_magnitudes(e0, e1), largest_magnitudes(f0, f1)
    products = e[1] * f[2] + e[2] * f[1] + e[2] * f[0] + e[0] * f[2] + e[0] * f[1] + e[1] * f[0]
    error = NORMAL_DIRECTION * products + UNDERFLOW
    d0, d1, d2 = _along_directions(n0), _along_directions(n1), _along_directions(n2)
    bits = 0
    for k in range(N_DIRECTIONS):
        bits |= (min(min(d0[k], d1[k]), d2[k]) > error) << k
        bits |= (max(max(d0[k], d1[k]), d2[k]) < -error) << (k + N_DIRECTIONS)
    return bits


@kernel
def _along_directions(n: Vec3) -> Components:
    """Inner products of a vector with all of `DIRECTIONS`."""
    x, y, z = n
    a, b = x + y, x - y
    return x, y, z, a, b, x + z, x - z, y + z, y - z, a + z, a - z, b + z, b - z


@kernel
def _middle(allowed: int) -> Vec3:
    """The allowed direction that is nearest to the middle of all allowed ones."""
    x, y, z = 0.0, 0.0, 0.0
    for k in range(N_DIRECTIONS):
        weight = ((allowed >> k & 1) - (allowed >> (k + N_DIRECTIONS) & 1)) / _LENGTHS[k]
        d = DIRECTIONS[k]
        x, y, z = x + weight * d[0], y + weight * d[1], z + weight * d[2]
    best, fit = 0, -np.inf
    for k in range(N_DIRECTIONS):
        along = dot(DIRECTIONS[k], (x, y, z)) / _LENGTHS[k]
        if (allowed >> k & 1) & (along > fit):
            best, fit = k, along
        if (allowed >> (k + N_DIRECTIONS) & 1) & (-along > fit):
            best, fit = k, -along
    return DIRECTIONS[best]


@kernel
def _draw(contour: Ids, start: Array, end: Array, direction: Vec3, picture: Array) -> float:
    """Write a contour's picture along a direction, seen from its first vertex; return its size."""
    n, size = len(contour), 0.0
    origin_t0, origin_t1 = _point(start, contour[0]), _point(end, contour[0])
    for i in range(n):
        p0, p1 = sub(_point(start, contour[i]), origin_t0), sub(_point(end, contour[i]), origin_t1)
        picture[_START_U, i], picture[_START_V, i] = _seen_along(direction, p0)
        picture[_END_U, i], picture[_END_V, i] = _seen_along(direction, p1)
        size = max(size, largest_component(p0, p1, p1))
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        for k in range(4):
            picture[_LOW + k, i] = min(picture[k, i], picture[k, j])
            picture[_HIGH + k, i] = max(picture[k, i], picture[k, j])
    return size


@kernel
def _seen_along(direction: Vec3, p: Vec3) -> tuple[float, float]:
    """Shift a point along a direction of `DIRECTIONS` into a coordinate plane that it crosses."""
    x, y, z = direction
    if z != 0.0:
        return p[0] - x * z * p[2], p[1] - y * z * p[2]
    if y != 0.0:
        return p[0] - x * y * p[1], p[2]
    return p[1], p[2]


@kernel
def _is_simple(picture: Array, n: int, size: float) -> bool:
    """Whether edges of a contour's picture that share no vertex stay apart at all times, proven."""
    gap, area = CONTOUR_GAP * size, CONTOUR_SIDE * size * size + UNDERFLOW
    for i in range(n - 2):
        for j in range(i + 2, n - 1 if i == 0 else n):
            if not (
                _is_apart(picture, i, j, gap)
                or _is_beside(picture, n, i, j, area)
                or _is_beside(picture, n, j, i, area)
            ):
                return False
    return True


@kernel
def _is_apart(picture: Array, i: int, j: int, gap: float) -> bool:
    """Whether an axis keeps two edges apart at both ends of the motion in the same order, so throughout."""
    u = min(_gap(picture, _START_U, i, j), _gap(picture, _END_U, i, j))
    v = min(_gap(picture, _START_V, i, j), _gap(picture, _END_V, i, j))
    minus_u = min(_gap(picture, _START_U, j, i), _gap(picture, _END_U, j, i))
    minus_v = min(_gap(picture, _START_V, j, i), _gap(picture, _END_V, j, i))
    return max(max(u, minus_u), max(v, minus_v)) > gap


@kernel
def _gap(picture: Array, axis: int, i: int, j: int) -> float:
    """Gap from edge i up to edge j along an axis."""
    return float(picture[_LOW + axis, j] - picture[_HIGH + axis, i])


@kernel
def _is_beside(picture: Array, n: int, i: int, j: int, area: float) -> bool:
    """Whether edge j stays strictly on one side of the line through edge i."""
    low_a, high_a = _side(picture, i, i + 1 if i + 1 < n else 0, j)
    low_b, high_b = _side(picture, i, i + 1 if i + 1 < n else 0, j + 1 if j + 1 < n else 0)
    return (min(low_a, low_b) > area) | (max(high_a, high_b) < -area)


@kernel
def _side(picture: Array, a: int, b: int, p: int) -> tuple[float, float]:
    """Least and greatest Bernstein coefficient of twice the moving area of the points a, b, p."""
    x0, y0 = picture[_START_U, b] - picture[_START_U, a], picture[_START_V, b] - picture[_START_V, a]
    x1, y1 = picture[_END_U, b] - picture[_END_U, a], picture[_END_V, b] - picture[_END_V, a]
    p0, q0 = picture[_START_U, p] - picture[_START_U, a], picture[_START_V, p] - picture[_START_V, a]
    p1, q1 = picture[_END_U, p] - picture[_END_U, a], picture[_END_V, p] - picture[_END_V, a]
    s0, s2 = x0 * q0 - y0 * p0, x1 * q1 - y1 * p1
    s1 = 0.5 * ((x0 * q1 - y0 * p1) + (x1 * q0 - y1 * p0))
    return min(min(s0, s1), s2), max(max(s0, s1), s2)
