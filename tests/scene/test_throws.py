"""Bodies of a scene that are thrown: as if each pair were asked by itself."""

import pickle

import numpy as np
import pytest

import firstcontact as fc

HERE = np.eye(3)
FALL = [0, 0, -9.81]
FLOOR = fc.Box([100, 100, 1]).at((HERE, [0, 0, -0.5]))
SHAPES = (fc.Sphere(0.3), fc.Box([0.5, 0.4, 0.3]), fc.Box([0.5, 0.4, 0.3]).mesh, fc.Capsule(0.2, 0.4))


def things(seed, n=14):
    """Bodies of all kinds, most of them thrown, some straight on, at rest, or through poses; and a floor."""
    rng, found = np.random.default_rng(seed), {"floor": FLOOR}
    for i in range(n):
        shape, place = SHAPES[i % len(SHAPES)], rng.uniform([-1.5, -1.5, 0.5], [1.5, 1.5, 4])
        velocity, turn = rng.normal(size=(2, 3))
        kind = i % 7
        if kind == 0:
            found[f"{i}"] = shape.at((HERE, place))
        elif kind == 1:
            found[f"{i}"] = shape.moving((HERE, place), velocity=velocity, angular_velocity=turn)
        elif kind == 2:
            places = np.stack([place, place + velocity, place - velocity])
            found[f"{i}"] = shape.along((np.tile(HERE, (3, 1, 1)), places))
        else:
            acceleration = FALL if kind < 6 else 5.0 * rng.normal(size=3)
            found[f"{i}"] = shape.moving(
                (HERE, place), velocity=velocity, angular_velocity=turn, acceleration=acceleration
            )
    return found


@pytest.mark.parametrize("seed", range(3))
def test_each_pair_is_as_if_alone(seed):
    bodies = things(seed)
    found = fc.Scene(bodies).contacts(tolerance=1e-6)
    times = dict(zip(map(frozenset, found.names), found.time, strict=True))
    names = list(bodies)
    for i, one in enumerate(names):
        for other in names[:i]:
            alone = fc.first_contact(bodies[other], bodies[one], tolerance=1e-6)
            assert times.get(frozenset((one, other)), np.inf) == pytest.approx(alone.time, abs=1e-5)


def test_the_first_is_the_earliest():
    scene = fc.Scene(things(5))
    assert scene.first_contact().time == scene.contacts().time[0] == scene.safe_step()
    again = pickle.loads(pickle.dumps(scene))
    assert again.safe_step() == scene.safe_step()
    assert np.array_equal(again["5"].pose(0.7), scene["5"].pose(0.7))


def test_a_body_may_be_thrown_and_then_not():
    ball = fc.Sphere(0.5)
    scene = fc.Scene(floor=FLOOR, ball=ball.moving((HERE, [0, 0, 2]), acceleration=[0, 0, -16]))
    assert scene.safe_step() == pytest.approx(np.sqrt(1.5 / 8), abs=1e-5)
    scene.update(ball=ball.moving((HERE, [0, 0, 2]), velocity=[0, 0, -3]))
    assert scene.safe_step() == pytest.approx(0.5, abs=1e-5)
    scene.update(ball=ball.moving((HERE, [0, 0, 2]), velocity=[0, 0, 8], acceleration=[0, 0, -16]))
    assert scene.safe_step() == 1.0
    scene.move(["ball"], (HERE, [0, 0, 2]), velocity=[0, 0, -3])
    assert scene.safe_step() == pytest.approx(0.5, abs=1e-5)


def test_what_is_thrown_high_is_in_its_box():
    """Half way up it is far above both ends of its chord."""
    ball = fc.Sphere(0.5)
    thrown = ball.moving((HERE, [0, 0, 0]), velocity=[0, 0, 40], acceleration=[0, 0, -80])
    scene = fc.Scene(thrown=thrown, above=ball.at((HERE, [0, 0, 9])))
    assert scene.pairs() == [("thrown", "above")]
    truth = (40 - np.sqrt(1600 - 2 * 80 * 8)) / 80
    assert truth - 1e-6 < scene.first_contact().time <= truth
