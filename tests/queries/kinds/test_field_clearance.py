"""The least distance to a field: both ends hold for the shape that it was made of."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from when_asked import WhenAsked

HERE, TOLERANCE = np.eye(3), 0.05
SHAPES = (
    fc.Sphere(0.8),
    fc.Box([1.4, 1.0, 0.6]),
    fc.Cylinder(0.5, 1.0),
    fc.ConvexHull(np.random.default_rng(1).normal(size=(30, 3)) * 0.4 + 0.3),
)

FIELDS = WhenAsked(lambda i: fc.DistanceField.of(SHAPES[i], TOLERANCE, margin=1.0))
CUBE = fc.Box([0.6, 0.6, 0.6]).mesh
ROPE = fc.Strands([[0.3, 0, 0], [0, 0.2, 0], [-0.3, 0, 0.1]], [3], 0.1)


def courses(rng, n):
    """Poses and velocities of bodies that pass at some distance, or touch."""
    turns, places = Rotation.random(n, rng=rng).as_matrix(), rng.normal(size=(n, 3))
    places *= (rng.uniform(1.0, 3.0, n) / np.linalg.norm(places, axis=1))[:, np.newaxis]
    return (turns, places), rng.normal(size=(n, 3)), rng.choice([0.0, 1.0, 6.0], n)[:, None] * places


def is_between(found, truth, tolerances):
    """Does the truth's bracket meet the one that was found, which is as narrow as promised?"""
    assert (found.distance_lower <= truth.distance * (1 + 1e-9) + 1e-12).all()
    assert (found.distance >= truth.distance_lower - 1e-12).all()
    wide = 0.01 * found.distance + 5.0 * tolerances
    # Beyond the box the shape may seem nearer than it is.
    assert (
        found.distance - found.distance_lower <= wide + 0.45 * (found.distance > 0.9) * found.distance
    ).all()
    assert (found.status[truth.distance == 0.0] != fc.Status.SEPARATED).all()


@pytest.mark.parametrize("which", range(len(SHAPES)))
@pytest.mark.parametrize("body", [fc.Capsule(0.2, 0.8), fc.Box([0.5, 0.3, 0.2]), CUBE, ROPE, None], ids=str)
def test_the_truth_is_between_both_ends(which, body):
    body = FIELDS[0] if body is None else body
    rng = np.random.default_rng(which)
    start, velocity, spin = courses(rng, 6)
    itself = SHAPES[0] if body is FIELDS[0] else body
    paths = [thing.moving(start, velocity=velocity, angular_velocity=spin) for thing in (body, itself)]
    found = fc.clearance(paths[0], FIELDS[which])
    is_mesh = isinstance(body, fc.Mesh)
    truth = fc.clearance(paths[1], SHAPES[which], tolerance=1e-6, solid=is_mesh)
    is_between(found, truth, TOLERANCE * (2 if body is FIELDS[0] else 1))
    swapped = fc.clearance(FIELDS[which], paths[0])
    if body is not FIELDS[0]:
        assert np.array_equal(swapped.distance_lower, found.distance_lower)
        assert np.array_equal(swapped.points[:, ::-1], found.points)
    alone = fc.clearance(
        body.moving((start[0][2], start[1][2]), velocity=velocity[2], angular_velocity=spin[2]), FIELDS[which]
    )
    assert (alone.distance, alone.distance_lower, alone.time) == (
        found.distance[2],
        found.distance_lower[2],
        found.time[2],
    )


def test_moving_fields_pieces_and_throws():
    ball = fc.Sphere(0.3)
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, :3, 3] = [[-2, 1.5, 0], [0, 1.3, 0], [2, 2, 0]]
    thrown = FIELDS[1].moving((HERE, [-2, -2, 0]), velocity=[4, 3, 0], acceleration=[0, -6, 0])
    for moving in (FIELDS[1].along(poses), thrown):
        found = fc.clearance(moving, ball)
        truth = fc.clearance(fc.Moving(SHAPES[1], moving.motion), ball, tolerance=1e-6)
        assert found.distance_lower <= truth.distance
        assert truth.distance_lower <= found.distance <= found.distance_lower * 1.02 + 5 * TOLERANCE
        assert found.distance >= fc.distance(moving.shape.at(moving.pose(found.time)), ball).distance


def test_contact_is_told_and_what_has_no_faces_is_nowhere():
    hit = fc.clearance(fc.Sphere(0.3).moving((HERE, [-3, 0, 0]), velocity=[6, 0, 0]), FIELDS[0])
    assert (hit.distance, hit.distance_lower, hit.status) == (0.0, 0.0, fc.Status.CONTACT)
    nothing = fc.clearance(fc.Mesh([], []), FIELDS[0])
    assert (nothing.distance, nothing.distance_lower, nothing.status) == (np.inf, np.inf, fc.Status.SEPARATED)
    ended = fc.clearance(CUBE.at((HERE, [1.5, 0, 0])), FIELDS[0], max_iterations=1)
    assert (ended.distance_lower, ended.status) == (0.0, fc.Status.MAX_ITERATIONS)
    assert ended.distance >= 0.4 - 1e-9


def test_a_finer_tolerance_is_as_good_as_the_field():
    passing = fc.Sphere(0.3).moving((HERE, [-3, 1.5, 0]), velocity=[6, 0, 0])
    found = fc.clearance(passing, FIELDS[0], tolerance=1e-3)
    assert 0.4 - 4 * TOLERANCE <= found.distance_lower <= 0.4 <= found.distance <= 0.4 + 2.5 * TOLERANCE
    assert abs(found.time - 0.5) < 0.1
    assert np.linalg.norm(found.points[0] - found.points[1]) < 0.4 + 3 * TOLERANCE
    assert found.profile(5).distances.min() <= found.distance
    assert np.abs(found.gradient[0, :3] - [0, 1, 0]).max() < 0.3
    with pytest.raises(ValueError, match=r"^a certificate is for two rigid bodies"):
        _ = found.certificate


def test_what_nobody_knows_is_refused():
    both = FIELDS[0].intersection(FIELDS[1])
    with pytest.raises(
        ValueError, match=r"^clearance needs fields that are exact outside, and `is_exact` of b"
    ):
        fc.clearance(fc.Sphere(0.3), both)
    with pytest.raises(TypeError, match=r"^clearance of a field is with one other thing"):
        fc.clearance(FIELDS[0], None)


def test_in_a_scene():
    ball = fc.Sphere(0.3)
    scene = fc.Scene(field=FIELDS[0], ball=ball.moving((HERE, [-3, 1.5, 0]), velocity=[6, 0, 0]))
    scene.add("far", ball.at((HERE, [0, -4, 0])))
    near = scene.clearance()
    assert {near.a, near.b} == {"field", "ball"}
    assert near.distance_lower <= 0.4 <= near.distance <= 0.4 + 4 * TOLERANCE
