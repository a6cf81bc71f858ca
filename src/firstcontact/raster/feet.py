"""The points of elements that are nearest to points."""

import numpy as np

from firstcontact.arrays import Array, Ids
from firstcontact.raster.elements import INVERSE, PER_U, PER_V, PER_W, UU, UV, VV, A, B, U, V, W


def feet(table: Array, rows: Ids, points: Array) -> Array:
    """The point of each element, without its radius, that is nearest to the point beside it; to rounding."""
    own = table[rows]
    best = _on_edge(own, points, A, U, PER_U)
    square = _square(points - best)
    for corner, edge, inverse in ((A, V, PER_V), (B, W, PER_W)):
        at = _on_edge(own, points, corner, edge, inverse)
        is_nearer = (own[:, inverse] > 0.0) & (_square(points - at) < square)
        best[is_nearer], square[is_nearer] = at[is_nearer], _square(points - at)[is_nearer]
    d, u, v = points - own[:, A : A + 3], own[:, U : U + 3], own[:, V : V + 3]
    along_u, along_v = (d * u).sum(axis=1), (d * v).sum(axis=1)
    s = (own[:, VV] * along_u - own[:, UV] * along_v) * own[:, INVERSE]
    t = (own[:, UU] * along_v - own[:, UV] * along_u) * own[:, INVERSE]
    is_above = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & (own[:, INVERSE] > 0.0)
    below = own[:, A : A + 3] + s[:, np.newaxis] * u + t[:, np.newaxis] * v
    best[is_above] = below[is_above]
    return best


def _on_edge(own: Array, points: Array, corner: int, edge: int, inverse: int) -> Array:
    start, along = own[:, corner : corner + 3], own[:, edge : edge + 3]
    t = np.clip(((points - start) * along).sum(axis=1) * own[:, inverse], 0.0, 1.0)
    found: Array = start + t[:, np.newaxis] * along
    return found


def _square(vectors: Array) -> Array:
    found: Array = (vectors * vectors).sum(axis=1)
    return found
