import numpy as np
import pytest
from numba import set_num_threads
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact._jit import thread_count
from firstcontact.bodies.convex_side import side_of
from firstcontact.proximity.distance.convex_distance import convex_distances
from firstcontact.proximity.touching.convex_intersections import (
    BLOCK,
    WORTH_A_THREAD,
    convex_intersections,
    touch_convexes,
)

SHAPES = (
    fc.Sphere(0.5),
    fc.Capsule(0.3, 0.5),
    fc.Box([1, 0.7, 0.5]),
    fc.Cylinder(0.5, 0.8),
    fc.Ellipsoid([0.6, 0.4, 0.3]),
    fc.ConvexHull(0.4 * np.random.default_rng(0).normal(size=(40, 3))),
)


def side(shape, poses):
    rows = shape.at(poses).motion.rows()
    return side_of(shape.table, rows, len(poses[1]) if poses[1].ndim > 1 else 1)


def pair_of_sides(a, b, n):
    """Poses in leaps, and in small steps: so that directions are passed on, and wrongly so."""
    rng = np.random.default_rng(0)
    places = np.cumsum(rng.normal(size=(n, 3)) * rng.choice([0.002, 0.05], (n, 1)), axis=0) % 2.0 - 1.0
    rotations = Rotation.random(n, random_state=0).as_matrix()
    rotations[rng.random(n) < 0.5] = np.eye(3)
    one = b.at(np.eye(4)).motion.rows()
    return side(a, (rotations, places)), side_of(b.table, one, n)


@pytest.mark.parametrize("a", SHAPES, ids=repr)
def test_what_has_a_distance_is_apart(a):
    n = 1000
    for b in SHAPES:
        pair = pair_of_sides(a, b, n)
        touches, distances = convex_intersections(*pair), convex_distances(*pair).distance
        assert (touches == (distances <= 1e-12)).all()
        assert 0 < touches.sum() < n
        x, y = pair
        for i in (0, 1, 2):
            one, other = x.rows[i].reshape(-1), y.rows[0].reshape(-1)
            assert touch_convexes(a.packed, one, b.packed, other) == touches[i]


def test_the_same_for_any_number_of_threads():
    n, threads = 3 * BLOCK * WORTH_A_THREAD + 5, thread_count()
    pair = pair_of_sides(SHAPES[5], SHAPES[3], n)
    many = convex_intersections(*pair)
    set_num_threads(1)
    try:
        assert (convex_intersections(*pair) == many).all()
    finally:
        set_num_threads(threads)


def test_touching_is_never_missed_far_from_the_origin():
    for far in (0.0, 1.0, 1e8):
        places = far + np.array([[1.0, 0, 0], [0, 0.7, 0], [0, 0, 0.5], [1.0, 0.7, 0.5]])
        box = SHAPES[2]
        a = side(box, (np.tile(np.eye(3), (4, 1, 1)), places))
        b = side(box, (np.tile(np.eye(3), (4, 1, 1)), np.full((4, 3), far)))
        assert convex_intersections(a, b).all()
        assert convex_intersections(b, a).all()


def test_nothing_of_nothing():
    assert convex_intersections(*pair_of_sides(SHAPES[0], SHAPES[1], 0)).shape == (0,)
