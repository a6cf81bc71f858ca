"""The pair of a scene that comes nearest, against all pairs, one by one."""

from itertools import combinations

import numpy as np
import pytest

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
BALL = fc.Sphere(0.4)


def crowd(rng, n):
    """Bodies of several kinds, some at rest, some far away, one thrown."""
    shapes = [BALL, fc.Box([1, 0.5, 0.3]), fc.Box([0.6, 0.6, 0.6]).mesh, fc.Capsule(0.2, 1)]
    things = {}
    for k in range(n):
        place = HERE, rng.normal(size=3) * (20 if k % 4 == 3 else 3)
        shape = shapes[k % len(shapes)]
        moving = {"velocity": rng.normal(size=3) * 2, "angular_velocity": rng.normal(size=3)}
        things[f"body {k}"] = shape.at(place) if k % 3 == 0 else shape.moving(place, **moving)
    things["thrown"] = BALL.moving((HERE, [0, 0, 9]), velocity=[3, 0, 0], acceleration=[0, 0, -8])
    return things


@pytest.mark.parametrize("seed", range(sample(3, 60)))
def test_all_pairs_one_by_one(seed):
    things = crowd(np.random.default_rng(seed), 7)
    scene = fc.Scene(things)
    near = scene.clearance()
    found = {pair: fc.clearance(things[pair[0]], things[pair[1]]) for pair in combinations(things, 2)}
    least = min(found, key=lambda pair: found[pair].distance)
    assert near.distance == found[least].distance
    assert min(one.distance_lower for one in found.values()) <= near.distance_lower <= near.distance
    assert found[near.a, near.b].distance == near.distance
    assert near.stats.solved <= near.stats.pairs <= len(found)
    assert list(near.things) == [near.a, near.b]


def test_what_is_ignored_is_not_looked_at():
    scene = fc.Scene(a=BALL, b=BALL.at((HERE, [1, 0, 0])), c=BALL.at((HERE, [5, 0, 0])))
    assert (scene.clearance().a, scene.clearance().b) == ("a", "b")
    scene.ignore("a", "b")
    near = scene.clearance(tolerance=1e-3)
    assert (near.a, near.b, near.status) == ("b", "c", fc.Status.SEPARATED)
    assert near.distance == pytest.approx(3.2)
    assert near.distance - 1e-3 <= near.distance_lower <= near.distance


def test_what_touches_and_what_has_no_faces():
    scene = fc.Scene(a=BALL, b=BALL, nothing=fc.Mesh([], []))
    near = scene.clearance()
    assert (near.distance, near.distance_lower, near.status) == (0, 0, fc.Status.CONTACT)
    assert fc.Scene(a=BALL, nothing=fc.Mesh([], [])).clearance().distance == np.inf
    assert repr(fc.Scene().clearance()) == "SceneClearance(none)"


def test_what_deforms_comes_near():
    sheet = fc.Mesh(3 * np.eye(3), [[0, 1, 2]])
    sinking = sheet.deforming(sheet.vertices + 3, sheet.vertices + 1)
    near = fc.Scene(a=BALL, sheet=sinking, far=BALL.at((np.eye(3), [0, 0, 60]))).clearance()
    alone = fc.clearance(BALL, sinking)
    assert (near.a, near.b, near.distance) == ("a", "sheet", alone.distance)
    assert near.distance_lower <= alone.distance_lower + 1e-12
