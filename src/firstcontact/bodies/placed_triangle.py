"""Triangles of two bodies, both as seen from the second."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.motions.relative_motion import Placement
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Triangle, add


@kernel
def triangle_of(rows: NDArray[np.float64], i: int) -> Triangle:
    """Read one of an array of triangles (n, 9)."""
    return (
        (rows[i, 0], rows[i, 1], rows[i, 2]),
        (rows[i, 3], rows[i, 4], rows[i, 5]),
        (rows[i, 6], rows[i, 7], rows[i, 8]),
    )


@kernel
def placed_triangle(place: Placement, triangle: Triangle) -> Triangle:
    """Return a triangle of a as seen from b."""
    return (
        add(place.offset, mat_vec(place.rotation, triangle[0])),
        add(place.offset, mat_vec(place.rotation, triangle[1])),
        add(place.offset, mat_vec(place.rotation, triangle[2])),
    )
