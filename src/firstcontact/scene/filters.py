"""Which pairs of bodies are not looked at."""

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from firstcontact.hierarchy.pair_key import HALF, LOWER

Ids = NDArray[np.int64]

WORD = 64


class Filters:
    """Pairs and groups of ids to ignore; what is said of a pair goes before what is said of a group."""

    def __init__(self) -> None:
        self._verdicts: dict[int, bool] = {}
        self._groups: list[set[int]] = []
        self._strangers: Ids = np.empty(0, np.int64)
        self._keys: Ids = np.empty(0, np.int64)
        self._is_ignored = np.empty(0, np.bool_)
        self._is_stale = False

    def set_pair(self, a: int, b: int, ignored: bool) -> None:
        """Ignore a pair, or do not."""
        self._is_stale = True  # first, lest an interrupt leave an answer of before
        self._verdicts[min(a, b) << HALF | max(a, b)] = ignored

    def add_group(self, ids: Iterable[int]) -> None:
        """Ignore all pairs within a group; of what deforms, not the contact with itself."""
        group = set(ids)

        def is_said_of_the_group(key: int) -> bool:
            a, b = key >> HALF, key & LOWER
            return a != b and a in group and b in group

        verdicts = {key: said for key, said in self._verdicts.items() if not is_said_of_the_group(key)}
        self._is_stale = True
        self._verdicts, self._groups = verdicts, [*self._groups, group]

    def forget(self, gone: Collection[int]) -> None:
        """Drop what was said of bodies that have left; their ids do not come back."""
        self._is_stale = True
        self._verdicts = {
            key: said
            for key, said in self._verdicts.items()
            if key >> HALF not in gone and key & LOWER not in gone
        }
        for group in self._groups:
            group.difference_update(gone)
        self._groups = [group for group in self._groups if len(group) > 1]

    def snapshot(self) -> "Filters":
        """Give a copy that does not change when this does."""
        new = Filters()
        new._verdicts, new._groups = self._verdicts.copy(), [group.copy() for group in self._groups]
        new._strangers, new._is_stale = self._strangers, True
        return new

    def with_strangers(self, ids: Ids) -> "Filters":
        """Give the same, which ignores every two of some ids, whatever was said of them."""
        if len(ids) < 2:
            return self
        new = self.snapshot()
        new._strangers = ids
        return new

    def keep_all(self) -> bool:
        """Is nothing ignored?"""
        return not (self._verdicts or self._groups or len(self._strangers) > 0)

    def is_kept(self, a: Ids, b: Ids) -> NDArray[np.bool_]:
        """Which pairs of ids, a <= b, are to be looked at?"""
        is_kept = ~self._share_a_group(a, b)
        if self._verdicts:
            if self._is_stale:
                items = sorted(self._verdicts.items())
                self._keys = np.array([key for key, _ in items], np.int64)
                self._is_ignored = np.array([is_ignored for _, is_ignored in items], np.bool_)
                self._is_stale = False
            keys = a << HALF | b
            at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            is_said = self._keys[at] == keys
            is_kept[is_said] = ~self._is_ignored[at[is_said]]
        if len(self._strangers) > 0:
            is_kept &= ~(np.isin(a, self._strangers) & np.isin(b, self._strangers))
        return is_kept

    def as_arrays(self, ids: Ids) -> tuple[Ids, Ids]:
        """The same for compiled code: groups of n ids as bits, (n, k); keys and verdicts, (m, 2)."""
        words = np.zeros((len(ids), -(-len(self._groups) // WORD)), np.int64)
        for number, group in enumerate(self._groups):
            column, bit = divmod(number, WORD)
            members = np.isin(ids, np.fromiter(group, np.int64, len(group)))
            words[members, column] |= np.uint64(1 << bit).astype(np.int64)
        said = np.array(sorted(self._verdicts.items()), np.int64).reshape(-1, 2)
        return words, said

    def _share_a_group(self, a: Ids, b: Ids) -> NDArray[np.bool_]:
        """Which pairs of two have a group in common?"""
        is_shared = np.zeros(len(a), np.bool_)
        if len(a) == 0 or not self._groups:
            return is_shared
        n_ids = int(b.max()) + 1
        for first in range(0, len(self._groups), WORD):
            words = np.zeros(n_ids, np.uint64)
            for bit, group in enumerate(self._groups[first : first + WORD]):
                members = np.fromiter(group, np.int64, len(group))
                words[members[members < n_ids]] |= np.uint64(1 << bit)
            is_shared |= (words[a] & words[b]) != 0
        is_shared &= a != b
        return is_shared
