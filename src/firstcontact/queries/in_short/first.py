"""The first contact of single things in short: as `convexes` of shapes at rest.

The search is one call of compiled code. What touches, and by when that is certain, is worked out when it is
asked for, of meshes by who does so at length: never for a safe step, or where a way is to be free.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import CONTACT_AT_START, SEPARATED, Found
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.contact_results import AdvancementStats, FirstContact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import volumes_around
from firstcontact.bodies.packed_body import packed_body_of
from firstcontact.motions.rigid_motion import N_COLUMNS as N_MOTION
from firstcontact.motions.rigid_motion import RATE, VELOCITY
from firstcontact.motions.short_rows import AT_ORIGIN
from firstcontact.plain import Makers, UnderWay, once
from firstcontact.proximity.distance.single_distance import NEARLY
from firstcontact.proximity.penetration.convex_penetration import DEPTH, DIRECTION, sink_convexes
from firstcontact.proximity.penetration.convex_penetration import N_COLUMNS as N_SUNK
from firstcontact.proximity.touching.touching_places import TouchingPlaces
from firstcontact.queries.in_short.convexes import Things, told_about
from firstcontact.queries.kinds.convex_mesh import ShapeAndMesh, features_of, places_of, pose_shape_and_mesh
from firstcontact.queries.kinds.convex_mesh import proven as proven_of_shape
from firstcontact.queries.kinds.rigid import (
    MAX_ITERATIONS,
    Pair,
    advancement_stats,
    pose_bodies,
    proven,
    touching_at,
)
from firstcontact.rigid.convex_single import first_of_pair, proven_of_pair
from firstcontact.rigid.mesh_single import first_of_bodies, first_of_convex_body
from firstcontact.rigid.single_first import (
    COUNTS,
    MIN_SEPARATION,
    N_COLUMNS,
    NORMAL,
    POINT_A,
    POINT_B,
    STATUS,
    TIME,
    TOLERANCE,
    TRIANGLE_A,
    found_in,
)
from firstcontact.rigid.single_first import MAX_ITERATIONS as MOST_STEPS
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status

# Options that the searches take here; the others are for who is asked at length.
SEARCHED = frozenset(("tolerance", "min_separation", "max_iterations"))
SEARCHED_OF_SOLIDS = SEARCHED | {"solid"}  # convex shapes are solid in any case

_USUALLY = np.zeros(N_COLUMNS)
_USUALLY[[TOLERANCE, MOST_STEPS]] = -1.0, MAX_ITERATIONS


def first_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of two convex shapes."""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED_OF_SOLIDS)
    if out is None:
        return None
    began = perf_counter()
    time = first_of_pair.straight(a.packed, rows_a, b.packed, rows_b, out)
    return met(CONVEX_MAKERS, time, ConvexArrival(out, perf_counter() - began, things, ask))


def time_of_convexes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> float | None:
    """Safe step of two convex shapes."""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED_OF_SOLIDS)
    return None if out is None else min(first_of_pair.straight(a.packed, rows_a, b.packed, rows_b, out), 1.0)


def free_of_convexes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> bool | None:
    """Do two convex shapes touch nowhere on their way?"""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED_OF_SOLIDS)
    if out is None:
        return None
    first_of_pair.straight(a.packed, rows_a, b.packed, rows_b, out)
    return float(out[STATUS]) == SEPARATED


def first_of_meshes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of two meshes."""
    began = perf_counter()
    out = _searched_meshes(a, rows_a, b, rows_b, ask)
    if out is None:
        return None
    return met(MESH_MAKERS, float(out[TIME]), MeshArrival(out, perf_counter() - began, things, ask))


def time_of_meshes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> float | None:
    """Safe step of two meshes."""
    out = _searched_meshes(a, rows_a, b, rows_b, ask)
    return None if out is None else min(float(out[TIME]), 1.0)


def free_of_meshes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> bool | None:
    """Do two meshes touch nowhere on their way?"""
    out = _searched_meshes(a, rows_a, b, rows_b, ask)
    return None if out is None else float(out[STATUS]) == SEPARATED


def first_of_convex_mesh(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of a convex shape and a mesh."""
    began = perf_counter()
    out = _searched_shape(a, rows_a, b, rows_b, ask)
    if out is None:
        return None
    return met(SHAPE_MAKERS, float(out[TIME]), ShapeArrival(out, perf_counter() - began, things, ask))


def time_of_convex_mesh(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> float | None:
    """Safe step of a convex shape and a mesh."""
    out = _searched_shape(a, rows_a, b, rows_b, ask)
    return None if out is None else min(float(out[TIME]), 1.0)


def free_of_convex_mesh(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Do a convex shape and a mesh touch nowhere on their way?"""
    out = _searched_shape(a, rows_a, b, rows_b, ask)
    return None if out is None else float(out[STATUS]) == SEPARATED


def first_of_mesh_convex(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of a mesh and a convex shape."""
    return first_of_convex_mesh(b, rows_b, a, rows_a, things, ask)


def time_of_mesh_convex(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> float | None:
    """Safe step of a mesh and a convex shape."""
    return time_of_convex_mesh(b, rows_b, a, rows_a, things, ask)


def free_of_mesh_convex(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Do a mesh and a convex shape touch nowhere on their way?"""
    return free_of_convex_mesh(b, rows_b, a, rows_a, things, ask)


def _searched_meshes(a: Any, rows_a: Array, b: Any, rows_b: Array, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    (numbers_a, links_a), (numbers_b, links_b) = packed_body_of(a), packed_body_of(b)
    if numbers_a.size == 0 or numbers_b.size == 0:
        return None
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED)
    if out is not None:
        first_of_bodies.straight(numbers_a, links_a, rows_a, numbers_b, links_b, rows_b, out)
    return out


def _searched_shape(shape: Any, rows_a: Array, mesh: Any, rows_b: Array, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    numbers, links = packed_body_of(mesh)
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED)
    if numbers.size == 0 or out is None:
        return None
    first_of_convex_body.straight(shape.packed, volumes_around(shape), rows_a, numbers, links, rows_b, out)
    return out


def _asked(ask: Ask, takes: frozenset[str]) -> Array | None:
    """What is asked, for a search; None where that is more than it takes here."""
    if not takes.issuperset(ask.given()):
        return None
    out = _USUALLY.copy()
    out[MIN_SEPARATION], out[MOST_STEPS] = ask.min_separation, ask.max_iterations or MAX_ITERATIONS
    if ask.tolerance is not None:
        out[TOLERANCE] = ask.tolerance
    return out


def met(makers: Makers, time: float, *written: Any) -> FirstContact:
    """An answer that knows its time, and makes all else when it is asked for."""
    found: Any = UnderWay()
    found._later, found.time = (makers, written), time
    found.__class__ = FirstContact
    return cast(FirstContact, found)


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


# Who makes the fields of a `FirstContact`, of where the search arrived.
OF_ARRIVALS: Makers = {
    "status": lambda found: Status(found.status),
    "time": lambda found: float(found.out[TIME]),
    "time_upper": lambda found: found.upper,
    "features": lambda found: np.empty((0, 3), np.int32) if found.is_apart else found.features,
    "stats": lambda found: found.stats,
    "is_truncated": lambda _: False,
    "_about": lambda found: told_about(found.out, found.things),
}


def rows_of_vectors(make: Callable[[Any], Array]) -> Callable[[Any], Array]:
    """Make rows of vectors; none where there is no contact."""
    return lambda found: np.empty((0, 3)) if found.is_apart else make(found)


CONVEX_MAKERS: Makers = {
    **OF_ARRIVALS,
    "points": rows_of_vectors(lambda found: found.found.points.mean(axis=1)),
    "normals": rows_of_vectors(lambda found: found.normal[np.newaxis].copy()),
}
MESH_MAKERS: Makers = {
    **OF_ARRIVALS,
    "points": rows_of_vectors(lambda found: found.touches.points),
    "normals": rows_of_vectors(lambda found: found.touches.normals),
    "is_truncated": lambda found: False if found.is_apart else found.touches.is_truncated,
}
SHAPE_MAKERS: Makers = {
    **OF_ARRIVALS,
    "points": rows_of_vectors(lambda found: found.places[0]),
    "normals": rows_of_vectors(lambda found: found.places[1]),
}
