"""From pairs of features to the rows of a result, in a fixed order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.deformable.candidates import Found
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.settle import CHUNK, corner_ids, pair_points, take
from firstcontact.deformable.surface import Array, Ids
from firstcontact.narrowphase.contact_geometry import Geometry, describe_contacts
from firstcontact.narrowphase.elementary_query import Options

# Which features touch.
VERTEX_FACE = 0
EDGE_EDGE = 1
FACE_VERTEX = 2


class Rows(NamedTuple):
    """Contacts, one a row, in the order of their times and ids."""

    kind: NDArray[np.int8]
    ids_a: Ids
    ids_b: Ids
    vertex_ids: Ids
    time: Array
    time_upper: Array
    points: Array
    normals: Array
    weights: Array
    status: NDArray[np.int8]


def contact_rows(problem: Problem, found: Found) -> Rows:
    """Describe contacts: each id counts within its own mesh, and the normal points from a to b."""
    kind, ids_a, ids_b = _sides(problem, found)
    order = np.lexsort((ids_b, ids_a, kind, found.time))
    found, kind = take(found, order), kind[order]
    corners, geometry = _described(problem, found)
    geometry.normals[kind == FACE_VERTEX] *= -1.0
    if not problem.is_self:
        corners[corners >= problem.offsets.vertex] -= problem.offsets.vertex
    return Rows(
        kind,
        ids_a[order],
        ids_b[order],
        corners,
        found.time,
        found.time_upper,
        geometry.points,
        geometry.normals,
        geometry.weights,
        found.status,
    )


def _sides(problem: Problem, found: Found) -> tuple[NDArray[np.int8], Ids, Ids]:
    """The kind of each contact, and its features' numbers on a and on b."""
    offsets, first, second = problem.offsets, found.ids[:, 0].copy(), found.ids[:, 1].copy()
    kind = np.where(found.is_edge_edge, EDGE_EDGE, VERTEX_FACE).astype(np.int8)
    if not problem.is_self:
        kind[~found.is_edge_edge & (first >= offsets.vertex)] = FACE_VERTEX
        is_swapped = kind == FACE_VERTEX
        first[is_swapped], second[is_swapped] = second[is_swapped], first[is_swapped] - offsets.vertex
        second[kind == VERTEX_FACE] -= offsets.face
        second[kind == EDGE_EDGE] -= offsets.edge
    return kind, first, second


def _described(problem: Problem, found: Found) -> tuple[Ids, Geometry]:
    """The four vertices of each pair, and where and how they touch."""
    n = len(found.time)
    corners = np.empty((n, 4), np.int32)
    geometry = Geometry(np.empty((n, 4)), np.empty((n, 3)), np.empty((n, 3)))
    for is_edge_edge in (False, True):
        options = Options(is_edge_edge, 1.0, 0.0, problem.min_separation)
        all_rows = np.flatnonzero(found.is_edge_edge == is_edge_edge)
        for first in range(0, len(all_rows), CHUNK):
            rows = all_rows[first : first + CHUNK]
            corners[rows] = corner_ids(problem.surface, is_edge_edge, found.ids[rows])
            start, end = pair_points(problem.surface, corners[rows])
            described = describe_contacts(start, end, options, found.time[rows])
            for whole, part in zip(geometry, described, strict=True):
                whole[rows] = part
    return corners, geometry
