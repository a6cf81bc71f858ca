"""`distance` is 0 wherever `intersects` is True, of surfaces and of solids, for all pairs of kinds."""

import numpy as np
import pytest

import firstcontact as fc

HERE = np.eye(3)
SHAPES = [fc.Sphere(1), fc.Box([2, 2, 2]), fc.Capsule(0.5, 1), fc.Cylinder(1, 2), fc.Ellipsoid([1, 1, 1])]
KINDS = [*SHAPES, fc.Box([2, 2, 2]).mesh, fc.Sphere(1).mesh, fc.ConvexHull(fc.Box([2, 2, 2]).mesh.vertices)]


def torus(n=24, m=12, large=2.0, small=0.6):
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(m) * 2 * np.pi / m, indexing="ij")
    ring = large + small * np.cos(v)
    places = np.stack([ring * np.cos(u), ring * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    ids = np.arange(n * m).reshape(n, m)
    right, up = np.roll(ids, -1, axis=0), np.roll(ids, -1, axis=1)
    corner = np.roll(right, -1, axis=1)
    quads = np.stack([ids, right, corner, up], axis=-1).reshape(-1, 4)
    return fc.Mesh(places, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


@pytest.mark.parametrize("b", KINDS, ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("a", KINDS, ids=lambda shape: type(shape).__name__)
def test_gaps_that_rounding_hides_are_no_distance(a, b):
    steps = np.arange(-40, 41) * 2.0**-52
    turn = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for far in (0.0, 1e3):
        poses = np.tile(np.eye(4), (len(steps), 1, 1))
        poses[:, :3, :3], poses[:, 2, 3], poses[:, 0, 3] = turn, 2.0 + steps, far
        still = b.at((HERE, [far, 0, 0]))
        is_touching = fc.intersects(a.at(poses), still)
        found = fc.distance(a.at(poses), still)
        assert not found.distance[is_touching].any()
        same = found.points_a[is_touching] - found.points_b[is_touching]
        assert np.abs(same).max(initial=0.0) < 1e-6
        for k in (0, 40, 80):
            one = fc.distance(a.at(poses[k]), still)
            assert (one.distance == 0.0) >= fc.intersects(a.at(poses[k]), still)
            assert one.distance == found.distance[k]


@pytest.mark.parametrize(
    "inner", [fc.Box([0.2, 0.2, 0.2]), fc.Box([0.2, 0.2, 0.2]).mesh, fc.Sphere(0.1).mesh]
)
def test_what_is_inside_a_solid_is_at_no_distance_from_it(inner):
    ring = torus()
    places = [[2, 0, 0], [0, 0, 0], [0, -2, 0.1]]
    small = inner.at((HERE, places))
    for a, b in ((small, ring), (ring, small)):
        surfaces, solids = fc.distance(a, b), fc.distance(a, b, solid=True)
        assert surfaces.distance.min() > 0.1
        assert fc.intersects(a, b, solid=True).tolist() == [True, False, True]
        assert solids.distance.tolist() == [0.0, surfaces.distance[1], 0.0]
        np.testing.assert_array_equal(solids.points_a[[0, 2]], solids.points_b[[0, 2]])
        assert np.linalg.norm(solids.points_a[0] - places[0]) < 0.2
        assert (solids.faces[[0, 2]] == -1).all()
        np.testing.assert_array_equal(solids.points_a[1], surfaces.points_a[1])
    one = fc.distance(inner.at((HERE, [2, 0, 0])), ring, solid=True)
    assert one.distance == 0.0
    assert one.faces.tolist() == [-1, -1]


def test_solids_must_be_closed():
    leaf = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; b has 3 open edges$"):
        fc.distance(fc.Sphere(1), leaf, solid=True)
    with pytest.raises(TypeError, match="solid must be True or False"):
        fc.distance(fc.Sphere(1), leaf, solid=1)


def robot_in(ring_radius):
    arm = fc.Sphere(0.1).at((HERE, [ring_radius, 0, 0]))
    return fc.Robot({"base": (), "arm": arm}, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 0, 1])])


def test_a_link_inside_an_obstacle_is_at_no_distance_from_it():
    ring, inside, outside = torus(), robot_in(2.0), robot_in(0.5)
    assert fc.intersects(inside.at([0.3]), ring)
    found = fc.distance(inside.at([[0.3], [1.0]]), ring)
    assert found.distance.tolist() == [0.0, 0.0]
    np.testing.assert_array_equal(found.points_a, found.points_b)
    assert fc.distance(outside.at([0.3]), ring).distance > 0.5
    assert not fc.intersects(outside.at([0.3]), ring)
    with pytest.raises(ValueError, match="solid has no meaning for robots"):
        fc.distance(inside.at([0.3]), ring, solid=True)
