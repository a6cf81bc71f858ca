import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from firstcontact._jit import driver
from firstcontact.motions.rotation import (
    ORTHOGONALITY,
    axis_and_angle,
    axis_rotation_by,
    excess,
    is_orthogonal,
    nearer_rotation,
    rotation_matrix,
    rotation_vector,
    turned_away,
    turned_away_by,
)
from firstcontact.scalar.mat3 import axis_rotation

AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 3, 6), (-1, 4, 8), (1, -1, 0), (0, 1, -1), (-4, -4, 7)]
# From the smallest numbers there are, through every size, to both sides of a half turn.
ANGLES = [5e-324, 1e-310, 1e-200, 1e-17, 1e-9, 1e-4, 0.1, 1.0, math.pi / 2, 2.0, 2.1, 3.0]
ANGLES += [math.pi - gap for gap in (1e-3, 1e-6, 1e-9, 1e-12, 1e-13)]

seeds = st.integers(0, 2**32 - 1)
components = st.floats(-4.0, 4.0)


def as_tuple(matrix):
    return tuple(np.asarray(matrix, dtype=float).ravel().tolist())


def as_array(matrix):
    return np.array(matrix).reshape(3, 3)


def exact_matrix(axis, angle):
    """Rodrigues' formula in extended precision, rounded once."""
    a = np.array(axis, dtype=np.longdouble)
    a /= np.sqrt(a @ a)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]], dtype=np.longdouble)
    half = np.sin(np.longdouble(angle) / 2)
    return (np.eye(3) + np.sin(np.longdouble(angle)) * k + 2 * half * half * (k @ k)).astype(float)


def unit(axis):
    return np.array(axis) / np.linalg.norm(axis)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", ANGLES)
def test_vectors_of_matrices_are_right_for_every_angle(axis, angle):
    vector = rotation_vector(as_tuple(exact_matrix(axis, angle)))
    # Relative to the turn, where it is small; numbers near the smallest have no digits to lose.
    np.testing.assert_allclose(vector, angle * unit(axis), rtol=0, atol=2e-15 * min(angle, 1.0) + 1e-323)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", [*ANGLES, math.pi, 4.0, 100.0, 1e6])
def test_matrices_of_vectors_are_right_for_every_angle(axis, angle):
    matrix = as_array(rotation_matrix(tuple(angle * unit(axis))))
    # The vector is rounded, and so the angle.
    np.testing.assert_allclose(matrix, exact_matrix(axis, angle), rtol=0, atol=1e-15 * max(angle, 1.0))
    skew = 0.5 * (matrix - matrix.T)
    vector = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
    small = 2e-15 * min(angle, 1.0) + 1e-323
    np.testing.assert_allclose(vector, math.sin(angle) * unit(axis), rtol=0, atol=small * max(angle, 1.0))


@given(seeds)
def test_scipy_agrees(seed):
    turn = Rotation.random(rng=np.random.default_rng(seed))
    vector = rotation_vector(as_tuple(turn.as_matrix()))
    np.testing.assert_allclose(vector, turn.as_rotvec(), rtol=0, atol=1e-14)
    np.testing.assert_allclose(as_array(rotation_matrix(vector)), turn.as_matrix(), rtol=0, atol=2e-15)


@given(st.tuples(components, components, components))
def test_matrices_are_rotations(vector):
    matrix = rotation_matrix(vector)
    assert excess(matrix)[1] <= 32 * 2.0**-53  # what docs/rigid.md counts on
    assert np.linalg.det(as_array(matrix)) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_half_turn_goes_one_way_whatever_the_rounding(axis, sign, seed):
    upwards = unit(axis) * next(np.sign(x) for x in axis if x != 0)
    start = Rotation.random(rng=np.random.default_rng(seed)).as_matrix()
    half = exact_matrix(sign * np.array(axis), math.pi)
    for matrix in (half, (half @ start) @ start.T):
        vector = rotation_vector(as_tuple(matrix))
        np.testing.assert_allclose(vector, math.pi * upwards, rtol=0, atol=4e-15)


def test_no_turn_is_none():
    assert rotation_vector(as_tuple(np.eye(3))) == (0.0, 0.0, 0.0)
    assert rotation_matrix((0.0, 0.0, 0.0)) == as_tuple(np.eye(3))
    assert axis_and_angle((0.0, -0.0, 0.0)) == ((0.0, 0.0, 0.0), 0.0)


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-160, 1.0, 1e45, 1e300])
@given(st.tuples(components, components, components).filter(lambda v: max(map(abs, v)) >= 1.0))
def test_axes_have_length_one(size, vector):
    scaled = tuple(size * x for x in vector)
    axis, angle = axis_and_angle(scaled)
    assert math.hypot(*axis) == pytest.approx(1.0, abs=1e-15)
    assert angle == pytest.approx(math.hypot(*scaled), rel=1e-15, abs=5e-324)


@pytest.mark.parametrize("length", [0.0, 1.0, 1e8, 1e16])
@pytest.mark.parametrize("angle", [0.0, 1e-17, 1e-9, 1e-4, 1.0, 3.0, 50.0])
def test_the_way_of_an_arm_is_right_to_rounding_of_the_way(angle, length):
    axis, arm = unit((2, 3, 6)), length * np.array([1.0, -0.5, 0.25])
    way = turned_away(tuple(axis), angle, tuple(arm))
    a, x = axis.astype(np.longdouble), arm.astype(np.longdouble)
    sine, half = np.sin(np.longdouble(angle)), np.sin(np.longdouble(angle) / 2)
    exact = sine * np.cross(a, x) + 2 * half * half * np.cross(a, np.cross(a, x))
    np.testing.assert_allclose(way, exact.astype(float), rtol=0, atol=2e-15 * length * min(angle, 1.0))


@given(seeds, st.floats(1e-12, 1e-6))
def test_two_steps_lead_to_the_nearest_rotation(seed, size):
    rng = np.random.default_rng(seed)
    near = Rotation.random(rng=rng).as_matrix() + size / 3.0 * rng.uniform(-1, 1, (3, 3))
    found = nearer_rotation(nearer_rotation(as_tuple(near)))
    assert excess(found)[1] <= 2.0**-50
    u, _, v = np.linalg.svd(near)
    np.testing.assert_allclose(as_array(found), u @ v, rtol=0, atol=1e-14)


@given(seeds)
def test_compiled_or_not_it_is_the_same(seed):
    rng = np.random.default_rng(seed)
    matrix = as_tuple(Rotation.random(rng=rng).as_matrix() + 1e-7 * rng.random((3, 3)))
    vector = tuple(rng.normal(size=3).tolist())
    for kernel in (rotation_vector, excess, nearer_rotation):
        assert kernel(matrix) == kernel.py_func(matrix)
    for kernel in (rotation_matrix, axis_and_angle):
        assert kernel(vector) == kernel.py_func(vector)


@driver
def _both(axis, angle, arm, out):
    n, r = (axis[0], axis[1], axis[2]), (arm[0], arm[1], arm[2])
    sine, cosine = np.sin(0.5 * angle), np.cos(0.5 * angle)
    way, own = turned_away(n, angle, r), turned_away_by(n, sine, cosine, r)
    turn, by = axis_rotation(n, angle), axis_rotation_by(n, sine, cosine)
    for k in range(3):
        out[0, k], out[1, k] = way[k], own[k]
    for k in range(9):
        out[0, 3 + k], out[1, 3 + k] = turn[k], by[k]


@driver
def _orthogonal(m):
    matrix = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    return is_orthogonal(matrix), excess(matrix)[1] <= ORTHOGONALITY


@pytest.mark.parametrize("angle", [0.0, 5e-324, 1e-9, 0.2, np.pi, 2.0 * np.pi])
def test_turns_are_those_by_the_angle(angle):
    rng, out = np.random.default_rng(0), np.empty((2, 12))
    for _ in range(20):
        axis = rng.normal(size=3)
        _both(axis / np.linalg.norm(axis), angle, 1e3 * rng.normal(size=3), out)
        np.testing.assert_allclose(out[1, :3], out[0, :3], rtol=1e-13, atol=1e-12 * min(angle, 1.0))
        np.testing.assert_allclose(out[1, 3:], out[0, 3:], atol=1e-15)


def test_orthogonal_is_what_the_excess_says():
    rng, told = np.random.default_rng(1), []
    for size in (0.0, 1e-15, 3e-15, 1e-14, np.nan):
        for m in Rotation.random(50, rng=rng).as_matrix().reshape(-1, 9):
            own, by_excess = _orthogonal(m + size * rng.normal(size=9))
            assert own == (by_excess and size == size)
            told.append(own)
    assert 0 < sum(told) < len(told)
