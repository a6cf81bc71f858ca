"""A convex shape as its vertices, edges and planes, for what of it faces another shape.

Of a core that is a polytope these are its own. A cylinder or a cone has eight points on each rim, planes
through them, and a line along its side that is placed where the other shape is. An ellipsoid has none, and of
a half-space there is the plane.
"""

from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.narrowphase.features.feature_graph import (
    FACE,
    Surface,
    edges_of,
    is_walkable,
    normals_of,
    surface_of,
)
from firstcontact.shapes.convex import CONE, CYLINDER, HALF, KIND, ORIGIN
from firstcontact.shapes.convex_shape import ConvexShape, is_convex
from firstcontact.shapes.half_space import HalfSpace

Ids = NDArray[np.int64]

# Columns of edges: two vertices, two planes, -1 for none, and the edge's own id.
ENDS = 0  # two
PLANES = 2  # two
EDGE_ID = 4
N_EDGE = 5

# Columns of planes: a normal outwards, how far the shape reaches along it, and the id of a face.
OFFSET = 3
FACE_ID = 4
N_PLANE = 5

# Points on a rim that stand for it.
RIM = 8

# Normals that differ by less are those of one face, cut into triangles.
SAME_NORMAL = 1e-9


class FacingShape(NamedTuple):
    """Points (n, 3), edges (m, N_EDGE) and planes (k, N_PLANE), in the shape's frame, without its radius.

    n_placed : how many of the points, the last ones, are placed anew for each direction
    """

    points: Array
    edges: Ids
    planes: Array
    n_placed: int


_KNOWN: WeakKeyDictionary[ConvexShape, FacingShape] = WeakKeyDictionary()


def facing_shape(shape: ConvexShape | HalfSpace) -> FacingShape:
    """What of a shape can face another; made once for a convex shape."""
    if is_convex(shape):
        found = _KNOWN.get(shape)
        if found is None:
            found = _KNOWN[shape] = _made(shape)
        return found
    side = cast(HalfSpace, shape)
    plane = np.array([[*side.normal, side.offset, 0.0]])
    return FacingShape(np.empty((0, 3)), np.empty((0, N_EDGE), np.int64), plane, 0)


def _made(shape: ConvexShape) -> FacingShape:
    record = shape.table.records[0]
    if is_walkable(shape):
        surface = surface_of(shape)
        origin = record[ORIGIN : ORIGIN + 3]
        return _of_surface(surface._replace(points=surface.points + origin))
    radius, half = float(record[HALF]), float(record[HALF + 2])
    if record[KIND] == CYLINDER:
        return _with_line(_of_surface(_prism(radius, half)), 2)
    if record[KIND] == CONE:
        return _with_line(_of_surface(_pyramid(radius, half)), 1)
    return FacingShape(np.empty((0, 3)), np.empty((0, N_EDGE), np.int64), np.empty((0, N_PLANE)), 0)


def _of_surface(surface: Surface) -> FacingShape:
    """Vertices, edges between faces that are not in one plane, and planes; ids are those of the triangles."""
    points, faces = surface
    edges = edges_of(surface)
    if len(faces) == 0 or len(edges) == 0:
        rows = np.concatenate([edges, np.arange(len(edges))[:, np.newaxis]], axis=1).reshape(-1, N_EDGE)
        return FacingShape(points, rows, np.empty((0, N_PLANE)), 0)
    normals = normals_of(points, faces)
    firsts = _first_in_plane(edges, normals)
    plane_of = np.unique(firsts, return_inverse=True)
    kept, numbers = plane_of[0], plane_of[1].reshape(-1)
    one, other = (numbers[edges[:, FACE + k]] for k in range(2))
    is_kept = one != other
    rows = np.column_stack([edges[:, :2], one, other, _edge_ids(edges, len(points))])[is_kept]
    planes = [_plane(points, normals[face], face) for face in kept]
    planes += _outlines(points, rows, normals[kept])
    return FacingShape(points, np.ascontiguousarray(rows), np.array(planes), 0)


def _plane(points: Array, normal: Array, face: float) -> list[float]:
    return [*normal, float((points @ normal).max()), float(face)]


def _first_in_plane(edges: Ids, normals: Array) -> Ids:
    """For each triangle the first one of its plane that it is joined with by others of that plane."""
    one, other = edges[:, FACE], edges[:, FACE + 1]
    is_flat = np.linalg.norm(normals[one] - normals[other], axis=1) <= SAME_NORMAL
    one, other, firsts = one[is_flat], other[is_flat], np.arange(len(normals))
    while True:
        least = np.minimum(firsts[one], firsts[other])
        before = firsts.copy()
        np.minimum.at(firsts, one, least)
        np.minimum.at(firsts, other, least)
        if np.array_equal(before, firsts):
            return firsts


def _edge_ids(edges: Ids, n_points: int) -> Ids:
    """Rows of the edges in `Mesh.edges`: by the smaller vertex, then by the other."""
    keys = edges[:, :2].min(axis=1) * n_points + edges[:, :2].max(axis=1)
    found: Ids = np.unique(keys, return_inverse=True)[1].reshape(-1)
    return found


def _outlines(points: Array, edges: Ids, normals: Array) -> list[list[float]]:
    """Planes across the outline of what is flat, which looks both ways there."""
    found = []
    for tail, head, one, other, _ in edges.tolist():
        if np.linalg.norm(normals[one] + normals[other]) <= SAME_NORMAL:
            across = np.cross(points[head] - points[tail], normals[one])
            across /= np.linalg.norm(across)
            middle = points.mean(axis=0)
            out = across if across @ (points[tail] - middle) >= 0.0 else -across
            found.append(_plane(points, out, -1.0))
    return found


def _rim(radius: float, height: float) -> Array:
    angles = np.arange(RIM) * (2.0 * np.pi / RIM)
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(RIM, height)])


def _prism(radius: float, half: float) -> Surface:
    low, high = np.arange(RIM), np.arange(RIM) + RIM
    after = np.roll(low, -1)
    sides = [np.column_stack([low, after, after + RIM]), np.column_stack([low, after + RIM, high])]
    fan = np.column_stack([np.zeros(RIM - 2, int), np.arange(1, RIM - 1), np.arange(2, RIM)])
    points = np.concatenate([_rim(radius, -half), _rim(radius, half)])
    return Surface(points, np.concatenate([fan[:, ::-1], fan + RIM, *sides]).astype(np.int64))


def _pyramid(radius: float, half: float) -> Surface:
    low = np.arange(RIM)
    sides = np.column_stack([low, np.roll(low, -1), np.full(RIM, RIM)])
    fan = np.column_stack([np.zeros(RIM - 2, int), np.arange(1, RIM - 1), np.arange(2, RIM)])
    points = np.concatenate([_rim(radius, -half), [[0.0, 0.0, half]]])
    return Surface(points, np.concatenate([fan[:, ::-1], sides]).astype(np.int64))


def _with_line(shape: FacingShape, n_placed: int) -> FacingShape:
    """The same with a line along its side: of a cylinder to both rims, of a cone to its tip."""
    n = len(shape.points)
    ends = (n, n + 1) if n_placed == 2 else (n, n - 1)
    edge = np.array([[*ends, -1, -1, shape.edges[:, EDGE_ID].max() + 1]])
    points = np.concatenate([shape.points, np.zeros((n_placed, 3))])
    return FacingShape(points, np.concatenate([shape.edges, edge]), shape.planes, n_placed)
