"""The least distance over a whole motion: what is known of it, and what to prove next.

A time with a small distance is found by going down along time; that nothing is nearer by more than the
tolerance is proven by a search for the first contact, with what is left of the distance as the separation to
keep. Where that search arrives, the distance is smaller than the least known: down from there, and on. The
level only falls, so what is proven stays so.

The way goes from the time with the least distance known forwards, and then backwards, as if time ran so:
away from where two things are nearest, steps get longer and longer. What holds both bodies, and is quicker to
search, goes first, and inwards from both ends, too: the bodies are farther apart than what holds them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.descent import Descent
from firstcontact.advancement.goal import BodyExtent, Goal, Options, goal_between
from firstcontact.arrays import Array, Ids
from firstcontact.motions.relative_motion import (
    RelativeMotion,
    backwards,
    fastest,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import END_TIME, START_TIME, deviation_of, number_at, number_before
from firstcontact.proximity.touching.near_pairs import FLOOR

# Default tolerance, as a part of the distance; near contact it is that of first contacts. A tenth of it takes
# twice as long.
RELATIVE = 1e-2

# Part of the tolerance by which a new least distance is less, or something else is in the way.
PROGRESS = 0.125

# Part of the tolerance that a descent still looks for.
WORTH_A_LOOK = 2.0**-3

# How much larger the tolerance gets where rounding is in the way.
LOOSER = 4.0

# What is left to do: to go on; finer pieces of motion; nothing. What holds the bodies has come near.
GOING, OPEN, DONE, EXHAUSTED, STOPPED = range(5)


class Nearness(NamedTuple):
    """How well a least distance is to be known: to a part of it, or to a length, whichever is more."""

    part: float
    length: float
    max_iterations: int


class Nearest(NamedTuple):
    """What is known of the least distances over n motions.

    upper, time : (n,) a bound of the least distance, attained at a time
    pair : (n,) int32, of what, where there is more than one pair of things
    lower : (n,) proven for all times from `back` to `at`, and before `head`, and after `tail`
    at, back, head, tail : (n,)
    looseness : (n,) factor of the tolerance
    state : (n,) int8
    counts : (n, N_COUNTS) int64
    """

    upper: Array
    time: Array
    pair: Ids
    lower: Array
    at: Array
    back: Array
    head: Array
    tail: Array
    looseness: Array
    state: NDArray[np.int8]
    counts: NDArray[np.int64]


class Walk(NamedTuple):
    """The same of one motion, while it is gone through: `at` is a time of the way, negative backwards."""

    upper: float
    time: float
    pair: int
    lower: float
    at: float
    looseness: float
    state: int


class Leg(NamedTuple):
    """A way through time: its end, negative backwards; 1 forwards, or -1.

    is_held : whether it is gone through by what holds the bodies, not by them
    """

    end: float
    sign: float
    is_held: bool


class Stretch(NamedTuple):
    """A piece of two motions on a way: its times, and what rounding, deviation and speed can do in it."""

    start: float
    end: float
    sign: float
    rounding: float
    deviation: float
    speed: float


def nothing_known(n: int, n_counts: int) -> Nearest:
    """Begin n motions."""
    return Nearest(
        np.full(n, np.inf),
        np.zeros(n),
        np.full(n, -1, np.int32),
        np.full(n, np.inf),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.ones(n),
        np.ones(n),
        np.full(n, GOING, np.int8),
        np.zeros((n, n_counts), np.int64),
    )


@kernel
def walk_from(nearest: Nearest, k: int) -> Walk:
    """What is known of motion k."""
    pair, state = int(np.int64(nearest.pair[k])), int(np.int64(GOING))
    return Walk(nearest.upper[k], nearest.time[k], pair, nearest.lower[k], 0.0, nearest.looseness[k], state)


@kernel
def set_out(walk: Walk, at: float) -> Walk:
    """Go on from another time of the way."""
    state = int(np.int64(GOING)) if walk.state == STOPPED else walk.state
    return Walk(walk.upper, walk.time, walk.pair, walk.lower, at, walk.looseness, state)


@kernel
def write_walk(nearest: Nearest, k: int, walk: Walk) -> None:
    """Keep what is known of motion k; one that got through all its pieces is done."""
    nearest.upper[k], nearest.time[k], nearest.pair[k] = walk.upper, walk.time, walk.pair
    nearest.lower[k], nearest.looseness[k] = walk.lower, walk.looseness
    nearest.state[k] = DONE if walk.state == GOING else walk.state


@kernel
def stretch_of(a: BodyExtent, b: BodyExtent, row_a: Array, row_b: Array) -> tuple[RelativeMotion, Stretch]:
    """Join a piece of each motion."""
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    rounding = rounding_error(motion, a.reach + a.radius, b.reach + b.radius, row_a, row_b)
    start, end = max(row_a[START_TIME], row_b[START_TIME]), min(row_a[END_TIME], row_b[END_TIME])
    speed = fastest(motion, a.reach, b.reach)
    return motion, Stretch(start, end, 1.0, rounding, deviation_of(row_a, row_b), speed)


@kernel
def stretch_on(motion: RelativeMotion, stretch: Stretch, leg: Leg) -> tuple[RelativeMotion, Stretch]:
    """Go through a piece on a way, up to its end."""
    start, end, _, rounding, deviation, speed = stretch
    if leg.sign > 0.0:
        return motion, Stretch(start, min(end, leg.end), leg.sign, rounding, deviation, speed)
    back = Stretch(-end, min(-start, leg.end), leg.sign, rounding, deviation, speed)
    return backwards(motion), back


@kernel
def first_pieces(rows_a: Array, rows_b: Array, at: float, leg: Leg) -> tuple[int, int]:
    """Numbers of the pieces in which a way begins."""
    if leg.sign > 0.0:
        return number_at(rows_a, at), number_at(rows_b, at)
    return number_before(rows_a, -at), number_before(rows_b, -at)


@kernel
def next_pieces(rows_a: Array, rows_b: Array, i: int, j: int, stretch: Stretch) -> tuple[int, int]:
    """Numbers of the pieces that follow; one too many, or -1, for none."""
    if stretch.sign > 0.0:
        return i + (rows_a[i, END_TIME] <= stretch.end), j + (rows_b[j, END_TIME] <= stretch.end)
    return i - (rows_a[i, START_TIME] >= -stretch.end), j - (rows_b[j, START_TIME] >= -stretch.end)


@kernel
def tolerance_of(walk: Walk, rounding: float, nearness: Nearness) -> float:
    """How far below the least known distance is the level that is to be proven."""
    tolerance = nearness.length
    if nearness.part > 0.0:
        tolerance = max(tolerance, nearness.part * walk.upper)
    return max(walk.looseness * tolerance, FLOOR * rounding)


@kernel
def worth_a_look(distance: float, nearness: Nearness) -> float:
    """By how much less than a distance is worth another look."""
    return WORTH_A_LOOK * max(nearness.length, nearness.part * distance)


@kernel
def level_goal(walk: Walk, stretch: Stretch, nearness: Nearness) -> tuple[float, Goal]:
    """Give the level to prove from `at` on, and the goal of a search that proves it; none where it is 0."""
    tolerance = tolerance_of(walk, stretch.rounding, nearness)
    level = max(walk.upper - tolerance, 0.0)
    options = Options(tolerance, level, nearness.max_iterations)
    goal = goal_between(walk.at, stretch.end, options, stretch.rounding, stretch.deviation, stretch.speed)
    return level, goal


@kernel
def touched(walk: Walk) -> Walk:
    """End a walk where the least distance is not told apart from 0."""
    return Walk(walk.upper, walk.time, walk.pair, 0.0, walk.at, walk.looseness, int(np.int64(DONE)))


@kernel
def stopped(walk: Walk, level: float, at: float) -> Walk:
    """End a way, proven up to a time, of what holds the bodies."""
    lower = min(walk.lower, level)
    return Walk(walk.upper, walk.time, walk.pair, lower, at, walk.looseness, int(np.int64(STOPPED)))


@kernel
def exhausted(walk: Walk) -> Walk:
    """End a walk whose steps have run out."""
    return Walk(walk.upper, walk.time, walk.pair, 0.0, walk.at, walk.looseness, int(np.int64(EXHAUSTED)))


@kernel
def descended(
    walk: Walk, level: float, at: float, descent: Descent, stretch: Stretch, nearness: Nearness
) -> Walk:
    """Go on from a time up to which a level is proven, after a descent from there.

    Without progress, see `loosened`.
    """
    upper, lower = descent.distance + stretch.deviation, min(walk.lower, level)
    tolerance = tolerance_of(walk, stretch.rounding, nearness)
    if upper <= walk.upper - PROGRESS * tolerance:
        return Walk(upper, stretch.sign * descent.time, walk.pair, lower, at, walk.looseness, walk.state)
    return loosened(proven_to(walk, level, at), stretch.deviation, tolerance)


@kernel
def proven_to(walk: Walk, level: float, at: float) -> Walk:
    """Go on from a time up to which a level is proven."""
    lower = min(walk.lower, level)
    return Walk(walk.upper, walk.time, walk.pair, lower, at, walk.looseness, walk.state)


@kernel
def loosened(walk: Walk, deviation: float, tolerance: float) -> Walk:
    """Without progress, motions deviate too much from their pieces, or rounding is in the way."""
    is_open = deviation > PROGRESS * tolerance
    state = int(np.int64(OPEN)) if is_open else walk.state
    looseness = walk.looseness if is_open else LOOSER * walk.looseness
    return Walk(walk.upper, walk.time, walk.pair, walk.lower, walk.at, looseness, state)
