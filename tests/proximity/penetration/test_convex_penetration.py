import numpy as np
import pytest
from numba import set_num_threads
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact._jit import thread_count
from firstcontact.bodies.convex_side import side_of
from firstcontact.proximity.penetration.convex_penetration import WORTH_A_THREAD, convex_penetrations

SHAPES = (
    fc.Sphere(0.5),
    fc.Capsule(0.3, 0.5),
    fc.Box([1, 0.7, 0.5]),
    fc.Cylinder(0.5, 0.8),
    fc.Ellipsoid([0.6, 0.4, 0.3]),
    fc.ConvexHull(0.6 * np.random.default_rng(0).normal(size=(20, 3))),
)


def sides(a, b, n, seed=0):
    rng = np.random.default_rng(seed)
    poses = Rotation.random(n, random_state=seed).as_matrix(), 0.5 * rng.normal(size=(n, 3))
    return side_of(a.table, a.at(poses).motion.rows(), n), side_of(b.table, b.at(np.eye(4)).motion.rows(), n)


@pytest.mark.parametrize("a", SHAPES, ids=lambda shape: type(shape).__name__)
def test_the_same_bytes_for_any_number_of_threads(a):
    n = 2 * WORTH_A_THREAD + 3
    threads = thread_count()
    for b in SHAPES[1:4]:
        pair = sides(a, b, n)
        many = convex_penetrations(*pair)
        set_num_threads(1)
        try:
            one = convex_penetrations(*pair)
        finally:
            set_num_threads(threads)
        for x, y in zip(many, one, strict=True):
            assert x.tobytes() == y.tobytes()
        assert 0 < many.is_overlapping.sum() < n


def test_nothing_is_measured_of_nothing():
    found = convex_penetrations(*sides(SHAPES[0], SHAPES[1], 0))
    assert len(found.depth) == 0
    assert found.points_a.shape == (0, 3)


def test_apart_is_zero_and_nan():
    found = convex_penetrations(*sides(SHAPES[2], SHAPES[5], 200))
    apart = ~found.is_overlapping
    assert apart.any()
    assert (found.depth[apart] == 0).all()
    assert np.isnan(found.direction[apart]).all()
    assert np.isnan(found.points_a[apart]).all()
    inside = found.is_overlapping
    way = found.points_a[inside] - found.points_b[inside]
    assert np.allclose(way, found.depth[inside, None] * found.direction[inside], atol=1e-14)


@pytest.mark.parametrize("shape", [fc.Cylinder(0.5657164490814307, 1.4611970106260403), fc.Cone(0.5, 1.0)])
def test_round_shapes_at_one_place_leave_along_a_unit_vector(shape):
    """Turned about their axis they are the same: all slopes are rounding, and may point anywhere."""
    turns = Rotation.from_rotvec(np.linspace(0.0, 6.0, 40)[:, np.newaxis] * [0, 0, 1]).as_matrix()
    turns[1] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    found = fc.penetration(shape, shape.at((turns, np.zeros((40, 3)))))
    assert np.abs(np.linalg.norm(found.direction, axis=1) - 1.0).max() < 1e-12
    assert np.ptp(found.depth) < 1e-9
    assert found.depth.min() > 0.8
