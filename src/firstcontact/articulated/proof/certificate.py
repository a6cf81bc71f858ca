"""The proof that a path is free, or free before a contact: something to look at, and to check."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from firstcontact.advancement.goal import Options
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Things, joint_motion
from firstcontact.articulated.paths.path_types import BEGIN, DIRECTION, PAIR, SEEN_AT
from firstcontact.articulated.paths.refined_paths import refined_records
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.articulated.proof.proof_chains import Cast, cast_of
from firstcontact.articulated.proof.proof_check import fault_of
from firstcontact.articulated.proof.proof_intervals import Intervals, Limits, completed, limits_of
from firstcontact.articulated.proof.proof_rules import Allowed, allowed_by
from firstcontact.plain import Plain, Sealed
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import frozen

# Pieces of a motion that deviates from them, at the most, at first.
MOST_PIECES = 1 << 12


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(Sealed, Plain):
    """The proof that a robot, or a rigid body, touches nothing on its path, or nothing before a contact.

    For each pair of shapes that can touch there are intervals from 0 to `end`. In each of them the gap at one
    time is wider than all that the two can travel from there.

    Attributes
    ----------
    things : the robot on its path, the obstacles by their names, and whether self-contact counts
    min_separation, tolerance : lengths, as they were asked for; of a clearance, what it proves to be kept
    bodies : names of the links and obstacles that the shapes belong to, shape by shape
    pairs : (n, 2) int32, numbers of the shapes of each pair
    intervals : `Intervals`
    end : 1 where the path is free, or the time of the contact; of two rigid bodies, that or a little before
    solid : whether what is inside a closed mesh touches it: always of robots
    paddings : (n,) how much more of a gap each pair must keep, as the robots say
    allowed : pairs of names, of links and obstacles, that may touch
    """

    things: Things = field(compare=False)
    min_separation: float
    tolerance: float
    bodies: tuple[str, ...]
    pairs: Ids
    intervals: Intervals
    end: float
    solid: bool = True
    paddings: Array = field(default_factory=lambda: frozen(np.empty(0)))
    allowed: Allowed = frozenset()

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """For each pair, the links, or link and obstacle, that its shapes belong to."""
        return tuple((self.bodies[a], self.bodies[b]) for a, b in self.pairs.tolist())

    def verify(self) -> bool:
        """Check the proof anew: from the robot and the obstacles, with nothing that the search has left.

        Which pairs can touch, where everything is, how wide the gaps are and how far everything can travel
        is worked out again, in other ways; rounding counts against the proof.
        """
        return self.fault() is None

    def fault(self) -> str | None:
        """Say what the proof fails at; None where it holds."""
        return fault_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all that can be written down in words and numbers."""
        k, names = self.intervals, self.names
        columns = (k.pairs, *k.times.T, k.at, k.gaps, k.travels)
        rows = [
            {"a": names[pair][0], "b": names[pair][1], "start": start, "end": end, "at": at}
            | {"gap": gap, "travel": travel}
            for pair, start, end, at, gap, travel in zip(*(x.tolist() for x in columns), strict=True)
        ]
        padded = zip(names, self.paddings.tolist(), strict=True)
        settings: dict[str, Any] = {"min_separation": self.min_separation, "tolerance": self.tolerance}
        settings["allowed"] = [list(pair) for pair in sorted(self.allowed)]
        settings["paddings"] = [{"a": a, "b": b, "by": by} for (a, b), by in padded if by > 0.0]
        return {"end": self.end, **settings, "intervals": rows}

    def __len__(self) -> int:
        return len(self.intervals.pairs)

    def __repr__(self) -> str:
        return f"Certificate({len(self)} intervals of {len(self.pairs)} pairs, up to {self.end:g})"


def certified(world: WorldMotions, options: Options, i: int, time: float) -> Certificate:
    """Find the proof for one of the paths, up to a time."""
    records, until = refined_records(world, options, i)
    end = min(time, until, 1.0)
    records = records[records[:, BEGIN] < end]
    ids, spans, directions = records[:, PAIR], records[:, BEGIN:SEEN_AT], records[:, DIRECTION:]
    columns = ids.astype(np.int32), spans, *records[:, SEEN_AT:DIRECTION].T, directions
    things, pairs = single_things(world.things, i), world.pairs[:, :2]
    paddings = world.geometries.paddings
    limits = limits_of(options.min_separation, options.tolerance, paddings)
    found = completed(cast_of(things), pairs, Intervals(*columns), limits)
    return Certificate(
        things,
        options.min_separation,
        options.tolerance,
        tuple(piece.name for piece in world.pieces),
        frozen(pairs.copy()),
        Intervals(*(frozen(np.ascontiguousarray(column)) for column in found)),
        end,
        paddings=frozen(paddings.copy()),
        allowed=allowed_by(things),
    )


def certified_pair(
    things: Mapping[str, Moving], kept: float, tolerance: float, end: float, is_solid: bool
) -> Certificate:
    """Find the proof that two rigid bodies, each with one motion, keep a distance up to a time.

    It is looked for without what a search has found: parts are halved until each has its gap.
    """
    (name, one), (other_name, other) = things.items()
    about = Things(one, {other_name: other}, False, name)
    cast = cast_of(about)
    pairs = np.array([[0, 1]] if len(cast.bodies) == 2 else np.empty((0, 2)), np.int32)
    paddings = np.zeros(len(pairs))
    limits, n_parts = limits_of(kept, tolerance, paddings), 1
    found = _between(cast, pairs, end, n_parts, limits)
    # What deviates from its pieces does so less in shorter ones.
    while not (found.gaps > 0.0).all() and (one.rigid.law or other.rigid.law) and n_parts < MOST_PIECES:
        n_parts *= 16
        found = _between(cast, pairs, end, n_parts, limits)
    columns = (frozen(np.ascontiguousarray(column)) for column in found)
    bodies = tuple(body.name for body in cast.bodies)
    numbers = frozen(pairs), Intervals(*columns), end, is_solid
    return Certificate(about, kept, tolerance, bodies, *numbers, frozen(paddings))


def _between(cast: Cast, pairs: Ids, end: float, n_parts: int, limits: Limits) -> Intervals:
    """Prove intervals up to a time; at first as many equal ones, cut where a motion changes."""
    knots = np.union1d(cast.times, np.linspace(0.0, 1.0, n_parts + 1))
    knots = np.append(knots[knots < end], end)
    n = (len(knots) - 1) * len(pairs)
    spans, nought = np.stack([knots[:-1], knots[1:]], axis=1)[:n], np.zeros(n)
    columns = spans.mean(axis=1), nought, nought.copy(), np.zeros((n, 3))
    given = Intervals(np.zeros(n, np.int32), spans, *columns)
    return completed(cast, pairs, given, limits) if n > 0 else given


def single_things(things: Things, i: int) -> Things:
    """One of a batch."""
    obstacles = {name: _chosen(thing, i) for name, thing in things.obstacles.items()}
    return Things(_chosen(things.robot, i), obstacles, things.self_contact)


def _chosen(thing: Moving, i: int) -> Moving:
    if not thing.motion.is_batch:
        return thing
    if thing.kind is Kind.ROBOT:
        return Moving(thing.shape, joint_motion(thing).chosen(slice(i, i + 1), False))
    return Moving(thing.shape, thing.rigid.chosen(slice(i, i + 1), False))
