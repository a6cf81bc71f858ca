"""A flat sheet of triangles, to be crumpled."""

import numpy as np
from numpy.typing import NDArray


def flat_sheet(n_side: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Make a square of n_side x n_side quads from -1 to 1 in x and y: vertices and faces."""
    x, y = np.meshgrid(*[np.linspace(-1.0, 1.0, n_side + 1)] * 2, indexing="ij")
    ids = np.arange((n_side + 1) ** 2, dtype=np.int32).reshape(n_side + 1, n_side + 1)
    a, b, c, d = ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])
    return np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3), faces.reshape(-1, 3)
