"""The first contact of single things in short: as `convexes` of shapes at rest.

The search is one call of compiled code. What touches, and by when that is certain, is worked out when it is
asked for, of meshes by who does so at length: never for a safe step, or where a way is to be free.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

import numpy as np

from firstcontact.advancement.arrival import SEPARATED
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.contact_results import FirstContact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import volumes_around
from firstcontact.bodies.packed_body import packed_body_of
from firstcontact.motions.law_table import LawTable, alike
from firstcontact.plain import Makers, UnderWay
from firstcontact.queries.in_short.arrivals import (
    Arrival,
    MeshArrival,
    ShapeArrival,
    convex_arrival,
)
from firstcontact.queries.in_short.convexes import Things, told_about
from firstcontact.queries.kinds.rigid import MAX_ITERATIONS
from firstcontact.rigid.convex.convex_single import first_of_pair, followed_pair
from firstcontact.rigid.mesh_single import (
    first_of_bodies,
    first_of_convex_body,
    followed_bodies,
    followed_convex_body,
)
from firstcontact.rigid.single_first import MAX_ITERATIONS as MOST_STEPS
from firstcontact.rigid.single_first import MIN_SEPARATION, N_COLUMNS, STATUS, TIME, TOLERANCE
from firstcontact.status import Status

# Pieces of a motion, one after the other; and where one of both things has a law, those of each with its law.
Rows = Array | tuple[Array, LawTable]

# Who searches: both shapes, each with its rows, and what is asked; and who answers of what was found.
Search = Callable[[Any, Any, Any, Any, Ask], Array | None]
Short = Callable[[Any, Any, Any, Any, Things, Ask], Any]

# Options that the searches take here; the others are for who is asked at length.
SEARCHED = frozenset(("tolerance", "min_separation", "max_iterations"))
SEARCHED_OF_SOLIDS = SEARCHED | {"solid"}  # convex shapes are solid in any case

_USUALLY = np.zeros(N_COLUMNS)
_USUALLY[[TOLERANCE, MOST_STEPS]] = -1.0, MAX_ITERATIONS


def verbs_of(search: Search, makers: Makers, arrival: Callable[..., Arrival]) -> tuple[Short, Short, Short]:
    """Who answers about the first contact, the safe step and a free way, given who searches.

    The search gives an array of what it found; None where that is left to who is asked at length.
    """

    def first(a: Any, rows_a: Rows, b: Any, rows_b: Rows, things: Things, ask: Ask) -> FirstContact | None:
        began = perf_counter()
        out = search(a, rows_a, b, rows_b, ask)
        if out is None:
            return None
        return met(makers, float(out[TIME]), arrival(out, perf_counter() - began, things, ask))

    def time(a: Any, rows_a: Rows, b: Any, rows_b: Rows, things: Things, ask: Ask) -> float | None:
        out = search(a, rows_a, b, rows_b, ask)
        return None if out is None else min(float(out[TIME]), 1.0)

    def free(a: Any, rows_a: Rows, b: Any, rows_b: Rows, things: Things, ask: Ask) -> bool | None:
        out = search(a, rows_a, b, rows_b, ask)
        return None if out is None else float(out[STATUS]) == SEPARATED

    return first, time, free


def _searched_convexes(a: Any, rows_a: Rows, b: Any, rows_b: Rows, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED_OF_SOLIDS)
    if out is None:
        return None
    if isinstance(rows_a, tuple) and isinstance(rows_b, tuple):
        followed_pair(a.packed, rows_a[0], b.packed, rows_b[0], alike(rows_a[1], rows_b[1]), out)
    else:
        first_of_pair.straight(a.packed, cast(Array, rows_a), b.packed, cast(Array, rows_b), out)
    return out


def _searched_meshes(a: Any, rows_a: Rows, b: Any, rows_b: Rows, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    (numbers_a, links_a), (numbers_b, links_b) = packed_body_of(a), packed_body_of(b)
    if numbers_a.size == 0 or numbers_b.size == 0:
        return None
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED)
    if out is None:
        return None
    if isinstance(rows_a, tuple) and isinstance(rows_b, tuple):
        packed, tables = (packed_body_of(a), packed_body_of(b)), alike(rows_a[1], rows_b[1])
        followed_bodies(packed[0], rows_a[0], packed[1], rows_b[0], tables, out)
    else:
        plain_a, plain_b = cast(Array, rows_a), cast(Array, rows_b)
        first_of_bodies.straight(numbers_a, links_a, plain_a, numbers_b, links_b, plain_b, out)
    return out


def _searched_shape(shape: Any, rows_a: Rows, mesh: Any, rows_b: Rows, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    numbers, links = packed_body_of(mesh)
    out = _USUALLY.copy() if ask is USUAL else _asked(ask, SEARCHED)
    if numbers.size == 0 or out is None:
        return None
    if isinstance(rows_a, tuple) and isinstance(rows_b, tuple):
        packed, tables = (shape.packed, volumes_around(shape)), alike(rows_a[1], rows_b[1])
        followed_convex_body(packed, rows_a[0], (numbers, links), rows_b[0], tables, out)
    else:
        plain_a, plain_b = cast(Array, rows_a), cast(Array, rows_b)
        first_of_convex_body.straight(
            shape.packed, volumes_around(shape), plain_a, numbers, links, plain_b, out
        )
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


first_of_convexes, time_of_convexes, free_of_convexes = verbs_of(
    _searched_convexes, CONVEX_MAKERS, convex_arrival
)
first_of_meshes, time_of_meshes, free_of_meshes = verbs_of(_searched_meshes, MESH_MAKERS, MeshArrival)
first_of_convex_mesh, time_of_convex_mesh, free_of_convex_mesh = verbs_of(
    _searched_shape, SHAPE_MAKERS, ShapeArrival
)
