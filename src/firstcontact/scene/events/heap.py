"""A heap of bodies by the times of their events, in which each knows its place."""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scene.events.event_table import AT, EARLIER, Numbers


@kernel
def sift(heap: Numbers, numbers: Numbers, times: Array, body: int) -> None:
    """Bring a body to its place, after its time has changed; of equal times the lower number comes first."""
    at, time = numbers[body, AT], times[body, EARLIER]
    while at > 0:
        above = (at - 1) >> 1
        if not _is_before(time, body, times, heap[above]):
            break
        _put(heap, numbers, heap[above], at)
        at = above
    while 2 * at + 1 < len(heap):
        below = 2 * at + 1
        if below + 1 < len(heap):
            left = heap[below]
            if _is_before(times[heap[below + 1], EARLIER], heap[below + 1], times, left):
                below += 1
        if _is_before(time, body, times, heap[below]):
            break
        _put(heap, numbers, heap[below], at)
        at = below
    _put(heap, numbers, body, at)


@kernel
def _is_before(time: float, body: int, times: Array, other: int) -> bool:
    theirs: float = times[other, EARLIER]
    return time < theirs or (time == theirs and body < other)


@kernel
def _put(heap: Numbers, numbers: Numbers, body: int, at: int) -> None:
    heap[at], numbers[body, AT] = body, at
