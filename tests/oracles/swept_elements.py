"""Elements whose corners go straight from frame to frame, and a box: how near they come, by dense samples.

Distances are 1-Lipschitz: between samples an element is nearer by no more than half of what lies between two.
"""

import numpy as np


def places_at(frames, times, t):
    """Corners at a time."""
    k = min(int(np.searchsorted(times, t, side="right")) - 1, len(times) - 2)
    part = (t - times[k]) / (times[k + 1] - times[k])
    return (1 - part) * frames[k] + part * frames[k + 1]


def weights_on(n_corners, n):
    """Weights (m, n_corners) of points all over an element, and how far a point is from one, in its sizes."""
    steps = np.linspace(0, 1, n)
    if n_corners == 1:
        return np.ones((1, 1)), 0.0
    if n_corners == 2:
        return np.stack([1 - steps, steps], axis=1), 0.5 / (n - 1)
    u, v = (grid.reshape(-1) for grid in np.meshgrid(steps, steps))
    u, v = u[u + v <= 1 + 1e-12], v[u + v <= 1 + 1e-12]
    return np.stack([1 - u - v, u, v], axis=1), 1.0 / (n - 1)


def distances_to_box(points, half):
    """Signed distances of points from a box around the origin."""
    q = np.abs(points) - half
    return np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0)


def distances_then(corners, radii, half, n=9):
    """Distances (m,) of elements with corners (m, k, 3) and radii from a box, never too small; and slacks."""
    weights, part = weights_on(corners.shape[1], n)
    points = np.einsum("pk,mkx->mpx", weights, corners)
    sizes = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    return distances_to_box(points, half).min(axis=1) - radii, part * sizes
