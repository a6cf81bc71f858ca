"""Half-spaces: what they are, and the slabs that stand for them."""

import pickle

import numpy as np
import pytest

import firstcontact as fc


def test_it_is_made_of_any_vector_that_is_not_zero():
    tilted = fc.HalfSpace([3, 0, 4], 5)
    assert tilted.normal.tolist() == [0.6, 0.0, 0.8]
    assert tilted.centroid.tolist() == [3.0, 0.0, 4.0]
    assert repr(fc.HalfSpace([0, 0, -1e-300], 1)) == "HalfSpace([0, 0, -1], 1)"
    assert pickle.loads(pickle.dumps(tilted)).normal.tolist() == tilted.normal.tolist()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (([0, 0, 0],), "normal must be one vector"),
        (([[0, 0, 1], [1, 0, 0]],), "normal must be one vector"),
        (([0, 0, np.nan],), "normal"),
        (([0, 0, 1], np.inf), "offset must be a finite number"),
        (([0, 0, 1], 1e60), "offset must be a finite number"),
    ],
)
def test_what_is_wrong_is_told(wrong, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        fc.HalfSpace(*wrong)


def test_it_ends_where_its_plane_does():
    assert fc.HalfSpace([0, -1, 0], 2).bounds.tolist() == [[-np.inf, -2, -np.inf], [np.inf] * 3]
    assert np.isinf(fc.HalfSpace([1, 1, 0]).bounds).all()
    floor = fc.HalfSpace([0, 0, 1], 3)
    assert floor.support(np.array([[0.0, 0, 2], [0, 0, -1], [1, 0, 1]])).tolist() == [6.0, np.inf, np.inf]


@pytest.mark.parametrize("seed", range(20))
def test_a_slab_holds_all_of_it_that_is_near_and_ends_in_its_plane(seed):
    rng = np.random.default_rng(seed)
    half_space = fc.HalfSpace(rng.normal(size=3), 10.0 ** rng.uniform(-3, 3) * rng.choice([-1, 1]))
    distance = 10.0 ** rng.uniform(-3, 3)
    slab = half_space.within(distance)
    assert half_space.within(distance) is slab
    heights = slab.points @ half_space.normal - half_space.offset
    size = np.abs(slab.points).max()
    top = heights > -0.5 * size
    assert np.count_nonzero(top) == 4
    assert (heights[top] >= 0.0).all()
    assert heights[top].max() < 1e-13 * size
    # Four times as wide and thick as anything near is from the middle.
    across = slab.points - heights[:, np.newaxis] * half_space.normal - half_space.centroid
    assert np.linalg.norm(across, axis=1).min() >= 4 * (distance + abs(half_space.offset))
    assert -heights.min() >= 4 * (distance + abs(half_space.offset))


def test_a_slab_along_an_axis_ends_in_the_plane_to_the_last_digit():
    assert fc.HalfSpace([0, 1, 0], 0.1).within(7.0).points[:, 1].max() == 0.1


def test_what_is_too_far_away_is_refused():
    with pytest.raises(ValueError, match=r"^a HalfSpace and what it meets must be within 1\.\d+e\+44 of"):
        fc.HalfSpace([0, 0, 1]).within(1e45)


def test_a_patch_is_a_square_of_its_plane():
    patch = fc.HalfSpace([0, 0, 1], 2).patch(4.0, [5, 6, 7])
    assert patch.bounds.tolist() == [[3, 4, 2], [7, 8, 2]]
    assert np.cross(*(patch.vertices[[1, 2]] - patch.vertices[0]))[2] > 0.0
    with pytest.raises(ValueError, match=r"^around must be one point, \(3,\); received 0 of them$"):
        fc.HalfSpace([0, 0, 1]).patch(4.0, [])


def test_it_goes_through_poses_but_not_along_a_motion():
    floor, poses = fc.HalfSpace([0, 0, 1]), np.tile(np.eye(4), (3, 1, 1))
    assert floor.along(poses).motion.is_resting
    with pytest.raises(TypeError, match=r"^a HalfSpace goes through poses, and not along a motion"):
        floor.along(fc.Spline(None, poses))
