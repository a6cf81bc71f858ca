"""All pairs of faces that meet, and the curves: known cases, and what a user can give."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from poses import pose

BOX = fc.Box([2, 2, 2]).mesh
BALL = fc.Sphere(1.0).mesh


def length(curve):
    return float(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum())


def test_two_boxes_meet_in_one_loop():
    found = fc.intersections(BOX.at((np.eye(3), [1, 1, 1])), BOX)
    (curve,) = found.curves
    assert np.array_equal(curve[0], curve[-1])
    assert length(curve) == 6.0
    assert not found.is_coplanar.any()
    assert fc.intersects(BOX.at((np.eye(3), [1, 1, 1])), BOX)


def test_two_balls_meet_in_a_circle():
    found = fc.intersections(BALL.at((np.eye(3), [1, 0.01, 0.02])), BALL)
    (curve,) = found.curves
    assert np.array_equal(curve[0], curve[-1])
    assert length(curve) == pytest.approx(2 * np.pi * np.sqrt(0.75), rel=0.05)


def test_every_segment_is_on_both_faces():
    a, b = BALL.at(pose([0.5, 0.2, 0.1], [0.4, 0.2, 0])), BOX
    found = fc.intersections(a, b)
    assert len(found) > 20
    for mesh, faces in ((fc.Mesh(a.vertices(0), BALL.faces), found.faces_a), (b, found.faces_b)):
        corners = mesh.vertices[mesh.faces[faces]]
        for end in range(2):
            points = trimesh.triangles.closest_point(corners, found.segments[:, end])
            assert np.abs(points - found.segments[:, end]).max() < 1e-12


def test_faces_on_faces_are_said_to_be():
    found = fc.intersections(BOX.at((np.eye(3), [2, 0.5, 0])), BOX)
    assert found.is_coplanar.sum() >= 2
    assert np.isnan(found.segments[found.is_coplanar]).all()
    assert not np.isnan(found.segments[~found.is_coplanar]).any()


def test_a_mesh_that_passes_through_itself():
    n = BOX.n_vertices
    both = fc.Mesh(
        np.concatenate([BOX.vertices, BOX.vertices + 1.0]), np.concatenate([BOX.faces, BOX.faces + n])
    )
    found, apart = fc.intersections(both), fc.intersections(BOX.at((np.eye(3), [1, 1, 1])), BOX)
    assert len(found) == len(apart)
    assert length(found.curves[0]) == 6.0
    assert (found.faces_a < found.faces_b).all()
    assert fc.intersects(both) is True
    assert fc.intersects(BOX) is False
    assert len(fc.intersections(BALL)) == 0
    assert fc.intersects(both.at((np.eye(3), [[0, 0, 0], [5, 0, 0]]))).tolist() == [True, True]


def test_vertices_at_one_place_are_one():
    loose = fc.Mesh(BOX.vertices[BOX.faces].reshape(-1, 3), np.arange(36).reshape(12, 3))
    assert not fc.intersects(loose)
    assert len(fc.intersections(loose)) == 0


def test_a_batch_is_pose_after_pose():
    offsets = np.array([[1.0, 1, 1], [9, 0, 0], [0.5, 1, 1]])
    found = fc.intersections(BOX.at((np.eye(3), offsets)), BOX)
    assert set(found.poses.tolist()) == {0, 2}
    for k, offset in enumerate(offsets):
        alone = fc.intersections(BOX.at((np.eye(3), offset)), BOX)
        part = found.at_pose(k)
        assert np.array_equal(part.segments, alone.segments, equal_nan=True)
        assert part.faces_a.tolist() == alone.faces_a.tolist()
    assert len(found.curves) == 2


def test_a_deformed_mesh():
    bent = BOX.vertices * [1, 1, 1 + 0.5 * (BOX.vertices[:, :1] > 0)[0, 0]]
    still = BOX.deforming(bent, bent)
    alone = fc.Mesh(bent, BOX.faces)
    assert fc.intersections(still, BALL) == fc.intersections(alone, BALL)
    assert len(fc.intersections(still)) == 0
    assert not fc.intersects(still)


def test_answers_agree_with_intersects():
    rng, seen = np.random.default_rng(9), set()
    for _ in range(60):
        place = pose(rng.uniform(-2.2, 2.2, 3), rng.normal(size=3))
        found = fc.intersections(BOX.at(place), BALL)
        if found:  # never denied; what is as near as rounding may be called touching
            assert fc.intersects(BOX.at(place), BALL)
        seen.add(bool(found))
    assert seen == {False, True}


def test_oriented_boxes_give_the_same_answers():
    a, b = BALL.at(pose([0.5, 0.2, 0.1], [0.4, 0.2, 0])), BOX
    usual, found = fc.intersections(a, b), fc.intersections(a, b, method="obb")
    assert found == usual
    assert fc.intersections(a, b, method="boxes") == usual
    assert 0 < found.stats.volume_tests < usual.stats.volume_tests
    assert len(found) <= found.stats.triangle_tests <= usual.stats.triangle_tests
    assert found.stats.volume_updates > 0
    batch = BALL.at((np.eye(3), [[1, 0, 0], [9, 0, 0], [0, 1, 0]]))
    assert fc.intersections(batch, b, method="obb") == fc.intersections(batch, b)
    n = BOX.n_vertices
    vertices = np.concatenate([BOX.vertices, BOX.vertices + 1.0])
    both = fc.Mesh(vertices, np.concatenate([BOX.faces, BOX.faces + n]))
    assert fc.intersections(both, method="obb") == fc.intersections(both)
    assert fc.intersections(both).stats.volume_updates == 0
    assert fc.intersects(both, method="obb") is True
    assert fc.intersects(BOX, method="obb") is False
    assert fc.intersects(both.at((np.eye(3), [[0, 0, 0], [5, 0, 0]])), method="obb").tolist() == [True, True]


def test_methods_that_are_not_there():
    with pytest.raises(ValueError, match="method must be 'boxes' or 'obb'; received 'rapid'"):
        fc.intersections(BOX, BALL, method="rapid")
    with pytest.raises(ValueError, match="method must be 'spheres' or 'obb'; received 'boxes'"):
        fc.intersects(BOX, BALL, method="boxes")
    with pytest.raises(ValueError, match="method must be 'boxes' or 'obb'; received 'spheres'"):
        fc.intersects(BOX, method="spheres")
    for thing in (fc.Sphere(1.0), fc.Points([[0, 0, 0]], radius=1.0), fc.Compound([fc.Sphere(1.0)])):
        with pytest.raises(ValueError, match="method has no meaning for"):
            fc.intersects(thing, BOX, method="obb")


def test_what_is_refused():
    with pytest.raises(
        TypeError, match="intersections lists faces of meshes, and a is a Sphere: use its mesh"
    ):
        fc.intersections(fc.Sphere(1.0), BOX)
    with pytest.raises(ValueError, match="intersections is for one instant, and b moves"):
        fc.intersections(BOX, BOX.moving(np.eye(4), pose([1, 0, 0])))
    with pytest.raises(ValueError, match="solid has no meaning for a mesh alone"):
        fc.intersects(BOX, solid=True)
    with pytest.raises(TypeError, match="two things"):
        fc.intersects(fc.Sphere(1.0))


def test_it_travels(tmp_path):
    import pickle

    found = fc.intersections(BOX.at((np.eye(3), [1, 1, 1])), BOX)
    assert pickle.loads(pickle.dumps(found)) == found
    assert list(found.things) == ["a", "b"]
    assert repr(found) == "Intersections(18 pairs of faces)"
