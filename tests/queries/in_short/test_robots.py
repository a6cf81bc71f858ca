"""One robot among obstacles at rest, in short: the answers of who is asked at length, to the last bit."""

from itertools import product

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.ask import USUAL, WITH_ITSELF, Ask
from firstcontact.articulated.paths.kept_worlds import N_KEPT
from firstcontact.articulated.paths.ready_worlds import READY
from firstcontact.queries.look_up import answered_at_length, in_short
from poses import pose
from samples import sample

ASKS = USUAL, WITH_ITSELF, Ask.checked(self_contact=True, min_separation=0.05, tolerance=1e-4)
HERE = np.eye(3)
ARM = fc.Capsule(0.06, 0.6).at((HERE, [0, 0, 0.35]))
BOX = fc.Box([0.3, 0.2, 0.1])


def two_boxes():
    """A closed mesh that is not convex: a box in a larger hollow one, and another beside."""
    one, other = fc.Box([0.2, 0.2, 0.5]).mesh, fc.Box([0.1, 0.3, 0.1]).mesh
    vertices = np.concatenate(
        [one.vertices + np.array([0, 0, 0.4]), other.vertices + np.array([0.3, 0, 0.4])]
    )
    return fc.Mesh(vertices, np.concatenate([one.faces, other.faces + len(one.vertices)]))


def robot_of(last, *kinds):
    links = {"base": BOX, "a": ARM, "b": ARM, "c": last}
    joints = [
        fc.Joint(f"{parent} {child}", kind, parent, child, (HERE, [0, 0, 0.7 * (parent != "base")]), axis)
        for parent, child, kind, axis in zip(
            ["base", "a", "b"], ["a", "b", "c"], kinds, np.eye(3)[[1, 0, 1]], strict=True
        )
    ]
    return fc.Robot(links, joints)


ROBOTS = {
    "shapes": robot_of(BOX, "revolute", "revolute", "revolute"),
    "slides": robot_of(two_boxes(), "revolute", "prismatic", "revolute"),
    "turns": robot_of(two_boxes(), "revolute", "ball", "continuous"),
    "floats": robot_of(BOX, "floating", "revolute", "revolute"),
}
SHED = fc.Mesh(9 * BOX.mesh.vertices * [1, 1, 4], BOX.mesh.faces)  # holds a robot
THINGS = {
    "ball": fc.Sphere(0.2).at((HERE, [0.9, 0.3, 0.9])),
    "box": BOX.at(pose((0.1, 0.2, 0.3), (-0.6, 0.4, 1.1))),
    "mesh": two_boxes().at((HERE, [0.4, -0.9, 0.6])),
    "tall": BOX.at((HERE, [0.2, 0.9, 0.4])),
}
OBSTACLES = {
    "dict": THINGS,
    "list": list(THINGS.values()),
    "scene": fc.Scene(THINGS),
    "floor": {"floor": fc.HalfSpace([0, 0, 1], -0.6), "box": THINGS["box"]},
    "compound": fc.Compound([fc.Sphere(0.2), BOX]).at((HERE, [0.5, 0.5, 0.5])),
    "lone": THINGS["mesh"],
    "shed": SHED.at((HERE, [0, 0, 0.2])),
    "none": {},
}
BASES = None, np.array([0.1, 0.2, 0.05]), np.array([[5000.0, 0, 0, 0, 0, 0.6, 0.8]])[0]


def ruled(robot):
    return robot.allow("c", "ball").allow("a", "box").pad("b", by=0.05).pad("tall", by=0.02)


def same(verb, moving, obstacles, ask):
    """Ask in both ways; whether it was answered in short."""
    if obstacles is None and not ask.self_contact:
        return False
    long, short = answered_at_length(verb, moving, obstacles, ask), in_short(verb, moving, obstacles, ask)
    assert short is None or (type(short) is type(long) and short == long), (verb, ask, short, long)
    return short is not None


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("given", OBSTACLES)
def test_the_answers_of_who_is_asked_at_length(name, given):
    rng, n, n_short = np.random.default_rng(list(name.encode())), 0, 0
    obstacles = OBSTACLES[given]
    for robot, base in product((ROBOTS[name], ruled(ROBOTS[name])), BASES):
        configurations = robot.sample(sample(3, of=60), int(rng.integers(99)))
        for q0, q1 in zip(configurations, configurations[::-1], strict=True):
            near = q0 + 0.1 * (q1 - q0)
            ways = robot.moving(q0, near, base=base), robot.at(q0, base=base), robot.along([q0, near, q0])
            for ask, way in product(ASKS, ways):
                for verb in ("is_free", "safe_step"):
                    n_short += same(verb, way, obstacles, ask)
                    n += 1
            for ask in ASKS[:2]:
                n_short += same("intersects", ways[1], obstacles, ask)
                n += 1
    assert n_short > 0.8 * n or given == "none"  # without obstacles, USUAL has no pairs


def test_what_is_given_is_looked_at_each_time():
    robot, here, away = ROBOTS["shapes"], BOX.at((HERE, [0, 0, 0.4])), BOX.at((HERE, [9, 0, 0]))
    still = robot.at(np.zeros(3))
    given = {"x": away}
    scene = fc.Scene(x=away)
    for thing in (here, away, away, away, here, here, here):
        given["x"] = thing
        scene.update({"x": thing})
        for obstacles in (given, scene, [thing], (thing,), thing):
            for _ in range(3):
                assert fc.intersects(still, obstacles) is (thing is here)
    assert len(robot.settings[READY]) <= N_KEPT
    assert fc.intersects(still, {"0": here})
    assert not fc.intersects(robot.allow("a", "y").at(np.zeros(3)), {})
    ruled = robot.allow("a", "y").allow("base", "y").allow("b", "y")
    for _ in range(3):  # names matter, with things that are the same
        assert not fc.intersects(ruled.at(np.zeros(3)), {"y": here})
        assert fc.intersects(ruled.at(np.zeros(3)), {"z": here})


def test_what_is_unusual_is_left_to_who_is_asked_at_length():
    robot, wall = ROBOTS["slides"], {"wall": BOX.at((HERE, [9, 0, 0]))}
    q = np.zeros(3)
    others = [
        (robot.at(q[np.newaxis]), wall, USUAL),
        (robot.at(q), {"wall": BOX.moving((HERE, [9, 0, 0]), velocity=[1, 0, 0])}, USUAL),
        (robot.at(q), {"robot": robot.at(q, base=[9, 0, 0])}, USUAL),
        (robot.at(q), wall, Ask.checked(method="advancement")),
        (robot.at(q), wall, Ask.checked(progress=True)),
        (robot.at(q), fc.DistanceField.of(fc.Sphere(0.1), 0.05).at((HERE, [9, 0, 0])), USUAL),
    ]
    for moving, obstacles, ask in others:
        for _ in range(3):
            answered_at_length("is_free", moving, obstacles, ask)
            assert in_short("is_free", moving, obstacles, ask) is None
    for _ in range(3):
        assert fc.is_free(robot.moving(q, q + 0.01), wall)
        with pytest.raises(ValueError, match="intersects is for one instant, and a moves"):
            fc.intersects(robot.moving(q, q + 0.01), wall)
        with pytest.raises(ValueError, match="there is nothing to check"):
            fc.intersects(robot.at(q))
    with pytest.raises(ValueError, match=r"solid has no meaning for robots"):
        fc.intersects(robot.at(q), wall, solid=True)


def test_a_slide_that_leaves_what_was_prepared_is_seen():
    """The half-space is a slab there, as large as the robot may reach."""
    robot = ROBOTS["slides"]
    floor = {"floor": fc.HalfSpace([0, 0, 1], -0.9)}
    for _ in range(3):
        assert fc.is_free(robot.at(np.zeros(3)), floor)
    for far in (1e3, 1e6):
        q = np.array([np.pi / 2, far, 0.0])
        long = answered_at_length("intersects", robot.at(q), floor, USUAL)
        assert fc.intersects(robot.at(q), floor) is long


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e60])
def test_bad_numbers_get_their_sentence(bad):
    robot = ROBOTS["shapes"]
    with pytest.raises(ValueError, match=r"q must (be finite|lie within)"):
        robot.at(np.array([0.0, bad, 0.0]))
    with pytest.raises(ValueError, match=r"q1 must (be finite|lie within)"):
        robot.moving(np.zeros(3), np.array([0.0, bad, 0.0]))
    with pytest.raises(ValueError, match=r"q0 must have shape \(n, 3\) or \(3,\); received \(2,\)"):
        robot.moving(np.zeros(2), np.zeros(3))


def test_motions_of_plain_arrays_are_those_of_lists():
    robot, q = ROBOTS["shapes"], np.array([0.1, -0.2, 0.3])
    for short, long in (
        (robot.at(q), robot.at(q.tolist())),
        (robot.moving(q, -q), robot.moving(q.tolist(), (-q).tolist())),
        (robot.at(q[::1]), robot.at(np.repeat(q, 2)[::2])),
    ):
        for name in ("configurations", "times"):
            one, other = getattr(short.motion, name), getattr(long.motion, name)
            assert one.tobytes() == other.tobytes()
            assert not one.flags.writeable
        assert short.motion.is_resting == long.motion.is_resting
        assert repr(short) == repr(long)
        assert short.motion.configuration(0.25).tolist() == long.motion.configuration(0.25).tolist()
    q[:] = 9.0  # what was given is not what is kept
    assert robot.at(np.zeros(3)).motion.configurations.max() == 0.0
