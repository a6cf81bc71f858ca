"""The public cast of rays: shapes of all kinds, poses, input and answers."""

import numba
import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.answers.ray_results import AllRayHits, RayHits
from firstcontact.queries.ray_cast import ray_cast

SHAPES = {
    "Sphere": fc.Sphere(0.9),
    "Ellipsoid": fc.Ellipsoid([0.4, 0.7, 1.0]),
    "Capsule": fc.Capsule(0.4, 1.0),
    "Cylinder": fc.Cylinder(0.6, 1.2),
    "Box": fc.Box([0.8, 1.2, 1.6]),
    "Cone": fc.Cone(0.7, 1.4),
    "Rounded Box": fc.Rounded(fc.Box([0.6, 0.8, 1.0]), 0.2),
    "Rounded Cone": fc.Rounded(fc.Cone(0.6, 1.0), 0.2),
    "Rounded Ellipsoid": fc.Rounded(fc.Ellipsoid([0.3, 0.5, 0.7]), 0.2),
    "Rounded ConvexHull": fc.Rounded(
        fc.ConvexHull(np.random.default_rng(1).standard_normal((40, 3)) * 0.4), 0.1
    ),
    "ConvexHull": fc.ConvexHull(np.random.default_rng(1).standard_normal((40, 3)) * 0.5),
    "HeightField": fc.HeightField(np.sin(np.arange(49.0)).reshape(7, 7) * 0.2, spacing=0.2),
    "Mesh": fc.Mesh.from_trimesh(trimesh.creation.icosphere(2)),
}
FIELDS = ("hit", "time", "points", "normals", "faces")


def rays_at(rng, n, distance=3.0):
    origins = rng.standard_normal((n, 3))
    origins *= distance / np.linalg.norm(origins, axis=1)[:, np.newaxis]
    return origins, rng.uniform(-0.8, 0.8, (n, 3)) - origins


def same(a, b, fields=FIELDS):
    for name in fields:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@pytest.mark.parametrize("name", SHAPES)
class TestEveryShape:
    def test_any_and_all_agree_with_first(self, name):
        rays = rays_at(np.random.default_rng(2), 400)
        first, some = ray_cast(SHAPES[name], *rays), ray_cast(SHAPES[name], *rays, hits="any")
        every = ray_cast(SHAPES[name], *rays, hits="all")
        assert isinstance(every, AllRayHits)
        assert 10 < first.hit.sum() < 400
        np.testing.assert_array_equal(some.hit, first.hit)
        np.testing.assert_array_equal(np.diff(every.offsets) > 0, first.hit)
        np.testing.assert_array_equal(every.rays, np.repeat(np.arange(400), np.diff(every.offsets)))
        rows = every.offsets[:-1][first.hit]
        for field in ("time", "points", "normals", "faces"):
            np.testing.assert_array_equal(getattr(every, field)[rows], getattr(first, field)[first.hit])
        order = np.lexsort([every.faces, every.time, every.rays])
        np.testing.assert_array_equal(order, np.arange(len(every)))

    def test_one_ray_is_as_one_of_many(self, name):
        origins, directions = rays_at(np.random.default_rng(3), 30)
        found = ray_cast(SHAPES[name], origins, directions)
        for i in range(30):
            one = ray_cast(SHAPES[name], origins[i], directions[i])
            assert isinstance(one.hit, bool)
            assert isinstance(one.time, float)
            assert isinstance(one.faces, int)
            assert one.points.shape == one.normals.shape == (3,)
            for field in FIELDS:
                np.testing.assert_array_equal(getattr(one, field), getattr(found, field)[i])

    def test_one_goes_with_many(self, name):
        origins, directions = rays_at(np.random.default_rng(4), 30)
        start, way = origins[:1], directions[:1]
        many = np.repeat(start, 30, axis=0)
        same(ray_cast(SHAPES[name], start[0], directions), ray_cast(SHAPES[name], many, directions))
        many = np.repeat(way, 30, axis=0)
        same(ray_cast(SHAPES[name], origins, way[0]), ray_cast(SHAPES[name], origins, many))

    def test_the_number_of_threads_does_not_matter(self, name):
        rays = rays_at(np.random.default_rng(5), 5000)
        n_threads = numba.get_num_threads()
        answers = []
        for n in (1, n_threads):
            numba.set_num_threads(n)
            answers.append((ray_cast(SHAPES[name], *rays), ray_cast(SHAPES[name], *rays, hits="all")))
        same(answers[0][0], answers[1][0])
        same(answers[0][1], answers[1][1], ("time", "faces", "points", "normals", "rays", "offsets"))

    def test_all_turns_with_the_shape(self, name):
        rng = np.random.default_rng(6)
        origins, directions = rays_at(rng, 300)
        rotation, shift = Rotation.random(rng=rng).as_matrix(), np.array([3.0, -2.0, 1.0])
        here = ray_cast(SHAPES[name], origins, directions)
        there = ray_cast(
            SHAPES[name].at((rotation, shift)), origins @ rotation.T + shift, directions @ rotation.T
        )
        is_same = here.hit == there.hit  # but for rays that graze
        assert np.count_nonzero(~is_same) <= 1
        both = here.hit & there.hit
        np.testing.assert_allclose(there.time[both], here.time[both], rtol=1e-9)
        np.testing.assert_allclose(there.points[both], here.points[both] @ rotation.T + shift, atol=1e-9)
        is_close = np.einsum("ij,ij->i", there.normals[both], here.normals[both] @ rotation.T) > 1.0 - 1e-6
        assert np.count_nonzero(~is_close) <= 1

    def test_normals_of_what_is_met_from_outside_face_the_ray(self, name):
        origins, directions = rays_at(np.random.default_rng(7), 400)
        found = ray_cast(SHAPES[name], origins, directions)
        np.testing.assert_allclose(np.linalg.norm(found.normals[found.hit], axis=1), 1.0)
        if name != "HeightField":
            facing = np.einsum("ij,ij->i", found.normals[found.hit], directions[found.hit])
            assert np.all(facing < 1e-12)

    def test_size_does_not_matter(self, name):
        rng = np.random.default_rng(8)
        origins, directions = rays_at(rng, 100)
        for size in (2.0**-30, 2.0**30):
            mesh = SHAPES[name].mesh if hasattr(SHAPES[name], "mesh") else SHAPES[name]
            large = fc.Mesh(mesh.vertices * size, mesh.faces)
            same(
                ray_cast(mesh, origins, directions),
                ray_cast(large, origins * size, directions * size),
                ("time",),
            )


@pytest.mark.parametrize("name", ["Sphere", "Ellipsoid", "Capsule", "Cylinder", "Box"])
class TestRoundShapes:
    def test_their_meshes_are_met_nearly_as_they_are(self, name):
        shape = SHAPES[name]
        origins, directions = rays_at(np.random.default_rng(9), 500)
        directions /= np.linalg.norm(directions, axis=1)[:, np.newaxis]
        exact, near = ray_cast(shape, origins, directions), ray_cast(shape.mesh, origins, directions)
        assert np.all(exact.hit | ~near.hit)  # the mesh is inside
        assert np.count_nonzero(exact.hit & ~near.hit) < 20
        both = exact.hit & near.hit
        facing = -np.einsum("ij,ij->i", exact.normals[both], directions[both])
        late = near.time[both] - exact.time[both]
        assert np.all(late >= -1e-12)
        assert np.all(late[facing > 0.3] < 0.05)
        assert np.all(exact.faces == -1)

    def test_from_inside_the_way_out_is_met(self, name):
        rng = np.random.default_rng(10)
        shape = SHAPES[name]
        found = ray_cast(shape, [0, 0, 0], rng.standard_normal((1000, 3)))
        assert found.hit.all()
        assert np.all(np.einsum("ij,ij->i", found.normals, found.points) > 0.0)
        assert np.all(
            np.diff(ray_cast(shape, [0, 0, 0], rng.standard_normal((99, 3)), hits="all").offsets) == 1
        )

    def test_extreme_directions_and_sizes(self, name):
        origins, directions = rays_at(np.random.default_rng(11), 100)
        expected = ray_cast(SHAPES[name], origins, directions)
        for length in (2.0**-900, 2.0**100):
            found = ray_cast(SHAPES[name], origins, directions * length)
            np.testing.assert_array_equal(found.time * length, expected.time)


def test_shapes_against_answers_worked_out_by_hand():
    sphere = ray_cast(fc.Sphere(2), [-5, 0, 0], [1, 0, 0])
    assert (sphere.hit, sphere.time, sphere.faces) == (True, 3.0, -1)
    assert sphere.points.tolist() == [-2, 0, 0]
    assert sphere.normals.tolist() == [-1, 0, 0]
    capsule = ray_cast(
        fc.Capsule(1, 4), [[0, 0, 9], [5, 0, 1], [5, 0, 2.6]], [[0, 0, -1], [-1, 0, 0], [-1, 0, 0]]
    )
    np.testing.assert_allclose(capsule.time, [6.0, 4.0, 4.2])
    np.testing.assert_allclose(capsule.normals, [[0, 0, 1], [1, 0, 0], [0.8, 0, 0.6]], atol=1e-15)
    cylinder = ray_cast(
        fc.Cylinder(1, 4), [[0.5, 0, 9], [5, 0, 1], [5, 0, 2.5]], [[0, 0, -1], [-1, 0, 0], [-1, 0, 0]]
    )
    assert cylinder.time.tolist() == [7.0, 4.0, np.inf]
    assert cylinder.normals[:2].tolist() == [[0, 0, 1], [1, 0, 0]]
    box = ray_cast(
        fc.Box([2, 4, 6]), [[9, 0, 0], [0, 0, 0], [9, 2.5, 0]], [[-2, 0, 0], [0, 1, 0], [-1, 0, 0]]
    )
    assert box.time.tolist() == [4.0, 2.0, np.inf]
    assert box.normals[:2].tolist() == [[1, 0, 0], [0, 1, 0]]
    ellipsoid = ray_cast(fc.Ellipsoid([1, 2, 3]), [[9, 0, 0], [0, 9, 0], [0, 0, 9]], -np.eye(3), hits="all")
    np.testing.assert_allclose(ellipsoid.time, [8, 10, 7, 11, 6, 12])


def test_a_line_that_touches_meets_a_ball_once():
    every = ray_cast(fc.Sphere(1), [-5, 1, 0], [1, 0, 0], hits="all")
    assert every.time.tolist() == [5.0]
    assert every.normals.tolist() == [[0, 1, 0]]


def test_hull_faces_are_those_of_its_mesh():
    hull = SHAPES["ConvexHull"]
    origins, directions = rays_at(np.random.default_rng(12), 200)
    same(ray_cast(hull, origins, directions), ray_cast(hull.mesh, origins, directions))


def test_boxes_and_their_meshes_agree():
    rng = np.random.default_rng(13)
    box = SHAPES["Box"]
    origins, directions = rays_at(rng, 2000)
    a, b = ray_cast(box, origins, directions), ray_cast(box.mesh, origins, directions)
    np.testing.assert_array_equal(a.hit, b.hit)
    np.testing.assert_allclose(a.time[a.hit], b.time[a.hit], rtol=1e-13)
    np.testing.assert_allclose(a.normals[a.hit], b.normals[a.hit], atol=1e-15)


def test_the_latest_time_counts():
    for shape in (SHAPES["Mesh"], SHAPES["Sphere"], SHAPES["Box"].at(np.eye(4))):
        first = ray_cast(shape, [-3, 0.1, 0.2], [1, 0, 0])
        assert ray_cast(shape, [-3, 0.1, 0.2], [1, 0, 0], max_time=first.time).hit
        assert not ray_cast(shape, [-3, 0.1, 0.2], [1, 0, 0], max_time=np.nextafter(first.time, 0.0)).hit


def test_deforming_meshes_at_rest_and_trimesh():
    ball = SHAPES["Mesh"]
    origins, directions = rays_at(np.random.default_rng(14), 50)
    expected = ray_cast(ball, origins, directions)
    same(expected, ray_cast(ball.deforming(ball.vertices, ball.vertices), origins, directions))
    same(expected, ray_cast(trimesh.Trimesh(ball.vertices, ball.faces, process=False), origins, directions))


def test_nothing_to_meet_and_nothing_to_cast():
    nothing = fc.Mesh([], [])
    for hits in ("first", "any"):
        found = ray_cast(nothing, np.zeros((4, 3)), [1, 0, 0], hits=hits)
        assert not found.hit.any()
        assert np.isnan(found.points).all()
        assert np.isnan(found.normals).all()
        assert np.all(found.faces == -1)
    assert len(ray_cast(nothing, np.zeros((4, 3)), [1, 0, 0], hits="all")) == 0
    for shape in (nothing, SHAPES["Mesh"], SHAPES["Sphere"]):
        for empty in ([], np.empty((0, 3))):
            assert ray_cast(shape, empty, [1, 0, 0]).time.shape == (0,)
            assert ray_cast(shape, [0, 0, 0], empty).points.shape == (0, 3)
            assert ray_cast(shape, empty, empty, hits="all").offsets.tolist() == [0]


def test_times_too_late_for_a_number_are_the_latest_there_is():
    found = ray_cast(fc.Sphere(1e20), [-1e40, 0, 0], [1e-300, 0, 0])
    assert found.hit
    assert found.time == np.finfo(float).max
    assert np.isfinite(ray_cast(SHAPES["Mesh"], [-1e40, 0, 0], [1e-300, 0, 0]).time)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: ray_cast(s, [0, 0, 0], [0, 0, 0]), r"must not be zero, or shorter than 1e-301; row 0 has"),
        (lambda s: ray_cast(s, [0, 0, 0], [[1, 0, 0], [0, 0, 1e-320]]), r"shorter than 1e-301; row 1 has"),
        (lambda s: ray_cast(s, np.zeros((2, 3)), np.ones((3, 3))), "must be as many; received 2 and 3"),
        (
            lambda s: ray_cast(s, [0, 0], [1, 0, 0]),
            r"origins must have shape \(n, 3\) or \(3,\); received \(2,\)",
        ),
        (lambda s: ray_cast(s, [0, 0, np.nan], [1, 0, 0]), "origins must be finite; row"),
        (lambda s: ray_cast(s, [0, 0, 0], [np.inf, 0, 0]), "directions must be finite; row"),
        (lambda s: ray_cast(s, [0, 0, 0], [1, 0, 0], hits="some"), "hits must be 'first' or 'any' or 'all'"),
        (
            lambda s: ray_cast(s, [0, 0, 0], [1, 0, 0], max_time=-1),
            "max_time must be a finite number at least 0",
        ),
        (lambda s: ray_cast(s, [0, 0, 0], [1, 0, 0], max_time=np.nan), "max_time must be a finite number"),
        (
            lambda s: ray_cast(s.at(np.tile(np.eye(4), (2, 1, 1))), [0, 0, 0], [1, 0, 0]),
            "one pose .* batch of 2",
        ),
        (
            lambda s: ray_cast(s.moving(np.eye(4), velocity=[1, 0, 0]), [0, 0, 0], [1, 0, 0]),
            "and the shape moves",
        ),
    ],
)
@pytest.mark.parametrize("name", ["Mesh", "Sphere"])
def test_what_is_wrong_is_said(call, message, name):
    with pytest.raises(ValueError, match=message):
        call(SHAPES[name])


def test_the_callers_arrays_are_left_alone():
    origins, directions = rays_at(np.random.default_rng(15), 20)
    copies = origins.copy(), directions.copy()
    for shape in SHAPES.values():
        found = ray_cast(shape, origins, directions)
        assert not any(
            np.shares_memory(getattr(found, name), x) for name in FIELDS for x in (origins, directions)
        )
    np.testing.assert_array_equal(origins, copies[0])
    np.testing.assert_array_equal(directions, copies[1])


def test_answers_introduce_themselves():
    ball = SHAPES["Sphere"]
    assert repr(ray_cast(ball, [-3, 0, 0], [1, 0, 0])) == "RayHits(at 2.1, face -1)"
    assert repr(ray_cast(ball, [-3, 0, 0], [-1, 0, 0])) == "RayHits(no hit)"
    assert repr(ray_cast(ball, [[-3, 0, 0], [-3, 2, 0]], [1, 0, 0])) == "RayHits(2 rays, 1 hits)"
    assert repr(ray_cast(ball, [-3, 0, 0], [1, 0, 0], hits="all")) == "AllRayHits(1 rays, 2 hits)"
    assert isinstance(ray_cast(ball, [-3, 0, 0], [1, 0, 0]), RayHits)


def test_a_turned_box_of_triangles_lets_nothing_out():
    rng = np.random.default_rng(16)
    box = fc.Box([1, 2, 3]).mesh
    pose = Rotation.random(rng=rng).as_matrix(), [5.0, 6.0, 7.0]
    corners = box.vertices @ pose[0].T + pose[1]
    targets = np.concatenate([corners, 0.5 * (corners[box.edges[:, 0]] + corners[box.edges[:, 1]])])
    origins = pose[1] + rng.uniform(-0.4, 0.4, (len(targets) * 50, 3))
    assert ray_cast(box.at(pose), origins, np.tile(targets, (50, 1)) - origins).hit.all()


def test_points_and_normals_made_later_are_those_of_single_rays():
    rng = np.random.default_rng(21)
    ball = fc.Mesh.from_trimesh(trimesh.creation.icosphere(2))
    origins, directions = rng.standard_normal((40, 3)), rng.standard_normal((40, 3))
    given = origins.copy(), directions.copy()
    found, every = fc.ray_cast(ball, *given), fc.ray_cast(ball, *given, hits="all")
    given[0][:], given[1][:] = 7.0, -1.0  # what is told later is of the rays as they were
    for i in range(40):
        one = fc.ray_cast(ball, origins[i], directions[i])
        np.testing.assert_array_equal(found.points[i], one.points)
        np.testing.assert_array_equal(found.normals[i], one.normals)
        row = every.offsets[i]
        if one.hit:
            np.testing.assert_array_equal(every.points[row], one.points)
            np.testing.assert_array_equal(every.normals[row], one.normals)


@pytest.mark.parametrize(
    "shape",
    [
        fc.Sphere(1), fc.Box([2, 2, 2]), fc.Rounded(fc.Box([1, 1, 1]), 0.5), fc.HalfSpace([1, 0, 0], 1),
        fc.Points([[0, 0, 0]], 1.0), fc.Compound([fc.Sphere(1), fc.Box([2, 2, 2])]),
        fc.Mesh.from_trimesh(trimesh.creation.box([2, 2, 2])),
    ],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_lines_of_all_kinds_go_both_ways(shape):
    assert not fc.ray_cast(shape, [3, 0.1, 0.2], [1, 0, 0]).hit
    line = fc.ray_cast(shape, [3, 0.1, 0.2], [1, 0, 0], min_time=-np.inf)
    assert line.hit
    assert -4.0 <= line.time < -1.9
    every = fc.ray_cast(shape, [3, 0.1, 0.2], [1, 0, 0], min_time=-np.inf, hits="all")
    assert every.time[0] == line.time
    assert np.all(np.diff(every.time) >= 0)
    last = fc.ray_cast(shape, [3, 0.1, 0.2], [1, 0, 0], min_time=-2.5)
    assert last.time == every.time[every.time >= -2.5][0]
    assert not fc.ray_cast(shape, [3, 0.1, 0.2], [1, 0, 0], min_time=-1.0).hit


def test_times_are_checked():
    with pytest.raises(ValueError, match="min_time must be a finite number"):
        fc.ray_cast(fc.Sphere(1), [0, 0, 3], [0, 0, 1], min_time=np.nan)
    with pytest.raises(ValueError, match="max_time must be a finite number at least 2"):
        fc.ray_cast(fc.Sphere(1), [0, 0, 3], [0, 0, 1], min_time=2.0, max_time=1.0)
