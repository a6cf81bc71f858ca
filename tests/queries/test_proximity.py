"""What the queries at one instant take and give back: results, errors, degenerate input."""

import numba
import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.answers.proximity_results import Distance
from firstcontact.queries.proximity import distance, intersects
from properties.rigid_families import degenerate_soup, orientation, soup, unit

RNG = np.random.default_rng(61)

FLOOR = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
LEAF = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
EMPTY = fc.Mesh([], [])

FIELDS = ("distance", "points_a", "points_b", "faces")


def poses(n, spread=2.5):
    matrices = np.tile(np.eye(4), (n, 1, 1))
    for matrix in matrices:
        matrix[:3, :3], matrix[:3, 3] = orientation(RNG), RNG.uniform(0.0, spread) * unit(RNG)
    return matrices


def as_bytes(answer):
    counts = answer.stats.volume_tests, answer.stats.triangle_tests
    return [np.asarray(x).tobytes() for x in (*(getattr(answer, name) for name in FIELDS), *counts)]


def test_a_leaf_above_the_floor():
    found = distance(LEAF, FLOOR)
    assert isinstance(found, Distance)
    assert isinstance(found.distance, float)
    assert found.distance == 1.0
    np.testing.assert_allclose(found.points_a, [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(found.points_b, [0, 0, 0], atol=1e-15)
    assert found.faces.tolist() == [0, 0]
    assert (found.stats.volume_tests, found.stats.triangle_tests) == (0, 2)
    assert repr(found) == "Distance(1, faces 0 and 0)"
    assert intersects(LEAF, FLOOR) is False
    assert intersects(LEAF.at((np.eye(3), [0, 0, -1])), FLOOR) is True
    assert intersects(LEAF.at((np.eye(3), [0, 0, -1.5])), FLOOR) is True
    crossing = distance(LEAF.at((np.eye(3), [0, 0, -1.5])), FLOOR)
    assert crossing.distance == 0.0
    assert np.array_equal(crossing.points_a, crossing.points_b)
    assert crossing.points_a[2] == pytest.approx(0.0, abs=1e-15)


def test_faces_are_those_of_the_meshes():
    mesh = fc.Mesh(np.concatenate([FLOOR.vertices - [0, 0, 9], LEAF.vertices]), [[0, 1, 2], [3, 4, 5]])
    assert distance(mesh, FLOOR).faces.tolist() == [1, 0]
    assert distance(FLOOR, mesh).faces.tolist() == [0, 1]


def test_shapes_and_types_of_a_batch():
    found = distance(LEAF.at(poses(5)), FLOOR)
    assert (found.distance.shape, found.distance.dtype) == ((5,), np.float64)
    assert (found.points_a.shape, found.points_b.shape) == ((5, 3), (5, 3))
    assert (found.faces.shape, found.faces.dtype) == ((5, 2), np.int32)
    assert found.stats.volume_tests.shape == found.stats.triangle_tests.shape == (5,)
    assert repr(found) == "Distance(5 pairs of poses)"
    touching = intersects(LEAF.at(poses(5)), FLOOR)
    assert (touching.shape, touching.dtype) == ((5,), np.bool_)


@pytest.mark.parametrize("make", [soup, degenerate_soup])
def test_batches_are_like_singles_whichever_of_the_two_they_are_of(make):
    a, b, places, others = make(RNG), make(RNG), poses(12), poses(12)
    both = distance(a.at(places), b.at(others))
    first, second = distance(a.at(places), b), distance(a, b.at(places))
    touching = intersects(a.at(places), b.at(others))
    for i in range(12):
        for batch, x, y in (
            (both, a.at(places[i]), b.at(others[i])),
            (first, a.at(places[i]), b),
            (second, a, b.at(places[i])),
        ):
            single = distance(x, y)
            for name in FIELDS:
                assert (
                    np.asarray(getattr(batch, name)[i]).tobytes()
                    == np.asarray(getattr(single, name)).tobytes()
                )
        assert touching[i] == intersects(a.at(places[i]), b.at(others[i]))


def test_the_same_bytes_for_any_number_of_threads():
    a, b, places = soup(RNG, 60), soup(RNG, 60), poses(100, 4.0)
    before = numba.get_num_threads()
    try:
        answers = []
        for n_threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(n_threads)
            touching = intersects(a.at(places), b)
            answers.append([*as_bytes(distance(a.at(places), b)), touching.tobytes()])
    finally:
        numba.set_num_threads(before)
    assert answers[0] == answers[1]


def test_trimesh_is_a_mesh():
    ball = trimesh.creation.icosphere(subdivisions=2)
    other = ball.copy().apply_translation([3, 0, 0])
    assert distance(ball, other).distance == pytest.approx(1.0, abs=1e-12)
    assert not intersects(ball, other)


def test_balls_are_as_far_apart_as_their_centers_say():
    ball = trimesh.creation.icosphere(subdivisions=3)
    ball = fc.Mesh(ball.vertices, ball.faces)
    sagitta = 1.0 - np.linalg.norm(ball.vertices[ball.faces].mean(axis=1), axis=1).min()
    for gap in (0.1, 1.0, 10.0):
        found = distance(
            ball.at((orientation(RNG), (2.0 + gap) * unit(RNG))), ball.at((orientation(RNG), [0, 0, 0]))
        )
        assert gap <= found.distance <= gap + 2.0 * sagitta


def test_a_deforming_mesh_at_rest_is_where_its_vertices_are():
    place = LEAF.vertices + np.array([0, 0, 4])
    assert distance(LEAF.deforming(place, place), FLOOR).distance == 5.0
    assert distance(FLOOR, LEAF.deforming(place, place)).distance == 5.0
    assert intersects(LEAF.deforming(place - [0, 0, 5], place - [0, 0, 5]), FLOOR)


@pytest.mark.parametrize("query", [distance, intersects])
def test_what_moves_has_no_instant(query):
    moving = LEAF.moving(np.eye(4), velocity=[0, 0, -1])
    turning = LEAF.moving(np.eye(4), angular_velocity=[0, 0, 1])
    deforming = LEAF.deforming(LEAF.vertices, LEAF.vertices + 1)
    for thing in (moving, turning, deforming, LEAF.along([np.eye(4), poses(1)[0]])):
        rule = rf"^{query.__name__} is for one instant, and a moves: use a\.at\(pose\)$"
        with pytest.raises(ValueError, match=rule):
            query(thing, FLOOR)
        with pytest.raises(ValueError, match=rule.replace(r"and a moves: use a", r"and b moves: use b")):
            query(FLOOR, thing)
    # A motion that goes nowhere is rest.
    assert not query(LEAF.along([np.eye(4)] * 3), FLOOR) or query is distance


@pytest.mark.parametrize("query", [distance, intersects])
def test_bad_input(query):
    with pytest.raises(ValueError, match=r"^batches must have the same length; a has 2 poses and b has 3$"):
        query(LEAF.at(poses(2)), FLOOR.at(poses(3)))
    with pytest.raises(
        TypeError, match=r"a thing must be a shape, moving or not, or a trimesh\.Trimesh; received int"
    ):
        query(LEAF, 3)
    with pytest.raises(ValueError, match=r"^batches must have the same length; a has 1 poses and b has 3$"):
        query(LEAF.at(poses(1)), FLOOR.at(poses(3)))


def test_bad_options():
    with pytest.raises(TypeError, match=r"^solid must be True or False; received 1$"):
        intersects(LEAF, FLOOR, solid=1)
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; a has 3 open edges$"):
        intersects(LEAF, FLOOR, solid=True)
    ball = trimesh.creation.icosphere(subdivisions=1)
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; b has 3 open edges$"):
        intersects(ball, FLOOR, solid=True)


def test_empty_meshes_and_batches():
    found = distance(EMPTY, FLOOR)
    assert found.distance == np.inf
    assert np.all(np.isnan(found.points_a))
    assert found.faces.tolist() == [-1, -1]
    assert intersects(EMPTY, EMPTY, solid=True) is False
    none = LEAF.at(np.empty((0, 4, 4)))
    for pair in ((none, FLOOR), (FLOOR, none), (none, none), (none, EMPTY)):
        assert distance(*pair).distance.shape == (0,)
        assert distance(*pair).points_b.shape == (0, 3)
        assert intersects(*pair).shape == (0,)


@pytest.mark.parametrize(
    "corners", [[[0, 0, 5]] * 3, [[0, 0, 5], [0, 0, 5], [1, 0, 6]], [[-1, 0, 5], [0, 0, 5], [2, 0, 5]]]
)
def test_one_degenerate_triangle(corners):
    point = fc.Mesh(corners, [[0, 1, 2]])
    assert distance(point, FLOOR).distance == pytest.approx(5.0, abs=1e-14)
    assert distance(point, point).distance == 0.0
    assert intersects(point, point)
    assert not intersects(point, FLOOR)
    assert intersects(point.at((np.eye(3), [0, 0, -5])), FLOOR)


def boxes():
    ball = trimesh.creation.box()
    return fc.Mesh(4.0 * ball.vertices, ball.faces), fc.Mesh(ball.vertices, ball.faces)


def test_what_is_inside_counts_for_solids():
    large, small = boxes()
    places = np.tile(np.eye(4), (4, 1, 1))
    places[:, 0, 3] = [0.0, 2.0, 5.0, 1.0]
    assert intersects(small.at(places), large).tolist() == [False, True, False, False]
    assert intersects(small.at(places), large, solid=True).tolist() == [True, True, False, True]
    assert intersects(large, small.at(places), solid=True).tolist() == [True, True, False, True]
    assert intersects(small.at(places), large.at(places), solid=True).tolist() == [True] * 4
    for place, expected in zip(places, (True, True, False, True), strict=True):
        assert intersects(small.at(place), large, solid=True) is expected
    assert intersects(small.at(places[:0]), large, solid=True).shape == (0,)
    assert intersects(small.at(places[1:2]), large, solid=True).tolist() == [True]
    assert intersects(small.at(places[2:3]), large, solid=True).tolist() == [False]
    assert distance(small, large).distance == pytest.approx(1.5)


def test_the_input_is_left_alone():
    a, b, places = soup(RNG), soup(RNG), poses(3)
    copies = a.vertices.copy(), b.vertices.copy(), places.copy()
    distance(a.at(places), b)
    intersects(a.at(places), b)
    assert all(np.array_equal(x, y) for x, y in zip(copies, (a.vertices, b.vertices, places), strict=True))


BALL_MESH = fc.Mesh.from_trimesh(trimesh.creation.icosphere(2))
NEAR_AND_FAR = {
    "meshes": (BALL_MESH, fc.Box([1, 2, 3]).mesh),
    "shape and mesh": (fc.Cylinder(0.4, 1.0), BALL_MESH),
    "mesh and shape": (BALL_MESH, fc.Box([1, 1, 2])),
    "shapes": (fc.Box([1, 1, 2]), fc.Ellipsoid([0.4, 0.7, 1.0])),
    "points and mesh": (fc.Points([[0, 0, 0], [0.5, 0, 0]], 0.2), BALL_MESH),
    "parts and shape": (fc.Compound([fc.Sphere(0.4), BALL_MESH]), fc.Box([1, 1, 2])),
    "floor and mesh": (fc.HalfSpace([0, 0, 1], -3), BALL_MESH),
}


@pytest.mark.parametrize("name", NEAR_AND_FAR)
def test_what_is_farther_than_matters_is_said_to_be(name):
    a, b = NEAR_AND_FAR[name]
    placed = a.at(poses(60, 6.0))
    true = distance(placed, b)
    for within in (0.0, 0.4, 1.5):
        near = distance(placed, b, within=within)
        is_near = true.distance <= within
        np.testing.assert_array_equal(near.distance < np.inf, is_near)
        np.testing.assert_allclose(near.distance[is_near], true.distance[is_near], rtol=1e-12, atol=1e-13)
        assert np.isnan(near.points_a[~is_near]).all()
        np.testing.assert_array_equal(near.faces[~is_near], -1)
        np.testing.assert_array_equal(intersects(placed, b, within=within), is_near)
        one = distance(a.at(placed.pose(0.0)[7]), b, within=within)
        assert one.distance == pytest.approx(near.distance[7], rel=1e-12, abs=1e-13)
        assert intersects(a.at(placed.pose(0.0)[7]), b, within=within) == is_near[7]
    assert 5 < np.count_nonzero(true.distance <= 1.5) < 55


@pytest.mark.parametrize("name", NEAR_AND_FAR)
def test_distances_are_too_large_by_the_part_that_is_allowed_at_most(name):
    a, b = NEAR_AND_FAR[name]
    placed = a.at(poses(60, 9.0))
    true = distance(placed, b).distance
    for error in (0.01, 0.3, 5.0):
        about = distance(placed, b, relative_error=error)
        assert np.all(about.distance >= true * (1 - 1e-13) - 1e-13)
        assert np.all(about.distance <= true * (1 + error) + 1e-13)
        gaps = np.linalg.norm(about.points_a - about.points_b, axis=1)
        np.testing.assert_allclose(gaps, about.distance, rtol=1e-9, atol=1e-12)
        near = distance(placed, b, relative_error=error, within=1.0).distance
        assert np.all(near[true <= 1.0] < np.inf)
        assert np.all(near[true > 1.0 + error] == np.inf)


TENTHS = np.array([[0.1 * x, 0.1 * y, 0.1 * z] for x in (2, 6) for y in (1, 5) for z in (-2, 2)])


def test_what_is_as_far_as_matters_is_not_told_to_be_farther():
    lower = TENTHS * [1, 0, 1] + [0, -0.2, 0]
    lower[TENTHS[:, 1] > 0.2, 1] = 0.0  # its upper side; the others begin at 0.1
    solids, truth = [fc.ConvexHull(points) for points in (TENTHS, lower)], 0.1
    for upper, below in (solids, (solids[0].mesh, solids[1]), [solid.mesh for solid in solids]):
        for within in (truth, np.nextafter(truth, 1.0)):
            assert distance(upper, below, within=within).distance == pytest.approx(truth, rel=1e-12)
            assert distance(upper, below, within=within, relative_error=1e-9).distance < np.inf
            assert intersects(upper, below, within=within)
        assert distance(upper, below, within=truth * (1 - 1e-9)).distance == np.inf
        assert not intersects(upper, below, within=truth * (1 - 1e-9))


def test_what_need_not_be_known_is_not_looked_for():
    far = BALL_MESH.at((np.eye(3), [[3.0, 0.1, 0.2]]))
    n_all, n_near, n_about = (
        int(distance(far, BALL_MESH, **options).stats.volume_tests[0])
        for options in ({}, {"within": 0.5}, {"relative_error": 0.5})
    )
    assert n_near < n_all / 4
    assert n_about < n_all / 2


def test_solids_are_within_each_other_however_far_their_surfaces_are():
    inner, outer = fc.Box([1, 1, 1]).mesh, fc.Box([9, 9, 9]).mesh
    assert distance(inner, outer, within=1.0).distance == np.inf
    assert distance(inner, outer, within=1.0, solid=True).distance == 0.0
    assert not intersects(inner, outer, within=1.0)
    assert intersects(inner, outer, within=1.0, solid=True)
    assert intersects(inner, outer, within=4.0)
    assert distance(EMPTY, outer, within=1.0, solid=True).distance == np.inf


def test_leeway_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="within must be at least 0; received -1"):
        distance(FLOOR, LEAF, within=-1)
    with pytest.raises(ValueError, match="within must be at least 0; received -1"):
        intersects(FLOOR, LEAF, within=-1)
    with pytest.raises(ValueError, match="relative_error must be a finite number at least 0"):
        distance(FLOOR, LEAF, relative_error=-0.1)
    floors = fc.HalfSpace([0, 0, 1], 0), fc.HalfSpace([0, 0, -1], -1)
    with pytest.raises(ValueError, match="within"):
        distance(*floors, within=1.0)
