"""Queries about single convex shapes in short: one call of compiled code, and an answer made when it is read.

Each takes the shape and the rows of motion of a, those of b, both things as they were given, and an `Ask`.
None is for what is left to who answers about everything else.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.answer import About, named
from firstcontact.answers.contact_results import AdvancementStats, FirstContact
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.arrays import Array
from firstcontact.plain import Makers, later
from firstcontact.proximity.distance.convex_distance import measure_convexes
from firstcontact.proximity.distance.single_distance import (
    DISTANCE,
    ITERATIONS,
    N_CONVEX,
    POINT_A,
    POINT_B,
)
from firstcontact.proximity.penetration.convex_penetration import DEPTH, DIRECTION, sink_convexes
from firstcontact.proximity.penetration.convex_penetration import N_COLUMNS as N_SUNK
from firstcontact.proximity.penetration.convex_penetration import POINT_A as DEEP_A
from firstcontact.proximity.penetration.convex_penetration import POINT_B as DEEP_B
from firstcontact.proximity.touching.convex_intersections import touch_convexes
from firstcontact.queries.rigid import MAX_ITERATIONS, advancement_stats
from firstcontact.rigid.convex_single import (
    COUNTS,
    NORMAL,
    POINT,
    STATUS,
    TIME,
    TIME_UPPER,
    first_of_pair,
)
from firstcontact.rigid.convex_single import N_COLUMNS as N_FIRST
from firstcontact.shapes.mesh import as_moving
from firstcontact.status import ContactKind, Status

Things = tuple[Any, Any]

# Options that the search for the first contact takes here; the others are for who is asked at length.
_SEARCHED = frozenset(("tolerance", "min_separation", "max_iterations"))
_USUALLY = np.array([-1.0, 0.0, MAX_ITERATIONS])


def distance_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure two shapes at rest."""
    out = np.empty(N_CONVEX)
    if ask is not USUAL or not measure_convexes(a.packed, rows_a, b.packed, rows_b, out):
        return None
    return later(Distance, DISTANCE_MAKERS, out, things)


def intersects_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Have two shapes at rest a point in common?"""
    found = touch_convexes(a.packed, rows_a, b.packed, rows_b) if ask is USUAL else -1
    return None if found < 0 else found > 0


def penetration_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Penetration | None:
    """Measure how deep two shapes at rest are in each other."""
    out = np.empty(N_SUNK)
    if ask is not USUAL or not sink_convexes(a.packed, rows_a, b.packed, rows_b, out):
        return None
    return later(Penetration, PENETRATION_MAKERS, out, things)


def first_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> FirstContact | None:
    """First contact of two shapes."""
    asked = _USUALLY if ask is USUAL else _asked(ask)
    if asked is None:
        return None
    began, out = perf_counter(), np.empty(N_FIRST)
    first_of_pair(a.packed, rows_a, b.packed, rows_b, asked, out)
    return later(FirstContact, FIRST_MAKERS, out, perf_counter() - began, things)


def _asked(ask: Ask) -> Array | None:
    """What is asked, for the search; None where that is more than it takes here."""
    if not _SEARCHED.issuperset(ask.given()):
        return None
    tolerance = -1.0 if ask.tolerance is None else ask.tolerance
    return np.array([tolerance, ask.min_separation, ask.max_iterations or MAX_ITERATIONS])


def told_about(out: Array, things: Things) -> About:
    """What an answer is about."""
    return About(named([as_moving(thing) for thing in things]))


def _stats(out: Array, seconds: float, things: Things) -> AdvancementStats:
    return advancement_stats([int(count) for count in out[COUNTS:]], seconds)


def _place(first: int, last: int) -> Callable[..., Array]:
    """Make a vector of a `Penetration`; NaN where there is none."""
    return lambda out, _: np.full(3, np.nan) if out[DEPTH] < 0.0 else out[first:last].copy()


def _rows(first: int, last: int) -> Callable[..., Array]:
    """Make the rows of a `FirstContact`: one, or none where there is no contact."""
    return lambda out, *_: out[np.newaxis, first:last].copy() if out[STATUS] else np.empty((0, 3))


def _features(out: Array, *_: Any) -> NDArray[np.int32]:
    rows = [[ContactKind.SHAPE_SHAPE, -1, -1]] if out[STATUS] else []
    return np.array(rows, np.int32).reshape(-1, 3)


# Who makes the fields of answers, of what was written and both things.
DISTANCE_MAKERS: Makers = {
    "distance": lambda out, _: float(out[DISTANCE]),
    "points_a": lambda out, _: out[POINT_A:POINT_B].copy(),
    "points_b": lambda out, _: out[POINT_B:ITERATIONS].copy(),
    "faces": lambda out, _: np.full(2, -1, np.int32),
    "stats": lambda out, _: DistanceStats(0, 0, int(out[ITERATIONS])),
    "_about": told_about,
}
PENETRATION_MAKERS: Makers = {
    "depth": lambda out, _: 0.0 if out[DEPTH] < 0.0 else float(out[DEPTH]),
    "direction": _place(DIRECTION, DEEP_A),
    "points_a": _place(DEEP_A, DEEP_B),
    "points_b": _place(DEEP_B, N_SUNK),
    "is_overlapping": lambda out, _: not out[DEPTH] < 0.0,
    "_about": told_about,
}
FIRST_MAKERS: Makers = {
    "status": lambda out, *_: Status(int(out[STATUS])),
    "time": lambda out, *_: float(out[TIME]),
    "time_upper": lambda out, *_: float(out[TIME_UPPER]),
    "points": _rows(POINT, NORMAL),
    "normals": _rows(NORMAL, COUNTS),
    "features": _features,
    "stats": _stats,
    "is_truncated": lambda *_: False,
    "_about": lambda out, _, things: told_about(out, things),
}
