"""Compounds in every query: the least, the first or any of all pairs of parts, each asked by itself."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.queries.kinds.compound_alone import joined_spans
from firstcontact.shapes.compound import moving_parts
from samples import sample

HERE = np.eye(3)
TURN = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()
HAMMER = fc.Compound(
    [
        fc.Cylinder(0.1, 2),
        fc.Box([1, 0.4, 0.4]).at((TURN, [0, 0, 1])),
        fc.Box([0.3, 0.3, 0.3]).mesh.at((TURN, [0, 0, -1])),
    ]
)
TABLE = fc.Compound(
    [fc.Box([2, 2, 0.1]), fc.Capsule(0.1, 1.0).at((HERE, [0.8, 0.8, -0.6])), fc.Sphere(0.2).mesh]
)
OTHERS = {
    "sphere": fc.Sphere(0.7),
    "mesh": fc.Box([1, 1.5, 0.5]).mesh,
    "points": fc.Points([[0, 0, 0], [0, 1, 0]], 0.2),
    "floor": fc.HalfSpace([1, 2, 3], -0.5),
    "table": TABLE,
}


def two(name, seed):
    rng = np.random.default_rng(seed)
    way = rng.normal(size=3)
    start = Rotation.random(random_state=seed), -3.0 * way + rng.normal(size=3)
    hammer = HAMMER.moving(start, velocity=5.0 * way, angular_velocity=3 * rng.normal(size=3))
    return hammer, OTHERS[name].moving(
        np.eye(4), velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3)
    )


def each(a, b):
    return [(one, other) for one in moving_parts(a) for other in moving_parts(b)]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", range(4))
def test_over_time_it_is_the_first_and_the_least_of_its_parts(name, seed):
    a, b = two(name, seed)
    hits = [fc.first_contact(one, other) for one, other in each(a, b)]
    found, back = fc.first_contact(a, b), fc.first_contact(b, a)
    assert found.time == min(hit.time for hit in hits)
    assert found.time_upper == min(hit.time_upper for hit in hits)
    assert back.time == pytest.approx(found.time, abs=1e-5) or not found
    assert fc.safe_step(a, b) == min(found.time, 1.0)
    assert fc.is_free(a, b) is not bool(found)
    near, all_near = fc.clearance(a, b), [fc.clearance(one, other) for one, other in each(a, b)]
    assert near.distance == min(one.distance for one in all_near)
    assert near.distance_lower <= min(one.distance_lower for one in all_near)
    assert near.distance_lower >= 0.97 * near.distance - 1e-4
    assert np.isclose(
        near.profile(3).distances[1], fc.distance(*(x.shape.at(x.pose(0.5)) for x in (a, b))).distance
    )


@pytest.mark.parametrize("name", OTHERS)
def test_at_rest_it_is_the_nearest_or_the_deepest_of_its_parts(name):
    for seed in range(6):
        a, b = (thing.shape.at(thing.pose(0.55)) for thing in two(name, seed))
        pairs = each(a, b)
        found = fc.distance(a, b)
        assert found.distance == pytest.approx(min(fc.distance(*pair).distance for pair in pairs), abs=1e-12)
        assert fc.intersects(a, b) is any(fc.intersects(*pair) for pair in pairs)
        part, _ = HAMMER.part_of(found.faces[0])
        near = fc.distance(moving_parts(a)[part], b)
        assert near.distance == pytest.approx(found.distance, abs=1e-12)
        if name != "points":
            sunk = fc.penetration(a, b)
            assert sunk.depth == pytest.approx(max(fc.penetration(*pair).depth for pair in pairs), abs=1e-9)
            assert fc.Tracker(a.shape, b.shape).penetration(a.pose(0), b.pose(0)).depth == sunk.depth
        assert fc.Tracker(a.shape, b.shape).distance(a.pose(0), b.pose(0)).distance == found.distance


def test_features_say_which_part():
    gap = fc.Box([1, 1, 1]).mesh
    whole = fc.Compound([gap.at((HERE, [0, 0, 50])), fc.Sphere(1).at((HERE, [0, 0, 90])), gap])
    falling = whole.moving((HERE, [0.2, 0.1, 3]), velocity=[0, 0, -4])
    hit = fc.first_contact(falling, gap)
    plain = fc.first_contact(moving_parts(falling)[2], gap)
    for row, own in zip(hit.features, plain.features, strict=True):
        name = fc.ContactKind(int(row[0])).name.lower().split("_")[0]
        assert whole.part_of(int(row[1]), name) == (2, own[1])
        assert row[2] == own[2]


def test_a_batch_is_its_rows():
    places = np.random.default_rng(3).normal(size=(12, 3)) * 2 + [0, 0, 4]
    moving = HAMMER.moving((HERE, places), velocity=[0, 0, -6])
    many, near, times = (
        ask(moving, TABLE) for ask in (fc.first_contacts, fc.clearance, fc.contact_intervals)
    )
    still = HAMMER.at((HERE, places - [0, 0, 3]))
    apart, sunk = fc.distance(still, TABLE), fc.penetration(still, TABLE)
    for i in range(12):
        one = HAMMER.moving((HERE, places[i]), velocity=[0, 0, -6])
        assert fc.first_contact(one, TABLE).time == pytest.approx(many.time[i], abs=1e-6)
        assert fc.clearance(one, TABLE).distance == pytest.approx(near.distance[i], rel=0.02, abs=1e-6)
        assert len(fc.contact_intervals(one, TABLE)) == len(times[i])
        at = HAMMER.at((HERE, places[i] - [0, 0, 3]))
        assert fc.distance(at, TABLE).distance == apart.distance[i]
        assert fc.penetration(at, TABLE).depth == pytest.approx(sunk.depth[i], abs=1e-9)
    with ThreadPoolExecutor(2) as executor:
        assert fc.first_contacts(moving, TABLE, executor=executor).time.tobytes() == many.time.tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_intervals_are_all_times_at_which_a_part_touches(seed):
    a, b = two("table", seed)
    found = fc.contact_intervals(a, b)
    times = np.linspace(0, 1, 300)
    places = [thing.shape.at(np.stack([thing.pose(t) for t in times])) for thing in (a, b)]
    touches = fc.intersects(*places)
    for t, is_touching in zip(times, touches, strict=True):
        may = any(touch[0] <= t <= part[1] for touch, part in found)
        assert may or not is_touching
        if not is_touching and not found.doubt.any():
            assert not any(touch[1] < t < part[0] for touch, part in found)


def test_spans_are_joined_where_they_may_overlap():
    def span(*numbers):
        return np.array(numbers, float)

    proven = [span(0.1, 0.11, 0.3, 0.31, 0.0), span(0.305, 0.315, 0.5, 0.51, 0.0)]
    (one,) = joined_spans(proven)
    assert one.tolist() == pytest.approx([0.1, 0.11, 0.5, 0.51, 0.015])
    within = [span(0.1, 0.11, 0.9, 0.91, 0.0), span(0.3, 0.31, 0.4, 0.41, 0.0)]
    assert joined_spans(within)[0].tolist() == pytest.approx([0.1, 0.11, 0.9, 0.91, 0.0])
    assert len(joined_spans([proven[0], span(0.6, 0.61, 0.7, 0.71, 0.0)])) == 2
    open_one = span(0.2, 0.35, 0.2, 0.35, -1.0)
    assert joined_spans([proven[0], open_one])[0].tolist() == [0.1, 0.11, 0.3, 0.35, 0.0]
    assert joined_spans([span(0.05, 0.15, 0.05, 0.15, -1.0), proven[0]])[0].tolist() == [
        0.05,
        0.11,
        0.3,
        0.31,
        0.0,
    ]
    both = joined_spans([open_one, span(0.3, 0.5, 0.3, 0.5, -1.0)])
    assert both[0].tolist() == [0.2, 0.5, 0.2, 0.5, -1.0]


def test_rays_and_points_meet_the_nearest_part():
    whole, rng = HAMMER.at((TURN, [1, 2, 3])), np.random.default_rng(1)
    parts = moving_parts(whole)
    origins, ways = rng.normal(size=(200, 3)) * 3 + [1, 2, 3], rng.normal(size=(200, 3))
    found, own = fc.ray_cast(whole, origins, ways), [fc.ray_cast(part, origins, ways) for part in parts]
    assert (found.time == np.min([hits.time for hits in own], axis=0)).all()
    assert found.hit.any()
    part, _ = HAMMER.part_of(found.faces[found.hit])
    assert (part == np.argmin([hits.time for hits in own], axis=0)[found.hit]).all()
    every = fc.ray_cast(whole, origins, ways, hits="all")
    assert len(every) == sum(len(fc.ray_cast(part, origins, ways, hits="all")) for part in parts)
    assert (np.diff(every.time)[np.diff(every.rays) == 0] >= 0).all()
    with pytest.raises(ValueError, match="max_hits"):
        fc.ray_cast(whole, origins, ways, hits="all", max_hits=1)
    points = fc.signed_distance(whole, origins)
    each_one = [fc.signed_distance(part, origins) for part in parts]
    assert (points.distance == np.min([one.distance for one in each_one], axis=0)).all()
    assert (fc.contains(whole, origins) == (points.distance < 0)).all()
    assert fc.signed_distance(whole, origins[0]).distance == points.distance[0]
    assert points.sign == "parts"
    with pytest.raises(ValueError, match="sign is for meshes"):
        fc.signed_distance(whole, origins, sign="winding")


def test_scenes_and_robots_take_it_part_by_part():
    a, b = two("table", 1)
    scene = fc.Scene(hammer=a, table=b, floor=fc.HalfSpace([0, 0, 1], -90))
    assert scene.first_contact().time == pytest.approx(fc.first_contact(a, b).time, abs=1e-5)
    assert scene.clearance().distance <= fc.clearance(a, b).distance * 1.02 + 1e-9
    slide = fc.Joint("slide", "prismatic", "base", "arm", axis=[0, 0, 1])
    arm = fc.Robot({"base": (), "arm": HAMMER.at((HERE, [0, 0, 0.5]))}, [slide])
    assert len(arm.parts) == 3
    hit = fc.first_contact(arm.moving([5], [0]), {"table": TABLE})
    assert hit.b == "table/2"
    truth = fc.first_contact(HAMMER.moving((HERE, [0, 0, 5.5]), velocity=[0, 0, -5]), TABLE)
    assert hit.time == pytest.approx(truth.time, abs=1e-5)
    assert fc.first_contact(arm.moving([5], [3]), TABLE).certificate.verify()


def test_what_is_of_single_shapes_is_refused():
    with pytest.raises(TypeError, match=r"^depths is of single shapes, and b is a Compound"):
        fc.depths(fc.Sphere(1), HAMMER)
    with pytest.raises(TypeError, match="points and strands"):
        fc.penetration(fc.Compound([OTHERS["points"]]), fc.Sphere(1))
    with pytest.raises(ValueError, match=r"^a certificate is for two rigid bodies"):
        fc.first_contact(HAMMER.moving(np.eye(4), velocity=[0, 0, 9]), TABLE).certificate  # noqa: B018
    with pytest.raises(ValueError, match=r"^distance is for one instant, and a moves"):
        fc.distance(HAMMER.moving(np.eye(4), velocity=[0, 0, 9]), TABLE)
    with pytest.raises(ValueError, match="use first_contacts"):
        fc.first_contact(HAMMER.at(np.tile(np.eye(4), (2, 1, 1))), TABLE)
    with pytest.raises(ValueError, match="same length"):
        fc.distance(HAMMER.at(np.tile(np.eye(4), (2, 1, 1))), TABLE.at(np.tile(np.eye(4), (3, 1, 1))))


def many_parts(rng):
    """Parts of all kinds, some empty, some inside of others."""
    shapes = [
        fc.Sphere(0.3),
        fc.ConvexHull(rng.normal(size=(9, 3)) * 0.3),
        fc.Box([0.5, 0.3, 0.4]).mesh,
        fc.Mesh([], []),
        fc.Points(rng.normal(size=(4, 3)) * 0.3, 0.1),
        fc.Strands(rng.normal(size=(4, 3)) * 0.3, [2, 2], 0.05),
        fc.Voxels([[0, 0, 0], [1, 0, 0]], 0.25),
    ]
    turns = Rotation.random(28, random_state=int(rng.integers(99))).as_matrix()
    return fc.Compound([shapes[k % 7].at((turns[k], 1.2 * rng.normal(size=3))) for k in range(28)])


@pytest.mark.parametrize("place", [0.0, 1e5])
def test_of_many_parts_rays_and_points_are_those_of_all_of_them(place):
    rng = np.random.default_rng(7)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = Rotation.random(random_state=3).as_matrix(), place
    whole = many_parts(rng).at(pose)
    parts = [part for part in fc.Compound.moving_parts(whole) if np.isfinite(part.shape.bounds).all()]
    origins, directions = 2.0 * rng.normal(size=(150, 3)) + place, rng.normal(size=(150, 3))
    directions[:3] *= 1e-200
    directions[3:6] *= 1e40
    hits, own = fc.ray_cast(whole, origins, directions), [fc.ray_cast(p, origins, directions) for p in parts]
    assert np.array_equal(hits.time, np.min([one.time for one in own], axis=0))
    every = fc.ray_cast(whole, origins, directions, hits="all", min_time=-np.inf)
    times = [fc.ray_cast(p, origins, directions, hits="all", min_time=-np.inf) for p in parts]
    for k in range(150):
        expected = np.sort(np.concatenate([one.time[one.rays == k] for one in times]))
        assert np.array_equal(every.time[every.rays == k], expected)
    found, own = fc.signed_distance(whole, origins), [fc.signed_distance(p, origins) for p in parts]
    assert np.array_equal(found.distance, np.min([one.distance for one in own], axis=0))
    assert np.array_equal(
        fc.contains(whole, origins), np.any([fc.contains(p, origins) for p in parts], axis=0)
    )
    one = fc.signed_distance(whole, origins[5])
    assert (one.distance, one.faces) == (found.distance[5], found.faces[5])
    assert fc.ray_cast(whole, origins[5], directions[5]).time == hits.time[5]


def test_the_clearance_of_many_parts_is_the_least_of_all_pairs():
    rng = np.random.default_rng(11)
    for k in range(sample(6, 40)):
        one, other = many_parts(rng), many_parts(rng)
        start = (np.eye(3), rng.normal(size=3) * (2.0 + k % 4))
        a = one.moving(start, velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3))
        found = fc.clearance(a, other)
        times = np.linspace(0, 1, 60)
        poses = np.stack([a.pose(t) for t in times])
        seen = fc.distance(one.at(poses), other).distance
        assert found.distance_lower <= seen.min()
        assert found.distance_lower <= found.distance
        there = fc.distance(one.at(a.pose(found.time)), other).distance
        assert there <= found.distance + 1e-9
        two = one.moving(
            np.stack([a.pose(0.0)] * 2), velocity=a.motion.velocities[0, 0], angular_velocity=[0, 0, 0]
        )
        both = fc.clearance(two, other)
        single = fc.clearance(fc.Moving(one, two.rigid.chosen(slice(0, 1), False)), other)
        assert both.distance_lower[0] <= single.distance
        assert single.distance_lower <= both.distance[0]


def test_no_motions_have_no_clearances():
    pair = fc.Compound([fc.Box([1, 1, 1]), fc.Sphere(1).at((np.eye(3), [3, 0, 0]))])
    found = fc.clearance(fc.Box([1, 1, 1]).at(np.empty((0, 4, 4))), pair)
    assert found.distance.shape == (0,)
    assert found.points.shape == (0, 2, 3)
