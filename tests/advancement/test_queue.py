"""The queue against the heap of the standard library."""

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.advancement.queue import ROOM, drop_first, new_queue, push, with_room
from firstcontact.hierarchy.pair_key import HALF, LOWER

moves = st.lists(
    st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0.0, 1.0)), max_size=80
)


@given(moves)
def test_the_earliest_is_always_first(moves):
    times, pairs = new_queue()
    heap, n = [], 0
    for k, time in enumerate(moves):
        if time is not None:
            n = push(times, pairs, n, time, k)
            heapq.heappush(heap, (time, k))
        elif heap:
            assert (times[0], pairs[0]) in heap  # of equals, either
            assert times[0] == heap[0][0]
            heap.remove((times[0], pairs[0]))
            heapq.heapify(heap)
            n = drop_first(times, pairs, n)
        assert n == len(heap)
        assert sorted(zip(times[:n].tolist(), pairs[:n].tolist(), strict=True)) == sorted(heap)


def test_a_full_queue_gets_room_and_loses_nothing():
    rng = np.random.default_rng(0)
    times, pairs = new_queue()
    values, n = rng.random(5 * ROOM), 0
    for k, time in enumerate(values.tolist()):
        if n == len(times):
            times, pairs = with_room(times, pairs)
        n = push(times, pairs, n, time, k)
    assert len(times) == len(pairs) == 8 * ROOM
    taken = []
    while n > 0:
        taken.append((times[0], pairs[0]))
        n = drop_first(times, pairs, n)
    assert taken == sorted(zip(values.tolist(), range(len(values)), strict=True))


@pytest.mark.parametrize(("i", "j"), [(0, 0), (1, 0), (0, 1), (2**31 - 1, 2**31 - 1), (12345, 2**31 - 2)])
def test_two_nodes_in_one_number(i, j):
    pair = (i << HALF) | j
    assert (pair >> HALF, pair & LOWER) == (i, j)
    assert pair < 2**63
