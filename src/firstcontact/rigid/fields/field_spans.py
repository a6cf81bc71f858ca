"""Spans of time in which a body and the shape of a field touch: as of two rigid bodies, in spans.py."""

import numpy as np

from firstcontact._jit import driver
from firstcontact.advancement.arrival import N_COUNTS, SEPARATED
from firstcontact.advancement.contact_watch import (
    BACK,
    DEPTH,
    FREE,
    Pace,
    entered,
    first_watch,
    next_watch,
    write_span,
)
from firstcontact.advancement.goal import Options, goal_between, pieces_after
from firstcontact.advancement.proof_times import CLEARANCE
from firstcontact.arrays import INFINITY, Array
from firstcontact.fields.piece_room import PieceRoom, new_room
from firstcontact.fields.pieces import Pieces
from firstcontact.fields.seen_field import SeenField
from firstcontact.motions.relative_motion import placement_at
from firstcontact.motions.rigid_motion import deviation_of, number_at, start_of
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.rigid.fields.field_first import OF_FIELD, field_goal, search_pieces
from firstcontact.rigid.fields.field_nearest import depth_at


def field_spans(
    body: Pieces, field: SeenField, rows_a: Array, rows_b: Array, options: Options, spans: Array
) -> int:
    """Write the spans of one motion, rows (k, 26) of each, where there is room; return how many there are."""
    return int(_watch(body, field, (rows_a, rows_b), options, spans, new_room()))


@driver
def _watch(
    body: Pieces,
    field: SeenField,
    rows: tuple[Array, Array],
    options: Options,
    spans: Array,
    room: PieceRoom,
) -> int:
    counts, seen, (rows_a, rows_b) = np.zeros(N_COUNTS, np.int64), np.zeros(2, np.int64), rows
    start, n = start_of(rows_a, rows_b), int(np.int64(0))
    watch = first_watch(start)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    while i < len(rows_a) and j < len(rows_b):
        motion, goal, rounding = field_goal(body, field, rows_a[i], rows_b[j], options, start)
        deviation, end, speed = deviation_of(rows_a[i], rows_b[j]), goal.end, goal.speed
        tolerance = max(options.tolerance, FLOOR * rounding) + deviation + OF_FIELD * field.tolerance
        pace = Pace(start, end, tolerance / speed if speed > 0.0 else INFINITY, speed)
        watch = entered(watch, pace)
        while watch.now < end:
            if watch.phase == DEPTH or watch.phase == BACK:
                place = placement_at(motion, watch.now)
                # By how much it is to be more than 0 to be one.
                answer = depth_at(body, field, place, room, seen) - CLEARANCE * rounding - deviation
            else:
                part = goal_between(watch.now, watch.until, options, rounding, deviation, speed)
                arrival, _, _ = search_pieces(body, field, motion, part, room, counts)
                answer = INFINITY if arrival.status == SEPARATED else arrival.time
            watch, n = next_watch(watch, answer, pace, spans, n)
        (i, j), start = pieces_after(rows_a, rows_b, i, j, end), end
    return n if watch.phase == FREE else write_span(watch, start, spans, n)
