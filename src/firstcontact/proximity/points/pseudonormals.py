"""On which side of a mesh a point is, by the normal of what is closest to it.

A face has its normal; an edge the sum of those around it, a corner their sum by angles: whatever is closest
to a point, the point is outside where it lies along that normal (Baerentzen and Aanaes 2005). This holds for
closed surfaces that do not go through themselves: `orientation_of` says whether a mesh is one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Flags
from firstcontact.bodies.point_body import point_body_of
from firstcontact.proximity.points.crossing import SelfContact, self_contact
from firstcontact.proximity.points.winding import ACCURACY, winding_numbers
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Features of a triangle: itself, its edges (k joins corners k and k + 1), its corners.
FACE, EDGES, CORNERS, N_FEATURES = 0, 1, 4, 7

# Roundings that turn the normal of a triangle, in units of its longest side squared over twice its area; and
# those of an angle.
NORMAL_ROUNDING, ANGLE_ROUNDING = 16.0 * UNIT_ROUNDOFF, 16.0 * UNIT_ROUNDOFF

# A corner is blunt where the normals of all faces around it have this much along their mean, at the least,
# and none of them is off by more than the second number: from beside it, all are seen from one side.
BLUNT, LEAST_SURE = 0.1, 2.0**-6

# How far beside a triangle one looks for what is there, in units of a side of it.
BESIDE = 1e-6


class Pseudonormals(NamedTuple):
    """The normals of the features of all triangles of a body, by their places.

    normals : (n_places, N_FEATURES, 3), of any length
    errors : (n_places, N_FEATURES), how much longer or shorter rounding may make each of them; inf where a
        triangle of no area is around the feature
    clear : (n_places,) are the corners of a triangle blunt, and is nothing else near it? Then rounding, which
        may take one face for another that is as near, takes only those that tell the same side
    """

    normals: Array
    errors: Array
    clear: Flags


class _Sides(NamedTuple):
    """Which sides of triangles are one edge: ids (3 m,) and counts of edges, and whether all are in pairs."""

    edges: NDArray[np.int64]
    n_edges: int
    is_closed: bool


@OnceForEachMesh
def pseudonormals_of(mesh: Mesh) -> Pseudonormals:
    """Return the pseudonormals of a mesh, made on the first call; those of what is inside out are turned."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    body = point_body_of(mesh)
    m, (faces, sides) = mesh.n_faces, _sides_of_mesh(mesh)
    corners = mesh.vertices[mesh.faces] * body.factor
    units, errors, angles = _of_faces(corners)
    orientation = orientation_of(mesh)
    units *= orientation[:, np.newaxis] if orientation is not None else 1.0
    normals, doubts = np.empty((m, N_FEATURES, 3)), np.empty((m, N_FEATURES))
    normals[:, FACE], doubts[:, FACE] = units, errors
    owners = np.repeat(np.arange(m), 3)
    normals[:, EDGES:CORNERS] = _sums(units[owners], sides.edges).reshape(m, 3, 3)
    doubts[:, EDGES:CORNERS] = _sums(errors[owners, np.newaxis], sides.edges).reshape(m, 3)
    # Corners that share an edge are of one fan: corner k of a side's triangle, and k + 1, each with its like.
    one, other = _neighbours(sides.edges)
    is_turned = faces.reshape(-1)[one] != faces.reshape(-1)[other]
    ends = [
        (one, np.where(is_turned, _after(other), other)),
        (_after(one), np.where(is_turned, other, _after(other))),
    ]
    rows, columns = (np.concatenate(part) for part in zip(*ends, strict=True))
    links = coo_array((np.ones(len(rows), np.int8), (rows, columns)), (3 * m, 3 * m))
    _, fans = connected_components(links, directed=False)
    weights = angles.reshape(-1, 1)
    normals[:, CORNERS:] = _sums(weights * units[owners], fans).reshape(m, 3, 3)
    fan_errors = (weights + ANGLE_ROUNDING) * errors[owners, np.newaxis] + ANGLE_ROUNDING
    doubts[:, CORNERS:] = _sums(fan_errors, fans).reshape(m, 3)
    is_clear = np.zeros(len(body.faces), np.bool_)
    if orientation is not None:
        is_blunt = _is_blunt(faces, fans, normals[:, CORNERS:], units, errors)
        is_clear = is_blunt[body.faces] & ~_self_contact_of(mesh).near
    return Pseudonormals(normals[body.faces], doubts[body.faces], is_clear)


def _is_blunt(
    faces: NDArray[np.int64], fans: NDArray[np.int32], means: Array, units: Array, errors: Array
) -> Flags:
    """Which faces have blunt corners only, each of one fan?"""
    vectors, owners = means.reshape(-1, 3), np.repeat(np.arange(len(faces)), 3)
    lengths = np.linalg.norm(vectors, axis=1)
    along = np.einsum("ij,ij->i", vectors, units[owners])
    is_along = (along > BLUNT * lengths) & (errors[owners] < LEAST_SURE)
    is_sharp = np.bincount(fans, ~is_along) > 0.0
    vertices = np.empty(len(is_sharp), np.int64)
    vertices[fans] = faces.reshape(-1)
    n_fans = np.bincount(vertices)
    is_blunt = ~is_sharp[fans] & (n_fans[faces.reshape(-1)] == 1)
    return np.asarray(is_blunt.reshape(-1, 3).all(axis=1))


@OnceForEachMesh
def _self_contact_of(mesh: Mesh) -> SelfContact:
    """Where a closed mesh meets itself."""
    return self_contact(mesh, _sides_of_mesh(mesh)[0])


@OnceForEachMesh
def _orientation_of(mesh: Mesh) -> tuple[Array | None]:
    """Find out what `orientation_of` says; kept in a tuple, since None is an answer."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m = mesh.n_faces
    if m == 0:
        return (None,)
    _, sides = _sides_of_mesh(mesh)
    if not sides.is_closed or _self_contact_of(mesh).crosses:
        return (None,)
    one, other = _neighbours(sides.edges)
    links = coo_array((np.ones(len(one), np.int8), (one // 3, other // 3)), (m, m))
    n_parts, parts = connected_components(links, directed=False)
    body = point_body_of(mesh)
    places = np.flatnonzero(body.faces >= 0)
    # Of each part the triangle of the largest area.
    a, b, c = np.moveaxis(body.triangles[places].reshape(-1, 3, 3), 1, 0)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    of_places = parts[body.faces[places]]
    largest = np.lexsort((areas, of_places))
    lasts = np.flatnonzero(np.diff(np.append(of_places[largest], n_parts)))
    witnesses = body.triangles[places[largest[lasts]]].reshape(-1, 3, 3) / body.factor
    return (_which_side(mesh, witnesses, parts),)


def _which_side(mesh: Mesh, witnesses: Array, parts: NDArray[np.int32]) -> Array | None:
    """Look around on both sides of a triangle of each part: the surface winds around one of them, once."""
    units, _, _ = _of_faces(witnesses)
    a, b = witnesses[:, 0], witnesses[:, 1]
    step = BESIDE * np.linalg.norm(b - a, axis=1, keepdims=True) * units
    middle = witnesses.mean(axis=1)
    front, back = winding_numbers(mesh, middle + step, 1), winding_numbers(mesh, middle - step, 1)
    is_known = np.abs(front - np.rint(front)) + np.abs(back - np.rint(back)) < 4.0 * ACCURACY[1]
    front, back = np.abs(np.rint(front)), np.abs(np.rint(back))
    if not np.all(is_known & (front + back == 1.0)):
        return None
    orientation: Array = (back - front)[parts]
    return orientation


def orientation_of(mesh: Mesh) -> Array | None:
    """Say of a closed mesh, (m,), which faces look outwards, 1, or inwards, -1; None where that is unclear.

    It is clear where every edge has two faces, which run along it in opposite directions, no edge meets
    another face, and of the two sides of each connected part the surface winds around one only, once.
    Vertices at one place count as one where that makes a mesh closed.
    """
    return _orientation_of(mesh)[0]


@OnceForEachMesh
def _sides_of_mesh(mesh: Mesh) -> tuple[NDArray[np.int64], _Sides]:
    """Faces by their vertices, or by the places of these where only that closes them; and their sides."""
    faces = mesh.faces.astype(np.int64)
    sides = _sides_of(faces)
    if sides.is_closed:
        return faces, sides
    _, ids = np.unique(mesh.vertices + 0.0, axis=0, return_inverse=True)  # -0.0 is where 0.0 is
    joined = ids.reshape(-1)[mesh.faces].astype(np.int64)
    joined_sides = _sides_of(joined)
    return (joined, joined_sides) if joined_sides.is_closed else (faces, sides)


def _sides_of(faces: NDArray[np.int64]) -> _Sides:
    """Find the edges of faces (m, 3): side k joins the corners k and k + 1."""
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    low, high = sides.min(axis=1), sides.max(axis=1)
    _, edges = np.unique(low << 32 | high, return_inverse=True)
    edges = edges.reshape(-1)
    n_edges = int(edges.max(initial=-1)) + 1
    counts = np.bincount(edges, minlength=n_edges)
    balance = np.bincount(edges, np.sign(sides[:, 1] - sides[:, 0]), minlength=n_edges)
    is_closed = bool(np.all(counts == 2) and np.all(balance == 0) and np.all(low < high))
    return _Sides(edges, n_edges, is_closed)


def _of_faces(corners: Array) -> tuple[Array, Array, Array]:
    """Unit normals (m, 3) of triangles (m, 3, 3), how much rounding turns them, and their angles (m, 3)."""
    ahead = np.roll(corners, -1, axis=1) - corners
    back = -np.roll(ahead, 1, axis=1)
    twice = np.cross(ahead, back)
    lengths = np.linalg.norm(twice, axis=2)
    angles = np.arctan2(lengths, np.einsum("ijk,ijk->ij", ahead, back))
    longest = np.einsum("ijk,ijk->ij", ahead, ahead).max(axis=1)
    area = lengths[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.where(area > 0.0, NORMAL_ROUNDING * longest / area, np.inf)
        units = np.where(area[:, np.newaxis] > 0.0, twice[:, 0] / area[:, np.newaxis], 0.0)
    return units, errors, angles


def _sums(values: Array, groups: NDArray[Any]) -> Array:
    """Sum up values (n, k) in groups (n,), and give each its group's sum."""
    columns = [np.bincount(groups, column)[groups] for column in values.T]
    return np.stack(columns, axis=1)


def _neighbours(edges: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of sides of one edge, next to each other."""
    order = np.argsort(edges, kind="stable")
    is_same = edges[order][1:] == edges[order][:-1]
    return order[:-1][is_same], order[1:][is_same]


def _after(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """The next corner of the same triangle."""
    after: NDArray[np.int64] = corners - corners % 3 + (corners + 1) % 3
    return after
