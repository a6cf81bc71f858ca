"""How far shapes reach, and how far apart two of them are, for the check of a proof: in plain NumPy.

What is convex is known by its support, the farthest that it reaches along a direction, in closed form or from
all its points. Only meshes that their hulls do not keep apart are measured, by the queries at one instant.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import side_of
from firstcontact.bodies.mesh_parts import is_closed, parts_of
from firstcontact.bodies.outline import MOST_POINTS, outline_of
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_paths import motion_at
from firstcontact.narrowphase.convex.gjk import EXACT
from firstcontact.proximity.distance.convex_distance import convex_distances
from firstcontact.proximity.distance.convex_mesh_distance import convex_mesh_distances
from firstcontact.proximity.distance.mesh_distance import mesh_distances
from firstcontact.proximity.touching.inside import contains
from firstcontact.shapes.capsule import Capsule
from firstcontact.shapes.convex import ConvexTable
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.cylinder import Cylinder
from firstcontact.shapes.ellipsoid import Ellipsoid
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.sphere import Sphere

# Products of points and directions computed at a time.
CHUNK = 1 << 22


class Extent(NamedTuple):
    """How far a shape reaches.

    shape : the shape
    points : (n, 3) whose hull holds it; empty where a formula knows it better
    middle, half : (3,) of the box around it, and half its sides
    radius : of a ball around that middle that holds it
    """

    shape: Shape
    points: Array
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
    """Find out how far a shape reaches."""
    lower, upper = shape.bounds
    middle, half, points = 0.5 * (lower + upper), 0.5 * (upper - lower), np.empty((0, 3))
    if isinstance(shape, Sphere):
        radius = shape.radius
    elif isinstance(shape, Capsule):
        radius = shape.radius + 0.5 * shape.length
    elif isinstance(shape, Cylinder):
        radius = float(np.hypot(shape.radius, 0.5 * shape.length))
    elif isinstance(shape, Ellipsoid):
        radius = float(shape.radii.max())
    else:
        points = _points(shape)
        radius = float(np.linalg.norm(points - middle, axis=1).max())
    return Extent(shape, points, middle, half, radius)


def support(of: Extent, directions: Array) -> Array:
    """How far a shape reaches along each of some vectors (n, 3), times their lengths."""
    shape, found, lengths = of.shape, np.empty(len(directions)), np.linalg.norm(directions, axis=1)
    if isinstance(shape, Sphere):
        found[:] = shape.radius * lengths
    elif isinstance(shape, Capsule):
        found[:] = 0.5 * shape.length * np.abs(directions[:, 2]) + shape.radius * lengths
    elif isinstance(shape, Cylinder):
        around = np.hypot(directions[:, 0], directions[:, 1])
        found[:] = 0.5 * shape.length * np.abs(directions[:, 2]) + shape.radius * around
    elif isinstance(shape, Ellipsoid):
        found[:] = np.linalg.norm(shape.radii * directions, axis=1)
    else:
        step = max(CHUNK // len(of.points), 1)
        for i in range(0, len(directions), step):
            found[i : i + step] = (directions[i : i + step] @ of.points.T).max(axis=1)
    return found


def _points(shape: Shape) -> Array:
    """Points whose hull holds a box, a hull or a mesh; of a large mesh, the corners of the box around it."""
    if isinstance(shape, ConvexHull):
        return shape.points
    if isinstance(shape, Mesh):
        used = np.unique(shape.faces)
        if len(used) <= MOST_POINTS:
            return shape.vertices[used]
    return np.array(list(product(*shape.bounds.T)))


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
    if isinstance(b, ConvexShape) or _table(b, limit) is not None or not is_closed(as_mesh(b)):
        return False
    points = parts_of(a).witnesses if isinstance(a, Mesh) else extent_of(a).middle[np.newaxis]
    if isinstance(a, ConvexHull):
        points = a.points[:1]
    seen = (points @ pose_a[:3, :3].T + pose_a[:3, 3] - pose_b[:3, 3]) @ pose_b[:3, :3]
    return bool(contains(as_mesh(b), seen).any())


def _table(shape: Shape, limit: float) -> ConvexTable | None:
    """A shape that is convex, or as good as that."""
    if isinstance(shape, ConvexShape):
        return shape.table
    if limit < 0.0:
        return None
    outline = outline_of(as_mesh(shape))
    return outline.table if outline.bulge <= limit else None
