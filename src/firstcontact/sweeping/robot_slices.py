"""Paths of robots' links in slices of time.

Seen from one joint's frame after the other, from a link to the world: what turns at a rate w about a point at
a distance of r at most, and moves in the frame at a speed v with an acceleration b at most, has in the next
one an acceleration of b + w^2 r + 2 w v at most, and a speed of v + w r and what the joint slides. A point
with an acceleration of B at most is within B h^2 / 8 of its chord over a time h.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Keys
from firstcontact.articulated.model.kinematic_tree import SLIDING
from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.paths.frame_rows import frame_rows, link_poses
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.rigid_motion import AXIS, POSITION, RATE, VELOCITY
from firstcontact.sweeping.prisms import Slices
from firstcontact.sweeping.slices import PLACED, Fineness, counts_of, halved, numbered

UP = 1.0 + 2.0**-40


class LinkBounds(NamedTuple):
    """Of what a ball around a link's points does, over each of k stretches: (k,) each.

    speed, bend : of speeds and of accelerations
    rate : of turning
    deviation : how far it is from where straight joint values have it, rounding included
    """

    speed: Array
    bend: Array
    rate: Array
    deviation: Array


def robot_slices(robot: Robot, motion: JointMotion, link: str, reach: float, fine: Fineness) -> Slices:
    """Slices of a link's way along a single path; no point of it is farther than that from its origin."""
    joints, bounds = fine_joints(robot, motion, link, reach, 0.5 * fine.deviation)
    spans = np.diff(joints.times)
    needed = np.maximum(np.sqrt(bounds.bend / (4.0 * fine.deviation)), bounds.rate / fine.turn)
    counts = counts_of(spans * np.maximum(needed, bounds.speed / fine.way))
    which, parts = numbered(counts)
    starts, ends = (links_at(robot, joints, link, which, p / counts[which]) for p in (parts, parts + 1))
    off = 0.125 * bounds.bend * (spans / counts) ** 2 + bounds.deviation
    return Slices(starts, ends, off[which] * UP)


def fine_joints(
    robot: Robot, motion: JointMotion, link: str, reach: float, deviation: float
) -> tuple[JointMotion, LinkBounds]:
    """Joint values that are straight between times, and deviate from the true ones by no more than this."""
    times, before = motion.times, inf
    while True:
        joints = motion.refined(times)
        bounds = _bounds_of(robot, joints, link, reach)
        is_coarse = bounds.deviation > deviation
        most = float(bounds.deviation.max())
        if not is_coarse.any() or (len(times) > 1 << 14 and most > 0.5 * before):
            return joints, bounds
        times, before = halved(times, is_coarse), most


def _bounds_of(robot: Robot, joints: JointMotion, link: str, reach: float) -> LinkBounds:
    tree = robot.tree_on(joints)
    rows = frame_rows(tree, joints)[0]
    spans = np.diff(joints.times)
    off = np.zeros((len(spans), tree.dof)) if joints.law is None else joints.law.deviations(joints.times)[0]
    speed, bend, turning, away = np.zeros((4, len(spans)))
    arm = reach + float(np.linalg.norm(tree.link_offsets[link][:3, 3]))
    frame = tree.link_frames[link]
    while frame >= 0:
        row, is_sliding = rows[:, frame], tree.frames.kinds[frame] == SLIDING
        rate, own = row[:, RATE], np.linalg.norm(row[:, VELOCITY:AXIS], axis=1)
        bend += rate * rate * arm + 2.0 * rate * speed
        speed, turning = speed + rate * arm + own, turning + rate
        slip = abs(float(tree.frames.drives[frame, 0])) * off[:, tree.frames.columns[frame]]
        away += slip if is_sliding else slip * arm
        places = np.linalg.norm(row[:, POSITION:VELOCITY], axis=1) + own * spans
        arm += float(places.max(initial=0.0)) + (float(slip.max(initial=0.0)) if is_sliding else 0.0)
        frame = int(tree.parents[frame])
    # A joint that is off by a rounding of its value takes all that it carries along.
    values = 1.0 + float(np.abs(joints.configurations).max(initial=0.0))
    away += PLACED * len(tree.joints) * values * arm
    return LinkBounds(speed * UP, bend * UP, turning * UP, away * UP)


def links_at(robot: Robot, joints: JointMotion, link: str, which: Keys, parts: Array) -> Array:
    """Poses (m, 4, 4) of a link, each at a part of one of the stretches between configurations."""
    first, last = joints.configurations[0, which], joints.configurations[0, which + 1]
    q, ends = np.empty(first.shape), np.array([0.0, 1.0])
    for part in np.unique(parts):  # few: all slices of a stretch are as long as each other
        own = np.flatnonzero(parts == part)
        ways = JointMotion(np.stack([first[own], last[own]], axis=1), ends, joints.quaternions, True)
        q[own] = ways.configuration(float(part))
    at = JointMotion(np.stack([q, q], axis=1), ends, joints.quaternions, True)
    if joints.bases is not None:
        at = at.based(joints.bases, False)
    return link_poses(robot.tree_on(at), at)[link]
