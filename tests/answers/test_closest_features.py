"""Which features are closest: what is parallel exactly, what is not, and bodies that have none."""

import pickle

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.answers.closest_features import _ring
from oracles.convex_exact import exact_hull_distance_squared, placed_exactly, root
from poses import pose

CUBE = fc.Box([2, 2, 2])
ON_EDGE = (np.pi / 4, 0, 0)  # stands on an edge along the first axis
ON_CORNER = Rotation.align_vectors([[0, 0, 1]], [[1, 1, 1]])[0]
HULL = fc.ConvexHull(CUBE.mesh.vertices)


@pytest.mark.parametrize(
    ("here", "kinds"),
    [
        (pose((0, 0, 3)), ("face", "face")),
        (pose((1, 1, 3)), ("face", "face")),
        (pose((2, 0, 3)), ("edge", "edge")),
        (pose((2, 2, 3)), ("vertex", "vertex")),
        (pose((3, 3, 0.5)), ("edge", "edge")),
        (pose((3, 3, 3)), ("vertex", "vertex")),
        (pose((0, 0, 4), ON_EDGE), ("edge", "face")),
        (pose((2, 0, 4), ON_EDGE), ("vertex", "edge")),
        (pose((0, 0, 4), ON_CORNER), ("vertex", "face")),
        (pose((0, 3, 4), ON_CORNER), ("edge", "edge")),
    ],
)
@pytest.mark.parametrize("shape", [CUBE, HULL, fc.Rounded(CUBE, 0.25)])
def test_kinds_of_cubes(here, kinds, shape):
    near = fc.distance(shape.at(here), shape)
    one, other = near.features
    assert (one.kind, other.kind) == kinds
    corners = CUBE.mesh.vertices if shape is not HULL else HULL.mesh.vertices
    for feature, at in ((one, here), (other, np.eye(4))):
        own = corners[feature.vertices] @ at[:3, :3].T + at[:3, 3]
        np.testing.assert_allclose(feature.points, own)


def test_a_turn_of_the_whole_changes_nothing():
    rng = np.random.default_rng(4)
    for here in (pose((0, 0, 3)), pose((2, 0, 3)), pose((0, 0, 4), ON_EDGE), pose((0.1, 0.2, 2 + 1e-6))):
        truth = fc.distance(CUBE.at(here), CUBE).features
        for _ in range(10):
            world = pose(100 * rng.normal(size=3), Rotation.random(rng=rng))
            found = fc.distance(CUBE.at(world @ here), CUBE.at(world)).features
            for one, other in zip(found, truth, strict=True):
                assert one.kind == other.kind
                assert one.vertices.tolist() == other.vertices.tolist()


def held(feature, point):
    """How far a point is from what lies between the corners of a feature."""
    corners = feature.points - feature.points[0]
    weight = 1e3 * np.ptp(feature.points, axis=0).max(initial=1.0)
    own = np.vstack([corners.T, np.full(len(corners), weight)])
    return nnls(own, np.append(point - feature.points[0], weight))[1]


@pytest.mark.parametrize("away", [0.0, 1e3, 1e6])
def test_bodies_far_from_their_own_origins_have_the_features_that_hold_their_points(away):
    rng = np.random.default_rng(5)
    for _ in range(10):
        shift = away * rng.normal(size=3)
        rod = fc.ConvexHull(np.outer([-9, 9], rng.normal(size=3)) + shift, flat=True)
        turn = Rotation.random(rng=rng)
        near = fc.distance(rod.at(pose(turn.as_matrix() @ -shift + [0, 0, 5], turn)), CUBE)
        for feature, point in zip(near.features, (near.points_a, near.points_b), strict=True):
            assert held(feature, point) < 1e-6


@pytest.mark.parametrize("turn", [0.0, 0.5, np.pi / 2, 3.0])
def test_an_outline_that_is_thin_has_both_ends(turn):
    rng = np.random.default_rng(6)
    way = np.array([np.cos(turn), np.sin(turn)])
    for _ in range(10):
        along = rng.normal(size=9)
        ring = _ring(np.arange(9), np.outer(along, way) + 1e-9 * rng.normal(size=(9, 2)), 1e-8)
        assert sorted(ring.ids) == sorted([np.argmin(along), np.argmax(along)])


def test_features_of_parallel_needles_hold_the_points_that_are_told():
    needle = fc.ConvexHull(
        [[0, 0, -1], [-4.0789e-09, -1.0847e-09, 0], [-4.1432e-09, -1.0892e-09, -1]], flat=True
    )
    rod = fc.ConvexHull([[0, 0, -43], [0, 0, 22]], flat=True)
    turn = [np.pi / 2**0.5, -np.pi / 2**0.5, 0]
    near = fc.distance(needle.at(pose([49783, 4675, 4871], turn)), rod.at(pose([49800, 4700, 4900])))
    for feature, point in zip(near.features, (near.points_a, near.points_b), strict=True):
        assert held(feature, point) < 1e-6


def test_a_crossing_of_needles_is_held_though_a_corner_is_off_by_a_hair():
    needle = fc.ConvexHull([[0, 0, -1], [0, 0, 2], [0, -1.3772076278933805e-13, 0.3]], flat=True)
    rod = fc.ConvexHull(
        [
            [-2.7488231816453867e-17, 4.519222108855816e-17, -1.3866075290063287],
            [6.626901599958989e-17, 8.092067854276554e-17, 0.5183430731714348],
        ],
        flat=True,
    )
    here = pose([0.0069745487529226935, 0.3871974331142294, 0.5273445260566638])
    here[:3, :3] = [
        [-0.7755179260861025, 0.07269141057428062, 0.6271267058161626],
        [-0.11378653170378146, 0.9609879680431739, -0.2521006752848486],
        [-0.6209867724210676, -0.2668671656554506, -0.7369920924766368],
    ]
    near = fc.distance(needle.at(here), rod)
    for feature, point in zip(near.features, (near.points_a, near.points_b), strict=True):
        assert held(feature, point) < 1e-6


def test_a_face_is_seen_from_outside():
    for feature, way in zip(fc.distance(CUBE.at(pose((0, 0, 3))), CUBE).features, (-1, 1), strict=True):
        e, f = np.diff(feature.points[:3], axis=0)
        assert np.cross(e, f)[2] * way > 0


def test_features_are_as_far_apart_as_the_bodies():
    rng = np.random.default_rng(6)
    for n in (4, 9, 30):
        a, b = (fc.ConvexHull(rng.normal(size=(n, 3))) for _ in range(2))
        for _ in range(4):
            here = pose(4 * rng.normal(size=3), rng.normal(size=3))
            near = fc.distance(a.at(here), b)
            if near.distance == 0.0:
                continue
            sides = [placed_exactly(one.points, np.eye(3), np.zeros(3)) for one in near.features]
            assert abs(float(root(exact_hull_distance_squared(*sides))) - near.distance) < 1e-12
            kinds = {one.kind for one in near.features}
            assert kinds in ({"vertex"}, {"vertex", "edge"}, {"edge"}, {"vertex", "face"})


def test_round_shapes_and_meshes():
    ball, round_one, cube = fc.Sphere(1), fc.Ellipsoid([1, 1, 2]), CUBE.mesh
    up = pose((0, 0, 4))
    assert str(fc.distance(ball.at(up), CUBE).features) == "(<vertex 0>, <face 1 5 7 3>)"
    assert str(fc.distance(round_one.at(up), CUBE).features) == "(None, <face 1 5 7 3>)"
    assert str(fc.distance(fc.Capsule(0.1, 1).at(pose((3, 0, 0))), CUBE).features[0]) == "<edge 0 1>"
    features = fc.distance(ball.at(pose((0.5, 0.1, 4))), cube).features
    assert features[1].kind == "face"
    assert (
        features[1].vertices.tolist() in [sorted(face) for face in cube.faces.tolist()] + cube.faces.tolist()
    )
    assert str(fc.distance(ball.at(pose((3, 3, 3))), cube).features) == "(<vertex 0>, <vertex 7>)"
    assert fc.distance(ball.at(pose((3, 3, 0.1))), cube).features[1].kind == "edge"
    leaf = fc.Mesh([[0, 0, 0], [1, 0, 0]], [[0, 1, 1]])
    assert fc.distance(ball.at(pose((0.5, 0, 4))), leaf).features[1].kind == "edge"


def test_overlaps_and_nothing_have_none():
    assert fc.distance(CUBE, CUBE).features == (None, None)
    assert fc.distance(CUBE, fc.Mesh([], [])).features == (None, None)
    assert fc.distance(fc.Sphere(1), fc.HalfSpace([0, 0, 1], -2)).features[0].kind == "vertex"


def test_batches_and_travel():
    steps = np.array([pose((0, 0, 3)), pose((3, 3, 0)), pose()])
    near = fc.distance(CUBE.at(steps), CUBE)
    assert [one and one.kind for one, _ in near.features] == ["face", "edge", None]
    assert str(near.features[0]) == str(fc.distance(CUBE.at(steps[0]), CUBE).features)
    feature = near.features[0][0]
    assert pickle.loads(pickle.dumps(feature)) == feature
    flat = fc.ConvexHull([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]], flat=True)
    assert str(fc.distance(flat.at(pose((0, 0, 1))), flat).features) == "(<face 0 1 3 2>, <face 0 2 3 1>)"
