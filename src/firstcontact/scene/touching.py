"""Pairs of a scene's bodies that touch."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import CONTACT_AT_START
from firstcontact.scene.convex_frame import NORMAL, POINT, TIME, Met
from firstcontact.scene.solved import Solved, no_pairs_solved
from firstcontact.scene.solved import together as all_solved

Pairs = NDArray[np.int32]


class Touching(NamedTuple):
    """Pairs of rows (k, 2) that touch, and how; which of them, (k,), get their normal when it is read."""

    pairs: Pairs
    solved: Solved
    is_open: NDArray[np.bool_]

    def taken(self, which: NDArray[Any]) -> "Touching":
        """Copy some of them, by their numbers or by a mask."""
        return Touching(self.pairs[which], self.solved.taken(which), self.is_open[which])

    def copied(self) -> "Touching":
        """The same in arrays that nobody else has."""
        return self.taken(np.arange(len(self.pairs)))


def together(found: list[Touching]) -> Touching:
    """Put pairs that touch one behind the other."""
    found = [Touching(np.empty((0, 2), np.int32), no_pairs_solved(0), np.empty(0, np.bool_)), *found]
    pairs = np.concatenate([one.pairs for one in found])
    is_open = np.concatenate([one.is_open for one in found])
    return Touching(pairs, all_solved([one.solved for one in found]), is_open)


def in_order(found: Touching) -> Touching:
    """Sort pairs that touch by time, then by rows."""
    return found.taken(np.lexsort((found.pairs[:, 1], found.pairs[:, 0], found.solved.time)))


def by_time(met: Met) -> Touching:
    """Sort pairs of convex shapes that touch, which are in the order of their rows."""
    order = met.numbers[:, TIME].argsort(kind="stable")
    numbers, status = met.numbers.take(order, axis=0), met.status.take(order)
    columns = numbers[:, TIME].copy(), numbers[:, POINT:NORMAL].copy(), numbers[:, NORMAL:].copy()
    return Touching(met.pairs.take(order, axis=0), Solved(status, *columns), status == CONTACT_AT_START)
