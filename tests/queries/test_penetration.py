import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.queries.penetration import penetration
from oracles.convex_penetration import penetration as true_penetration
from poses import pose

SHAPES = (
    fc.Sphere(0.5),
    fc.Capsule(0.3, 0.5),
    fc.Box([1, 0.7, 0.5]),
    fc.Cylinder(0.5, 0.8),
    fc.Ellipsoid([0.6, 0.4, 0.3]),
    fc.ConvexHull(0.4 * np.random.default_rng(0).normal(size=(20, 3))),
    fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0]], flat=True),
)


@pytest.mark.parametrize("a", SHAPES, ids=repr)
def test_depths_are_true(a):
    rng = np.random.default_rng(len(repr(a)))
    for b in SHAPES:
        rotations = Rotation.random(2, random_state=int(rng.integers(1000))).as_matrix()
        places = 0.2 * rng.normal(size=(2, 3))
        found = penetration(a.at(pose(places[0], rotations[0])), b.at(pose(places[1], rotations[1])))
        true = true_penetration(a, (rotations[0], places[0]), b, (rotations[1], places[1]))
        assert true.lower - 1e-9 <= found.depth <= true.upper + 1e-9
        if found:
            moved = places[1] + found.depth * found.direction
            after = true_penetration(a, (rotations[0], places[0]), b, (rotations[1], moved))
            assert after.lower <= 1e-9
            assert np.allclose(found.points_a - found.points_b, found.depth * found.direction, atol=1e-14)


@pytest.mark.parametrize("a", SHAPES[:6], ids=repr)
def test_swapped_it_is_the_same_the_other_way(a):
    for b in SHAPES[:6]:
        place = pose([0.2, 0.1, 0.3], np.eye(3))
        one, two = penetration(a, b.at(place)), penetration(b.at(place), a)
        assert one.depth == pytest.approx(two.depth, rel=1e-9)
        assert np.allclose(one.direction, -two.direction, atol=1e-4)


def test_a_batch_is_as_its_poses_one_by_one():
    rng = np.random.default_rng(2)
    poses = Rotation.random(20, random_state=3).as_matrix(), 0.5 * rng.normal(size=(20, 3))
    box, hull = SHAPES[2], SHAPES[5]
    many = penetration(box.at(poses), hull)
    assert repr(many) == "Penetration(20 pairs of poses)"
    for i in range(20):
        one = penetration(box.at((poses[0][i], poses[1][i])), hull)
        assert (one.depth, bool(one)) == (many.depth[i], many.is_overlapping[i])
        assert np.array_equal(one.direction, many.direction[i], equal_nan=True)
        assert np.array_equal(one.points_b, many.points_b[i], equal_nan=True)
    with pytest.raises(ValueError, match="neither true nor false"):
        bool(many)


def test_apart_is_false():
    found = penetration(fc.Sphere(1), fc.Sphere(1).at((np.eye(3), [3, 0, 0])))
    assert not found
    assert repr(found) == "Penetration(apart)"
    assert found.depth == 0.0
    assert np.isnan(found.direction).all()


def test_spheres_and_meshes():
    cube, ball = fc.Box([2, 2, 2]).mesh, fc.Sphere(0.5).at((np.eye(3), [1.25, 0, 0]))
    one, two = penetration(ball, cube), penetration(cube, ball)
    assert one.depth == two.depth == 0.25
    assert np.array_equal(one.direction, -two.direction)
    assert np.array_equal(one.points_a, two.points_b)


def test_convex_shapes_stand_in_for_their_meshes():
    box, there = fc.Box([2, 2, 2]), (np.eye(3), [1.9, 0.5, 0.25])
    for a, b in ((box.mesh, box), (box, box.mesh), (box.mesh, box.mesh)):
        found = penetration(a, b.at(there))
        assert found.depth == pytest.approx(0.1, rel=1e-12)
        assert np.allclose(found.direction, [1, 0, 0])
        assert np.allclose(found.points_a - found.points_b, [0.1, 0, 0])
    assert not penetration(box.mesh, fc.Cylinder(1, 2).at((np.eye(3), [9, 0, 0])))


def test_what_has_no_inside_is_an_error():
    ball, leaf = fc.Sphere(1), fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    with pytest.raises(ValueError, match="penetration needs closed meshes; b has 3 open edges"):
        penetration(ball, leaf)
    with pytest.raises(ValueError, match="a is a HeightField, a surface without an inside"):
        penetration(fc.HeightField([[0, 0], [0, 0]]), ball)
    with pytest.raises(ValueError, match="penetration is for one instant, and a moves"):
        penetration(ball.moving(np.eye(4), velocity=[1, 0, 0]), ball)
