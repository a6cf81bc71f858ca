"""All that touches at an instant, each place once.

Pairs of triangles near each other are taken apart into corners near faces and creases near creases. Such a
pair is a contact where it cannot get nearer by going on along the faces around it, but for the tolerance: so
a box that stands on a table a little askew touches it with four corners, and a corner near the rim of the
table does not touch its side as well. What is left is merged where it is at one place.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.creases import creases_of
from firstcontact.bodies.mesh_body import body_of
from firstcontact.proximity.touching.closest_contacts import EDGE_FACE, closest_contacts
from firstcontact.proximity.touching.contact_rows import NO_CONTACT, ContactRows
from firstcontact.proximity.touching.feature_candidates import list_candidates
from firstcontact.proximity.touching.feature_contacts import describe_candidates
from firstcontact.proximity.touching.feature_pairs import N_PAIRS
from firstcontact.proximity.touching.near_pairs import NearPairs, Row, near_pairs
from firstcontact.shapes.mesh import Mesh

# Contacts listed unless told otherwise, and pairs of triangles looked at for each of them.
MAX_CONTACTS = 1024
PAIRS_A_CONTACT = 16

# Distances are told apart in steps of this part of the tolerance, so that rounding does not choose among
# contacts that are equally near.
STEPS = 16.0

# Of contacts at one place, equally near, this kind is kept: by number of `ContactKind`, least first.
RANKS = np.array([0, 2, 1, 3, 4])

# Cosine of the angle, 30 degrees, between directions up to which contacts at one place are one.
AGREE = 0.75**0.5


class TouchingPlaces(NamedTuple):
    """Contacts at an instant, nearest first.

    kind : (k,) int8, of `ContactKind`
    ids : (k, 2) int32, rows of the vertices, edges or faces of a and of b, as the kind says
    points : (k, 3), in the middle between the closest points, in the world
    normals : (k, 3), unit vectors from a to b
    distances : (k,)
    is_truncated : whether there may be more
    """

    kind: NDArray[np.int8]
    ids: Ids
    points: Array
    normals: Array
    distances: Array
    is_truncated: bool


def touching(
    mesh_a: Mesh,
    mesh_b: Mesh,
    row_a: Row,
    row_b: Row,
    t: float,
    distance: float,
    *,
    tolerance: float | None = None,
    max_contacts: int = MAX_CONTACTS,
) -> TouchingPlaces:
    """List the contacts within a distance at a time, each place once.

    Where triangles are within the distance there is at least one contact. See the module.

    Parameters
    ----------
    row_a, row_b : (24,) pieces of the motions, as of `RigidMotion.rows`, that the time is in
    tolerance : a length that does not matter; the distance unless given
    """
    a, b = body_of(mesh_a), body_of(mesh_b)
    pairs = near_pairs(a, b, row_a, row_b, t, distance, PAIRS_A_CONTACT * max_contacts)
    if len(pairs.distances) == 0:
        return TouchingPlaces(*_room(0), False)
    length = distance if tolerance is None else tolerance
    if mesh_a.thickness > 0.0 or mesh_b.thickness > 0.0 or mesh_a.is_cloud or mesh_b.is_cloud:
        return _elements(mesh_a, mesh_b, (row_a, row_b), (t, length), pairs, max_contacts)
    contacts, length = _contacts(mesh_a, mesh_b, (row_a, row_b), (t, distance, length), pairs.triangles)
    order = _by_rank(contacts, length)
    kept = np.empty(max_contacts, np.int64)
    n, is_truncated = _merge(contacts, order, length, kept)
    if n == 0:
        return _nearest(mesh_a, mesh_b, row_a, row_b, t, pairs)
    return TouchingPlaces(*_taken(contacts, kept[:n]), is_truncated or pairs.is_truncated)


def _elements(
    mesh_a: Mesh,
    mesh_b: Mesh,
    rows: tuple[Row, Row],
    asked: tuple[float, float],
    pairs: NearPairs,
    max_contacts: int,
) -> TouchingPlaces:
    """Contacts of what has radii: elements, with each other or with faces; of faces at one place, one."""
    times, (row_a, row_b) = np.full(len(pairs.distances), asked[0]), (row.reshape(1, 1, -1) for row in rows)
    contacts = closest_contacts(mesh_a, mesh_b, row_a, row_b, times, pairs.triangles)
    order = np.lexsort((contacts.ids[:, 1], contacts.ids[:, 0], contacts.distances))
    if mesh_a.is_cloud and mesh_b.is_cloud:
        kept, is_truncated = order[:max_contacts], len(order) > max_contacts
    else:
        room = np.empty(max_contacts, np.int64)
        # Whatever the kind, two directions at one place are two contacts.
        n, is_truncated = _merge(contacts._replace(kind=np.zeros_like(contacts.kind)), order, asked[1], room)
        kept = room[:n]
    return TouchingPlaces(*_taken(contacts, kept), is_truncated or pairs.is_truncated)


def _contacts(
    mesh_a: Mesh, mesh_b: Mesh, rows: tuple[Row, Row], asked: tuple[float, float, float], pairs: Ids
) -> tuple[ContactRows, float]:
    """Contacts of all features of pairs of triangles; the tolerance, as large as rounding makes it."""
    bodies, creases = (body_of(mesh_a), body_of(mesh_b)), (creases_of(mesh_a), creases_of(mesh_b))
    keys, found = np.empty(N_PAIRS * len(pairs), np.int64), np.empty((N_PAIRS * len(pairs), 9))
    n = list_candidates(bodies, creases, rows, asked, pairs, keys, found)
    unique, first = np.unique(keys[:n], return_index=True)
    contacts = _room(len(unique))
    tolerance = describe_candidates(
        bodies, creases, rows, (asked[0], asked[2]), unique, found[first], contacts
    )
    return contacts, tolerance


def _taken(contacts: ContactRows, rows: NDArray[np.int64]) -> ContactRows:
    kind, ids, points, normals, distances = contacts
    return ContactRows(kind[rows], ids[rows], points[rows], normals[rows], distances[rows])


def _room(n: int) -> ContactRows:
    kind, ids = np.empty(n, np.int8), np.empty((n, 2), np.int32)
    return ContactRows(kind, ids, np.empty((n, 3)), np.empty((n, 3)), np.empty(n))


def _by_rank(contacts: ContactRows, tolerance: float) -> NDArray[np.int64]:
    """Order of the contacts: nearest first, then by kind and ids; edges that pass through faces are last."""
    steps = np.floor(contacts.distances * (STEPS / tolerance))
    order = np.lexsort(
        (contacts.ids[:, 1], contacts.ids[:, 0], RANKS[contacts.kind], steps, contacts.kind >= EDGE_FACE)
    )
    found: NDArray[np.int64] = order[contacts.kind[order] != NO_CONTACT]
    return found


@driver
def _merge(
    contacts: ContactRows, order: NDArray[np.int64], tolerance: float, kept: NDArray[np.int64]
) -> tuple[int, bool]:
    """Keep what no contact before it stands for; how many, and whether there are more."""
    points, normals, n = contacts.points, contacts.normals, 0
    for i in order:
        is_through = contacts.kind[i] >= EDGE_FACE
        is_new = True
        for k in range(n):
            j = kept[k]
            x, y, z = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]
            if x * x + y * y + z * z <= tolerance * tolerance:
                cosine = normals[i, 0] * normals[j, 0] + normals[i, 1] * normals[j, 1]
                # An edge that passes through a face has no direction of its own.
                if is_through or cosine + normals[i, 2] * normals[j, 2] >= AGREE:
                    is_new = False
                    break
        if is_new:
            if n == len(kept):
                return n, True
            kept[n] = i
            n += 1
    return n, False


def _nearest(
    mesh_a: Mesh, mesh_b: Mesh, row_a: Row, row_b: Row, t: float, pairs: NearPairs
) -> TouchingPlaces:
    """Contact of the two triangles that are nearest."""
    best = np.argmin(pairs.distances)
    contact = closest_contacts(
        mesh_a,
        mesh_b,
        row_a.reshape(1, 1, -1),
        row_b.reshape(1, 1, -1),
        np.array([t]),
        pairs.triangles[best : best + 1],
    )
    return TouchingPlaces(*contact, pairs.is_truncated)
