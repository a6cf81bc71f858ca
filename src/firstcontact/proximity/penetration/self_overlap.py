"""Where a closed surface passes through itself: which of its vertices are inside it, and how deep.

Just outside a face, along its normal, the surface winds around a point some number of times: 0 where the
outside is, 1 or more where that is inside another part. Faces that no other meets have one such number, and
so have all that are connected by them: it is looked up once for each such region. The way out of a vertex
goes to the nearest point of the surface that has the outside before it. Of a face that another meets that may
be a part only: such faces are cut in four, where they are the nearest, until the parts that are met are
smaller than a tolerance. Until it is known, a part counts as being on the outside: no depth is too large.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.point_body import point_body_of
from firstcontact.broadphase.overlaps import Overlaps
from firstcontact.narrowphase.triangles.apart import are_apart
from firstcontact.proximity.penetration.vertex_depths import Inside
from firstcontact.proximity.points.closest_on_mesh import closest_on_mesh
from firstcontact.proximity.points.winding import winding_numbers
from firstcontact.shapes.mesh import Mesh

# How far before a face one looks, in units of its longest side; and how far from a vertex into its face.
BESIDE, INTO = 1e-6, 1e-3

# How accurately winding numbers are summed: whole numbers are told apart.
ATTEMPT = 1

# Parts of faces that are kept: some 50 MB. Where more are needed, the tolerance that was reached is said.
MOST_PIECES = 1 << 18


class Faces(NamedTuple):
    """A closed surface: corners (m, 3, 3), unit normals (m, 3) outwards, longest sides (m,), and the mesh.

    sign : -1 where its faces look inwards
    """

    mesh: Mesh
    corners: Array
    normals: Array
    sides: Array
    sign: float


class Pieces(NamedTuple):
    """Parts of faces that others meet: corners (k, 3, 3), which face, and whether it is still met."""

    corners: Array
    faces: NDArray[np.int64]
    is_met: Flags


def self_overlap(mesh: Mesh, joined: Ids, tolerance: float) -> tuple[Inside, float]:
    """Find the vertices of a closed mesh that are inside it, and the tolerance to which depths are known.

    `joined` are its faces, with one number for vertices at one place.
    """
    surface = _surface(mesh)
    meetings = _meetings(surface.corners, joined)
    is_met = np.zeros(mesh.n_faces, np.bool_)
    is_met[meetings.reshape(-1)] = True
    outer = _outer(surface, joined, is_met)
    ids = _overlapping(surface, is_met, outer)
    whole = np.flatnonzero(~is_met & (outer <= 0))
    pieces = Pieces(surface.corners[is_met], np.flatnonzero(is_met), np.ones(int(is_met.sum()), np.bool_))
    return _ways_out(surface, ids, whole, pieces, (meetings, tolerance))


def _surface(mesh: Mesh) -> Faces:
    corners = mesh.vertices[mesh.faces]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals, sides = _normals(corners)
    middle = mesh.vertices.mean(axis=0) if mesh.n_vertices else np.zeros(3)
    volume = np.einsum("ij,ij->", a - middle, np.cross(b - middle, c - middle))
    sign = -1.0 if volume < 0.0 else 1.0
    return Faces(mesh, corners, sign * normals, sides, sign)


def _normals(corners: Array) -> tuple[Array, Array]:
    """Unit normals of triangles (n, 3, 3), zero where they have no area, and their longest sides."""
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    sides = np.sqrt(np.stack([ab, ac, ac - ab]).__pow__(2).sum(axis=2).max(axis=0))
    crosses = np.cross(ab, ac)
    areas = np.linalg.norm(crosses, axis=1, keepdims=True)
    return crosses / np.where(areas > 0.0, areas, 1.0), sides


def _meetings(corners: Array, joined: Ids) -> NDArray[np.int64]:
    """Pairs (k, 2) of faces without a common vertex that are not known to be apart."""
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    found = [np.empty((0, 2), np.int64)]
    for part in Overlaps(boxes, np.ones(len(boxes), np.bool_)).parts():
        one, other = part.pairs[:, 0], part.pairs[:, 1]
        is_joined = (joined[one][:, :, np.newaxis] == joined[other][:, np.newaxis]).any(axis=(1, 2))
        pairs = part.pairs[~is_joined].astype(np.int64)
        found.append(pairs[~are_apart(corners[pairs[:, 0]], corners[pairs[:, 1]])])
    return np.concatenate(found)


def _outer(surface: Faces, joined: Ids, is_met: Flags) -> NDArray[np.int64]:
    """How often the surface winds around what is before each face; of faces that are met, 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m = len(joined)
    sides = np.sort(np.stack([joined, np.roll(joined, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    owners = np.repeat(np.arange(m), 3)
    free = ~is_met[owners]
    sides, owners = sides[free], owners[free]
    order = np.lexsort((sides[:, 1], sides[:, 0]))
    is_same = (sides[order[1:]] == sides[order[:-1]]).all(axis=1)
    one, other = owners[order[1:][is_same]], owners[order[:-1][is_same]]
    links = coo_array((np.ones(len(one), np.int8), (one, other)), (m, m))
    _, regions = connected_components(links, directed=False)
    # Of each region the face with the longest side, not the ones that are met, which are regions of their own.
    widths = np.where(is_met, -1.0, surface.sides * (surface.normals != 0.0).any(axis=1))
    order = np.lexsort((widths, regions))
    lasts = order[np.flatnonzero(np.diff(np.append(regions[order], -1)))]
    windings = np.zeros(m, np.int64)
    asked = lasts[~is_met[lasts]]
    windings[asked] = _before(
        surface, surface.corners[asked].mean(axis=1), surface.normals[asked], surface.sides[asked]
    )
    outer = np.zeros(m, np.int64)
    outer[:] = windings[lasts][regions]
    outer[is_met] = 0
    return outer


def _before(surface: Faces, places: Array, normals: Array, sides: Array) -> NDArray[np.int64]:
    """How often the surface winds around points that are just before it."""
    beside = places + BESIDE * sides[:, np.newaxis] * normals
    return np.rint(surface.sign * winding_numbers(surface.mesh, beside, ATTEMPT)).astype(np.int64)


def _overlapping(surface: Faces, is_met: Flags, outer: NDArray[np.int64]) -> NDArray[np.int64]:
    """Vertices that have an inside before them."""
    mesh = surface.mesh
    known, is_inside = np.zeros(mesh.n_vertices, np.bool_), np.zeros(mesh.n_vertices, np.bool_)
    known[mesh.faces[~is_met].reshape(-1)] = True
    is_inside[mesh.faces[~is_met & (outer >= 1)].reshape(-1)] = True
    # All others have nothing but faces that are met: one looks before the largest of them, next to the vertex.
    met = np.flatnonzero(is_met)
    met = met[np.argsort(surface.sides[met], kind="stable")]
    largest = np.full(mesh.n_vertices, -1, np.int64)
    largest[mesh.faces[met].reshape(-1)] = np.repeat(met, 3)
    unknown = np.flatnonzero(~known & (largest >= 0))
    faces = largest[unknown]
    corner = mesh.vertices[unknown]
    places = corner + INTO * (surface.corners[faces].mean(axis=1) - corner)
    is_inside[unknown] = _before(surface, places, surface.normals[faces], INTO * surface.sides[faces]) >= 1
    return np.flatnonzero(is_inside)


def _ways_out(
    surface: Faces,
    ids: NDArray[np.int64],
    whole: NDArray[np.int64],
    pieces: Pieces,
    asked: tuple[NDArray[np.int64], float],
) -> tuple[Inside, float]:
    """Find the nearest point of the outside for each vertex, cutting pieces that are met where they are it."""
    meetings, tolerance = asked
    vertices = np.ascontiguousarray(surface.mesh.vertices[ids])
    feet, distances, faces = _nearest(surface.corners[whole], vertices)
    faces = whole[faces] if len(whole) else faces
    partners = np.concatenate([meetings, meetings[:, ::-1]])
    partners = partners[np.argsort(partners[:, 0], kind="stable")]
    active, reached = np.arange(len(ids)), 0.0
    while len(active) > 0 and len(pieces.faces) > 0:
        points, lengths, nearest = _nearest(pieces.corners, vertices[active])
        is_nearer = lengths < distances[active]
        active, points, lengths, nearest = (array[is_nearer] for array in (active, points, lengths, nearest))
        _, sizes = _normals(pieces.corners[nearest])
        is_coarse = pieces.is_met[nearest] & (sizes > tolerance) & (len(pieces.faces) < MOST_PIECES)
        done = ~is_coarse
        feet[active[done]], distances[active[done]] = points[done], lengths[done]
        faces[active[done]] = pieces.faces[nearest[done]]
        reached = max(reached, float(sizes[done & pieces.is_met[nearest]].max(initial=0.0)))
        active = active[is_coarse]
        if len(active) > 0:
            pieces = _cut(surface, pieces, np.unique(nearest[is_coarse]), partners)
    ways = feet - vertices
    has_length = distances > 0.0
    directions = np.where(
        has_length[:, np.newaxis],
        ways / np.where(has_length, distances, 1.0)[:, np.newaxis],
        surface.normals[faces] if len(ids) else ways,
    )
    return Inside(ids.astype(np.int32), distances, directions, feet, faces.astype(np.int32)), reached


def _nearest(corners: Array, points: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Closest points of triangles (k, 3, 3), their distances, and which triangles they are of."""
    if len(corners) == 0:
        return points.copy(), np.full(len(points), np.inf), np.full(len(points), -1)
    soup = Mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    body = point_body_of(soup)
    found = closest_on_mesh(body, points)
    return points - found.offsets, found.distances, body.faces[found.places].astype(np.int64)


def _cut(surface: Faces, pieces: Pieces, chosen: NDArray[np.int64], partners: NDArray[np.int64]) -> Pieces:
    """Cut pieces in four; drop the parts that are before an inside, and see which are still met."""
    a, b, c = np.moveaxis(pieces.corners[chosen], 1, 0)
    ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
    quarters = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
    corners = np.concatenate([np.stack(quarter, axis=1) for quarter in quarters])
    faces = np.tile(pieces.faces[chosen], len(quarters))
    firsts = np.searchsorted(partners[:, 0], faces)
    counts = np.searchsorted(partners[:, 0], faces, side="right") - firsts
    rows = np.repeat(np.arange(len(faces)), counts)
    others = partners[np.arange(counts.sum()) + np.repeat(firsts - np.cumsum(counts) + counts, counts), 1]
    is_apart = are_apart(corners[rows], surface.corners[others])
    is_met = np.zeros(len(faces), np.bool_)
    is_met[rows[~is_apart]] = True
    clear = np.flatnonzero(~is_met)
    _, sizes = _normals(corners[clear])
    windings = _before(surface, corners[clear].mean(axis=1), surface.normals[faces[clear]], sizes)
    kept = np.ones(len(faces), np.bool_)
    kept[clear[windings >= 1]] = False
    others = np.delete(np.arange(len(pieces.faces)), chosen)
    return Pieces(
        np.concatenate([pieces.corners[others], corners[kept]]),
        np.concatenate([pieces.faces[others], faces[kept]]),
        np.concatenate([pieces.is_met[others], is_met[kept]]),
    )
