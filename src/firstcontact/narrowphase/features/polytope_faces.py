"""The faces and edges of a polytope as tests of overlap take them: each plane once, in no order."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from firstcontact.arrays import Array
from firstcontact.narrowphase.features.feature_graph import (
    FACE,
    edges_of,
    is_walkable,
    normals_of,
    surface_of,
)
from firstcontact.shapes.convex_shape import ConvexShape

# Columns of planes: a normal outwards, and how far the shape reaches along it.
REACHES = 3
N_PLANE = 4

# Columns of edges: along it, one of its ends, and the normals of both faces.
END = 3
NORMALS = 6  # six
N_EDGE_ROW = 12

# Normals that differ by less are one: what that does to a gap is a thousandth of what counts as doubt.
SAME_NORMAL = 1e-12


# Faces whose normals add up to less look both ways: the body is flat there, or nearly so.
THINNEST = 1e-6


class PolytopeFaces(NamedTuple):
    """Planes (m, 4) and edges (k, 12) of a polytope, as seen from its origin; of one that is flat no edges.

    is_solid : 1 where no overlap has to be doubted for what is missing, else 0
    """

    planes: Array
    edges: Array
    is_solid: int


NO_PLANES = PolytopeFaces(np.empty((0, N_PLANE)), np.empty((0, N_EDGE_ROW)), 0)


# What is known of shapes, as long as they live.
_KNOWN: WeakKeyDictionary[ConvexShape, PolytopeFaces] = WeakKeyDictionary()


def polytope_faces(shape: ConvexShape) -> PolytopeFaces:
    """The planes and edges of a shape whose core is a polytope; nothing of one that has none."""
    found = _KNOWN.get(shape)
    if found is None:
        found = _KNOWN[shape] = _faces_of(shape) if is_walkable(shape) else NO_PLANES
    return found


def _faces_of(shape: ConvexShape) -> PolytopeFaces:
    surface = surface_of(shape)
    edges = edges_of(surface)
    if len(surface.faces) == 0 or len(edges) == 0:
        return NO_PLANES
    points, normals = surface.points, normals_of(surface.points, surface.faces)
    one, other = (normals[edges[:, FACE + k]] for k in range(2))
    is_solid = _lengths(normals).min() > 0.5 and _lengths(one + other).min() > THINNEST
    kept = _lengths(one - other) > SAME_NORMAL
    along = points[edges[kept, 1]] - points[edges[kept, 0]]
    rows = np.concatenate([along, points[edges[kept, 0]], one[kept], other[kept]], axis=1)
    return PolytopeFaces(_planes_of(points, normals), rows if is_solid else rows[:0], int(is_solid))


def _planes_of(points: Array, normals: Array) -> Array:
    """Each plane once, in a random order that is always the same: Seidel's method is fast in such."""
    rounded = np.round(normals / SAME_NORMAL)
    _, firsts = np.unique(rounded, axis=0, return_index=True)
    kept = normals[np.random.default_rng(0).permutation(np.sort(firsts))]
    kept = kept[_lengths(kept) > 0.5]
    reaches = np.array([float((points @ normal).max()) for normal in kept])
    return np.concatenate([kept, reaches[:, np.newaxis]], axis=1)


def _lengths(vectors: Array) -> Array:
    found: Array = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return found
