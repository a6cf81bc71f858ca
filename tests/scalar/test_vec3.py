from fractions import Fraction

import numpy as np
import pytest

from firstcontact.scalar.vec3 import add, cross, dot, largest_magnitudes, lerp, scale, sub

RNG = np.random.default_rng(1)
PAIRS = [tuple(map(tuple, pair)) for pair in RNG.normal(size=(50, 2, 3)).tolist()]


@pytest.mark.parametrize("kernel", [add, sub, dot, cross, largest_magnitudes], ids=lambda k: k.__name__)
def test_compiled_and_python_functions_agree(kernel):
    for a, b in PAIRS:
        assert kernel(a, b) == kernel.py_func(a, b)


def test_compiled_and_python_functions_of_a_number_agree():
    for t, (a, b) in enumerate(PAIRS):
        assert scale(0.1 * t, a) == scale.py_func(0.1 * t, a)
        assert lerp(a, b, t / 50.0) == lerp.py_func(a, b, t / 50.0)


def test_small_integers_are_exact():
    a, b = (1.0, -2.0, 3.0), (4.0, 5.0, -6.0)
    assert add(a, b) == (5.0, 3.0, -3.0)
    assert sub(a, b) == (-3.0, -7.0, 9.0)
    assert scale(-2.0, a) == (-2.0, 4.0, -6.0)
    assert dot(a, b) == -24.0
    assert cross(a, b) == (-3.0, 18.0, 13.0)
    assert largest_magnitudes(a, b) == (4.0, 5.0, 6.0)


def test_a_blend_is_exact_at_its_ends():
    for a, b in PAIRS:
        assert lerp(a, b, 0.0) == a
        assert lerp(a, b, 1.0) == b


def test_a_blend_of_equal_points_is_off_by_roundings_only():
    for a, _ in PAIRS:
        for t in (0.1, 1.0 / 3.0, 0.7):
            for x, y in zip(lerp(a, a, t), a, strict=True):
                assert abs(x - y) <= 2.0**-51 * abs(y)


def test_a_blend_is_off_by_at_most_three_roundings_of_its_larger_end():
    for i, (a, b) in enumerate(PAIRS):
        t = (i + 0.5) / 50.0
        for x, y, z in zip(lerp(a, b, t), a, b, strict=True):
            exact = (1 - Fraction(t)) * Fraction(y) + Fraction(t) * Fraction(z)
            assert abs(Fraction(x) - exact) <= 3 * Fraction(2) ** -53 * Fraction(max(abs(y), abs(z)))
