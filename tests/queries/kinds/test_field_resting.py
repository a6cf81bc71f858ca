"""Fields at an instant: distances, contact, rays and points, against the shape that they were made of."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc
from samples import sample
from when_asked import WhenAsked

RING = fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.35, major_sections=14, minor_sections=10))
SHAPES = {"ball": fc.Sphere(0.8), "box": fc.Box([1.0, 1.6, 0.7]), "ring": RING}
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
N = sample(12, 200)


def poses_in(rng, n, reach):
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = Rotation.random(n, rng=rng).as_matrix()
    poses[:, :3, 3] = rng.normal(size=(n, 3)) * rng.choice([0.5, 1.0, 3.0], (n, 1)) * reach
    return poses


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", BODIES)
def test_distances_are_never_too_large_and_not_too_small(name, kind):
    body, shape, field = BODIES[kind], SHAPES[name], FIELDS[name]
    rng = np.random.default_rng([len(name), len(kind)])
    reach = float(np.linalg.norm(body.bounds[1])) + 1.0
    poses, turned = poses_in(rng, N, reach), poses_in(rng, 1, 0.1)[0]
    a, b, still = body.at(poses), field.at(turned), shape.at(turned)
    found, touches = fc.distance(a, b), fc.intersects(a, b)
    truth, is_touching = fc.distance(a, still, solid=True).distance, fc.intersects(a, still, solid=True)
    assert np.array_equal(touches, found.distance == 0.0)
    assert not (is_touching & ~touches).any()
    assert (found.distance <= truth + 1e-12).all()
    in_box = truth + float(np.abs(body.bounds).max()) * (kind != "large ball") < 0.3
    lowest = np.where(in_box, truth, truth / np.sqrt(2.0))
    assert (found.distance >= lowest - 2.5 * field.tolerance - truth / 256 - 1e-12).all()
    single = fc.distance(body.at(poses[0]), b)
    assert single.distance == found.distance[0]
    swapped = fc.distance(b, a)
    assert np.array_equal(swapped.distance, found.distance)
    assert np.array_equal(swapped.points_a, found.points_b)
    near = found.distance < 0.3
    apart = np.linalg.norm(found.points_a - found.points_b, axis=1)
    assert (np.abs(apart - found.distance)[near] <= 3.0 * field.tolerance).all()


def test_two_fields_and_deforming_meshes_and_nothing():
    ring, ball = FIELDS["ring"], FIELDS["ball"]
    poses = poses_in(np.random.default_rng(0), N, 1.5)
    found = fc.distance(ball.at(poses), ring).distance
    truth = fc.distance(SHAPES["ball"].at(poses), RING, solid=True).distance
    assert (found <= truth + 1e-12).all()
    assert (found >= truth / np.sqrt(2.0) - 0.1 - truth / 256).all()
    mesh = BODIES["mesh"]
    places = mesh.vertices + np.array([2.0, 0, 0])
    assert fc.distance(mesh.deforming(places, places), ring) == fc.distance(fc.Mesh(places, mesh.faces), ring)
    assert fc.distance(fc.Mesh([], []), ring).distance == np.inf
    assert not fc.intersects(fc.Mesh([], []), ring)
    with pytest.raises(ValueError, match=r"^distance is for one instant, and a moves"):
        fc.distance(mesh.deforming(places, places + 1), ring)


@pytest.mark.parametrize("name", SHAPES)
def test_rays_are_never_late(name):
    shape, field = SHAPES[name], FIELDS[name]
    rng = np.random.default_rng(1)
    n = sample(300, 20_000)
    pose = poses_in(rng, 1, 0.5)[0]
    origins = rng.normal(size=(n, 3)) * rng.choice([0.3, 1.0, 5.0], (n, 1))
    directions = (0.5 * rng.normal(size=(n, 3)) - origins) * rng.choice([0.1, 1.0, 30.0], (n, 1))
    found, truth = (fc.ray_cast(thing.at(pose), origins, directions) for thing in (field, shape))
    assert (found.time <= truth.time * (1.0 + 1e-12)).all()
    hits = np.isfinite(found.time)
    assert 0 < hits.sum() < n
    local = (found.points[hits] - pose[:3, 3]) @ pose[:3, :3]
    assert np.abs(fc.signed_distance(shape, local).distance).max() <= 2.5 * field.tolerance
    assert np.allclose(np.linalg.norm(found.normals[hits], axis=1), 1.0)
    limited = fc.ray_cast(field.at(pose), origins, directions, max_time=0.5)
    assert np.array_equal(limited.hit, found.time <= 0.5)


def test_rays_from_far_away_and_for_all_hits():
    field = FIELDS["box"]
    far = fc.ray_cast(field, [1e9, 0, 0], [-1, 0, 0])
    assert far.hit
    assert far.time <= 1e9
    assert not fc.ray_cast(field, [1e9, 5, 0], [-1, 0, 0]).hit
    with pytest.raises(ValueError, match=r"^hits='all' is for shapes whose surface is known"):
        fc.ray_cast(field, [1, 0, 0], [1, 0, 0], hits="all")
    with pytest.raises(ValueError, match=r"^ray_cast is for one instant"):
        fc.ray_cast(field.moving(np.eye(4), velocity=[1, 0, 0]), [1, 0, 0], [1, 0, 0])


def test_rays_from_where_places_are_coarser_than_tolerances_end():
    """Steps that are shorter than what is between two numbers so far away would go nowhere."""
    far = np.repeat(10.0 ** np.arange(14, 45), 8) * np.tile(1 + 0.13 * np.arange(8), 31)
    origins = np.zeros((len(far), 3))
    origins[:, 0] = far
    found = fc.ray_cast(FIELDS["ball"], origins, [-1, 0, 0])
    assert found.hit.all()
    assert (found.time <= far).all()
    assert (found.time >= far * (1 - 1e-12) - 1).all()


@pytest.mark.parametrize("name", SHAPES)
def test_points_are_measured_at_any_pose(name):
    shape, field = SHAPES[name], FIELDS[name]
    rng = np.random.default_rng(2)
    poses = poses_in(rng, 3, 0.5)
    points = rng.uniform(-1.0, 1.0, (500, 3)) * 0.6
    found, truth = (fc.signed_distance(thing.at(poses), points) for thing in (field, shape))
    assert found.distance.shape == (3, 500)
    assert found.sign == "field"
    local = np.matmul(points - poses[:, np.newaxis, :3, 3], poses[:, :3, :3])
    in_box = ((local >= field.box[0]) & (local <= field.box[1])).all(axis=2)
    assert np.abs(found.distance - truth.distance)[in_box].max() <= field.tolerance
    assert (found.distance <= truth.distance + field.tolerance).all()
    inside = fc.contains(field.at(poses), points)
    sure = np.abs(truth.distance) > field.tolerance
    assert np.array_equal(inside[sure], (truth.distance < 0)[sure])
    apart = np.linalg.norm(found.points - points, axis=2)
    assert np.abs(apart - np.abs(found.distance)).max() < 1e-9
    assert fc.signed_distance(field, points[0]).distance == pytest.approx(field(points[0]), abs=1e-12)
    with pytest.raises(ValueError, match=r"^sign is for meshes"):
        fc.signed_distance(field, points, sign="winding")
