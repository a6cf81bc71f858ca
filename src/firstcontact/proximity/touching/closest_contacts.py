"""One contact for each motion of a batch: that of the two triangles which touch first."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.motions.rigid_motion import END_TIME, center_of, number_at, pose_at
from firstcontact.proximity.touching.cloud_elements import of_elements, with_radii
from firstcontact.proximity.touching.contact_direction import (
    NOWHERE,
    Fans,
    face_normal,
    gap_direction,
    normal_of,
    oriented,
    touching_direction,
)
from firstcontact.proximity.touching.contact_rows import NO_CONTACT, ContactRows, no_contacts
from firstcontact.proximity.touching.feature_pairs import FACE, Meeting, nearest_features
from firstcontact.proximity.touching.near_pairs import FLOOR, Instant, instant
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Triangle, Vec3, add, scale, sub
from firstcontact.shapes.mesh import Mesh
from firstcontact.status import ContactKind

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 256

# Kinds of contact, as plain numbers: that is what compiled code takes. From EDGE_FACE on, bodies overlap.
VERTEX_FACE, EDGE_EDGE = int(ContactKind.VERTEX_FACE), int(ContactKind.EDGE_EDGE)
FACE_VERTEX = int(ContactKind.FACE_VERTEX)
EDGE_FACE, FACE_EDGE = int(ContactKind.EDGE_FACE), int(ContactKind.FACE_EDGE)


def closest_contacts(
    mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array, times: Array, triangles: Ids
) -> ContactRows:
    """Describe the contact of two triangles in each of n motions, at the time given for it.

    Where nothing touches, numbers are NaN and ids -1.

    Parameters
    ----------
    rows_a, rows_b : (n, k, 26) or (1, k, 26), as of `RigidMotion.rows`
    times : (n,)
    triangles : (n, 2), numbered as in the bodies; -1 where nothing touches
    """
    n, a, b = len(times), body_of(mesh_a), body_of(mesh_b)
    contacts = no_contacts(n)

    def task(first: int, last: int) -> None:
        _describe_range(a, b, (rows_a, rows_b, times), triangles, contacts, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    if mesh_a.is_cloud or mesh_b.is_cloud:
        return of_elements(contacts, (mesh_a, mesh_b), (a, b), triangles)
    contacts = contacts._replace(ids=_ids(mesh_a, mesh_b, (a, b), triangles, contacts))
    return with_radii(contacts, (a, b), triangles) if mesh_a.is_thick or mesh_b.is_thick else contacts


def _ids(mesh_a: Mesh, mesh_b: Mesh, bodies: tuple[Body, Body], triangles: Ids, contacts: ContactRows) -> Ids:
    """Ids in the meshes of features numbered as in their triangles."""
    ids = np.full_like(contacts.ids, -1)
    found = np.flatnonzero(contacts.kind != NO_CONTACT)
    for side, (mesh, body) in enumerate(zip((mesh_a, mesh_b), bodies, strict=True)):
        faces, features = body.order[triangles[found, side]], contacts.ids[found, side]
        everything = np.concatenate([mesh.faces[faces], mesh.face_edges[faces], faces[:, np.newaxis]], axis=1)
        ids[found, side] = everything[np.arange(len(found)), features]
    return ids


@driver
def _describe_range(
    a: Body,
    b: Body,
    motions: tuple[Array, Array, Array],
    triangles: Ids,
    contacts: ContactRows,
    first: int,
    last: int,
) -> None:
    rows_a, rows_b, times = motions
    fans = Fans(np.empty((1, 9)), 1, np.empty((1, 9)), 1)
    for i in range(first, last):
        own = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        describe((a, b), own, times[i], triangles[i], contacts, i, fans)


@kernel
def describe(
    bodies: tuple[Body, Body],
    rows: tuple[Array, Array],
    time: float,
    triangles: Ids,
    contacts: ContactRows,
    i: int,
    fans: Fans,
) -> None:
    """Write the contact of two triangles (2,) of two bodies into row i; features as in the triangles."""
    a, b = bodies
    f, g = int(np.int64(triangles[0])), int(np.int64(triangles[1]))
    if f < 0 or g < 0:
        return
    row_a, row_b = piece_of(rows[0], time), piece_of(rows[1], time)
    now = instant(a.origin, b.origin, (a.reach, b.reach), row_a, row_b, time)
    triangle_a = placed_triangle(now.place, triangle_of(a.triangles, f))
    triangle_b = triangle_of(b.triangles, g)
    met = nearest_features(triangle_a, triangle_b, FLOOR * now.rounding)
    n = _normal(triangle_a, triangle_b, met, now, fans)
    point, normal = to_world(row_b, time, b.origin, scale(0.5, add(met.p, met.q)), n)
    contacts.kind[i] = kind_of(met.feature_a, met.feature_b)
    contacts.ids[i, 0] = met.feature_a if met.feature_a < 3 or met.feature_b >= 3 else FACE
    contacts.ids[i, 1] = met.feature_b if met.feature_a >= 3 else FACE
    contacts.distances[i] = met.distance
    for k in range(3):
        contacts.points[i, k], contacts.normals[i, k] = point[k], normal[k]


@kernel
def piece_of(rows: Array, t: float) -> Array:
    """Piece of a motion (k, 26) that a time lies in; the later one at a joint, the last one at the end."""
    piece: Array = rows[number_at(rows, t)]
    return piece


def piece_at(rows: Array, i: int, t: float) -> Array:
    """Piece of motion i of (n, k, 26), or of (1, k, 26), as `piece_of` has it, for Python."""
    pieces = rows[min(i, len(rows) - 1)]
    piece: Array = pieces[np.count_nonzero(pieces[:-1, END_TIME] <= t)]
    return piece


@kernel
def kind_of(feature_a: int, feature_b: int) -> int:
    """Kind of contact of two features of triangles: a corner touches the other's face, wherever in it."""
    if feature_a < 3:
        return VERTEX_FACE
    if feature_b < 3:
        return FACE_VERTEX
    if feature_a == FACE:
        return FACE_EDGE
    return EDGE_FACE if feature_b == FACE else EDGE_EDGE


@kernel
def to_world(row_b: Array, t: float, origin_b: Vec3, x: Vec3, n: Vec3) -> tuple[Vec3, Vec3]:
    """Give a point and a direction, both seen from b, in the world."""
    rotation, position = pose_at(row_b, t)
    lever = sub(origin_b, center_of(row_b))
    return add(position, mat_vec(rotation, add(lever, x))), mat_vec(rotation, n)


@kernel
def _normal(a: Triangle, b: Triangle, met: Meeting, now: Instant, fans: Fans) -> Vec3:
    """Direction of the contact, by the two triangles alone, which are written into fans of one face each."""
    p, q, fan_a, fan_b = met.p, met.q, fans.a, fans.b
    for i in range(3):
        for k in range(3):
            fan_a[0, 3 * i + k], fan_b[0, 3 * i + k] = a[i][k] - p[k], b[i][k] - q[k]
    near = FLOOR * now.rounding
    kind, exact = kind_of(met.feature_a, met.feature_b), NOWHERE
    if kind == EDGE_EDGE:
        i, j = met.feature_a - 3, met.feature_b - 3
        exact = normal_of(sub(a[(i + 1) % 3], a[i]), sub(b[(j + 1) % 3], b[j]))
    elif met.feature_a == FACE:
        exact = face_normal(fan_a, 0)
    elif met.feature_b == FACE:
        exact = face_normal(fan_b, 0)
    if met.distance > near:
        return gap_direction(sub(q, p), exact)
    if kind >= EDGE_FACE and exact != NOWHERE:
        return oriented(exact, now.place, p)
    return touching_direction(fans, exact, now.place, p, near, near)
