"""Answers know what was asked about."""

import numpy as np
import pytest

import firstcontact as fc

HERE, AWAY = np.eye(4), np.diag([1.0, 1.0, 1.0, 1.0])
AWAY[0, 3] = 5.0
BOX, BALL = fc.Box([1, 1, 1]), fc.Sphere(0.5)
ARM = fc.Robot(
    {"base": (), "arm": fc.Capsule(0.05, 1)},
    [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])],
    name="arm",
)


def test_a_pair_is_a_and_b():
    moving, resting = BALL.moving(AWAY, HERE), BOX.at(HERE)
    for answer in (fc.first_contact(moving, resting), fc.first_contacts(moving, resting)):
        assert answer.things == {"a": moving, "b": resting}


@pytest.mark.parametrize("query", [fc.distance, fc.penetration])
def test_a_bare_shape_is_at_rest(query):
    things = query(BALL, BOX.at(HERE)).things
    assert things["a"].shape is BALL
    np.testing.assert_array_equal(things["a"].pose(0.0), np.eye(4))


def test_what_deforms_is_alone():
    cloth = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    step = cloth.deforming(cloth.vertices, cloth.vertices + 1.0)
    assert fc.contacts(step).things == fc.first_contact(step).things == {"a": step}


def test_a_robot_and_its_obstacles_have_their_names():
    path = ARM.moving([0.0], [1.0])
    assert list(fc.first_contact(path, {"ball": BALL, "box": BOX}).things) == ["arm", "ball", "box"]
    assert list(fc.first_contact(path, {"arm": BALL}).things) == ["arm'", "arm"]
    assert list(fc.first_contacts(path, BALL).things) == ["arm", "world"]
    assert fc.distance(ARM.at([0.0]), BALL).things["world"].shape is BALL


def test_bodies_of_a_scene_are_as_they_were():
    scene = fc.Scene(box=BOX, ball=BALL.moving(AWAY, HERE), far=BALL.at((np.eye(3), [0, 50, 0])))
    first, every = scene.first_contact(), scene.contacts()
    scene.update(ball=BALL.at(AWAY))
    assert list(first.things) == ["box", "ball"]
    assert list(every.things) == ["box", "ball", "far"]
    for answer in (first, every):
        np.testing.assert_array_equal(answer.things["ball"].pose(1.0), HERE)
    assert scene.first_contact().things == {}
