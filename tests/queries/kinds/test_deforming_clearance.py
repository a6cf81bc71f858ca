"""The least distance of what deforms: closed forms, samples of every pair of kinds, frames, refusals."""

import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
N = sample(6, 300)
SQUARE = fc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
BALL = fc.ConvexHull(np.random.default_rng(0).normal(size=(12, 3))).mesh
BALL = fc.Mesh(BALL.vertices / 4, BALL.faces)


def falling(z0, z1):
    up = np.array([0, 0, 1])
    return SQUARE.deforming(SQUARE.vertices + up * z0, SQUARE.vertices + up * z1)


def near(found, truth, tolerance=1e-6):
    assert found.distance_lower <= truth + 1e-12
    assert truth <= found.distance + 1e-12
    assert found.distance - found.distance_lower <= 1.001 * tolerance + 1e-9
    assert found.status == fc.Status.SEPARATED


def test_a_sheet_falls_towards_a_ball():
    for other in (fc.Sphere(0.5), fc.Sphere(0.5).moving((HERE, [0, 0, 0]), angular_velocity=[3, 2, 1])):
        near(fc.clearance(falling(3, 0.75), other, tolerance=1e-6), 0.25)
        near(fc.clearance(other, falling(3, 0.75), tolerance=1e-6), 0.25)


def test_two_points_pass_each_other():
    """Corners go along crossing lines: the least distance is in between, where no frame is."""
    needle = fc.Mesh([[0, 0, 0], [0, 0, 9], [0, 0.1, 9]], [[0, 1, 2]])
    ways = [[-1, 0.3, 0], [1, 0.3, 0]], [[0, -2, -20], [0, 1, -20]]
    a, b = (needle.deforming(needle.vertices + one, needle.vertices + two) for one, two in ways)
    found = fc.clearance(a, b, tolerance=1e-7)
    times = np.linspace(0, 1, 100_001)
    truth = np.linalg.norm(
        np.outer(1 - times, np.subtract(*[way[0] for way in ways]))
        + np.outer(times, np.subtract(*[way[1] for way in ways])),
        axis=1,
    )
    assert found.distance_lower <= truth.min() - 0  # other corners may be nearer still
    least = found.profile(401).distances.min()
    assert found.distance_lower <= least + 1e-12
    assert found.distance <= least + 1e-6


def test_what_touches_is_at_no_distance():
    for other in (fc.Sphere(0.5), fc.Box([1, 1, 1]).mesh, falling(0, 3)):
        found = fc.clearance(falling(3, 0), other)
        assert (found.distance_lower, found.status) == (0, fc.Status.CONTACT) or found.distance < 1e-5
    still = fc.clearance(falling(3, 3), fc.Sphere(0.5))
    near(still, 2.5, 0.025)


SHAPES = {
    "box": fc.Box([0.5, 0.3, 0.4]),
    "capsule": fc.Capsule(0.2, 0.6),
    "mesh": fc.Cylinder(0.3, 0.5).mesh,
    "deforming": None,
}


def crumpled(rng, at):
    places = BALL.vertices @ Rotation.random(random_state=rng).as_matrix().T + at
    return [places + rng.normal(size=3) * k + rng.normal(size=places.shape) * 0.1 for k in range(3)]


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("n_frames", [2, 3])
def test_no_sample_is_nearer(kind, n_frames):
    rng = np.random.default_rng(n_frames)
    for k in range(N):
        a = BALL.along(crumpled(rng, [0, 0, 2])[:n_frames])
        if kind == "deforming":
            b = BALL.along(crumpled(rng, [0, 0, 0])[:2])
        else:
            law = [{}, {"acceleration": [1, 0, -2]}][k % 2]
            turn = rng.normal(size=3) * 2 * (k % 3)
            b = SHAPES[kind].moving(
                (HERE, rng.normal(size=3) * 0.3), velocity=rng.normal(size=3), angular_velocity=turn, **law
            )
        found = fc.clearance(a, b)
        least = found.profile(129).distances.min()
        assert found.distance_lower <= least + 1e-12
        assert found.distance <= least + max(0.0101 * least, 1e-5)
        assert found.distance - found.distance_lower <= max(0.0101 * found.distance, 1e-5)
        if found.distance_lower > 1e-3:  # told by another search
            kept = found.distance_lower - 1e-4
            assert fc.is_free(a, b, min_separation=kept, tolerance=1e-5)


def test_the_answer_is_plain_data():
    found = fc.clearance(falling(3, 1), fc.Sphere(0.5))
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.faces.tolist()[1] == -1
    assert np.linalg.norm(found.points[0] - found.points[1]) == pytest.approx(found.distance)
    with pytest.raises(ValueError, match=r"^a certificate is for rigid bodies and robots"):
        _ = found.certificate
    none = fc.clearance(fc.Mesh([], []).deforming(np.empty((0, 3)), np.empty((0, 3))), fc.Sphere(1))
    assert (none.distance, none.distance_lower) == (np.inf, np.inf)
    few = fc.clearance(falling(3, 1), fc.Cylinder(1, 1).mesh, max_iterations=3)
    assert (few.status, few.distance_lower) == (fc.Status.MAX_ITERATIONS, 0)


def test_refusals():
    with pytest.raises(TypeError, match=r"^faces of a mesh are at no distance from their neighbours"):
        fc.clearance(falling(3, 1))
    with pytest.raises(
        ValueError, match=r"^solid has no meaning for what deforms: it goes with the first contact of two"
    ):
        fc.clearance(falling(3, 1), fc.Sphere(1), solid=True)
    batch = fc.Sphere(1).at(np.stack([np.eye(4)] * 2))
    with pytest.raises(ValueError, match="batch"):
        fc.clearance(falling(3, 1), batch)
