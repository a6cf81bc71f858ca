"""Methods that are there to be compared: never late, none missed, within the tolerance, as the default is."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.status import Status
from properties.convex_claims import ask, complaints
from properties.convex_motions import MOTIONS, generate_moves
from samples import sample

METHODS = ("swept", "bisection", "extruded")
TOLERANCES = (1e-6, 1e-3, 1e-10)
HERE = np.eye(3)
BOX, BALL = fc.Box([1, 1, 1]), fc.Sphere(0.5)

every_method = pytest.mark.parametrize("method", METHODS)


@every_method
def test_the_claims_hold(method):
    families = list(MOTIONS)[METHODS.index(method) :: sample(3, of=1)]
    questions = [
        ask(generate_moves(family, seed), TOLERANCES[seed % 3], 0.05 * (seed // 3 % 2), method=method)
        for family in families
        for seed in range(500, 500 + sample(1, of=12))
    ]
    assert complaints(questions) == []


def thrown(n, rate, seed):
    rng, turns = np.random.default_rng(seed), np.random.RandomState(seed)
    start = 2.0 * rng.normal(size=(n, 3))
    rotations = Rotation.random(n, random_state=turns).as_matrix()
    velocity, turn = rng.normal(size=(n, 3)) - 1.5 * start, rate * rng.normal(size=(n, 3))
    return fc.Cone(0.5, 1).moving((rotations, start), velocity=velocity, angular_velocity=turn)


@every_method
@pytest.mark.parametrize("rate", [0.0, 5.0])
def test_they_agree_with_the_default(method, rate):
    things = thrown(200, rate, 1), BOX.moving(np.eye(4), velocity=[0.3, 0, 0], angular_velocity=[0, rate, 0])
    usual, found = fc.first_contacts(*things), fc.first_contacts(*things, method=method)
    assert (found.hit == usual.hit).all()
    hits = usual.hit
    assert 20 < hits.sum() < 200
    assert np.abs(found.time[hits] - usual.time[hits]).max() < 1e-4
    assert (found.time <= usual.time_upper).all()
    assert (usual.time <= found.time_upper).all()
    assert np.isnan(found.points[~hits]).all()
    assert np.abs(found.points[hits] - usual.points[hits]).max(axis=1).mean() < 0.1
    free = fc.is_free(*things, method=method)
    assert (free == ~hits).all()


@every_method
def test_laws_of_motion(method):
    rng = np.random.default_rng(3)
    start, pull = rng.normal(size=(60, 3)) + np.array([0, 0, 2]), np.array([0, 0, -9.0])
    way, turn = rng.normal(size=(2, 60, 3))
    falling = BOX.moving((HERE, start), velocity=way, angular_velocity=3 * turn, acceleration=pull)
    smooth = BOX.along(fc.motion(lambda t: ([0, 0, 3 * t], [np.cos(6 * t) * 1.5, np.sin(6 * t) * 1.5, 0])))
    for things in ((falling, BALL), (smooth, BALL.at((HERE, [-1.5, 0.4, 0])))):
        usual, found = fc.first_contacts(*things), fc.first_contacts(*things, method=method)
        assert (usual.hit == found.hit).all()
        assert usual.hit.any()
        assert (found.time <= usual.time_upper).all()
        assert (usual.time <= found.time_upper).all()
        assert np.abs(found.time[usual.hit] - usual.time[usual.hit]).max() < 1e-4


@every_method
def test_pieces_one_after_the_other(method):
    poses = np.tile(np.eye(4), (5, 1, 1))
    poses[:, 0, 3] = [-3, -2.5, -2, 0, 3]
    found = fc.first_contact(BALL.along(poses, [0, 0.1, 0.5, 0.75, 1]), BOX, method=method)
    assert found.time <= 0.625 < found.time + 1e-5
    assert fc.safe_step(BALL.along(poses, [0, 0.1, 0.5, 0.75, 1]), BOX, method=method) == found.time


@every_method
def test_at_the_start_at_rest_and_at_the_end(method):
    inside = fc.first_contact(BALL.moving(np.eye(4), velocity=[9, 0, 0]), BOX, method=method)
    assert (inside.status, inside.time) == (Status.CONTACT_AT_START, 0.0)
    assert np.isclose(np.linalg.norm(inside.normals), 1.0)
    assert not fc.first_contact(BALL.at((HERE, [2, 0, 0])), BOX, method=method)
    touching = fc.first_contact(BALL.at((HERE, [1, 0, 0])), BOX, method=method)
    assert touching.status == Status.CONTACT_AT_START
    last = fc.first_contact(BALL.moving((HERE, [3, 0, 0]), velocity=[-2, 0, 0]), BOX, method=method)
    assert last.time <= 1.0 < last.time + 1e-5
    kept = fc.first_contact(
        BALL.moving((HERE, [3, 0, 0]), velocity=[-2, 0, 0]), BOX, method=method, min_separation=0.5
    )
    assert kept.time <= 0.75 < kept.time + 1e-5


@every_method
def test_a_limit_of_steps_gives_a_time_that_is_safe(method):
    things = thrown(50, 9.0, 2), BOX
    found = fc.first_contacts(*things, method=method, max_iterations=3)
    usual = fc.first_contacts(*things)
    assert (found.status == Status.MAX_ITERATIONS).any()
    assert (found.time <= usual.time_upper).all()


def test_a_straight_way_that_is_free_takes_one_static_test():
    past = BALL.moving((HERE, [-9, 1.1, 0]), velocity=[18, 0, 0])
    assert fc.first_contact(past, BOX, method="extruded").stats.iterations == 1
    assert fc.first_contact(past, BOX, method="swept").stats.iterations == 1


@every_method
def test_floors_and_batches(method):
    floor = fc.HalfSpace([0, 0, 1], 0)
    falling = BALL.moving((HERE, [0, 0, 2]), velocity=[[0, 0, -3], [0, 0, -1], [0, 0, 1]])
    found = fc.first_contacts(falling, floor, method=method)
    assert np.allclose(found.time, [0.5, np.inf, np.inf], atol=1e-5)
    assert fc.first_contacts(BALL.at(np.empty((0, 4, 4))), BOX, method=method).time.shape == (0,)


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"method must be 'advancement' or 'swept' or .*; received 'ca'"):
        fc.first_contact(BALL, BOX, method="ca")
    for name in ("advancement", "c2a"):
        assert fc.first_contact(BALL, BOX, method=name).time == 0.0
    with pytest.raises(ValueError, match=r"method must be 'c2a' or 'interval'"):
        fc.first_contact(BALL, BOX.mesh, method="swept")
    with pytest.raises(ValueError, match=r"method must be 'c2a'"):
        fc.first_contact(BOX.mesh, BOX.mesh, method="swept")
    with pytest.raises(ValueError, match="method has no meaning for compounds"):
        fc.first_contact(fc.Compound([BALL]), BOX, method="swept")
