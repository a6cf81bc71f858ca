"""Which pairs of features are contacts: where, in what direction, how near."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.narrowphase.moving_quad import Triple
from firstcontact.proximity.body import Body
from firstcontact.proximity.candidates import HALF, LOWER, Keys
from firstcontact.proximity.closest_contacts import (
    EDGE_EDGE,
    EDGE_FACE,
    FACE_EDGE,
    FACE_VERTEX,
    NO_CONTACT,
    VERTEX_FACE,
    ContactRows,
    to_world,
)
from firstcontact.proximity.contact_direction import (
    Fans,
    gap_direction,
    is_nearest,
    misfit,
    oriented,
    touching_direction,
)
from firstcontact.proximity.near_pairs import FLOOR, Instant, Row, instant
from firstcontact.proximity.placed_triangle import placed_triangle, triangle_of
from firstcontact.proximity.relief import Relief
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub

Array = NDArray[np.float64]


class Found(NamedTuple):
    """A candidate: the closest points, and the normal of the face or of the two edges, if there is one."""

    p: Vec3
    q: Vec3
    normal: Vec3


@driver
def describe_candidates(
    bodies: tuple[Body, Body],
    reliefs: tuple[Relief, Relief],
    rows: tuple[Row, Row],
    asked: tuple[float, float],
    keys: Keys,
    candidates: Array,
    contacts: ContactRows,
) -> float:
    """Describe the contact of each candidate.

    asked : the time, and a length that does not matter; returned is that length, or more for rounding
    """
    (a, b), (on_a, on_b), (time, tolerance) = bodies, reliefs, asked
    now = instant(a.origin, b.origin, (a.reach, b.reach), rows[0], rows[1], time)
    near = FLOOR * now.rounding
    tolerance = max(tolerance, near)
    fan_a, fan_b = np.empty((on_a.largest, 9)), np.empty((on_b.largest, 9))
    for i in range(len(keys)):
        u, v, x = keys[i] >> HALF, keys[i] & LOWER, candidates[i]
        found = Found((x[0], x[1], x[2]), (x[3], x[4], x[5]), (x[6], x[7], x[8]))
        around_a = on_a.around[on_a.offsets[u] : on_a.offsets[u + 1]]
        around_b = on_b.around[on_b.offsets[v] : on_b.offsets[v + 1]]
        for k in range(len(around_a)):
            write_seen(placed_triangle(now.place, triangle_of(a.triangles, around_a[k])), found.p, fan_a, k)
        for k in range(len(around_b)):
            write_seen(triangle_of(b.triangles, around_b[k]), found.q, fan_b, k)
        dimension_a = dimension_of(u, on_a.first_edge, on_a.first_face)
        dimension_b = dimension_of(v, on_b.first_edge, on_b.first_face)
        fans = Fans(fan_a, len(around_a), fan_b, len(around_b))
        kind, n = judged(dimension_a, dimension_b, found, fans, now, tolerance)
        is_face_a, is_face_b = (
            dimension_a == 2 or kind == FACE_VERTEX,
            dimension_b == 2 or kind == VERTEX_FACE,
        )
        contacts.kind[i], contacts.distances[i] = kind, norm(sub(found.q, found.p))
        contacts.ids[i, 0] = a.order[around_a[0]] if is_face_a else u - dimension_a * on_a.first_edge
        contacts.ids[i, 1] = b.order[around_b[0]] if is_face_b else v - dimension_b * on_b.first_edge
        point, normal = to_world(rows[1], time, b.origin, scale(0.5, add(found.p, found.q)), n)
        for k in range(3):
            contacts.points[i, k], contacts.normals[i, k] = point[k], normal[k]
    return tolerance


@kernel
def dimension_of(feature: int, first_edge: int, first_face: int) -> int:
    """0 for a vertex, 1 for an edge, 2 for a face."""
    return 0 if feature < first_edge else (1 if feature < first_face else 2)


@kernel
def write_seen(triangle: Triple, at: Vec3, fan: Array, row: int) -> None:
    """Write a triangle as seen from a point."""
    for i in range(3):
        for k in range(3):
            fan[row, 3 * i + k] = triangle[i][k] - at[k]


@kernel
def judged(
    dimension_a: int, dimension_b: int, found: Found, fans: Fans, now: Instant, tolerance: float
) -> tuple[int, Vec3]:
    """Kind of contact of two features of these dimensions, or none, and its direction."""
    near, w = FLOOR * now.rounding, sub(found.q, found.p)
    if dimension_a + dimension_b == 3:
        return FACE_EDGE if dimension_a == 2 else EDGE_FACE, oriented(found.normal, now.place, found.p)
    is_apart, is_edges = norm(w) > near, dimension_a == 1 and dimension_b == 1
    kind = EDGE_EDGE if is_edges else NO_CONTACT
    # The closest point to a vertex, which is a corner, must be so among all points near it.
    if dimension_a == 0 and (not is_apart or is_nearest(fans.b, fans.n_b, scale(-1.0, w), near)):
        kind = VERTEX_FACE
    elif dimension_b == 0 and (not is_apart or is_nearest(fans.a, fans.n_a, w, near)):
        kind = FACE_VERTEX
    if not is_apart:
        return kind, touching_direction(fans, found.normal, (now.place, found.p, near))
    n = gap_direction(w, found.normal)
    # Bodies that overlap by less than the tolerance are near each other on their other sides.
    for _ in range(2):
        if misfit(fans, n) <= tolerance:
            return kind, n
        n = scale(-1.0, n)
    return NO_CONTACT, n
