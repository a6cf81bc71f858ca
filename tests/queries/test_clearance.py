"""The least distance over a motion: closed forms, options, degenerate things, batches."""

import pickle

import numpy as np
import pytest

import firstcontact as fc

HERE = np.eye(3)
CUBE = fc.Box([1, 1, 1])


def at(x, y=0.0, z=0.0):
    return HERE, [x, y, z]


def is_bracketed(found, truth, tolerance=None):
    """Is the truth within the bracket, and the bracket within the tolerance?"""
    width = 0.01 * found.distance + 1e-5 if tolerance is None else tolerance
    is_around = (found.distance_lower <= truth + 1e-12) & (truth <= found.distance + 1e-12)
    return bool(np.all(is_around & (found.distance - found.distance_lower <= width * 1.001 + 1e-12)))


@pytest.mark.parametrize("tolerance", [None, 1e-2, 1e-6])
def test_spheres_pass_each_other(tolerance):
    rng = np.random.default_rng(0)
    start, velocity = rng.normal(size=(200, 3)) * 3, rng.normal(size=(200, 3)) * 6
    found = fc.clearance(
        fc.Sphere(0.4).moving((np.tile(HERE, (200, 1, 1)), start), velocity=velocity),
        fc.Sphere(0.6),
        tolerance=tolerance,
    )
    t = np.clip(-(start * velocity).sum(axis=1) / (velocity**2).sum(axis=1), 0, 1)
    truth = np.maximum(np.linalg.norm(start + t[:, None] * velocity, axis=1) - 1, 0)
    assert is_bracketed(found, truth, tolerance)
    np.testing.assert_array_equal(found.status == fc.Status.CONTACT, found.distance == 0)
    assert (found.distance[truth == 0] == 0).all()


@pytest.mark.parametrize("as_mesh", [False, True])
def test_a_box_turns_before_a_wall(as_mesh):
    """Its corners come nearest, at an eighth of a turn, and five more times."""
    box, wall = fc.Box([2, 2, 1]), fc.Box([1, 9, 9]).at(at(2.5))
    box = box.mesh if as_mesh else box
    found = fc.clearance(box.moving(np.eye(4), angular_velocity=[0, 0, 3 * np.pi]), wall, tolerance=1e-4)
    assert is_bracketed(found, 2 - np.sqrt(2), 1e-4)
    np.testing.assert_allclose(found.time * 6 % 1, 0.5, atol=1e-2)
    assert found.points[1, 0] == pytest.approx(2)


def test_a_cam_under_its_follower():
    """A disc turns about a point off its middle: it lifts by twice that."""
    disc, off = fc.Cylinder(1.0, 0.5), 0.25
    about = np.array([off, 0.0, 0.0])
    turning = disc.moving(at(-off), angular_velocity=[0, 0, 2 * np.pi], center=about)
    follower = fc.Sphere(0.1).at(at(0, 1.5))
    truth = 1.5 - 0.1 - (1.0 + off)
    found = fc.clearance(turning, follower, tolerance=1e-5)
    assert is_bracketed(found, truth, 1e-5)
    assert abs(found.time - 0.75) < 0.01


def test_a_ball_rolls_over_the_ground_at_no_distance():
    rolling = fc.Sphere(1).moving(at(0, 0, 1), velocity=[3, 0, 0], angular_velocity=[0, 3, 0])
    found = fc.clearance(rolling, fc.Box([99, 99, 2]).at(at(0, 0, -1)))
    assert (found.distance, found.distance_lower, found.status) == (0, 0, fc.Status.CONTACT)
    above = fc.Sphere(1).moving(at(0, 0, 1.5), velocity=[3, 0, 0], angular_velocity=[0, 3, 0])
    found = fc.clearance(above, fc.Box([99, 99, 2]).at(at(0, 0, -1)))
    assert is_bracketed(found, 0.5)


def test_a_throw_over_a_bar():
    """Up and down again, a ball above a bar: the least distance is that of a parabola."""
    thrown = fc.Sphere(0.1).moving(at(-2, 0, 0), velocity=[4, 0, 8], acceleration=[0, 0, -16])
    bar = fc.Capsule(0.2, 3).at(([[1, 0, 0], [0, 0, -1], [0, 1, 0]], [0, 0, 1.0]))
    t = np.linspace(0, 1, 2_000_001)
    truth = np.hypot(-2 + 4 * t, 8 * t - 8 * t * t - 1).min() - 0.3
    assert is_bracketed(fc.clearance(thrown, bar), truth)
    assert is_bracketed(fc.clearance(thrown, bar, tolerance=1e-6), truth, 1e-6)


def test_a_path_in_pieces():
    way = np.array([[-3, 2, 0], [0, 1.2, 0], [3, 2, 0], [3, -3, 0], [0, -0.8, 0]], float)
    path = fc.Sphere(0.2).along((np.tile(HERE, (5, 1, 1)), way))
    found = fc.clearance(path, CUBE)
    assert is_bracketed(found, 0.1)
    assert found.time == pytest.approx(1)


def test_what_is_inside_counts_where_solids_are_asked_for():
    inner = fc.Box([0.5, 0.5, 0.5]).mesh.moving(np.eye(4), velocity=[0.2, 0, 0])
    for outer in (fc.Box([3, 3, 3]).mesh, fc.Box([3, 3, 3])):
        solid = fc.clearance(inner, outer, solid=True)
        assert (solid.distance, solid.distance_lower, solid.time) == (0, 0, 0)
    assert is_bracketed(fc.clearance(inner, fc.Box([3, 3, 3]).mesh), 1.05)
    assert (
        fc.clearance(
            CUBE.moving(np.eye(4), velocity=[0.1, 0, 0]), fc.Box([9, 9, 9]).mesh, solid=True
        ).distance
        == 0
    )
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; b has 3 open edges$"):
        fc.clearance(inner, fc.Mesh(np.eye(3), [[0, 1, 2]]), solid=True)


def test_what_has_no_faces_and_what_rests():
    nothing = fc.Mesh([], [])
    found = fc.clearance(CUBE.moving(np.eye(4), velocity=[1, 0, 0]), nothing)
    assert (found.distance, found.distance_lower, found.time) == (np.inf, np.inf, 0)
    assert np.isnan(found.points).all()
    resting = fc.clearance(CUBE, CUBE.at(at(3)))
    assert is_bracketed(resting, 2.0)
    assert resting.distance == 2
    assert len(fc.clearance(CUBE.at(np.empty((0, 4, 4))), CUBE).distance) == 0


def test_one_answer_of_a_batch_is_the_answer_alone():
    poses = np.tile(np.eye(4), (5, 1, 1))
    poses[:, 0, 3] = [-4, -3, -2, 0, 9]
    turns, speeds = [[0, 1, 2]] * 5, [[3, 0.5, 0]] * 5
    for shape in (CUBE, CUBE.mesh):
        batch = fc.clearance(
            shape.moving(poses, velocity=speeds, angular_velocity=turns), fc.Sphere(0.5).at(at(0, 2))
        )
        for k in range(5):
            alone = fc.clearance(
                shape.moving(poses[k], velocity=speeds[k], angular_velocity=turns[k]),
                fc.Sphere(0.5).at(at(0, 2)),
            )
            assert (alone.distance, alone.distance_lower) == (batch.distance[k], batch.distance_lower[k])
            np.testing.assert_array_equal(alone.points, batch.points[k])
    assert batch.profile(7).distances.shape == (5, 7)
    assert repr(batch) == "Clearance(5 motions)"


def test_the_profile_is_the_distance_at_each_time():
    moving = CUBE.moving(at(-3, 2), velocity=[6, 0, 0], angular_velocity=[1, 2, 3])
    found = fc.clearance(moving, CUBE.mesh)
    times, distances = found.profile(11)
    for t, distance in zip(times, distances, strict=True):
        assert fc.distance(CUBE.at(moving.pose(t)), CUBE.mesh).distance == pytest.approx(distance, abs=1e-12)
    assert (distances >= found.distance_lower).all()
    there = fc.distance(CUBE.at(moving.pose(found.time)), CUBE.mesh)
    assert there.distance == pytest.approx(found.distance, abs=1e-12)
    with pytest.raises(ValueError, match=r"^n must be an integer in "):
        found.profile(0)


def test_steps_that_run_out_prove_nothing():
    moving = CUBE.moving(at(-3, 2), velocity=[6, 0, 0], angular_velocity=[9, 20, 3])
    found = fc.clearance(moving, CUBE, max_iterations=3)
    assert found.status == fc.Status.MAX_ITERATIONS
    assert found.distance_lower == 0


def test_an_answer_travels():
    moving = CUBE.moving(at(-3, 2), velocity=[6, 0, 0])
    found = fc.clearance(moving, CUBE)
    sent = pickle.loads(pickle.dumps(found))
    assert sent == found
    with pytest.raises(ValueError, match="left behind when it was sent"):
        sent.profile()
    assert sent.with_things(found.things).profile(3).distances.tolist() == found.profile(3).distances.tolist()


def test_progress_changes_nothing(capsys):
    poses = np.tile(np.eye(4), (300, 1, 1))
    poses[:, 0, 3] = np.linspace(-4, 4, 300)
    moving = CUBE.moving(poses, velocity=[0, 0, 1], angular_velocity=[1, 0, 0])
    assert fc.clearance(moving, CUBE, progress=True) == fc.clearance(moving, CUBE)
    assert "300" in capsys.readouterr().err


def test_stats_tell_how_long_it_took():
    passing = fc.Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[8, 0, 0])
    fc.clearance(passing, fc.Sphere(1))  # compiled
    assert 0 < fc.clearance(passing, fc.Sphere(1)).stats.seconds < 10
