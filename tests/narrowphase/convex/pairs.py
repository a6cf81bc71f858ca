"""Pairs of shapes as the kernels take them."""

import numpy as np
from scipy.spatial.transform import Rotation

from firstcontact.narrowphase.convex.difference import CorePair
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.scalar.mat3 import transposed
from firstcontact.shapes.convex import convex_at


def pair_of(a, b, rotation=None, offset=(0.0, 0.0, 0.0)):
    """Shapes, a turned and its origin moved as seen from b's; and their pools."""
    turned = tuple((np.eye(3) if rotation is None else rotation).reshape(-1).tolist())
    frame = RelativePose(turned, tuple(float(x) for x in offset))
    shapes = (convex_at(shape.table.records, 0) for shape in (a, b))
    return CorePair(*shapes, frame, transposed(turned)), a.table.pool, b.table.pool


def any_rotation(rng):
    return Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()


def corners_of(shape):
    """Corners of a box or a hull, (n, 3), as seen from the origin that the kernels count from."""
    return shape.mesh.vertices - shape.table.records[0, 9:]


def least_overlap(a, b):
    """The shortest way out of two hulls of points (n, 3): brute force over faces and pairs of edges."""
    normals, edges = zip(*(faces_and_edges(points) for points in (a, b)), strict=True)
    crossed = np.cross(edges[0][:, None], edges[1][None]).reshape(-1, 3)
    lengths = np.linalg.norm(crossed, axis=1)
    crossed = crossed[lengths > 1e-9 * lengths.max()]
    directions = np.concatenate([*normals, crossed / np.linalg.norm(crossed, axis=1, keepdims=True)])
    directions = np.concatenate([directions, -directions])
    return float(((a @ directions.T).max(axis=0) - (b @ directions.T).min(axis=0)).min())


def faces_and_edges(points):
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    sides = np.sort(hull.simplices[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    sides = np.unique(sides, axis=0)
    return hull.equations[:, :3], points[sides[:, 1]] - points[sides[:, 0]]
