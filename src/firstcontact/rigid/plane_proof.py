"""Times by which a contact in the plane is certain: edges cross, or a point of one is inside of the other.

Every position, as seen from the other body, is known to E. An edge whose ends are farther than E from the
line of another, on both sides of it, and the other way round, crosses it also where each is moved by E in any
way: on the way an end would have to come upon the other edge. A point that is inside of outlines, and farther
than E from them, is inside where these are moved by E.
"""

from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.goal import motion_rows
from firstcontact.advancement.proof_times import CLEARANCE, NEVER, Tries, first_try, next_try
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.bodies.plane_body import PlaneBody
from firstcontact.motions.relative_motion import (
    Placement,
    fastest,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import END_TIME, deviation_of
from firstcontact.narrowphase.plane.turn import TURN_ROOM
from firstcontact.proximity.plane.sides import is_inside
from firstcontact.proximity.plane.signed_on_edges import closest_edge
from firstcontact.proximity.touching.closest_contacts import piece_of
from firstcontact.scalar.vec3 import Triangle, Vec3

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 256

Motions = tuple[Array, Array, Array]  # rows of a, (n, k, 26) or (1, k, 26), those of b, and times (n,)
Pairs = tuple[Ids, NDArray[Any]]  # pairs of triangles, and how many of them, in this order, each motion has
Bodies = tuple[Vec3, Vec3, float, float]  # origins, and how far points are from these
Edges = tuple[Array, Ids, NDArray[np.int64]]  # triangles of a, pairs of them, and where those of a motion are

# Times from the first on at which a point may be inside, each twice as late.
N_TIMES = 8


@kernel
def are_crossed(a: Triangle, b: Triangle, clearance: float) -> bool:
    """Do two edges in the plane cross, the first two corners of each, with that clearance of their ends?"""
    return _parts(a[0], a[1], b, clearance) and _parts(b[0], b[1], a, clearance)


@kernel
def _parts(p: Vec3, q: Vec3, edge: Triangle, clearance: float) -> bool:
    """Is one end of an edge to the left of the line from p to q, the other to the right, with a clearance?"""
    x, y = q[0] - p[0], q[1] - p[1]
    margin = clearance * sqrt(x * x + y * y)
    left = x * (edge[0][1] - p[1]) - y * (edge[0][0] - p[0])
    right = x * (edge[1][1] - p[1]) - y * (edge[1][0] - p[0])
    return min(left, right) < -margin and max(left, right) > margin


def prove_inside(
    bodies: tuple[Body, Body],
    holders: tuple[PlaneBody | None, PlaneBody | None],
    motions: Motions,
    pairs: Pairs,
    upper: Array,
) -> None:
    """Write a time for each motion that has pairs and no time yet: points of their edges are looked at.

    holders : what the edges enclose, as seen from the bodies' origins; None of curves
    """
    a, b = bodies
    offsets = np.concatenate(([0], np.cumsum(pairs[1], dtype=np.int64)))
    rows_a, rows_b, times = motions
    swapped = np.ascontiguousarray(pairs[0][:, ::-1])
    for own, holder, one, other, way in (
        (pairs[0], holders[1], a, b, motions),
        (swapped, holders[0], b, a, (rows_b, rows_a, times)),
    ):
        if holder is None or len(holder.edges) == 0 or not (upper[pairs[1] > 0] == NEVER).any():
            continue
        origins, edges = (one.origin, other.origin, one.reach, other.reach), (one.triangles, own, offsets)

        task = partial(_prove_part, origins, edges, way, holder, upper)
        on_ranges(task, len(upper), WORTH_A_THREAD)


def _prove_part(
    bodies: Bodies, edges: Edges, motions: Motions, holder: PlaneBody, upper: Array, *part: int
) -> None:
    _prove_range(bodies, edges, motions, holder, upper, (part[0], part[1]))


@driver
def _prove_range(
    bodies: Bodies,
    edges: Edges,
    motions: Motions,
    holder: PlaneBody,
    upper: Array,
    part: tuple[int, int],
) -> None:
    (triangles, pairs, offsets), (rows_a, rows_b, times) = edges, motions
    stack, keys = np.empty(holder.depth + 2), np.empty(holder.depth + 2, np.int64)
    room = np.empty(TURN_ROOM)
    for i in range(part[0], part[1]):
        if offsets[i] == offsets[i + 1] or upper[i] < NEVER:
            continue
        pieces_a, pieces_b = motion_rows(rows_a, rows_b, i)
        row_a, row_b = piece_of(pieces_a, times[i]), piece_of(pieces_b, times[i])
        motion = relative_motion(row_a, row_b, bodies[0], bodies[1])
        rounding = rounding_error(motion, bodies[2], bodies[3], row_a, row_b)
        clearance = CLEARANCE * rounding + deviation_of(row_a, row_b)
        own, end = pairs[offsets[i] : offsets[i + 1]], min(row_a[END_TIME], row_b[END_TIME])
        tries = first_try(times[i], NEVER, N_TIMES)
        while tries.n_left > 0:
            now = tries.now
            place = placement_at(motion, now)
            is_proven, gap = _is_point_inside((triangles, own), place, holder, clearance, (stack, keys, room))
            if now == times[i]:
                speed = fastest(motion, bodies[2], bodies[3])
                step = (gap + 2.0 * clearance) / speed if speed > 0.0 else NEVER
                tries = Tries(now, tries.before, tries.after, step, tries.n_left)
            tries = next_try(tries, is_proven, times[i], end)
        upper[i] = tries.after


@kernel
def _is_point_inside(
    edges: tuple[Array, Ids],
    place: Placement,
    holder: PlaneBody,
    clearance: float,
    work: tuple[Array, Keys, Array],
) -> tuple[bool, float]:
    """Is an end or the middle of an edge inside, for certain? And how near does one come to an outline?"""
    (triangles, pairs), (stack, keys, room) = edges, work
    nearest, edge = NEVER, 0
    for k in range(len(pairs)):
        e = placed_triangle(place, triangle_of(triangles, int(np.int64(pairs[k, 0]))))
        for j in range(3):
            s = 0.5 * j
            p = (1.0 - s) * e[0][0] + s * e[1][0], (1.0 - s) * e[0][1] + s * e[1][1]
            edge, q = closest_edge(holder.edges, holder.boxes, holder.children, p, edge, stack, keys)
            x, y = p[0] - q[0], p[1] - q[1]
            gap = sqrt(x * x + y * y)
            nearest = min(nearest, gap)
            if gap > clearance and is_inside(holder.edges, holder.boxes, holder.children, p, keys, room):
                return True, gap
    return False, nearest
