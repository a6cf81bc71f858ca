"""Certificates of bodies, with the times at which they fail: nobody is touched, and the cell is not left."""

import numpy as np

from firstcontact._jit import driver, uncounted_kernel
from firstcontact.advancement.ask import RELATIVE_TOLERANCE
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import OneSide
from firstcontact.hierarchy.pair_key import HALF as KEY_HALF
from firstcontact.motions.motion_bound import FOREVER
from firstcontact.motions.rigid_motion import N_COLUMNS
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, dot, norm
from firstcontact.scene.events.ball_times import (
    PLACED,
    WIDER,
    Center,
    ball_falls,
    balls_meet,
    center_at,
    may_fall,
    may_meet,
    relative_center,
)
from firstcontact.scene.events.cells import bucket_of, tag_of, way_out
from firstcontact.scene.events.convex_times import shapes_meet
from firstcontact.scene.events.event_table import (
    ABSENT,
    ALIKE,
    BALL,
    BALL_SHAPE,
    BEHIND,
    BUCKET,
    CELL,
    EARLIER,
    FIRST_ROAMING,
    ID,
    KIND,
    LOOK_AGAIN,
    MIN_SEPARATION,
    N_AROUND,
    N_CERTIFICATES,
    N_PAIRS,
    N_SEARCHES,
    NOBODY,
    OTHERS,
    OUT,
    OUTCOME,
    OUTWARD,
    PARTNER,
    PARTNER_STAMP,
    PLACE,
    PLANE,
    ROAMING,
    SHAPE,
    SIZE,
    STAMP,
    TAG,
    TOLERANCE,
    TOUCHES,
    WAY_OUT,
    EventTable,
)
from firstcontact.scene.events.heap import sift
from firstcontact.scene.events.plane_times import shape_falls
from firstcontact.shapes.convex import convex_at, origin_at

# A time is told earlier by this part of it: what the sum of two has lost.
EARLIER_BY = 4.0 * UNIT_ROUNDOFF


@uncounted_kernel
def certify(table: EventTable, body: int, now: float) -> None:
    """Make both certificates of a body anew, from now on."""
    times, numbers = table.times, table.numbers
    times[body, OTHERS], times[body, OUT] = FOREVER, FOREVER
    numbers[body, PARTNER] = NOBODY
    if numbers[body, KIND] != ABSENT:
        table.counts[N_CERTIFICATES] += 1
        center = center_at(table.motions[body], now)
        _look_at_roaming(table, body, center, now)
        if numbers[body, BUCKET] != ROAMING:
            _look_around(table, body, center, now, -1)
            _see_way_out(table, body, center, now)
    settle_key(table, body)


@uncounted_kernel
def certify_changed(table: EventTable, body: int, now: float) -> None:
    """Make the certificates of a body anew whose motion has changed, or that roams from now on.

    Those in cells look at all that roam, never the other way round: a wall that stays as it is costs nothing.
    """
    certify(table, body, now)
    numbers = table.numbers
    if numbers[body, KIND] != ABSENT and numbers[body, BUCKET] == ROAMING:
        for other in range(len(numbers)):
            if numbers[other, KIND] != ABSENT and numbers[other, BUCKET] != ROAMING:
                _look_at(table, other, center_at(table.motions[other], now), body, now)
                settle_key(table, other)


@uncounted_kernel
def certify_entry(table: EventTable, body: int, now: float, side: int) -> None:
    """Make certificates of a body that has just entered a cell by a side: it has new neighbours there."""
    center = center_at(table.motions[body], now)
    _look_around(table, body, center, now, side)
    _see_way_out(table, body, center, now)
    settle_key(table, body)


@uncounted_kernel
def settle_key(table: EventTable, body: int) -> None:
    """Bring a body to its place in the heap, by the earlier of its two times."""
    times = table.times
    times[body, EARLIER] = min(times[body, OTHERS], times[body, OUT])
    sift(table.heap, table.keys, table.places, times[body, EARLIER], body)


@uncounted_kernel
def _see_way_out(table: EventTable, body: int, center: Center, now: float) -> None:
    at, velocity, bend, _ = center
    time, side = way_out(table.state, table.numbers[body], at, velocity, bend)
    table.times[body, OUT], table.numbers[body, WAY_OUT] = now + time, side


@uncounted_kernel
def _look_around(table: EventTable, body: int, center: Center, now: float, side: int) -> None:
    """Look at all in the cells around that of a body; with a side, in those beyond that side alone."""
    numbers, times, seen, links, heads = table.numbers, table.times, table.seen, table.links, table.heads
    wide, is_alike = _wide(table, body), table.state[ALIKE] == 1.0
    _fetch_around(table, body)
    axis, step = side >> 1, 2 * (side & 1) - 1
    x, y, z = numbers[body, CELL], numbers[body, CELL + 1], numbers[body, CELL + 2]
    for k in range(N_AROUND):
        i, j, h = k % 3 - 1, k // 3 % 3 - 1, k // 9 - 1
        if side >= 0 and (i if axis == 0 else j if axis == 1 else h) != step:
            continue
        other, tag = int(np.int64(heads[k])), tag_of(x + i, y + j, z + h)
        while other != NOBODY:
            is_there = links[other, TAG] == tag and other != body
            left = times[body, OTHERS] - now
            if is_there and (not is_alike or may_meet(seen, center, other, now, left, wide)):
                _look_at(table, body, center, other, now)
            other = int(np.int64(links[other, BEHIND]))


@uncounted_kernel
def _fetch_around(table: EventTable, body: int) -> None:
    """Get who is first in each cell around, and what will be read of them, all at once.

    One after the other, each would be waited for: of 100,000 bodies, that is half of the time.
    """
    numbers, buckets, links, seen = table.numbers, table.buckets, table.links, table.seen
    heads, fetched = table.heads, table.fetched
    x, y, z = numbers[body, CELL] - 1, numbers[body, CELL + 1] - 1, numbers[body, CELL + 2] - 1
    for k in range(N_AROUND):
        heads[k] = buckets[bucket_of(buckets, x + k % 3, y + k // 3 % 3, z + k // 9)]
    for k in range(N_AROUND):
        other = max(int(np.int64(heads[k])), 0)
        fetched[k] = seen[other, PLACE] + links[other, TAG]


@uncounted_kernel
def _look_at_roaming(table: EventTable, body: int, center: Center, now: float) -> None:
    motions, numbers, times = table.motions, table.numbers, table.times
    other, wide = table.counts[FIRST_ROAMING], _wide(table, body)
    while other != NOBODY:
        left = times[body, OTHERS] - now
        if numbers[other, KIND] != PLANE or may_fall(motions, center, other, now, left, wide):
            _look_at(table, body, center, other, now)
        other = int(np.int64(table.links[other, BEHIND]))


@uncounted_kernel
def _wide(table: EventTable, body: int) -> float:
    """Radius of a ball around a body beyond which nothing is in contact with it, but for the other's size."""
    separation, given = table.state[MIN_SEPARATION], table.state[TOLERANCE]
    wide: float = WIDER * table.motions[body, BALL] + separation + max(given, 0.0)
    return wide


@uncounted_kernel
def _look_at(table: EventTable, body: int, center: Center, other: int, now: float) -> None:
    """Look at a pair, and write it down as what fails first, if it does."""
    if body == other or not is_looked_at(table, body, other):
        return
    times, numbers = table.times, table.numbers
    table.counts[N_PAIRS] += 1
    left = times[body, OTHERS] - now
    time, outcome = _pair_time(table, body, center, other, now, left)
    if time < left:
        times[body, OTHERS] = max(now, (now + time) * (1.0 - EARLIER_BY))
        if outcome == LOOK_AGAIN:  # time goes on, by its own rounding at the least
            times[body, OTHERS] = max(times[body, OTHERS], now + EARLIER_BY * now + SHORTEST)
        numbers[body, PARTNER], numbers[body, PARTNER_STAMP] = other, numbers[other, STAMP]
        numbers[body, OUTCOME] = outcome


@uncounted_kernel
def is_looked_at(table: EventTable, body: int, other: int) -> bool:
    """Is a pair of bodies that are there to be looked at?"""
    numbers = table.numbers
    kind, theirs = numbers[body, KIND], numbers[other, KIND]
    if kind == ABSENT or theirs == ABSENT or (kind == PLANE and theirs == PLANE):
        return False
    return is_said_kept(table, body, other)


@uncounted_kernel
def is_said_kept(table: EventTable, body: int, other: int) -> bool:
    """Does nothing that was said of two bodies, or of groups, ignore them?"""
    numbers, words, ignored = table.numbers, table.words, table.ignored
    if len(ignored) > 0:
        one, two = numbers[body, ID], numbers[other, ID]
        key = min(one, two) << KEY_HALF | max(one, two)
        low, high = 0, len(ignored)
        while low < high:
            middle = (low + high) >> 1
            if ignored[middle, 0] < key:
                low = middle + 1
            else:
                high = middle
        if low < len(ignored) and ignored[low, 0] == key:
            return bool(ignored[low, 1] == 0)
    shared = 0
    for c in range(words.shape[1]):
        shared |= words[body, c] & words[other, c]
    return shared == 0


@uncounted_kernel
def _pair_time(
    table: EventTable, body: int, center: Center, other: int, now: float, left: float
) -> tuple[float, int]:
    """Time from now on up to which a pair does not touch, and what there is then."""
    motions, numbers, separation = table.motions, table.numbers, table.state[MIN_SEPARATION]
    row, theirs = motions[body], motions[other]
    seen, tolerance = relative_center(center, center_at(theirs, now)), _tolerance(table, body, other)
    kind, kind_b = numbers[body, KIND], numbers[other, KIND]
    if kind == PLANE or kind_b == PLANE:
        return _plane_time(table, (body, other), seen, tolerance, now)
    reach = row[BALL] + theirs[BALL] + separation
    time, outcome = balls_meet(seen, reach, tolerance)
    if kind == BALL_SHAPE and kind_b == BALL_SHAPE:
        return time, outcome
    if norm(seen[0]) > reach + tolerance + PLACED * reach and now + time > now:
        return time, LOOK_AGAIN  # while the balls around the two do not meet
    if not left > 0.0:
        return FOREVER, TOUCHES
    table.counts[N_SEARCHES] += 1
    first, second = min(body, other), max(body, other)  # the same answer, whoever asks
    sides = side_of(table, first), side_of(table, second)
    return shapes_meet(table, sides, (motions[first], motions[second]), now, (separation, tolerance, left))


@driver
def is_pair_kept(table: EventTable, body: int, other: int) -> bool:
    """Is a pair to be looked at, whatever the two are?"""
    return is_said_kept(table, body, other)


@driver
def apart_time(table: EventTable, body: int, other: int, now: float) -> float:
    """Time from now on up to which balls around two bodies do not meet; 0 where they do."""
    motions = table.motions
    seen = relative_center(center_at(motions[body], now), center_at(motions[other], now))
    reach, tolerance = motions[body, BALL] + motions[other, BALL], _tolerance(table, body, other)
    reach += table.state[MIN_SEPARATION]
    if not norm(seen[0]) > reach + tolerance + PLACED * reach:
        return 0.0
    return balls_meet(seen, reach, tolerance)[0]


@uncounted_kernel
def _plane_time(
    table: EventTable, pair: tuple[int, int], seen: Center, tolerance: float, now: float
) -> tuple[float, int]:
    """The same of a half-space, that does not turn, and another body."""
    numbers, separation = table.numbers, table.state[MIN_SEPARATION]
    plane, body = pair
    if numbers[plane, KIND] != PLANE:
        plane, body = body, plane
        seen = _reversed(seen)
    row, outward = table.motions[body], outward_of(table.motions[plane])
    offset, velocity, bend, error = seen
    if numbers[body, KIND] == BALL_SHAPE:
        gap = dot(outward, offset) - row[BALL] - separation
        closing, pressing = -dot(outward, velocity), -dot(outward, bend)
        return ball_falls(gap, closing, pressing, norm(velocity), error, tolerance)
    side = side_of(table, body)
    asked = outward, separation, tolerance
    time, outcome, _ = shape_falls(side.shape, side.origin, side.pool, row, seen, asked, now)
    return time, outcome


@uncounted_kernel
def _reversed(seen: Center) -> Center:
    """The same as seen from the other."""
    (x, y, z), (u, v, w), (a, b, c), error = seen
    return (-x, -y, -z), (-u, -v, -w), (-a, -b, -c), error


@uncounted_kernel
def outward_of(row: Array) -> Vec3:
    """The normal of a half-space."""
    return row[OUTWARD], row[OUTWARD + 1], row[OUTWARD + 2]


@uncounted_kernel
def side_of(table: EventTable, body: int) -> OneSide:
    """Shape and motion of a body, as searches take them."""
    shape = int(np.int64(table.numbers[body, SHAPE]))
    rows = table.motions[body : body + 1, :N_COLUMNS]
    return OneSide(convex_at(table.records, shape), origin_at(table.records, shape), table.pool, rows)


@uncounted_kernel
def _tolerance(table: EventTable, body: int, other: int) -> float:
    """How near is near: as given, or as it is of two things of their sizes."""
    given: float = table.state[TOLERANCE]
    if given >= 0.0:
        return given
    one, two = table.motions[body, SIZE], table.motions[other, SIZE]
    smaller, larger = min(one, two), max(one, two)
    size: float = smaller if smaller > 0.0 else larger
    return RELATIVE_TOLERANCE * size
