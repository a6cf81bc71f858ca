"""Where a closed surface passes through itself: which of its vertices are inside it, and how deep.

Just outside a face, along its normal, the surface winds around a point some number of times: 0 where the
outside is, 1 or more where that is inside another part. Faces that no other meets have one such number, and
so have all that are connected by them: it is looked up once for each such region. Faces that others meet are
cut along the planes of these: then it is looked up for each piece. The way out of a vertex goes to the
nearest point of all faces and pieces that have the outside before them.
"""

from typing import Any, NamedTuple

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

# How far before a face one looks, in units of its longest side.
BESIDE = 1e-6

# Sums that are farther than this from whole numbers are summed again, more accurately.
UNSURE = 0.25

# Lower pieces, in units of the longest side of all, are left out: what they are worth is next to them.
LOWEST = 2.0**-40

# Vertices that are less deep, in the same units, are on the border: a piece that was left out may be there.
LOWEST_DEPTH = 2.0**-36


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
    """Parts of faces: corners (k, 3, 3), and which face each is of."""

    corners: Array
    faces: NDArray[np.int64]


def self_overlap(mesh: Mesh, joined: Ids) -> Inside:
    """Find the vertices of a closed mesh that are inside it; `joined`: its faces, places with one number."""
    surface = _surface(mesh)
    meetings = _meetings(surface.corners, joined)
    is_met = np.zeros(mesh.n_faces, np.bool_)
    is_met[meetings.reshape(-1)] = True
    outer = _outer(surface, joined, is_met)
    ids, is_inside = _candidates(surface, is_met, outer)
    pieces = _outside_pieces(surface, np.flatnonzero(is_met), meetings)
    whole = np.flatnonzero(~is_met & (outer <= 0))
    corners = np.concatenate([surface.corners[whole], pieces.corners])
    found = _ways_out(surface, ids, Pieces(corners, np.concatenate([whole, pieces.faces])))
    # A vertex of faces that are all met is inside if no piece around it has the outside before it.
    rounding = LOWEST_DEPTH * float(surface.sides.max(initial=0.0))
    kept = np.flatnonzero(is_inside[: len(found.ids)] | (found.depths > rounding))
    columns: Any = (column[kept] for column in found)
    return Inside(*columns)


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
    sides = np.sqrt((np.stack([ab, ac, ac - ab]) ** 2).sum(axis=2).max(axis=0))
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
    # Of each region the face with the longest side; those that are met are regions of their own.
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
    windings = winding_numbers(surface.mesh, beside)
    unsure = np.flatnonzero(np.abs(windings - np.rint(windings)) > UNSURE)
    windings[unsure] = winding_numbers(surface.mesh, beside[unsure], 1)
    return np.rint(surface.sign * windings).astype(np.int64)


def _candidates(surface: Faces, is_met: Flags, outer: NDArray[np.int64]) -> tuple[NDArray[np.int64], Flags]:
    """Vertices that may have an inside before them, and which of them are known to: by a face not met."""
    faces, n = surface.mesh.faces, surface.mesh.n_vertices
    has_free, has_met, is_inside = np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    has_free[faces[~is_met].reshape(-1)] = True
    has_met[faces[is_met].reshape(-1)] = True
    is_inside[faces[~is_met & (outer >= 1)].reshape(-1)] = True
    ids = np.flatnonzero(is_inside | (has_met & ~has_free))
    return ids, is_inside[ids]


def _outside_pieces(surface: Faces, met: NDArray[np.int64], meetings: NDArray[np.int64]) -> Pieces:
    """Cut faces along the planes of those that they meet; the pieces that have the outside before them."""
    pairs = np.concatenate([meetings, meetings[:, ::-1]])
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    firsts, lasts = (np.searchsorted(pairs[:, 0], met, side=side) for side in ("left", "right"))
    pieces, counts, turn = Pieces(surface.corners[met], met), lasts - firsts, 0
    size = float(surface.sides.max(initial=0.0))
    while (counts > turn).any():
        of = np.searchsorted(met, pieces.faces)
        rows = np.flatnonzero(counts[of] > turn)
        others = pairs[firsts[of[rows]] + turn, 1]
        is_apart = are_apart(pieces.corners[rows], surface.corners[others])
        rows, others = rows[~is_apart], others[~is_apart]
        cut = _cut(pieces.corners[rows], surface.corners[others][:, 0], surface.normals[others])
        kept = np.delete(np.arange(len(pieces.faces)), rows)
        corners = np.concatenate([pieces.corners[kept], cut.reshape(-1, 3, 3)])
        faces = np.concatenate([pieces.faces[kept], np.repeat(pieces.faces[rows], 3)])
        is_high = _heights(corners) > LOWEST * size
        pieces, turn = Pieces(corners[is_high], faces[is_high]), turn + 1
    places, normals = pieces.corners.mean(axis=1), surface.normals[pieces.faces]
    is_outside = _before(surface, places, normals, _heights(pieces.corners)) <= 0
    return Pieces(pieces.corners[is_outside], pieces.faces[is_outside])


def _heights(corners: Array) -> Array:
    """The least heights of triangles (n, 3, 3)."""
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    sides = _normals(corners)[1]
    heights: Array = areas / np.where(sides > 0.0, sides, 1.0)
    return heights


def _cut(corners: Array, origins: Array, normals: Array) -> Array:
    """Cut triangles (n, 3, 3) along planes, in three (n, 3, 3, 3); some are of no area."""
    heights = np.einsum("nij,nj->ni", corners - origins[:, np.newaxis], normals)
    is_up = heights > 0.0
    # The corner that is alone on its side comes first; where none is, the cuts are at the second corner.
    alone = np.where(
        is_up.sum(axis=1) == 1,
        np.argmax(is_up, axis=1),
        np.where(is_up.sum(axis=1) == 2, np.argmin(is_up, axis=1), 0),
    )
    order = (alone[:, np.newaxis] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners, order[:, :, np.newaxis], axis=1), 1, 0)
    high = np.take_along_axis(heights, order, axis=1)
    p, q = _between(a, b, high[:, 0], high[:, 1]), _between(a, c, high[:, 0], high[:, 2])
    parts = ((a, p, q), (p, b, c), (p, c, q))
    return np.stack([np.stack(part, axis=1) for part in parts], axis=1)


def _between(a: Array, b: Array, high: Array, low: Array) -> Array:
    """Points on segments at height zero; the first end where both are on one side."""
    span = high - low
    part = np.clip(
        np.divide(high, span, out=np.zeros_like(high), where=(high > 0.0) != (low > 0.0)), 0.0, 1.0
    )
    points: Array = a + part[:, np.newaxis] * (b - a)
    return points


def _ways_out(surface: Faces, ids: NDArray[np.int64], outside: Pieces) -> Inside:
    """Find the nearest point of the outside for each vertex; its own place where there is no outside."""
    vertices, n = np.ascontiguousarray(surface.mesh.vertices[ids]), len(outside.faces)
    if n == 0 or len(ids) == 0:
        ids = ids[:0]
        return Inside(
            ids.astype(np.int32), np.empty(0), np.empty((0, 3)), np.empty((0, 3)), ids.astype(np.int32)
        )
    soup = Mesh(outside.corners.reshape(-1, 3), np.arange(3 * n).reshape(-1, 3))
    body = point_body_of(soup)
    found = closest_on_mesh(body, vertices)
    faces, distances = outside.faces[body.faces[found.places]], found.distances[:, np.newaxis]
    has_way = distances > 0.0
    directions = np.where(has_way, -found.offsets / np.where(has_way, distances, 1.0), surface.normals[faces])
    feet = vertices - found.offsets
    return Inside(ids.astype(np.int32), found.distances, directions, feet, faces.astype(np.int32))
