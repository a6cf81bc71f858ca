"""The scene of `firstcontact demo`: a square cloth settles on a ball, and its folds close."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc

Points = NDArray[np.float64]
Ids = NDArray[np.int32]

_N_FOLDS = 13
_HALF_SIDE = 1.9  # of the cloth; the ball's radius is 1
_LETS_GO = 1.25  # angle from the top, beyond which the cloth hangs freely

_GAP = 0.012  # between the ball and the cloth, before it falls
_FALL = 0.02
_TURN = 0.4  # so that vertices of the cloth meet those of the ball at no special place
_TIGHTNESS = 0.86, 1.15  # of the folds, before and after; the first neighbours touch near 1


class Scene(NamedTuple):
    """A step of the cloth, and the ball that stands still."""

    cloth: fc.Moving
    ball: fc.Mesh


def cloth_on_ball(n_side: int = 150) -> Scene:
    """Make a cloth of n_side x n_side quads that lies on a ball and hangs from it in folds."""
    flat, faces = sheet(n_side)
    start, end = (_draped(_HALF_SIDE * flat, 1.0 + _GAP, tightness) for tightness in _TIGHTNESS)
    cloth = fc.Mesh(start, faces)
    return Scene(cloth.deforming(start, end - [0.0, 0.0, _FALL]), fc.Mesh(*ball(max(3, n_side // 4))))


def _draped(flat: Points, radius: float, tightness: float) -> Points:
    """Lay a flat cloth over a sphere around the origin."""
    reach, azimuth = np.hypot(flat[:, 0], flat[:, 1]), np.arctan2(flat[:, 1], flat[:, 0])
    polar = np.minimum(reach / radius, _LETS_GO)
    hanging = np.maximum(reach - _LETS_GO * radius, 0.0)
    full = np.clip(hanging / 0.7, 0.0, 1.0) ** 2 * (3.0 - 2.0 * np.clip(hanging / 0.7, 0.0, 1.0))
    # An angle that runs back and forth makes the folds bulge like loops, with narrow necks between them.
    closed = 2.3 * tightness - 0.12 * (1.0 + np.sin(2.0 * azimuth + 2.0 * hanging))
    around = azimuth + full * closed / _N_FOLDS * np.sin(2.0 * _N_FOLDS * azimuth)
    depth = full * (0.13 + 0.03 * np.sin(5.0 * azimuth)) * (1.0 + np.cos(_N_FOLDS * azimuth))
    out = radius * np.sin(polar) + hanging * np.cos(_LETS_GO) * (1.0 - full) + depth
    height = radius * np.cos(polar) - hanging * (np.sin(_LETS_GO) + (1.0 - np.sin(_LETS_GO)) * full)
    around += full * (0.15 + 0.05 * np.sin(3.0 * azimuth)) + _TURN
    return np.stack([out * np.cos(around), out * np.sin(around), height], axis=-1)


def sheet(n_side: int) -> tuple[Points, Ids]:
    """Make a flat square of n_side x n_side quads, from -1 to 1 in x and y."""
    x, y = np.meshgrid(*[np.linspace(-1.0, 1.0, n_side + 1)] * 2, indexing="ij")
    return np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3), _grid_faces(n_side, n_side)


def ball(n_rings: int) -> tuple[Points, Ids]:
    """Make the unit ball, its poles at x = -1 and 1; vertices coincide at the poles and on one meridian."""
    angles = np.linspace(0.0, np.pi, n_rings + 1), np.linspace(0.0, 2.0 * np.pi, 2 * n_rings + 1) + _TURN
    polar, around = np.meshgrid(*angles, indexing="ij")
    vertices = [np.cos(polar), np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)]
    return np.stack(vertices, axis=-1).reshape(-1, 3), _grid_faces(n_rings, 2 * n_rings)


def _grid_faces(n_rows: int, n_columns: int) -> Ids:
    ids = np.arange((n_rows + 1) * (n_columns + 1)).reshape(n_rows + 1, n_columns + 1)
    a, b, c, d = ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])
    return faces.reshape(-1, 3).astype(np.int32)
