"""When two things touch and when they part: what is known so far, and what to look at next.

Along time, stretches are free, proven by a search for the first contact from their start; or in contact,
proven by how deep the two are in each other, which lasts as long as no speed can undo it; or neither, where
they touch within the tolerance. The last are gone through in steps that grow. Who searches is told what to
look at, a time from which to search for a contact or at which to measure a depth, and hands in the answer.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array

# What is asked: to search for the first contact from `now` to `until`, of a free stretch, of one that may be
# over, and once more to see when it was; or for the depth, from now on, or before a proof.
FREE, CHECK, NARROW, DEPTH, BACK = range(5)

# Columns of a span: bounds of when they touch, and of when they part; how much of the time between is not
# proven to be contact.
TOUCH_LOWER, TOUCH_UPPER, PART_LOWER, PART_UPPER, DOUBT = range(5)
N_COLUMNS = 5

# In place of a doubt, where contact is not proven at any time.
NOT_PROVEN = -1.0

# Looks back from the first proof of contact, and at when a contact was over.
N_BACK, N_NARROW = 48, 12

# The longest step through what is neither free nor proven to be contact.
LONGEST = 2.0**-10

# The shortest step along a contact after so many that were shorter, as of things that slide along each other
# some tolerances deep: what a depth does not last for is in doubt. Else, the faster, the longer it takes.
SHORTEST, N_SHORT = 2.0**-16, 1 << 12


class Watch(NamedTuple):
    """Where a watch is.

    phase : what is asked
    now, until : about which times
    touch, proof : when this contact began at the earliest, and by when it is proven; inf where it is not
    lasts : up to when it is
    doubt : how much between is not proven
    step : the next one through what is not decided
    low, high, resume, n_left : of looks back
    n_short : steps along this contact that were shorter than the shortest
    """

    phase: int
    now: float
    until: float
    touch: float
    proof: float
    lasts: float
    doubt: float
    step: float
    low: float
    high: float
    resume: float
    n_left: int
    n_short: int


class Pace(NamedTuple):
    """A piece of two motions: when it starts and ends, how long nothing moves by the tolerance, and speed."""

    start: float
    end: float
    least: float
    speed: float


@kernel
def first_watch(start: float) -> Watch:
    """Begin, free as far as is known."""
    phase, zero = int(np.int64(FREE)), int(np.int64(0))
    return Watch(phase, start, start, 0.0, INFINITY, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, zero, zero)


@kernel
def entered(watch: Watch, pace: Pace) -> Watch:
    """Go on with the same in a new piece."""
    phase = watch.phase if watch.phase == FREE else int(np.int64(DEPTH))
    return _at(watch, phase, pace.start, pace.end)


@kernel
def next_watch(watch: Watch, answer: float, pace: Pace, spans: Array, n: int) -> tuple[Watch, int]:
    """What to look at after an answer, and how many spans there are then; a span goes where there is room.

    answer : when the search arrived, inf where it did not; or a depth
    """
    if watch.phase == FREE:
        if answer == INFINITY:
            return _at(watch, watch.phase, pace.end, pace.end), n
        return _opened(watch, answer, pace), n
    if watch.phase == DEPTH:
        return _measured(watch, answer, pace), n
    if watch.phase == BACK:
        return _looked_back(watch, answer, pace), n
    if watch.phase == CHECK:
        return _checked(watch, answer, pace), n
    low, high = (watch.low, watch.now) if answer == INFINITY else (max(answer, watch.now), watch.high)
    if watch.n_left > 0 and high - low > pace.least and low < high:
        return _narrowed(watch, low, high, watch.n_left - 1), n
    if high > watch.touch:  # else the search from there has found it free
        n = write_span(watch, high, spans, n)
    if watch.resume == INFINITY:
        return _at(watch, int(np.int64(FREE)), pace.end, pace.end), n
    return _opened(watch, watch.resume, pace), n


@kernel
def write_span(watch: Watch, end: float, spans: Array, n: int) -> int:
    """Write a contact that is over by an end; return how many there are, more than have room too."""
    if n < len(spans):
        is_proven = watch.proof < INFINITY
        span = spans[n]
        span[TOUCH_LOWER], span[PART_UPPER] = watch.touch, end
        span[TOUCH_UPPER] = watch.proof if is_proven else end
        span[PART_LOWER] = min(watch.lasts, end) if is_proven else watch.touch
        span[DOUBT] = watch.doubt if is_proven else NOT_PROVEN
    return n + 1


@kernel
def _at(watch: Watch, phase: int, now: float, until: float) -> Watch:
    """Ask something else about the same contact."""
    return Watch(
        phase,
        now,
        until,
        watch.touch,
        watch.proof,
        watch.lasts,
        watch.doubt,
        watch.step,
        watch.low,
        watch.high,
        watch.resume,
        watch.n_left,
        watch.n_short,
    )


@kernel
def _opened(watch: Watch, touch: float, pace: Pace) -> Watch:
    """A contact may begin."""
    phase, zero = int(np.int64(DEPTH)), int(np.int64(0))
    return Watch(phase, touch, pace.end, touch, INFINITY, touch, 0.0, pace.least, 0.0, 0.0, 0.0, zero, zero)


@kernel
def _lasting(depth: float, pace: Pace) -> float:
    return depth / pace.speed if pace.speed > 0.0 else INFINITY


@kernel
def _measured(watch: Watch, depth: float, pace: Pace) -> Watch:
    """Go on for as long as a depth lasts; without one, see whether they are apart."""
    now, time = watch.now, _lasting(depth, pace)
    # A depth of less than the tolerance is not worth its steps.
    if not (depth > 0.0 and time >= pace.least):
        return _at(watch, int(np.int64(CHECK)), now, pace.end)
    n_short = watch.n_short + 1 if time < SHORTEST else watch.n_short
    step = max(time, SHORTEST) if n_short > N_SHORT else time
    lasts, after = min(now + time, pace.end), min(now + step, pace.end)
    is_first = watch.proof == INFINITY
    # A depth lasts as long before as after.
    doubt = watch.doubt if is_first else watch.doubt + max(max(now - time, pace.start) - watch.lasts, 0.0)
    earliest = max(watch.touch, pace.start)
    proof = max(now - time, earliest) if is_first else watch.proof
    is_back = is_first and proof > earliest
    phase = int(np.int64(BACK)) if is_back else int(np.int64(DEPTH))
    return Watch(
        phase,
        proof if is_back else after,
        pace.end,
        watch.touch,
        proof,
        lasts,
        doubt,
        max(pace.least, after - lasts),
        0.0,
        0.0,
        after,
        int(np.int64(N_BACK)),
        n_short,
    )


@kernel
def _looked_back(watch: Watch, depth: float, pace: Pace) -> Watch:
    """Take the proof back by what a depth lasts, as long as that is worth it."""
    earliest, phase = max(watch.touch, pace.start), int(np.int64(DEPTH))
    time = _lasting(depth, pace) if depth > 0.0 else 0.0
    proof = max(watch.now - time, earliest)
    now = watch.resume
    if time > pace.least and proof > earliest and watch.n_left > 0:
        phase, now = int(np.int64(BACK)), proof
    return Watch(
        phase,
        now,
        pace.end,
        watch.touch,
        min(watch.proof, proof),
        watch.lasts,
        watch.doubt,
        watch.step,
        0.0,
        0.0,
        watch.resume,
        watch.n_left - 1,
        watch.n_short,
    )


@kernel
def _checked(watch: Watch, arrival: float, pace: Pace) -> Watch:
    """Step on through what is not decided; or look when they were apart at the latest.

    Apart for less than it takes to move by the tolerance is not decided.
    """
    if arrival <= watch.now + pace.least and arrival < INFINITY:
        step = min(watch.step, pace.end - watch.now)
        now = pace.end if step == pace.end - watch.now else watch.now + step
        return Watch(
            int(np.int64(DEPTH)),
            now,
            pace.end,
            watch.touch,
            watch.proof,
            watch.lasts,
            watch.doubt,
            max(min(2.0 * watch.step, LONGEST), pace.least),
            0.0,
            0.0,
            0.0,
            int(np.int64(0)),
            watch.n_short,
        )
    low = max(watch.lasts, max(pace.start, watch.now - watch.step))
    before = Watch(
        watch.phase,
        watch.now,
        watch.until,
        watch.touch,
        watch.proof,
        watch.lasts,
        watch.doubt,
        watch.step,
        low,
        watch.now,
        arrival,
        int(np.int64(N_NARROW)),
        watch.n_short,
    )
    return _narrowed(before, min(low, watch.now), watch.now, int(np.int64(N_NARROW)))


@kernel
def _narrowed(watch: Watch, low: float, high: float, n_left: int) -> Watch:
    """Look in the middle between a time that is not free and one from which on it is."""
    phase = int(np.int64(NARROW))
    return Watch(
        phase,
        0.5 * (low + high),
        high,
        watch.touch,
        watch.proof,
        watch.lasts,
        watch.doubt,
        watch.step,
        low,
        high,
        watch.resume,
        n_left,
        watch.n_short,
    )
