"""What sites are made of: points, segments and triangles, with radii and factors, in named columns."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from firstcontact.scalar.vec3 import Vec3, dot, sub

# Kinds of elements. A face counts only where it is straight below a point: its edges are elements, too. So
# does half a face, and the edge u along which it was cut.
POINT, SEGMENT, TRIANGLE, FACE, HALF_FACE = range(5)

# Columns of a table of elements, each of which begins with three coordinates of a corner.
A, U, V, B, C, W = 0, 3, 6, 9, 12, 15  # corner; edges a-b and a-c; the other corners; the edge b-c
UU, UV, VV, INVERSE = 18, 19, 20, 21  # products of u and v; 1 / |u x v|^2
PER_U, PER_V, PER_W = 22, 23, 24  # 1 over the squares of edges; 0 of what has no length
RADIUS, FACTOR, KIND = 25, 26, 27
N_COLUMNS = 28

# Columns of bounds of elements and of nodes: a box, and the least factor and the largest radius among them.
LOWER, LEAST_FACTOR, UPPER, MOST_RADIUS = 0, 3, 4, 7
N_BOUNDS = 8

# No angle at the corner a is nearer to 0 or a straight one than 60 degrees: its cosine is at most a half.
BLUNT = -0.5

# With such angles, a distance is off by no more than this many units of the last place of the largest length
# that goes into it: twice what adding up the roundings of the longest formula, that of a triangle, gives.
ROUNDINGS = 128.0 * 2.0**-53

# Elements from which another thread is worth its start.
WORTH_A_THREAD = 1 << 14

# Below this a square is no normal number any more: what is lost is less than this length.
TINY = 2.0**-500


class Parts(NamedTuple):
    """Elements as sites give them.

    corners : (n, 3, 3); a point has its place three times, a segment one end twice
    sites : (n,), increasing
    radii, factors : (n,)
    is_face_alone : whether faces count without their edges and corners
    """

    corners: Array
    sites: Ids
    radii: Array
    factors: Array
    is_face_alone: bool


class Elements(NamedTuple):
    """Elements as compiled code takes them, with a tree over them.

    table : (n, N_COLUMNS)
    bounds : (n, N_BOUNDS)
    sites : (n,)
    children, nodes : of the tree: nodes have N_BOUNDS columns, too
    is_plain : whether all radii are 0 and all factors 1
    """

    table: Array
    bounds: Array
    sites: Ids
    children: Ids
    nodes: Array
    is_plain: bool


def elements_of(parts: Parts) -> Elements:
    """Put elements into a table, blunt triangles cut in two, and build a tree over them."""
    corners, rows = _well_shaped(parts.corners)
    table = _table(corners)
    if parts.is_face_alone:
        is_half = np.bincount(rows, minlength=len(parts.corners))[rows] > 1
        is_triangle = table[:, KIND] == TRIANGLE
        table[is_triangle, KIND] = np.where(is_half[is_triangle], HALF_FACE, FACE)
    table[:, RADIUS], table[:, FACTOR] = parts.radii[rows], parts.factors[rows]
    bounds = np.empty((len(table), N_BOUNDS))
    a, b, c = corners.transpose(1, 0, 2)  # two at a time: reductions along short axes are slow
    bounds[:, LOWER : LOWER + 3] = np.minimum(np.minimum(a, b), c)
    bounds[:, UPPER : UPPER + 3] = np.maximum(np.maximum(a, b), c)
    bounds[:, LEAST_FACTOR], bounds[:, MOST_RADIUS] = table[:, FACTOR], table[:, RADIUS]
    is_plain = bool((table[:, RADIUS] == 0.0).all() and (table[:, FACTOR] == 1.0).all())
    tree = build_tree(bounds)
    sites = np.ascontiguousarray(parts.sites[rows])
    return Elements(table, bounds, sites, tree.children, refit(tree, bounds), is_plain)


def chosen(elements: Elements, rows: Ids) -> Elements:
    """Some of the elements, in that order, with a tree of their own."""
    bounds = np.ascontiguousarray(elements.bounds[rows])
    tree = build_tree(bounds)
    table, sites = np.ascontiguousarray(elements.table[rows]), np.ascontiguousarray(elements.sites[rows])
    return Elements(table, bounds, sites, tree.children, refit(tree, bounds), elements.is_plain)


def _well_shaped(corners: Array) -> tuple[Array, Ids]:
    """Triangles with their widest angle first, and those that are too wide cut at the foot of that corner.

    Returns the corners of each, and the row that it comes from. What is cut has a right angle at the foot,
    which is off by a rounding or two; so are the distances.
    """
    if (corners[:, 1] == corners[:, 2]).all():  # points and segments, the other end first
        return np.ascontiguousarray(corners[:, [1, 2, 0]]), np.arange(len(corners), dtype=np.int32)
    squares = np.stack([_square(corners[:, (i + 1) % 3] - corners[:, (i + 2) % 3]) for i in range(3)], axis=1)
    first = squares.argmax(axis=1)
    order = (first[:, np.newaxis] + np.arange(3)) % 3
    turned = np.take_along_axis(corners, order[:, :, np.newaxis], axis=1)
    u, v = turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (u * v).sum(axis=1) / np.sqrt(_square(u) * _square(v))
    rows = np.arange(len(corners), dtype=np.int32)
    is_blunt = cosine < BLUNT
    if not is_blunt.any():
        return turned, rows
    a, b, c = (turned[is_blunt, i] for i in range(3))
    along = c - b
    part = np.clip(((a - b) * along).sum(axis=1) / _square(along), 0.0, 1.0)
    foot = b + part[:, np.newaxis] * along
    halves = np.stack([np.stack([foot, a, b], axis=1), np.stack([foot, a, c], axis=1)], axis=1)
    all_corners = np.repeat(turned[:, np.newaxis], 2, axis=1)
    all_corners[is_blunt] = halves
    is_kept = np.stack([np.ones(len(corners), bool), is_blunt], axis=1)
    return np.ascontiguousarray(all_corners[is_kept]), np.repeat(rows, np.where(is_blunt, 2, 1))


def _table(corners: Array) -> Array:
    """Fill the columns that follow from the corners."""
    table = np.zeros((len(corners), N_COLUMNS))

    def fill(first: int, last: int) -> None:
        _fill_table(corners, table, first, last)

    on_ranges(fill, len(corners), WORTH_A_THREAD)
    return table


@driver
def _fill_table(corners: Array, table: Array, first: int, last: int) -> None:
    for k in range(first, last):
        row, a, b, c = table[k], _corner(corners, k, 0), _corner(corners, k, 1), _corner(corners, k, 2)
        is_point, is_segment = a == b and b == c, a == b or (a == c or b == c)
        if a == b and not is_point:
            b = c  # the far end of a segment
        u, v, w = sub(b, a), sub(c, a), sub(c, b)
        for j in range(3):
            row[A + j], row[B + j], row[C + j] = a[j], b[j], c[j]
            row[U + j], row[V + j], row[W + j] = u[j], v[j], w[j]
        uu, uv, vv = dot(u, u), dot(u, v), dot(v, v)
        row[UU], row[UV], row[VV] = uu, uv, vv
        area = uu * vv - uv * uv
        # Halves of what is nearly flat, and whatever else has no angle but for rounding: edges are enough.
        row[INVERSE] = _inverse(area) if area >= 0.5 * uu * vv else 0.0
        row[PER_U], row[PER_V], row[PER_W] = _inverse(uu), _inverse(vv), _inverse(dot(w, w))
        row[KIND] = POINT if is_point else (SEGMENT if is_segment else TRIANGLE)


@kernel
def _corner(corners: Array, k: int, i: int) -> Vec3:
    return corners[k, i, 0], corners[k, i, 1], corners[k, i, 2]


@kernel
def _inverse(square: float) -> float:
    """1 over a square; 0 of what is 0, or too small or too large to say."""
    found = 1.0 / square if square >= TINY * TINY else 0.0
    return found if found < INFINITY else 0.0


def _square(vectors: Array) -> Array:
    found: Array = (vectors * vectors).sum(axis=1)
    return found


def error_of(elements: Elements, lower: Array, upper: Array) -> float:
    """Bound what rounding makes of a distance between a point of a box and any of the elements."""
    if len(elements.table) == 0:
        return 0.0
    low = np.minimum(elements.bounds[:, LOWER : LOWER + 3].min(axis=0), lower)
    high = np.maximum(elements.bounds[:, UPPER : UPPER + 3].max(axis=0), upper)
    reach = float(np.linalg.norm(high - low))
    factor, radius = float(elements.table[:, FACTOR].max()), float(np.abs(elements.table[:, RADIUS]).max())
    return ROUNDINGS * (factor * reach + radius) + max(factor, 1.0) * TINY
