import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import axis_rotation, mat_mul, mat_vec, transposed

RNG = np.random.default_rng(1)
MATRICES = [tuple(m) for m in RNG.standard_normal((20, 9)).tolist()]
VECTORS = [tuple(v) for v in RNG.standard_normal((20, 3)).tolist()]

angles = st.one_of(
    st.floats(-1e3, 1e3),
    st.floats(-1e-6, 1e-6),
    st.sampled_from([0.0, math.pi, -math.pi, 0.5 * math.pi, 2.0 * math.pi, 5e-324, 1e-160, 1e9, 1e18]),
)
directions = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda v: math.hypot(*v) > 1e-3)


def square(m):
    return np.reshape(m, (3, 3))


def test_products_are_those_of_numpy():
    for m, n, v in zip(MATRICES, MATRICES[1:], VECTORS, strict=False):
        assert np.allclose(mat_vec(m, v), square(m) @ v, rtol=0.0, atol=1e-15)
        assert np.allclose(square(mat_mul(m, n)), square(m) @ square(n), rtol=0.0, atol=1e-14)
        assert np.array_equal(square(transposed(m)), square(m).T)


def test_small_integers_are_exact():
    m = (1.0, 2.0, 3.0, -4.0, 5.0, 6.0, 7.0, -8.0, 9.0)
    assert mat_vec(m, (1.0, -1.0, 2.0)) == (5.0, 3.0, 33.0)
    assert mat_mul(m, (0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)) == (3, 1, 2, 6, -4, 5, 9, 7, -8)


def test_compiled_and_python_functions_agree():
    for m, n, v in zip(MATRICES, MATRICES[1:], VECTORS, strict=False):
        assert mat_vec(m, v) == mat_vec.py_func(m, v)
        assert mat_mul(m, n) == mat_mul.py_func(m, n)
        assert axis_rotation(v, m[0]) == pytest.approx(axis_rotation.py_func(v, m[0]), abs=1e-15)


@given(directions, angles)
def test_a_rotation_is_right_to_a_few_roundings(direction, angle):
    axis = np.array(direction) / math.hypot(*direction)
    matrix = square(axis_rotation(tuple(axis.tolist()), angle))
    x, y, z = axis.astype(np.longdouble) / np.sqrt((axis.astype(np.longdouble) ** 2).sum())
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    exact = np.eye(3) + np.sin(np.longdouble(angle)) * k
    exact = exact + 2 * np.sin(np.longdouble(angle) / 2) ** 2 * (k @ k)
    assert np.abs(matrix - exact).max() <= 12 * UNIT_ROUNDOFF
    assert np.abs(matrix.T @ matrix - np.eye(3)).max() <= 24 * UNIT_ROUNDOFF


@given(directions, st.floats(5e-324, 1e-9))
def test_a_small_turn_keeps_its_digits(direction, angle):
    axis = tuple((np.array(direction) / math.hypot(*direction)).tolist())
    matrix = square(axis_rotation(axis, angle))
    for value, x in ((matrix[2, 1], axis[0]), (matrix[0, 2], axis[1]), (matrix[1, 0], axis[2])):
        error = abs(Fraction(value) - Fraction(angle) * Fraction(x))
        assert error <= Fraction(angle) * Fraction(2) ** -50 + Fraction(angle) ** 2 + Fraction(2) ** -1073


def test_no_turn_is_the_identity():
    assert square(axis_rotation((0.6, 0.0, 0.8), 0.0)).tolist() == np.eye(3).tolist()
    assert square(axis_rotation((0.0, 0.0, 0.0), 3.0)).tolist() == np.eye(3).tolist()
