"""How far shapes reach, and how far apart two of them are, for the check of a proof: in plain NumPy.

What is convex is known by its support, the farthest that it reaches along a direction, as it says itself.
Only meshes that their hulls do not keep apart are measured, by the queries at one instant.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import side_of
from firstcontact.bodies.mesh_parts import is_closed, witnesses
from firstcontact.bodies.outline import MOST_POINTS, outline_of
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_paths import motion_at
from firstcontact.narrowphase.convex.gjk import EXACT
from firstcontact.proximity.distance.convex_distance import convex_distances
from firstcontact.proximity.distance.convex_mesh_distance import convex_mesh_distances
from firstcontact.proximity.distance.mesh_distance import mesh_distances
from firstcontact.proximity.touching.inside import contains_by_angles
from firstcontact.shapes.convex import ConvexTable
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import as_mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape, box_corners, support_of


class Extent(NamedTuple):
    """How far a shape reaches.

    shape : the shape
    points : (n, 3) whose hull holds it, instead of what it knows itself
    middle, half : (3,) of the box around it, and half its sides
    radius : of a ball around that middle that holds it
    """

    shape: Shape
    points: Array | None
    middle: Array
    half: Array
    radius: float


class Apart(NamedTuple):
    """Two shapes in n poses.

    distances : (n,) of meshes, no more than they have; 0 of convex shapes
    directions : (n, 3) of convex shapes, where to look for their gap; 0 of meshes, and where there is none
    """

    distances: Array
    directions: Array


def extent_of(shape: Shape) -> Extent:
    """Find out how far a shape reaches; a mesh of very many vertices, how far the box around it does."""
    lower, upper = shape.bounds
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    if shape.kind is Kind.MESH and len(shape.corners) > MOST_POINTS:
        return Extent(shape, box_corners(shape.bounds), middle, half, float(np.linalg.norm(half)))
    return Extent(shape, None, middle, half, shape.farthest)


def support(of: Extent, directions: Array) -> Array:
    """How far a shape reaches along each of some vectors (n, 3), times their lengths."""
    return of.shape.support(directions) if of.points is None else support_of(of.points, directions)


def apart(a: Shape, b: Shape, poses_a: Array, poses_b: Array, limit: float) -> Apart:
    """Measure two shapes in poses (n, 4, 4).

    limit : a mesh whose hull bulges by no more than this counts as its hull
    """
    rows_a, rows_b = (np.ascontiguousarray(motion_at(poses).rows()) for poses in (poses_a, poses_b))
    one, other, n = _table(a, limit), _table(b, limit), len(poses_a)
    if one is not None and other is not None:
        found = convex_distances(side_of(one, rows_a, n), side_of(other, rows_b, n))
        return Apart(np.zeros(n), _units(found.points_b - found.points_a))
    flat_a, flat_b = rows_a[:, 0].copy(), rows_b[:, 0].copy()
    if one is not None:
        distances = convex_mesh_distances(one, wide_body_of(as_mesh(b)), flat_a, flat_b).distance
    elif other is not None:
        distances = convex_mesh_distances(other, wide_body_of(as_mesh(a)), flat_b, flat_a).distance
    else:
        distances = mesh_distances(
            wide_body_of(as_mesh(a)), wide_body_of(as_mesh(b)), flat_a, flat_b
        ).distance
    sizes = sum(float(np.linalg.norm(np.abs(x.bounds).max(axis=0))) for x in (a, b))
    between = np.linalg.norm(poses_a[:, :3, 3] - poses_b[:, :3, 3], axis=1)
    # Trees of volumes find the closest two to two roundings, and GJK measures them.
    distances = distances - 2.0 * MEASURED * (sizes + between) - EXACT.part * distances
    return Apart(distances, np.zeros((n, 3)))


def _units(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1)[:, np.newaxis]
    units: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
    return units


def is_inside(a: Shape, b: Shape, pose_a: Array, pose_b: Array, limit: float) -> bool:
    """Is a shape inside a closed mesh b that is not convex, given that it does not touch the surface?"""
    if _table(b, limit) is not None or not is_closed(as_mesh(b)):
        return False
    seen = (witnesses(a) @ pose_a[:3, :3].T + pose_a[:3, 3] - pose_b[:3, 3]) @ pose_b[:3, :3]
    return bool(contains_by_angles(as_mesh(b), seen).any())


def _table(shape: Shape, limit: float) -> ConvexTable | None:
    """A shape that is convex, or as good as that."""
    if shape.kind is Kind.CONVEX:
        return table_of(shape)
    if limit < 0.0:
        return None
    outline = outline_of(as_mesh(shape))
    return outline.table if outline.bulge <= limit else None
