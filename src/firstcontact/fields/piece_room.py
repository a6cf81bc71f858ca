"""Memory for pieces that wait: a queue with the least first, the pieces, and which places are free."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Keys
from firstcontact.fields.pieces import N_PIECE

ROOM = 256


class PieceRoom(NamedTuple):
    """Places of pieces.

    keys, places : a binary heap, the least key first, and the place of the piece that belongs to each
    rows, ids : the pieces
    free : places that are free, as a stack
    """

    keys: Array
    places: Keys
    rows: Array
    ids: Keys
    free: Keys


def new_room() -> PieceRoom:
    """Room for some pieces."""
    return PieceRoom(
        np.empty(ROOM),
        np.empty(ROOM, np.int64),
        np.empty((ROOM, N_PIECE)),
        np.empty(ROOM, np.int64),
        np.arange(ROOM)[::-1].copy(),
    )


@kernel
def some_room() -> PieceRoom:
    """The same, for compiled code that needs it once: searches fill the places that are free themselves."""
    keys, places = np.empty(ROOM), np.empty(ROOM, np.int64)
    rows, ids, free = np.empty((ROOM, N_PIECE)), np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    return PieceRoom(keys, places, rows, ids, free)


@kernel
def larger(room: PieceRoom) -> PieceRoom:
    """Return twice the room, with all that was in it; the new places are the free ones."""
    n = len(room.keys)
    keys, places = np.empty(2 * n), np.empty(2 * n, np.int64)
    rows, ids, free = np.empty((2 * n, N_PIECE)), np.empty(2 * n, np.int64), np.empty(2 * n, np.int64)
    for i in range(n):
        keys[i], places[i], ids[i], free[i] = room.keys[i], room.places[i], room.ids[i], 2 * n - 1 - i
        for k in range(N_PIECE):
            rows[i, k] = room.rows[i, k]
    return PieceRoom(keys, places, rows, ids, free)
