"""Directions of the k-DOPs: slabs along fixed vectors, six of whose k faces are always the box."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_CORNERS = ((1, 1, 1), (1, -1, 1), (1, 1, -1), (1, -1, -1))
_EDGES = ((1, 1, 0), (1, 0, 1), (0, 1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1))

_VECTORS = {
    6: _AXES,
    14: _AXES + _CORNERS,
    16: _AXES + _EDGES[:5],
    18: _AXES + _EDGES,
    26: _AXES + _CORNERS + _EDGES,
}


class Directions(NamedTuple):
    """The k/2 directions of a k-DOP, each of which bounds from both sides.

    vectors : (3, k/2), components -1, 0 and 1: products with them are exact
    lengths : (k/2,), rounded up, the axes' exact
    """

    vectors: NDArray[np.float64]
    lengths: NDArray[np.float64]


@cache
def directions(k: int) -> Directions:
    """Give the directions of the k-DOP, k one of 6 (the box), 14, 16, 18 and 26."""
    vectors = _VECTORS[k]
    squares = [sum(component * component for component in vector) for vector in vectors]
    lengths = [1.0 if square == 1 else math.nextafter(math.sqrt(square), math.inf) for square in squares]
    return Directions(np.array(vectors, dtype=np.float64).T.copy(), np.array(lengths))
