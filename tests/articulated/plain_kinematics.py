"""Robots of all kinds of joints without shapes, and where their links are, with nothing but matrices."""

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from poses import pose, random_poses

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating")


def plain_value(joints, joint, q):
    """Numbers of a joint, its leader's turned into its own."""
    if joint.mimic is not None:
        name, multiplier, offset = joint.mimic
        leader = next(other for other in joints if other.name == name)
        return multiplier * plain_value(joints, leader, q) + offset
    first = 0
    for other in joints:
        if other is joint:
            break
        first += {"fixed": 0, "floating": 7}.get(other.kind, 1) if other.mimic is None else 0
    return q[first : first + 7] if joint.kind == "floating" else q[first] if joint.kind != "fixed" else None


def plain_poses(links, joints, q):
    """Poses of all links, each by a walk to the root."""
    poses = {}
    for link in links:
        found, at = np.eye(4), link
        while above := [joint for joint in joints if joint.child == at]:
            (joint,) = above
            value, own = plain_value(joints, joint, q), np.eye(4)
            if joint.kind == "prismatic":
                own[:3, 3] = value * joint.axis
            elif joint.kind == "floating":
                own = pose(value[:3], Rotation.from_quat(value[3:]))
            elif joint.kind != "fixed":
                own[:3, :3] = Rotation.from_rotvec(value * joint.axis).as_matrix()
            found, at = joint.origin @ own @ found, joint.parent
        poses[link] = found
    return poses


def random_tree(seed):
    """Links and joints of all kinds, given in any order, some of which follow others."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 11))
    links, poses = ["root"], random_poses(n, seed)
    joints, leaders = [], []
    for i in range(n):
        kind = KINDS[rng.integers(5)]
        mimic = None
        if leaders and KINDS.index(kind) < 3 and rng.random() < 0.4:
            mimic = (leaders[rng.integers(len(leaders))], rng.normal(), rng.normal())
        parent = links[rng.integers(len(links))]
        joints.append(fc.Joint(f"j{i}", kind, parent, f"l{i}", poses[i], rng.normal(size=3), mimic=mimic))
        links.append(f"l{i}")
        if KINDS.index(kind) < 3:
            leaders.append(f"j{i}")
    order = rng.permutation(n)
    return list(rng.permutation(links)), [joints[i] for i in order]
