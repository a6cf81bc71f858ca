"""Points near a field's shape: how far, where that is closest, and the way there."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges, plain_driver
from firstcontact.arrays import Array, Ids
from firstcontact.fields.distance_field import DistanceField
from firstcontact.fields.octree import Values
from firstcontact.fields.seen_field import SeenField, normal_at, seen_field
from firstcontact.fields.single_point import N_GRID, PackedOctree, octree_in, packed_octree
from firstcontact.motions.standing_rows import (
    is_standing,
    is_vector,
    point_in_world,
    seen_by,
    vector_in,
    way_in_world,
    write_vector,
)
from firstcontact.proximity.points.single_point import FACE, NORMAL, POINT
from firstcontact.scalar.vec3 import Vec3, add, scale, sub

# Points from which several threads are worth their start.
WORTH_A_THREAD = 8192


class Nearby(NamedTuple):
    """Values (n,) at points, places (n, 3) about as far away as they say, and unit vectors away from them."""

    values: Array
    points: Array
    normals: Array


def nearby(field: SeenField, points: Array) -> Nearby:
    """Look at a field at points (n, 3)."""
    n = len(points)
    found = Nearby(np.empty(n), np.empty((n, 3)), np.empty((n, 3)))
    on_ranges(lambda first, last: _look_range(field, points, found, first, last), n, WORTH_A_THREAD)
    return found


@driver
def _look_range(field: SeenField, points: Array, found: Nearby, first: int, last: int) -> None:
    for i in range(first, last):
        value, foot, away = _look_from(field, (points[i, 0], points[i, 1], points[i, 2]))
        found.values[i] = value
        for k in range(3):
            found.points[i, k], found.normals[i, k] = foot[k], away[k]


@kernel
def _look_from(field: SeenField, point: Vec3) -> tuple[float, Vec3, Vec3]:
    """Value at a point, the place that is about as far away, and the unit vector away from it."""
    x = sub(point, field.origin)
    value, away = normal_at(field, x)
    return value, add(field.origin, sub(x, scale(value, away))), away


# Columns of what is known of a field that is seen from its middle, after those of its grid.
ORIGIN = N_GRID  # three
LOWER = N_GRID + 3  # three
UPPER = N_GRID + 6  # three
REACH = N_GRID + 9
TOLERANCE = N_GRID + 10
MARGIN = N_GRID + 11
IS_EXACT = N_GRID + 12


def packed_field(field: DistanceField) -> PackedOctree:
    """Pack a field that is seen from its middle; worked out once."""
    known = field.kept
    found: PackedOctree | None = known.get("packed_field")
    return known.setdefault("packed_field", _packed(seen_field(field))) if found is None else found


def _packed(field: SeenField) -> PackedOctree:
    packed, lengths = packed_octree(field.octree), (field.reach, field.tolerance, field.margin)
    corners = *field.origin, *field.lower, *field.upper
    numbers = np.array([*packed.numbers, *corners, *lengths, float(field.is_exact)])
    return packed._replace(numbers=numbers)


@plain_driver(1, 0, 0, 1, 1, 1)
def look_at_point(numbers: Array, links: Ids, values: Values, rows: Array, point: Array, out: Array) -> float:
    """Give the value at a point, and write the rest; NaN where it is none, or the field moves."""
    if not (is_standing(rows) and is_vector(point)):
        return np.nan
    field = seen_in(numbers, links, values)
    value, foot, away = _look_from(field, seen_by(rows, (point[0], point[1], point[2])))
    write_vector(point_in_world(rows, foot), out, POINT)
    write_vector(way_in_world(rows, away), out, NORMAL)
    out[FACE] = -1.0
    return value


@kernel
def seen_in(numbers: Array, links: Ids, values: Values) -> SeenField:
    """Read a field."""
    return SeenField(
        octree_in(numbers, links, values),
        vector_in(numbers, ORIGIN),
        vector_in(numbers, LOWER),
        vector_in(numbers, UPPER),
        numbers[REACH],
        numbers[TOLERANCE],
        numbers[MARGIN],
        numbers[IS_EXACT] > 0.0,
    )
