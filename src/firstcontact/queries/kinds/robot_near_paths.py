"""The least signed distance of all pairs of a robot and its world over whole paths, bracketed."""

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.near_results import NearPaths
from firstcontact.arrays import Array
from firstcontact.articulated.model.kinematic_tree import BALL, FLOATING, KINDS
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of
from firstcontact.articulated.paths.pair_speeds import pair_speeds
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.queries.kinds.least_signed import LeastSigned, Rows
from firstcontact.queries.kinds.near_resting import wanted
from firstcontact.queries.kinds.robot import pair_names, posed_paths, robot_things
from firstcontact.queries.kinds.robot_fields import field_names
from firstcontact.queries.kinds.robot_near import Found, gradients, measured, standing_at, surely_apart
from firstcontact.queries.kinds.signed_pair import Signed
from firstcontact.shapes.moving import Moving

# How well the least is known unless told otherwise, as a part of the robot's largest part.
NEARLY = 1e-2


def robot_near_paths(a: Moving, b: object, ask: Ask) -> NearPaths:
    """Find the least distance of every pair over each path."""
    world = posed_paths(a, b, ask._replace(tolerance=0.0, within=None), is_first=False).world
    _check(world)
    tolerance = NEARLY * robot_of(a).part_size if ask.tolerance is None else ask.tolerance
    within, ways = wanted(ask), _Pairs(world, wanted(ask) + tolerance)
    least = LeastSigned(ways, len(ways.paths), within + tolerance, tolerance)
    least.run(world.times)
    return _told(ways, least, within, a)


def _check(world: WorldMotions) -> None:
    """Refuse what the bounds do not know."""
    if world.deviates or world.curves is not None:
        raise ValueError("near over a motion is for straight lines and pieces: give waypoints, not a spline")
    for name in field_names(world):
        raise TypeError(f"near over a motion knows no fields, and obstacle {name!r} is one: use its mesh()")
    for joint in robot_of(world.things.robot).joints:
        if KINDS.get(joint.kind) in (BALL, FLOATING):
            raise ValueError(f"near over a motion knows no quaternions, and joint {joint.name!r} has one")


class _Pairs:
    """All pairs of all paths, by rows: their `Ways`."""

    def __init__(self, world: WorldMotions, limit: float) -> None:
        self.world, self.limit = world, limit  # what is farther need not be known
        n, p = len(world.rows), len(world.pairs)
        self.paths, self.pairs = np.repeat(np.arange(n), p), np.tile(np.arange(p), n)
        self.speeds = pair_speeds(world)

    def looked(self, rows: Rows, times: Array) -> tuple[Array, Array]:
        """Measure pairs, and the outlines that hold them."""
        standing = standing_at(self.world, self.paths[rows], times)
        at, pairs = np.arange(len(rows)), self.pairs[rows]
        signed, bounds = measured(standing, at, pairs, self.limit, is_deep=False)
        return signed.distance, bounds

    def reached(self, rows: Rows, starts: Array, ends: Array) -> Array:
        """Half of the way that points may go, and what rounding may hide."""
        way = 0.5 * self._speeds(rows, starts) * (ends - starts)
        found: Array = way + self.world.roundings[self.paths[rows]]
        return found

    def _speeds(self, rows: Rows, times: Array) -> Array:
        segments = np.searchsorted(self.world.times, times, side="right") - 1
        segments = np.minimum(segments, self.speeds.shape[1] - 1)
        found: Array = self.speeds[self.paths[rows], segments, self.pairs[rows]]
        return found

    def touching(self, rows: Rows) -> Array:
        """Paddings count below 0."""
        found: Array = -self.world.geometries.paddings[self.pairs[rows]]
        return found


def _told(ways: _Pairs, least: LeastSigned, within: float, a: Moving) -> NearPaths:
    """Measure the pairs that come within the distance when they are nearest."""
    world = ways.world
    rows = np.flatnonzero(np.minimum(least.lower, least.best) <= within)
    times = least.when[rows]
    signed, gradient = _sloped(ways, a, rows, times)
    names = [pair_names(world, pair) for pair in ways.pairs[rows].tolist()]
    starts = np.searchsorted(ways.paths[rows], np.arange(len(world.rows) + 1)).astype(np.int64)
    lower = np.minimum(least.lower[rows], signed.distance)
    sides = [str(one) for one, _ in names], [str(other) for _, other in names]
    return about(NearPaths(starts, *sides, *signed, gradient, lower, times), robot_things(world.things))


def _sloped(ways: _Pairs, a: Moving, rows: Rows, times: Array) -> tuple[Signed, Array]:
    """Measure pairs at times, with gradients (m, 2, dof) by the configurations at both ends of the lines."""
    paths, pairs, at = ways.paths[rows], ways.pairs[rows], np.arange(len(rows))
    standing = standing_at(ways.world, paths, times)
    signed, _ = measured(standing, at, pairs, np.inf)
    surely_apart(standing, at, signed)
    motion = joint_motion(a)
    own = np.minimum(np.searchsorted(motion.times, times, side="right"), len(motion.times) - 1) - 1
    start, end = motion.times[own], motion.times[own + 1]
    part = ((times - start) / (end - start))[:, np.newaxis]
    which = paths if len(motion) > 1 else np.zeros(len(paths), np.intp)
    first, last = motion.configurations[which, own], motion.configurations[which, own + 1]
    slope = gradients(standing, Found(at, pairs, signed), first + part * (last - first))
    return signed, np.stack([(1.0 - part) * slope, part * slope], axis=1)
