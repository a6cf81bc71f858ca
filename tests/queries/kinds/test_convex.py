"""Queries about convex shapes, as a user asks them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact import Box, Capsule, ConvexHull, Cylinder, Ellipsoid, Sphere, Status
from poses import at, pose, random_poses

SHAPES = {
    "sphere": Sphere(0.5),
    "ellipsoid": Ellipsoid([0.3, 0.5, 1.2]),
    "capsule": Capsule(0.3, 1),
    "cylinder": Cylinder(0.4, 1),
    "box": Box([1, 0.5, 0.7]),
    "hull": ConvexHull(np.random.default_rng(2).standard_normal((60, 3)) * 0.4),
}
EVERY = pytest.mark.parametrize("name", SHAPES)
OTHER = pytest.mark.parametrize("other", SHAPES)


def test_balls_are_their_radii_less_apart():
    d = fc.distance(Sphere(1).at(at(5)), Sphere(2))
    assert d.distance == 2
    np.testing.assert_allclose(d.points_a, [4, 0, 0], atol=1e-15)
    np.testing.assert_allclose(d.points_b, [2, 0, 0], atol=1e-15)
    assert d.faces.tolist() == [-1, -1]
    assert repr(d) == "Distance(2)"


def test_what_overlaps_has_a_common_point_and_no_distance():
    d = fc.distance(Box([2, 2, 2]).at(at(1.5)), Box([2, 2, 2]))
    assert d.distance == 0
    np.testing.assert_array_equal(d.points_a, d.points_b)
    assert 0.5 - 1e-12 <= d.points_a[0] <= 1 + 1e-12


@EVERY
@OTHER
def test_the_first_contact_is_where_distances_vanish(name, other):
    a, b = SHAPES[name], SHAPES[other]
    rng = np.random.default_rng(5)
    for _ in range(3):
        turns = Rotation.random(2, rng=rng)
        start, end = pose([3, 0.2, 0.1], turns[0]), pose([-3, 0.1, -0.2], turns[1])
        moving, resting = a.moving(start, end), b.at(pose([0, 0, 0], Rotation.random(rng=rng)))
        hit = fc.first_contact(moving, resting, tolerance=1e-8)
        assert hit
        assert hit.status == Status.CONTACT
        assert fc.distance(a.at(moving.pose(hit.time)), resting).distance <= 1e-8
        times = np.linspace(0, hit.time, 200)[:-1]
        before = fc.distance(a.at(np.array([moving.pose(t) for t in times])), resting).distance
        assert (before > 0).all()
        assert hit.time <= hit.time_upper <= 1
        assert fc.distance(a.at(moving.pose(hit.time_upper)), resting).distance <= 1e-10
        assert hit.features.tolist() == [[fc.ContactKind.SHAPE_SHAPE, -1, -1]]
        assert np.linalg.norm(hit.normals[0]) == pytest.approx(1)
        # The normal is from a to b: a shift along it makes them overlap more.
        ahead = moving.pose(hit.time)
        ahead[:3, 3] += 1e-3 * hit.normals[0]
        assert fc.intersects(a.at(ahead), resting)
        assert fc.safe_step(moving, resting, tolerance=1e-8) == hit.time


@EVERY
def test_batches_are_made_of_single_answers(name):
    a, b = SHAPES[name], Box([1, 1, 1])
    starts, ends = random_poses(20, seed=1), random_poses(20, seed=2)
    starts[:, :3, 3] *= 3
    ends[:, :3, 3] *= 3
    many = fc.first_contacts(a.moving(starts, ends), b)
    distances, touches = fc.distance(a.at(starts), b), fc.intersects(a.at(starts), b)
    for k in range(20):
        one = fc.first_contact(a.moving(starts[k], ends[k]), b)
        assert (one.time, one.status, one.time_upper) == (many.time[k], many.status[k], many.time_upper[k])
        alone = fc.distance(a.at(starts[k]), b)
        assert alone.distance == distances.distance[k]
        assert fc.intersects(a.at(starts[k]), b) == touches[k] == (alone.distance == 0)
        assert alone.stats.iterations == distances.stats.iterations[k]
        if one:
            np.testing.assert_array_equal(one.points[0], many.points[k])


def test_a_separation_is_kept():
    a, b = Sphere(1), Sphere(1)
    hit = fc.first_contact(a.moving(at(5), at(1)), b, min_separation=0.5, tolerance=1e-9)
    assert hit.time == pytest.approx((5 - 2.5) / 4, abs=1e-9)
    assert hit.time <= 2.5 / 4


def test_shapes_that_overlap_at_the_start_say_so():
    hit = fc.first_contact(Sphere(1).moving(at(1), at(5)), Box([1, 1, 1]))
    assert (hit.status, hit.time, hit.time_upper) == (Status.CONTACT_AT_START, 0.0, 0.0)
    assert fc.safe_step(Sphere(1).moving(at(1), at(5)), Box([1, 1, 1])) == 0


def test_shapes_that_pass_each_other_do_not_touch():
    miss = fc.first_contact(Sphere(1).moving(at(5, 2.001), at(-5, 2.001)), Sphere(1))
    assert not miss
    assert miss.time == np.inf
    assert fc.safe_step(Sphere(1).moving(at(5, 2.001), at(-5, 2.001)), Sphere(1)) == 1


def test_a_thin_plate_is_not_passed_through():
    plate, bullet = Box([1e-6, 1, 1]), Sphere(1e-3)
    hit = fc.first_contact(bullet.moving(at(-500), at(500)), plate)
    assert hit.time == pytest.approx(0.499999, abs=1e-8)


def test_spinning_beside_another_never_touches():
    rod, ball = Capsule(0.1, 2), Sphere(0.1)
    spin = rod.moving(np.eye(4), angular_velocity=[0, 1000, 0])
    assert not fc.first_contact(spin, ball.at(at(1.21)))
    assert fc.first_contact(spin, ball.at(at(1.19)))


def test_trajectories_are_followed_through_all_their_poses():
    path = Sphere(1).along([at(5), at(5, 9), at(0, 9), at(0, 0)], times=[0, 0.25, 0.5, 1])
    hit = fc.first_contact(path, Sphere(1))
    assert hit.time == pytest.approx(0.5 + 0.5 * 7 / 9, abs=1e-6)


def test_progress_changes_nothing(capsys):
    moving = Sphere(1).moving(np.array([at(5), at(7)]), at(0))
    shown = fc.first_contacts(moving, Sphere(1), progress=True)
    assert "searching" in capsys.readouterr().err
    np.testing.assert_array_equal(shown.time, fc.first_contacts(moving, Sphere(1)).time)


def test_empty_batches_have_empty_answers():
    nothing = Sphere(1).at(np.empty((0, 4, 4)))
    assert len(fc.first_contacts(nothing, Box([1, 1, 1]))) == 0
    assert fc.distance(nothing, Box([1, 1, 1])).distance.shape == (0,)
    assert fc.intersects(nothing, Box([1, 1, 1])).shape == (0,)


def test_batches_of_different_lengths_are_told():
    a, b = Sphere(1).at(random_poses(2)), Sphere(1).at(random_poses(3))
    for query in (fc.distance, fc.intersects, fc.first_contacts):
        with pytest.raises(ValueError, match=r"^batches must have the same length; a has 2 .* and b has 3$"):
            query(a, b)
    with pytest.raises(ValueError, match=r"^a has a batch of 2 motions: use first_contacts$"):
        fc.first_contact(a, Sphere(1))


@pytest.mark.parametrize("size", [1e-30, 1e-6, 1e6, 1e30])
def test_size_does_not_matter(size):
    factor = 2.0 ** round(np.log2(size))
    for a, b in [
        (Sphere(1), Box([1, 2, 3])),
        (Capsule(1, 1), Ellipsoid([1, 2, 3])),
        (Cylinder(1, 2), Box([1, 1, 1])),
    ]:
        scaled = [_scaled(shape, factor) for shape in (a, b)]
        turn = Rotation.from_rotvec([0.3, 0.2, 0.1])
        plain = fc.distance(a.at(pose([5, 1, 2], turn)), b).distance
        large = fc.distance(scaled[0].at(pose(factor * np.array([5, 1, 2]), turn)), scaled[1]).distance
        assert large == pytest.approx(factor * plain, rel=1e-13)


def _scaled(shape, factor):
    names = {"Sphere": "radius", "Box": "extents", "Ellipsoid": "radii"}
    kind = type(shape).__name__
    if kind in names:
        return type(shape)(factor * getattr(shape, names[kind]))
    return type(shape)(factor * shape.radius, factor * shape.length)
