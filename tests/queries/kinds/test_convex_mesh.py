"""Queries about a convex shape and a mesh, as a user asks them."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact import (
    Box,
    Capsule,
    ContactKind,
    ConvexHull,
    Cylinder,
    Ellipsoid,
    HeightField,
    Mesh,
    Sphere,
    Status,
)
from poses import at, pose, random_poses

BALL = Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions=2, radius=0.5))
SHAPES = {
    "sphere": Sphere(0.5),
    "ellipsoid": Ellipsoid([0.3, 0.5, 1.2]),
    "capsule": Capsule(0.3, 1),
    "cylinder": Cylinder(0.4, 1),
    "box": Box([1, 0.5, 0.7]),
    "hull": ConvexHull(np.random.default_rng(2).standard_normal((60, 3)) * 0.4),
}
EVERY = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())


@EVERY
def test_polytopes_are_as_far_from_a_mesh_as_from_its_hull(shape):
    hull = ConvexHull(BALL.vertices)
    poses = random_poses(30, seed=4)
    poses[:, :3, 3] *= 2
    to_mesh, to_hull = fc.distance(shape.at(poses), BALL), fc.distance(shape.at(poses), hull)
    apart = to_hull.distance > 0
    np.testing.assert_allclose(to_mesh.distance[apart], to_hull.distance[apart], rtol=1e-9, atol=1e-13)
    assert apart.any()
    swapped = fc.distance(BALL, shape.at(poses))
    np.testing.assert_array_equal(swapped.distance, to_mesh.distance)
    np.testing.assert_array_equal(swapped.points_a, to_mesh.points_b)
    np.testing.assert_array_equal(swapped.faces, to_mesh.faces[:, ::-1])


@EVERY
def test_the_first_contact_is_where_distances_vanish(shape):
    rng = np.random.default_rng(5)
    for is_swapped in (False, True):
        a, b = (BALL, shape) if is_swapped else (shape, BALL)
        turns = Rotation.random(3, rng=rng)
        moving = a.moving(pose([3, 0.2, 0.1], turns[0]), pose([-3, 0.1, -0.2], turns[1]))
        resting = b.at(pose([0, 0, 0], turns[2]))
        hit = fc.first_contact(moving, resting, tolerance=1e-8)
        assert hit.status == Status.CONTACT
        assert fc.distance(a.at(moving.pose(hit.time)), resting).distance <= 1e-8
        times = np.linspace(0, hit.time, 100)[:-1]
        before = fc.distance(a.at(np.array([moving.pose(t) for t in times])), resting).distance
        assert (before > 0).all()
        assert hit.time <= hit.time_upper <= 1
        assert fc.distance(a.at(moving.pose(hit.time_upper)), resting).distance <= 1e-10
        kind, on_a, on_b = hit.features[0].tolist()
        assert kind == (ContactKind.FACE_SHAPE if is_swapped else ContactKind.SHAPE_FACE)
        assert (on_a, on_b)[is_swapped] == -1
        assert 0 <= (on_b, on_a)[is_swapped] < BALL.n_faces
        ahead = moving.pose(hit.time)
        ahead[:3, 3] += 1e-3 * hit.normals[0]
        assert fc.intersects(a.at(ahead), resting)
        assert fc.safe_step(moving, resting, tolerance=1e-8) == hit.time


@EVERY
def test_batches_are_made_of_single_answers(shape):
    starts, ends = random_poses(12, seed=1), random_poses(12, seed=2)
    starts[:, :3, 3] *= 3
    many = fc.first_contacts(shape.moving(starts, ends), BALL)
    touches = fc.intersects(BALL, shape.at(starts))
    for k in range(12):
        one = fc.first_contact(shape.moving(starts[k], ends[k]), BALL)
        assert (one.time, one.status, one.time_upper) == (many.time[k], many.status[k], many.time_upper[k])
        assert fc.intersects(shape.at(starts[k]), BALL) == touches[k]


def test_a_shape_inside_a_mesh_touches_it_if_that_is_solid():
    dot, inside = Sphere(0.1), Sphere(0.1).moving(at(0), at(0.1))
    assert not fc.intersects(dot, BALL)
    assert fc.intersects(dot, BALL, solid=True)
    assert fc.intersects(BALL, dot, solid=True)
    assert not fc.first_contact(inside, BALL)
    hit = fc.first_contact(inside, BALL, solid=True)
    assert (hit.status, hit.time, len(hit.points)) == (Status.CONTACT_AT_START, 0.0, 0)
    assert fc.first_contacts(dot.at(np.array([at(0), at(2)])), BALL, solid=True).hit.tolist() == [True, False]
    assert fc.intersects(BALL, Sphere(2)) is True  # a convex shape is always solid
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; b has 1 open edge|^solid=True"):
        fc.first_contact(inside, Mesh(BALL.vertices, BALL.faces[1:]), solid=True)


def test_a_hull_is_inside_a_solid_by_a_point_of_its_own():
    """The middle of the box around a hull may be outside of it: what holds that says nothing of the hull."""
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    hull, around = ConvexHull(corner), ConvexHull(1.5 * corner - 0.1).mesh
    beside = fc.Box([0.1, 0.1, 0.1]).mesh.at((np.eye(3), [0.5, 0.5, 0.5]))
    for solid, is_touching in ((around, True), (beside, False)):
        assert fc.intersects(hull, solid, solid=True) is is_touching
        assert fc.intersects(solid, hull, solid=True) is is_touching
        assert (fc.distance(hull, solid, solid=True).distance == 0.0) is is_touching
        assert bool(fc.first_contact(hull.moving(at(0), at(0.01)), solid, solid=True)) is is_touching


def test_a_ball_rolls_on_a_height_field():
    field = HeightField(np.zeros((5, 5)))
    ball = Sphere(0.5)
    hit = fc.first_contact(ball.moving(at(2.2, 2.2, 3), velocity=[0, 0, -5]), field)
    assert hit.time == pytest.approx(0.5, abs=1e-6)
    np.testing.assert_allclose(hit.normals, [[0, 0, -1]], atol=1e-9)
    assert fc.distance(ball.at(at(2, 2, 2)), field).distance == pytest.approx(1.5)
    with pytest.raises(ValueError, match=r"^penetration needs solids; b is a HeightField, a surface without"):
        fc.penetration(ball, field)


def test_empty_meshes_and_batches_have_empty_answers():
    nothing, ball = Mesh([], []), Sphere(1)
    assert fc.distance(ball, nothing).distance == np.inf
    assert fc.intersects(ball, nothing) is False
    assert not fc.first_contact(ball.moving(at(0), at(1)), nothing)
    assert len(fc.first_contacts(ball.at(np.empty((0, 4, 4))), BALL)) == 0


def test_a_shape_alone_does_not_touch_itself_and_has_no_list_of_contacts():
    with pytest.raises(TypeError, match=r"^a Sphere cannot touch itself: give two things$"):
        fc.first_contact(Sphere(1))
    with pytest.raises(TypeError, match=r"^contacts lists features of meshes, and b is a Sphere: use"):
        fc.contacts(BALL, Sphere(1))


@EVERY
def test_a_shape_meets_a_deforming_mesh_when_their_distance_vanishes(shape):
    rng = np.random.default_rng(8)
    end = BALL.vertices * [1.2, 0.8, 1.1] + [0.2, -0.1, 0.1]
    for moving in (shape.moving(at(3), pose([-3, 0, 0], Rotation.random(rng=rng))), shape.at(at(2.2))):
        shift = np.array([2.0 if moving.motion.is_resting else 0.0, 0, 0])
        falling = BALL.deforming(BALL.vertices, end + shift)
        for a, b in ((moving, falling), (falling, moving)):
            hit = fc.first_contact(a, b, tolerance=1e-8)
            assert hit
            t = hit.time
            there = Mesh(falling.vertices(t), BALL.faces)
            assert fc.distance(shape.at(moving.pose(t)), there).distance <= 1e-8
            for before in np.linspace(0, t, 20)[:-1]:
                mesh = Mesh(falling.vertices(before), BALL.faces)
                assert fc.distance(shape.at(moving.pose(before)), mesh).distance > 0
            assert hit.features[0, 0] == (ContactKind.SHAPE_FACE if a is moving else ContactKind.FACE_SHAPE)
            assert fc.safe_step(a, b, tolerance=1e-8) == t


def test_options_without_a_meaning_for_shapes_are_refused():
    ball, sheet = Sphere(1), BALL.deforming(BALL.vertices, BALL.vertices)
    for things in ((ball, BALL), (ball, ball), (ball, sheet)):
        for option in ({"method": "ca"}, {"exact": False}, {"culling": fc.Culling()}):
            with pytest.raises(ValueError, match=r"^(method|exact=False|culling) (has no meaning|must be) "):
                fc.first_contact(*things, **option)
    half = Mesh(BALL.vertices, BALL.faces[::2])
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; b has \d+ open edges$"):
        fc.first_contact(ball, half.deforming(half.vertices, half.vertices), solid=True)


@pytest.mark.parametrize("speed", [1.0, 0.0, -1.0])
@pytest.mark.parametrize(
    "shape", [fc.Box([1, 1, 1]), fc.Cylinder(0.5, 1), fc.Sphere(0.5), fc.Capsule(0.25, 0.5)]
)
def test_what_rests_on_a_plate_touches_it_along_the_normal_of_the_plate(shape, speed):
    plate = fc.Box([9, 9, 1]).mesh
    rests = shape.moving((np.eye(3), [0.2, 0.1, 1.0]), velocity=[0, 0, speed])
    many = shape.moving((np.eye(3), [[0.2, 0.1, 1.0], [0, 0, 9], [0.3, -0.2, 1.0]]), velocity=[0, 0, speed])
    for mesh in (plate.at(np.eye(4)), plate.deforming(plate.vertices, plate.vertices)):
        for found, up in ((fc.first_contact(rests, mesh), -1.0), (fc.first_contact(mesh, rests), 1.0)):
            assert found.status == fc.Status.CONTACT_AT_START
            np.testing.assert_allclose(found.normals, [[0, 0, up]], atol=1e-9)
    found = fc.first_contacts(many, plate)
    np.testing.assert_allclose(found.normals[[0, 2]], [[0, 0, -1]] * 2, atol=1e-9)
