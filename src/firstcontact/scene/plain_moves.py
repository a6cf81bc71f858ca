"""Rigid motions of many bodies from plain arrays: from poses to rows of motion to corridors in one pass.

What is anything else, and what is wrong with it, is left to `many_motions`: here it is refused.
"""

from typing import Any, NamedTuple

import numpy as np

from firstcontact._jit import driver
from firstcontact._turns import wholly
from firstcontact.arrays import Array, Flags
from firstcontact.bounds.body_bounds import N_CORRIDOR, write_corridor
from firstcontact.motions.short_rows import read_pose
from firstcontact.scene.columns import Columns
from firstcontact.scene.pose_pairs import N_POSES, Given, Rows, check_given, hold_poses, vector_at, write_row
from firstcontact.shapes.convex import convex_at, origin_at


class Moved(NamedTuple):
    """Columns that motions are made of, and those they are written to, as `Columns` has them."""

    records: Array
    centers: Array
    pieces: Array
    places: Array
    corridors: Array


def plain_moves(n: int, start: Any, end: Any, velocity: Any, angular_velocity: Any) -> Given | None:
    """Motions of n bodies, where each is given in plain arrays; else None."""
    starts, no_turns = _plain_poses(n, start), velocity is None and angular_velocity is None
    if starts is None or (end is not None and not no_turns):
        return None
    if end is not None:
        ends = _plain_poses(n, end)
        return None if ends is None else Given(*starts, *ends, np.empty((0, 3)))
    ways, turns = (np.zeros((n, 3)) if one is None else one for one in (velocity, angular_velocity))
    if not (_is_plain(ways, (n, 3)) and _is_plain(turns, (n, 3))):
        return None
    return Given(*starts, np.empty((0, 3, 3)), ways, turns)


def write_plain_moves(rows: Rows, given: Given, columns: Columns) -> bool:
    """Write motions and corridors into some rows of all columns; False, and nothing, where one is wrong."""
    columns.write(rows)
    columns.is_posed[rows] = False
    into = Moved(columns.records, columns.centers, columns.pieces, columns.places, columns.corridors)
    return _write(rows, given, into)


def all_moved(given: Given, columns: Columns, is_shared: bool) -> tuple[Columns, Flags] | None:
    """Let all rows go from pose to pose; None, and nothing is changed, where one is wrong.

    Returns the columns, others where these are shared, and which rows, (n,), go otherwise than before.
    """
    n = len(given.places)
    if is_shared:
        corridors = np.empty((n, N_CORRIDOR))
        held = _held(given, columns, corridors)
        return None if held is None else (columns.with_poses(held[0], corridors), held[1])
    columns.is_stale[:n] = True  # whatever interrupts this: corridors are written again from the motions
    held = _held(given, columns, columns.corridors)
    if held is None:
        return None
    poses, has_moved = held

    def change() -> None:
        columns.poses = poses
        columns.is_written[:n] = columns.is_stale[:n] = False
        columns.is_posed[:n] = True

    wholly(change)
    return columns, has_moved


def _held(given: Given, columns: Columns, corridors: Array) -> tuple[Array, Flags] | None:
    """Poses of all rows, and which are other than before; corridors are written."""
    n = len(given.places)
    poses, has_moved = np.empty((n, N_POSES)), np.empty(n, np.bool_)
    before = columns.is_posed, columns.poses.view(np.int64), poses.view(np.int64)
    is_right = hold_poses(given, columns.records, columns.centers, poses, corridors, before, has_moved)
    return (poses, has_moved) if is_right else None


def _plain_poses(n: int, poses: Any) -> tuple[Array, Array] | None:
    """Rotations and places, where poses are plain arrays of n of them."""
    if type(poses) is tuple and len(poses) == 2:
        rotations, places = poses
        is_plain = _is_plain(rotations, (n, 3, 3)) and _is_plain(places, (n, 3))
        return (rotations, places) if is_plain else None
    if not _is_plain(poses, (n, 4, 4)):
        return None
    parts = np.empty((n, 3, 3)), np.empty((n, 3))
    return parts if _part(poses, *parts) else None


def _is_plain(array: Any, shape: tuple[int, ...]) -> bool:
    if type(array) is not np.ndarray or array.shape != shape:
        return False
    return array.dtype == np.float64 and bool(array.flags.carray)


@driver
def _part(matrices: Array, rotations: Array, places: Array) -> bool:
    """Take matrices apart; False where one is no pose."""
    for i in range(len(matrices)):
        is_right, (rotation, place) = read_pose(matrices[i])
        if not is_right:
            return False
        for j in range(3):
            places[i, j] = place[j]
            for k in range(3):
                rotations[i, j, k] = rotation[3 * j + k]
    return True


@driver
def _write(rows: Rows, given: Given, into: Moved) -> bool:
    """Write the motions of some rows, as seen from their centers, and the corridors that they go through.

    False, and nothing is written, where a pose is not rigid, or a number beyond the limit.
    """
    records, centers, pieces, places, corridors = into
    is_right, is_exact = check_given(given)
    for i in range(len(rows) if is_right else 0):
        row = rows[i]
        place = write_row(given, i, vector_at(centers, row), is_exact, pieces[row])
        for k in range(3):
            places[row, k] = place[k]
        write_corridor(convex_at(records, row), origin_at(records, row), pieces[row], corridors[row])
    return is_right
