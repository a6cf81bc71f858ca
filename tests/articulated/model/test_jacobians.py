"""How links move with the numbers of a configuration, against differences of their poses."""

import numpy as np
import pytest

from queries.kinds.test_robot_near import ROBOTS
from samples import sample

STEP = 1e-6


@pytest.mark.parametrize("name", ["capsules", "floating"])
def test_points_and_links_move_as_differences_say(name):
    robot, own = ROBOTS[name], np.array([0.1, -0.2, 0.3])
    q = robot.sample(sample(10, 500), seed=5)
    for link in robot.link_names:
        found = robot.jacobian(q, link, own)
        turns = robot.link_poses(q)[link][:, :3, :3]
        for k, shift in enumerate(STEP * np.eye(robot.dof)):
            ahead, behind = (robot.link_poses(q + sign * shift)[link] for sign in (1.0, -1.0))
            slopes = (ahead - behind) / (2.0 * STEP)
            np.testing.assert_allclose(found[:, :3, k], slopes[:, :3, :3] @ own + slopes[:, :3, 3], atol=1e-8)
            across = slopes[:, :3, :3] @ np.swapaxes(turns, 1, 2)
            spins = np.stack([across[:, 2, 1], across[:, 0, 2], across[:, 1, 0]], axis=1)
            np.testing.assert_allclose(found[:, 3:, k], spins, atol=1e-8)


def test_a_base_turns_what_a_robot_does():
    robot, q = ROBOTS["capsules"], [0.1, 0.2, -0.3, 0.4]
    base = np.array([[0.0, -1, 0, 2], [1, 0, 0, 3], [0, 0, 1, 4], [0, 0, 0, 1]])
    turned = np.kron(np.eye(2), base[:3, :3]) @ robot.jacobian(q, "link 3")
    np.testing.assert_allclose(robot.jacobian(q, "link 3", base=base), turned, atol=1e-12)


def test_one_configuration_gives_one_matrix_and_what_is_wrong_a_sentence():
    robot = ROBOTS["capsules"]
    assert robot.jacobian(np.zeros(4), "link 3").shape == (6, 4)
    assert robot.jacobian(np.zeros((0, 4)), "link 3").shape == (0, 6, 4)
    with pytest.raises(ValueError, match=r"^there is no link 'link 9'"):
        robot.jacobian(np.zeros(4), "link 9")
    with pytest.raises(ValueError, match=r"^point must be one, of shape \(3,\); received 2$"):
        robot.jacobian(np.zeros(4), "link 3", np.zeros((2, 3)))
