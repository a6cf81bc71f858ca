"""Pairs among those listed that are near each other at an instant, and how near."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_ranges
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.deformable.elementary_candidates import ROUNDED_UP, FeatureOptions, corners_of, reach
from firstcontact.deformable.reuse.pair_gap import closest, least_gap, places_of
from firstcontact.deformable.reuse.pair_lists import PairLists, n_within
from firstcontact.deformable.reuse.pair_search import WORTH_A_THREAD, Travels, Trial, way_of
from firstcontact.deformable.surface import Surface
from firstcontact.scalar.vec3 import dot

# Which parts of two features are closest: points, edges or a face.
POINT_POINT, POINT_EDGE, POINT_FACE, EDGE_EDGE = 0, 1, 2, 3

# By the numbers of vertices that hold the two closest points, the smaller first.
CLOSEST_KINDS = {(1, 1): POINT_POINT, (1, 2): POINT_EDGE, (1, 3): POINT_FACE, (2, 2): EDGE_EDGE}


class NearPairs(NamedTuple):
    """Pairs that are near each other, one a row, vertices and faces first.

    corners : (n, 4) vertices of both features, of the joined surface
    offsets : (n, 3) from the closest point of the second to that of the first
    """

    is_edge_edge: Flags
    ids: Ids
    corners: Ids
    distance_squared: Array
    weights: Array
    offsets: Array


def near_pairs(
    surface: Surface, lists: PairLists, travels: Travels, request: FeatureOptions, within: float
) -> NearPairs:
    """All pairs that are not proven to be farther apart than `within`, at the start of a surface."""
    parts = []
    for is_edge_edge, pairs in ((False, lists.vertex_faces), (True, lists.edge_edges)):
        # Slacks are beyond a separation, and lists hold nothing beyond their reach.
        way = 2.0 * travels.most * ROUNDED_UP + max(within - request.min_separation, 0.0)
        n = n_within(pairs, lists.reach, way * ROUNDED_UP)
        trial = Trial(pairs.ids, pairs.slack, travels.lengths, is_edge_edge)
        parts.append(_near_of(surface, request, trial, n, within))
    return NearPairs._make(np.concatenate(columns) for columns in zip(*parts, strict=True))


def _near_of(surface: Surface, request: FeatureOptions, trial: Trial, n: int, within: float) -> NearPairs:
    """Those of the first n pairs of a list."""
    room, counts = _room(n, trial.is_edge_edge), {}

    def run(first: int, last: int) -> None:
        own = NearPairs._make(field[first:last] for field in room)
        counts[first] = _measure_range(surface, request, trial, within, own, first)

    on_ranges(run, n, WORTH_A_THREAD)
    rows = [np.arange(first, first + counts[first]) for first in sorted(counts)]
    chosen: NDArray[np.intp] = np.concatenate(rows)
    return NearPairs._make(field[chosen] for field in room)


def _room(n: int, is_edge_edge: bool) -> NearPairs:
    """Room for n pairs; what is not written to takes no memory."""
    return NearPairs(
        np.full(n, is_edge_edge),
        np.empty((n, 2), np.int32),
        np.empty((n, 4), np.int32),
        np.empty(n),
        np.empty((n, 4)),
        np.empty((n, 3)),
    )


@driver
def _measure_range(
    surface: Surface, request: FeatureOptions, trial: Trial, within: float, near: NearPairs, first: int
) -> int:
    """Measure as many pairs as there is room for, from pair `first` on; return how many are near."""
    ids, slack, travels, is_edge_edge = trial
    vertices, n = surface.vertices_t0, 0
    one = surface.edge_radii if is_edge_edge else surface.vertex_radii
    other = surface.edge_radii if is_edge_edge else surface.face_radii
    for k in range(first, first + len(near.ids)):
        corners = corners_of(surface, ids, k, is_edge_edge)
        way = way_of(travels, corners, is_edge_edge)
        radii = one[ids[k, 0]] + other[ids[k, 1]]
        # What was within its separation has no slack, which does not tell how near it was.
        is_known = slack[k] > 0.0
        if is_known and slack[k] + reach(radii, request.min_separation) > (way + within) * ROUNDED_UP:
            continue
        p = places_of(vertices, corners)
        weights, offset = closest(p, is_edge_edge)
        size = dot(offset, offset)
        if size > within * within and least_gap(p, offset, is_edge_edge) > within:
            continue
        near.ids[n, 0], near.ids[n, 1], near.distance_squared[n] = ids[k, 0], ids[k, 1], size
        for i in range(4):
            near.corners[n, i], near.weights[n, i] = corners[i], weights[i]
        for i in range(3):
            near.offsets[n, i] = offset[i]
        n += 1
    return n


def gradients_of(near: NearPairs) -> Array:
    """How the squared distance of each pair changes as its vertices move, (n, 4, 3).

    The closest points are where it does not change as they slide: their weights can be taken as constant.
    """
    n_first = np.where(near.is_edge_edge, 2, 1)[:, np.newaxis]
    signs = np.where(np.arange(4) < n_first, 2.0, -2.0)
    gradients: Array = (signs * near.weights)[:, :, np.newaxis] * near.offsets[:, np.newaxis]
    return gradients + 0.0  # no zeros with a sign


def closest_kinds(near: NearPairs) -> NDArray[np.int8]:
    """Which parts of both features hold the closest points, by the weights that are not zero."""
    counts = _held(near)
    table = np.zeros((4, 4), np.int8)
    for (few, many), kind in CLOSEST_KINDS.items():
        table[few, many] = table[many, few] = kind
    kinds: NDArray[np.int8] = table[counts[:, 0], counts[:, 1]]
    return kinds


def _held(near: NearPairs) -> NDArray[np.int64]:
    """How many vertices of each side hold its closest point, (n, 2)."""
    is_used = near.weights > 0.0
    is_first = np.arange(4) < np.where(near.is_edge_edge, 2, 1)[:, np.newaxis]
    return np.stack([(is_used & is_first).sum(axis=1), (is_used & ~is_first).sum(axis=1)], axis=1)


def merged(near: NearPairs) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """One row for each pair of closest parts, the first that has it, and how many have it.

    Of a face and a point before it, and of two edges between their ends, there is one row anyhow.
    """
    kinds, n = closest_kinds(near), len(near.ids)
    rows = np.flatnonzero((kinds == POINT_POINT) | (kinds == POINT_EDGE))
    names = _names(near, rows, kinds[rows])
    order = np.lexsort((rows, *names))
    is_new = np.ones(len(rows), np.bool_)
    is_new[1:] = (np.diff(names[:, order], axis=1) != 0).any(axis=0)
    heads = rows[order[is_new]]
    counts = np.ones(n, np.int32)
    counts[rows] = 0
    counts[heads] = np.diff(np.append(np.flatnonzero(is_new), len(rows)))
    chosen = np.flatnonzero(counts)
    return chosen, counts[chosen]


def _names(near: NearPairs, rows: NDArray[np.intp], kinds: NDArray[np.int8]) -> Ids:
    """Three numbers that name closest parts, (3, m): a point, and the ends of the edge, or a point and -1."""
    is_first = np.arange(4) < np.where(near.is_edge_edge[rows], 2, 1)[:, np.newaxis]
    used = np.where(near.weights[rows] > 0.0, near.corners[rows], -1)
    first, second = (np.sort(np.where(is_first == side, used, -1), axis=1)[:, 2:] for side in (True, False))
    # A point before an edge, whichever side it is of; of two points the smaller one.
    is_edge = kinds == POINT_EDGE
    is_back = np.where(is_edge, first[:, 0] >= 0, first[:, 1] > second[:, 1])[:, np.newaxis]
    point, other = np.where(is_back, second, first), np.where(is_back, first, second)
    return np.stack([point[:, 1], other[:, 1], other[:, 0]])
