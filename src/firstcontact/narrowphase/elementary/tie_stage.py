"""The stages of the ties, over many queries: certificates of contact for what floating point leaves open.

Both look for a contact within the tolerance after the time before which a row is known to be free. They are
two because most ties need no more than the first, and what is not called is not compiled.
"""

from math import ceil, floor, frexp, ldexp

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, CONTACT_AT_START, Finding, Options
from firstcontact.narrowphase.elementary.elementary_stages import Answers, Rows, points_of, store
from firstcontact.narrowphase.elementary.inclusion import INSIDE
from firstcontact.narrowphase.elementary.tie_crossings import is_crossed, is_met, is_passed
from firstcontact.narrowphase.elementary.ties import ROOM_SIZE, load_query, touches_at

# Which stage decided a query: goes on from the numbers of `elementary_stages`.
BY_TIES = 5

# Times of this many binary digits are tried first: a contact at the end, or half way, is at such a time.
SHORT_TIMES = 2.0**20

# Brackets to look for. Wider ones make areas unsure; narrower ones are below the digits of a time.
WIDEST = 2.0**-24
NARROWEST = 2.0**-50


@kernel
def bracket_width(options: Options) -> float:
    """Width in which to look for a contact."""
    return min(max(options.time_tolerance, NARROWEST), WIDEST)


@kernel
def time_step(width: float) -> float:
    """Power of two that is at most a quarter of a width, and more than an eighth.

    Multiples of it have few digits, and so have the points at such times.
    """
    return ldexp(1.0, frexp(width)[1] - 3)


@kernel
def touch_row(start: Array, end: Array, options: Options, row: int, answers: Answers, room: Array) -> None:
    """Decide a row whose points touch at a time with few digits; ask a contact at 0 whether it is one."""
    begin, width = answers.time[row], bracket_width(options)
    if not load_query(points_of(start, row), points_of(end, row), options.is_edge_edge, room):
        return
    later = (floor(begin / time_step(width)) + 2.0) * time_step(width)
    for t in (ceil(SHORT_TIMES * begin) / SHORT_TIMES, min(later, options.max_time)):
        if t > min(begin + width, options.max_time):
            continue
        where = touches_at(room, options.is_edge_edge, t)
        if where == INSIDE:
            store(Finding(CONTACT if t > 0.0 else CONTACT_AT_START, begin, t), row, answers)
        if where == INSIDE or answers.status[row] == CONTACT:  # at t = 0 the answer is never unsure
            answers.stage[row] = BY_TIES
            return


@kernel
def cross_row(start: Array, end: Array, options: Options, row: int, answers: Answers, room: Array) -> None:
    """Decide an open row, whose points do not touch at t = 0, by what changes its sign."""
    begin, width = answers.time[row], bracket_width(options)
    is_edge_edge, step = options.is_edge_edge, time_step(width)
    if not load_query(points_of(start, row), points_of(end, row), is_edge_edge, room):
        return
    before = floor(begin / step)
    s, e = max((before - 1.0) * step, 0.0), min((before + 4.0) * step, options.max_time)
    if (
        is_met(room, is_edge_edge, s, e)
        or is_crossed(room, is_edge_edge, s, e)
        or is_passed(room, is_edge_edge, s, e)
    ):
        store(Finding(CONTACT, begin, e), row, answers)
        answers.stage[row] = BY_TIES


@driver
def touch_rows(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Decide rows that touch at a time with few digits."""
    room = np.empty(ROOM_SIZE)
    for row in rows:
        touch_row(start, end, options, row, answers, room)


@driver
def cross_rows(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Decide rows in which something changes its sign."""
    room = np.empty(ROOM_SIZE)
    for row in rows:
        cross_row(start, end, options, row, answers, room)
