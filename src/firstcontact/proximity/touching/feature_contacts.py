"""Which pairs of features are contacts: where, in what direction, how near."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Flags, Keys
from firstcontact.bodies.creases import Creases
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.proximity.touching.closest_contacts import (
    EDGE_EDGE,
    EDGE_FACE,
    FACE_EDGE,
    FACE_VERTEX,
    VERTEX_FACE,
    to_world,
)
from firstcontact.proximity.touching.contact_direction import (
    Fans,
    farthest,
    gap_direction,
    misfit,
    oriented,
    touching_direction,
)
from firstcontact.proximity.touching.contact_rows import NO_CONTACT, ContactRows
from firstcontact.proximity.touching.near_pairs import FLOOR, Instant, Row, instant
from firstcontact.scalar.vec3 import Triangle, Vec3, add, norm, scale, sub

# What a feature is. Two of them that make EDGE + FACE are an edge and a face.
CORNER, EDGE, FACE, POINT = 0, 1, 2, 4

# A direction may be off by this many times what rounding may hide of the distance: both ends may be.
BLUR = 2.0


class Candidate(NamedTuple):
    """A candidate: the closest points, and the normal of the face or of the two edges, if there is one."""

    p: Vec3
    q: Vec3
    normal: Vec3


@driver
def describe_candidates(
    bodies: tuple[Body, Body],
    creases: tuple[Creases, Creases],
    rows: tuple[Row, Row],
    asked: tuple[float, float],
    keys: Keys,
    candidates: Array,
    contacts: ContactRows,
) -> float:
    """Describe the contact of each candidate.

    asked : the time, and a length that does not matter; returned is that length, or more for rounding
    """
    (a, b), (on_a, on_b), (time, tolerance) = bodies, creases, asked
    now = instant(a.origin, b.origin, (a.reach, b.reach), rows[0], rows[1], time)
    near = FLOOR * now.rounding
    tolerance = max(tolerance, near)
    fan_a, fan_b = np.empty((on_a.largest, 9)), np.empty((on_b.largest, 9))
    for i in range(len(keys)):
        u, v, x = keys[i] >> HALF, keys[i] & LOWER, candidates[i]
        found = Candidate((x[0], x[1], x[2]), (x[3], x[4], x[5]), (x[6], x[7], x[8]))
        around_a = on_a.around[on_a.offsets[u] : on_a.offsets[u + 1]]
        around_b = on_b.around[on_b.offsets[v] : on_b.offsets[v + 1]]
        for k in range(len(around_a)):
            triangle = placed_triangle(now.place, triangle_of(a.triangles, int(np.int64(around_a[k]))))
            write_seen(triangle, found.p, fan_a, k)
        for k in range(len(around_b)):
            write_seen(triangle_of(b.triangles, int(np.int64(around_b[k]))), found.q, fan_b, k)
        role_a = role_of(u, on_a.first_edge, on_a.first_face, on_a.does_count)
        role_b = role_of(v, on_b.first_edge, on_b.first_face, on_b.does_count)
        fans = Fans(fan_a, len(around_a), fan_b, len(around_b))
        kind, n = judged(role_a, role_b, found, fans, now, tolerance)
        is_face_a = role_a == FACE or kind == FACE_VERTEX
        is_face_b = role_b == FACE or kind == VERTEX_FACE
        contacts.kind[i], contacts.distances[i] = kind, norm(sub(found.q, found.p))
        contacts.ids[i, 0] = a.order[around_a[0]] if is_face_a else u - (role_a == EDGE) * on_a.first_edge
        contacts.ids[i, 1] = b.order[around_b[0]] if is_face_b else v - (role_b == EDGE) * on_b.first_edge
        point, normal = to_world(rows[1], time, b.origin, scale(0.5, add(found.p, found.q)), n)
        for k in range(3):
            contacts.points[i, k], contacts.normals[i, k] = point[k], normal[k]
    return tolerance


@kernel
def role_of(feature: int, first_edge: int, first_face: int, does_count: Flags) -> int:
    """Tell corners, edges, faces and other vertices, which are but points of them, apart."""
    if feature >= first_edge:
        return EDGE if feature < first_face else FACE
    return CORNER if does_count[feature] else POINT


@kernel
def write_seen(triangle: Triangle, at: Vec3, fan: Array, row: int) -> None:
    """Write a triangle as seen from a point."""
    for i in range(3):
        for k in range(3):
            fan[row, 3 * i + k] = triangle[i][k] - at[k]


@kernel
def judged(
    role_a: int, role_b: int, found: Candidate, fans: Fans, now: Instant, tolerance: float
) -> tuple[int, Vec3]:
    """Kind of contact of two features, or none, and its direction."""
    near, w = FLOOR * now.rounding, sub(found.q, found.p)
    if role_a + role_b == EDGE + FACE:
        return EDGE_FACE if role_a == EDGE else FACE_EDGE, oriented(found.normal, now.place, found.p)
    kind, distance = EDGE_EDGE, norm(w)
    if distance <= near:
        if role_a == CORNER or role_b == CORNER:
            kind = VERTEX_FACE if role_a == CORNER else FACE_VERTEX
        return kind, touching_direction(fans, found.normal, now.place, found.p, near, tolerance)
    n, blur = gap_direction(w, found.normal), BLUR * now.rounding / distance
    if role_a == CORNER or role_b == CORNER:
        # The closest point to a corner must be so among all that are next to it.
        kind = NO_CONTACT
        if role_a == CORNER and farthest(fans.b, fans.n_b, scale(-1.0, n), blur) <= near:
            kind = VERTEX_FACE
        elif role_b == CORNER and farthest(fans.a, fans.n_a, n, blur) <= near:
            kind = FACE_VERTEX
    # Bodies that overlap by less than the tolerance are near each other on their other sides.
    for _ in range(2):
        if misfit(fans, n, blur) <= tolerance:
            return kind, n
        n = scale(-1.0, n)
    return NO_CONTACT, n
