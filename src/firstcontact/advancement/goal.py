"""What is asked of a search, and what it looks for in a piece of two motions."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import RelativeMotion, fastest, relative_motion, rounding_error
from firstcontact.motions.rigid_motion import END_TIME, deviation_of
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.scalar.vec3 import Vec3

# Steps of a search that ends by itself.
NO_LIMIT = 1 << 62


class Options(NamedTuple):
    """What holds for all motions of a batch.

    method : one of those that the search has, by its number
    is_first : whether the first contact is asked for; else any will do, if the search knows a quicker way
    """

    tolerance: float
    min_separation: float
    max_iterations: int = NO_LIMIT
    method: int = 0
    is_first: bool = True


class Goal(NamedTuple):
    """What a search looks for.

    start, end : times between which
    margin : distance that counts as contact, and that rounding or a deviation may hide
    target : distance at which a pair of triangles counts as in contact
    slack : time by which a contact may be reported before the distance is down to the target
    max_iterations : steps of advancement after which to stop
    speed : no two points approach each other faster
    """

    start: float
    end: float
    margin: float
    target: float
    slack: float
    max_iterations: int
    speed: float = np.inf


class BodyExtent(NamedTuple):
    """How far a body goes from its origin: what of it turns, and a radius around all of that."""

    origin: Vec3
    reach: float
    radius: float


@kernel
def nearness(options: Options, rounding: float, deviation: float) -> tuple[float, float, float]:
    """Give margin and target of a goal, and the tolerance, raised to the floor of what rounding may hide.

    Bodies that deviate from their pieces are nearer to each other than these by that much at the most.
    """
    tolerance, distance = max(options.tolerance, FLOOR * rounding), options.min_separation + deviation
    return distance + rounding, distance + 0.5 * tolerance, tolerance


@kernel
def goal_between(
    start: float, end: float, options: Options, rounding: float, deviation: float, speed: float
) -> Goal:
    """What is looked for between two times by who knows how far rounding, deviation and speed go."""
    margin, target, tolerance = nearness(options, rounding, deviation)
    slack = 0.25 * tolerance / speed if speed > 0.0 else 0.0
    return Goal(start, end, margin, target, slack, options.max_iterations, speed)


@kernel
def goal_of(
    a: BodyExtent, b: BodyExtent, row_a: Array, row_b: Array, options: Options, start: float
) -> tuple[RelativeMotion, Goal]:
    """Join a piece of each motion; what is looked for in it ends where the first of the two does."""
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    rounding = rounding_error(motion, a.reach + a.radius, b.reach + b.radius, row_a, row_b)
    end, deviation = min(row_a[END_TIME], row_b[END_TIME]), deviation_of(row_a, row_b)
    return motion, goal_between(start, end, options, rounding, deviation, fastest(motion, a.reach, b.reach))


@kernel
def motion_rows(rows_a: Array, rows_b: Array, k: int) -> tuple[Array, Array]:
    """Pieces of motion k of each body, of rows (n, m, N_COLUMNS), or (1, m, N_COLUMNS)."""
    return rows_a[min(k, len(rows_a) - 1)], rows_b[min(k, len(rows_b) - 1)]


@kernel
def pieces_after(rows_a: Array, rows_b: Array, i: int, j: int, time: float) -> tuple[int, int]:
    """Numbers of the pieces from a time on, at which piece i of a or j of b ends; one too many for none."""
    return i + (rows_a[i, END_TIME] <= time), j + (rows_b[j, END_TIME] <= time)
