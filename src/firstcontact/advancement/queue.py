"""A queue of pairs of nodes, earliest first: a binary heap in two arrays."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel

ROOM = 1024


Times = NDArray[np.float64]
Pairs = NDArray[np.int64]


Queue = tuple[Times, Pairs]  # times in heap order, and the pair that belongs to each


def new_queue() -> Queue:
    """Return arrays with some room."""
    return np.empty(ROOM, np.float64), np.empty(ROOM, np.int64)


@kernel
def with_room(times: Times, pairs: Pairs) -> Queue:
    """Return a queue with twice the room, and what was in it."""
    n = len(times)
    more_times, more_pairs = np.empty(2 * n, np.float64), np.empty(2 * n, np.int64)
    for i in range(n):
        more_times[i], more_pairs[i] = times[i], pairs[i]
    return more_times, more_pairs


@kernel
def push(times: Times, pairs: Pairs, n: int, time: float, pair: int) -> int:
    """Put a pair among n others, where there is room; return how many there are then."""
    i = n
    while i > 0:
        parent = (i - 1) >> 1
        if times[parent] <= time:
            break
        times[i], pairs[i] = times[parent], pairs[parent]
        i = parent
    times[i], pairs[i] = time, pair
    return n + 1


@kernel
def drop_first(times: Times, pairs: Pairs, n: int) -> int:
    """Take the first of n pairs, at index 0, away; return how many are left."""
    n -= 1
    time, pair, i = times[n], pairs[n], 0
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        if child + 1 < n and times[child + 1] < times[child]:
            child += 1
        if times[child] >= time:
            break
        times[i], pairs[i] = times[child], pairs[child]
        i = child
    times[i], pairs[i] = time, pair
    return n
