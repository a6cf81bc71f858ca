"""Sets of pairs against Python's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.broadphase.pairs import NO_KEYS, have_common_point, next_keys, pairs_of

N = 6
pair_sets = st.sets(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda p: p[0] < p[1]))


def as_array(pairs):
    return np.array(sorted(pairs), np.int32).reshape(-1, 2)


def keys_of(pairs):
    return np.array(sorted(i << 32 | j for i, j in pairs), np.int64)


@given(pair_sets)
def test_pairs_of_keys(pairs):
    assert np.array_equal(pairs_of(keys_of(pairs)), as_array(pairs))


def test_pairs_of_large_numbers():
    pairs = [(0, 2**31 - 1), (2**31 - 2, 2**31 - 1)]
    assert np.array_equal(pairs_of(keys_of(pairs)), pairs)


@given(pair_sets, st.lists(st.sampled_from([(0, 1), (1, 4), (2, 5), (3, 4)])), st.sets(st.integers(0, N - 1)))
def test_next_keys(known, others, active):
    boxes = np.array([[i // 2, 0, 0, i // 2 + 1, 1, 1] for i in range(N)], np.float64)
    is_active = np.array([i in active for i in range(N)])
    keys, n_kept = next_keys(keys_of(known), keys_of(others), boxes, is_active)

    def overlap(pair):
        return active.issuperset(pair) and abs(pair[0] // 2 - pair[1] // 2) <= 1

    assert np.array_equal(pairs_of(keys), as_array(filter(overlap, known | set(others))))
    assert n_kept == sum(map(overlap, known))


def test_no_keys():
    keys, n_kept = next_keys(NO_KEYS, NO_KEYS, np.empty((0, 6)), np.empty(0, np.bool_))
    assert len(keys) == n_kept == 0
    assert pairs_of(keys).shape == (0, 2)


@pytest.mark.parametrize("axis", range(3))
def test_boxes_that_touch_have_a_common_point(axis):
    boxes = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (3, 1))
    boxes[1, [axis, 3 + axis]] += 1.0
    boxes[2, [axis, 3 + axis]] += np.nextafter(2.0, 3.0)
    assert have_common_point(boxes, 0, 1)
    assert not have_common_point(boxes, 0, 2)
    assert not have_common_point(boxes, 2, 1)
