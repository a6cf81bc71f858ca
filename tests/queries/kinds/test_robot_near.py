"""`near` of robots: against each pair by itself, `intersects`, `distance` and differences."""

import numpy as np
import pytest

import firstcontact as fc
from queries.kinds.test_robot_clearance import OBSTACLES, arm
from samples import sample

N = sample(40, 3000)
HERE = np.eye(3)
WORLD = OBSTACLES | {
    "table": fc.Box([2, 2, 0.2]).at((HERE, [0, 0, -0.4])),
    "field": fc.DistanceField.of(fc.Sphere(0.2), 0.01).at((HERE, [0.6, 0, 0.5])),
}
ROBOTS = {
    "capsules": arm(),
    "meshes": arm(as_mesh=True),
    "padded": arm().pad("link 2", by=0.03),
    "floating": fc.Robot(
        {
            "world": (),
            "base": fc.Box([0.2, 0.3, 0.1]),
            "head": fc.Capsule(0.05, 0.3).at((HERE, [0, 0, 0.3])),
            "tip": fc.Sphere(0.08).at((HERE, [0, 0, 0.5])),
        },
        [
            fc.Joint("free", "floating", "world", "base"),
            fc.Joint("neck", "revolute", "base", "head", axis=[1, 0, 0]),
            fc.Joint("nod", "prismatic", "head", "tip", axis=[0, 0, 1], mimic=("neck", -0.5, 0.1)),
        ],
    ),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_the_least_is_the_distance_and_the_sign_that_of_intersects(name):
    robot = ROBOTS[name]
    standing = robot.at(robot.sample(N, seed=1))
    least = fc.near(standing, WORLD, within=0.2, self_contact=True).least()
    touches = fc.intersects(standing, WORLD, self_contact=True)
    np.testing.assert_array_equal(least <= 0.0, touches)
    world = {key: thing for key, thing in WORLD.items() if key != "field"}  # known to a tolerance
    least = fc.near(standing, world, within=0.2, self_contact=True).least()
    apart = fc.distance(standing, world, self_contact=True).distance
    np.testing.assert_allclose(np.clip(least, 0, 0.2), np.minimum(apart, 0.2), atol=1e-9)


def test_all_pairs_are_there_and_as_each_says_by_itself():
    robot = ROBOTS["meshes"]
    for q in robot.sample(6, seed=2):
        found = fc.near(robot.at(q), WORLD, within=0.5)
        told = dict(zip(zip(found.a, found.b, strict=True), found.distance, strict=True))
        poses = robot.link_poses(q)
        for part in robot.parts:
            link = part.shape.at(poses[part.link] @ part.pose)
            for name, thing in ((key, one) for key, one in WORLD.items() if key != "field"):
                one = fc.near(link, thing, within=0.5)
                expected = one.distance.tolist()
                assert (
                    [told[part.link, name]] == pytest.approx(expected, abs=1e-9)
                    if expected
                    else ((part.link, name) not in told)
                )


@pytest.mark.parametrize("name", ROBOTS)
def test_gradients_are_differences(name):
    robot, step = ROBOTS[name], 1e-6
    rows = robot.sample(max(N // 4, 8), seed=3)
    world = {key: thing for key, thing in WORLD.items() if key != "field"}

    def told(q, within):
        found = fc.near(robot.at(q), world, within=within, self_contact=True)
        keys = zip(found.rows.tolist(), found.a, found.b, strict=True)
        return found, dict(zip(keys, found.distance, strict=True))

    found, here = told(rows, 0.2)
    assert len(here) == len(found)
    for k in range(robot.dof):
        shift = step * np.eye(robot.dof)[k]
        (_, ahead), (_, behind) = (told(rows + sign * shift, 0.21) for sign in (1.0, -1.0))
        for i, (key, value) in enumerate(here.items()):
            slopes = (ahead[key] - value) / step, (value - behind[key]) / step
            slopes = np.array([*slopes, 0.5 * sum(slopes)])
            if name == "meshes" and value < 0.0:
                continue
            assert np.abs(slopes - found.gradient[i, k]).min() < 1e-4


def test_a_base_and_all_obstacles_moved_with_it_change_nothing():
    robot = ROBOTS["meshes"]
    base = np.array([[0.0, -1, 0, 2], [1, 0, 0, 3], [0, 0, 1, 4], [0, 0, 0, 1]])
    world = {"ball": fc.Sphere(0.1).at((HERE, [0.3, 0, 0.9])), "box": fc.Box([0.2, 0.2, 0.2])}
    moved = {name: thing.shape.at(base @ thing.pose(0.0)) for name, thing in world.items() if name == "ball"}
    moved["box"] = world["box"].at(base)
    q = robot.sample(10, seed=4)
    one = fc.near(robot.at(q), world, within=0.5, self_contact=True)
    other = fc.near(robot.at(q, base=base), moved, within=0.5, self_contact=True)
    np.testing.assert_allclose(other.distance, one.distance, atol=1e-9)
    np.testing.assert_allclose(other.gradient, one.gradient, atol=1e-6)


def test_open_meshes_of_links_are_as_deep_as_their_hulls():
    box = fc.Box([0.4, 0.4, 0.4]).mesh
    link = fc.Mesh(box.vertices, box.faces[:-1])
    slide = fc.Joint("slide", "prismatic", "base", "cart", axis=[0, 0, 1])
    robot = fc.Robot({"base": (), "cart": link}, [slide])
    found = fc.near(robot.at([0.15]), fc.Box([1, 1, 1]).at((HERE, [0, 0, -0.5])), within=1)
    np.testing.assert_allclose(found.distance, [-0.05])
    np.testing.assert_allclose(found.gradient, [[1.0]])


def test_a_robot_alone_asks_for_itself():
    robot = ROBOTS["capsules"]
    with pytest.raises(ValueError, match=r"^there is nothing to check"):
        fc.near(robot.at(np.zeros(4)), within=1)
    assert fc.near(robot.at(np.zeros((2, 4))), {}, within=1).starts.tolist() == [0, 0, 0]
