"""From pairs of features to the rows of a result, in a fixed order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import FeaturesFound, corners_of
from firstcontact.deformable.feature_names import FACE_VERTEX, Names, names_of, order_of, own_vertices
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.settle import take
from firstcontact.deformable.surface import Surface
from firstcontact.deformable.touching.touch_directions import Touches, direct_rows, faces_around
from firstcontact.deformable.touching.touch_sides import Hints, outward, settle_sides
from firstcontact.narrowphase.elementary.contact_geometry import Geometry, Terms, describe_pair, room
from firstcontact.narrowphase.elementary.moving_quad import Quadruple
from firstcontact.scalar.error_bounds import SHORTEST

# Contacts without a gap, and contacts, from which a thread is worth its start.
WORTH_A_THREAD, WORTH_DESCRIBING = 512, 2048

SOME_DIRECTION = (0.0, 0.0, 1.0)


class Rows(NamedTuple):
    """Contacts, one a row, in the order of their times and ids."""

    kind: NDArray[np.int8]
    thing_ids: Ids
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
    if len(found.time) == 0:  # the most frequent answer
        return no_rows()
    names = names_of(problem, found)
    order = order_of(found.time, names)
    found, names = take(found, order), Names._make(column[order] for column in names)
    corners, geometry = described(problem, found, names, rounding)
    return Rows(
        *names,
        own_vertices(problem, corners),
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


def in_order(rows: Rows) -> Rows:
    """Put rows into the order that all answers have."""
    order = order_of(rows.time, Names(rows.kind, rows.thing_ids, rows.ids_a, rows.ids_b))
    return Rows._make(column[order] for column in rows)


def no_rows() -> Rows:
    """No contacts, in arrays of their own."""
    flags, ids, numbers = np.empty((2, 0), np.int8), np.empty((2, 0), np.int32), np.empty((4, 0))
    vectors, fours = np.empty((3, 0, 3)), np.empty((0, 4))
    return Rows(
        kind=flags[0],
        thing_ids=np.empty((0, 2), np.int32),
        ids_a=ids[0],
        ids_b=ids[1],
        vertex_ids=np.empty((0, 4), np.int32),
        time=numbers[0],
        time_upper=numbers[1],
        points=vectors[0],
        normals=vectors[1],
        closing_speed=numbers[2],
        weights=fours,
        status=flags[1],
        gap=numbers[3],
        velocities=vectors[2],
    )


def described(
    problem: Problem, found: FeaturesFound, names: Names, rounding: float = 0.0
) -> tuple[Ids, Geometry]:
    """The four vertices of each pair, and where and how they touch, from a to b."""
    corners, geometry = _measured(problem, found, rounding)
    geometry.velocities[names.kind == FACE_VERTEX] *= -1.0
    _settle_touches(problem, found, names, corners, geometry)
    return corners, geometry


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
        is_edge_edge = found.is_edge_edge[row]
        corners[row] = corners_of(surface, found.ids, row, is_edge_edge)
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
    problem: Problem, found: FeaturesFound, names: Names, corners: Ids, geometry: Geometry
) -> None:
    """Give all contacts their normals, from a to b: those without a gap by what is around them."""
    rows, normals = np.flatnonzero(geometry.is_open), geometry.normals
    is_swapped = names.kind == FACE_VERTEX
    if len(rows) == 0:
        normals[is_swapped] *= -1.0
        return
    is_sided, fronts = ~geometry.is_open, np.zeros((len(is_swapped), 2, 3))
    touches = _touches(found, rows, corners, geometry)
    around = faces_around(problem.surface, touches.corners)
    on_ranges(lambda first, last: direct_rows(around, touches, first, last), len(rows), WORTH_A_THREAD)
    normals[rows], is_sided[rows], fronts[rows] = touches.directions, touches.is_sided, touches.fronts
    normals[is_swapped] *= -1.0
    fronts[is_swapped] = fronts[is_swapped, ::-1]
    nowhere = rows[~normals[rows].any(axis=1)]
    normals[nowhere], is_sided[nowhere] = _ways(geometry.velocities[nowhere]), True
    if not is_sided.all():
        things = names.thing_ids
        outsides = _outsides(problem, things, fronts)
        hints = Hints(geometry.velocities, geometry.rounding, fronts, outsides)
        settle_sides(corners, normals, is_sided, hints, things)


def _outsides(problem: Problem, things: Ids, fronts: Array) -> Array:
    """Turn fronts (n, 2, 3) to the outside of meshes that are closed; those of others are none."""
    places, begins, signs = problem.surface.vertices_t0, problem.starts.vertex, np.zeros(len(problem.meshes))
    for k in np.unique(things).tolist():
        signs[k] = outward(problem.meshes[k], places[begins[k] : begins[k + 1]])
    outsides: Array = fronts * signs[things][:, :, np.newaxis]
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
