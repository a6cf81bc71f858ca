"""Points near a field's shape: how far, where that is closest, and the way there."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, on_ranges
from firstcontact.arrays import Array
from firstcontact.fields.seen_field import SeenField, normal_at
from firstcontact.scalar.vec3 import add, scale, sub

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
        x = sub((points[i, 0], points[i, 1], points[i, 2]), field.origin)
        value, away = normal_at(field, x)
        foot = add(field.origin, sub(x, scale(value, away)))
        found.values[i] = value
        for k in range(3):
            found.points[i, k], found.normals[i, k] = foot[k], away[k]
