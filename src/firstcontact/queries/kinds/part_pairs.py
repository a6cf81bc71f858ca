"""Pairs of parts of two things, and what is known of all of them at once.

Each part is held by a convex shape, itself or a box, and by a ball. Balls say how near two parts can come at
all; holders, in one call of what measures convex shapes, how near they are, how deep, or when they touch.
That is right for parts that are convex, and on the safe side for others, so that few are asked one by one.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.attached import attached, attached_each
from firstcontact.motions.origin_range import UP, OriginRange, point_ranges
from firstcontact.proximity.distance.convex_distance import convex_distances
from firstcontact.proximity.penetration.convex_penetration import convex_penetrations
from firstcontact.proximity.touching.convex_intersections import convex_intersections
from firstcontact.queries.look_up import answered_at_length, row_for
from firstcontact.rigid.convex.convex_first import convex_first_times
from firstcontact.shapes.bounded import range_of
from firstcontact.shapes.compound import (
    COMPOUND,
    CONVEX,
    MESH,
    VOXELS,
    CompoundPart,
    Holders,
    as_compound,
    holders_in,
    holders_of,
)
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

Pairs = NDArray[np.intp]

# What is rounded of a distance of two balls, and what of one of two holders, in units of their coordinates.
DOWN, ROUNDING = 1.0 - 2.0**-40, 2.0**-40


class PartsThere:
    """The parts of a thing that have points, with their numbers, or the thing itself; where they go."""

    def __init__(self, thing: Moving) -> None:
        self.thing, self.is_compound = thing, thing.kind is COMPOUND
        self.numbers = [k for k, shape in enumerate(self._shapes) if not is_empty(shape)]
        self.is_held = thing.kind in (COMPOUND, CONVEX, MESH, VOXELS) and len(self.numbers) > 0
        self.range, self._moving = self._ranges(), dict[int, Moving]()

    def _ranges(self) -> OriginRange:
        """Balls that hold the parts on their way: places (p, n, 3), spans (p, n)."""
        if not self.is_held:
            found = range_of(self.thing)
            return OriginRange(found.places[np.newaxis], found.spans[np.newaxis])
        holders, motion = self.holders, self.thing.rigid
        turns, places = holders.poses[:, :3, :3], holders.poses[:, :3, 3]
        found = point_ranges(motion, places + (turns @ holders.middles[:, :, np.newaxis])[..., 0])
        return found._replace(spans=found.spans + holders.radii[:, np.newaxis])

    @property
    def holders(self) -> Holders:
        """What holds each part."""
        if self.is_compound:
            return holders_in(as_compound(self.thing.shape))
        return holders_of([CompoundPart(shape_of(self.thing), np.eye(4))])

    @property
    def _shapes(self) -> list[Movable]:
        """The shapes of all parts."""
        if not self.is_compound:
            return [self.thing.shape]
        return [part.shape for part in as_compound(self.thing.shape).parts]

    @property
    def are_convex(self) -> NDArray[np.bool_]:
        """Which parts are held by themselves."""
        return np.array([self._shapes[k].kind is CONVEX for k in self.numbers])

    @property
    def n(self) -> int:
        """How many motions there are."""
        return int(self.range.spans.shape[1])

    def side(self, parts: Pairs, rows: Pairs) -> Side:
        """Holders of some parts, in some motions."""
        holders = self.holders
        pieces = attached_each(self.thing.rigid, holders.poses)
        row_ids = parts * self.n + (rows if self.n > 1 else 0)
        flat = np.ascontiguousarray(pieces.reshape(-1, *pieces.shape[2:]))
        return Side(holders.table, flat, parts.astype(np.int32), row_ids.astype(np.int32))

    def part(self, i: int, rows: Pairs | None) -> Moving:
        """Give part i as it moves, in some of the motions."""
        if i not in self._moving:
            self._moving[i] = self.thing
            if self.is_compound:
                shape, pose = as_compound(self.thing.shape).parts[self.numbers[i]]
                self._moving[i] = Moving(shape, attached(self.thing.rigid, pose))
        whole = self._moving[i]
        if rows is None or self.n == 1:
            return whole
        return Moving(whole.shape, whole.rigid.chosen(rows, True))


class PartPairs:
    """All pairs of parts of two things; `gaps` (p, n) is how near they can come, in each row."""

    def __init__(self, a: Moving, b: Moving) -> None:
        self.sides = PartsThere(a), PartsThere(b)
        counts = [len(side.numbers) for side in self.sides]
        self.ids = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 2)
        (one, other), (i, j) = (side.range for side in self.sides), self.ids.T
        apart = np.linalg.norm(one.places[i] - other.places[j], axis=2) * DOWN
        self.gaps: Array = apart - (one.spans[i] + other.spans[j]) * UP
        self.are_held = all(side.is_held for side in self.sides)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.gaps.shape[1])

    def numbers(self, p: int) -> tuple[int, int]:
        """Which part of a, and which of b."""
        (one, other), (i, j) = self.sides, self.ids[p]
        return one.numbers[i], other.numbers[j]

    def asked(self, verb: str, p: int, rows: Pairs, ask: Ask) -> Any:
        """Ask about two parts, in some rows."""
        some = None if len(rows) == self.n_rows else rows
        a, b = (side.part(int(i), some) for side, i in zip(self.sides, self.ids[p], strict=True))
        own = row_for(verb, a, b).only(ask._replace(progress=False))
        return answered_at_length(verb, a, b, own)

    def in_order(self, least: Array, is_open: Callable[[Array], Any]) -> Iterator[tuple[int, Pairs]]:
        """Give pairs, the least first, with the rows that are open for what is least in them, (n,)."""
        left = np.argsort(least.min(axis=1, initial=np.inf), kind="stable")
        while len(left) > 0:
            are_open = is_open(least[left]) & (least[left] < np.inf)
            places = np.flatnonzero(are_open.any(axis=1))
            if len(places) > 0:
                yield int(left[places[0]]), np.flatnonzero(are_open[places[0]])
            left = left[places[1:]]

    def distances(self) -> Array:
        """How far apart the parts are, at least, in each row; inf where another pair is nearer."""
        if not self.are_held or self.gaps.size == 0:
            return np.maximum(self.gaps, 0.0)
        least = np.full(self.gaps.shape, np.inf)
        chosen = np.nonzero(self.gaps <= self._near_by())
        least[chosen] = _measured(*self._sides_of(*chosen))[0]
        return least

    def _near_by(self) -> Array:
        """The nearest pair is no farther apart, in each row: what balls say, or two convex parts."""
        (one, other), (i, j) = (side.range for side in self.sides), self.ids.T
        most: Array = (self.gaps / DOWN + 2.0 * (one.spans[i] + other.spans[j]) * UP).min(axis=0)
        nearest, rows = np.argmin(self.gaps, axis=0), np.arange(self.n_rows)
        are_convex = [side.are_convex[self.ids[nearest, k]] for k, side in enumerate(self.sides)]
        found = np.where(np.logical_and(*are_convex), _measured(*self._sides_of(nearest, rows))[1], most)
        return np.minimum(found, most)

    def touching(self) -> NDArray[np.bool_]:
        """Which pairs may have a common point, in each row."""
        may = self.gaps <= 0.0
        if self.are_held and may.any():
            chosen = np.nonzero(may)
            may[chosen] = convex_intersections(*self._sides_of(*chosen))
        return may

    def depths(self) -> Array:
        """How deep the parts are in each other, at most, in each row; below 0 where they are apart."""
        may = self.touching()
        most = np.where(may, np.inf, -1.0)
        if self.are_held and may.any():
            chosen = np.nonzero(may)
            depths = convex_penetrations(*self._sides_of(*chosen)).depth
            most[chosen] = depths * (1.0 + ROUNDING) + self._rounding()
        return most

    def first_times(self, ask: Ask, separation: float) -> Array:
        """When the parts can touch first, in each row, or be as near as that; inf where they do not."""
        may = self.gaps <= separation
        times = np.where(may, 0.0, np.inf)
        if self.are_held and may.any():
            chosen = np.nonzero(may)
            sizes = [2.0 * float(shape_of(side.thing).reach) for side in self.sides]
            options = Options(ask.tolerance_for(*sizes), separation)
            times[chosen] = convex_first_times(*self._sides_of(*chosen), options).time
        return times

    def near_ones(self, ask: Ask, seen: Array) -> Array:
        """The gaps of pairs that may come as near as was seen, in each row, (n,); inf for all others.

        At least one does: that which was seen.
        """
        if self.gaps.size == 0:
            return self.gaps
        level = float(seen.max()) * (1.0 + ROUNDING) + self._rounding()
        times = self.first_times(ask, level)
        near = np.where((times < np.inf) & (self.gaps <= level), self.gaps, np.inf)
        is_lost = (near == np.inf).all(axis=0)
        return np.where(is_lost, self.gaps, near)

    def _sides_of(self, pairs: Pairs, rows: Pairs) -> tuple[Side, Side]:
        one, other = (side.side(self.ids[pairs, k], rows) for k, side in enumerate(self.sides))
        return one, other

    def _rounding(self) -> float:
        """What rounding may hide of a depth."""
        ranges = (side.range for side in self.sides)
        return ROUNDING * sum(float(np.abs(one.places).max() + one.spans.max()) for one in ranges)


def _measured(a: Side, b: Side) -> tuple[Array, Array]:
    """How far apart shapes are, at least, and at most."""
    found = convex_distances(a, b)
    slack = ROUNDING * (np.abs(found.points_a).sum(axis=1) + np.abs(found.points_b).sum(axis=1))
    return np.maximum(found.distance - slack, 0.0), found.distance + slack
