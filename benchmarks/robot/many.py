"""A dozen robots, of packages on PyPI and the third-party data: where their files are, and their worlds."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

import firstcontact as fc
from robot.cases import Numbers, Obstacle, World, panda, ur5e
from robot.cases import RobotFiles as Files

# Boxes around each robot, of sizes and at distances in units of how far it reaches.
_N_BOXES = 12
_SIZES, _NEAR, _FAR = (0.05, 0.25), 0.35, 1.0

# By the package on PyPI: robots of its own folder, by names.
_EXAMPLES = {
    "ur10": "ur_description/urdf/ur10_robot.urdf",
    "xarm7": "xarm_description/urdf/xarm7.urdf",
    "baxter": "baxter_description/urdf/baxter.urdf",
    "tiago": "tiago_description/robots/tiago_no_hand.urdf",
    "anymal": "anymal_b_simple_description/robots/anymal.urdf",
    "romeo": "romeo_description/urdf/romeo_small.urdf",
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos": "talos_data/robots/talos_full_v2.urdf",
}
_BULLET = {
    "iiwa": "kuka_iiwa/model.urdf",
    "laikago": "laikago/laikago_toes.urdf",
    "mini_cheetah": "mini_cheetah/mini_cheetah.urdf",
}


class Robot(NamedTuple):
    """A robot that was read, its files, and the pairs of links that may not touch each other."""

    files: Files
    robot: fc.Robot
    pairs: tuple[tuple[str, str], ...]


def robot_files(data: Path) -> tuple[list[Files], list[str]]:
    """Robots that are here, and what is not."""
    found, missing = [], []
    for files in (panda(data), ur5e(data)):
        (found if files.urdf.is_file() else missing).append(files)
    notes = [f"skipped: {one.name} ({one.urdf} is missing)" for one in missing]
    for package, folder, names in (
        ("example-robot-data", _examples(), _EXAMPLES),
        ("pybullet", _bullet(), _BULLET),
    ):
        if folder is None:
            notes.append(f"skipped: {', '.join(names)} ({package} is missing)")
            continue
        # Packages are named by the folder of all robots, or by one of its own.
        home = folder.parents[1] if package == "example-robot-data" else folder
        found += [Files(name, folder / path, None, home) for name, path in names.items()]
    return found, notes


def _examples() -> Path | None:
    try:
        home = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
    except PackageNotFoundError:
        return None
    return Path(str(home))


def _bullet() -> Path | None:
    spec = find_spec("pybullet_data")
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) if folders else None


def load(files: Files) -> fc.Robot:
    """Read a robot, which was not asked about yet."""
    folders = [files.package_dir, *files.urdf.parents[:3]]
    return fc.Robot.from_urdf(files.urdf, srdf=files.srdf, package_dirs=folders, allow_outside=True)


def read(files: Files) -> Robot:
    """Read a robot; links that touch in all of some configurations may touch."""
    robot = load(files).learn_allowed_pairs(100)
    return Robot(files, robot, robot.self_pairs)


def world_around(one: Robot, seed: int = 0) -> World:
    """Boxes at random around a robot, as near as its arms reach, none at its root."""
    rng, robot = np.random.default_rng(seed), one.robot
    reach = max(
        float(np.linalg.norm(poses[:, :3, 3], axis=1).max())
        for poses in robot.link_poses(robot.sample(50, seed)).values()
    )
    found: list[Obstacle] = []
    while len(found) < _N_BOXES:
        place, size = rng.uniform(-reach, reach, 3), rng.uniform(*_SIZES, 3) * reach
        if _NEAR * reach + 0.5 * np.linalg.norm(size) < np.linalg.norm(place) < _FAR * reach:
            pose = np.eye(4)
            pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            pose[:3, 0] *= np.linalg.det(pose[:3, :3])
            pose[:3, 3] = place
            found.append(Obstacle(f"box {len(found)}", "box", tuple(size.tolist()), pose))
    return World(one.files, "boxes", one.files.name, tuple(found))


def joint_values(robot: fc.Robot, configurations: Numbers) -> Iterator[tuple[str, Numbers]]:
    """Values of all joints that move, also of those that follow others, by their names, (n,)."""
    by_name = {joint.name: joint for joint in robot.joints}
    columns = {name: k for k, name in enumerate(robot.joint_names)}
    for joint in robot.joints:
        leader, factor, shift = joint, 1.0, 0.0
        while leader.mimic is not None:
            name, multiplier, offset = leader.mimic
            factor, shift, leader = factor * multiplier, factor * offset + shift, by_name[name]
        if leader.name in columns:
            yield joint.name, factor * configurations[:, columns[leader.name]] + shift
