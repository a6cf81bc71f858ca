from itertools import combinations

import numpy as np
import pytest

from firstcontact.scene.filters import Filters


def kept(filters, n):
    a, b = np.triu_indices(n)
    is_kept = filters.is_kept(a, b)
    return {(int(i), int(j)) for i, j in zip(a[is_kept], b[is_kept], strict=True)}


@pytest.mark.parametrize("seed", range(5))
def test_filters_say_what_a_plain_set_says(seed):
    rng = np.random.default_rng(seed)
    n, filters = 12, Filters()
    everything = {(i, j) for i in range(n) for j in range(i, n)}
    expected = set(everything)
    for _ in range(200):
        what = rng.integers(3)
        i, j = np.sort(rng.integers(n, size=2)).tolist()
        if what == 0:
            filters.set_pair(j, i, ignored=True)
            expected.discard((i, j))
        elif what == 1:
            filters.set_pair(i, j, ignored=False)
            expected.add((i, j))
        elif rng.uniform() < 0.1:
            group = np.sort(rng.choice(n, rng.integers(1, 6), replace=False)).tolist()
            filters.add_group(group)
            expected -= set(combinations(group, 2))
        assert kept(filters, n) == expected


def test_what_has_left_is_forgotten():
    filters = Filters()
    filters.set_pair(0, 1, ignored=True)
    filters.add_group([0, 1, 2])
    filters.forget({0})
    assert kept(filters, 3) == {(0, 0), (0, 1), (0, 2), (1, 1), (2, 2)}
    filters.forget({1})
    assert (1, 2) in kept(filters, 3)


def test_no_pairs_at_all():
    nothing = np.empty(0, np.int64)
    filters = Filters()
    filters.add_group([3, 4])
    assert len(filters.is_kept(nothing, nothing)) == 0
