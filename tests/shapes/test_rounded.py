"""Rounded shapes: the same shapes as those that are round already, and as the sums that they are."""

import numpy as np
import pytest

import firstcontact as fc
from poses import at

HULL = fc.ConvexHull(np.random.default_rng(1).standard_normal((30, 3)))
WITHIN = [fc.Box([1, 2, 3]), fc.Cylinder(1, 2), fc.Cone(1, 2), fc.Ellipsoid([1, 2, 0.5]), HULL]


def random_pose(rng, reach=3.0):
    q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    return q * np.linalg.det(q), reach * rng.standard_normal(3)


def test_what_is_round_becomes_what_is_larger():
    pairs = [
        (fc.Rounded(fc.Sphere(1), 0.5), fc.Sphere(1.5)),
        (fc.Rounded(fc.Capsule(1, 2), 0.5), fc.Capsule(1.5, 2)),
    ]
    for rounded, larger in pairs:
        np.testing.assert_array_equal(rounded.table.records, larger.table.records)
        np.testing.assert_array_equal(rounded.bounds, larger.bounds)
        assert (
            fc.ray_cast(rounded, [5, 0.3, 0], [-1, 0, 0.1]).time
            == fc.ray_cast(larger, [5, 0.3, 0], [-1, 0, 0.1]).time
        )


def test_radii_of_rounded_shapes_add_up():
    twice = fc.Rounded(fc.Rounded(HULL, 0.25), 0.5)
    assert twice.unrounded is HULL
    assert twice.radius == 0.75


@pytest.mark.parametrize("within", WITHIN, ids=lambda shape: type(shape).__name__)
def test_distances_are_those_of_the_shape_within_less_the_radius(within):
    rng, rounded, other = np.random.default_rng(2), fc.Rounded(within, 0.25), fc.Cone(0.4, 1)
    for _ in range(20):
        pose = random_pose(rng)
        gap = fc.distance(within, other.at(pose)).distance - 0.25
        found = fc.distance(rounded, other.at(pose)).distance
        assert found == pytest.approx(max(gap, 0.0), abs=1e-9)
        assert fc.intersects(rounded, other.at(pose)) == (gap <= 0.0)
        mesh_gap = fc.distance(within, other.mesh.at(pose)).distance - 0.25
        assert fc.distance(rounded, other.mesh.at(pose)).distance == pytest.approx(
            max(mesh_gap, 0.0), abs=1e-9
        )


@pytest.mark.parametrize("within", WITHIN, ids=lambda shape: type(shape).__name__)
def test_first_contacts_are_those_with_a_separation(within):
    rng, rounded = np.random.default_rng(3), fc.Rounded(within, 0.25)
    n_hits = 0
    for other in (
        fc.Box([0.5, 0.5, 0.5]),
        fc.Box([0.5, 0.5, 0.5]).mesh,
        fc.Rounded(fc.Box([0.3, 0.3, 0.3]), 0.1),
    ):
        for _ in range(8):
            rotation, place = random_pose(rng, 4.0)
            start, end = (rotation, place), (np.eye(3), rng.standard_normal(3))
            moving = other.moving(start, end)
            one = fc.first_contact(moving, rounded, tolerance=1e-7)
            two = fc.first_contact(moving, within, tolerance=1e-7, min_separation=0.25)
            assert one.status == two.status
            assert one.time == pytest.approx(two.time, abs=1e-5) or one.time == two.time
            n_hits += one.status == fc.Status.CONTACT
    assert n_hits > 5


@pytest.mark.parametrize("within", WITHIN, ids=lambda shape: type(shape).__name__)
def test_points_are_nearer_by_the_radius(within):
    rng, rounded = np.random.default_rng(4), fc.Rounded(within, 0.25)
    points = 2.0 * rng.standard_normal((300, 3))
    before, found = fc.signed_distance(within, points), fc.signed_distance(rounded, points)
    np.testing.assert_allclose(found.distance, before.distance - 0.25, atol=1e-13)
    np.testing.assert_allclose(found.points + found.distance[:, None] * found.normals, points, atol=1e-12)
    np.testing.assert_array_equal(fc.contains(rounded, points), found.distance < 0)
    assert fc.signed_distance(rounded, points[0]).distance == pytest.approx(found.distance[0], abs=1e-14)
    assert fc.contains(rounded, points[0]) == (found.distance[0] < 0)
    deep = fc.depths(fc.Box([0.1, 0.1, 0.1]), rounded)
    assert len(deep) == 8
    np.testing.assert_allclose(
        np.sort(deep.depth),
        np.sort(-fc.signed_distance(rounded, fc.Box([0.1, 0.1, 0.1]).mesh.vertices).distance),
    )


@pytest.mark.parametrize("points", [[[0, 0, 0]], [[0, 0, -1], [0, 0, 1]], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]])
def test_flat_hulls_become_solids(points):
    flat = fc.ConvexHull(points, flat=True)
    rounded, places = fc.Rounded(flat, 0.5), np.random.default_rng(5).standard_normal((200, 3))
    found = fc.signed_distance(rounded, np.concatenate([places, flat.points]))
    expected = fc.distance(flat, fc.Sphere(1e-9).at((np.eye(3), places))).distance - 0.5
    np.testing.assert_allclose(found.distance[:200], expected, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0)
    assert (found.distance[200:] == -0.5).all()
    assert fc.contains(rounded, flat.points[0])


def test_fields_of_rounded_shapes():
    places = np.random.default_rng(6).uniform(0, 1, (500, 3))
    for within in (HULL, fc.Cone(1, 2), fc.Box([1, 2, 3])):
        rounded = fc.Rounded(within, 0.25)
        field = fc.DistanceField.of(rounded, tolerance=0.05)
        near = rounded.bounds[0] + places * (rounded.bounds[1] - rounded.bounds[0])
        truth = fc.signed_distance(rounded, near).distance
        assert np.abs(field(near) - truth).max() <= 0.05
        start, end = at(0, 0, 6), at(0, 0, -6)
        hit = fc.first_contact(rounded.moving(start, end), fc.DistanceField.of(fc.Sphere(1), tolerance=0.01))
        sure = fc.first_contact(rounded.moving(start, end), fc.Sphere(1))
        assert sure.time - 0.01 <= hit.time <= sure.time


def test_scenes_and_certificates_take_them():
    rounded = fc.Rounded(fc.Box([1, 1, 1]), 0.25)
    scene = fc.Scene(
        a=rounded.moving(at(0, 0, 0), at(4, 0, 0)), b=HULL.at(at(9, 0, 0)), c=fc.Cone(1, 2).at(at(4, 0, 0))
    )
    found = scene.first_contact()
    alone = fc.first_contact(rounded.moving(at(0, 0, 0), at(4, 0, 0)), fc.Cone(1, 2).at(at(4, 0, 0)))
    assert {found.a, found.b} == {"a", "c"}
    assert found.time == pytest.approx(alone.time, abs=1e-6)
    past = rounded.moving(at(0, 0, 0), at(0, 4, 0)), fc.Cone(1, 2).at(at(4, 0, 0))
    free = fc.clearance(*past)
    assert free.certificate.verify()
    still = fc.distance(rounded, past[1]).distance
    assert free.distance_lower <= still <= 1.02 * free.distance


def test_rounded_boxes_touch_by_their_radii():
    box, batch = fc.Rounded(fc.Box([1, 1, 1]), 0.25), np.tile(np.eye(4), (4, 1, 1))
    batch[:, :3, 3] = [[1.49, 0, 0], [1.51, 0, 0], [1.28, 1.28, 1.28], [1.29, 1.29, 1.29]]
    touches = [True, False, True, False]  # sideways by 0.5, or by the root of 3 times 0.28868
    assert fc.intersects(box, box.at(batch)).tolist() == touches
    assert [fc.intersects(box, box.at(pose)) for pose in batch] == touches
    assert (fc.distance(box, box.at(batch)).distance == 0).tolist() == touches
    deep = fc.penetration(box, box.at(at(0.9, 0, 0)))
    assert deep.depth == pytest.approx(0.6)
    assert deep.direction.tolist() == [1, 0, 0]
    assert fc.penetration(box, box.at(batch[2])).depth == pytest.approx(0.5 - 0.28 * np.sqrt(3))
