"""When two rigid bodies touch and part, posed to the searches."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import on_ranges
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.contact_watch import (
    DOUBT,
    N_COLUMNS,
    NOT_PROVEN,
    PART_LOWER,
    PART_UPPER,
    TOUCH_LOWER,
    TOUCH_UPPER,
)
from firstcontact.advancement.refining import FINE, Motions
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.arrays import Array
from firstcontact.motions.poses_then import poses_then
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.resting import resting_intersects
from firstcontact.queries.kinds.rigid import ALGEBRAIC, check_algebraic, options_of
from firstcontact.queries.kinds.rigid_clearance import check_solids, diameter_of
from firstcontact.rigid.algebraic.algebraic_spans import algebraic_spans
from firstcontact.rigid.pair_kinds import Bodies, bodies_of
from firstcontact.rigid.spans import touching_spans
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

# By name: the searches of `rigid.spans`, and algebra, which is no search of theirs.
METHODS = {"c2a": 0, ALGEBRAIC: 1}

# Room for the spans of a motion at first.
ROOM = 16

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 16

# Pieces of a motion that deviates from them, at the most.
MOST_PIECES = 1 << 12


def rigid_intervals(a: Moving, b: Moving, ask: Ask) -> ContactIntervals:
    """Find all contacts of two rigid bodies, of one motion or a batch."""
    n = common_length(a.rigid, b.rigid, "motions")
    if ask.solid:
        check_solids(a, b)
    motions, found = Motions(a.rigid, b.rigid), [np.empty((0, N_COLUMNS))] * n
    if ask.method == ALGEBRAIC:
        check_algebraic(a, b, ask, ("tolerance",))
        found = [algebraic_spans((a.surface, b.surface), motions, k) for k in range(n)]
    else:
        _watch_all(a, b, ask, found)
    if ask.solid:
        for k in range(n):
            found[k] = with_insides(found[k], a, b, k, partial(resting_intersects, ask=Ask(solid=True)))
    return ContactIntervals(*interval_columns(found), a.rigid.is_batch or b.rigid.is_batch)


def _watch_all(a: Moving, b: Moving, ask: Ask, found: list[Array]) -> None:
    """Search for the spans of all motions, on all threads."""
    motions, known = Motions(a.rigid, b.rigid), bodies_of(a, b)
    options = options_of(ask, diameter_of(a), diameter_of(b), METHODS)

    def watch(bodies: Bodies, first: int, last: int) -> None:
        for k in range(first, last):
            rows_a, rows_b = rows_of_one(motions, k, options.tolerance)
            found[k] = watched(partial(touching_spans, bodies, rows_a, rows_b, options))

    if known is not None:
        on_ranges(partial(watch, known), len(found), WORTH_A_THREAD)


def interval_columns(found: list[Array]) -> tuple[Array, Array, Array, NDArray[np.bool_], NDArray[np.int64]]:
    """Columns of `ContactIntervals`, of the spans (k, N_COLUMNS) of each motion."""
    spans = np.concatenate([np.empty((0, N_COLUMNS)), *found])
    offsets = np.cumsum([0, *(len(one) for one in found)], dtype=np.int64)
    touch, part = spans[:, [TOUCH_LOWER, TOUCH_UPPER]], spans[:, [PART_LOWER, PART_UPPER]]
    return touch, part, np.maximum(spans[:, DOUBT], 0.0), spans[:, DOUBT] != NOT_PROVEN, offsets


def spans_of(found: ContactIntervals) -> list[Array]:
    """The spans (k, N_COLUMNS) of each motion, as `interval_columns` takes them."""
    rows = np.empty((len(found.doubt), N_COLUMNS))
    rows[:, [TOUCH_LOWER, TOUCH_UPPER]], rows[:, [PART_LOWER, PART_UPPER]] = found.touch, found.part
    rows[:, DOUBT] = np.where(found.is_proven, found.doubt, NOT_PROVEN)
    return [rows[first:last] for first, last in pairwise(found.offsets.tolist())]


def watched(search: Callable[[Array], int]) -> Array:
    """All spans of a motion, however many, of a search that writes them where there is room."""
    n = ROOM
    while True:
        spans = np.empty((n, N_COLUMNS))
        n = search(spans)
        if n <= len(spans):
            return spans[:n]


def rows_of_one(motions: Motions, k: int, tolerance: float) -> tuple[Array, Array]:
    """Pieces (m, N_COLUMNS) of motion k of each body, so many that they deviate little."""
    which, breaks = np.array([k]), np.array([[0.0, 1.0]])
    rows = motions.refined(which, breaks)
    if not motions.are_exact:
        deviation = sum(float(own[0, 0, DEVIATION]) for own in rows)
        pieces = np.sqrt(deviation / (FINE * tolerance)) if tolerance > 0.0 else MOST_PIECES
        n = min(max(int(np.ceil(pieces)), 1), MOST_PIECES)
        rows = motions.refined(which, np.linspace(0.0, 1.0, n + 1)[np.newaxis])
    return np.ascontiguousarray(rows[0][0]), np.ascontiguousarray(rows[1][0])


def _single(thing: Moving, k: int) -> Moving:
    """One motion of a batch."""
    motion = thing.rigid
    return Moving(thing.shape, motion.chosen(slice(k, k + 1), False) if len(motion) > 1 else motion)


def with_insides(spans: Array, a: Moving, b: Moving, k: int, touch: Callable[[Moving, Moving], Any]) -> Array:
    """Join spans of motion k where one solid is inside the other in between: it stayed as it was halfway.

    touch : tells of two things, pose by pose, whether one is; NOT_PROVEN where it only may be
    """
    edges = np.concatenate([[0.0], spans[:, [TOUCH_LOWER, PART_UPPER]].reshape(-1), [1.0]]).reshape(-1, 2)
    middles = edges.mean(axis=1)
    own = [_single(thing, k) for thing in (a, b)]
    placed = [shape_of(thing).at(poses_then(thing.rigid, middles)) for thing in own]
    inside = np.atleast_1d(touch(placed[0], placed[1])) * (edges[:, 1] > edges[:, 0])
    joined: list[Array] = []
    for k in range(len(edges)):
        if inside[k]:
            _append(joined, _span_of(edges[k], inside[k] != NOT_PROVEN), True)
        if k < len(spans):
            _append(joined, spans[k].copy(), bool(inside[k]))
    return np.array(joined).reshape(-1, N_COLUMNS)


def _span_of(edge: Array, is_proven: bool) -> Array:
    """A span of contact from a time to another."""
    start, end = edge.tolist()
    return np.array([start, start, end, end, 0.0] if is_proven else [start, end, start, end, NOT_PROVEN])


def _append(joined: list[Array], span: Array, is_next: bool) -> None:
    """Put a span behind others; one that begins where the last one ends goes on with it."""
    if not (is_next and joined and joined[-1][PART_UPPER] == span[TOUCH_LOWER]):
        joined.append(span)
        return
    last = joined[-1]
    last[PART_UPPER] = span[PART_UPPER]
    if last[DOUBT] == span[DOUBT] == NOT_PROVEN:
        last[TOUCH_UPPER], last[PART_LOWER] = last[PART_UPPER], last[TOUCH_LOWER]
    elif last[DOUBT] == NOT_PROVEN:
        last[TOUCH_UPPER], last[PART_LOWER], last[DOUBT] = span[TOUCH_UPPER], span[PART_LOWER], span[DOUBT]
    elif span[DOUBT] != NOT_PROVEN:
        last[DOUBT] += span[DOUBT] + max(span[TOUCH_UPPER] - last[PART_LOWER], 0.0)
        last[PART_LOWER] = span[PART_LOWER]
