"""Conservative advancement of two primitives along separating directions.

A direction n keeps the sides apart at a time when the smallest n . (x_i - x_j) over the points of both exceeds
the separation; each of these is linear in time, so the direction tells how long it will do so. Two directions,
one at each end of a stretch of time, keep the sides apart throughout when their linear blend does: products of
two linear functions, positive when their three Bernstein coefficients are. The blend follows a rotation, so
that a motion which stays barely beyond the separation is crossed in few stretches, not in countless steps.

No distance needs to be right for the proof: directions come from computed closest points, and what they prove
is checked with a bound on rounding.
"""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.narrowphase.closest_points import closest_offset
from firstcontact.narrowphase.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Finding,
    Options,
)
from firstcontact.narrowphase.moving_quad import MovingQuad, Quadruple, Triple, quad_at
from firstcontact.scalar.error_bounds import DIRECTED_GAP, POINT_DISTANCE, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, add, dot, lerp, scale, sub

# Stretches tried before giving up with a safe time. A grazing motion needs about thirty.
MAX_ADVANCES = 256

# Steps below a few units in the last place of a time near one gain nothing: the sides are about to touch.
SMALLEST_STEP = 16.0 * UNIT_ROUNDOFF

ZERO = (0.0, 0.0, 0.0)


class Pairs(NamedTuple):
    """Differences x_i - x_j of the points of both sides, at both ends of the motion, and their size."""

    t0: Quadruple
    t1: Quadruple
    size: Vec3


@kernel
def side_differences(r: Triple, is_edge_edge: bool) -> Quadruple:
    """Differences between the points of the first side and those of the second."""
    if is_edge_edge:
        return r[0], r[1], sub(r[0], r[2]), sub(r[1], r[2])
    return r[0], r[0], sub(r[0], r[1]), sub(r[0], r[2])


@kernel
def moving_pairs(quad: MovingQuad, is_edge_edge: bool) -> Pairs:
    """Differences between the sides over the motion."""
    size = add(add(quad.size[0], quad.size[1]), quad.size[2])
    return Pairs(side_differences(quad.t0, is_edge_edge), side_differences(quad.t1, is_edge_edge), size)


@kernel
def unit_or_zero(v: Vec3) -> Vec3:
    """Return v with length one, up to rounding; zero for zero."""
    length = sqrt(dot(v, v))
    return scale(1.0 / length, v) if length > 0.0 else ZERO


@kernel
def closest_direction(quad: MovingQuad, is_edge_edge: bool, t: float) -> Vec3:
    """Direction from the closest point of the second side to that of the first at time t."""
    return unit_or_zero(closest_offset(quad_at(quad, t), is_edge_edge))


@kernel
def smallest_extent(n: Vec3, differences: Quadruple) -> float:
    """Smallest of n . d over the differences d."""
    return min(min(dot(n, differences[0]), dot(n, differences[1])), min(dot(n, differences[2]), dot(n, differences[3])))


@kernel
def pairs_at(pairs: Pairs, t: float) -> Quadruple:
    """Differences at time t."""
    return (
        lerp(pairs.t0[0], pairs.t1[0], t),
        lerp(pairs.t0[1], pairs.t1[1], t),
        lerp(pairs.t0[2], pairs.t1[2], t),
        lerp(pairs.t0[3], pairs.t1[3], t),
    )


@kernel
def required_extent(n: Vec3, size: Vec3, separation: float) -> float:
    """What n . d must exceed to prove that the distance exceeds the separation."""
    reach = abs(n[0]) * size[0] + abs(n[1]) * size[1] + abs(n[2]) * size[2]
    return separation * (1.0 + 16.0 * UNIT_ROUNDOFF) + DIRECTED_GAP * reach + UNDERFLOW


@kernel
def directed_advance(n: Vec3, pairs: Pairs, t: float, end: float, required: float) -> float:
    """Latest time up to `end` to which the direction n keeps the sides apart, given that it does at t."""
    latest = end
    for i in range(4):
        at_t0, at_t1 = dot(n, pairs.t0[i]), dot(n, pairs.t1[i])
        if at_t1 < at_t0:
            latest = min(latest, (at_t0 - required) / (at_t0 - at_t1))
    for _ in range(3):
        # The quotient is rounded: step back until the extent at the time itself is enough.
        if latest <= t:
            return t
        if smallest_extent(n, pairs_at(pairs, latest)) > required:
            return latest
        latest -= 4.0 * UNIT_ROUNDOFF + 1e-12 * (latest - t)
    return t


@kernel
def is_blend_clear(n: Vec3, m: Vec3, at_n: Quadruple, at_m: Quadruple, required: float) -> bool:
    """Does the blend from direction n to m keep the sides apart between the times of the two?"""
    lowest = min(smallest_extent(n, at_n), smallest_extent(m, at_m))
    for i in range(4):
        lowest = min(lowest, 0.5 * (dot(n, at_m[i]) + dot(m, at_n[i])))
    return lowest > required


@kernel
def prove_contact(quad: MovingQuad, options: Options, t: float, end: float) -> Finding:
    """Look for a time soon after t at which the distance is proven to be at most the separation."""
    if options.min_separation == 0.0:
        return Finding(UNDECIDED, t, end)
    size = 0.0
    for i in range(3):
        size = max(size, quad.size[i][0] + quad.size[i][1] + quad.size[i][2])
    probe = 0.0
    while t + probe <= end:
        offset = closest_offset(quad_at(quad, t + probe), options.is_edge_edge)
        if sqrt(dot(offset, offset)) + POINT_DISTANCE * size + UNDERFLOW <= options.min_separation:
            return Finding(CONTACT_AT_START if t + probe == 0.0 else CONTACT, t, t + probe)
        if probe > 0.5 * options.time_tolerance:
            break
        probe = max(2.0 * probe, SMALLEST_STEP)
    return Finding(UNDECIDED, t, end)


@kernel
def advance(quad: MovingQuad, options: Options, begin: float, end: float) -> Finding:
    """Advance from `begin`, before which there is no contact, to the first suspected one or to `end`."""
    is_edge_edge, separation = options.is_edge_edge, options.min_separation
    pairs = moving_pairs(quad, is_edge_edge)
    t = begin
    reach = end - begin
    n = closest_direction(quad, is_edge_edge, t)
    for _ in range(MAX_ADVANCES):
        required = required_extent(n, pairs.size, separation)
        if not smallest_extent(n, pairs_at(pairs, t)) > required:
            return prove_contact(quad, options, t, end)
        latest = directed_advance(n, pairs, t, end, required)
        if latest >= end:
            return Finding(SEPARATED, end, end)
        if reach > max(latest - t, SMALLEST_STEP):
            ahead = min(t + reach, end)
            m = closest_direction(quad, is_edge_edge, ahead)
            both = max(required, required_extent(m, pairs.size, separation))
            if is_blend_clear(n, m, pairs_at(pairs, t), pairs_at(pairs, ahead), both):
                if ahead >= end:
                    return Finding(SEPARATED, end, end)
                n, t, reach = m, ahead, 2.0 * reach
                continue
            reach *= 0.25
        elif latest - t <= SMALLEST_STEP:
            return prove_contact(quad, options, t, end)
        t = latest
        n = closest_direction(quad, is_edge_edge, t)
    return Finding(MAX_ITERATIONS, t, end)
