"""Real robots, compared with another reader's forward kinematics."""

import numpy as np
import pytest

from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.model.srdf import read_srdf
from firstcontact.articulated.model.urdf import read_urdf
from firstcontact.shapes.moving import Moving

yourdfpy = pytest.importorskip("yourdfpy")
pytestmark = pytest.mark.shared_data


def test_panda(shared_data):
    path, srdf = shared_data("robots/panda/panda.urdf"), shared_data("robots/panda/panda.srdf")
    robot = Robot.from_urdf(path, srdf)
    assert (robot.name, robot.root, robot.dof) == ("panda", "panda_link0", 7)
    assert (len(robot.link_names), len(robot.joints)) == (13, 12)
    assert [joint.kind for joint in robot.joints] == ["revolute"] * 7 + ["fixed"] * 5
    assert robot.limits[3].tolist() == [-3.1416, 0.0873]
    links = read_urdf(path).links
    assert {name for name, shapes in links.items() if not shapes} == {"panda_link8", "panda_grasptarget"}
    (left,), (right,) = links["panda_leftfinger"], links["panda_rightfinger"]
    assert isinstance(right, Moving)
    assert right.shape is left
    assert frozenset({"panda_hand", "panda_link7"}) in robot.allowed_pairs
    assert read_srdf(srdf, links, robot.joints).allowed == robot.allowed_pairs


def test_ur5e(shared_data):
    path = shared_data("robots/ur5e/ur5e.urdf")
    with pytest.warns(UserWarning, match=r"there is no package 'ur_description', and .* is taken for it"):
        robot = Robot.from_urdf(path)
    assert (robot.root, robot.dof, len(robot.link_names)) == ("base_link", 6, 11)
    assert len(robot.parts) == 7
    assert robot.limits[2].tolist() == [-np.pi, np.pi]


@pytest.mark.parametrize("name", ["panda", "ur5e"])
def test_links_are_where_another_reader_has_them(shared_data, name):
    path = shared_data(f"robots/{name}/{name}.urdf")
    robot = Robot.from_urdf(
        path, package_dirs={"ur_description": path.parent, "meshes": path.parent / "meshes"}
    )
    other = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)
    assert list(robot.joint_names) == list(other.actuated_joint_names)
    rng = np.random.default_rng(0)
    for q in rng.uniform(robot.limits[:, 0], robot.limits[:, 1], (20, robot.dof)):
        other.update_cfg(q)
        poses = robot.link_poses(q)
        for link in robot.link_names:
            np.testing.assert_allclose(poses[link], other.get_transform(link, robot.root), atol=1e-12)
