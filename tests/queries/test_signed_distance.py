"""Signed distances of points, asked as users do."""

import pickle

import numpy as np
import pytest
import trimesh

import firstcontact as fc

BOX = fc.Box([2.0, 2.0, 2.0])
BALL = fc.Sphere(1.0)
HULL = fc.ConvexHull(BOX.mesh.vertices)


def turned(angle, place):
    pose = np.eye(4)
    pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    pose[:3, 3] = place
    return pose


def test_one_point_many_and_batches():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(4, 5, 3))
    for shape in (BOX, BOX.mesh, HULL, BALL):
        found = fc.signed_distance(shape, points)
        assert found.distance.shape == found.faces.shape == (4, 5)
        assert found.points.shape == found.normals.shape == (4, 5, 3)
        row = fc.signed_distance(shape, points[2])
        np.testing.assert_array_equal(row.distance, found.distance[2])
        one = fc.signed_distance(shape, points[2, 3])
        assert isinstance(one.distance, float)
        assert isinstance(one.faces, int)
        assert one.distance == found.distance[2, 3]
        assert one.points.shape == (3,)
        assert fc.signed_distance(shape, []).distance.shape == (0,)
        assert fc.signed_distance(shape, np.empty((2, 0, 3))).distance.shape == (2, 0)


@pytest.mark.parametrize("shape", [BOX, BOX.mesh, HULL, BALL], ids=["box", "mesh", "hull", "ball"])
def test_poses(shape):
    rng = np.random.default_rng(1)
    poses = np.stack([turned(angle, rng.normal(size=3)) for angle in rng.normal(size=6)])
    points = rng.normal(size=(7, 3)) * 2
    batch = fc.signed_distance(shape.at(poses), points)
    own = fc.signed_distance(shape.at(poses), np.tile(points, (6, 1, 1)))
    assert batch == own
    assert batch.distance.shape == (6, 7)
    assert fc.signed_distance(shape.at(poses), points[0]).distance.shape == (6,)
    for pose, distance, there, normals in zip(
        poses, batch.distance, batch.points, batch.normals, strict=True
    ):
        one = fc.signed_distance(shape.at(pose), points)
        np.testing.assert_array_equal(one.distance, distance)
        local = fc.signed_distance(shape, (points - pose[:3, 3]) @ pose[:3, :3])
        np.testing.assert_allclose(local.distance, distance, atol=1e-14)
        np.testing.assert_allclose(local.points @ pose[:3, :3].T + pose[:3, 3], there, atol=1e-14)
        np.testing.assert_allclose(local.normals @ pose[:3, :3].T, normals, atol=1e-9)
        assert fc.signed_distance(shape.at(pose), np.tile(points, (2, 1, 1))).distance.shape == (2, 7)


def test_which_sign_was_used_is_said():
    points = [[0, 0, 0]]
    assert fc.signed_distance(BOX, points).sign == "convex"
    assert fc.signed_distance(HULL, points).sign == "convex"
    assert fc.signed_distance(BOX.mesh, points).sign == "pseudonormal"
    assert fc.signed_distance(BOX.mesh, points, sign="winding").sign == "winding"
    holed = fc.Mesh(BOX.mesh.vertices, BOX.mesh.faces[1:])
    assert fc.signed_distance(holed, points).sign == "winding"
    assert fc.signed_distance(holed, points).distance[0] == -1
    assert fc.signed_distance(holed, points, sign="pseudonormal").distance[0] == -1
    assert fc.signed_distance(fc.HeightField(np.zeros((2, 2))), points).sign == "pseudonormal"


def test_contains_is_the_sign():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(3, 200, 3))
    field = fc.HeightField(rng.random((4, 4)))
    for shape in (BOX, BOX.mesh, HULL, BALL, fc.Mesh(BOX.mesh.vertices, BOX.mesh.faces[2:]), field):
        inside = fc.contains(shape, points)
        np.testing.assert_array_equal(inside, fc.signed_distance(shape, points).distance < 0)
    assert fc.contains(BOX, [0, 0, 0]) is True
    assert fc.contains(BOX.mesh.at((np.eye(3), [[0, 0, 0], [9, 9, 9]])), [0, 0, 0]).tolist() == [True, False]


def test_things_that_count_as_shapes():
    mesh, points = BOX.mesh, np.random.default_rng(3).normal(size=(50, 3))
    expected = fc.signed_distance(mesh, points)
    assert fc.signed_distance(mesh.deforming(mesh.vertices, mesh.vertices), points) == expected
    assert fc.signed_distance(trimesh.Trimesh(mesh.vertices, mesh.faces, process=False), points) == expected
    theirs = trimesh.proximity.ProximityQuery(trimesh.Trimesh(mesh.vertices, mesh.faces, process=False))
    np.testing.assert_allclose(theirs.on_surface(points)[1], np.abs(expected.distance), atol=1e-12)


def test_nothing_is_infinitely_far():
    found = fc.signed_distance(fc.Mesh([], []), np.zeros((2, 3)))
    assert found.distance.tolist() == [np.inf] * 2
    assert found.faces.tolist() == [-1] * 2
    assert np.isnan(found.points).all()
    assert not fc.contains(fc.Mesh([], []), np.zeros((2, 3))).any()


def test_flat_hulls():
    flat = fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0]], flat=True)
    assert fc.signed_distance(flat, [[0.2, 0.2, 1.0], [0.2, 0.2, -1.0]]).distance.tolist() == [1.0, 1.0]
    point = fc.ConvexHull([[1, 1, 1]], flat=True)
    assert fc.signed_distance(point, [1.0, 1.0, 3.0]).distance == 2.0


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda: fc.signed_distance(BOX, [[0, 0]]),
            ValueError,
            r"must have shape \(n, 3\), \(3,\) or",
        ),
        (
            lambda: fc.signed_distance(BOX, [[0, 0, np.nan]]),
            ValueError,
            "must be finite; row 0 has nan",
        ),
        (
            lambda: fc.signed_distance(BOX, [0, 0, 0], sign="winding"),
            ValueError,
            "sign is for meshes, and",
        ),
        (lambda: fc.signed_distance(BOX.mesh, [0, 0, 0], sign="odd"), ValueError, "sign must be 'auto' or"),
        (
            lambda: fc.signed_distance(BOX.moving(np.eye(4), velocity=[1, 0, 0]), [0, 0, 0]),
            ValueError,
            "signed_distance is for one instant, and the shape moves",
        ),
        (
            lambda: fc.signed_distance(BOX.at(np.tile(np.eye(4), (2, 1, 1))), np.zeros((3, 4, 3))),
            ValueError,
            "must have a row for each of the 2 poses; received 3",
        ),
        (lambda: fc.signed_distance({"box": BOX}, [0, 0, 0]), TypeError, "a thing must be a shape"),
        (lambda: fc.contains(None, [0, 0, 0]), TypeError, "a thing must be a shape"),
    ],
)
def test_what_is_refused(ask, error, message):
    with pytest.raises(error, match=message):
        ask()


def test_answers_are_plain():
    found = fc.signed_distance(BOX.mesh, [[0, 0, 3], [0, 0, 0.5]])
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found) == "SignedDistances(2 points, 1 inside)"
    assert repr(fc.signed_distance(BALL, [0, 0, 3])) == "SignedDistances(2, face -1)"
