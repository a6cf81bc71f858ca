"""Worlds that are kept: what is asked after a change is what is asked of a new robot."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.articulated.paths.kept_worlds import KEPT, N_KEPT

SLIDE = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
TETRA = fc.Mesh(
    [[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
)
SHAPES = [
    fc.Sphere(0.5),
    fc.Box([0.4, 0.5, 0.6]),
    fc.ConvexHull(TETRA.vertices),
    TETRA,
    fc.HalfSpace([0, 0, 1], -4),
    fc.Compound([fc.Sphere(0.2), fc.Box([0.3, 0.3, 0.3])]),
    fc.Points([[0, 0, 0], [0.3, 0, 0]], 0.1),
]


def new_robot():
    return fc.Robot({"base": (), "cart": fc.Box([0.5, 0.5, 0.5])}, [SLIDE]).pad("cart", by=0.1)


def place(rng):
    return np.eye(3), rng.uniform(-3, 3, 3) * [1, 0.6, 0.6]


def random_thing(rng):
    shape = SHAPES[rng.integers(len(SHAPES))]
    if rng.random() < 0.2 and not isinstance(shape, fc.HalfSpace):
        return shape.moving(place(rng), place(rng))
    return shape.at(place(rng))


@pytest.mark.parametrize("form", ["dict", "list", "scene"])
@pytest.mark.parametrize("seed", range(4))
def test_changes_are_seen(form, seed):
    rng = np.random.default_rng(seed)
    robot, things = new_robot(), {str(k): random_thing(rng) for k in range(12)}
    scene = fc.Scene(things)
    for _ in range(25):
        for name in rng.choice(list(things), rng.integers(0, 3), replace=False).tolist():
            other = things[name].shape.at(place(rng)) if rng.random() < 0.6 else random_thing(rng)
            things = things | {name: other}
            scene.update({name: other})
        given = {"dict": things, "list": list(things.values()), "scene": scene}[form]
        q = rng.uniform(-4, 4, (2, 1))
        found = fc.first_contact(robot.moving(*q), given)
        fresh = fc.first_contact(new_robot().moving(*q), things)
        assert (found.time, found.a, found.b) == (fresh.time, fresh.a, fresh.b)
        assert len(robot.settings[KEPT]) <= N_KEPT


def test_a_scene_that_gains_and_loses_bodies_is_seen():
    robot, ball = new_robot(), fc.Sphere(0.5)
    scene = fc.Scene(far=ball.at((np.eye(3), [0, 9, 0])))
    path = robot.moving([0.0], [4.0])
    assert fc.is_free(path, scene)
    scene.add(near=ball.at((np.eye(3), [3, 0, 0])))
    assert not fc.is_free(path, scene)
    scene.update(near=ball.at((np.eye(3), [3, 5, 0])))
    assert fc.is_free(path, scene)
    scene.remove("near")
    scene.add(near=ball.at((np.eye(3), [3, 0, 0])))
    assert not fc.is_free(path, scene)


def test_many_other_shapes_do_not_fill_the_pool():
    robot, rng = new_robot(), np.random.default_rng(0)
    for _ in range(60):
        hull = fc.ConvexHull(rng.normal(size=(300, 3)))
        fc.is_free(robot.at([9.0]), {"hull": hull, "ball": fc.Sphere(1)})
    (world,) = robot.settings[KEPT][-1:]
    assert len(world.shapes.geometries.pool) <= world.room.pool


def test_what_is_no_obstacle_is_told():
    with pytest.raises(
        TypeError, match=r"^obstacles must be a shape, moving or not, a robot, several of them"
    ):
        fc.is_free(new_robot().at([0.0]), 3)
    with pytest.raises(TypeError, match="must be a shape"):
        fc.is_free(new_robot().at([0.0]), [fc.Sphere(1), 3])
    with pytest.raises(
        ValueError, match=r"^there is nothing to check: give obstacles, {} for none, or self_contact"
    ):
        fc.is_free(new_robot().moving([0.0], [1.0]))
