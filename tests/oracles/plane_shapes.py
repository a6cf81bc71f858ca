"""Things of the plane for tests."""

import numpy as np

import firstcontact as fc


def flower(n, seed=0, radius=1.0, rough=0.5):
    """A polygon around the origin whose radius varies."""
    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, n, endpoint=False)
    radii = radius * (1 + rough * rng.uniform(-1, 1, n))
    return fc.Polygon(np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1))


def frame(outer=2.0, inner=1.0):
    """A square with a square hole, both clockwise."""
    square = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]], float)
    return fc.Polygon(outer * square, [inner * square])


def comb(n):
    """A polygon with n teeth that look up."""
    teeth = [[[2 * k, 3], [2 * k + 1, 3], [2 * k + 1, 1], [2 * k + 2, 1]] for k in range(n)]
    return fc.Polygon(
        np.concatenate([[[0, 0]], np.concatenate(teeth)[:-1], [[2 * n - 1, 0]]])[:, :2].astype(float)[::-1]
    )
