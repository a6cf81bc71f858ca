"""Queries about single convex shapes in short: one call of compiled code, and an answer made when it is read.

Each takes the shape and the rows of motion of a, those of b, both things as they were given, and an `Ask`.
None is for what is left to who answers about everything else.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from firstcontact.advancement.ask import USUAL, Ask, asks_for_solids
from firstcontact.answers.answer import About, named
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.arrays import Array
from firstcontact.plain import Makers, UnderWay
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
from firstcontact.shapes.mesh import as_moving

Things = tuple[Any, Any]


def distance_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure two shapes at rest; both are solid in any case."""
    if ask is not USUAL and not asks_for_solids(ask):
        return None
    out = np.empty(N_CONVEX)
    distance = measure_convexes.straight(a.packed, rows_a, b.packed, rows_b, out)
    return None if distance < 0.0 else measured(DISTANCE_MAKERS, distance, out, things)


def intersects_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """Have two shapes at rest a point in common?"""
    if ask is not USUAL and not asks_for_solids(ask):
        return None
    found = touch_convexes.straight(a.packed, rows_a, b.packed, rows_b)
    return None if found < 0 else found > 0


def penetration_of_convexes(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Penetration | None:
    """Measure how deep two shapes at rest are in each other."""
    if ask is not USUAL:
        return None
    out = np.empty(N_SUNK)
    depth = sink_convexes.straight(a.packed, rows_a, b.packed, rows_b, out)
    return None if depth != depth else sunk(PENETRATION_MAKERS, depth, out, things)


def measured(makers: Makers, distance: float, out: Array, things: Any) -> Distance:
    """An answer that knows its distance, and makes all else when it is asked for."""
    found: Any = UnderWay()
    found._later, found.distance = (makers, (out, things)), distance
    found.__class__ = Distance
    return cast(Distance, found)


def sunk(makers: Makers, depth: float, out: Array, things: Any) -> Penetration:
    """An answer that knows its depth, 0 where shapes are apart, and makes all else when it is asked for."""
    found: Any = UnderWay()
    found._later, found.depth = (makers, (out, things)), 0.0 if depth < 0.0 else depth
    found.__class__ = Penetration
    return cast(Penetration, found)


def told_about(out: Array, things: Things) -> About:
    """What an answer is about."""
    return About(named([as_moving(thing) for thing in things]))


def _place(first: int, last: int) -> Callable[..., Array]:
    """Make a vector of a `Penetration`; NaN where there is none."""
    return lambda out, _: np.full(3, np.nan) if out[DEPTH] < 0.0 else out[first:last].copy()


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
