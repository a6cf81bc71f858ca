"""Links and joints as a forest of frames: one for each joint that moves.

Links that fixed joints hold together are one rigid body: they hang on one frame, or on the world (-1).
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.joint import Joint

# Kinds of joints that move, as compiled code knows them; and of what is held in a pose that the motion says.
TURNING, SLIDING, FLOATING, HELD, BALL = range(5)
KINDS = {"revolute": TURNING, "continuous": TURNING, "prismatic": SLIDING, "floating": FLOATING}
KINDS["ball"] = BALL


class Drive(NamedTuple):
    """Where the value of a joint comes from: ``multiplier * q[column] + offset``."""

    column: int
    multiplier: float
    offset: float


class Frames(NamedTuple):
    """The joints that move, in numbers.

    kinds, columns : (n_frames,) int64, the kind of each, and where its values are in a configuration
    drives : (n_frames, 2) multiplier and offset of its value
    origins : (n_frames, 12) where it is in its parent's frame, in the first columns of a rigid motion's rows
    axes : (n_frames, 3)
    """

    kinds: NDArray[np.int64]
    columns: NDArray[np.int64]
    drives: Array
    origins: Array
    axes: Array


class KinematicTree(NamedTuple):
    """A checked tree of links and joints.

    root : the link that is no child
    joints : those that move, parents before children; the frames
    parents : (n_frames,) int32, frame of the parent; -1 for the world
    frames : the same in numbers
    dof : numbers in a configuration
    link_frames : frame of each link by its name
    link_offsets : pose (4, 4) of each link in its frame
    """

    root: str
    joints: tuple[Joint, ...]
    parents: Ids
    frames: Frames
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
        _frames(moving, [drives[joint.name] for joint in moving], origins),
        dof,
        frames,
        offsets,
    )


def held_tree(tree: KinematicTree) -> KinematicTree:
    """The same tree on one frame more, the first: the base, which stands where a motion says."""
    no_drive, nowhere, no_axis = np.zeros((1, 2)), np.zeros((1, 12)), np.zeros((1, 3))
    base = Frames(np.array([HELD], np.int64), np.zeros(1, np.int64), no_drive, nowhere, no_axis)
    frames = Frames(*(np.concatenate(pair) for pair in zip(base, tree.frames, strict=True)))
    parents = np.concatenate([np.array([-1], np.int32), tree.parents + np.int32(1)])
    link_frames = {link: frame + 1 for link, frame in tree.link_frames.items()}
    return tree._replace(parents=parents, frames=frames, link_frames=link_frames)


def _frames(joints: Sequence[Joint], drives: Sequence[Drive], origins: Sequence[Array]) -> Frames:
    n, poses = len(joints), np.array(origins).reshape(-1, 4, 4)
    return Frames(
        np.array([KINDS[joint.kind] for joint in joints], np.int64),
        np.array([drive.column for drive in drives], np.int64),
        np.array([(drive.multiplier, drive.offset) for drive in drives]).reshape(n, 2),
        np.concatenate([poses[:, :3, :3].reshape(n, 9), poses[:, :3, 3]], axis=1),
        np.array([joint.axis for joint in joints]).reshape(n, 3),
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
