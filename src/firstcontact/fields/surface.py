"""A surface of triangles as the builder of a field sees it: triangles near each other, with their normals."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Keys
from firstcontact.hierarchy.morton import morton_order
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.scalar.vec3 import Triangle, Vec3, dot, sub
from firstcontact.shapes.mesh import Mesh

# Triangles with one ball around them all: what a large cell looks at first.
CLUSTER = 16

# Rows of a triangle's normals: of its face, of its edges ab, bc, ca, and of its corners a, b, c.
FACE_NORMAL, EDGE_NORMALS, CORNER_NORMALS, N_NORMALS = 0, 1, 4, 7


class Surface(NamedTuple):
    """Triangles (n, 9) in the order of a curve, their normals (n, 7, 3), and balls.

    own_balls, balls : (n, 4) and (m, 4) around each triangle and each cluster: middle and radius

    is_signed : whether the surface is closed: distances inside are negative then
    """

    triangles: Array
    normals: Array
    own_balls: Array
    balls: Array
    is_signed: bool


class Source(NamedTuple):
    """What distances are of: a surface, or a core of a convex shape, which has a radius, about a middle.

    kind : of the core, as in `shapes.convex`; -1 for a surface
    """

    surface: Surface
    kind: int
    half: Vec3
    radius: float
    middle: Vec3


NO_SURFACE = Surface(np.empty((0, 9)), np.empty((0, N_NORMALS, 3)), np.empty((0, 4)), np.empty((0, 4)), True)


def source_of_mesh(mesh: Mesh, is_signed: bool) -> Source:
    """Take a mesh as the source of distances."""
    return Source(surface_of(mesh, is_signed), -1, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0))


def surface_of(mesh: Mesh, is_signed: bool) -> Surface:
    """Sort the triangles of a mesh, and find their normals and balls."""
    corners = mesh.vertices[mesh.faces]
    order = _along_curve(corners)
    normals = _normals(mesh)[order]
    triangles = np.ascontiguousarray(corners[order].reshape(-1, 9))
    own, some = _balls(triangles, 1), _balls(triangles, CLUSTER)
    return Surface(triangles, np.ascontiguousarray(normals), own, some, is_signed)


def _along_curve(corners: Array) -> Keys:
    """Numbers of triangles (n, 3, 3) in the order of a curve through their boxes."""
    if len(corners) == 0:
        return np.empty(0, np.int64)
    found = morton_order(np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1))
    order: Keys = found.keys & ((1 << found.id_bits) - 1)
    return order


def _balls(triangles: Array, each: int) -> Array:
    """Balls around so many triangles each: the middle of their box, and a radius, rounded up."""
    starts = np.arange(0, len(triangles), each)
    corners = triangles.reshape(-1, 3, 3)
    lower = np.minimum.reduceat(corners.min(axis=1), starts, axis=0)
    upper = np.maximum.reduceat(corners.max(axis=1), starts, axis=0)
    middles = 0.5 * (lower + upper)
    away = corners - np.repeat(middles, each, axis=0)[: len(triangles), np.newaxis]
    radii = np.sqrt(np.maximum.reduceat((away**2).sum(axis=2).max(axis=1), starts))
    return np.column_stack([middles, radii * (1.0 + 1e-12)])


def _normals(mesh: Mesh) -> Array:
    """Angle-weighted pseudonormals (Baerentzen and Aanaes 2005); vertices at one place count as one.

    The sign of the product with the vector from the closest point says on which side of a closed, oriented
    surface a point is, whichever feature the closest point is on.
    """
    places, ids = np.unique(mesh.vertices + 0.0, axis=0, return_inverse=True)
    faces = ids.reshape(-1)[mesh.faces].astype(np.int64)
    a, b, c = (places[faces[:, k]] for k in range(3))
    face = _unit(np.cross(b - a, c - a))
    found = np.empty((len(faces), N_NORMALS, 3))
    found[:, FACE_NORMAL] = face
    at_corners = np.zeros((len(places), 3))
    for k in range(3):
        here, after, before = (places[faces[:, (k + i) % 3]] for i in range(3))
        one, other = _unit(after - here), _unit(before - here)
        angle = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), np.einsum("ij,ij->i", one, other))
        np.add.at(at_corners, faces[:, k], angle[:, np.newaxis] * face)
    starts, ends = faces, np.roll(faces, -1, axis=1)
    keys = np.minimum(starts, ends) << 32 | np.maximum(starts, ends)
    _, edges = np.unique(keys, return_inverse=True)
    edges = edges.reshape(-1, 3)
    at_edges = np.zeros((edges.max(initial=-1) + 1, 3))
    for k in range(3):
        np.add.at(at_edges, edges[:, k], face)
        found[:, CORNER_NORMALS + k] = at_corners[faces[:, k]]
    for k in range(3):
        found[:, EDGE_NORMALS + k] = at_edges[edges[:, k]]
    return found


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
    return unit


@kernel
def triangle_at(triangles: Array, i: int) -> Triangle:
    """Read a triangle."""
    row = triangles[i]
    return (row[0], row[1], row[2]), (row[3], row[4], row[5]), (row[6], row[7], row[8])


@kernel
def closest_on(triangles: Array, i: int, p: Vec3) -> Vec3:
    """Point of a triangle closest to p."""
    a, b, c = triangle_at(triangles, i)
    return triangle_point(a, b, c, closest_point_triangle(p, a, b, c))


@kernel
def side_of(surface: Surface, i: int, p: Vec3) -> float:
    """Sign of the distance at p, whose closest triangle is i: 1 outside, -1 inside; 1 on the surface."""
    if not surface.is_signed:
        return 1.0
    a, b, c = triangle_at(surface.triangles, i)
    w = closest_point_triangle(p, a, b, c)
    normal = surface.normals[i, feature_of(w)]
    away = sub(p, triangle_point(a, b, c, w))
    return -1.0 if dot(away, (normal[0], normal[1], normal[2])) < 0.0 else 1.0


@kernel
def feature_of(w: Vec3) -> int:
    """Row of the normals of the feature that a point with weights w is on."""
    if w[0] == 0.0:
        if w[1] == 0.0:
            return CORNER_NORMALS + 2
        return CORNER_NORMALS + 1 if w[2] == 0.0 else EDGE_NORMALS + 1
    if w[1] == 0.0:
        return CORNER_NORMALS if w[2] == 0.0 else EDGE_NORMALS + 2
    return EDGE_NORMALS if w[2] == 0.0 else FACE_NORMAL
