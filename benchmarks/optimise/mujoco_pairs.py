"""MuJoCo's `mj_geomDistance` of all pairs of a robot's links and what stands around: to it all are hulls."""

from itertools import product
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from robot.cases import Numbers, World

_FAR = 1e3  # metres; farther is nothing


class HullDistances(NamedTuple):
    """Seconds of the processor a configuration, kinematics included, and distances (n, n_pairs), signed."""

    seconds: float
    distances: Numbers


def of_hulls(arm: fc.Robot) -> fc.Robot:
    """The robot with a hull for each mesh."""
    links: dict[str, Any] = {link: [] for link in arm.link_names}
    for part in arm.parts:
        links[part.link].append(fc.ConvexHull(part.shape.vertices).at(part.pose))
    return fc.Robot(links, arm.joints, allowed_pairs=arm.allowed_pairs)


def hull_distances(arm: fc.Robot, world: World, q: Numbers) -> HullDistances:
    """Ask about each pair in each configuration, in calls of its own."""
    import mujoco

    model = _model(arm, world)
    data, line = mujoco.MjData(model), np.zeros(6)
    n_parts = len(arm.parts)
    numbers = {link: [k for k, part in enumerate(arm.parts) if part.link == link] for link in arm.link_names}
    pairs = [pair for a, b in arm.self_pairs for pair in product(numbers[a], numbers[b])]
    pairs += list(product(range(n_parts), range(n_parts, n_parts + len(world.obstacles))))
    poses = _part_poses(arm, q)
    found, seconds = np.empty((len(q), len(pairs))), 0.0
    for i in range(len(q)):
        data.mocap_pos[:], data.mocap_quat[:] = poses[0][i], poses[1][i]
        began = process_time()
        mujoco.mj_kinematics(model, data)
        for k, (a, b) in enumerate(pairs):
            found[i, k] = mujoco.mj_geomDistance(model, data, a, b, _FAR, line)
        seconds += process_time() - began
    return HullDistances(seconds / len(q), found)


def _part_poses(arm: fc.Robot, q: Numbers) -> tuple[Numbers, Numbers]:
    """Places (n, n_parts, 3) and quaternions (n, n_parts, 4), w first, of all parts."""
    from scipy.spatial.transform import Rotation

    links = arm.link_poses(q)
    poses = np.stack([links[part.link] @ part.pose for part in arm.parts], axis=1)
    turns = Rotation.from_matrix(poses[..., :3, :3].reshape(-1, 3, 3)).as_quat(scalar_first=True)
    return poses[..., :3, 3], turns.reshape(*poses.shape[:2], 4)


def _model(arm: fc.Robot, world: World) -> Any:
    """Parts as bodies that are put in place, then obstacles, a geom each, in this order."""
    import mujoco

    spec, kinds = mujoco.MjSpec(), mujoco.mjtGeom
    for k, part in enumerate(arm.parts):
        spec.add_mesh(name=f"mesh {k}", uservert=np.ascontiguousarray(part.shape.vertices).ravel())
        body = spec.worldbody.add_body(name=f"part {k}", mocap=True)
        body.add_geom(name=f"part {k}", type=kinds.mjGEOM_MESH, meshname=f"mesh {k}")
    for k, one in enumerate(world.obstacles):
        size = np.zeros(3)
        if one.kind == "box":
            kind, size[:] = kinds.mjGEOM_BOX, 0.5 * np.array(one.dimensions)
        elif one.kind == "cylinder":
            kind, size[:2] = kinds.mjGEOM_CYLINDER, (one.dimensions[1], 0.5 * one.dimensions[0])
        else:
            kind, size[0] = kinds.mjGEOM_SPHERE, one.dimensions[0]
        body = spec.worldbody.add_body(name=f"obstacle {k}", pos=one.pose[:3, 3])
        body.add_geom(name=f"obstacle {k}", type=kind, size=size, quat=_quaternion(one.pose))
    return spec.compile()


def _quaternion(pose: Numbers) -> Numbers:
    from scipy.spatial.transform import Rotation

    found: Numbers = Rotation.from_matrix(pose[:3, :3]).as_quat(scalar_first=True)
    return found
