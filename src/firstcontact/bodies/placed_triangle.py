"""Triangles of two bodies, both as seen from the second."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.motions.relative_motion import Placement
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Triangle, add

# Columns of an array of triangles: three corners, and a radius. All points within it are part of the body.
# Those of meshes have none; points and strands are triangles without area that may have one.
N_COORDINATES = 9
RADIUS = 9
N_TRIANGLE = 10


@kernel
def triangle_of(rows: NDArray[np.float64], i: int) -> Triangle:
    """Read one of an array of triangles (n, N_TRIANGLE)."""
    return (
        (rows[i, 0], rows[i, 1], rows[i, 2]),
        (rows[i, 3], rows[i, 4], rows[i, 5]),
        (rows[i, 6], rows[i, 7], rows[i, 8]),
    )


@kernel
def radius_of(rows: NDArray[np.float64], i: int) -> float:
    """Radius around one of an array of triangles."""
    radius: float = rows[i, RADIUS]
    return radius


@kernel
def placed_triangle(place: Placement, triangle: Triangle) -> Triangle:
    """Return a triangle of a as seen from b."""
    return (
        add(place.offset, mat_vec(place.rotation, triangle[0])),
        add(place.offset, mat_vec(place.rotation, triangle[1])),
        add(place.offset, mat_vec(place.rotation, triangle[2])),
    )
