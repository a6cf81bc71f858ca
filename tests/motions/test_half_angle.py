"""Turns by half their angle: the same as by the angle, to rounding."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from firstcontact._jit import driver
from firstcontact.motions.half_angle import axis_rotation_by, is_orthogonal, turned_away_by
from firstcontact.motions.rotation import ORTHOGONALITY, excess, turned_away
from firstcontact.scalar.mat3 import axis_rotation


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
