"""The segments of a robot's path, checked one part of the path after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.cli.texts.joint_path import Waypoints

# Large enough to keep all threads busy, small enough for a progress bar that moves.
PART, PART_OF_MANY = 256, 1 << 14


class SegmentTouch(NamedTuple):
    """A segment that is not free: its first contact, and when that is by the file's clock, if any."""

    segment: int
    contact: fc.RobotContact
    clock: float | None


class Checked(NamedTuple):
    """What is known of a path: segments in all, those that were checked, and those that are not free."""

    n_segments: int
    n_checked: int
    touches: list[SegmentTouch]


def check_segments(
    robot: fc.Robot,
    path: Waypoints,
    find: Callable[[fc.Moving], fc.RobotContacts],
    only_first: bool,
    tell: Callable[[int], object],
    size: int = PART,
    spline: Any = None,
) -> Checked:
    """Find the first contact of every segment, or of the path alone; tell how many more are done.

    size : how many segments are asked about at once
    spline : of the path, one of SciPy's with a piece for each segment; None where these are straight
    """
    points = path.configurations
    starts, ends = (points[:-1], points[1:]) if len(points) > 1 else (points, points)
    touches: list[SegmentTouch] = []
    for first in range(0, len(starts), size):
        part = slice(first, first + size)
        found = find(robot.moving(starts[part], ends[part]) if spline is None else _bent(robot, spline, part))
        for i in found.hit.nonzero()[0].tolist():
            touches.append(_touch(path, first + i, found[i]))
            if only_first:
                return Checked(len(starts), first + i + 1, touches)
        tell(len(found))
    return Checked(len(starts), len(starts), touches)


def _bent(robot: fc.Robot, spline: Any, part: slice) -> fc.Moving:
    """Segments of a spline, each over a time of its own, as a batch."""
    from scipy.interpolate import PPoly

    lengths = np.diff(spline.x)[part, np.newaxis]
    powers = np.arange(len(spline.c) - 1, -1, -1)[:, np.newaxis, np.newaxis]
    return robot.along(PPoly((spline.c[:, part] * lengths**powers)[:, np.newaxis], [0.0, 1.0]))


def _touch(path: Waypoints, segment: int, contact: fc.RobotContact) -> SegmentTouch:
    if path.times is None:
        return SegmentTouch(segment, contact, None)
    if len(path.times) == 1:
        return SegmentTouch(segment, contact, float(path.times[0]))
    start, end = path.times[segment : segment + 2].tolist()
    return SegmentTouch(segment, contact, time_between(start, end, contact.time))


def time_between(start: float, end: float, part: float) -> float:
    """Go from start to end by a part of the way; rounded down, since a time must not be late."""
    if math.isinf(part):
        return part
    exact = Fraction(start) + Fraction(part) * (Fraction(end) - Fraction(start))
    near = float(exact)
    return near if near <= exact else math.nextafter(near, -math.inf)


def described(touch: SegmentTouch) -> Mapping[str, Any]:
    """All of a contact as plain data."""
    contact = touch.contact
    return {
        "segment": touch.segment,
        "t": contact.time,
        "t_upper": contact.time_upper,
        "time": touch.clock,
        "link": contact.a,
        "touches": contact.b,
        "status": fc.Status(contact.status),
        "points": contact.points,
        "normals": contact.normals,
    }
