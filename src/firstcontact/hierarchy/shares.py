"""The work of a traversal, shared among threads."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import thread_count
from firstcontact.arrays import Ids
from firstcontact.hierarchy.traversal import Pairing, split_items, stack_size

# Pairs that a thread takes at a time.
PAIRS = 256

# Items of work a thread: enough for shares to be of nearly equal size.
ITEMS_A_THREAD = 128

# Nodes from which several threads are worth their start.
PARALLEL_FROM = 2048

NO_LIMIT = 1 << 62


class Shares(NamedTuple):
    """One row a thread: items still to do, how many, and what is counted."""

    stacks: Ids
    tops: NDArray[np.int64]
    counts: NDArray[np.int64]


def front(pairing: Pairing, wanted: int, counts: NDArray[np.int64]) -> Ids:
    """Split a whole traversal into about so many items, (m, 2): pairs of nodes that stand for all of it."""
    items = np.zeros((5 * max(wanted, 1), 2), np.int32)
    n_items = min(len(pairing.children), 1)  # the root with itself
    if wanted > 1:
        n_items = split_items(pairing, items, n_items, wanted, counts)
    return items[:n_items]


def shared(pairing: Pairing, depth: int, n_counts: int, part: Ids | None = None) -> Shares:
    """Share the work of a whole traversal, or of a part of its front, among the threads.

    n_counts : how many numbers each thread counts, those of the traversal first
    """
    n_threads = 1 if len(pairing.children) < PARALLEL_FROM else thread_count()
    counts = np.zeros((n_threads, n_counts), np.int64)
    wanted = n_threads * ITEMS_A_THREAD if n_threads > 1 else 1
    items = front(pairing, wanted, counts[0]) if part is None else part
    share = -(-len(items) // n_threads)
    stacks = np.zeros((n_threads, share + stack_size(depth), 2), np.int32)
    tops = np.zeros(n_threads, np.int64)
    for thread in range(n_threads):
        mine = items[thread::n_threads]
        tops[thread] = len(mine)
        stacks[thread, : len(mine)] = mine
    return Shares(stacks, tops, counts)


def dealt(work: Shares, room: int) -> Shares:
    """Deal what is left to do out anew, among all threads, with room for so many more items a thread."""
    items = [stack[:top] for stack, top in zip(work.stacks, work.tops.tolist(), strict=True)]
    left, n_threads = np.concatenate(items), thread_count()
    share, n_counts = -(-len(left) // n_threads), work.counts.shape[1]
    stacks, tops = np.empty((n_threads, share + room, 2), np.int32), np.zeros(n_threads, np.int64)
    for thread in range(n_threads):
        mine = left[thread::n_threads]
        tops[thread], stacks[thread, : len(mine)] = len(mine), mine
    return Shares(stacks, tops, np.zeros((n_threads, n_counts), np.int64))
