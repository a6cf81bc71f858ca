"""The least distance of robots along their paths: closed forms, samples, self-contact, throws, options."""

import pickle

import numpy as np
import pytest

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
N = sample(15, 500)


def arm(n=4, as_mesh=False):
    """A chain of capsules with hinges about all axes."""
    bone = fc.Capsule(0.05, 0.4)
    part = (fc.Box([0.1, 0.1, 0.45]).mesh if as_mesh else bone).at((HERE, [0, 0, 0.2]))
    links = {"base": ()} | {f"link {i}": part for i in range(n)}
    joints = [
        fc.Joint(
            f"joint {i}",
            "revolute",
            "base" if i == 0 else f"link {i - 1}",
            f"link {i}",
            axis=np.roll([0, 1, 0], i),
            origin=(HERE, [0, 0, 0.4 if i else 0]),
        )
        for i in range(n)
    ]
    return fc.Robot(links, joints)


OBSTACLES = {
    "ball": fc.Sphere(0.2).at((HERE, [0.9, 0.3, 0.8])),
    "box": fc.Box([0.3, 0.3, 0.3]).at((HERE, [-0.5, 0.9, 0.5])),
    "mesh": fc.Cylinder(0.2, 0.6).mesh.at((HERE, [0.2, -0.9, 0.9])),
}


def paths(robot, n=N):
    rng = np.random.default_rng(1)
    start = rng.normal(size=(n, robot.dof)) * 0.6
    return robot.moving(start, start + rng.normal(size=(n, robot.dof)) * 0.6)


def test_a_hinge_turns_past_a_ball():
    """The tip of a capsule on a circle of radius 1: nearest where it points at the ball."""
    links = {"base": (), "arm": fc.Capsule(0.05, 1).at((HERE, [0, 0, 0.5]))}
    robot = fc.Robot(links, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
    ball = fc.Sphere(0.1).at((HERE, [1.5 * np.sin(0.7), 0, 1.5 * np.cos(0.7)]))
    found = fc.clearance(robot.moving([0], [1.4]), ball, tolerance=1e-5)
    assert found.distance_lower <= 0.35 <= found.distance <= found.distance_lower + 1.01e-5
    assert found.time == pytest.approx(0.5, abs=1e-2)
    assert (found.a, found.b) == ("arm", "world")
    assert repr(found).endswith("'arm' and 'world')")


@pytest.mark.parametrize("self_contact", [False, True])
@pytest.mark.parametrize("as_mesh", [False, True])
def test_no_sample_is_nearer(as_mesh, self_contact):
    moving = paths(arm(as_mesh=as_mesh))
    found = fc.clearance(moving, OBSTACLES, self_contact=self_contact)
    least = found.profile(65).distances.min(axis=1)
    assert (least >= found.distance_lower - 1e-12).all()
    assert (found.distance <= least + np.maximum(0.0101 * least, 1e-5)).all()
    assert (found.distance - found.distance_lower <= np.maximum(0.0101 * found.distance, 1e-5)).all()
    is_free = fc.is_free(moving, OBSTACLES, self_contact=self_contact)
    assert is_free[found.distance_lower > 1e-5].all()
    assert not is_free[found.distance == 0].any()


def test_a_ball_is_thrown_at_an_arm():
    thrown = fc.Sphere(0.1).moving((HERE, [1.5, 0.8, 0]), velocity=[-2, 0, 5], acceleration=[0, 0, -8])
    found = fc.clearance(paths(arm(), 6), {"thrown": thrown})
    least = found.profile(401).distances.min(axis=1)
    assert (least >= found.distance_lower - 1e-12).all()
    assert (found.distance - found.distance_lower <= np.maximum(0.0101 * found.distance, 1e-5)).all()


def test_one_of_a_batch_and_one_alone():
    robot = arm()
    moving = paths(robot, 3)
    batch = fc.clearance(moving, OBSTACLES)
    q0, q1 = moving.motion.configuration(0.0), moving.motion.configuration(1.0)
    for k in range(3):
        alone = fc.clearance(robot.moving(q0[k], q1[k]), OBSTACLES)
        assert (alone.distance, alone.distance_lower, alone.time) == (
            batch.distance[k],
            batch.distance_lower[k],
            batch.time[k],
        )
        assert (alone.a, alone.b) == (batch.a[k], batch.b[k])
        there = fc.distance(robot.at(alone.things["robot"].motion.configuration(alone.time)), OBSTACLES)
        assert there.distance == pytest.approx(alone.distance, abs=1e-9)
        assert alone.profile(5).distances == pytest.approx(batch.profile(5).distances[k], abs=1e-9)
    assert pickle.loads(pickle.dumps(batch)) == batch


def test_inside_a_closed_mesh_is_at_no_distance():
    room = fc.Box([9, 9, 9]).mesh
    hollow = fc.Mesh(
        np.concatenate([room.vertices, 0.1 * room.vertices + 4]),
        np.concatenate([room.faces, room.faces + len(room.vertices)]),
    )
    found = fc.clearance(arm().moving([0, 0, 0, 0], [1, 0, 0, 0]), hollow)
    assert (found.distance, found.distance_lower) == (0, 0)


def test_nothing_to_come_near_to():
    found = fc.clearance(arm().moving([0, 0, 0, 0], [1, 0, 0, 0]), {})
    assert (found.distance, found.distance_lower, found.a) == (np.inf, np.inf, None)
    with pytest.raises(ValueError, match=r"^there is nothing to check"):
        fc.clearance(arm().moving([0, 0, 0, 0], [1, 0, 0, 0]))
    with pytest.raises(ValueError, match=r"^solid has no meaning for robots"):
        fc.clearance(arm().moving([0, 0, 0, 0], [1, 0, 0, 0]), OBSTACLES, solid=True)
