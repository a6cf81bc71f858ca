"""Links and joints as a forest of frames: one for each joint that moves.

Links that fixed joints hold together are one rigid body: they hang on one frame, or on the world (-1).
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.articulated.joint import Joint
from firstcontact.motions.joint_motion import N_FLOATING, JointMotion
from firstcontact.motions.rigid_motion import (
    AXIS,
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
)

Array = NDArray[np.float64]
Ids = NDArray[np.int32]


class Drive(NamedTuple):
    """Where the value of a joint comes from: ``multiplier * q[column] + offset``."""

    column: int
    multiplier: float
    offset: float


class KinematicTree(NamedTuple):
    """A checked tree of links and joints.

    root : the link that is no child
    joints : those that move, parents before children; the frames
    parents : (n_frames,) int32, frame of the parent; -1 for the world
    origins : (n_frames, 4, 4) where a joint is, in the frame of its parent
    drives : where the value of each comes from
    dof : numbers in a configuration
    link_frames : frame of each link by its name
    link_offsets : pose (4, 4) of each link in its frame
    """

    root: str
    joints: tuple[Joint, ...]
    parents: Ids
    origins: Array
    drives: tuple[Drive, ...]
    dof: int
    link_frames: dict[str, int]
    link_offsets: dict[str, Array]


def kinematic_tree(link_names: Sequence[str], joints: Sequence[Joint]) -> KinematicTree:
    """Check that links and joints make a tree, and find its frames."""
    ordered = _ordered(link_names, joints)
    drives, dof = _drives(joints)
    root = (set(link_names) - {joint.child for joint in joints}).pop()
    frames, offsets = {root: -1}, {root: np.eye(4)}
    moving: list[Joint] = []
    parents, origins = [], []
    for joint in ordered:
        frame, pose = frames[joint.parent], offsets[joint.parent] @ joint.origin
        if joint.kind != "fixed":
            parents.append(frame)
            origins.append(pose)
            frame, pose = len(moving), np.eye(4)
            moving.append(joint)
        frames[joint.child], offsets[joint.child] = frame, pose
    return KinematicTree(
        root,
        tuple(moving),
        np.array(parents, np.int32),
        np.array(origins).reshape(-1, 4, 4),
        tuple(drives[joint.name] for joint in moving),
        dof,
        frames,
        offsets,
    )


def unknown(what: str, name: str, known: Iterable[str]) -> ValueError:
    """Make the error about a name that is not there."""
    near = get_close_matches(name, list(known), 1)
    return ValueError(f"there is no {what} {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _ordered(link_names: Sequence[str], joints: Sequence[Joint]) -> list[Joint]:
    """Joints, parents before children; an error where they are no tree."""
    _check_names("link", link_names)
    _check_names("joint", [joint.name for joint in joints])
    of_parent: dict[str, list[Joint]] = {name: [] for name in link_names}
    by_child: dict[str, Joint] = {}
    for joint in joints:
        for end in (joint.parent, joint.child):
            if end not in of_parent:
                raise ValueError(f"joint {joint.name!r}: {unknown('link', end, link_names)}")
        if joint.child in by_child:
            names = f"{by_child[joint.child].name!r} and {joint.name!r}"
            raise ValueError(f"link {joint.child!r} is the child of two joints, {names}")
        by_child[joint.child] = joint
        of_parent[joint.parent].append(joint)
    roots = [name for name in link_names if name not in by_child]
    if len(roots) > 1:
        raise ValueError(f"links must make one tree; {roots[0]!r} and {roots[1]!r} are both roots")
    ordered, waiting = [], [joint for root in roots for joint in reversed(of_parent[root])]
    while waiting:
        joint = waiting.pop()
        ordered.append(joint)
        waiting.extend(reversed(of_parent[joint.child]))
    if len(ordered) < len(joints):
        stray = next(joint for joint in joints if joint not in ordered)
        raise ValueError(f"joint {stray.name!r} is in a cycle: links must make one tree")
    return ordered


def _check_names(what: str, names: Sequence[str]) -> None:
    if what == "link" and len(names) == 0:
        raise ValueError("a robot must have a link or more; received none")
    twice = {name for name in names if list(names).count(name) > 1} if len(set(names)) < len(names) else ()
    for name in twice:
        raise ValueError(f"there are two {what}s {name!r}")


def _drives(joints: Sequence[Joint]) -> tuple[dict[str, Drive], int]:
    """Columns of a configuration, in the order of the joints; and how many there are."""
    drives, dof = {}, 0
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        if joint.n_values > 0:
            drives[joint.name] = Drive(dof, 1.0, 0.0)
            dof += joint.n_values
    for joint in joints:
        leader, multiplier, offset, seen = joint, 1.0, 0.0, {joint.name}
        while leader.mimic is not None:
            name, factor, shift = leader.mimic
            if name not in by_name:
                raise ValueError(f"joint {joint.name!r} mimics: {unknown('joint', name, by_name)}")
            if name in seen:
                raise ValueError(f"joint {joint.name!r} mimics itself, through {leader.name!r}")
            multiplier, offset = multiplier * factor, multiplier * shift + offset
            leader = by_name[name]
            seen.add(name)
        if joint.mimic is not None:
            if leader.n_values != 1:
                raise ValueError(f"joint {joint.name!r} mimics {leader.name!r}, which is {leader.kind}")
            drives[joint.name] = Drive(drives[leader.name].column, multiplier, offset)
    return drives, dof


def frame_rows(tree: KinematicTree, motion: JointMotion) -> Array:
    """Motions of all frames in their parents', (n, k, n_frames, 24), in the columns of `RigidMotion.rows`."""
    n, k = len(motion), len(motion.times) - 1
    rows = np.zeros((n, k, len(tree.joints), N_COLUMNS))
    rows[..., START_TIME], rows[..., END_TIME] = motion.times[:-1, np.newaxis], motion.times[1:, np.newaxis]
    spans = np.diff(motion.times)
    for f, (joint, drive) in enumerate(zip(tree.joints, tree.drives, strict=True)):
        turn, place = tree.origins[f][:3, :3], tree.origins[f][:3, 3]
        if joint.kind == "floating":
            _write_floating(rows[:, :, f], turn, place, motion.configurations[..., drive.column :], spans)
            continue
        values = drive.multiplier * motion.configurations[..., drive.column] + drive.offset
        rates = np.diff(values, axis=1) / spans
        own: Array = np.asarray(joint.axis)
        axis = turn @ own
        if joint.kind == "prismatic":
            rows[:, :, f, ROTATION:POSITION] = turn.reshape(-1)
            rows[:, :, f, POSITION:VELOCITY] = place + values[:, :-1, np.newaxis] * axis
            rows[:, :, f, VELOCITY:AXIS] = rates[..., np.newaxis] * axis
            continue
        rows[:, :, f, ROTATION:POSITION] = (turn @ _turns(own, values[:, :-1])).reshape(n, k, 9)
        rows[:, :, f, POSITION:VELOCITY] = place
        rows[:, :, f, AXIS:RATE] = np.where(rates[..., np.newaxis] < 0.0, -axis, axis)
        rows[:, :, f, RATE] = np.abs(rates)
    return rows


def _turns(axis: Array, angles: Array) -> Array:
    """Rotations about an axis, (..., 3, 3)."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    inward = np.outer(axis, axis) - np.eye(3) * (axis @ axis)
    half = np.sin(0.5 * angles)[..., np.newaxis, np.newaxis]
    turned: Array = np.eye(3) + np.sin(angles)[..., np.newaxis, np.newaxis] * across + 2.0 * half**2 * inward
    return turned


def _write_floating(rows: Array, turn: Array, place: Array, values: Array, spans: Array) -> None:
    """Write the motion (n, k, 24) of a floating joint through values (n, k + 1, 7 or more)."""
    from scipy.spatial.transform import Rotation

    n, k = rows.shape[:2]
    positions = values[..., :3] @ turn.T + place
    quaternions = values[..., 3:N_FLOATING].reshape(-1, 4)
    matrices = (turn @ Rotation.from_quat(quaternions).as_matrix()).reshape(n, k + 1, 3, 3)
    steps = matrices[:, 1:] @ matrices[:, :-1].swapaxes(-1, -2)
    vectors = Rotation.from_matrix(steps.reshape(-1, 3, 3)).as_rotvec().reshape(n, k, 3)
    angles = np.linalg.norm(vectors, axis=-1)
    rows[..., ROTATION:POSITION] = matrices[:, :-1].reshape(n, k, 9)
    rows[..., POSITION:VELOCITY] = positions[:, :-1]
    rows[..., VELOCITY:AXIS] = np.diff(positions, axis=1) / spans[:, np.newaxis]
    rows[..., AXIS:RATE] = np.divide(
        vectors, angles[..., np.newaxis], out=np.zeros_like(vectors), where=angles[..., np.newaxis] > 0.0
    )
    rows[..., RATE] = angles / spans


def link_poses(tree: KinematicTree, motion: JointMotion) -> dict[str, Array]:
    """Poses (n, 4, 4) of all links at the start of a motion."""
    rows = frame_rows(tree, motion)[:, 0]
    frames = np.zeros((len(tree.joints), len(motion), 4, 4))
    for f, parent in enumerate(tree.parents.tolist()):
        own = np.zeros((len(motion), 4, 4))
        own[:, :3, :3] = rows[:, f, ROTATION:POSITION].reshape(-1, 3, 3)
        own[:, :3, 3], own[:, 3, 3] = rows[:, f, POSITION:VELOCITY], 1.0
        frames[f] = frames[parent] @ own if parent >= 0 else own
    return {
        name: frames[frame] @ offset
        if (frame := tree.link_frames[name]) >= 0
        else _repeated(offset, len(motion))
        for name, offset in tree.link_offsets.items()
    }


def _repeated(pose: Array, n: int) -> Array:
    return np.broadcast_to(pose, (n, 4, 4)).copy()
