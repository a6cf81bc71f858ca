"""Meshes that overlap at the start: found exactly, by all queries about what deforms."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.problem import pose_problem
from firstcontact.deformable.touching.pierced import pierced_at_start
from oracles.triangle_overlap import overlap, pierced
from samples import sample

SCALES = (1.0, 2.0**-30, 2.0**-250, 2.0**-1060, 2.0**120)


def soup(rng, n_faces, n_vertices=9, span=6):
    """Triangles over a few points of a grid: full of ties, shared vertices and flat faces."""
    vertices = rng.integers(-span, span + 1, (n_vertices, 3)).astype(float)
    return fc.Mesh(vertices, rng.integers(0, n_vertices, (n_faces, 3)))


def still(mesh):
    return mesh.deforming(mesh.vertices, mesh.vertices)


def listed(found, kind):
    rows = found.kind == kind
    return set(zip(found.ids_a[rows].tolist(), found.ids_b[rows].tolist(), strict=True))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(sample(3, of=6)))
def test_two_meshes_are_listed_exactly(seed, scale):
    rng = np.random.default_rng([seed, 1])
    a, b = soup(rng, 5), soup(rng, 5)
    a, b = fc.Mesh(scale * a.vertices, a.faces), fc.Mesh(scale * b.vertices, b.faces)
    found = fc.contacts(still(a), b)
    through_b, through_a = pierced(a.vertices, a, b.vertices, b)
    assert listed(found, fc.ContactKind.EDGE_FACE) == through_b
    assert listed(found, fc.ContactKind.FACE_EDGE) == through_a


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(sample(3, of=6)))
def test_a_mesh_alone_is_listed_exactly(seed, scale):
    mesh = soup(np.random.default_rng([seed, 2]), 8)
    mesh = fc.Mesh(scale * mesh.vertices, mesh.faces)
    found = fc.contacts(still(mesh))
    assert listed(found, fc.ContactKind.EDGE_FACE) == pierced(mesh.vertices, mesh)[0]
    assert not listed(found, fc.ContactKind.FACE_EDGE)


def test_points_that_only_nearly_lie_in_a_plane_are_told_apart():
    # An edge whose end is above, on, or below the plane by the last bit of a coordinate.
    face = fc.Mesh([[0.1, 0.3, 0.7], [3.3, 0.1, 0.9], [0.7, 3.1, 1.3]], [[0, 1, 2]])
    middle = face.vertices.mean(axis=0)
    outcomes = set()
    for step in range(-3, 4):
        end = middle.copy()
        end[2] += step * np.spacing(end[2])
        dart = fc.Mesh([end, middle + np.array([0, 0, 2]), middle + np.array([0.3, 0.1, 3])], [[0, 1, 2]])
        expected = pierced(dart.vertices, dart, face.vertices, face)
        found = fc.contacts(still(dart), face)
        assert listed(found, fc.ContactKind.EDGE_FACE) == expected[0]
        outcomes.add(len(expected[0]))
    assert outcomes == {0, 2}


@pytest.mark.parametrize("seed", range(sample(20, of=40)))
def test_triangles_that_overlap_at_the_start_are_in_contact_then(seed):
    rng = np.random.default_rng([seed, 3])
    while True:
        a, b = rng.integers(-3, 4, (2, 3, 3)).astype(float)
        if all(np.any(np.cross(t[1] - t[0], t[2] - t[0])) for t in (a, b)):
            break
    x, y = fc.Mesh(a, [[0, 1, 2]]), fc.Mesh(b, [[0, 1, 2]])
    away = x.deforming(a, a + 50.0 * rng.integers(-1, 2, 3))
    is_hit = overlap(a, b)
    hit = fc.first_contact(away, y)
    assert (hit.status == fc.Status.CONTACT_AT_START) == is_hit
    assert (fc.safe_step(away, y) == 0.0) == is_hit
    assert (fc.safe_step(y, away) == 0.0) == is_hit
    assert bool(np.any(fc.contacts(away, y).time == 0.0)) == is_hit
    if is_hit:
        assert not fc.is_free(away, y)
        assert hit.time == hit.time_upper == 0.0


def overlapping_boxes():
    box, plate = fc.Box([1, 1, 1]).mesh, fc.Box([9, 9, 1]).mesh
    places = box.vertices + np.array([0.1, 0.2, 0.9])
    return box.deforming(places, places), plate


def test_all_queries_agree_about_a_box_in_a_plate():
    box, plate = overlapping_boxes()
    for a, b in ((box, plate), (plate, box)):
        hit = fc.first_contact(a, b)
        assert (hit.status, hit.time, hit.time_upper) == (fc.Status.CONTACT_AT_START, 0.0, 0.0)
        assert len(hit.features) == 10
        assert fc.safe_step(a, b) == 0.0
        assert not fc.is_free(a, b)
        assert len(fc.contacts(a, b)) == 10
    scene = fc.Scene(box=box, plate=plate)
    assert scene.first_contact().time == scene.safe_step() == 0.0
    assert len(scene.contacts()) == 1


def test_a_separation_changes_nothing_about_edges_through_faces():
    box, plate = overlapping_boxes()
    near = fc.contacts(box, plate, min_separation=1e-3)
    assert (near.kind >= fc.ContactKind.EDGE_FACE).sum() == 10
    assert fc.safe_step(box, plate, min_separation=1e-3) == 0.0


def crossed_sheets(n=40):
    """One mesh of two sheets that cross, each of 2 (n - 1)^2 faces."""
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    flat = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3)
    steep = np.stack([0.013 + 0.1 * y, x, 0.7 * y], axis=-1).reshape(-1, 3)
    ids = np.arange(n * n).reshape(n, n)
    quads = np.stack([ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]], axis=-1).reshape(-1, 4)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return fc.Mesh(np.concatenate([flat, steep]), np.concatenate([faces, faces + n * n]))


@pytest.mark.parametrize("separation", [0.0, 1e-5])
def test_two_crossed_sheets_of_one_mesh_that_go_on_together_are_in_contact(separation):
    sheets = crossed_sheets()
    gone = sheets.deforming(sheets.vertices, sheets.vertices + np.array([0, 0, 1]))
    assert fc.safe_step(gone, min_separation=separation) == 0.0
    assert not fc.is_free(gone, min_separation=separation)
    assert fc.first_contact(gone, min_separation=separation).status == fc.Status.CONTACT_AT_START
    found = fc.contacts(gone, min_separation=separation)
    assert (found.kind == fc.ContactKind.EDGE_FACE).sum() >= 39
    assert np.all(found.time[found.kind == fc.ContactKind.EDGE_FACE] == 0.0)


def test_no_stage_of_culling_changes_what_is_listed():
    sheets = crossed_sheets(20)
    expected = fc.contacts(still(sheets))
    assert len(expected) > 19
    for culling in (
        Culling(representatives=False),
        Culling(normal_cones=False),
        Culling(dop=6, feature_bounds=False),
    ):
        found = fc.contacts(still(sheets), culling=culling)
        np.testing.assert_array_equal(found.kind, expected.kind)
        np.testing.assert_array_equal(found.ids_a, expected.ids_a)
        np.testing.assert_array_equal(found.ids_b, expected.ids_b)


def test_one_is_enough_where_any_will_do():
    problem = pose_problem([still(crossed_sheets())], 0.0, Culling())
    every, some = pierced_at_start(problem), pierced_at_start(problem, any_will_do=True)
    assert 0 < len(some.edges) <= len(every.edges)
    pairs = set(zip(every.edges.tolist(), every.faces.tolist(), strict=True))
    assert set(zip(some.edges.tolist(), some.faces.tolist(), strict=True)) <= pairs


def test_more_edges_than_the_room_of_one_run_are_all_listed():
    n = 150
    needles = np.zeros((3 * n, 3))
    needles[:, 0] = np.repeat(np.linspace(0.1, 0.2, n), 3)
    needles[1::3, 2], needles[2::3, 2], needles[2::3, 0] = 1.0, 1.0, needles[2::3, 0] + 1e-5
    plates = np.zeros((3 * n, 3))
    plates[:, 2] = np.repeat(np.linspace(0.2, 0.8, n), 3)
    plates[0::3, :2], plates[1::3, :2], plates[2::3, :2] = [-1, -1], [2, -1], [0, 3]
    faces = np.arange(3 * n).reshape(-1, 3)
    found = fc.contacts(still(fc.Mesh(needles, faces)), fc.Mesh(plates, faces))
    # Two of three edges of each needle, through each plate.
    assert (found.kind == fc.ContactKind.EDGE_FACE).sum() == 2 * n * n


def test_the_start_is_taken_as_free_where_the_caller_says_so():
    box, plate = overlapping_boxes()
    assert fc.safe_step(box, plate, assume_free_start=True) == 1.0
    assert fc.is_free(box, plate, assume_free_start=True)
    assert not fc.first_contact(box, plate, assume_free_start=True)
    assert len(fc.contacts(box, plate, assume_free_start=True)) == 0
    scene = fc.Scene(box=box, plate=plate, ball=fc.Sphere(0.1).at((np.eye(3), [5, 5, 5])))
    assert scene.safe_step(assume_free_start=True) == 1.0
    assert len(scene.contacts(assume_free_start=True)) == 0
    assert not scene.first_contact(assume_free_start=True)
    with pytest.raises(TypeError, match="assume_free_start must be True or False"):
        scene.safe_step(assume_free_start=1)


def test_a_rigid_mesh_in_motion_is_looked_at_at_the_start_unless_told_otherwise():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]]).moving(np.eye(4), velocity=[0, 0, -5])
    dart = still(fc.Mesh([[0, 0, -0.25], [0, 0, 1], [0.5, 0, 1]], [[0, 1, 2]]))
    assert fc.safe_step(dart, floor) == 0.0
    assert 0.04 < fc.safe_step(dart, floor, assume_free_start=True) <= 0.05


@pytest.mark.parametrize("query", [fc.first_contact, fc.safe_step, fc.is_free])
def test_what_does_not_deform_has_no_use_for_the_assumption(query):
    ball, box = fc.Sphere(1), fc.Box([1, 1, 1])
    cases = [(ball, box), (box.mesh, box.mesh.moving(np.eye(4), velocity=[1, 0, 0])), (still(box.mesh), ball)]
    for a, b in cases:
        with pytest.raises(ValueError, match="assume_free_start has no meaning for"):
            query(a, b, assume_free_start=True)
    with pytest.raises(TypeError, match="assume_free_start must be True or False; received 1"):
        query(still(box.mesh), box.mesh, assume_free_start=1)


def test_rows_say_where_and_which_way():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    for flip in (1, -1):  # the winding does not matter
        dart = fc.Mesh([[0, 0, -0.25], [0, 0, 1], [0.5, 0, 1]], [[0, 1, 2]])
        hit = fc.contacts(still(dart), fc.Mesh(floor.vertices, floor.faces[:, ::flip]))
        assert hit.kind.tolist() == [fc.ContactKind.EDGE_FACE] * 2
        np.testing.assert_allclose(hit.points[0], [0, 0, 0], atol=1e-15)
        np.testing.assert_array_equal(hit.normals, [[0, 0, -1], [0, 0, -1]])
        assert (hit.vertex_ids == -1).all()
        assert np.isnan(hit.weights).all()
        back = fc.contacts(fc.Mesh(floor.vertices, floor.faces[:, ::flip]), still(dart))
        np.testing.assert_array_equal(back.normals, -hit.normals)
        assert back.kind.tolist() == [fc.ContactKind.FACE_EDGE] * 2


def test_rows_say_whether_more_comes_through():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    dart = fc.Mesh([[0, 0, -0.25], [0, 0, 1], [0.5, 0, 1]], [[0, 1, 2]])
    for speed in (-3.0, 2.0):
        down = dart.deforming(dart.vertices, dart.vertices - np.array([1.0, 0.0, speed]))
        np.testing.assert_allclose(fc.contacts(down, floor).closing_speed[:2], speed, rtol=1e-12)
        np.testing.assert_allclose(fc.contacts(floor, down).closing_speed[:2], speed, rtol=1e-12)
    turning = floor.deforming(floor.vertices, [[-9, -9, 0], [9, -9, 0], [0, 9, 9]])
    # The tip at the middle of the floor is half of the way from the base to the corner that rises.
    assert fc.contacts(still(dart), turning).closing_speed[0] == pytest.approx(4.5)


@pytest.mark.parametrize("scale", [2.0**-500, 1e-6, 1.0, 1e6])
def test_normals_are_unit_vectors_at_every_scale(scale):
    rng = np.random.default_rng(4)
    places = []
    for _ in range(20):
        a, b = (fc.Mesh(scale * rng.normal(size=(3, 3)), [[0, 1, 2]]) for _ in "ab")
        found = fc.contacts(still(a), b)
        places += [(np.linalg.norm(n), p) for n, p in zip(found.normals, found.points, strict=True)]
    assert len(places) > 3
    for length, point in places:
        assert abs(length - 1.0) < 1e-12
        assert np.all(np.abs(point) < 5 * scale)
