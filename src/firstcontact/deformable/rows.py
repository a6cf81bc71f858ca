"""From pairs of features to the rows of a result, in a fixed order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.settle import CHUNK, corner_ids, pair_points, take
from firstcontact.deformable.touching.touch_directions import Touches, direct_rows, faces_around
from firstcontact.deformable.touching.touch_sides import Hints, outward, settle_sides
from firstcontact.narrowphase.elementary.contact_geometry import Geometry, Terms, describe_contacts, room
from firstcontact.scalar.error_bounds import SHORTEST

# Which features touch.
VERTEX_FACE = 0
EDGE_EDGE = 1
FACE_VERTEX = 2

# Contacts without a gap from which a thread is worth its start.
WORTH_A_THREAD = 512

SOME_DIRECTION = (0.0, 0.0, 1.0)


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
    closing_speed: Array
    weights: Array
    status: NDArray[np.int8]
    gap: Array
    velocities: Array


def contact_rows(problem: Problem, found: FeaturesFound, rounding: float = 0.0) -> Rows:
    """Describe contacts: each id counts within its own mesh, and the normal points from a to b.

    rounding : a gap up to this is none, beside what the rounding of the coordinates may hide
    """
    kind, ids_a, ids_b = kinds_and_ids(problem, found)
    order = np.lexsort((ids_b, ids_a, kind, found.time))
    found, kind = take(found, order), kind[order]
    corners, geometry = described(problem, found, kind, rounding)
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
        np.einsum("ni,ni->n", geometry.velocities, geometry.normals),
        geometry.weights,
        found.status,
        geometry.gaps,
        geometry.velocities,
    )


def described(
    problem: Problem, found: FeaturesFound, kind: NDArray[np.int8], rounding: float = 0.0
) -> tuple[Ids, Geometry]:
    """The four vertices of each pair, and where and how they touch, from a to b."""
    corners, geometry = _measured(problem, found, rounding)
    geometry.velocities[kind == FACE_VERTEX] *= -1.0
    _settle_touches(problem, found, kind, corners, geometry)
    return corners, geometry


def kinds_and_ids(problem: Problem, found: FeaturesFound) -> tuple[NDArray[np.int8], Ids, Ids]:
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


def _measured(problem: Problem, found: FeaturesFound, rounding: float) -> tuple[Ids, Geometry]:
    """The four vertices of each pair, and where and how they touch, from the first to the second."""
    n = len(found.time)
    corners, geometry = np.empty((n, 4), np.int32), room(n)
    for is_edge_edge in (False, True):
        all_rows = np.flatnonzero(found.is_edge_edge == is_edge_edge)
        for first in range(0, len(all_rows), CHUNK):
            rows = all_rows[first : first + CHUNK]
            corners[rows] = corner_ids(problem.surface, is_edge_edge, found.ids[rows])
            start, end = pair_points(problem.surface, corners[rows])
            described = describe_contacts(start, end, Terms(is_edge_edge, rounding), found.time[rows])
            for whole, part in zip(geometry, described, strict=True):
                whole[rows] = part
    return corners, geometry


def _settle_touches(
    problem: Problem, found: FeaturesFound, kind: NDArray[np.int8], corners: Ids, geometry: Geometry
) -> None:
    """Give all contacts their normals, from a to b: those without a gap by what is around them."""
    rows, normals = np.flatnonzero(geometry.is_open), geometry.normals
    is_swapped = kind == FACE_VERTEX
    is_sided, fronts = ~geometry.is_open, np.zeros((len(kind), 2, 3))
    if len(rows):
        touches = _touches(found, rows, corners, geometry)
        around = faces_around(problem.surface, touches.corners)
        on_ranges(lambda first, last: direct_rows(around, touches, first, last), len(rows), WORTH_A_THREAD)
        normals[rows], is_sided[rows], fronts[rows] = touches.directions, touches.is_sided, touches.fronts
    normals[is_swapped] *= -1.0
    fronts[is_swapped] = fronts[is_swapped, ::-1]
    nowhere = rows[~normals[rows].any(axis=1)]
    normals[nowhere], is_sided[nowhere] = _ways(geometry.velocities[nowhere]), True
    if not is_sided.all():
        hints = Hints(geometry.velocities, geometry.rounding, fronts, _outsides(problem, fronts))
        settle_sides(corners, normals, is_sided, hints, problem.is_self)


def _outsides(problem: Problem, fronts: Array) -> Array:
    """Turn fronts (n, 2, 3) to the outside of meshes that are closed; those of others are none."""
    places, first = problem.surface.vertices_t0, problem.offsets.vertex
    signs = [
        outward(mesh, part)
        for mesh, part in zip(problem.meshes, (places[:first], places[first:]), strict=False)
    ]
    outsides: Array = fronts * np.array([signs[0], signs[-1]])[:, np.newaxis]
    return outsides


def _touches(found: FeaturesFound, rows: NDArray[np.intp], corners: Ids, geometry: Geometry) -> Touches:
    n = len(rows)
    return Touches(
        corners[rows],
        geometry.weights[rows],
        1 + found.is_edge_edge[rows].astype(np.int64),
        found.time[rows],
        geometry.rounding[rows],
        np.empty((n, 3)),
        np.empty(n, np.bool_),
        np.empty((n, 2, 3)),
    )


def _ways(velocities: Array) -> Array:
    """Unit vectors along the motion; any where there is none."""
    lengths = np.linalg.norm(velocities, axis=1, keepdims=True)
    moving = lengths > SHORTEST
    return np.where(moving, velocities / np.where(moving, lengths, 1.0), SOME_DIRECTION)
