"""First contacts with a field: never late for the shape that it was made of, and not much too early."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc
from samples import sample
from when_asked import WhenAsked

RING = fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.35, major_sections=14, minor_sections=10))
SHEET = fc.HeightField(0.2 * np.sin(np.arange(30.0)).reshape(5, 6), spacing=0.4)
SHAPES = {
    "ball": fc.Sphere(0.8),
    "box": fc.Box([1.0, 1.6, 0.7]),
    "cylinder": fc.Cylinder(0.5, 1.5),
    "ring": RING,
    "sheet": SHEET,
}
FIELDS = WhenAsked(lambda name: fc.DistanceField.of(SHAPES[name], 0.02))
BODIES = {
    "small ball": fc.Sphere(0.2),
    "large ball": fc.Sphere(3.0),
    "capsule": fc.Capsule(0.2, 1.0),
    "box": fc.Box([0.5, 1.0, 0.3]),
    "cylinder": fc.Cylinder(0.3, 1.0),
    "ellipsoid": fc.Ellipsoid([0.3, 0.5, 0.8]),
    "hull": fc.ConvexHull(0.5 * np.random.default_rng(5).normal(size=(20, 3))),
    "mesh": fc.Mesh.from_trimesh(trimesh.creation.icosphere(1, 0.5)),
    "points": fc.Points(0.4 * np.random.default_rng(6).normal(size=(9, 3)), 0.02 * np.arange(9.0)),
    "strands": fc.Strands(0.4 * np.random.default_rng(7).normal(size=(8, 3)), [4, 1, 3], 0.1),
}
N = sample(4, 40)


def aimed(rng, body, n, speed=6.0):
    """Starts away from the middle, with velocities that lead about there, and turns."""
    away = rng.normal(size=(n, 3))
    away *= (2.5 + float(np.linalg.norm(body.bounds[1]))) / np.linalg.norm(away, axis=1)[:, np.newaxis]
    aims = 0.5 * rng.normal(size=(n, 3))
    rotations = Rotation.random(n, rng=rng).as_matrix()
    turns = rng.normal(size=(n, 3)) * rng.choice([0.0, 1.0, 8.0], n)[:, np.newaxis]
    return (rotations, away), (aims - away) * speed / 4.0, turns


def check(found, a, b, body, shape, field, separation=0.0, slack=0.0):
    """Compare with the shape itself: a and b are motions of the body and of what stands for the shape."""
    options = {"min_separation": separation}
    if not isinstance(shape, fc.HeightField):
        options["solid"] = True
    is_solid = "solid" in options
    truth = fc.first_contacts(fc.Moving(body, a.motion), fc.Moving(shape, b.motion), **options)
    assert (found.time <= truth.time_upper).all()
    assert (truth.time <= found.time_upper).all()
    assert (found.time_upper >= found.time).all()
    hits = np.flatnonzero(np.isfinite(found.time))
    for i in hits.tolist():
        assert found.status[i] in (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)
        poses = []
        for motion in (a, b):
            pose = motion.pose(float(found.time[i]))
            poses.append(pose[i] if pose.ndim == 3 else pose)
        gap = fc.distance(body.at(poses[0]), shape.at(poses[1]), solid=is_solid).distance
        assert gap <= separation + 3.0 * field.tolerance + 1e-5 + slack
        assert abs(np.linalg.norm(found.normals[i]) - 1.0) < 1e-9
    return len(hits)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", BODIES)
def test_times_are_those_of_the_shape(name, kind):
    body, shape, field = BODIES[kind], SHAPES[name], FIELDS[name]
    rng = np.random.default_rng([len(name), len(kind)])
    start, velocity, turn = aimed(rng, body, N)
    a = body.moving(start, velocity=velocity, angular_velocity=turn)
    b = field.moving(np.eye(4), velocity=[0.3, -0.2, 0.1], angular_velocity=[0, 0.5, 1])
    found = fc.first_contacts(a, b)
    check(found, a, b, body, shape, field)
    swapped = fc.first_contacts(b, a)
    assert np.array_equal(found.time, swapped.time)
    assert np.array_equal(found.normals, -swapped.normals, equal_nan=True)
    single = fc.first_contact(
        body.moving((start[0][0], start[1][0]), velocity=velocity[0], angular_velocity=turn[0]), b
    )
    assert single.time == found.time[0]
    free = fc.is_free(a, b)
    assert np.array_equal(free, found.status == fc.Status.SEPARATED)


@pytest.mark.parametrize("kind", ["small ball", "box", "mesh", "strands"])
def test_separations_and_tolerances(kind):
    body, shape, field = BODIES[kind], SHAPES["ring"], FIELDS["ring"]
    start, velocity, turn = aimed(np.random.default_rng(3), body, N)
    a, b = body.moving(start, velocity=velocity, angular_velocity=turn), field.at(np.eye(4))
    before = np.full(N, np.inf)
    for separation in (0.0, 0.05, 0.2):
        found = fc.first_contacts(a, b, min_separation=separation, tolerance=1e-4)
        check(found, a, b, body, shape, field, separation, 1e-4)
        assert (found.time <= before).all()
        before = found.time


def test_motions_of_every_kind():
    body, shape, field = BODIES["box"], SHAPES["ring"], FIELDS["ring"]
    here = np.eye(3)
    motions = [
        body.moving((here, [1, 0, 3]), velocity=[0, 0, 1], acceleration=[0, 0.3, -9]),
        body.along((np.stack([here] * 3), [[0, 3, 3], [0, 1, 2.5], [0, 1, 0]]), [0, 0.3, 1]),
        body.along(fc.motion(lambda t: ([2.0 * t, t * t, 0.0], [1.0, 0.0, 3.0 - 3.0 * t]))),
        body.along(fc.Spline(None, (np.stack([here] * 3), [[0, 3, 3], [0, 1, 2.5], [0.5, 1, 0]]))),
    ]
    for motion in motions:
        found, truth = fc.first_contact(motion, field), fc.first_contact(motion, shape)
        assert truth
        assert found.time <= truth.time_upper
        assert truth.time <= found.time_upper < np.inf
        still = body.at(motion.pose(found.time))
        assert fc.distance(still, shape).distance <= 3.0 * field.tolerance + 1e-5
        assert fc.safe_step(motion, field) == found.time


@pytest.mark.parametrize("name", ["ball", "ring", "sheet"])
def test_deforming_meshes(name):
    shape, field = SHAPES[name], FIELDS[name]
    cloth = fc.HeightField(np.zeros((9, 9)), spacing=0.3)
    middle = cloth.centroid
    rng = np.random.default_rng(7)
    before = cloth.vertices - middle + [0, 0, 2] + 0.1 * rng.normal(size=cloth.vertices.shape)
    after = 0.7 * (cloth.vertices - middle) + [0, 0, -1] + 0.3 * rng.normal(size=cloth.vertices.shape)
    falling = cloth.deforming(before, after)
    found = fc.first_contact(falling, field)
    truth = fc.first_contact(falling, shape)
    assert truth
    assert found.time <= truth.time_upper
    assert truth.time <= found.time_upper
    now = fc.Mesh(falling.vertices(found.time), cloth.faces)
    assert fc.distance(now, shape).distance <= 3.0 * field.tolerance + 1e-5
    assert found.features[0, 0] == fc.ContactKind.FACE_SHAPE
    assert fc.first_contact(field, falling).features[0].tolist() == [
        fc.ContactKind.SHAPE_FACE,
        -1,
        found.features[0, 1],
    ]
    turning = field.moving((np.eye(3), [0, 0, -1]), velocity=[0, 0, 1], angular_velocity=[0, 2, 0])
    met = fc.first_contact(falling, turning)
    assert 0.0 < met.time < 1.0
    rest = falling.vertices(met.time)
    assert fc.distance(fc.Mesh(rest, cloth.faces), shape.at(turning.pose(met.time))).distance <= 0.061
    earlier = fc.Mesh(falling.vertices(0.99 * met.time), cloth.faces)
    assert fc.distance(earlier, shape.at(turning.pose(0.99 * met.time))).distance > 0.0


@pytest.mark.parametrize("kind", ["points", "strands"])
def test_deforming_points_and_strands(kind):
    shape, field, cloud = SHAPES["box"], FIELDS["box"], BODIES[kind]
    rng, n_proven = np.random.default_rng(8), 0
    for _ in range(6):
        before = cloud.positions + [0, 0, 3] + 0.2 * rng.normal(size=cloud.positions.shape)
        after = cloud.positions + [0, 0, -1] + 0.2 * rng.normal(size=cloud.positions.shape)
        falling = cloud.deforming(before, after)
        found, truth = fc.first_contact(falling, field), fc.first_contact(falling, shape)
        assert truth
        assert found.time <= truth.time_upper
        assert truth.time <= found.time_upper
        n_proven += bool(found.time_upper < np.inf)
        assert fc.safe_step(falling, field) == found.time
        now = cloud.placed(falling.vertices(found.time))
        assert fc.distance(now, shape).distance <= 3.0 * field.tolerance + 1e-5
        assert fc.ContactKind(found.features[0, 0]).name == f"{cloud.element}_SHAPE"
        element, place = int(found.features[0, 1]), found.points[0]
        one = cloud.part(now.positions, np.array([element]))
        assert fc.signed_distance(one, place).distance <= 3.0 * field.tolerance
    assert n_proven >= 4


def test_two_fields():
    rng = np.random.default_rng(11)
    for one, other in (("ball", "ring"), ("box", "cylinder"), ("ring", "ring")):
        start, velocity, turn = aimed(rng, SHAPES[one], N)
        a = FIELDS[one].moving(start, velocity=velocity, angular_velocity=turn)
        b = FIELDS[other].at(np.eye(4))
        check(fc.first_contacts(a, b), a, b, SHAPES[one], SHAPES[other], FIELDS[other], slack=0.06)


def test_what_is_inside_is_in_contact_and_what_is_around_is_not():
    field = FIELDS["ball"]
    assert fc.first_contact(fc.Sphere(0.1).at(np.eye(4)), field).status == fc.Status.CONTACT_AT_START
    inner = fc.Mesh.from_trimesh(trimesh.creation.icosphere(1, 0.1))
    assert fc.first_contact(inner.at(np.eye(4)), field).status == fc.Status.CONTACT_AT_START
    assert fc.first_contact(fc.Sphere(5.0).at(np.eye(4)), field).status == fc.Status.CONTACT_AT_START
    around = fc.Mesh.from_trimesh(trimesh.creation.icosphere(1, 5.0))
    assert fc.first_contact(around.at(np.eye(4)), field).status == fc.Status.SEPARATED
    assert fc.first_contact(field.at(np.eye(4)), field).status == fc.Status.CONTACT_AT_START
    assert fc.first_contact(fc.Mesh([], []), field).status == fc.Status.SEPARATED


def test_no_motion_and_no_room():
    field, ball = FIELDS["ball"], fc.Sphere(0.5)
    assert fc.first_contact(ball.at((np.eye(3), [3, 0, 0])), field).status == fc.Status.SEPARATED
    away = ball.moving((np.eye(3), [3, 0, 0]), velocity=[5, 0, 0])
    assert fc.first_contact(away, field).status == fc.Status.SEPARATED
    box = fc.Box([1.0, 1.0, 1.0]).moving(
        (np.eye(3), [0, 0, 1.4]), velocity=[0.3, 0, -1], angular_velocity=[0, 0, 1]
    )
    full = fc.first_contact(box, field)
    short = fc.first_contact(box, field, max_iterations=3)
    assert short.status == fc.Status.MAX_ITERATIONS
    assert short.time <= full.time
    assert len(short.points) == 0
    assert len(fc.first_contacts(ball.at(np.empty((0, 4, 4))), field).time) == 0


def test_fields_are_shapes():
    field = FIELDS["ring"]
    assert field.kind is not RING.kind
    assert np.array_equal(field.centroid, field.bounds.mean(axis=0))
    assert field.at((np.eye(3), [1, 2, 3])).pose(0)[:3, 3].tolist() == [1, 2, 3]
    moving = pickle.loads(pickle.dumps(field.moving(np.eye(4), velocity=[1, 0, 0])))
    assert moving.shape == field
    assert moving.pose(0.5)[0, 3] == 0.5
    with pytest.raises(AttributeError):
        field.tolerance = 1.0
    body = fc.Sphere(0.3).moving((np.eye(3), [0, 0, 3]), velocity=[0.9, 0, -4])
    expected = fc.first_contact(body, field)
    assert fc.first_contact(body, moving.shape) == expected
    assert pickle.loads(pickle.dumps(expected)) == expected
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fc.first_contact(body, field), range(8)))
    assert all(one == expected for one in found)


def test_refusals():
    field, ball = FIELDS["ball"], fc.Sphere(0.3)
    with pytest.raises(ValueError, match=r"^solid has no meaning for fields$"):
        fc.first_contact(ball, field, solid=True)
    with pytest.raises(TypeError, match=r"^penetration knows no fields, and b is one: use contacts"):
        fc.penetration(ball, field)
    with pytest.raises(TypeError, match=r"^a field is made of a convex shape or a mesh"):
        fc.DistanceField.of(field)
    with pytest.raises(TypeError, match=r"^a link is made of convex shapes and meshes"):
        fc.Robot({"base": field}, [])
    with pytest.raises(ValueError, match=r"^batches must have the same length"):
        fc.first_contacts(ball.at(np.stack([np.eye(4)] * 2)), field.at(np.stack([np.eye(4)] * 3)))


@pytest.fixture(scope="module")
def lens():
    """What a ball and a box have in common."""
    box = fc.Box([2, 2, 2]).mesh
    ball, wall = fc.Sphere(1), fc.Mesh(box.vertices + np.array([1.9, 0, 0]), box.faces)
    return fc.DistanceField.of(ball, 0.02, margin=1).intersection(fc.DistanceField.of(wall, 0.02, margin=1))


@pytest.mark.parametrize("separation", [0.0, 0.2])
def test_a_field_that_is_not_exact_proves_no_contact_by_how_near_it_seems(separation, lens):
    """Beside the lens, both are nearer than that."""
    coming = fc.Sphere(0.4).moving((np.eye(3), [0.95, 3, 0]), velocity=[0, -3, 0])
    contact = fc.first_contact(coming, lens, min_separation=separation)
    truth = (3 - np.sqrt(1 - 0.9**2) - 0.4 - separation) / 3  # not earlier: its rim is that high
    assert contact.time < truth < contact.time_upper < 1
    point = fc.Points([[0, 0, 0]], 0.4).moving((np.eye(3), [0.95, 3, 0]), velocity=[0, -3, 0])
    contact = fc.first_contact(point, lens, min_separation=separation)
    assert contact.time < truth < contact.time_upper < 1


@pytest.mark.parametrize("body", [fc.Sphere(0.4), fc.Points([[0, 0, 0]], 0.4)], ids=str)
def test_nor_does_it_prove_that_a_contact_lasts(body, lens):
    """Beside the rim, at a height of 0.436, a ball at 0.9 seems to be nearer than its radius, and is not."""
    passing = body.moving((np.eye(3), [0.95, 0.9, -0.1]), velocity=[0, 0, 0.2])
    assert lens([0.95, 0.9, 0.0]) < 0.35
    found = fc.contact_intervals(passing, lens)
    assert len(found) > 0
    assert not found.is_proven.any()
