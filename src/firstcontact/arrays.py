"""Kinds of arrays, and the number beyond all others."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ids = NDArray[np.int32]
Keys = NDArray[np.int64]
Flags = NDArray[np.bool_]

INFINITY = np.inf
