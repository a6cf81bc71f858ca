"""Distance of two meshes at rest: every pair of triangles, in extended precision."""

from typing import NamedTuple

import numpy as np

from oracles.closest_triangles import Real, closest_points, norm

# Of the meshes' size: what rounding leaves of the distance of triangles that meet.
NOTHING = 1e-17


class Pairs(NamedTuple):
    """All pairs of triangles: distances (n, m) and closest points (n, m, 3), seen from where b is placed."""

    distances: np.ndarray
    points_a: np.ndarray
    points_b: np.ndarray


def placed(mesh, pose, origin):
    """Triangles (n, 3, 3) of a mesh at a pose, seen from a point of the world."""
    pose = np.asarray(pose, Real)
    return mesh.vertices.astype(Real)[mesh.faces] @ pose[:3, :3].T + (pose[:3, 3] - origin)


def all_pairs(mesh_a, pose_a, mesh_b, pose_b):
    """Measure every pair of triangles."""
    origin = np.asarray(pose_b, Real)[:3, 3]
    a, b = placed(mesh_a, pose_a, origin), placed(mesh_b, pose_b, origin)
    shape = len(a), len(b)
    both = (np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1, 1)))
    p, q = closest_points(*(t.transpose(2, 1, 0) for t in both))
    return Pairs(norm(q - p).reshape(shape), p.T.reshape(*shape, 3), q.T.reshape(*shape, 3))
