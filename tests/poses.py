"""Poses to test with."""

import numpy as np
from scipy.spatial.transform import Rotation


def at(x=0.0, y=0.0, z=0.0):
    """No turn, at this place."""
    return pose((x, y, z))


def pose(translation=(0, 0, 0), turn=(0, 0, 0)):
    """A pose from a translation and a turn: a vector, a matrix, or a rotation of scipy."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = _rotation(turn), translation
    return matrix


def _rotation(turn):
    if isinstance(turn, Rotation):
        return turn.as_matrix()
    return turn if np.ndim(turn) == 2 else Rotation.from_rotvec(turn).as_matrix()


def random_poses(n, seed=0):
    rng = np.random.default_rng(seed)
    turns, translations = Rotation.random(n, rng=rng), rng.normal(size=(n, 3))
    return np.array([pose(*both) for both in zip(translations, turns, strict=True)])


def moved(pose, points):
    return points @ pose[:3, :3].T + pose[:3, 3]
