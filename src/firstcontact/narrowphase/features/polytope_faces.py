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


# Triangles narrower than this part of the size have normals that rounding turns by 5e-10 or more: where such
# planes meet may be far from the body, even if each is at its place.
NARROWEST = 2e-6

# Faces whose normals add up to less look both ways: the body is flat there, or nearly so.
THINNEST = 1e-6


class PolytopeFaces(NamedTuple):
    """Planes (m, 4) and edges (k, 12) of a polytope, as seen from its origin; of one that is flat no edges.

    depth : how deep a point is inside all planes; 0 where what they have in common may be more than the body
    """

    planes: Array
    edges: Array
    depth: float


NO_PLANES = PolytopeFaces(np.empty((0, N_PLANE)), np.empty((0, N_EDGE_ROW)), 0.0)


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
    is_solid = _lengths(one + other).min() > THINNEST and _has_firm_normals(points[surface.faces])
    kept = _lengths(one - other) > SAME_NORMAL
    along = points[edges[kept, 1]] - points[edges[kept, 0]]
    rows = np.concatenate([along, points[edges[kept, 0]], one[kept], other[kept]], axis=1)
    planes = _planes_of(points, normals)
    if not is_solid:
        return PolytopeFaces(planes, rows[:0], 0.0)
    # From this point to one that is beyond the body, but not beyond its planes brought nearer by what is in
    # doubt, the way leaves through a face, whose own plane is off by less than that: so there is none.
    depth = float((planes[:, REACHES] - planes[:, :REACHES] @ points.mean(axis=0)).min())
    return PolytopeFaces(planes, rows, max(depth, 0.0))


def _has_firm_normals(triangles: Array) -> bool:
    """Is each triangle so wide that rounding leaves its normal as good as it is?"""
    sides = triangles - np.roll(triangles, 1, axis=1)
    longest = np.sqrt(np.einsum("ijk,ijk->ij", sides, sides).max(axis=1))
    widths = _lengths(np.cross(sides[:, 0], sides[:, 1])) / np.where(longest > 0.0, longest, 1.0)
    return bool(widths.min() > NARROWEST * np.abs(triangles).max())


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
