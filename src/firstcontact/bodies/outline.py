"""The convex shape around a mesh, and whether it is the mesh."""

from typing import NamedTuple

import numpy as np

from firstcontact._validate import SMALLEST_SIZE
from firstcontact.arrays import Array
from firstcontact.bodies.farthest_point import farthest_from_triangles, highest_above_planes
from firstcontact.bodies.mesh_parts import parts_of
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.box import Box
from firstcontact.shapes.convex import ORIGIN, RADIUS, ConvexTable
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Meshes with more vertices are held by their boxes: obstacles, whose hulls would keep nothing out.
MOST_POINTS = 20_000


class Outline(NamedTuple):
    """A convex shape that holds a mesh.

    bulge : no point of it is farther from the solid that the mesh encloses; inf where that is not known
    hollow : about how far its surface is from the mesh, at the most: what a look at the mesh may gain
    """

    table: ConvexTable
    bulge: float
    hollow: float


@OnceForEachMesh
def holder_of(mesh: Mesh) -> ConvexTable:
    """Return a convex shape that holds a mesh that has faces: its hull, or a box, found on the first call."""
    points = mesh.corners
    if len(points) > MOST_POINTS:
        lower, upper = points.min(axis=0), points.max(axis=0)
        # A little larger: its middle and sides are rounded.
        table = Box(upper - lower + 8.0 * UNIT_ROUNDOFF * np.abs(points).max() + SMALLEST_SIZE).table
        records = table.records.copy()
        records[0, ORIGIN:] = 0.5 * (lower + upper)
        table = ConvexTable(records, table.pool)
    else:
        table = ConvexHull(points, flat=True).table
    if mesh.thickness == 0.0 and not mesh.is_cloud:
        return table
    records = table.records.copy()
    records[0, RADIUS] = mesh.thickness
    return ConvexTable(records, table.pool)


@OnceForEachMesh
def outline_of(mesh: Mesh) -> Outline:
    """Return the outline of a mesh that has faces, found on the first call."""
    points, table = mesh.corners, holder_of(mesh)
    if len(points) > MOST_POINTS:
        return Outline(table, np.inf, np.inf)
    parts = parts_of(mesh)
    is_solid = parts.n_open_edges == 0 and len(parts.witnesses) == 1
    is_solid &= not mesh.is_cloud and not mesh.is_thick
    hollow = _hollow(mesh, ConvexHull(points, flat=True))
    return Outline(table, _bulge(mesh, points) if is_solid else np.inf, hollow)


def _hollow(mesh: Mesh, hull: ConvexHull) -> float:
    """Greatest distance from the mesh of the middle of a face of its hull: the hollows are under those."""
    middles = hull.mesh.vertices[hull.mesh.faces].mean(axis=1)
    return farthest_from_triangles(middles, mesh.vertices[mesh.faces].reshape(-1, 9))


def _bulge(mesh: Mesh, points: Array) -> float:
    """Bound how far the hull of a closed mesh reaches beyond the solid that it encloses.

    What is on the inner side of all planes of faces is in the solid. If a ball of radius r is, and no point
    is beyond any plane by more than h, then any point at a distance D from the ball's centre is there after
    a move towards it by the part h / (h + r) of the way.
    """
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    # A face without an area has no plane; what it is a part of has others.
    has_plane = lengths > 0.0
    normals, a = normals[has_plane] / lengths[has_plane, np.newaxis], a[has_plane]
    center = points.mean(axis=0)
    levels = np.einsum("ij,ij->i", normals, a - center)
    if len(levels) == 0 or levels.max() < 0.0:  # all the other way round
        normals, levels = -normals, -levels
    radius = levels.min(initial=np.inf) if len(levels) > 0 else 0.0
    if not radius > 0.0:
        return np.inf
    beyond = highest_above_planes(points - center, normals, levels)
    farthest = float(np.linalg.norm(points - center, axis=1).max())
    return farthest * beyond / (beyond + float(radius))
