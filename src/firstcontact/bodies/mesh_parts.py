"""The connected parts of a mesh, and whether it has an inside."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver
from firstcontact.arrays import Array
from firstcontact.bodies.joined_sets import join, root_of
from firstcontact.shapes.convex_shape import as_convex
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape

# Of meshes in more parts than these, as clouds, those near another thing are found by their trees.
FEW_PARTS = 16


class Parts(NamedTuple):
    """The connected parts of a mesh; vertices at one place count as one.

    n_open_edges : edges that faces run along in one direction more often than in the other
    witnesses : (k, 3), one vertex of each part
    """

    n_open_edges: int
    witnesses: Array


def is_closed(mesh: Mesh) -> bool:
    """Does the mesh have an inside: is every edge of a face that of another one in the opposite direction?

    Vertices at one place count as one. A mesh without faces is closed, around nothing.

    Examples
    --------
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> is_closed(Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]))
    True
    >>> is_closed(Mesh(corners, [[0, 1, 2]])), is_closed(Mesh([], []))
    (False, True)
    """
    return parts_of(mesh).n_open_edges == 0


def check_closed(mesh: Mesh, name: str, what: str = "solid=True") -> None:
    """Raise a `ValueError` for a mesh that has no inside, which is needed for something."""
    n = parts_of(mesh).n_open_edges
    if n > 0:
        raise ValueError(f"{what} needs closed meshes; {name} has {n} open edge{'s' if n > 1 else ''}")


def witnesses(shape: Shape) -> Array:
    """Points of a shape, (k, 3): one of each part of a mesh, any one of what is convex."""
    if shape.kind is Kind.MESH:
        return parts_of(as_mesh(shape)).witnesses
    return as_convex(shape).witness[np.newaxis]


@OnceForEachMesh
def parts_of(mesh: Mesh) -> Parts:
    """Return the connected parts of a mesh, found on the first call; elements of clouds by their numbers."""
    if mesh.n_faces == 0:
        return Parts(0, np.empty((0, 3)))
    if mesh.is_cloud:  # nothing is open, and to tell who is at one place would take longest
        return Parts(0, mesh.vertices[_parts_of(mesh.faces, mesh.n_vertices)])
    places, ids = np.unique(mesh.vertices + 0.0, axis=0, return_inverse=True)  # -0.0 is where 0.0 is
    faces = ids.reshape(-1)[mesh.faces].astype(np.int64)
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    _, edge_ids = np.unique(sides.min(axis=1) << 32 | sides.max(axis=1), return_inverse=True)
    # How often an edge is run along from its smaller to its larger end, less how often back.
    balance = np.bincount(edge_ids.reshape(-1), np.sign(sides[:, 1] - sides[:, 0]))
    return Parts(int(np.count_nonzero(balance)), places[_parts_of(faces, len(places))])


def parts_as_points(mesh: Mesh) -> Mesh:
    """Faces of which each stands for a connected part of a mesh: points; those of a cloud are its own."""
    return mesh if mesh.is_cloud else _witness_points(mesh)


@OnceForEachMesh
def _witness_points(mesh: Mesh) -> Mesh:
    """The witnesses of a mesh, as faces of no size."""
    points = parts_of(mesh).witnesses
    return Mesh(points, np.repeat(np.arange(len(points))[:, np.newaxis], 3, axis=1))


def _parts_of(faces: NDArray[np.integer], n: int) -> NDArray[np.int32]:
    """The first vertex of each part that faces join n vertices to."""
    parents = np.arange(n, dtype=np.int32)
    _join_faces(faces.astype(np.int64), parents)
    return np.unique(parents[faces[:, 0]])


@driver
def _join_faces(faces: NDArray[np.int64], parents: NDArray[np.int32]) -> None:
    """Give all vertices of a connected part one parent, the least of them."""
    for i in range(len(faces)):
        for k in range(1, 3):
            join(parents, faces[i, 0], faces[i, k])
    for i in range(len(parents)):
        parents[i] = root_of(parents, i)
