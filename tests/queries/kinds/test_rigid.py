"""Rigid bodies through the public names: closed forms, statuses, batches, bad input, third-party bodies."""

import math

import numba
import numpy as np
import pytest
import trimesh

import firstcontact as fc
from poses import pose

IDENTITY = np.eye(4)


def box(*sizes):
    return fc.Mesh.from_trimesh(trimesh.creation.box(sizes))


BOX = box(2, 2, 2)
BALL = fc.Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions=4, radius=1.0))


def assert_bracketed(hit, expected, speed, tolerance):
    """Never late; early by no more than it takes to go the tolerance."""
    assert hit.time <= expected <= hit.time_upper
    assert hit.time >= expected - 1.01 * tolerance / speed


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_box_on_box(tolerance):
    hit = fc.first_contact(BOX.moving(pose((0, 0, 5)), pose((0, 0, 1))), BOX, tolerance=tolerance)
    assert hit.status == fc.Status.CONTACT
    assert_bracketed(hit, 0.75, 4.0, tolerance)
    np.testing.assert_allclose(hit.normals, np.tile([0, 0, -1], (len(hit.normals), 1)), atol=1e-9)
    assert sorted(map(tuple, hit.points.round(3).tolist())) == [(x, y, 1) for x in (-1, 1) for y in (-1, 1)]


def test_spheres_in_the_limit():
    # Vertices lie on the spheres, faces a sagitta below: contact comes up to that much later than of balls.
    sagitta = 1.0 - np.linalg.norm(BALL.vertices[BALL.faces].mean(axis=1), axis=1).min()
    direction = np.array([1.0, 2.0, 3.0]) / math.sqrt(14.0)
    moving = BALL.moving(pose(4 * direction), pose(np.zeros(3), (1, 2, 3)))
    hit = fc.first_contact(moving, BALL)
    assert 0.5 - 1e-6 <= hit.time <= 0.5 + 2 * sagitta / 4
    np.testing.assert_allclose(hit.normals[0], -direction, atol=0.1)
    np.testing.assert_allclose(hit.points[0], direction, atol=0.1)


@pytest.mark.parametrize("angle", [0.3, 1.0, 2.0, math.pi])
@pytest.mark.parametrize("by_velocity", [False, True])
def test_a_rod_that_turns_into_a_wall(angle, by_velocity):
    # The tip of a rod of length 1 along x meets the wall y = sin(angle / 2) halfway through the turn.
    rod = fc.Mesh([[0, 0, -0.01], [1, 0, 0], [0, 0, 0.01]], [[0, 1, 2]])
    height = math.sin(angle / 2)
    wall = fc.Mesh([[-9, height, -9], [9, height, -9], [0, height, 9]], [[0, 1, 2]])
    if by_velocity:
        turning = rod.moving(IDENTITY, center=[0, 0, 0], angular_velocity=[0, 0, angle])
    else:
        turning = rod.moving(IDENTITY, pose(turn=(0, 0, angle)), center=[0, 0, 0])
    hit = fc.first_contact(turning, wall, tolerance=1e-9)
    speed = angle * math.cos(angle / 2)
    assert hit.time <= 0.5 + 1e-15
    assert hit.time >= 0.5 - (1e-8 / speed if speed > 1e-3 else 1e-4)  # or at a tangent
    assert hit.features[0].tolist() == [fc.ContactKind.VERTEX_FACE, 1, 0]
    np.testing.assert_allclose(hit.points[0], [math.cos(angle / 2), height, 0], atol=1e-4)


def test_more_than_a_turn_meets_what_the_shortest_turn_misses():
    rod = fc.Mesh([[0.1, 0, -0.01], [1, 0, 0], [0.1, 0, 0.01]], [[0, 1, 2]])
    post = fc.Mesh([[0, -0.5, -1], [0, -0.5, 1], [0, -0.6, 0]], [[0, 1, 2]])
    end = pose(turn=(0, 0, 5.0))
    assert not fc.first_contact(rod.moving(IDENTITY, pose(turn=(0, 0, -1.2)), center=[0, 0, 0]), post)
    assert not fc.first_contact(rod.moving(IDENTITY, end, center=[0, 0, 0]), post)  # 1.28 backwards
    spin = rod.moving(IDENTITY, center=[0, 0, 0], angular_velocity=[0, 0, 5.0])
    hit = fc.first_contact(spin, post)
    assert hit.status == fc.Status.CONTACT
    assert hit.time == pytest.approx(1.5 * math.pi / 5.0, abs=1e-4)


@pytest.mark.parametrize("turns", [1, 10, 1000, 1e6])
def test_what_spins_out_of_reach_is_free(turns):
    spinning = BALL.moving(IDENTITY, angular_velocity=[0, 3.0 * turns, 6.0 * turns])
    assert not fc.first_contact(spinning, BALL.at(pose((2.2, 0, 0))))
    assert not fc.first_contact(BALL.at(pose((2.2, 0, 0))), spinning)
    leaving = BALL.moving(IDENTITY, velocity=[-1, 0, 0], angular_velocity=[0, 3.0 * turns, 6.0 * turns])
    assert not fc.first_contact(leaving, BALL.at(pose((2.2, 0, 0))))


def test_a_thin_wall_is_not_tunnelled():
    bullet, wall = box(1e-3, 1e-3, 1e-3), box(1e-6, 10, 10)
    start, end = pose((-100, 0, 0)), pose((100, 0, 0), (1, 1, 1))
    hit = fc.first_contact(bullet.moving(start, end), wall)
    assert hit.time == pytest.approx(0.5, abs=1e-5)
    assert hit.time <= 0.5
    assert not fc.intersects(bullet.at(start), wall)
    assert not fc.intersects(bullet.at(end), wall)


def test_touching_at_the_start_is_a_status():
    hit = fc.first_contact(BOX.moving(pose((0, 0, 2)), pose((0, 0, 9))), BOX)
    assert hit.status == fc.Status.CONTACT_AT_START
    assert hit.time == 0.0
    assert len(hit.points) == len(hit.normals) == len(hit.features) == 4
    overlap = fc.first_contact(BOX.moving(pose((1, 1, 1)), pose((9, 0, 0))), BOX)
    assert overlap.status == fc.Status.CONTACT_AT_START
    assert len(overlap.points) > 0
    assert np.isfinite(overlap.normals).all()


def test_what_is_inside_is_in_contact_only_if_solid():
    small = box(0.5, 0.5, 0.5)
    trapped = small.moving(IDENTITY, pose((0.1, 0, 0)))
    assert not fc.first_contact(trapped, BOX)
    hit = fc.first_contact(trapped, BOX, solid=True)
    assert hit.status == fc.Status.CONTACT_AT_START
    assert hit.time == 0.0
    assert fc.safe_step(trapped, BOX, solid=True) == 0.0
    assert not fc.first_contact(small.moving(pose((9, 0, 0)), pose((8, 0, 0))), BOX, solid=True)
    batch = fc.first_contacts(small.at(np.array([IDENTITY, pose((9, 0, 0))])), BOX, solid=True)
    assert batch.hit.tolist() == [True, False]
    sheet = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    with pytest.raises(ValueError, match="closed"):
        fc.first_contact(sheet, BOX, solid=True)


def test_a_distance_to_keep():
    moving = BOX.moving(pose((0, 0, 5)), pose((0, 0, 1)))
    assert fc.safe_step(moving, BOX, min_separation=1.0) == pytest.approx(0.5, abs=1e-6)
    assert fc.safe_step(moving, BOX, min_separation=1.0) <= 0.5
    assert fc.safe_step(moving, BOX) <= 0.75
    assert fc.safe_step(BOX.at(pose((0, 0, 5))), BOX) == 1.0


def test_a_trajectory_is_followed_piece_by_piece():
    there_and_back = [pose((5, 0, 0)), pose((5, 5, 0)), pose((0, 5, 0)), pose((0, 0, 0))]
    hit = fc.first_contact(BOX.along(there_and_back), BOX, tolerance=1e-9)
    assert hit.time == pytest.approx((2 + 3 / 5) / 3, abs=1e-8)
    late = fc.first_contact(BOX.along(there_and_back, times=[0, 0.1, 0.2, 1]), BOX, tolerance=1e-9)
    assert late.time == pytest.approx(0.2 + 0.8 * 3 / 5, abs=1e-8)
    both = fc.first_contact(
        BOX.along([pose((5, 0, 0)), pose((3, 0, 0)), pose((3, 0, 0))], times=[0, 0.3, 1]),
        BOX.along([pose((0, 0, 0)), pose((0, 0, 0)), pose((2, 0, 0))], times=[0, 0.5, 1]),
        tolerance=1e-9,
    )
    assert both.time == pytest.approx(0.75, abs=1e-8)


def test_a_screw_is_not_the_constant_path():
    end = pose((4, 0, 0), (0, 0, math.pi / 2))
    post = box(0.2, 0.2, 8)
    straight = box(0.1, 0.1, 0.1).moving(IDENTITY, end)
    screw = box(0.1, 0.1, 0.1).moving(IDENTITY, end, path="screw")
    # The chord from (0, 0) to (4, 0) is an arc about (2, 2): its lowest point is (2, 2 - 2 sqrt 2).
    low = post.at(pose((2, 2 - 2 * math.sqrt(2), 0)))
    assert fc.first_contact(screw, low)
    assert not fc.first_contact(straight, low)
    assert fc.first_contact(straight, post.at(pose((2, 0, 0))))


def test_batches_equal_single_queries_on_any_number_of_threads():
    rng = np.random.default_rng(5)
    away = rng.normal(size=(2, 40, 3))
    away /= np.linalg.norm(away, axis=2)[..., np.newaxis]
    starts = np.array(
        [pose(4 * way, turn) for way, turn in zip(away[0], rng.normal(size=(40, 3)), strict=True)]
    )
    ends = np.array([pose(rng.uniform(0, 4) * way, rng.normal(size=3)) for way in away[1]])
    moving = BALL.moving(starts, ends)
    batch = fc.first_contacts(moving, BOX)
    assert 5 < batch.hit.sum() < 40
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone = fc.first_contacts(moving, BOX)
    finally:
        numba.set_num_threads(threads)
    for name in ("status", "time", "time_upper", "points", "normals", "features"):
        assert getattr(batch, name).tobytes() == getattr(alone, name).tobytes()
    for i in range(40):
        single = fc.first_contact(BALL.moving(starts[i], ends[i]), BOX)
        assert (single.time, single.status) == (batch.time[i], batch.status[i])
        assert single.time_upper == batch.time_upper[i]
        assert single.stats.volume_tests == batch.stats.volume_tests[i]
    swapped = fc.first_contacts(BOX, moving)
    assert (swapped.hit == batch.hit).all()
    np.testing.assert_allclose(swapped.time[batch.hit], batch.time[batch.hit], atol=1e-5)


@pytest.mark.parametrize("method", ["c2a", "c2a-2009", "ca", "interval"])
def test_methods_agree(method):
    moving = BALL.moving(pose((4, 1, 0)), pose((0, 0, 0), (1, 2, 0)))
    reference = fc.first_contact(moving, BOX, tolerance=1e-6)
    hit = fc.first_contact(moving, BOX, tolerance=1e-6, method=method)
    assert hit.time == pytest.approx(reference.time, abs=1e-6)
    assert hit.stats.iterations > 0
    assert hit.stats.front_nodes > 0


def test_few_iterations_give_a_safe_time():
    moving = BALL.moving(pose((4, 1, 0)), pose((0, 0, 0), (1, 2, 0)))
    truth = fc.first_contact(moving, BOX).time_upper
    for limit in (1, 2, 5, 20):
        hit = fc.first_contact(moving, BOX, max_iterations=limit)
        assert hit.status == fc.Status.MAX_ITERATIONS
        assert 0.0 <= hit.time <= truth


def test_empty_and_degenerate_bodies():
    nothing, point = fc.Mesh([], []), fc.Mesh([[0, 0, 0]], [[0, 0, 0]])
    assert not fc.first_contact(nothing.moving(IDENTITY, pose((1, 0, 0))), BOX)
    assert not fc.first_contact(BOX.moving(IDENTITY, pose((1, 0, 0))), nothing)
    assert len(fc.first_contacts(BOX.at(np.empty((0, 4, 4))), BOX)) == 0
    hit = fc.first_contact(point.moving(pose((5, 0.3, 0.2)), pose((0, 0.3, 0.2))), BOX)
    assert hit.time == pytest.approx(0.8, abs=1e-6)
    assert hit.time <= 0.8
    both = fc.first_contact(point.moving(pose((1, 0, 0)), pose((-1, 0, 0))), point)
    assert both.time == pytest.approx(0.5, abs=1e-6)
    assert np.isfinite(both.points).all()
    assert np.isfinite(both.normals).all()
    segment = fc.Mesh([[0, 0, -1], [0, 0, 1]], [[0, 1, 1]])
    assert fc.first_contact(segment.moving(pose((5, 0, 0)), pose((0, 0, 0))), BOX).time == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (2 * np.eye(4), IDENTITY, "rigid"),
        (IDENTITY, np.diag([1.02, 1, 1, 1]), "off by"),
        (IDENTITY, np.diag([-1, 1, 1, 1]), "mirror"),
        (IDENTITY, np.full((4, 4), np.nan), "finite"),
        (np.zeros((3, 3)), IDENTITY, "shape"),
        (np.tile(IDENTITY, (3, 1, 1)), np.tile(IDENTITY, (2, 1, 1)), "3 and 2"),
    ],
)
def test_bad_poses_get_one_clear_sentence(start, end, message):
    with pytest.raises(ValueError, match=message) as error:
        BOX.moving(start, end)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("rigid", {"tolerance": -1.0}, "tolerance"),
        ("rigid", {"tolerance": np.nan}, "tolerance"),
        ("rigid", {"method": "magic"}, "method"),
        ("rigid", {"max_iterations": 0}, "max_iterations"),
        ("rigid", {"culling": fc.Culling()}, "culling has no meaning for rigid bodies"),
        ("rigid", {"exact": False}, "exact"),
        ("deforming", {"method": "ca"}, "method"),
        ("batch", {}, "use first_contacts"),
    ],
)
def test_bad_options_get_one_clear_sentence(kind, options, message):
    things = {
        "rigid": BOX.moving(pose((5, 0, 0)), IDENTITY),
        "deforming": BOX.deforming(BOX.vertices, BOX.vertices + 1.0),
        "batch": BOX.moving(np.array([pose((5, 0, 0))] * 2), IDENTITY),
    }
    with pytest.raises((ValueError, TypeError), match=message):
        fc.first_contact(things[kind], BOX, **options)


def test_kinds_that_do_not_fit_are_named():
    deforming = BOX.deforming(BOX.vertices, BOX.vertices + 1.0)
    with pytest.raises(TypeError, match="a deforms: use first_contact"):
        fc.first_contacts(deforming, BOX)
    with pytest.raises(TypeError, match="a moves rigidly"):
        fc.contacts(BOX.moving(IDENTITY, pose((1, 0, 0))), BOX)
    with pytest.raises(ValueError, match="same length"):
        fc.first_contacts(BOX.at(np.tile(IDENTITY, (3, 1, 1))), BOX.at(np.tile(IDENTITY, (2, 1, 1))))


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_sheet_that_rises_into_a_turning_rod(is_swapped):
    # The rod turns about z at the height that the sheet reaches at t = 0.5.
    sheet = fc.Mesh([[-3, -3, 0], [3, -3, 0], [0, 3, 0]], [[0, 1, 2]])
    rising = sheet.deforming(sheet.vertices, sheet.vertices + np.array([0, 0, 2]))
    rod = box(1, 0.1, 0.1).moving(pose((0, 0, 1.05)), pose((0, 0, 1.05), (0, 0, 3)))
    things = (rod, rising) if is_swapped else (rising, rod)
    hit = fc.first_contact(*things, tolerance=1e-6)
    assert 0.5 - 1e-6 <= hit.time <= 0.5
    np.testing.assert_allclose(hit.normals[:, 2], -1.0 if is_swapped else 1.0, atol=1e-6)
    assert fc.safe_step(*things, tolerance=1e-6) == hit.time
    assert fc.safe_step(*things, min_separation=0.1) == pytest.approx(0.45, abs=1e-5)
    assert not fc.first_contact(rising, rod.shape.moving(pose((0, 0, 9)), pose((0, 0, 8), (1, 0, 0))))
    with pytest.raises(
        ValueError, match=f"^solid=True needs closed meshes; {'ab'[is_swapped]} has 3 open edges$"
    ):
        fc.first_contact(*things, solid=True)


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_rod_through_a_sheet_is_in_contact_from_the_start(is_swapped):
    # The sheet's second face is the one that is pierced, by the rod's long edges.
    points = [[8, 8, 0], [9, 8, 0], [8, 9, 0], [-3, -3, 0], [3, -3, 0], [0, 3, 0]]
    sheet = fc.Mesh(points, [[0, 1, 2], [3, 4, 5]])
    rising = sheet.deforming(sheet.vertices, sheet.vertices + np.array([0, 0, 0.1]))
    rod = box(0.1, 0.1, 9)
    turning = rod.moving(IDENTITY, pose(turn=(0, 0, 3)))
    hit = fc.first_contact(*((turning, rising) if is_swapped else (rising, turning)))
    assert hit.status == fc.Status.CONTACT_AT_START
    assert hit.time == 0.0
    pierced, piercing = (2, 1) if is_swapped else (1, 2)
    assert set(hit.features[:, pierced]) == {1}
    ends = rod.vertices[rod.edges[hit.features[:, piercing]]]
    assert (np.sign(ends[:, 0, 2]) != np.sign(ends[:, 1, 2])).all()
    assert fc.safe_step(rising, turning) == 0.0


# Distances at the start as published with the data.
STARTS = {(1, 1): 2.1839, (2, 1): 0.0345, (3, 1): 0.6272, (1, 3): 0.0313, (2, 3): 0.0006}


@pytest.mark.shared_data
@pytest.mark.parametrize(("model", "scenario"), [*STARTS, (1, 2), (2, 2), (3, 2)])
def test_third_party_bodies(shared_data, model, scenario):
    data = np.load(shared_data(f"rigid/fcl-model-{model}-scenario-{scenario}.npz"))
    a, b = (fc.Mesh(data[f"vertices_{x}"], data[f"faces_{x}"]) for x in "ab")
    poses_a, poses_b = data["poses_a"], data["poses_b"]
    hit = fc.first_contact(a.moving(*poses_a), b.moving(*poses_b))
    assert fc.intersects(a.at(poses_a[1]), b.at(poses_b[1]))
    if scenario == 2:
        assert hit.status == fc.Status.CONTACT_AT_START
        assert fc.distance(a.at(poses_a[0]), b.at(poses_b[0])).distance == 0.0
        return
    gap = fc.distance(a.at(poses_a[0]), b.at(poses_b[0])).distance
    assert gap == pytest.approx(STARTS[model, scenario], abs=1e-3)
    assert hit.status == fc.Status.CONTACT
    moving_a, moving_b = a.moving(*poses_a), b.moving(*poses_b)
    size = min(np.ptp(a.vertices, axis=0).max(), np.ptp(b.vertices, axis=0).max())
    at = fc.distance(a.at(moving_a.pose(hit.time)), b.at(moving_b.pose(hit.time))).distance
    assert 0.0 <= at <= 4e-6 * size
    for t in np.linspace(0.0, hit.time * (1 - 1e-9), 50):
        assert not fc.intersects(a.at(moving_a.pose(t)), b.at(moving_b.pose(t)))
    assert fc.intersects(a.at(moving_a.pose(hit.time_upper)), b.at(moving_b.pose(hit.time_upper)))
