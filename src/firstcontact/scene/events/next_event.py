"""The next contact of a queue: certificates that fail before it are made anew."""

import numpy as np

from firstcontact._jit import driver, uncounted_kernel
from firstcontact.motions.rigid_motion import BASE_TIME, POSITION, VELOCITY
from firstcontact.scene.events.ball_times import center_at
from firstcontact.scene.events.cells import begin_roaming, cell_along, enter_cell, is_within, leave_cell
from firstcontact.scene.events.certificates import certify, certify_changed, certify_entry
from firstcontact.scene.events.event_table import (
    ABSENT,
    ACCELERATION,
    ALIKE,
    BALL,
    BALL_SHAPE,
    CELL,
    CELL_SIZE,
    CONVEX_SHAPE,
    EARLIER,
    HIGHEST,
    KIND,
    LOWEST,
    N_ROAMING,
    N_ROAMING_THEN,
    NOBODY,
    NOW,
    OTHERS,
    OUT,
    OUTCOME,
    PARTNER,
    PARTNER_STAMP,
    PLACE,
    PLANE,
    SINCE,
    SPEED,
    STAMP,
    TOUCHES,
    WAY_OUT,
    WIDE,
    EventTable,
)

# Bodies that may leave the box before it is made anew; and as many again as there were when it was made.
MOST_OUTSIDE = 32

# What a look at the queue gives, instead of a body: no contact yet; the box is to be made anew; and there is
# more to do, of which a part is done each time, so that Ctrl-C is heard.
NONE, TOO_MANY_OUTSIDE, NOT_YET = -1, -2, -3


@driver
def fill_queue(table: EventTable, now: float) -> None:
    """Put all bodies into their cells, and make all certificates."""
    table.state[NOW], table.state[ALIKE] = now, 1.0
    first = NOBODY
    for body in range(len(table.numbers)):
        show_motion(table, body)
        if table.numbers[body, KIND] in (BALL_SHAPE, CONVEX_SHAPE):
            first = body if first == NOBODY else first
            for c in range(ACCELERATION, BALL):
                if table.motions[body, c] != table.motions[first, c]:
                    table.state[ALIKE] = 0.0
    for body in range(len(table.numbers)):
        if table.numbers[body, KIND] != ABSENT:
            place_body(table, body, now)
    table.counts[N_ROAMING_THEN] = table.counts[N_ROAMING]
    for body in range(len(table.numbers)):
        certify(table, body, now)


@uncounted_kernel
def show_motion(table: EventTable, body: int) -> None:
    """Write what neighbours look at of a motion."""
    row, seen = table.motions[body], table.seen[body]
    for c in range(3):
        seen[PLACE + c], seen[SPEED + c] = row[POSITION + c], row[VELOCITY + c]
    seen[SINCE], seen[WIDE] = row[BASE_TIME], row[BALL]


@uncounted_kernel
def place_body(table: EventTable, body: int, now: float) -> None:
    """Put a body that is in no list into its cell, or let it roam."""
    state, (at, _, _, _) = table.state, center_at(table.motions[body], now)
    is_small = 2.0 * table.motions[body, BALL] <= state[CELL_SIZE]
    if table.numbers[body, KIND] != PLANE and is_small and is_within(state, at):
        x, y, z = cell_along(state, at[0], 0), cell_along(state, at[1], 1), cell_along(state, at[2], 2)
        enter_cell(table, body, x, y, z)
    else:
        begin_roaming(table, body)


@uncounted_kernel
def find_next(table: EventTable, until: float, most: int) -> int:
    """Let certificates fail, up to a time, or so many of them."""
    times, numbers = table.times, table.numbers
    if len(numbers) == 0:
        return NONE
    for _ in range(most):
        body = int(np.int64(table.heap[0]))
        time = times[body, EARLIER]
        if not time <= until or time == float("inf"):
            return NONE
        table.state[NOW] = max(table.state[NOW], time)
        if times[body, OUT] < times[body, OTHERS]:
            if _leaves(table, body, time):
                return TOO_MANY_OUTSIDE
            continue
        partner = numbers[body, PARTNER]
        if numbers[body, OUTCOME] == TOUCHES and numbers[partner, STAMP] == numbers[body, PARTNER_STAMP]:
            return int(body)
        certify(table, body, time)
    return NOT_YET


@uncounted_kernel
def _leaves(table: EventTable, body: int, now: float) -> bool:
    """Let a body go on to the next cell, or out of the box; are there too many outside by now?"""
    numbers, state = table.numbers, table.state
    side = numbers[body, WAY_OUT]
    axis, step = side >> 1, 2 * (side & 1) - 1
    leave_cell(table, body)
    cell = numbers[body, CELL + axis] + step
    lower = state[LOWEST + axis] + cell * state[CELL_SIZE]
    if not (lower >= state[LOWEST + axis] and lower < state[HIGHEST + axis]):
        begin_roaming(table, body)
        certify_changed(table, body, now)
        return bool(table.counts[N_ROAMING] > MOST_OUTSIDE + 2 * table.counts[N_ROAMING_THEN])
    numbers[body, CELL + axis] = cell
    x, y, z = numbers[body, CELL], numbers[body, CELL + 1], numbers[body, CELL + 2]
    enter_cell(table, body, x, y, z)
    certify_entry(table, body, now, side)
    return False
