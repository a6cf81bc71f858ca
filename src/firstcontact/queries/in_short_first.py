"""The first contact of single things in short: as `in_short` about shapes at rest.

Of meshes, the search is one call of compiled code; what touches, and by when that is certain, is worked out
when it is asked for, by who does so at length: never for a safe step, or where a way is to be free.
"""

from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.contact_results import AdvancementStats, FirstContact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import volumes_around
from firstcontact.bodies.packed_body import packed_body_of
from firstcontact.plain import Makers, UnderWay
from firstcontact.proximity.touching.touching_places import TouchingPlaces
from firstcontact.queries.convex_mesh import ShapeAndMesh, features_of, places_of, pose_shape_and_mesh
from firstcontact.queries.convex_mesh import proven as proven_of_shape
from firstcontact.queries.in_short import Things, told_about
from firstcontact.queries.rigid import (
    MAX_ITERATIONS,
    Pair,
    advancement_stats,
    pose_bodies,
    proven,
    touching_at,
)
from firstcontact.rigid.convex_single import first_of_pair
from firstcontact.rigid.mesh_single import first_of_bodies, first_of_convex_body
from firstcontact.rigid.single_first import (
    COUNTS,
    IS_WHOLE,
    MIN_SEPARATION,
    N_COLUMNS,
    NORMAL,
    POINT_A,
    POINT_B,
    STATUS,
    TIME,
    TIME_UPPER,
    TOLERANCE,
    TRIANGLE_A,
    found_in,
)
from firstcontact.rigid.single_first import MAX_ITERATIONS as MOST_STEPS
from firstcontact.shapes.mesh import as_moving
from firstcontact.status import ContactKind, Status

# Options that the searches take here; the others are for who is asked at length.
_SEARCHED = frozenset(("tolerance", "min_separation", "max_iterations"))
_SEARCHED_OF_SOLIDS = _SEARCHED | {"solid"}  # convex shapes are solid in any case

_USUALLY = np.zeros(N_COLUMNS)
_USUALLY[[TOLERANCE, MOST_STEPS, IS_WHOLE]] = -1.0, MAX_ITERATIONS, 1.0


def first_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of two convex shapes."""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, _SEARCHED_OF_SOLIDS)
    if out is None:
        return None
    began = perf_counter()
    time = first_of_pair(a.packed, rows_a, b.packed, rows_b, out)
    return _met(CONVEX_MAKERS, time, out, perf_counter() - began, things)


def time_of_convexes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> float | None:
    """Safe step of two convex shapes."""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, _SEARCHED_OF_SOLIDS)
    if out is None:
        return None
    out[IS_WHOLE] = 0.0
    return min(first_of_pair(a.packed, rows_a, b.packed, rows_b, out), 1.0)


def free_of_convexes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> bool | None:
    """Do two convex shapes touch nowhere on their way?"""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, _SEARCHED_OF_SOLIDS)
    if out is None:
        return None
    out[IS_WHOLE] = 0.0
    first_of_pair(a.packed, rows_a, b.packed, rows_b, out)
    return bool(out[STATUS] == Status.SEPARATED)


def first_of_meshes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of two meshes."""
    began = perf_counter()
    out = _searched_meshes(a, rows_a, b, rows_b, ask)
    if out is None:
        return None
    return _met(MESH_MAKERS, float(out[TIME]), MeshArrival(out, perf_counter() - began, things, ask))


def time_of_meshes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> float | None:
    """Safe step of two meshes."""
    out = _searched_meshes(a, rows_a, b, rows_b, ask)
    return None if out is None else min(float(out[TIME]), 1.0)


def free_of_meshes(a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask) -> bool | None:
    """Do two meshes touch nowhere on their way?"""
    out = _searched_meshes(a, rows_a, b, rows_b, ask)
    return None if out is None else bool(out[STATUS] == Status.SEPARATED)


def first_of_convex_mesh(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of a convex shape and a mesh."""
    began = perf_counter()
    out = _searched_shape(a, rows_a, b, rows_b, ask)
    if out is None:
        return None
    return _met(SHAPE_MAKERS, float(out[TIME]), ShapeArrival(out, perf_counter() - began, things, ask))


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
    return None if out is None else bool(out[STATUS] == Status.SEPARATED)


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
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, _SEARCHED)
    if out is not None:
        first_of_bodies(numbers_a, links_a, rows_a, numbers_b, links_b, rows_b, out)
    return out


def _searched_shape(shape: Any, rows_a: Array, mesh: Any, rows_b: Array, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    numbers, links = packed_body_of(mesh)
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, _SEARCHED)
    if numbers.size == 0 or out is None:
        return None
    first_of_convex_body(shape.packed, volumes_around(shape), rows_a, numbers, links, rows_b, out)
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


def _met(makers: Makers, time: float, *written: Any) -> FirstContact:
    """An answer that knows its time, and makes all else when it is asked for."""
    found: Any = UnderWay()
    found._later, found.time = (makers, written), time
    found.__class__ = FirstContact
    return cast(FirstContact, found)


class _Arrival:
    """Where a search for single things arrived, and what else is worked out of that when it is asked for."""

    def __init__(self, out: Array, seconds: float, things: Things, ask: Ask) -> None:
        self.out, self.things = out, things
        self._seconds, self._ask = seconds, ask

    @property
    def is_apart(self) -> bool:
        """Was there no contact?"""
        return bool(self.out[STATUS] == Status.SEPARATED)

    @property
    def stats(self) -> AdvancementStats:
        """What the search did."""
        return advancement_stats([int(count) for count in self.out[COUNTS:TOLERANCE]], self._seconds)

    @cached_property
    def found(self) -> Found:
        """What was found, as of a batch of one."""
        return found_in(self.out)


class MeshArrival(_Arrival):
    """That of two meshes."""

    @cached_property
    def pair(self) -> Pair:
        """Both, as they are posed to the search."""
        a, b = (as_moving(thing) for thing in self.things)
        return pose_bodies(a, b, self._ask)

    @cached_property
    def upper(self) -> float:
        """Time by which contact is certain."""
        return np.inf if self.is_apart else float(proven(self.pair, self.found)[0])

    @cached_property
    def touches(self) -> TouchingPlaces:
        """All that touches then."""
        return touching_at(self.pair, self.found)

    @property
    def features(self) -> NDArray[np.int32]:
        """Kinds and ids of that."""
        return np.column_stack([self.touches.kind, self.touches.ids]).astype(np.int32)


class ShapeArrival(_Arrival):
    """That of a convex shape and a mesh, in either order."""

    @cached_property
    def pair(self) -> ShapeAndMesh:
        """Both, as they are posed to the search."""
        a, b = (as_moving(thing) for thing in self.things)
        return pose_shape_and_mesh(a, b, self._ask)

    @cached_property
    def upper(self) -> float:
        """Time by which contact is certain."""
        return np.inf if self.is_apart else float(proven_of_shape(self.pair, self.found)[0])

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """Where they touch, and the normal there; no rows where nothing does."""
        n = 0 if self.out[TRIANGLE_A + 1] < 0.0 else 1
        points, normals = places_of(self.pair, self.found)
        return points[:n], normals[:n]

    @property
    def features(self) -> NDArray[np.int32]:
        """What touches."""
        return features_of(self.pair, self.found)[: len(self.places[0])]


def _stats(out: Array, seconds: float, things: Things) -> AdvancementStats:
    return advancement_stats([int(count) for count in out[COUNTS:TOLERANCE]], seconds)


def _rows(make: Callable[[Array], Array]) -> Callable[..., Array]:
    """Make the rows of a `FirstContact`: one, or none where there is no contact."""
    return lambda out, *_: make(out)[np.newaxis] if out[STATUS] else np.empty((0, 3))


def _features(out: Array, *_: Any) -> NDArray[np.int32]:
    rows = [[ContactKind.SHAPE_SHAPE, -1, -1]] if out[STATUS] else []
    return np.array(rows, np.int32).reshape(-1, 3)


# Who makes the fields of a `FirstContact`: of convex shapes, of what was written, seconds and both things.
CONVEX_MAKERS: Makers = {
    "status": lambda out, *_: Status(int(out[STATUS])),
    "time": lambda out, *_: float(out[TIME]),
    "time_upper": lambda out, *_: float(out[TIME_UPPER]),
    "points": _rows(lambda out: (out[POINT_A:POINT_B] + out[POINT_B:NORMAL]) / 2.0),
    "normals": _rows(lambda out: out[NORMAL:TRIANGLE_A].copy()),
    "features": _features,
    "stats": _stats,
    "is_truncated": lambda *_: False,
    "_about": lambda out, _, things: told_about(out, things),
}
# With a mesh, of where the search arrived.
_OF_ARRIVALS: Makers = {
    "status": lambda found: Status(int(found.out[STATUS])),
    "time": lambda found: float(found.out[TIME]),
    "time_upper": lambda found: found.upper,
    "stats": lambda found: found.stats,
    "_about": lambda found: told_about(found.out, found.things),
}
MESH_MAKERS: Makers = {
    **_OF_ARRIVALS,
    "points": lambda found: np.empty((0, 3)) if found.is_apart else found.touches.points,
    "normals": lambda found: np.empty((0, 3)) if found.is_apart else found.touches.normals,
    "features": lambda found: np.empty((0, 3), np.int32) if found.is_apart else found.features,
    "is_truncated": lambda found: False if found.is_apart else found.touches.is_truncated,
}
SHAPE_MAKERS: Makers = {
    **_OF_ARRIVALS,
    "points": lambda found: np.empty((0, 3)) if found.is_apart else found.places[0],
    "normals": lambda found: np.empty((0, 3)) if found.is_apart else found.places[1],
    "features": lambda found: np.empty((0, 3), np.int32) if found.is_apart else found.features,
    "is_truncated": lambda found: False,
}
