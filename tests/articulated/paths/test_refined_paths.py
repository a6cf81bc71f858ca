"""Robots among obstacles that are thrown."""

import numpy as np
import pytest

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
ARM = fc.Capsule(0.05, 1).at((HERE, [0, 0, 0.5]))
ROBOT = fc.Robot({"base": (), "arm": ARM}, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
TOLERANCE = 1e-6


def distances(path, thing, times):
    """Distances of the arm from a thing at times."""
    arms = [ROBOT.link_poses(path.motion.configuration(t))["arm"] @ ARM.pose(0.0) for t in times]
    return fc.distance(
        ARM.shape.at(np.array(arms)), thing.shape.at(np.array([thing.pose(t) for t in times]))
    ).distance


@pytest.mark.parametrize("method", ["subdivision", "advancement"])
@pytest.mark.parametrize("seed", range(6))
def test_the_first_contact_is_never_late(seed, method):
    rng = np.random.default_rng(seed)
    shape = (fc.Sphere(0.1), fc.Box([0.2, 0.1, 0.3]), fc.Box([0.2, 0.1, 0.3]).mesh)[seed % 3]
    for _ in range(sample(2, of=4)):
        path = ROBOT.moving([0.0], [rng.uniform(0.5, 2.0)])
        place, velocity = rng.uniform([0.3, -0.1, 0.5], [0.9, 0.1, 2.0]), rng.normal(size=3) * 0.5
        thrown = shape.moving(
            (HERE, place), velocity=velocity, angular_velocity=rng.normal(size=3), acceleration=[0, 0, -4]
        )
        hit = fc.first_contact(path, thrown, method=method, tolerance=TOLERANCE)
        until = min(hit.time, 1.0)
        if until > 0.0:
            assert (distances(path, thrown, until * np.linspace(0, 1, 200, endpoint=False)) > 0.0).all()
            assert not hit or distances(path, thrown, [until])[0] <= TOLERANCE + 1e-9
        assert fc.is_free(path, thrown, method=method, tolerance=TOLERANCE) == (not hit)
        assert hit.certificate.verify()
        if hit.time_upper <= 1.0:
            assert distances(path, thrown, [hit.time_upper])[0] <= 1e-9


def test_a_batch_is_what_each_alone_is():
    accelerations = np.outer([0.0, -1.0, -4.0, -8.0], [0, 0, 1])
    ball, path = fc.Sphere(0.1), ROBOT.moving([0.0], [1.5])
    many = ball.moving((HERE, [0.5, 0, 2.0]), velocity=[0, 0, -0.5], acceleration=accelerations)
    found = fc.first_contacts(path, many)
    for i, acceleration in enumerate(accelerations):
        one = ball.moving((HERE, [0.5, 0, 2.0]), velocity=[0, 0, -0.5], acceleration=acceleration)
        assert fc.first_contact(path, one).time == pytest.approx(found.time[i], abs=1e-5)


def test_a_certificate_of_another_throw_does_not_hold():
    path, ball = ROBOT.moving([0.0], [0.6]), fc.Sphere(0.1)
    apart = ball.moving((HERE, [0.8, 0, 0.9]), acceleration=[4, 0, 0])
    proof = fc.first_contact(path, apart).certificate
    assert proof.end == 1.0
    assert proof.verify()
    nearer = ball.moving((HERE, [0.8, 0, 0.9]), acceleration=[-4, 0, 0])
    other = type(proof)(
        **{
            name: getattr(proof, name)
            for name in ("min_separation", "tolerance", "bodies", "pairs", "intervals", "end")
        },
        things=proof.things._replace(obstacles={"world": nearer}),
    )
    assert not other.verify()


def test_an_obstacle_that_comes_back_is_not_at_rest():
    """Its chord is a point; half way it is far from there."""
    path = ROBOT.at([0.0])
    thrown = fc.Sphere(0.1).moving((HERE, [1.0, 0, 0.5]), velocity=[-4, 0, 0], acceleration=[8, 0, 0])
    hit = fc.first_contact(path, thrown)
    truth = (4 - np.sqrt(16 - 16 * 0.85)) / 8
    assert truth - 1e-5 < hit.time <= truth
