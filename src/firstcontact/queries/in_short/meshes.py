"""Queries about single meshes, and a mesh and a convex shape, in short: as `convexes`."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import USUAL, Ask, asks_for_solids
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import volumes_around
from firstcontact.bodies.packed_body import packed_body_of
from firstcontact.plain import Makers
from firstcontact.proximity.distance.convex_mesh_distance import measure_convex_body, touch_convex_body
from firstcontact.proximity.distance.mesh_distance import measure_bodies, touch_bodies
from firstcontact.proximity.distance.single_distance import (
    FACE_A,
    FACE_B,
    N_COLUMNS,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
)
from firstcontact.proximity.touching.inside import is_witness_within, witnesses_of
from firstcontact.queries.in_short.convexes import DISTANCE_MAKERS, Things, measured


def distance_of_meshes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure two meshes at rest."""
    (numbers_a, links_a), (numbers_b, links_b) = packed_body_of(a), packed_body_of(b)
    if (ask is not USUAL and not asks_for_solids(ask)) or numbers_a.size == 0 or numbers_b.size == 0:
        return None
    out = np.empty(N_COLUMNS)
    distance = measure_bodies.straight(numbers_a, links_a, rows_a, numbers_b, links_b, rows_b, out)
    if distance < 0.0 or (ask is not USUAL and not _is_clear(_is_one_inside(a, rows_a, b, rows_b), distance)):
        return None
    return measured(MESH_MAKERS, distance, out, things)


def intersects_of_meshes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Have two meshes at rest a point in common?"""
    (numbers_a, links_a), (numbers_b, links_b) = packed_body_of(a), packed_body_of(b)
    if (ask is not USUAL and not asks_for_solids(ask)) or numbers_a.size == 0 or numbers_b.size == 0:
        return None
    found = touch_bodies.straight(numbers_a, links_a, rows_a, numbers_b, links_b, rows_b)
    if found < 0:
        return None
    return found > 0 if ask is USUAL else _touches(_is_one_inside(a, rows_a, b, rows_b), found)


def distance_of_convex_mesh(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure a convex shape and a mesh at rest."""
    return _measured(a, rows_a, b, rows_b, MESH_MAKERS, things, ask)


def distance_of_mesh_convex(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure a mesh and a convex shape at rest."""
    return _measured(b, rows_b, a, rows_a, SWAPPED_MAKERS, things, ask)


def intersects_of_convex_mesh(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Have a convex shape and a mesh at rest a point in common?"""
    numbers, links = packed_body_of(b)
    if (ask is not USUAL and not asks_for_solids(ask)) or numbers.size == 0:
        return None
    found = touch_convex_body.straight(a.packed, volumes_around(a), rows_a, numbers, links, rows_b)
    if found < 0:
        return None
    return found > 0 if ask is USUAL else _touches(_is_inside(a, rows_a, b, rows_b), found)


def _measured(
    shape: Any, rows_a: Array, mesh: Any, rows_b: Array, makers: Makers, things: Things, ask: Ask
) -> Distance | None:
    numbers, links = packed_body_of(mesh)
    if (ask is not USUAL and not asks_for_solids(ask)) or numbers.size == 0:
        return None
    out = np.empty(N_COLUMNS)
    volumes = volumes_around(shape)
    distance = measure_convex_body.straight(shape.packed, volumes, rows_a, numbers, links, rows_b, out)
    if distance < 0.0 or (
        ask is not USUAL and not _is_clear(_is_inside(shape, rows_a, mesh, rows_b), distance)
    ):
        return None
    return measured(makers, distance, out, things)


def _is_one_inside(a: Any, rows_a: Array, b: Any, rows_b: Array) -> bool | None:
    """Is a part of one of two meshes, at a witness of it, inside the other? None where one is open."""
    inside = _is_inside(a, rows_a, b, rows_b)
    return _is_inside(b, rows_b, a, rows_a) if inside is False else inside


def _is_inside(one: Any, rows_a: Array, mesh: Any, rows_b: Array) -> bool | None:
    """Is a part of a solid, at a witness of it, inside a mesh? None where one is open."""
    points = witnesses_of(one)
    if points is None or witnesses_of(mesh) is None:
        return None
    return is_witness_within.straight(points, rows_a, *packed_body_of(mesh), rows_b)


def _is_clear(is_inside: bool | None, distance: float) -> bool:
    """Is a distance of surfaces that of solids, too? Where one is inside, or open, others say."""
    return is_inside is False or (is_inside is True and distance == 0.0)


def _touches(is_inside: bool | None, found: int) -> bool | None:
    """Have solids a common point, whose surfaces have some, or none?"""
    return None if is_inside is None else found > 0 or is_inside


def _faces(first: int, second: int) -> Callable[..., NDArray[np.int32]]:
    return lambda out, _: np.array([out[first], out[second]]).astype(np.int32)


# Who makes the fields of a `Distance`, as of convex shapes; and with a for b.
MESH_MAKERS: Makers = {
    **DISTANCE_MAKERS,
    "faces": _faces(FACE_A, FACE_B),
    "stats": lambda out, _: DistanceStats(int(out[VOLUME_TESTS]), int(out[TRIANGLE_TESTS]), 0),
}
SWAPPED_MAKERS: Makers = {
    **MESH_MAKERS,
    "points_a": MESH_MAKERS["points_b"],
    "points_b": MESH_MAKERS["points_a"],
    "faces": _faces(FACE_B, FACE_A),
}
