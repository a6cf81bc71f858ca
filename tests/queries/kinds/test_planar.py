import numpy as np
import pytest
import shapely
from shapely import affinity

import firstcontact as fc
from oracles.plane import exactly, meet
from oracles.plane_shapes import comb, flower, frame

SMALL = flower(5, 1, 0.2)


def drawn(shape, vertices=None):
    """The same for the referee."""
    points = shape.vertices if vertices is None else vertices
    rings = np.split(points, np.cumsum(shape.counts)[:-1])
    if isinstance(shape, fc.Polygon):
        return shapely.Polygon(rings[0], rings[1:])
    return shapely.MultiLineString(rings)


def pairs(n, seed=0):
    rng = np.random.default_rng(seed)
    shapes = [
        flower(12, 3),
        flower(9, 4, 0.7),
        frame(),
        comb(3),
        SMALL,
        fc.Polyline([[0, 0], [2, 0], [2, 1]]),
    ]
    for _ in range(n):
        i, j = rng.integers(0, len(shapes), 2)
        yield shapes[i], shapes[j], (rng.uniform(0, 7), rng.uniform(-3, 3, 2)), rng


def test_distances_and_overlaps_are_those_of_shapely():
    n_inside = 0
    for a, b, pose, _ in pairs(120):
        there = b.at(pose)
        one, other = drawn(a), drawn(b, there.vertices(0))
        found = fc.distance(a, there)
        truth = shapely.distance(one, other)
        assert abs(found.distance - truth) < 1e-12
        assert fc.intersects(a, there) == (found.distance == 0)
        for shape, point in ((one, found.points_a), (other, found.points_b)):
            assert shapely.distance(shape, shapely.Point(point)) < 1e-12
        assert abs(np.linalg.norm(found.points_a - found.points_b) - truth) < 1e-12
        n_inside += shapely.contains(one, other) or shapely.contains(other, one)
        if truth > 0:
            assert fc.distance(a, there, within=truth / 2).distance == np.inf
            assert found.gradient.shape == (2, 3)
    assert n_inside > 0


def test_a_batch_is_as_one_by_one():
    a, rng = frame(), np.random.default_rng(1)
    poses = rng.uniform(0, 7, 40), rng.uniform(-3, 3, (40, 2))
    many = fc.distance(a, SMALL.at(poses))
    each = [fc.distance(a, SMALL.at((x, way))) for x, way in zip(*poses, strict=True)]
    assert many.distance.tolist() == [one.distance for one in each]
    assert np.array_equal(many.points_a, [one.points_a for one in each])
    assert fc.intersects(SMALL.at(poses), a).tolist() == [one.distance == 0 for one in each]


def test_by_the_upper_time_things_are_in_contact():
    n_hits = n_proven = 0
    for a, b, pose, rng in pairs(160, 7):
        start, velocity = (0.0, rng.uniform(-5, 5, 2)), rng.uniform(-8, 8, 2)
        moving = a.moving(start, velocity=velocity, angular_velocity=rng.uniform(-4, 4))
        still = b.at(pose)
        found, other = fc.first_contact(moving, still), drawn(b, still.vertices(0))
        assert found.time <= found.time_upper
        n_hits += bool(found)
        if np.isfinite(found.time_upper):
            n_proven += 1
            assert shapely.intersects(drawn(a, moving.vertices(found.time_upper)), other)
            assert found.time_upper - found.time < 1e-4
        many = fc.first_contacts(moving, still)
        assert many.time_upper.tolist() == [found.time_upper] or found.status == fc.Status.CONTACT_AT_START
    assert n_proven > 0.9 * n_hits > 20
    square = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
    for curve in (square, square.outline):  # whose sides fall on sides: no two edges cross but at their ends
        falling = square.moving((0.0, [0, 3]), velocity=[0, -4])
        found = fc.first_contact(falling, curve)
        assert 0.5 - 1e-6 < found.time < found.time_upper < 0.5 + 1e-6
    falling = square.outline.moving((0.0, [0, 3]), velocity=[0, -4])
    assert fc.first_contact(falling, square.outline).time_upper == np.inf
    thrown = square.moving((0.0, [0.1, 3]), velocity=[0, -3], acceleration=[0, -2])
    found = fc.first_contact(thrown, square)
    assert found.time <= np.sqrt(4.25) - 1.5 < found.time_upper < 0.5617


def test_first_contacts_are_never_late():
    n_hits = n_steps = 0
    for a, b, pose, rng in pairs(40, 2):
        moving = a.moving(
            (0.0, rng.uniform(-5, 5, 2)), velocity=rng.uniform(-8, 8, 2), angular_velocity=rng.uniform(-4, 4)
        )
        still = b.at(pose)
        found, other = fc.first_contact(moving, still, tolerance=1e-6), drawn(b, still.vertices(0))
        for t in np.linspace(0, 1, 60):
            gap = shapely.distance(drawn(a, moving.vertices(t)), other)
            assert gap > 0 or t >= found.time - 1e-12
            n_steps += 1
        assert fc.safe_step(moving, still, tolerance=1e-6) == min(found.time, 1.0)
        if found:
            n_hits += 1
            assert shapely.distance(drawn(a, moving.vertices(found.time)), other) < 1e-5
            assert found.points.shape[1] == found.normals.shape[1] == 2
            assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)
        least = fc.clearance(moving, still, tolerance=1e-3)
        assert least.distance_lower <= least.distance <= least.distance_lower + 1.1e-3
        assert (least.distance_lower == 0) >= bool(found.time < 1)
    assert n_hits > 10


def test_inside_is_contact_from_the_start():
    inner = SMALL.moving((0.0, [0, 0]), velocity=[0.1, 0])
    whole = fc.Polygon(frame().rings[0])
    assert fc.first_contact(inner, whole).status == fc.Status.CONTACT_AT_START
    assert not fc.first_contact(inner, frame())  # in the hole
    assert not fc.first_contact(inner, whole.outline)
    assert fc.clearance(whole, inner).distance == 0.0
    assert fc.clearance(whole, inner).profile(3).distances.tolist() == [0, 0, 0]
    through = SMALL.moving((0.0, [-6, 0]), velocity=[12, 0])
    spans = fc.contact_intervals(through, whole)
    assert len(spans.touch) == 1
    assert len(fc.contact_intervals(through, frame()).touch) == 2
    times = fc.first_contacts(SMALL.moving((0.0, [[-6, 0], [0, 0], [9, 9]]), velocity=[12, 0]), whole)
    assert times.status.tolist() == [fc.Status.CONTACT, fc.Status.CONTACT_AT_START, fc.Status.SEPARATED]
    assert fc.is_free(SMALL.moving((0.0, [[-6, 0], [9, 9]]), velocity=[12, 0]), whole).tolist() == [
        False,
        True,
    ]
    bent = SMALL.deforming(SMALL.vertices, 1.1 * SMALL.vertices)
    assert fc.first_contact(bent, whole).time == 0.0


def test_edges_that_cross_at_the_start_part_across_one_of_them():
    a, b = fc.Polyline([[-1, 0], [9, 0]]), fc.Polyline([[0, -0.1], [0, 5]])
    for found in (
        fc.first_contact(a, b),
        fc.contacts(a, b),
        fc.first_contacts(a, b.at((np.zeros(1), [[0, 0]]))),
    ):
        assert np.allclose(found.normals, [[0, 1]])


def test_contacts_of_what_deforms_are_those_of_rational_numbers():
    rng = np.random.default_rng(5)
    for k in range(12):
        a = fc.Polyline(rng.integers(-4, 5, (5, 2)) / (2.0 if k % 2 else 3.0))
        b = flower(6, k)
        after = a.vertices + rng.integers(-3, 4, (5, 2))
        found = fc.contacts(a.deforming(a.vertices, after), b)
        times = {
            (i, j): t for i, j, t in zip(found.ids_a.tolist(), found.ids_b.tolist(), found.time, strict=True)
        }
        for t in np.linspace(0, 1, 33):
            points = (1 - t) * a.vertices + t * after
            own, other = exactly(points), exactly(b.vertices)
            for i, (p, q) in enumerate(a.edges):
                for j, (u, v) in enumerate(b.edges):
                    if meet(own[p], own[q], other[u], other[v]):
                        assert times[i, j] <= t + 1e-9
        first = fc.first_contact(a.deforming(a.vertices, after), b)
        assert (len(found) == 0) or abs(first.time - found.time[0]) < 1e-9
        assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)
        assert found.points.shape[1] == found.velocities.shape[1] == 2
        assert found.tangents.shape == (len(found), 1, 2)


def test_what_deforms_meets_itself_but_for_neighbours():
    a = flower(12, 3)
    assert len(fc.contacts(a.deforming(a.vertices, 1.1 * a.vertices))) == 0
    flat = fc.contacts(a.deforming(a.vertices, -a.vertices * [1, 2]))
    assert abs(flat.time[0] - 1 / 3) < 1e-12
    assert fc.first_contact(a.along(np.stack([a.vertices, a.vertices, -a.vertices * [1, 2]]))).time > 0.5


def test_edges_within_a_distance_at_rest():
    a, b = fc.Polyline([[0, 0], [2, 0]]), fc.Polyline([[0, 0.3], [1, 2], [9, 9]])
    found = fc.contacts(a, b, min_separation=0.5)
    assert (found.ids_a.tolist(), found.ids_b.tolist()) == ([0], [0])
    assert abs(found.gap[0] - 0.3) < 1e-12
    assert np.allclose(found.normals, [[0, 1]])


def test_an_affine_oracle_of_moving_distances():
    a = flower(9, 4)
    moved = affinity.translate(affinity.rotate(drawn(a), 0.3, origin=(0, 0), use_radians=True), 4, 1)
    assert abs(fc.distance(a, a.at((0.3, [4, 1]))).distance - shapely.distance(drawn(a), moved)) < 1e-12


def test_nothing_is_infinitely_far():
    assert fc.distance(fc.Polygon([]), frame()).distance == np.inf
    assert not fc.first_contact(fc.Polyline([]).moving((0.0, [0, 0]), velocity=[1, 0]), frame())
    with pytest.raises(ValueError, match=r"^distance is for one instant, and b moves"):
        fc.distance(frame(), SMALL.moving((0.0, [0, 0]), velocity=[1, 0]))
    with pytest.raises(ValueError, match=r"^solid has no meaning for things in the plane$"):
        fc.distance(frame(), SMALL, solid=True)


@pytest.mark.parametrize("dimension", [2, 3])
def test_small_gaps_between_an_end_and_an_edge_are_seen(dimension):
    """Rounding may hide some units of the last place of a gap, and not half of all digits."""
    rng = np.random.default_rng(5)
    shape = fc.Polyline if dimension == 2 else lambda points: fc.Strands(points, [2])
    for gap in 10.0 ** rng.uniform(-12, -7, 100):
        points = rng.normal(size=(2, dimension))
        along = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
        across = rng.normal(size=dimension)
        across -= (across @ along) * along
        across /= np.linalg.norm(across)
        end = points[0] + rng.uniform(0.1, 0.9) * (points[1] - points[0]) + gap * across
        other = shape([end, end + across + 0.3 * rng.normal() * along])
        pose = (0.4, [0.3, 0.7]) if dimension == 2 else (np.eye(3), [0.3, 0.7, 0.1])
        one = shape(points)
        assert not fc.intersects(one.at(pose), other.at(pose))
        assert fc.distance(one.at(pose), other.at(pose)).distance == pytest.approx(gap, abs=2e-15)


def test_moved_on_along_its_normal_what_touches_is_apart():
    n_normals = 0
    for a, b, pose, rng in pairs(200, 5):
        start, velocity = (0.0, rng.uniform(-5, 5, 2)), rng.uniform(-8, 8, 2)
        moving, still = a.moving(start, velocity=velocity, angular_velocity=rng.uniform(-4, 4)), b.at(pose)
        found = fc.first_contact(moving, still)
        if found.time == 0.0:
            continue
        one, there = drawn(a, moving.vertices(min(found.time, 1.0))), still.vertices(0)
        for normal in found.normals:
            assert shapely.distance(one, drawn(b, there + 1e-4 * normal)) > 3e-5
            n_normals += 1
    assert n_normals > 20


@pytest.mark.parametrize("floor", [fc.Polyline([[-9, 0], [9, 0]]), fc.Polyline([[9, 0], [-9, 0]])])
def test_what_lies_flat_is_pushed_up(floor):
    square = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
    falls = square.moving((0.0, [0, 3]), velocity=[0, -4])
    drops = square.deforming(square.vertices + np.array([0, 3]), square.vertices - np.array([0, 1]))
    for thing in (falls, drops):
        for found, up in ((fc.first_contact(floor, thing), 1.0), (fc.first_contact(thing, floor), -1.0)):
            assert len(found.normals) >= 1
            np.testing.assert_allclose(found.normals, np.tile([0.0, up], (len(found.normals), 1)))
    np.testing.assert_allclose(fc.first_contacts(floor, falls).normals, [[0.0, 1.0]])
    below = [normal for normal in fc.contacts(drops, floor).normals.tolist() if normal != [0.0, -1.0]]
    assert below == []


def test_a_tracker_answers_as_the_functions_do():
    for a, b, pose, rng in pairs(20, 11):
        tracker, other = fc.Tracker(a, b), (rng.uniform(0, 7), rng.uniform(-1, 1, 2))
        assert tracker.distance(other, pose) == fc.distance(a.at(other), b.at(pose))
        assert tracker.distance(pose_b=pose) == fc.distance(a, b.at(pose))
        assert tracker.intersects(other) == fc.intersects(a.at(other), b)
        if a.is_filled and b.is_filled:
            assert tracker.penetration(None, pose) == fc.penetration(a, b.at(pose))
        found = tracker.first_contact(a.moving(other, velocity=[1, 0]), pose)
        assert found == fc.first_contact(a.moving(other, velocity=[1, 0]), b.at(pose))
        assert tracker.first_contact() == fc.first_contact(a, b)
    with pytest.raises(TypeError, match=r"^Tracker is for rigid bodies, and b deforms"):
        fc.Tracker(SMALL, SMALL.deforming(SMALL.vertices, SMALL.vertices))
    with pytest.raises(TypeError, match=r"^Tracker of a Polygon, which is in the plane"):
        fc.Tracker(SMALL, fc.Sphere(1))
