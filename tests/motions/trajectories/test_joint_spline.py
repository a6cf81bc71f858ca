"""Joints along splines: no value is farther from its chords than it says."""

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline, CubicSpline, PPoly, make_interp_spline

from firstcontact.articulated.proof.proof_splines import JointPath
from firstcontact.motions.trajectories.joint_spline import joint_spline

Real = np.longdouble


def splines(rng):
    x, y = np.sort(rng.random(6)) + np.arange(6), rng.normal(size=(6, 2)) * 10.0 ** rng.uniform(-2, 2)
    slopes = rng.normal(size=(6, 2))
    straight = PPoly(np.stack([np.diff(y, axis=0) / np.diff(x)[:, np.newaxis], y[:-1]]), x)
    yield from (CubicSpline(x, y), CubicHermiteSpline(x, y, slopes), make_interp_spline(x, y, k=5), straight)


def true_values(breaks, coefficients, t):
    k = np.clip(np.searchsorted(breaks, t, side="right") - 1, 0, len(breaks) - 2)
    x = t.astype(Real) - breaks[k].astype(Real)
    return sum(coefficients[k, j].astype(Real) * x[:, np.newaxis] ** j for j in range(coefficients.shape[1]))


def test_no_value_is_farther_from_its_chord_than_it_says():
    rng = np.random.default_rng(0)
    for _ in range(5):
        for spline in splines(rng):
            law, is_batch = joint_spline(spline, 2)
            assert not is_batch
            times = np.unique(np.concatenate([rng.random(12), law.breaks, [0.3, 0.3 + 1e-9]]))
            off, values = law.deviations(times)[0], law.values(times)[0]
            for part in (0.0, 0.2, 0.5, 0.9, 1.0):
                t = np.minimum(times[:-1] + part * np.diff(times), times[1:])
                share = ((t.astype(Real) - times[:-1]) / np.diff(times.astype(Real)))[:, np.newaxis]
                chord = values[:-1].astype(Real) * (1 - share) + values[1:] * share
                away = np.abs(true_values(law.breaks, law.coefficients[0], t) - chord)
                assert (away <= off).all()
                for c in range(2):
                    path = JointPath(law.breaks, law.coefficients[0, :, :, c], 1.0)
                    assert (away[:, c] <= path.deviations(times[:-1], times[1:])).all()


def test_half_as_long_deviates_by_a_quarter():
    law, _ = joint_spline(CubicSpline([0, 1, 2], [[0.0], [1.0], [0.0]]), 1)
    whole, half, none = (law.deviations(np.array([0.1, 0.1 + h]))[0, 0, 0] for h in (0.2, 0.1, 0.0))
    assert whole == pytest.approx(8 * 0.04 / 8)  # 1 - (2 t - 1)^2
    assert half == pytest.approx(whole / 4)
    assert none < 1e-13


def test_what_is_no_spline_of_the_joints_is_refused():
    with pytest.raises(ValueError, match=r"values \(3,\)"):
        joint_spline(CubicSpline([0, 1, 2], np.zeros((3, 2))), 3)
    with pytest.raises(ValueError, match="continuous"):
        joint_spline(PPoly(np.array([[[0.0], [5.0]]]), [0, 1, 2]), 1)
