"""Poses to test with."""

import numpy as np
from scipy.spatial.transform import Rotation


def pose_of(turn, translation):
    """A pose from a scipy rotation and a translation."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn.as_matrix(), translation
    return pose


def random_poses(n, seed=0):
    rng = np.random.default_rng(seed)
    turns, translations = Rotation.random(n, rng=rng), rng.normal(size=(n, 3))
    return np.array([pose_of(*both) for both in zip(turns, translations, strict=True)])


def moved(pose, points):
    return points @ pose[:3, :3].T + pose[:3, 3]
