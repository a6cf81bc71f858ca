import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.robot import Robot

LINKS = {"base": (), "cart": fc.Sphere(0.1), "arm": fc.Sphere(0.1), "drone": fc.Sphere(0.1)}
JOINTS = [
    Joint("slide", "prismatic", "base", "cart", limits=(-1, 2)),
    Joint("fly", "floating", "base", "drone"),
    Joint("turn", "revolute", "cart", "arm"),
]
ROBOT = Robot(LINKS, JOINTS, groups={"arm": ["slide", "turn"], "drone": ("fly",)}, states={"up": {"turn": 1}})


def test_a_group_moves_while_the_others_stay():
    arm = ROBOT.group("arm")
    rest = {"fly": [1, 2, 3, 0, 0, 0, 1], "slide": 7}
    q0, q1 = np.array([0.5, 0.1]), np.array([1.5, 0.3])
    moving = arm.moving(q0, q1, rest=rest).motion
    for t in (0.0, 0.25, 1.0):
        expected = ROBOT.configuration(rest)
        expected[[0, 8]] = (1 - t) * q0 + t * q1
        np.testing.assert_allclose(moving.configuration(t), expected, atol=1e-15)
    assert arm.at(q0).motion.configuration(0.0).tolist() == [0.5, 0, 0, 0, 0, 0, 0, 1, 0.1]
    np.testing.assert_array_equal(arm.along([q0, q1, q0]).motion.configuration(0.5)[[0, 8]], q1)
    assert arm.configuration([q0, q1]).shape == (2, 9)
    np.testing.assert_array_equal(arm.limits, ROBOT.limits[[0, 8]])
    assert arm.sample(5, 1).shape == (5, 2)
    assert (arm.robot, arm.name, arm.dof, arm.joint_names) == (ROBOT, "arm", 2, ("slide", "turn"))
    assert repr(arm) == "JointGroup('arm' of 'robot', slide, turn)"


def test_configurations_by_name():
    assert ROBOT.configuration({}).tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0]
    batch = ROBOT.configuration({"turn": [0.1, 0.2], "slide": 3})
    assert batch[:, [0, 8]].tolist() == [[3, 0.1], [3, 0.2]]
    assert fc.distance(ROBOT.at({"slide": 1}), fc.Sphere(0.1).at((np.eye(3), [1, 0, 9]))).distance > 8
    assert ROBOT.configuration(ROBOT.states["up"])[8] == 1.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"trun": 1}, "there is no joint with a value 'trun'; did you mean 'turn'?"),
        ({"turn": "x"}, "value of joint 'turn'"),
        ({"turn": [[1], [2, 3]]}, "value of joint 'turn' must be a rectangular array of numbers"),
        ({"turn": [[1, 2]]}, "value of joint 'turn' must have shape (n,) or (); received (1, 2)"),
        ({"turn": np.ma.masked}, "value of joint 'turn' must have no masked numbers"),
        ({"turn": [1, 2], "slide": [1, 2, 3]}, "must be batches of the same length; received [2, 3]"),
        ({"fly": 1}, "value of joint 'fly' must have shape (n, 7) or (7,)"),
    ],
)
def test_wrong_values_by_name(values, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        ROBOT.at(values)
    assert message in str(caught.value)


def test_groups_and_states_must_be_of_the_robot():
    with pytest.raises(ValueError, match="there is no joint with a value 'trn'; did you mean 'turn'"):
        Robot(LINKS, JOINTS, groups={"arm": ["trn"]})
    with pytest.raises(ValueError, match="there is no joint with a value 'trn'"):
        Robot(LINKS, JOINTS, states={"up": {"trn": 1}})
    with pytest.raises(ValueError, match="there is no group 'leg'"):
        ROBOT.group("leg")
    with pytest.raises(ValueError, match="there is no group"):
        ROBOT.group(["arm"])
    with pytest.raises(ValueError, match="rest must be one configuration"):
        ROBOT.group("arm").configuration([0, 0], rest={"slide": [1, 2]})


def test_groups_stay_with_a_robot_that_holds_something():
    held = ROBOT.attach("arm", fc.Sphere(0.05)).allow("cart", "arm")
    assert held.groups == ROBOT.groups
    assert held.states == ROBOT.states


def test_a_group_takes_values_by_name():
    """What is not named stays at rest, in the group, too."""
    robot = Robot(LINKS, JOINTS, groups={"both": ["slide", "turn"], "none": []})
    both, rest = robot.group("both"), {"slide": 0.5, "turn": 0.25}
    assert both.configuration({"turn": 2}, rest).tolist() == both.configuration([0.5, 2], rest).tolist()
    many = both.configuration({"turn": [1, 2]}, rest)
    assert many.tolist() == both.configuration([[0.5, 1], [0.5, 2]], rest).tolist()
    assert both.moving({"slide": 1}, {"turn": 3}, rest=rest).motion.configuration(0).tolist() == (
        robot.configuration({"slide": 1, "turn": 0.25}).tolist()
    )
    with pytest.raises(ValueError, match="group 'none' has no joint 'turn'"):
        robot.group("none").at({"turn": 1})
    with pytest.raises(ValueError, match="rest must be finite"):
        both.at([0, 0], rest=np.full(robot.dof, np.nan))


def test_a_group_of_no_joints_is_the_robot_at_rest():
    group = Robot(LINKS, JOINTS, groups={"none": []}).group("none")
    for nothing in ([], {}, np.zeros(0)):
        assert group.configuration(nothing, {"turn": 2}).tolist() == ROBOT.configuration({"turn": 2}).tolist()
        assert not group.at(nothing).motion.is_batch
    assert group.configuration(np.zeros((3, 0))).shape == (3, ROBOT.dof)


def test_groups_and_states_that_say_too_much():
    for groups, message in (
        ({"arm": "turn"}, "joints of group 'arm' must be several names; received 'turn'"),
        ({"arm": ["turn", "turn"]}, "group 'arm' must name no joint twice; received turn, turn"),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            Robot(LINKS, JOINTS, groups=groups)
        assert str(caught.value) == message
    with pytest.raises(ValueError, match="state 'up' must be one configuration; received several"):
        Robot(LINKS, JOINTS, states={"up": {"turn": [1, 2]}})
    with pytest.raises(TypeError, match="a group goes through waypoints"):
        ROBOT.group("arm").along(CubicSpline([0, 1], np.zeros((2, 2))))
