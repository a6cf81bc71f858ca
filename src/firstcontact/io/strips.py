"""Strips and fans of triangles."""

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


def strip_triangles(rows: Rows) -> Rows:
    """Cut a strip into triangles that all turn alike.

    Those that name a vertex twice have no area: they lead from one part of a strip to the next, and are no
    part of the surface.
    """
    triangles = np.stack([rows[:-2], rows[1:-1], rows[2:]], axis=1) if len(rows) > 2 else _none()
    triangles[1::2] = triangles[1::2, [1, 0, 2]]
    return _with_area(triangles)


def fan_triangles(rows: Rows) -> Rows:
    """Cut a fan into triangles; those that name a vertex twice are no part of the surface."""
    if len(rows) < 3:
        return _none()
    return _with_area(np.stack([np.full(len(rows) - 2, rows[0]), rows[1:-1], rows[2:]], axis=1))


def _none() -> Rows:
    return np.empty((0, 3), dtype=np.int64)


def _with_area(triangles: Rows) -> Rows:
    a, b, c = triangles.T
    kept: Rows = triangles[(a != b) & (b != c) & (c != a)]
    return kept
