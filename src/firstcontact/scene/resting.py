"""Contacts of the step before: what has not moved since touches as it did."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Flags
from firstcontact.scene.touching import Touching

Rows = NDArray[np.int64]


class Kept(NamedTuple):
    """Contacts of all pairs, what was asked, and the number of the last edit before."""

    ask: Ask
    edit: int
    touching: Touching


class Before(NamedTuple):
    """Contacts of a step, and which bodies, (n_rows,), have changed since."""

    touching: Touching
    has_changed: Flags

    def resting(self) -> Touching:
        """Contacts of two bodies that have not changed."""
        pairs = self.touching.pairs
        return self.touching.taken(np.flatnonzero(~self.are_new(pairs)))

    def are_new(self, pairs: NDArray[np.int32]) -> Flags:
        """Which of some pairs have a body that has changed?"""
        is_new: Flags = self.has_changed[pairs[:, 0]] | self.has_changed[pairs[:, 1]]
        return is_new


class Resting:
    """Which edit last changed a body, and the contacts that are known.

    An edit changes all bodies, unless it says in the end which ones: what interrupts it leaves that said.
    """

    def __init__(self) -> None:
        self._edit = self._all_at = self._all_before = 0
        self._changed_at: NDArray[np.int64] = np.empty(0, np.int64)
        self._kept: Kept | None = None

    @property
    def edit(self) -> int:
        """Number of the last edit."""
        return self._edit

    @property
    def is_of_use(self) -> bool:
        """Did the last edit leave some bodies as they were? Where all move, to keep contacts costs time."""
        return self._all_at < self._edit

    def begin_edit(self) -> None:
        """Take all bodies for changed."""
        self._edit, self._all_before = self._edit + 1, self._all_at
        self._all_at = self._edit

    def only(self, rows: Rows, n_rows: int) -> None:
        """Say that the last edit has changed none but these."""
        if len(rows) == n_rows:
            return
        if len(self._changed_at) != n_rows:
            self._changed_at = np.full(n_rows, self._edit)
        self._changed_at[rows] = self._edit
        self._all_at = self._all_before

    def keep(self, kept: Kept) -> None:
        """Keep contacts, unless those of a later edit are known."""
        if self._kept is None or self._kept.edit <= kept.edit:
            self._kept = kept

    def before(self, ask: Ask, n_rows: int) -> Before | None:
        """The contacts that are known, where some of these bodies may not have changed since."""
        kept = self._kept
        if kept is None or kept.ask != ask or kept.edit < self._all_at:
            return None
        if len(self._changed_at) != n_rows:
            self._changed_at = np.full(n_rows, self._all_at)
        return Before(kept.touching, self._changed_at > kept.edit)
