"""From pairs of features to the rows of a result, in a fixed order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.settle import take
from firstcontact.deformable.surface import Surface
from firstcontact.deformable.touching.touch_directions import Touches, direct_rows, faces_around
from firstcontact.deformable.touching.touch_sides import Hints, outward, settle_sides
from firstcontact.narrowphase.elementary.contact_geometry import Geometry, Terms, describe_pair, room
from firstcontact.narrowphase.elementary.moving_quad import Quadruple
from firstcontact.scalar.error_bounds import SHORTEST

# Which features touch.
VERTEX_FACE = 0
EDGE_EDGE = 1
FACE_VERTEX = 2

# Contacts without a gap, and contacts, from which a thread is worth its start.
WORTH_A_THREAD, WORTH_DESCRIBING = 512, 2048

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
    order = listing_order(found.time, kind, ids_a, ids_b)
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


def listing_order(time: Array, kind: NDArray[np.int8], ids_a: Ids, ids_b: Ids) -> NDArray[np.intp]:
    """The order of all lists: by time, then kind, then ids. Only of equal times the rest is looked at."""
    order = np.argsort(time)
    ordered = time[order]
    is_tied = np.zeros(len(order) + 1, np.bool_)
    is_tied[1:-1] = ordered[1:] == ordered[:-1]
    places = np.flatnonzero(is_tied[1:] | is_tied[:-1])
    if len(places):
        tied = np.sort(order[places])
        ids = ids_a[tied].astype(np.int64) << 32 | ids_b[tied]
        order[places] = tied[np.lexsort((ids, kind[tied], time[tied]))]
    return order


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

    def describe(first: int, last: int) -> None:
        _describe_found(problem.surface, found, rounding, corners, geometry, first, last)

    if n:
        on_ranges(describe, n, WORTH_DESCRIBING)
    return corners, geometry


@driver
def _describe_found(
    surface: Surface,
    found: FeaturesFound,
    rounding: float,
    corners: Ids,
    geometry: Geometry,
    first: int,
    last: int,
) -> None:
    """Write the vertices of the pairs [first, last), and what is known of their contacts."""
    for row in range(first, last):
        a, b, is_edge_edge = found.ids[row, 0], found.ids[row, 1], found.is_edge_edge[row]
        for i in range(4):
            if is_edge_edge:
                corners[row, i] = surface.edges[a if i < 2 else b, i % 2]
            else:
                corners[row, i] = a if i == 0 else surface.faces[b, i - 1]
        t0, t1 = (
            _corners_at(surface.vertices_t0, corners, row),
            _corners_at(surface.vertices_t1, corners, row),
        )
        describe_pair(t0, t1, Terms(is_edge_edge, rounding), found.time[row], geometry, row)


@kernel
def _corners_at(vertices: Array, corners: Ids, row: int) -> Quadruple:
    a, b, c, d = corners[row, 0], corners[row, 1], corners[row, 2], corners[row, 3]
    return (
        (vertices[a, 0], vertices[a, 1], vertices[a, 2]),
        (vertices[b, 0], vertices[b, 1], vertices[b, 2]),
        (vertices[c, 0], vertices[c, 1], vertices[c, 2]),
        (vertices[d, 0], vertices[d, 1], vertices[d, 2]),
    )


def _settle_touches(
    problem: Problem, found: FeaturesFound, kind: NDArray[np.int8], corners: Ids, geometry: Geometry
) -> None:
    """Give all contacts their normals, from a to b: those without a gap by what is around them."""
    rows, normals = np.flatnonzero(geometry.is_open), geometry.normals
    is_swapped = kind == FACE_VERTEX
    if len(rows) == 0:
        normals[is_swapped] *= -1.0
        return
    is_sided, fronts = ~geometry.is_open, np.zeros((len(kind), 2, 3))
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
