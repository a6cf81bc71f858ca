"""Rays prepared for boxes: in single precision, and never past a box that they meet."""

import numpy as np
import pytest

from firstcontact.proximity.rays.ray_slabs import SINGLE_PAD, slabs_of

MIDDLE, HALF = (3.0, -2.0, 0.5), (1.0, 0.7, 0.2)


def is_met(slabs, low, high):
    """Whether a ray meets a box, by the formula of the search, in single precision."""
    above, below, inverse = (np.array(part, np.float32) for part in slabs.ray)
    lower, upper = (low - above) * inverse, (high - below) * inverse
    return max(np.minimum(lower, upper).max(), 0.0) <= np.maximum(lower, upper).min()


@pytest.mark.parametrize("distance", [0.5, 3.0, 1e4, 1e9, 1e14])
@pytest.mark.parametrize("flat", [1.0, 1e-5, 1e-30, 0.0])
def test_boxes_around_points_of_a_ray_are_met(distance, flat):
    rng = np.random.default_rng(1)
    for _ in range(300):
        target = np.array(MIDDLE) + rng.uniform(-1.0, 1.0, 3) * HALF
        d = rng.standard_normal(3) * rng.permutation([1.0, flat, flat])
        d /= np.abs(d).max()
        o = target - distance * d
        slabs = slabs_of(tuple(o.tolist()), tuple(d.tolist()), MIDDLE, HALF, 0.0)
        assert 0.0 <= slabs.entry <= distance * (1.0 + 1e-12)
        local = target - MIDDLE
        low = np.nextafter(local.astype(np.float32), np.float32(-np.inf))
        high = np.nextafter(local.astype(np.float32), np.float32(np.inf))
        assert is_met(slabs, low, high)


def test_pads_are_small_and_grow_with_the_distance():
    near = slabs_of((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), MIDDLE, HALF, 0.0)
    assert SINGLE_PAD < near.pad < 1.001 * SINGLE_PAD
    assert slabs_of((-1e12, -2.0, 0.5), (1.0, 0.0, 0.0), MIDDLE, HALF, 0.0).pad > 1e12 * 2.0**-48


def test_boxes_beside_a_ray_are_not_met():
    slabs = slabs_of((0.0, -2.0, 0.5), (1.0, 0.0, 0.0), MIDDLE, HALF, 0.0)
    assert is_met(slabs, np.float32([-0.5, -0.1, -0.1]), np.float32([0.5, 0.1, 0.1]))
    assert not is_met(slabs, np.float32([-0.5, 0.1, -0.1]), np.float32([0.5, 0.2, 0.1]))
    assert slabs.entry == pytest.approx(2.0, abs=1e-5)


def test_rays_past_the_whole_tree_have_no_entry():
    for o, d in (((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)), ((0.0, 0.0, 0.0), (0.5, 1.0, 0.0))):
        assert slabs_of(o, d, MIDDLE, HALF, 0.0).entry == np.inf
