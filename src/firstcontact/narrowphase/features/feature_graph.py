"""The vertices, edges and faces of a polytope, and which of them meet, in one array of numbers.

Faces are triangles: so each has three neighbours, whatever polygon it is a part of. All is seen from the
origin of the shape, as its table has it. A flat polygon has two sides; a segment is an edge without faces.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import BOX, HALF, HULL, KIND, ORIGIN, POINT, SEGMENT
from firstcontact.shapes.convex_shape import ConvexShape

Ids = NDArray[np.int64]

# Cores that have vertices, edges and faces; around them there may be a radius.
WALKABLE = POINT, SEGMENT, BOX, HULL

# Columns of the head; places are counted from where a graph begins.
N_VERTICES = 0
N_EDGES = 1
N_FACES = 2
FIRST_EDGE = 3
FIRST_FACE = 4
FIRST_FAN = 5
N_HEAD = 8

# A vertex: where it is, and where in the fans its own edges begin; that of the next is where they end.
FAN = 3
N_VERTEX = 4

# An edge of a fan: its number, and a unit vector along it, away from the vertex.
OUTWARDS = 1  # three
N_SPOKE = 4

# An edge: two vertices, two faces, -1 for none, and unit vectors into these, at right angles to the edge.
FACE = 2
INTO = 4  # six
N_EDGE = 10

# A face: three vertices, the three edges from each to the next, and its normal.
EDGES = 3
NORMAL = 6  # three
N_FACE = 9


class Surface(NamedTuple):
    """Points (n, 3) of a polytope, and triangles (m, 3) that look outwards; none of a segment or a point."""

    points: Array
    faces: Ids


def is_walkable(shape: ConvexShape) -> bool:
    """Is the core of a shape a polytope?"""
    return int(shape.table.records[0, KIND]) in WALKABLE


def surface_of(shape: ConvexShape) -> Surface:
    """The surface of a core that is a polytope, as seen from its origin."""
    record = shape.table.records[0]
    nothing = np.empty((0, 3), np.int64)
    if record[KIND] == POINT:
        return Surface(np.zeros((1, 3)), nothing)
    if record[KIND] == SEGMENT:
        return Surface(np.array([[0.0, 0.0, -record[HALF + 2]], [0.0, 0.0, record[HALF + 2]]]), nothing)
    mesh = shape.unrounded.mesh
    faces = mesh.faces.astype(np.int64)
    points = mesh.vertices - record[ORIGIN : ORIGIN + 3]
    return Surface(points, nothing if len(points) < 3 else faces)


def feature_graph(surface: Surface) -> Array:
    """All features of a surface, in numbers; of one that is not closed, its vertices alone."""
    points, faces = surface
    edges = edges_of(surface)
    if len(edges) == 0:
        faces = faces[:0]
    normals = normals_of(points, faces)
    fans, firsts = _fans_of(points, edges)
    head = np.zeros(N_HEAD)
    head[N_VERTICES], head[N_EDGES], head[N_FACES] = len(points), len(edges), len(faces)
    head[FIRST_EDGE] = N_HEAD + N_VERTEX * (len(points) + 1)
    head[FIRST_FACE] = head[FIRST_EDGE] + N_EDGE * len(edges)
    head[FIRST_FAN] = head[FIRST_FACE] + N_FACE * len(faces)
    vertices = np.zeros((len(points) + 1, N_VERTEX))
    vertices[:-1, :FAN], vertices[:, FAN] = points, firsts * N_SPOKE + head[FIRST_FAN]
    rows = np.zeros((len(edges), N_EDGE))
    rows[:, :INTO] = edges
    for k in range(2):
        rows[:, INTO + 3 * k : INTO + 3 * k + 3] = _into(points, faces, normals, edges, k)
    parts = vertices, rows, np.concatenate([faces, _edges_around(faces, edges), normals], axis=1), fans
    return np.concatenate([head, *(part.reshape(-1) for part in parts)])


def normals_of(points: Array, faces: Ids) -> Array:
    """Normals of triangles, outwards; zero for one without an area."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    return _units(np.cross(b - a, c - a))


def edges_of(surface: Surface) -> Ids:
    """Two vertices and two faces of each edge, (k, 4); nothing where the surface is not closed."""
    points, faces = surface
    nothing = np.empty((0, 4), np.int64)
    if len(faces) == 0:
        return np.array([[0, 1, -1, -1]]) if len(points) == 2 else nothing
    tails, heads = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    owners = np.repeat(np.arange(len(faces)), 3)
    keys = np.minimum(tails, heads) * len(points) + np.maximum(tails, heads)
    # A flat polygon has all triangles twice: edges within a side join its own, those of the outline both.
    sides = owners >= len(faces) // 2 if np.unique(keys, return_counts=True)[1].max() > 2 else owners < 0
    order = np.lexsort((sides, keys))
    one, other = order[::2], order[1::2]
    if len(order) % 2 or not np.array_equal(keys[one], keys[other]):
        return nothing
    return np.stack([tails[one], heads[one], owners[one], owners[other]], axis=1)


def _into(points: Array, faces: Ids, normals: Array, edges: Ids, k: int) -> Array:
    """Unit vectors from each edge into one of its faces; zero where there is none."""
    owners = edges[:, FACE + k]
    if len(faces) == 0:
        return np.zeros((len(edges), 3))
    along = points[edges[:, 1]] - points[edges[:, 0]]
    into = _units(np.cross(normals[owners], along))
    third = points[faces[owners]].mean(axis=1) - points[edges[:, 0]]
    return np.where(np.einsum("ij,ij->i", into, third)[:, np.newaxis] < 0.0, -into, into)


def _edges_around(faces: Ids, edges: Ids) -> Ids:
    """The edges of each face: from each of its vertices to the next."""
    found = np.zeros_like(faces)
    for owners in edges[:, FACE:].T if len(faces) else ():
        own = faces[owners]
        has = (own[:, :, np.newaxis] == edges[:, np.newaxis, :2]).any(axis=2)
        # The edge begins where its vertex and the next are both its own.
        at = np.argmax(has & np.roll(has, -1, axis=1), axis=1)
        found[owners, at] = np.arange(len(edges))
    return found


def _fans_of(points: Array, edges: Ids) -> tuple[Array, Ids]:
    """The edges at each vertex, with unit vectors along them, and where those of each vertex begin."""
    tails = np.concatenate([edges[:, 0], edges[:, 1]])
    heads = np.concatenate([edges[:, 1], edges[:, 0]])
    order = np.argsort(tails, kind="stable")
    fans = np.zeros((len(order), N_SPOKE))
    fans[:, 0] = np.tile(np.arange(len(edges)), 2)[order]
    fans[:, OUTWARDS:] = _units(points[heads] - points[tails])[order]
    return fans, np.searchsorted(tails[order], np.arange(len(points) + 1))


def _units(vectors: Array) -> Array:
    """Vectors of length 1; zero for those without a length."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, np.newaxis]
    found: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
    return found


@kernel
def vector_at(numbers: Array, first: int) -> Vec3:
    """Three numbers."""
    return numbers[first], numbers[first + 1], numbers[first + 2]
