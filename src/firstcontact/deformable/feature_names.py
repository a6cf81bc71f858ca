"""What features are called in an answer: by the things that they belong to, and their numbers in these."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.surface import place_of

# Which features touch.
VERTEX_FACE = 0
EDGE_EDGE = 1
FACE_VERTEX = 2


class Names(NamedTuple):
    """Pairs of features: a's thing is not behind b's in the list.

    kind : (n,) int8
    thing_ids : (n, 2) int32, places of both things in the list
    ids_a, ids_b : (n,) int32, numbers within these
    """

    kind: NDArray[np.int8]
    thing_ids: Ids
    ids_a: Ids
    ids_b: Ids


def names_of(problem: Problem, found: FeaturesFound) -> Names:
    """The names of vertices with faces, and of edges with edges."""
    is_edges, starts = found.is_edge_edge, problem.starts
    kind = np.where(is_edges, EDGE_EDGE, VERTEX_FACE).astype(np.int8)
    first, second = found.ids[:, 0].copy(), found.ids[:, 1].copy()
    things = np.zeros((len(first), 2), np.int32)
    if len(problem.meshes) > 1:
        of_edges = (starts.edge, starts.edge), is_edges
        of_others = (starts.vertex, starts.face), ~is_edges
        for sides, rows in (of_edges, of_others):
            for side, (ids, begins) in enumerate(zip((first, second), sides, strict=True)):
                things[rows, side] = place_of(ids[rows], begins)
                ids[rows] -= begins[things[rows, side]].astype(np.int32)
    return swapped_back(Names(kind, things, first, second), FACE_VERTEX)


def swapped_back(names: Names, kind_if_swapped: int) -> Names:
    """Let the earlier thing of each pair come first, and call those that change places by another kind."""
    kind, things, first, second = names
    rows = np.flatnonzero(things[:, 0] > things[:, 1])
    kind[rows] = kind_if_swapped
    things[rows] = things[rows, ::-1]
    first[rows], second[rows] = second[rows], first[rows]
    return names


def order_of(time: Array, names: Names) -> NDArray[np.intp]:
    """The order of rows: by time, then by kind, things and ids. Only of equal times the rest is looked at."""
    order = np.argsort(time)
    ordered = time[order]
    is_tied = np.zeros(len(order) + 1, np.bool_)
    is_tied[1:-1] = ordered[1:] == ordered[:-1]
    places = np.flatnonzero(is_tied[1:] | is_tied[:-1])
    if len(places):
        tied = np.sort(order[places])
        ids = names.ids_a[tied].astype(np.int64) << 32 | names.ids_b[tied]
        things = names.thing_ids[tied]
        is_one_pair = bool((things == things[0]).all())
        by_things = () if is_one_pair else (things[:, 1], things[:, 0])
        order[places] = tied[np.lexsort((ids, *by_things, names.kind[tied], time[tied]))]
    return order


def own_vertices(problem: Problem, corners: Ids) -> Ids:
    """Numbers of vertices within their own things, whatever the shape."""
    if len(problem.meshes) == 1:
        return corners
    begins = problem.starts.vertex
    places = place_of(corners.reshape(-1), begins).reshape(corners.shape)
    own: Ids = corners - begins[places].astype(np.int32)
    return own
