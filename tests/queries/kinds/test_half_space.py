"""Half-spaces in every query, against the one number that says all."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from oracles.half_space import gap
from samples import sample

HERE = np.eye(3)
RNG = np.random.default_rng(5)
HULL = fc.ConvexHull(RNG.normal(size=(12, 3)))
SHAPES = {
    "sphere": fc.Sphere(0.7),
    "box": fc.Box([0.5, 1.0, 1.5]),
    "cylinder": fc.Cylinder(0.4, 1.2),
    "cone": fc.Cone(0.5, 1.0),
    "ellipsoid": fc.Ellipsoid([0.3, 0.5, 0.8]),
    "rounded": fc.Rounded(fc.Box([0.5, 0.5, 1.0]), 0.1),
    "hull": HULL,
    "mesh": HULL.mesh,
    "points": fc.Points(RNG.normal(size=(20, 3)), 0.1),
    "strands": fc.Strands(RNG.normal(size=(6, 3)), [3, 3], 0.1),
}


def two(name, seed):
    """A half-space and a body that come near each other, both turning."""
    rng = np.random.default_rng(seed)
    half_space = fc.HalfSpace(rng.normal(size=3), rng.normal())
    floor = half_space.moving(
        (Rotation.random(random_state=seed), rng.normal(size=3)),
        velocity=rng.normal(size=3),
        angular_velocity=rng.normal(size=3),
    )
    up = floor.pose(0.0)[:3, :3] @ half_space.normal
    place = floor.pose(0.0)[:3, :3] @ half_space.centroid + floor.pose(0.0)[:3, 3] + rng.uniform(1, 5) * up
    place += 10.0 ** rng.uniform(-1, 2) * np.cross(up, rng.normal(size=3))
    start = Rotation.random(random_state=seed + 1), place
    body = SHAPES[name].moving(start, velocity=-6 * up, angular_velocity=2 * rng.normal(size=3))
    return floor, body


def still(thing, t):
    return thing.shape.at(thing.pose(t))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("seed", range(sample(2, of=6)))
def test_first_contacts_are_never_late_and_not_early(name, seed):
    floor, body = two(name, seed)
    hit = fc.first_contact(floor, body, tolerance=1e-7)
    until = min(hit.time, 1.0)
    times = np.linspace(0.0, until, sample(60, of=200))
    assert all(gap(floor, body, t) > 0.0 for t in times[:-1] if hit.status != fc.Status.CONTACT_AT_START)
    if hit:
        assert gap(floor, body, until) < 1e-6
        assert gap(floor, body, hit.time_upper) <= 1e-9
    assert abs(fc.first_contact(body, floor, tolerance=1e-7).time - hit.time) < 1e-6 or not hit
    assert fc.is_free(floor, body) is not bool(hit)
    if fc.first_contact(floor, body, tolerance=1e-7).time > 0.0:
        assert hit.certificate.verify()


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_distances_and_depths_are_those_of_the_plane(name, seed):
    for t in (0.0, 0.5, 1.0):
        floor, body = (still(thing, t) for thing in two(name, seed))
        truth, size = gap(floor, body, 0.0), np.abs(body.pose(0.0)).max()
        found = fc.distance(floor, body)
        solid = name != "mesh"  # the inside of a closed mesh is asked for
        least = max(truth, 0.0) if solid or truth > 0 else found.distance
        assert abs(found.distance - least) < 1e-12 * size
        assert fc.intersects(floor, body) is bool(found.distance == 0.0)
        if name not in ("points", "strands"):
            sunk = fc.penetration(floor, body)
            normal = floor.pose(0.0)[:3, :3] @ floor.shape.normal
            assert abs(sunk.depth - max(-truth, 0.0)) < 2e-9 * size
            assert truth > 0 or sunk.direction @ normal > 1.0 - 1e-6


@pytest.mark.parametrize("name", ["sphere", "box", "mesh", "points"])
def test_clearance_and_intervals_are_those_of_the_plane(name):
    for seed in range(4):
        floor, body = two(name, seed)
        gaps = np.array([gap(floor, body, t) for t in np.linspace(0, 1, 400)])
        found = fc.clearance(floor, body)
        assert found.distance_lower <= max(gaps.min(), 0.0) + 1e-12
        assert found.distance <= max(gaps.min(), 0.0) * 1.02 + 1e-2
        times = fc.contact_intervals(floor, body)
        inside = [t for t, x in zip(np.linspace(0, 1, 400), gaps, strict=True) if x < -1e-3]
        if name != "mesh":  # a surface that is wholly below it does not touch it
            assert all(any(touch[0] <= t <= part[1] for touch, part in times) for t in inside)


def test_a_batch_is_its_rows():
    floor, ball = fc.HalfSpace([0, 0.6, 0.8], 1.0), fc.Sphere(0.5)
    places = RNG.normal(size=(20, 3)) * [1, 1, 3] + [0, 0, 4]
    moving = ball.moving((HERE, places), velocity=[0, 0, -5])
    many = fc.first_contacts(moving, floor)
    for i in range(20):
        one = fc.first_contact(ball.moving((HERE, places[i]), velocity=[0, 0, -5]), floor)
        assert one.time == pytest.approx(many.time[i], abs=1e-6)
    with ThreadPoolExecutor(2) as executor:
        assert fc.first_contacts(moving, floor, executor=executor).time.tobytes() == many.time.tobytes()


def test_what_deforms_and_fields_meet_it():
    floor, mesh = fc.HalfSpace([0, 0, 1]), fc.Box([1, 1, 1]).mesh
    falling = mesh.deforming(mesh.vertices + np.array([0, 0, 3]), mesh.vertices - np.array([0, 0, 3]))
    assert fc.first_contact(falling, floor).time == pytest.approx(2.5 / 6, abs=1e-6)
    field = fc.DistanceField.of(fc.Sphere(1), 0.01)
    assert fc.distance(field.at((HERE, [50, 0, 4])), floor).distance == pytest.approx(3.0, abs=0.02)
    assert fc.depths(mesh.at((HERE, [0, 0, 0.25])), floor).depth.tolist() == [0.25] * 4


def test_two_of_them_meet_unless_they_face_away():
    turn = Rotation.from_rotvec([0.3, 1.1, -0.7]).as_matrix()
    low, high = fc.HalfSpace([1, 2, 3], 1), fc.HalfSpace([-1, -2, -3], -4)
    found = fc.distance(low.at((turn, [[1, 0, 0], [0, 0, 0]])), high.at((turn, [1, 0, 0])))
    assert found.distance[0] == pytest.approx(3.0, abs=1e-14)
    assert np.allclose(found.points_b - found.points_a, found.distance[:, None] * (turn @ low.normal))
    assert fc.intersects(low, high) is False
    assert fc.intersects(low, fc.HalfSpace([-1, -2, -3], -1)) is True
    tilt = np.array([[1, 0, 0], [0, 1, -1e-17], [0, 1e-17, 1]])
    assert fc.distance(low, high.at((tilt, [0, 0, 0]))).distance == 0.0
    assert fc.Tracker(low, high).distance().distance == pytest.approx(3.0)
    with pytest.raises(TypeError, match=r"^two half-spaces touch unless they are parallel and face away"):
        fc.first_contact(low, high)


def test_points_and_rays_meet_its_plane():
    tilted = fc.HalfSpace([0.6, 0, 0.8], 2.0)
    pose = Rotation.from_rotvec([0.2, 0.4, 0.1]).as_matrix(), [1.0, 2, 3]
    points = RNG.normal(size=(50, 3)) * 5
    found = fc.signed_distance(tilted.at(pose), points)
    normal = pose[0] @ tilted.normal
    truth = points @ normal - normal @ pose[1] - 2.0
    assert np.allclose(found.distance, truth, atol=1e-14)
    assert np.allclose(found.points, points - truth[:, None] * normal, atol=1e-13)
    assert (fc.contains(tilted.at(pose), points) == (truth < 0)).all()
    ways = RNG.normal(size=(50, 3))
    hits = fc.ray_cast(tilted.at(pose), points, ways)
    assert np.allclose(fc.signed_distance(tilted.at(pose), hits.points[hits.hit]).distance, 0, atol=1e-12)
    assert (hits.hit == ((truth > 0) == (ways @ normal < 0))).all()
    every = fc.ray_cast(tilted.at(pose), points, ways, hits="all")
    assert every.time.tolist() == hits.time[hits.hit].tolist()
    assert fc.ray_cast(tilted.at(pose), points, ways, max_time=0.0).hit.sum() == 0
    with pytest.raises(ValueError, match="max_hits"):
        fc.ray_cast(tilted.at(pose), points, ways, hits="all", max_hits=1)
    floor = fc.HalfSpace([0, 0, 1])
    assert fc.ray_cast(floor, [0, 0, 0], [0, 0, 1]).time == 0.0
    assert fc.ray_cast(floor, [0, 0, 0], [1, 0, 0]).hit is False
    assert fc.ray_cast(floor, [0, 0, 1e40], [1, 0, -1e-290]).time == np.finfo(float).max
    with pytest.raises(ValueError, match="sign is for meshes"):
        fc.signed_distance(tilted, points, sign="winding")


def test_a_tracker_says_the_same():
    tracker = fc.Tracker(SHAPES["cone"], fc.HalfSpace([0, 1, 1], 0.5))
    for z in (4.0, 1.0, 0.0):
        pose = np.eye(4)
        pose[2, 3] = z
        body = tracker.a.at(pose)
        assert tracker.distance(pose).distance == fc.distance(body, tracker.b).distance
        assert tracker.intersects(pose) is fc.intersects(body, tracker.b)
        assert tracker.penetration(pose).depth == fc.penetration(body, tracker.b).depth
