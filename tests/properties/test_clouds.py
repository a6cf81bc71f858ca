"""Points and strands, with each other and with all that moves rigidly, against all pairs of elements."""

from itertools import product

import numpy as np
import pytest

import firstcontact as fc
from properties.cloud_families import CLOUDS, OTHERS, elements, gap, made, pose
from samples import sample

PAIRS = [*product(CLOUDS, OTHERS), *product(CLOUDS, CLOUDS), *((b, a) for a, b in product(CLOUDS, OTHERS))]
TIMES = np.linspace(0.0, 1.0, 33)
TOLERANCE = 1e-5


def case(seed, first, second, spread=0.8):
    rng = np.random.default_rng([seed, *map(len, (first, second))])
    a, b = made(rng, first), made(rng, second)
    return rng, a, b, pose(rng, spread), pose(rng, spread)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_distances_are_those_of_the_nearest_elements(first, second):
    n_apart = 0
    for seed in range(sample(6, of=12)):
        _, a, b, pose_a, pose_b = case(seed, first, second)
        expected, found = gap(a, pose_a, b, pose_b), fc.distance(a.at(pose_a), b.at(pose_b))
        assert abs(found.distance - max(expected, 0.0)) < 1e-12
        apart = np.linalg.norm(found.points_a - found.points_b)
        assert abs(apart - found.distance) < 1e-12
        assert fc.intersects(a.at(pose_a), b.at(pose_b)) is (expected <= 1e-12)
        n_apart += expected > 0.0
        for thing, place, point in ((a, pose_a, found.points_a), (b, pose_b, found.points_b)):
            # A closest point belongs to its shape.
            assert gap(thing, place, fc.Points([point]), np.eye(4)) < 1e-12
        tracker = fc.Tracker(a, b)
        assert tracker.distance(pose_a, pose_b).distance == pytest.approx(found.distance, abs=1e-12)
        batch = fc.distance(a.at(np.stack([pose_a, pose_b])), b.at(pose_b))
        assert batch.distance[0] == found.distance
    assert n_apart > 2


def moving(seed, first, second):
    rng, a, b, pose_a, pose_b = case(seed, first, second, 1.6)
    way = pose_b[:3, 3] - pose_a[:3, 3]
    one = a.moving(pose_a, velocity=2.0 * way, angular_velocity=rng.normal(size=3) * 2)
    other = b.moving(pose_b, velocity=rng.normal(size=3) * 0.1, angular_velocity=rng.normal(size=3))
    return one, other


def gaps_of(one, other):
    return np.array([gap(one.shape, one.pose(t), other.shape, other.pose(t)) for t in TIMES])


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_first_contacts_are_never_late_and_hardly_early(first, second):
    n_hits = 0
    for seed in range(sample(3, of=6)):
        one, other = moving(seed, first, second)
        found, gaps = fc.first_contact(one, other, tolerance=TOLERANCE), gaps_of(one, other)
        touching = TIMES[gaps <= 0.0]
        assert found.time <= touching.min(initial=np.inf)
        assert fc.is_free(one, other, tolerance=TOLERANCE) is not bool(found)
        assert fc.safe_step(one, other, tolerance=TOLERANCE) == min(found.time, 1.0)
        if not found:
            assert (gaps > 0.0).all()
            continue
        n_hits += 1
        then = one.pose(found.time), other.pose(found.time)
        assert gap(one.shape, then[0], other.shape, then[1]) <= 1.1 * TOLERANCE
        if np.isfinite(found.time_upper):
            then = one.pose(found.time_upper), other.pose(found.time_upper)
            assert found.time <= found.time_upper
            assert gap(one.shape, then[0], other.shape, then[1]) < 1e-9
        kind = fc.ContactKind(int(found.features[0, 0]))
        words = {"points": "POINT", "strands": "SEGMENT", "mesh": "FACE"}
        assert kind.name == f"{words.get(first, 'SHAPE')}_{words.get(second, 'SHAPE')}"
        if found.status == fc.Status.CONTACT:
            for point in found.points:
                for thing in (one, other):
                    there = thing.pose(found.time)
                    assert gap(thing.shape, there, fc.Points([point]), np.eye(4)) <= 1.1 * TOLERANCE
        separation = fc.first_contact(one, other, tolerance=TOLERANCE, min_separation=0.05)
        assert separation.time <= min(found.time, TIMES[gaps <= 0.05].min(initial=np.inf))
    assert n_hits > 0


@pytest.mark.parametrize(("first", "second"), [("points", "mesh"), ("strands", "box"), ("strands", "points")])
def test_clearances_and_intervals_hold_between_their_bounds(first, second):
    for seed in range(sample(3, of=6)):
        one, other = moving(seed, first, second)
        gaps, near = gaps_of(one, other), fc.clearance(one, other)
        assert near.distance_lower <= max(gaps.min(), 0.0) + 1e-12
        assert near.distance <= max(gaps.min(), 0.0) * 1.02 + 1e-4
        then = one.pose(near.time), other.pose(near.time)
        assert abs(near.distance - max(gap(one.shape, then[0], other.shape, then[1]), 0.0)) < 1e-9
        found = fc.contact_intervals(one, other)
        for t, depth in zip(TIMES, gaps, strict=True):
            is_in = np.any((found.touch[:, 0] <= t) & (t <= found.part[:, 1]))
            assert is_in or depth > 0.0
            sure = found.is_proven & (found.touch[:, 1] <= t) & (t <= found.part[:, 0])
            assert depth <= 1e-4 or not sure.any()


def test_batches_and_scenes_and_methods_agree():
    for seed, (first, second) in enumerate([("points", "mesh"), ("strands", "strands"), ("points", "ball")]):
        one, other = moving(seed, first, second)
        single = fc.first_contact(one, other, tolerance=TOLERANCE)
        starts, ends = np.stack([one.pose(0.0)] * 2), np.stack([one.pose(1.0)] * 2)
        batch = fc.first_contacts(one.shape.moving(starts, ends), other, tolerance=TOLERANCE)
        alone = fc.first_contact(one.shape.moving(starts[0], ends[0]), other, tolerance=TOLERANCE)
        assert (batch.time == alone.time).all()
        scene = fc.Scene(one=one, other=other)
        assert scene.first_contact(tolerance=TOLERANCE).time == single.time
        if second != "ball":
            slow = fc.first_contact(one, other, tolerance=TOLERANCE, method="c2a-2009")
            assert slow.time == pytest.approx(single.time, abs=1e-4)


def test_robots_are_free_of_clouds_where_all_samples_are():
    arm = fc.Robot(
        {"base": (), "arm": [fc.Capsule(0.1, 1.0)], "hand": [fc.Box([0.3, 0.2, 0.2]).mesh]},
        [
            fc.Joint("turn", "revolute", "base", "arm", axis=[0, 1, 0]),
            fc.Joint("slide", "prismatic", "arm", "hand", axis=[0, 0, 1]),
        ],
    )
    n_free, n = 0, sample(6, of=24)
    for seed in range(n):
        rng = np.random.default_rng(seed)
        cloud = made(rng, CLOUDS[seed % 2]).at(pose(rng, 0.9))
        start, end = rng.uniform(-2, 2, (2, 2))
        path, sampled = arm.moving(start, end), True
        for t in TIMES:
            placed = arm.link_poses(start + t * (end - start))
            for link, shape in (("arm", fc.Capsule(0.1, 1.0)), ("hand", fc.Box([0.3, 0.2, 0.2]))):
                sampled &= gap(shape, placed[link], cloud.shape, cloud.pose(0.0)) > 0.0
        is_free = fc.is_free(path, cloud)
        assert sampled or not is_free
        assert is_free or not sampled or fc.clearance(path, cloud).distance < 0.05
        n_free += is_free
        assert fc.is_free(path, {"cloud": cloud}) is is_free
    assert 0 < n_free < n


def test_points_and_rays_meet_balls_and_capsules():
    for seed in range(sample(8, of=20)):
        rng = np.random.default_rng(seed)
        cloud = made(rng, CLOUDS[seed % 2])
        points = rng.normal(size=(20, 3)) * 0.6
        there = pose(rng, 0.5)
        world = points @ there[:3, :3].T + there[:3, 3]
        expected = [gap(cloud, np.eye(4), fc.Points([point]), np.eye(4)) for point in points]
        found = fc.signed_distance(cloud.at(there), world)
        assert np.abs(found.distance - expected).max() < 1e-12
        assert np.abs(np.linalg.norm(found.normals, axis=1) - 1.0).max() < 1e-12
        along = found.points + found.distance[:, np.newaxis] * found.normals
        assert np.abs(along - world).max() < 1e-12
        assert (fc.contains(cloud, points) == (np.array(expected) < 0.0)).all()
        own = [fc.signed_distance(cloud, point).distance for point in points[:3]]
        assert np.abs(np.subtract(own, expected[:3])).max() < 1e-12
        hits = fc.ray_cast(cloud.at(there), world, world.mean(axis=0) - world)
        for i in range(len(world)):
            way = world.mean(axis=0) - world[i]
            steps = np.linspace(0.0, 3.0, 301)
            signs = fc.contains(cloud.at(there), world[i] + steps[:, np.newaxis] * way)
            change = np.flatnonzero(signs[1:] != signs[:-1])
            if len(change) > 0:
                assert hits.time[i] <= steps[change[0] + 1]
            if hits.hit[i]:
                there_then = fc.signed_distance(cloud.at(there), hits.points[i]).distance
                assert expected[i] < 0.0 or abs(there_then) < 1e-9
        every = fc.ray_cast(cloud.at(there), world, world.mean(axis=0) - world, hits="all")
        firsts = [every.time[every.offsets[i] : every.offsets[i + 1]].min(initial=np.inf) for i in range(20)]
        assert (np.array(firsts) == hits.time).all()


def test_elements_of_an_oracle_are_the_library_s():
    strands = fc.Strands([[0, 0, 0], [1, 0, 0], [5, 0, 0]], [2, 1], [0.1, 0.3, 0.2])
    mesh, radii = elements(strands)
    assert mesh.faces.tolist() == [[0, 1, 1], [2, 2, 2]]
    assert radii.tolist() == [0.3, 0.2]
