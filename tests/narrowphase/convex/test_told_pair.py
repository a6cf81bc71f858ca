import numpy as np

import firstcontact as fc
from firstcontact._jit import driver
from firstcontact.narrowphase.convex.gjk import ClosestCores
from firstcontact.narrowphase.convex.told_pair import told_pair

X, P, Q = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1e-10, 0.0, 0.0)


@driver
def told(gap, radius):
    return told_pair(ClosestCores(1e-10, gap, X, P, Q, 1), radius, radius)


def test_points_are_apart_where_a_gap_is_proven_and_one_where_none_is():
    assert told(1e-11, 0.0) == (1e-10, P, Q)
    assert told(0.0, 0.0) == (0.0, P, P)
    distance, p, q = told(1e-11, 1.0)
    assert distance == 0.0
    assert p == q


def test_a_flat_ellipsoid_that_all_but_touches_a_face_has_a_point_in_common_with_it():
    flat = fc.Ellipsoid([0.9, 1.3, 3.4e-4])
    face = fc.Mesh([[-3, -3, 0], [3, -3, 0], [0, 4, 0]], [[0, 1, 2]])
    rng, n_touching = np.random.default_rng(4), 0
    for _ in range(200):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        height = np.linalg.norm(flat.radii * turn[2])  # to rounding, it touches the plane of the face
        near = fc.distance(flat.at((turn, [0, 0, height])), face)
        assert near.distance < 1e-9
        if near.distance == 0.0:
            n_touching += 1
            np.testing.assert_array_equal(near.points_a, near.points_b)
    assert n_touching > 20
