"""Conservative advancement of two primitives along separating directions.

A direction n keeps the sides apart at a time when the smallest n . (x_i - x_j) over the points of both
exceeds the separation; each of these is linear in time, so the direction tells how long it will do so. Two
directions, one at each end of a stretch of time, keep the sides apart throughout when their linear blend
does: products of two linear functions, positive when their three Bernstein coefficients are. The blend
follows a rotation, so that a motion which stays barely beyond the separation is crossed in few stretches, not
in countless steps.

No distance needs to be right for the proof: directions come from computed closest points, and what they prove
is checked with a bound on rounding.
"""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Finding,
    Options,
)
from firstcontact.narrowphase.elementary.moving_quad import MovingQuad, Quadruple, quad_at
from firstcontact.narrowphase.triangles.closest_points import contact_weights, weighted_offset
from firstcontact.scalar.error_bounds import DIRECTED_GAP, POINT_DISTANCE, SHORTEST, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, lerp, scale, sub

# Stretches tried before giving up with a safe time. A grazing motion needs about thirty.
MAX_ADVANCES = 256

# Steps below a few units in the last place of a time near one gain nothing: the sides are about to touch.
SMALLEST_STEP = 16.0 * UNIT_ROUNDOFF

# A look ahead to a contact in sight stops short by this factor: nearer, and a slight acceleration is too
# much; farther, and more looks are needed. Measured on random queries: 0.9 to 0.999 are equally good.
NEARLY = 0.97

ZERO = (0.0, 0.0, 0.0)


class Pairs(NamedTuple):
    """Differences x_i - x_j of the points of both sides, at both ends of the motion, and their size."""

    t0: Quadruple
    t1: Quadruple
    size: Vec3


class ClosestView(NamedTuple):
    """Closest points at a time: unit vector from the second side to the first, distance, closing speed."""

    direction: Vec3
    distance: float
    closing: float


@kernel
def side_differences(r: Triangle, is_edge_edge: bool) -> Quadruple:
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
def rejected(v: Vec3, e: Vec3) -> Vec3:
    """Part of v that is normal to e."""
    length_squared = dot(e, e)
    return sub(v, scale(dot(v, e) / length_squared, e)) if length_squared > 0.0 else v


@kernel
def normal_along(e: Vec3, f: Vec3, offset: Vec3) -> Vec3:
    """Common normal of e and f on the side of the offset; the offset where they are parallel."""
    n = cross(e, f)
    along = dot(n, offset)
    if along == 0.0:
        return offset
    return scale(along / dot(n, n), n)


@kernel
def sharpened(r: Triangle, w: tuple[float, float, float, float], is_edge_edge: bool, offset: Vec3) -> Vec3:
    """Make the offset normal to the features that hold the closest points, whose rounding tilts it."""
    if is_edge_edge:
        on_a, on_b = w[0] > 0.0 and w[1] > 0.0, w[2] > 0.0 and w[3] > 0.0
        if on_a and on_b:
            return normal_along(sub(r[1], r[0]), r[2], offset)
        if on_a:
            return rejected(offset, sub(r[1], r[0]))
        return rejected(offset, r[2]) if on_b else offset
    if w[1] > 0.0 and w[2] > 0.0:
        return normal_along(r[1], r[2], offset) if w[3] > 0.0 else rejected(offset, sub(r[1], r[2]))
    if w[3] > 0.0 and w[1] > 0.0:
        return rejected(offset, r[1])
    return rejected(offset, r[2]) if w[3] > 0.0 and w[2] > 0.0 else offset


@kernel
def view_at(quad: MovingQuad, is_edge_edge: bool, t: float) -> ClosestView:
    """Look at the closest points at time t, as computed; nothing about them is proven."""
    r = quad_at(quad, t)
    w = contact_weights(r, is_edge_edge)
    offset = sharpened(r, w, is_edge_edge, weighted_offset(r, w, is_edge_edge))
    distance = sqrt(dot(offset, offset))
    if not distance > SHORTEST:
        return ClosestView(ZERO, 0.0, 0.0)
    n = scale(1.0 / distance, offset)
    at_t0, at_t1 = weighted_offset(quad.t0, w, is_edge_edge), weighted_offset(quad.t1, w, is_edge_edge)
    return ClosestView(n, distance, dot(n, at_t0) - dot(n, at_t1))


@kernel
def smallest_extent(n: Vec3, differences: Quadruple) -> float:
    """Smallest of n . d over the differences d."""
    return min(
        min(dot(n, differences[0]), dot(n, differences[1])),
        min(dot(n, differences[2]), dot(n, differences[3])),
    )


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
def directed_advance(n: Vec3, pairs: Pairs, t: float, end: float, required: float, spare: float) -> float:
    """Latest time up to `end` to which the direction n keeps the sides apart, given that it does at t.

    Aims at an extent of `spare` above the required one, so that the rounded time passes the final check.
    """
    latest = end
    for i in range(4):
        at_t0, at_t1 = dot(n, pairs.t0[i]), dot(n, pairs.t1[i])
        if at_t1 < at_t0:
            latest = min(latest, (at_t0 - required - spare) / (at_t0 - at_t1))
    if latest > t and smallest_extent(n, pairs_at(pairs, latest)) > required:
        return latest
    return t


@kernel
def is_blend_clear(n: Vec3, m: Vec3, at_n: Quadruple, at_m: Quadruple, required: float) -> bool:
    """Does the blend from direction n to m keep the sides apart between the times of the two?"""
    lowest = min(smallest_extent(n, at_n), smallest_extent(m, at_m))
    for i in range(4):
        lowest = min(lowest, 0.5 * (dot(n, at_m[i]) + dot(m, at_n[i])))
    return lowest > required


@kernel
def prove_contact(quad: MovingQuad, options: Options, t: float) -> Finding:
    """Look for a time soon after t at which the distance is proven to be at most the separation."""
    end = options.max_time
    if options.min_separation == 0.0:
        return Finding(UNDECIDED, t, end)
    size = 0.0
    for i in range(3):
        size = max(size, quad.size[i][0] + quad.size[i][1] + quad.size[i][2])
    probe = 0.0
    while True:
        s = min(t + probe, end)
        r = quad_at(quad, s)
        offset = weighted_offset(r, contact_weights(r, options.is_edge_edge), options.is_edge_edge)
        if sqrt(dot(offset, offset)) + POINT_DISTANCE * size + SHORTEST <= options.min_separation:
            return Finding(CONTACT_AT_START if s == 0.0 else CONTACT, t, s)
        if s >= end or probe > 0.5 * options.time_tolerance:
            return Finding(UNDECIDED, t, end)
        probe = max(2.0 * probe, SMALLEST_STEP)


@kernel
def lookahead(view: ClosestView, separation: float, reach: float) -> float:
    """How far ahead to look for a second direction: to just before the contact in sight, or to `reach`."""
    excess = view.distance - separation
    if view.closing * reach > excess:
        return NEARLY * excess / view.closing
    return reach


@kernel
def advance(quad: MovingQuad, options: Options, begin: float) -> Finding:
    """Advance from `begin`, before which there is no contact, to the first suspected one or to the end."""
    is_edge_edge, separation, end = options.is_edge_edge, options.min_separation, options.max_time
    pairs = moving_pairs(quad, is_edge_edge)
    t = begin
    reach = end - begin
    view = view_at(quad, is_edge_edge, t)
    for _ in range(MAX_ADVANCES):
        n = view.direction
        required = required_extent(n, pairs.size, separation)
        if not smallest_extent(n, pairs_at(pairs, t)) > required:
            return prove_contact(quad, options, t)
        latest = directed_advance(n, pairs, t, end, required, 0.5 * (required - separation))
        if latest >= end:
            return Finding(SEPARATED, INFINITY, INFINITY)
        step = lookahead(view, separation, reach)
        if step > max(latest - t, SMALLEST_STEP):
            ahead = min(t + step, end)
            view = view_at(quad, is_edge_edge, ahead)
            m = view.direction
            both = max(required, required_extent(m, pairs.size, separation))
            if is_blend_clear(n, m, pairs_at(pairs, t), pairs_at(pairs, ahead), both):
                if ahead >= end:
                    return Finding(SEPARATED, INFINITY, INFINITY)
                t = ahead
                reach = max(reach, 2.0 * step)
                continue
            reach = 0.25 * step
        elif latest - t <= SMALLEST_STEP:
            return prove_contact(quad, options, t)
        t = latest
        view = view_at(quad, is_edge_edge, t)
    return Finding(MAX_ITERATIONS, t, end)
