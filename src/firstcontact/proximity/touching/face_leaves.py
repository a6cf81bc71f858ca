"""Faces of leaves of two trees that meet: eight of one leaf at a time against one of another.

Faces are placed to the last digit as all decisions take them, once for as long as their leaf is in use. So
boxes around them decide exactly, and few pairs are left that need a closer look.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._box_lanes import FACE_HIGH, FACE_LOW, FACE_ROWS, near_faces
from firstcontact._jit import kernel
from firstcontact._lanes import WIDTH, lowest_bit
from firstcontact.arrays import Array, Ids
from firstcontact.narrowphase.triangles.crossing import MOST_POINTS, common_points
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE
from firstcontact.proximity.touching.face_pairs import (
    Numbers,
    Placed,
    numbers_of,
    placed_corner,
    points_elsewhere,
    write_row,
)
from firstcontact.scalar.vec3 import Triangle, Vec3

# Leaves that are kept as placed: many times as many as are met again before long.
SLOTS = 32

# Rows of a leaf as it is placed: three corners, and behind them what `_box_lanes` has.
CORNERS = 0

# Columns of the box around a leaf.
LOWS, HIGHS = 0, 3


class PlacedLeaves(NamedTuple):
    """Leaves as they are placed, each in the slot of its number modulo SLOTS.

    owners : (SLOTS,) which leaf is there, -1 for none
    rows : (SLOTS, FACE_ROWS, WIDTH), NaN for faces left over
    around : (SLOTS, 6) box around the leaf
    """

    owners: Ids
    rows: Array
    around: Array


class LeafRoom(NamedTuple):
    """Room for a thread: leaves of both sides, for exact signs, common points."""

    a: PlacedLeaves
    b: PlacedLeaves
    exact: Array
    points: Ids


@kernel
def leaf_room() -> LeafRoom:
    """Make room; no leaf is placed yet."""
    return LeafRoom(_placed_leaves(), _placed_leaves(), np.empty(ROOM_SIZE), _no_points())


@kernel
def _placed_leaves() -> PlacedLeaves:
    return PlacedLeaves(
        np.full(SLOTS, -1, np.int32), np.empty((SLOTS, FACE_ROWS, WIDTH)), np.empty((SLOTS, 6))
    )


@kernel
def _no_points() -> Ids:
    return np.empty(MOST_POINTS, np.int32)


@kernel
def list_leaf_crossings(
    a: Placed, b: Placed, is_self: bool, pairs: Ids, found: Ids, n: int, room: LeafRoom
) -> tuple[int, int, int]:
    """Add the pairs of faces that meet, of pairs (m, 2) of leaves, to what is found.

    is_self : a and b are one mesh, whose faces count where they share more than corners, the lower first

    Returns how many rows there are then, how many boxes around faces were compared, and how many faces.
    """
    owners_a, rows_a, _ = room.a
    owners_b, rows_b, around_b = room.b
    leaves_a, leaves_b, places = a.leaves, b.leaves, a.places
    exact, points = room.exact, room.points
    pose_a, pose_b = numbers_of(a.pose), numbers_of(b.pose)
    n_boxes = n_faces = 0
    for k in range(len(pairs)):
        leaf, other_leaf = pairs[k, 0], pairs[k, 1]
        s, t = leaf % SLOTS, other_leaf % SLOTS
        if owners_a[s] != leaf:
            _place(a, pose_a, leaf, room.a)
        if owners_b[t] != other_leaf:
            _place(b, pose_b, other_leaf, room.b)
        mine = near_faces(rows_a, s, *_box_around(around_b, t))
        n_boxes += WIDTH
        while mine != 0:
            i = lowest_bit(mine)
            mine &= mine - 1
            f = leaves_a[leaf, i]
            n_boxes += WIDTH
            near = near_faces(rows_b, t, *_box_at(rows_a, s, i))
            if is_self and leaf == other_leaf:  # each pair once
                near = near >> (i + 1) << (i + 1)
            one = _face_at(rows_a, s, i)
            while near != 0:
                j = lowest_bit(near)
                near &= near - 1
                n_faces += 1
                g, other = leaves_b[other_leaf, j], _face_at(rows_b, t, j)
                if not is_self:
                    n_points = common_points(one, other, exact, points)
                else:
                    pair = (one, other) if f < g else (other, one)
                    n_points = points_elsewhere(pair, places, (min(f, g), max(f, g)), exact, points)
                if n_points != 0:
                    is_turned = is_self and g < f
                    write_row(found, n, g if is_turned else f, f if is_turned else g, points, n_points)
                    n += 1
    return n, n_boxes, n_faces


@kernel
def _place(side: Placed, pose: Numbers, leaf: int, room: PlacedLeaves) -> None:
    """Write a leaf into its slot."""
    vertices, faces, leaves = side.vertices, side.faces, side.leaves
    slot = leaf % SLOTS
    rows, around = room.rows[slot], room.around[slot]
    room.owners[slot] = leaf
    for axis in range(3):
        around[LOWS + axis], around[HIGHS + axis] = np.inf, -np.inf
    for i in range(WIDTH):
        f = leaves[leaf, i]
        for axis in range(3):
            rows[FACE_LOW + axis, i] = rows[FACE_HIGH + axis, i] = np.nan
        if f < 0:
            continue
        x = placed_corner(vertices, pose, faces[f, 0])
        y = placed_corner(vertices, pose, faces[f, 1])
        z = placed_corner(vertices, pose, faces[f, 2])
        for axis in range(3):
            rows[CORNERS + axis, i] = x[axis]
            rows[CORNERS + 3 + axis, i] = y[axis]
            rows[CORNERS + 6 + axis, i] = z[axis]
            low, high = min(min(x[axis], y[axis]), z[axis]), max(max(x[axis], y[axis]), z[axis])
            rows[FACE_LOW + axis, i], rows[FACE_HIGH + axis, i] = low, high
            around[LOWS + axis] = min(around[LOWS + axis], low)
            around[HIGHS + axis] = max(around[HIGHS + axis], high)


@kernel
def _face_at(rows: Array, slot: int, i: int) -> Triangle:
    return (
        (rows[slot, 0, i], rows[slot, 1, i], rows[slot, 2, i]),
        (rows[slot, 3, i], rows[slot, 4, i], rows[slot, 5, i]),
        (rows[slot, 6, i], rows[slot, 7, i], rows[slot, 8, i]),
    )


@kernel
def _box_at(rows: Array, slot: int, i: int) -> tuple[Vec3, Vec3]:
    return (
        (rows[slot, FACE_LOW, i], rows[slot, FACE_LOW + 1, i], rows[slot, FACE_LOW + 2, i]),
        (rows[slot, FACE_HIGH, i], rows[slot, FACE_HIGH + 1, i], rows[slot, FACE_HIGH + 2, i]),
    )


@kernel
def _box_around(around: Array, slot: int) -> tuple[Vec3, Vec3]:
    return (
        (around[slot, LOWS], around[slot, LOWS + 1], around[slot, LOWS + 2]),
        (around[slot, HIGHS], around[slot, HIGHS + 1], around[slot, HIGHS + 2]),
    )
