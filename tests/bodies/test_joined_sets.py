"""Sets that are joined, against sets of Python."""

import numpy as np

from firstcontact.bodies.joined_sets import join, root_of


def test_roots_are_the_least_of_what_was_joined():
    rng = np.random.default_rng(0)
    parents, sets = np.arange(40, dtype=np.int32), [{i} for i in range(40)]
    for i, j in rng.integers(40, size=(30, 2)).tolist():
        join(parents, i, j)
        both = sets[i] | sets[j]
        for k in both:
            sets[k] = both
        assert [root_of(parents, k) for k in range(40)] == [min(one) for one in sets]
    assert 1 < len({min(one) for one in sets}) < 20
