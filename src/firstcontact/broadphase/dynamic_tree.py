"""A tree over boxes that is kept from step to step: only boxes that have left their leaves are looked at."""

from typing import final

import numpy as np

from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.broadphase.changes import Changes
from firstcontact.broadphase.leaves import BoxMotion, meet_leaves, widen_leaves
from firstcontact.broadphase.pairs import MOST_PAIRS, NO_KEYS, next_keys, pairs_of
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.update import Action, FittedTree, fitted_tree, updated_tree

# A new tree has leaves for this many times the boxes that there are: those that come find one.
SPARE = 1.25

# A new tree is built when so many boxes, as a share of those there are, have left leaves behind.
DESERTED = 0.5

# A tree is measured when so many boxes, as a share of those there are, have moved: it cannot be loose before.
MEASURED = 0.25


@final
class DynamicTree:
    """The pairs of overlapping boxes, from step to step.

    Each box has a leaf, which is wider than the box by a few steps of its motion. A box that has left its
    leaf gets a new one, and the tree is asked which other leaves that meets. All others meet the same leaves
    as before, and only these pairs are looked at. The tree is refitted, mended or built anew by its quality.

    A box that does not count any more leaves its leaf where it is; one that comes takes its leaf along.

    Parameters
    ----------
    most_pairs : beyond so many, of leaves, none are listed
    """

    def __init__(self, most_pairs: int = MOST_PAIRS) -> None:
        self.changes = Changes()
        self._most_pairs = most_pairs
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Know of no boxes."""
        self._keys = NO_KEYS
        self._met = NO_KEYS  # pairs whose leaves overlap
        self._boxes, self._is_active = np.empty((0, 6)), np.empty(0, np.bool_)  # with room to spare
        self._leaves = np.empty((0, 6))
        self._fitted = fitted_tree(self._leaves)
        self._n_deserted, self._n_strayed = 0, 0

    def update(self, boxes: Array, is_active: Flags) -> bool:
        """Go on to the boxes (n, 6) of the next step, lower and upper ends, and which of them count, (n,).

        There may be more than before, and never fewer. Returns whether the pairs are listed.
        """
        is_full = len(boxes) > len(self._leaves)
        if is_full:
            self._grow(int(SPARE * len(boxes)))
        motion = self._next_motion(boxes, is_active)
        is_moved = np.empty(len(self._leaves), np.bool_)
        n_moved = widen_leaves(motion, self._leaves, is_moved)
        self._n_deserted += int(np.count_nonzero(motion.was_active & ~motion.is_active))
        action = self._fit(motion, n_moved, is_full)
        begun, n_tests = self._meet(motion, is_moved, n_moved)
        if begun is not None:
            self._met, _ = next_keys(self._met, begun, self._leaves, motion.is_active)
        if begun is None or len(self._met) > self._most_pairs:
            self._begin_anew()
            return False
        n_before = len(self._keys)
        self._keys, n_kept = next_keys(self._keys, self._met, motion.boxes, motion.is_active)
        self._boxes, self._is_active = motion.boxes, motion.is_active
        self.changes = Changes(
            begun=len(self._keys) - n_kept,
            ended=n_before - n_kept,
            moved=n_moved,
            box_tests=n_tests,
            is_rebuilt=action != Action.REFIT,
        )
        return True

    def pairs(self) -> Ids:
        """Give all pairs (m, 2) of overlapping boxes, i < j, sorted by i, then by j."""
        return pairs_of(self._keys)

    def _grow(self, n: int) -> None:
        """Make room for so many boxes."""
        more = n - len(self._leaves)
        self._boxes, self._leaves = (
            np.concatenate([rows, np.zeros((more, 6))]) for rows in (self._boxes, self._leaves)
        )
        self._is_active = np.concatenate([self._is_active, np.zeros(more, np.bool_)])

    def _next_motion(self, boxes: Array, is_active: Flags) -> BoxMotion:
        """Put the boxes of a step beside those of the step before, with room to spare."""
        now, is_now = np.zeros_like(self._boxes), np.zeros_like(self._is_active)
        now[: len(boxes)], is_now[: len(boxes)] = boxes, is_active
        return BoxMotion(self._boxes, self._is_active, now, is_now)

    def _fit(self, motion: BoxMotion, n_moved: int, is_full: bool) -> Action:
        """Fit the tree to the leaves, or plant a new one."""
        n_active = int(np.count_nonzero(motion.is_active))
        self._n_strayed += n_moved
        if is_full or self._n_deserted > DESERTED * n_active:
            self._n_deserted, self._n_strayed = 0, 0
            _park(self._leaves, motion.is_active)
            self._fitted = fitted_tree(self._leaves)
        elif self._n_strayed > MEASURED * n_active:
            self._n_strayed = 0
            self._fitted = updated_tree(self._fitted.tree, self._fitted.built, self._leaves)
        elif n_moved:
            tree = self._fitted.tree
            self._fitted = FittedTree(tree, refit(tree, self._leaves), self._fitted.built, Action.REFIT)
        else:
            return Action.REFIT
        return self._fitted.action

    def _meet(self, motion: BoxMotion, is_moved: Flags, n_moved: int) -> tuple[Keys | None, int]:
        """List the pairs of leaves that overlap, of which one has moved at least, and count tests.

        There is no list where there are too many.
        """
        met = np.empty(4 * n_moved, np.int64)
        children, bounds = self._fitted.tree.children, self._fitted.node_bounds
        n, n_tests = meet_leaves(children, bounds, is_moved, motion.is_active, met, self._most_pairs)
        if n > self._most_pairs:
            return None, n_tests
        if n > len(met):
            met = np.empty(n, np.int64)
            meet_leaves(children, bounds, is_moved, motion.is_active, met, self._most_pairs)
        met = met[:n]
        met.sort()
        return met, n_tests


def _park(leaves: Array, is_active: Flags) -> None:
    """Put the leaves that are not in use at a point away from the others, where they meet none."""
    used = leaves[is_active]
    if len(used):
        lower, upper = used[:, :3].min(axis=0), used[:, 3:].max(axis=0)
        with np.errstate(over="ignore"):
            aside = lower - (upper - lower)
        leaves[~is_active] = np.tile(np.where(np.isfinite(aside), aside, lower), 2)
