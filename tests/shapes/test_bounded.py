"""Half-spaces beside what has bounds: all of it is near the slab's middle, always."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.shapes.bounded import bounded, range_of


@pytest.mark.parametrize("seed", range(12))
def test_a_body_is_always_within_the_range(seed):
    rng = np.random.default_rng(seed)
    mesh = fc.Mesh(rng.normal(size=(4, 3)) + 2, [[0, 1, 2], [1, 2, 3]])
    turns, places = Rotation.random(3, random_state=seed), 3.0 * rng.normal(size=(3, 3))
    moved = mesh.along((turns, places))
    cloth = mesh.along(np.stack([mesh.vertices, 2.0 * mesh.vertices, mesh.vertices - 7.0]))
    for thing in (moved, cloth):
        place, span = (array[0] for array in range_of(thing))
        for t in np.linspace(0, 1, 33):
            assert np.linalg.norm(thing.vertices(t) - place, axis=1).max() <= span


def test_only_one_of_two_is_bounded():
    floor, ball = fc.HalfSpace([0, 0, 1]).at(np.eye(4)), fc.Sphere(1).at(np.eye(4))
    assert bounded(ball, ball) == (ball, ball)
    assert bounded(floor, floor) == (floor, floor)
    for a, b in (bounded(floor, ball), bounded(ball, floor)[::-1]):
        assert isinstance(a.shape, fc.ConvexHull)
        assert b is ball


def test_what_has_no_points_needs_no_room():
    floor, nothing = fc.HalfSpace([0, 0, 1]), fc.Mesh([], [])
    assert fc.distance(floor, nothing).distance == np.inf
    assert fc.first_contact(nothing.moving(np.eye(4), velocity=[0, 0, -1]), floor).time == np.inf


@pytest.mark.parametrize(("n", "m"), [(0, 3), (2, 3)])
def test_batches_that_do_not_go_together_are_told(n, m):
    floor, ball = (
        shape.at(np.tile(np.eye(4), (k, 1, 1)))
        for shape, k in ((fc.HalfSpace([0, 0, 1]), n), (fc.Sphere(1), m))
    )
    with pytest.raises(ValueError, match="same length"):
        fc.distance(floor, ball)
