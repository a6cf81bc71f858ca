import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.convex.difference import Escape
from firstcontact.narrowphase.convex.penetration_descent import along_valleys, descended, is_smooth
from narrowphase.convex.pairs import any_rotation, pair_of


def from_near(n, turn, rng):
    """A way out along a direction that is off a little; its depth is not known."""
    d = np.array(n) + turn * rng.normal(size=3)
    d /= np.linalg.norm(d)
    return Escape(np.inf, tuple(d.tolist()), False, (0.0, 0.0, 0.0), 1)


@pytest.mark.parametrize("seed", range(10))
def test_the_bottom_of_a_smooth_length_is_found(seed):
    # A point on the shortest axis of an ellipsoid, inside where its centre of curvature is not passed.
    rng = np.random.default_rng(seed)
    radii = np.sort(rng.uniform(0.5, 2.0, 3))
    place = (-0.3 * radii[0], 0.0, 0.0)
    pair = pair_of(fc.Sphere(1), fc.Ellipsoid(radii), any_rotation(rng), place)
    found = descended(*pair, from_near((1.0, 0.0, 0.0), 0.05, rng))
    assert found.depth == pytest.approx(0.7 * radii[0], rel=1e-14)
    assert np.allclose(found.direction, (1, 0, 0), atol=1e-6)
    assert found.is_known
    assert np.allclose(found.point, place, atol=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_the_bottom_of_a_valley_is_found(seed):
    # A point beside the axis of a cylinder leaves through the side that it is nearest to.
    rng = np.random.default_rng(seed)
    x = 10.0 ** rng.uniform(-6, -2)
    pair = pair_of(fc.Sphere(1), fc.Cylinder(1, 8), any_rotation(rng), (-x, 0.0, 0.3))
    found = along_valleys(*pair, from_near((1.0, 0.0, 0.0), 0.02, rng))
    assert found.depth == pytest.approx(1.0 - x, abs=1e-10)
    assert abs(found.direction[2]) < 1e-12


def test_what_is_smooth():
    assert is_smooth(pair_of(fc.Cylinder(1, 1), fc.Box([1, 1, 1]))[0])
    assert is_smooth(pair_of(fc.Sphere(1), fc.Ellipsoid([1, 1, 1]))[0])
    assert not is_smooth(pair_of(fc.Sphere(1), fc.Box([1, 1, 1]))[0])
