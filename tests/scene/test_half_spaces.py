"""Half-spaces in scenes: pairs with all others and with none of their kind, however far these go."""

import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc

FLOOR, WALL = fc.HalfSpace([0, 0, 1]), fc.HalfSpace([1, 0, 0], -5)
HERE = np.eye(3)


def bodies(seed):
    rng = np.random.default_rng(seed)
    shapes = [
        fc.Sphere(0.4),
        fc.Box([0.5, 0.4, 0.9]),
        fc.Box([0.5, 0.4, 0.9]).mesh,
        fc.Points([[0, 0, 0]], 0.3),
    ]
    found = {}
    for i in range(12):
        place = rng.uniform([-4, -30, 1], [40, 30, 6])
        ways = {"velocity": rng.normal(size=3) * 8, "angular_velocity": rng.normal(size=3)}
        found[f"b{i}"] = shapes[i % 4].moving((Rotation.random(random_state=i), place), **ways)
    return found


@pytest.mark.parametrize("broad_phase", ["sweep", "tree"])
@pytest.mark.parametrize("seed", range(3))
def test_contacts_are_those_of_all_pairs(broad_phase, seed):
    things = bodies(seed) | {"floor": FLOOR, "wall": WALL.moving(np.eye(4), velocity=[2, 0, 0])}
    scene = fc.Scene(things, broad_phase=broad_phase)
    contacts = scene.contacts()
    found = dict(zip(map(frozenset, contacts.names), contacts.time.tolist(), strict=True))
    for one in ("floor", "wall"):
        for name, thing in bodies(seed).items():
            time = fc.first_contact(things[one], thing).time
            assert found.get(frozenset((one, name)), np.inf) == pytest.approx(time, abs=1e-5)
    assert frozenset(("floor", "wall")) not in found
    assert scene.first_contact().time == pytest.approx(min(found.values()), abs=1e-5)
    nearest = scene.clearance()
    least = min(fc.clearance(things[a], things[b]).distance for a, b in map(sorted, scene.pairs()))
    assert nearest.distance_lower <= least + 1e-9


def test_a_body_that_goes_far_still_has_a_floor():
    scene, ball = fc.Scene(floor=FLOOR, ball=fc.Sphere(1)), fc.Sphere(1)
    for x in (1.0, 1e3, 1e6, 10.0):
        scene.update(ball=ball.moving((HERE, [x, 0, 3]), velocity=[0, 0, -4]))
        assert scene.first_contact().time == pytest.approx(0.5, abs=1e-5)
        scene.move(["ball"], (HERE, [[x, 0, 3]]), velocity=[0, 0, -1])
        assert not scene.first_contact()
        assert scene.clearance().distance == pytest.approx(1.0, rel=0.02)


def test_it_moves_changes_and_leaves_as_others_do():
    ball = fc.Sphere(1).at((HERE, [0, 0, 3]))
    scene = fc.Scene(ball=ball, lift=FLOOR)
    scene.move(["lift"], np.eye(4)[np.newaxis], velocity=[0, 0, 4])
    assert scene.first_contact().time == pytest.approx(0.5, abs=1e-5)
    scene.update(lift=FLOOR.along(np.stack([np.eye(4)] * 3)))
    assert not scene.first_contact()
    scene.update(lift=fc.Sphere(5))
    assert scene.first_contact().time == 0.0
    scene.update(lift=FLOOR)
    again = pickle.loads(pickle.dumps(scene))
    for one in (scene, again):
        assert one.clearance().distance == pytest.approx(2.0, rel=0.02)
        one.add({f"b{i}": ball for i in range(3)})
        one.remove("ball", "b0", "b1")
        assert one.clearance().distance == pytest.approx(2.0, rel=0.02)
    assert fc.Scene(floor=FLOOR, wall=WALL).contacts().names == []
    alone = fc.Scene(floor=FLOOR, wall=WALL)
    alone.consider("floor", "wall")
    assert alone.pairs() == []
