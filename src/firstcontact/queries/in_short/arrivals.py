"""Where a search for single things arrived, and what else is worked out of that when it is asked for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import CONTACT_AT_START, SEPARATED, Found
from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import AdvancementStats
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import N_COLUMNS as N_MOTION
from firstcontact.motions.rigid_motion import RATE, VELOCITY
from firstcontact.motions.short_rows import AT_ORIGIN
from firstcontact.plain import once
from firstcontact.proximity.distance.single_distance import NEARLY
from firstcontact.proximity.penetration.convex_penetration import DEPTH, DIRECTION, sink_convexes
from firstcontact.proximity.penetration.convex_penetration import N_COLUMNS as N_SUNK
from firstcontact.proximity.touching.touching_places import TouchingPlaces
from firstcontact.queries.in_short.convexes import Things
from firstcontact.queries.kinds.convex import ConvexPair, pose_convexes, sides_of, write_ways_out
from firstcontact.queries.kinds.convex import proven as proven_of_convexes
from firstcontact.queries.kinds.convex_mesh import ShapeAndMesh, features_of, places_of, pose_shape_and_mesh
from firstcontact.queries.kinds.convex_mesh import proven as proven_of_shape
from firstcontact.queries.kinds.rigid import Pair, advancement_stats, pose_bodies, proven, touching_at
from firstcontact.rigid.convex.convex_single import proven_of_pair
from firstcontact.rigid.single_first import (
    COUNTS,
    NORMAL,
    POINT_A,
    POINT_B,
    STATUS,
    TIME,
    TOLERANCE,
    TRIANGLE_A,
    found_in,
)
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind


class Arrival:
    """Where a search for single things arrived, and what else is worked out of that when it is asked for."""

    def __init__(self, out: Array, seconds: float, things: Things, ask: Ask) -> None:
        self.out, self.things = out, things
        self._seconds, self.ask = seconds, ask

    @property
    def status(self) -> int:
        """The outcome, as a plain number."""
        return int(self.out[STATUS])

    @property
    def is_apart(self) -> bool:
        """Was there no contact?"""
        return self.status == SEPARATED

    @property
    def stats(self) -> AdvancementStats:
        """What the search did."""
        return advancement_stats([int(count) for count in self.out[COUNTS:TOLERANCE]], self._seconds)

    @once
    def found(self) -> Found:
        """What was found, as of a batch of one."""
        return found_in(self.out)


class ConvexArrival(Arrival):
    """That of two convex shapes."""

    @once
    def normal(self) -> Array:
        """The unit vector from a to b; of what overlaps from the start, along which it is parted soonest."""
        if self.status == CONTACT_AT_START and not self._is_clearly_apart:
            deep, (a, rows_a), (b, rows_b) = np.empty(N_SUNK), *map(_side, self.things)
            sink_convexes.straight(a.packed, _started(rows_a), b.packed, _started(rows_b), deep)
            if not deep[DEPTH] < 0.0:
                self.out[NORMAL:TRIANGLE_A] = deep[DIRECTION : DIRECTION + 3]
        return self.out[NORMAL:TRIANGLE_A]

    @property
    def _is_clearly_apart(self) -> bool:
        """Are the closest points farther apart than rounding can hide, so that nothing overlaps?"""
        p, q = self.out[POINT_A:POINT_B], self.out[POINT_B:NORMAL]
        size: float = float(np.abs(p).sum()) + sum(_side(thing)[0].largest for thing in self.things)
        return float(np.linalg.norm(q - p)) > NEARLY * size

    @property
    def _is_moving(self) -> bool:
        """Does either move? What rests is tried at the start, and never again."""
        return any(not np.array_equal(rows, _started(rows)) for _, rows in map(_side, self.things))

    @once
    def upper(self) -> float:
        """Time by which contact is certain."""
        (a, rows_a), (b, rows_b) = map(_side, self.things)
        upper = proven_of_pair(a.packed, rows_a, b.packed, rows_b, self.out)
        if self.status == CONTACT_AT_START and upper > self.out[TIME] and self._is_moving:
            _ = self.normal  # what is tried after the start goes by that
            upper = proven_of_pair(a.packed, rows_a, b.packed, rows_b, self.out)
        return upper

    @property
    def features(self) -> NDArray[np.int32]:
        """Kinds and ids."""
        return np.array([[ContactKind.SHAPE_SHAPE, -1, -1]], np.int32)


class FollowedArrival(Arrival):
    """That of two convex shapes of which one or both have a law of motion."""

    @once
    def pair(self) -> ConvexPair:
        """Both, as they are posed to the search."""
        a, b = (as_moving(thing) for thing in self.things)
        return pose_convexes(a, b, self.ask)

    @once
    def normal(self) -> Array:
        """The unit vector from a to b, as of a `ConvexArrival`."""
        if self.status == CONTACT_AT_START:
            pair = self.pair
            write_ways_out(self.found, *sides_of(pair, *pair.motions.rows), pair.motions)
        normal: Array = self.found.normals[0]
        return normal

    @once
    def upper(self) -> float:
        """Time by which contact is certain."""
        _ = self.normal  # what is tried after the start goes by that
        return np.inf if self.is_apart else float(proven_of_convexes(self.pair, self.found)[0])

    @property
    def features(self) -> NDArray[np.int32]:
        """Kinds and ids."""
        return np.array([[ContactKind.SHAPE_SHAPE, -1, -1]], np.int32)


def convex_arrival(out: Array, seconds: float, things: Things, ask: Ask) -> Arrival:
    """That of two convex shapes, whether or not one has a law of motion."""
    has_law = things[0].rows is None or things[1].rows is None
    return (FollowedArrival if has_law else ConvexArrival)(out, seconds, things, ask)


def _side(thing: Any) -> tuple[Any, Any]:
    """The shape and the rows of a single thing."""
    return (thing.shape, thing.rows) if isinstance(thing, Moving) else (thing, AT_ORIGIN)


def _started(rows: Array) -> Array:
    """The row of a body that rests where its motion starts."""
    row = rows[:N_MOTION].copy()
    row[VELOCITY : VELOCITY + 3] = row[RATE] = 0.0
    return row


class MeshArrival(Arrival):
    """That of two meshes."""

    @once
    def pair(self) -> Pair:
        """Both, as they are posed to the search."""
        a, b = (as_moving(thing) for thing in self.things)
        return pose_bodies(a, b, self.ask)

    @once
    def upper(self) -> float:
        """Time by which contact is certain."""
        return np.inf if self.is_apart else float(proven(self.pair, self.found)[0])

    @once
    def touches(self) -> TouchingPlaces:
        """All that touches then."""
        return touching_at(self.pair, self.found)

    @property
    def features(self) -> NDArray[np.int32]:
        """Kinds and ids of that."""
        return np.column_stack([self.touches.kind, self.touches.ids]).astype(np.int32)


class ShapeArrival(Arrival):
    """That of a convex shape and a mesh, in either order."""

    @once
    def pair(self) -> ShapeAndMesh:
        """Both, as they are posed to the search."""
        a, b = (as_moving(thing) for thing in self.things)
        return pose_shape_and_mesh(a, b, self.ask)

    @once
    def upper(self) -> float:
        """Time by which contact is certain."""
        return np.inf if self.is_apart else float(proven_of_shape(self.pair, self.found)[0])

    @once
    def places(self) -> tuple[Array, Array]:
        """Where they touch, and the normal there; no rows where nothing does."""
        n = 0 if self.out[TRIANGLE_A + 1] < 0.0 else 1
        points, normals = places_of(self.pair, self.found)
        return points[:n], normals[:n]

    @property
    def features(self) -> NDArray[np.int32]:
        """What touches."""
        return features_of(self.pair, self.found)[: len(self.places[0])]
