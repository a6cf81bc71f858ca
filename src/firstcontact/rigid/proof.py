"""Times by which a contact is certain: what was found near contact goes on to cross.

Every position, as seen from the other body, is known to E: that is rounding, and what the bodies deviate from
their pieces of motion. An edge whose ends are farther than E from the plane of a triangle, on both sides of
it, and whose line passes each of the triangle's edges at more than E, still passes through the triangle when
each is moved by E in any way: on the way it would have to leave by an end or over an edge.

In the plane, two edges cross whose ends are farther than E from the line of the other, on both sides of it.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import CONTACT, CONTACT_AT_START, Found
from firstcontact.advancement.goal import Options, motion_rows
from firstcontact.advancement.proof_times import CLEARANCE, NEVER, Tries, first_try, next_try
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bodies.plane_body import PlaneBody
from firstcontact.motions.relative_motion import (
    Placement,
    RelativeMotion,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import END_TIME, deviation_of
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.proximity.touching.closest_contacts import piece_at, piece_of
from firstcontact.proximity.touching.contact_direction import approach
from firstcontact.proximity.touching.near_pairs import FLOOR, near_pairs
from firstcontact.rigid.plane_proof import WORTH_A_THREAD, Motions, Pairs, are_crossed, prove_inside
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, norm, sub

# Pairs of triangles looked at, and times from the predicted one on, each twice as late: a proof is found by
# the first few or not at all.
MAX_PAIRS = 64
N_TIMES = 8


def proven_times(
    a: Body,
    b: Body,
    rows_a: Array,
    rows_b: Array,
    found: Found,
    options: Options,
    *,
    holders: tuple[PlaneBody | None, PlaneBody | None] | None = None,
) -> Array:
    """Give times, (n,), at which the bodies certainly overlap; infinite where no proof is found.

    With a separation, they are certainly no farther apart. No time is before that of the contact found.

    Parameters
    ----------
    holders : of edges in the plane, which stay there, what they enclose where that belongs to the body
    """
    n, is_flat = len(found.time), holders is not None
    motions, upper = (rows_a, rows_b, found.time), np.full(n, NEVER)
    asked = options.min_separation, is_flat
    is_hit = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    is_pair = is_hit & (found.triangles[:, 0] >= 0)
    _prove(a, b, motions, asked, (found.triangles[is_pair], is_pair), upper)
    # Where the pair that was found goes by, one next to it may be struck.
    left = np.flatnonzero(is_hit & (upper == NEVER))
    if len(left) > 0:
        near = options.min_separation + 2.0 * options.tolerance
        lists = _near_lists(a, b, motions, left, near)
        counts = np.zeros(n, np.int64)
        counts[left] = [len(pairs) for pairs in lists]
        pairs = np.concatenate(lists), counts
        _prove(a, b, motions, asked, pairs, upper)
        if holders is not None:
            prove_inside((a, b), holders, motions, pairs, upper)
    return upper


def _near_lists(a: Body, b: Body, motions: Motions, left: NDArray[np.int64], near: float) -> list[Ids]:
    """Pairs of triangles that are near each other, for each motion that is left."""
    rows_a, rows_b, times = motions
    lists = [np.empty((0, 2), np.int32)] * len(left)

    def task(first: int, last: int) -> None:
        for k in range(first, last):
            i = left[k]
            row_a, row_b = piece_at(rows_a, i, times[i]), piece_at(rows_b, i, times[i])
            lists[k] = near_pairs(a, b, row_a, row_b, times[i], near, MAX_PAIRS).triangles

    on_ranges(task, len(left), WORTH_A_THREAD)
    return lists


def _prove(a: Body, b: Body, motions: Motions, asked: tuple[float, bool], pairs: Pairs, upper: Array) -> None:
    """Write a time for each motion that has pairs; asked: a separation, and whether all is in the plane."""
    offsets = np.concatenate(([0], np.cumsum(pairs[1], dtype=np.int64)))
    triangles = a.triangles, b.triangles, pairs[0]

    def task(first: int, last: int) -> None:
        origins = a.origin, b.origin, a.reach, b.reach
        _prove_range(origins, triangles, offsets, motions, asked, upper, (first, last))

    on_ranges(task, len(upper), WORTH_A_THREAD)


Triangles = tuple[Array, Array, Ids]  # triangles of a and of b, and the pairs of them to look at


@driver
def _prove_range(
    bodies: tuple[Vec3, Vec3, float, float],
    triangles: Triangles,
    offsets: NDArray[np.int64],
    motions: Motions,
    asked: tuple[float, bool],
    upper: Array,
    part: tuple[int, int],
) -> None:
    rows_a, rows_b, times = motions
    for i in range(part[0], part[1]):
        if offsets[i] < offsets[i + 1]:
            pieces_a, pieces_b = motion_rows(rows_a, rows_b, i)
            row_a, row_b = piece_of(pieces_a, times[i]), piece_of(pieces_b, times[i])
            motion = relative_motion(row_a, row_b, bodies[0], bodies[1])
            rounding = rounding_error(motion, bodies[2], bodies[3], row_a, row_b)
            span = times[i], min(row_a[END_TIME], row_b[END_TIME])
            of_motion = triangles[0], triangles[1], triangles[2][offsets[i] : offsets[i + 1]]
            clearance = CLEARANCE * rounding + deviation_of(row_a, row_b)
            upper[i] = _proven_time(of_motion, motion, span, (asked[0], clearance, asked[1]))


@kernel
def _proven_time(
    triangles: Triangles, motion: RelativeMotion, span: tuple[float, float], asked: tuple[float, float, bool]
) -> float:
    """Find a time, early in a span of time, at which some pair of triangles is proven to be in contact."""
    start, end = span
    tries, part = first_try(start, NEVER, N_TIMES), (0, len(triangles[2]))
    while tries.n_left > 0:
        now, is_first = tries.now, tries.now == start
        k, predicted = _proven_pair(triangles, part, placement_at(motion, now), asked, is_first)
        if k >= 0:
            part = k, k + 1
        if is_first:
            tries = Tries(now, tries.before, tries.after, predicted, tries.n_left)
        tries = next_try(tries, k >= 0, start, end)
    return tries.after


@kernel
def _proven_pair(
    triangles: Triangles,
    part: tuple[int, int],
    place: Placement,
    asked: tuple[float, float, bool],
    is_first: bool,
) -> tuple[int, float]:
    """Find a pair, in a part of them, that is proven to be in contact.

    Returned are its number and 0, or else -1 and, at first, when some pair will cross, as it looks now.
    """
    triangles_a, triangles_b, pairs = triangles
    separation, clearance, is_flat = asked
    predicted = NEVER
    for k in range(part[0], part[1]):
        f, g = int(np.int64(pairs[k, 0])), int(np.int64(pairs[k, 1]))
        triangle_a, triangle_b = (
            placed_triangle(place, triangle_of(triangles_a, f)),
            triangle_of(triangles_b, g),
        )
        kept = separation + radius_of(triangles_a, f) + radius_of(triangles_b, g)
        if is_flat and are_crossed(triangle_a, triangle_b, clearance):
            return k, 0.0
        for i in range(0 if is_flat else 6):
            edges, face = (triangle_a, triangle_b) if i < 3 else (triangle_b, triangle_a)
            if is_through(edges[i % 3], edges[(i + 1) % 3], face, clearance):
                return k, 0.0
        if kept > 0.0 or is_first:
            p, q = closest_triangle_triangle(triangle_a, triangle_b)
            velocity, w = approach(place, p), sub(q, p)
            d = norm(w)
            if d + clearance <= kept:
                return k, 0.0
            speed = dot(velocity, w) / d if d > FLOOR / CLEARANCE * clearance else norm(velocity)
            if speed > 0.0:
                predicted = min(predicted, (max(d - kept, 0.0) + 2.0 * clearance) / speed)
    return -1, predicted


@kernel
def is_through(p: Vec3, q: Vec3, t: Triangle, clearance: float) -> bool:
    """Does the edge from p to q pass through a triangle, with that clearance of all that bounds either?"""
    e, f = sub(t[1], t[0]), sub(t[2], t[0])
    n, margin = cross(e, f), clearance * norm(e) * norm(f)
    x, y = dot(sub(p, t[0]), n), dot(sub(q, t[0]), n)
    if not (min(x, y) < -margin and max(x, y) > margin):
        return False
    d = sub(q, p)
    lowest, highest = NEVER, -NEVER
    for i in range(3):
        e = sub(t[(i + 1) % 3], t[i])
        # The distance of the two lines, times the sine of their angle, times both lengths.
        volume, margin = dot(cross(d, e), sub(t[i], p)), clearance * norm(d) * norm(e)
        lowest, highest = min(lowest, volume - margin), max(highest, volume + margin)
    return lowest > 0.0 or highest < 0.0
