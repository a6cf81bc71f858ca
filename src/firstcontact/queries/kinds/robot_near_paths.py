"""The least signed distance of all pairs of a robot and its world over whole paths, bracketed.

A distance, and that of what holds two meshes, changes by no more than their points move against each other.
So between two times it is no less than both say; the stretches that may hold the least are halved, of all
pairs of all paths at once.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.near_results import NearPaths
from firstcontact.arrays import Array
from firstcontact.articulated.model.kinematic_tree import BALL, FLOATING, KINDS
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of
from firstcontact.articulated.paths.pair_speeds import pair_speeds
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.queries.kinds.near_resting import wanted
from firstcontact.queries.kinds.robot import pair_names, posed_paths, robot_things
from firstcontact.queries.kinds.robot_fields import field_names
from firstcontact.queries.kinds.robot_near import Found, gradients, measured, standing_at, surely_apart
from firstcontact.shapes.moving import Moving

# How often a stretch is halved, at most, and how many stretches of all are looked at in one go.
HALVINGS, AT_ONCE = 24, 1 << 15

# Stretches of all pairs and paths that are kept at once: more are not halved, and brackets stay as they are.
MOST = 1 << 18

# How well the least is known unless told otherwise, as a part of the robot's largest part.
NEARLY = 1e-2

Rows = NDArray[np.intp]


class Stretches(NamedTuple):
    """Stretches of time (s,) of rows, which are a path and a pair each; what is known at both ends.

    levels : (s, 2) distances, of meshes that overlap those of what holds them
    bounds : (s, 2) what they change by no more than the way says
    lower : (s,) no distance in the stretch is less
    """

    rows: Rows
    starts: Array
    ends: Array
    levels: Array
    bounds: Array
    lower: Array

    def chosen(self, which: Any) -> "Stretches":
        """Some of them."""
        columns: list[Any] = [column[which] for column in self]
        return Stretches(*columns)


def robot_near_paths(a: Moving, b: object, ask: Ask) -> NearPaths:
    """Find the least distance of every pair over each path."""
    world = posed_paths(a, b, ask._replace(tolerance=0.0, within=None), is_first=False).world
    _check(world)
    tolerance = NEARLY * robot_of(a).part_size if ask.tolerance is None else ask.tolerance
    search = _Search(world, wanted(ask), tolerance)
    search.run()
    return _told(search, a)


def _check(world: WorldMotions) -> None:
    """Refuse what the bounds do not know."""
    if world.deviates or world.curves is not None:
        raise ValueError("near over a motion is for straight lines and pieces: give waypoints, not a spline")
    for name in field_names(world):
        raise TypeError(f"near over a motion knows no fields, and obstacle {name!r} is one: use its mesh()")
    for joint in robot_of(world.things.robot).joints:
        if KINDS.get(joint.kind) in (BALL, FLOATING):
            raise ValueError(f"near over a motion knows no quaternions, and joint {joint.name!r} has one")


class _Search:
    """All pairs of all paths, by rows; the least that was seen, when, and what is proven."""

    def __init__(self, world: WorldMotions, within: float, tolerance: float) -> None:
        self.world, self.within, self.tolerance = world, within, tolerance
        self.limit = within + tolerance  # what is farther need not be known
        n, p = len(world.rows), len(world.pairs)
        self.paths, self.pairs = np.repeat(np.arange(n), p), np.tile(np.arange(p), n)
        self.speeds = pair_speeds(world)
        self.best, self.when = np.full(n * p, np.inf), np.zeros(n * p)
        self.lower = np.full(n * p, np.inf)

    def run(self) -> None:
        """Search until all is known well enough, or has been halved often enough."""
        open_ones = self._first()
        for _ in range(HALVINGS):
            low = np.minimum(self.best, self.limit)
            is_settled = open_ones.lower >= low[open_ones.rows] - self.tolerance
            np.minimum.at(self.lower, open_ones.rows[is_settled], open_ones.lower[is_settled])
            open_ones = open_ones.chosen(~is_settled)
            if not 0 < len(open_ones.rows) <= MOST:
                break
            parts = range(0, len(open_ones.rows), AT_ONCE)
            halves = [self._halved(open_ones.chosen(np.s_[k : k + AT_ONCE])) for k in parts]
            open_ones = Stretches(*(np.concatenate(column) for column in zip(*halves, strict=True)))
        np.minimum.at(self.lower, open_ones.rows, open_ones.lower)

    def _first(self) -> Stretches:
        """Every piece of every path."""
        m, times = len(self.paths), self.world.times
        rows = np.tile(np.arange(m), len(times) - 1)
        starts, ends = (np.repeat(times[span], m) for span in (np.s_[:-1], np.s_[1:]))
        known = [self._looked(rows, t) for t in (starts, ends)]
        levels, bounds = (np.stack([one[k] for one in known], axis=1) for k in range(2))
        return self._bounded(rows, starts, ends, levels, bounds)

    def _halved(self, open_ones: Stretches) -> Stretches:
        middles = 0.5 * (open_ones.starts + open_ones.ends)
        level, bound = self._looked(open_ones.rows, middles)
        (levels, bounds), both = (open_ones.levels, open_ones.bounds), []
        for end, starts, ends in ((0, open_ones.starts, middles), (1, middles, open_ones.ends)):
            ends_of = (np.stack([x[:, end], new], axis=1) for x, new in ((levels, level), (bounds, bound)))
            one, other = (pair if end == 0 else pair[:, ::-1] for pair in ends_of)
            both.append(self._bounded(open_ones.rows, starts, ends, one, other))
        return Stretches(*(np.concatenate(column) for column in zip(*both, strict=True)))

    def _looked(self, rows: Rows, times: Array) -> tuple[Array, Array]:
        """Measure rows at times; and note what is the least so far."""
        standing = standing_at(self.world, self.paths[rows], times)
        at, pairs = np.arange(len(rows)), self.pairs[rows]
        signed, bounds = measured(standing, at, pairs, self.limit, is_deep=False)
        order = np.argsort(signed.distance, kind="stable")[::-1]
        is_less = signed.distance[order] < self.best[rows[order]]
        chosen = order[is_less]
        self.best[rows[chosen]], self.when[rows[chosen]] = signed.distance[chosen], times[chosen]
        return np.minimum(signed.distance, self.limit), bounds

    def _bounded(self, rows: Rows, starts: Array, ends: Array, levels: Array, bounds: Array) -> Stretches:
        """Bound the distance within stretches from below."""
        segments = np.searchsorted(self.world.times, starts, side="right") - 1
        segments = np.minimum(segments, self.speeds.shape[1] - 1)
        way = 0.5 * self.speeds[self.paths[rows], segments, self.pairs[rows]] * (ends - starts)
        rounding = self.world.roundings[self.paths[rows]]
        apart, held = (0.5 * (x[:, 0] + x[:, 1]) - way - rounding for x in (levels, bounds))
        # Where solids are apart at all times of it, their own distance is the better bound.
        paddings = self.world.geometries.paddings[self.pairs[rows]]
        lower = np.where(apart > -paddings, np.maximum(apart, held), np.minimum(held, -paddings))
        return Stretches(rows, starts, ends, levels, bounds, lower)


def _told(search: _Search, a: Moving) -> NearPaths:
    """Measure the pairs that come within the distance when they are nearest."""
    world = search.world
    rows = np.flatnonzero(np.minimum(search.lower, search.best) <= search.within)
    times, paths = search.when[rows], search.paths[rows]
    standing, at = standing_at(world, paths, times), np.arange(len(rows))
    signed, _ = measured(standing, at, search.pairs[rows], np.inf)
    surely_apart(standing, at, signed)
    motion = joint_motion(a)
    own = np.minimum(np.searchsorted(motion.times, times, side="right"), len(motion.times) - 1) - 1
    start, end = motion.times[own], motion.times[own + 1]
    part = (times - start) / (end - start)
    which = paths if len(motion) > 1 else np.zeros(len(paths), np.intp)
    first, last = motion.configurations[which, own], motion.configurations[which, own + 1]
    found = Found(at, search.pairs[rows], signed)
    slope = gradients(standing, found, first + part[:, np.newaxis] * (last - first))
    gradient = np.stack([(1.0 - part)[:, np.newaxis] * slope, part[:, np.newaxis] * slope], axis=1)
    names = [pair_names(world, pair) for pair in search.pairs[rows].tolist()]
    starts = np.searchsorted(paths, np.arange(len(world.rows) + 1)).astype(np.int64)
    lower = np.minimum(search.lower[rows], signed.distance)
    sides = [str(one) for one, _ in names], [str(other) for _, other in names]
    return about(NearPaths(starts, *sides, *signed, gradient, lower, times), robot_things(world.things))
