"""A queue of events from the bodies of a scene."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.acceleration import ConstantAcceleration
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
)
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_rows import CONVEX, DEFORMING
from firstcontact.scene.events.event_table import (
    ABSENT,
    ACCELERATION,
    BALL,
    BALL_SHAPE,
    CELL_SIZE,
    CENTROID,
    CONVEX_SHAPE,
    FIRST_ROAMING,
    HIGHEST,
    ID,
    KIND,
    LEAST_SPEED,
    LOWEST,
    N_ROAMING,
    NOBODY,
    OUTWARD,
    PLANE,
    SHAPE,
    SIZE,
    EventTable,
    empty_table,
)
from firstcontact.scene.filters import Filters
from firstcontact.shapes.convex import KIND as SHAPE_KIND
from firstcontact.shapes.convex import ORIGIN, POINT, RADIUS, REACH
from firstcontact.shapes.half_space import as_half_space

# Cells are larger than the bodies in them by this, which makes up for the rounding of times and places, and
# for tolerances.
ROOMY = 1.0 + 2.0**-10

# The largest bodies that may be left out of the cells, and how much larger than the next they must be.
MOST_LARGE, MUCH_LARGER = 16, 2.0

# The box with cells is so much longer than what is there when it is made.
LONGER = 3.0

# Beyond this, where squares of lengths have no numbers soon, there are no cells.
FARTHEST = 2.0**400

# What a ball around a body is larger by, for the rounding of its radius.
ROUND = 1.0 + 2.0**-48


def filled_table(bodies: Bodies, filters: Filters, time: float, margin: float) -> EventTable:
    """Make the table of bodies as they go on from a time; those of other kinds are absent in it."""
    n, columns = bodies.n_rows, bodies.columns
    table = empty_table(n)
    _refuse_others(bodies)
    motions, numbers = table.motions, table.numbers
    motions[:, :N_COLUMNS] = columns.rows[:n]
    for row, thing in bodies.others.items():
        law = thing.rigid.law
        if isinstance(law, ConstantAcceleration):
            motions[row, :N_COLUMNS], motions[row, ACCELERATION:BALL] = law.pieces[0, 0], law.accelerations[0]
    for first, last in ((VELOCITY, AXIS), (RATE, RATE + 1), (ACCELERATION, BALL)):
        motions[:, first:last][np.abs(motions[:, first:last]) < LEAST_SPEED] = 0.0
    motions[:, BASE_TIME], motions[:, SIZE] = time, columns.sizes[:n]
    motions[:, CENTROID:] = columns.centers[:n]
    numbers[:, ID] = columns.ids[:n]
    _write_kinds(bodies, table)
    _write_planes(bodies, table)
    words, ignored = filters.as_arrays(columns.ids[:n])
    convex = bodies.table()
    table = table._replace(records=convex.records, pool=convex.pool, words=words, ignored=ignored)
    tune_cells(table, time, margin)
    return table


def _refuse_others(bodies: Bodies) -> None:
    """Refuse what has no motion beyond the step."""
    for row, thing in bodies.others.items():
        name = bodies.names[row]
        if thing.kind == DEFORMING:
            raise TypeError(f"{name!r} deforms, and has no motion beyond its step: events take rigid bodies")
        is_thrown = thing.rigid.law is None or isinstance(thing.rigid.law, ConstantAcceleration)
        if len(thing.rigid.times) > 2 or not is_thrown:
            rule = "has no motion beyond its step: events take shape.at(...) and shape.moving(...)"
            raise TypeError(f"{name!r} moves along a path of its own, and {rule}")


def _write_kinds(bodies: Bodies, table: EventTable) -> None:
    """Write what bodies are, and balls around them; what does not turn is counted from its middle."""
    n, columns = bodies.n_rows, bodies.columns
    motions, numbers, records = table.motions, table.numbers, columns.records[:n]
    is_other = ~columns.is_there[:n]
    origins = np.where((columns.shape_ids[:n] >= 0)[:, np.newaxis], records[:, ORIGIN : ORIGIN + 3], 0.0)
    is_straight = motions[:, RATE] == 0.0
    own = motions[is_straight]
    turned = own[:, ROTATION:POSITION].reshape(-1, 3, 3)
    arms = origins[is_straight] - own[:, CENTER:END_TIME]
    motions[is_straight, POSITION:VELOCITY] += np.einsum("nij,nj->ni", turned, arms)
    motions[is_straight, CENTER:END_TIME] = origins[is_straight]
    levers = np.linalg.norm(records[:, ORIGIN : ORIGIN + 3] - motions[:, CENTER:END_TIME], axis=1)
    later = np.linalg.norm(records[:, ORIGIN : ORIGIN + 3] - motions[:, CENTROID:], axis=1)
    motions[:, BALL] = ROUND * (np.maximum(levers, later) + records[:, REACH] + records[:, RADIUS])
    is_ball = (records[:, SHAPE_KIND] == POINT) & (levers + later == 0.0) & (records[:, REACH] == 0.0)
    is_convex = (columns.kinds[:n] == CONVEX) & (columns.shape_ids[:n] >= 0)
    # A ball's radius is as it is: it is no bound but the shape.
    motions[is_ball, BALL] = records[is_ball, RADIUS]
    numbers[:, KIND] = np.where(is_convex & ~is_other, np.where(is_ball, BALL_SHAPE, CONVEX_SHAPE), ABSENT)
    numbers[:, SHAPE] = np.maximum(columns.shape_ids[:n], 0)


def _write_planes(bodies: Bodies, table: EventTable) -> None:
    """Write half-spaces that do not turn: they are seen from the point of their plane they move by."""
    for row in bodies.half_spaces:
        plane, motion = as_half_space(bodies.shapes[row]), table.motions[row]
        turned = motion[ROTATION:POSITION].reshape(3, 3)
        motion[POSITION:VELOCITY] += turned @ (plane.centroid - motion[CENTER:END_TIME])
        motion[CENTER:END_TIME], motion[SIZE], motion[BALL] = plane.centroid, np.inf, np.inf
        motion[OUTWARD:CENTROID] = turned @ plane.normal
        table.numbers[row, KIND] = ABSENT if motion[RATE] != 0.0 else PLANE


def tune_cells(table: EventTable, now: float, margin: float) -> None:
    """Choose cells for the bodies as they are now, and clear all lists."""
    state, numbers, motions = table.state, table.numbers, table.motions
    table.buckets[:], table.counts[FIRST_ROAMING], table.counts[N_ROAMING] = NOBODY, NOBODY, 0
    small = np.flatnonzero((numbers[:, KIND] == BALL_SHAPE) | (numbers[:, KIND] == CONVEX_SHAPE))
    state[CELL_SIZE] = 1.0
    if len(small) == 0:
        return
    radii = np.sort(motions[small, BALL] + margin)[::-1]
    largest = radii[0]
    if len(radii) > MOST_LARGE and radii[MOST_LARGE] * MUCH_LARGER < radii[0]:
        largest = radii[MOST_LARGE]
    places = _centers(motions[small], now)
    with np.errstate(over="ignore", invalid="ignore"):
        lower, upper = np.quantile(places, [0.02, 0.98], axis=0)
        cell = max(2.0 * ROOMY * largest, _spacing(upper - lower, largest, len(small)))
        half = 0.5 * LONGER * np.maximum(upper - lower, 4.0 * cell)
        middle = 0.5 * lower + 0.5 * upper
    cell = max(cell, float(half.max()) * 2.0**-30, 2.0**-300)
    if not (np.abs(middle).max() < FARTHEST and half.max() < FARTHEST):
        state[LOWEST:HIGHEST], state[HIGHEST : HIGHEST + 3] = np.inf, -np.inf  # nobody is within
        return
    n_cells = np.ceil(2.0 * half / cell)
    state[CELL_SIZE], state[LOWEST:HIGHEST] = cell, middle - half
    state[HIGHEST : HIGHEST + 3] = middle - half + cell * n_cells


def _centers(motions: Array, now: float) -> Array:
    """Where bodies are, (n, 3), roughly."""
    passed = now - motions[:, BASE_TIME, np.newaxis]
    velocity, bend = motions[:, VELOCITY : VELOCITY + 3], motions[:, ACCELERATION:BALL]
    with np.errstate(over="ignore", invalid="ignore"):
        places: Array = motions[:, POSITION:VELOCITY] + passed * (velocity + 0.5 * passed * bend)
    return np.nan_to_num(places, nan=0.0, posinf=1e300, neginf=-1e300)


def _spacing(extent: NDArray[Any], radius: float, n: int) -> float:
    """How far apart n bodies are that are spread over a box, flat ones too."""
    wide = extent[extent > 2.0 * radius]
    if len(wide) == 0:
        return 0.0
    return float(np.exp((np.log(wide).sum() - np.log(n)) / len(wide)))
