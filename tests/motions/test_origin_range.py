"""Where the origin of a frame comes: never beyond the bound, and not far below it."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.origin_range import OriginRange, origin_range


def motions(seed):
    rng = np.random.default_rng(seed)
    body = fc.Box([1, 1, 1])
    turns = Rotation.random(4, random_state=seed)
    places = 3.0 * rng.normal(size=(4, 3))
    rates, center = 4.0 * rng.normal(size=3), 2.0 * rng.normal(size=3)
    yield body.moving((turns[0], places[0]), (turns[1], places[1]), path="screw")
    yield body.moving((turns[0], places[0]), velocity=places[1], angular_velocity=rates, center=center)
    yield body.moving((turns[0], places[0]), velocity=places[1], acceleration=places[2])
    yield body.along((turns, places))
    yield body.along(fc.Spline(None, (turns, places)))


@pytest.mark.parametrize("seed", range(8))
def test_the_origin_is_never_farther_away(seed):
    for moving in motions(seed):
        found = origin_range(moving.motion)
        ways = [np.linalg.norm(moving.pose(t)[:3, 3] - found.places[0]) for t in np.linspace(0, 1, 101)]
        assert max(ways) <= found.spans[0]
        assert found.spans[0] <= 60.0 * max(ways)


def test_a_screw_that_hardly_turns_does_not_go_far():
    end = np.eye(4)
    end[:3, :3], end[:3, 3] = Rotation.from_rotvec([0, 0, 1e-9]).as_matrix(), [1, 0, 0]
    assert origin_range(fc.Sphere(1).moving(np.eye(4), end, path="screw").motion).spans[0] < 1.1


def test_one_row_goes_with_many():
    one, many = OriginRange(np.zeros((1, 3)), np.ones(1)), OriginRange(np.diag([1.0, 2, 3]), np.ones(3))
    assert 5.0 <= one.farthest_to(many) < 5.0001
    none = OriginRange(np.empty((0, 3)), np.empty(0))
    assert one.farthest_to(none) == many.farthest_to(none) == 0.0
