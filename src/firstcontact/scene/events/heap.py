"""A heap of bodies by the times of their events, in which each knows its place.

Below each place are four: they are half as many, and what is compared is in one or two lines of a cache.
"""

from firstcontact._jit import uncounted_kernel
from firstcontact.arrays import Array, Ids

WIDTH = 4


@uncounted_kernel
def sift(heap: Ids, keys: Array, places: Ids, time: float, body: int) -> None:
    """Bring a body to its place, after its time has changed; of equal times the lower number comes first."""
    at = int(places[body])
    while at > 0:
        above = (at - 1) // WIDTH
        if not _is_before(time, body, keys[above], heap[above]):
            break
        _put(heap, keys, places, keys[above], heap[above], at)
        at = above
    while WIDTH * at + 1 < len(heap):
        below = first = WIDTH * at + 1
        for k in range(first + 1, min(first + WIDTH, len(heap))):
            if _is_before(keys[k], heap[k], keys[below], heap[below]):
                below = k
        if _is_before(time, body, keys[below], heap[below]):
            break
        _put(heap, keys, places, keys[below], heap[below], at)
        at = below
    _put(heap, keys, places, time, body, at)


@uncounted_kernel
def _is_before(time: float, body: int, other_time: float, other: int) -> bool:
    return time < other_time or (time == other_time and body < other)


@uncounted_kernel
def _put(heap: Ids, keys: Array, places: Ids, time: float, body: int, at: int) -> None:
    heap[at], keys[at], places[body] = body, time, at
