"""Queries about two single things in the plane, in short: as `convexes`."""

from typing import Any

import numpy as np

from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.bodies.packed_body import packed_body_of
from firstcontact.bodies.plane_body import plane_body_of
from firstcontact.plain import Makers
from firstcontact.proximity.distance.mesh_distance import measure_bodies, touch_bodies
from firstcontact.proximity.distance.single_distance import N_COLUMNS
from firstcontact.proximity.plane.sides import holds_a_point
from firstcontact.queries.in_short.convexes import Things, measured
from firstcontact.queries.in_short.meshes import MESH_MAKERS


def distance_of_planars(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure two things at rest that are apart; what is inside is left to who tells a common point."""
    (numbers_a, links_a), (numbers_b, links_b) = packed_body_of(a.lifted), packed_body_of(b.lifted)
    if ask is not USUAL or numbers_a.size == 0 or numbers_b.size == 0:
        return None
    out = np.empty(N_COLUMNS)
    distance = measure_bodies.straight(numbers_a, links_a, rows_a, numbers_b, links_b, rows_b, out)
    if distance < 0.0 or (distance > 0.0 and _is_one_inside(a, rows_a, b, rows_b)):
        return None
    return measured(PLANAR_MAKERS, distance, out, things)


def intersects_of_planars(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Have two things at rest a point in common?"""
    (numbers_a, links_a), (numbers_b, links_b) = packed_body_of(a.lifted), packed_body_of(b.lifted)
    if ask is not USUAL or numbers_a.size == 0 or numbers_b.size == 0:
        return None
    found = touch_bodies.straight(numbers_a, links_a, rows_a, numbers_b, links_b, rows_b)
    return None if found < 0 else found > 0 or _is_one_inside(a, rows_a, b, rows_b)


def _is_one_inside(a: Any, rows_a: Array, b: Any, rows_b: Array) -> bool:
    """Is one of two things whose edges do not meet inside of the other?"""
    if a.is_filled and holds_a_point.straight(plane_body_of(a), rows_a, b.firsts, rows_b):
        return True
    return bool(b.is_filled and holds_a_point.straight(plane_body_of(b), rows_b, a.firsts, rows_a))


# Who makes the fields of a `Distance`, as of meshes, in the plane.
PLANAR_MAKERS: Makers = {
    **MESH_MAKERS,
    "points_a": lambda out, things: MESH_MAKERS["points_a"](out, things)[:2].copy(),
    "points_b": lambda out, things: MESH_MAKERS["points_b"](out, things)[:2].copy(),
}
