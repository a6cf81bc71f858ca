from fractions import Fraction

import numpy as np

from firstcontact.motions.step_times import times_above, times_below


def test_times_are_the_neighbours_of_the_true_ones():
    rng = np.random.default_rng(0)
    for _ in range(300):
        start, end = np.sort(rng.random(2)) if rng.random() < 0.7 else np.sort(rng.integers(0, 65, 2) / 64)
        if start == end:
            continue
        parts = rng.random(8) if rng.random() < 0.5 else rng.integers(0, 17, 8) / 16
        below, above = (bound(float(start), float(end), parts) for bound in (times_below, times_above))
        for part, low, high in zip(parts.tolist(), below.tolist(), above.tolist(), strict=True):
            true = Fraction(float(start)) + Fraction(part) * (Fraction(float(end)) - Fraction(float(start)))
            assert Fraction(low) <= true <= Fraction(high)
            assert high <= np.nextafter(np.nextafter(low, 2.0), 2.0)
            if true == Fraction(float(true)):
                assert low == high == float(true)


def test_the_ends_of_a_step_are_exact_and_what_never_comes_stays_so():
    parts = np.array([0.0, 1.0, np.inf])
    for bound in (times_below, times_above):
        assert bound(0.1, 0.7, parts).tolist() == [0.1, 0.7, np.inf]
