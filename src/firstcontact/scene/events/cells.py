"""Cells of space, as a body goes through them.

All bodies but the largest are smaller than a cell: who touches a body has its center in the same cell or one
of the 26 around it. The cells of a box are told apart; they are kept in a table of buckets, each with a list.
Who is too large, or has left the box, roams: it is looked at with everybody.
"""

from math import floor, sqrt

import numpy as np

from firstcontact._jit import uncounted_kernel
from firstcontact.arrays import Array, Ids
from firstcontact.motions.motion_bound import FOREVER
from firstcontact.scalar.vec3 import Vec3
from firstcontact.scene.events.event_table import (
    BEFORE,
    BEHIND,
    BUCKET,
    CELL,
    CELL_SIZE,
    FIRST_ROAMING,
    HIGHEST,
    LOWEST,
    N_ROAMING,
    NOBODY,
    ROAMING,
    TAG,
    EventTable,
    Numbers,
)

# Odd numbers that spread rows of cells over the buckets; cells in a row along x have buckets in a row.
SPREAD_Y, SPREAD_Z = 19349663, 83492791

# What a tag may be.
TAGS = (1 << 31) - 1


@uncounted_kernel
def bucket_of(buckets: Ids, x: int, y: int, z: int) -> int:
    """Bucket of a cell."""
    return (x + y * SPREAD_Y + z * SPREAD_Z) & (len(buckets) - 1)


@uncounted_kernel
def tag_of(x: int, y: int, z: int) -> int:
    """A number of a cell by which it is told from others in its bucket: from neighbours always."""
    return (x + (y << 10) + (z << 20)) & TAGS


@uncounted_kernel
def is_within(state: Array, at: Vec3) -> bool:
    """Is a place in the box with cells?"""
    is_inside = True
    for c in range(3):
        is_inside = is_inside and state[LOWEST + c] <= at[c] <= state[HIGHEST + c]
    return is_inside


@uncounted_kernel
def cell_along(state: Array, place: float, c: int) -> int:
    """Number of the cell of a place within the box, along an axis."""
    cell: int = floor((place - state[LOWEST + c]) / state[CELL_SIZE])
    return cell


@uncounted_kernel
def enter_cell(table: EventTable, body: int, x: int, y: int, z: int) -> None:
    """Put a body that is in no list into that of a cell."""
    numbers = table.numbers
    numbers[body, CELL], numbers[body, CELL + 1], numbers[body, CELL + 2] = x, y, z
    bucket = bucket_of(table.buckets, x, y, z)
    _put_before(table.links, body, int(np.int64(table.buckets[bucket])))
    table.links[body, TAG] = tag_of(x, y, z)
    table.buckets[bucket], numbers[body, BUCKET] = body, bucket


@uncounted_kernel
def begin_roaming(table: EventTable, body: int) -> None:
    """Put a body that is in no list into that of those that roam."""
    _put_before(table.links, body, table.counts[FIRST_ROAMING])
    table.counts[FIRST_ROAMING], table.numbers[body, BUCKET] = body, ROAMING
    table.counts[N_ROAMING] += 1


@uncounted_kernel
def _put_before(links: Ids, body: int, first: int) -> None:
    links[body, BEFORE], links[body, BEHIND] = NOBODY, first
    if first != NOBODY:
        links[first, BEFORE] = body


@uncounted_kernel
def leave_cell(table: EventTable, body: int) -> None:
    """Take a body out of the list of its cell."""
    links = table.links
    before, behind = links[body, BEFORE], links[body, BEHIND]
    if before == NOBODY:
        table.buckets[table.numbers[body, BUCKET]] = behind
    else:
        links[before, BEHIND] = behind
    if behind != NOBODY:
        links[behind, BEFORE] = before


@uncounted_kernel
def way_out(state: Array, cell: Numbers, at: Vec3, v: Vec3, a: Vec3) -> tuple[float, int]:
    """When a center, with its velocity and acceleration, leaves its cell, and by which side.

    Cells are a little larger than they must be, which makes up for the rounding of these times.
    """
    best, side, size = FOREVER, 0, state[CELL_SIZE]
    for c in range(3):
        lower = state[LOWEST + c] + cell[CELL + c] * size
        up = _reaching_time(max(lower + size - at[c], 0.0), v[c], a[c])
        down = _reaching_time(max(at[c] - lower, 0.0), -v[c], -a[c])
        if up < best:
            best, side = up, 2 * c + 1
        if down < best:
            best, side = down, 2 * c
    return best, side


@uncounted_kernel
def _reaching_time(way: float, v: float, a: float) -> float:
    """First time at which what begins with a velocity, and has an acceleration, has gone a way."""
    squared = v * v + 2.0 * a * way
    if v > 0.0:
        return 2.0 * way / (v + sqrt(squared)) if squared >= 0.0 else FOREVER
    if a > 0.0:
        return (sqrt(squared) - v) / a
    return FOREVER
