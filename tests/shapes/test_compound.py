"""Compounds: what they are made of, how far they reach, and whose ids are whose."""

import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.shapes.compound import moving_parts

HERE = np.eye(3)
TURN = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()
BOX, MESH = fc.Box([1, 2, 3]), fc.Box([1, 1, 1]).mesh
SCAN = fc.Points([[0, 0, 0], [1, 0, 0]], 0.25)


def test_compounds_among_parts_are_taken_apart():
    inner = fc.Compound([BOX.at((TURN, [1, 0, 0])), MESH])
    outer = fc.Compound([fc.Sphere(1), inner.at((TURN, [0, 5, 0]))])
    assert [type(part.shape) for part in outer.parts] == [fc.Sphere, fc.Box, fc.Mesh]
    assert np.allclose(outer.parts[1].pose[:3, :3], TURN @ TURN)
    assert np.allclose(outer.parts[1].pose[:3, 3], TURN @ [1, 0, 0] + [0, 5, 0])
    assert pickle.loads(pickle.dumps(outer)).bounds.tolist() == outer.bounds.tolist()


def test_it_reaches_as_far_as_its_parts():
    both = fc.Compound([BOX.at((TURN, [1, 2, 3])), SCAN.at((HERE, [0, 0, 9]))])
    rng = np.random.default_rng(0)
    ways = rng.normal(size=(50, 3))
    corners = BOX.corners @ TURN.T + [1, 2, 3]
    points = np.concatenate([corners, [[0, 0, 9.25], [1.25, 0, 9]]])
    assert (both.support(ways) >= (ways @ points.T).max(axis=1) - 1e-12).all()
    assert (both.bounds[0] <= points.min(axis=0)).all()
    assert (both.bounds[1] >= points.max(axis=0)).all()
    assert both.reach >= np.linalg.norm(points, axis=1).max()
    assert fc.Compound([BOX.at((HERE, [1, 0, 0]))]).bounds.tolist() == [[0.5, -1, -1.5], [1.5, 1, 1.5]]


def test_ids_count_on_from_part_to_part():
    whole = fc.Compound([MESH, BOX, SCAN, MESH.at((HERE, [4, 0, 0]))])
    assert whole.first_ids("face").tolist() == [0, 12, 13, 15, 27]
    assert whole.part_of(12) == (1, 0)
    assert whole.part_of(26) == (3, 11)
    part, own = whole.part_of([-1, 0, 14])
    assert (part.tolist(), own.tolist()) == ([-1, 0, 2], [-1, 0, 1])
    assert whole.part_of(9, "vertex") == (2, 1)
    assert whole.part_of(len(MESH.edges) - 1, "edge") == (0, len(MESH.edges) - 1)
    for wrong in (27, -2, 0.5, [[1], [2, 3]]):
        with pytest.raises(ValueError, match=r"^ids must be integers from -1 to 26"):
            whole.part_of(wrong)


@pytest.mark.parametrize(
    ("part", "error", "told"),
    [
        (5, TypeError, "a thing must be a shape"),
        (fc.HalfSpace([0, 0, 1]), TypeError, "parts must be convex shapes.*part 1 is a HalfSpace"),
        (MESH.deforming(MESH.vertices, MESH.vertices), TypeError, "parts must be.*part 1 deforms"),
        (fc.Robot({"base": BOX}, []), TypeError, "parts must be.*part 1 is a Robot"),
        (BOX.moving(np.eye(4), velocity=[1, 0, 0]), ValueError, "a part must stand still"),
        (BOX.at(np.tile(np.eye(4), (2, 1, 1))), ValueError, "a part must stand still"),
    ],
)
def test_what_is_no_part_is_told(part, error, told):
    with pytest.raises(error, match=f"^{told}"):
        fc.Compound([BOX, part])


def test_it_may_have_no_parts_or_empty_ones():
    for nothing in (fc.Compound([]), fc.Compound([fc.Mesh([], [])])):
        assert fc.distance(nothing, BOX).distance == np.inf
        assert not fc.first_contact(nothing.moving(np.eye(4), velocity=[1, 0, 0]), BOX)
        assert fc.signed_distance(nothing, [0, 0, 0]).distance == np.inf
        assert fc.contains(nothing, [0, 0, 0]) is False
        assert fc.ray_cast(nothing, [0, 0, 0], [1, 0, 0]).hit is False
        assert fc.Scene(a=nothing, b=BOX).contacts().names == []
    assert repr(fc.Compound([])) == "Compound(0 parts)"


def test_parts_go_where_the_body_goes():
    whole = fc.Compound([BOX.at((TURN, [1, 2, 3])), MESH])
    start, end = (TURN.T, [1, 0, 0]), (TURN @ TURN, [5, 5, 5])
    poses = (np.stack([TURN.T, HERE, TURN]), [[1, 0, 0], [0, 2, 0], [4, 4, 4]])
    for moving in (
        whole.moving(start, end),
        whole.moving(start, end, path="screw", center=[7, 7, 7]),
        whole.moving(start, velocity=[1, 2, 3], angular_velocity=[9, 8, 7], acceleration=[0, 0, -9]),
        whole.along(poses),
        whole.along(fc.Spline(None, poses)),
    ):
        for part, thing in zip(whole.parts, moving_parts(moving), strict=True):
            for t in (0.0, 0.3, 0.5, 1.0):
                assert np.allclose(thing.pose(t), moving.pose(t) @ part.pose, atol=1e-12)
