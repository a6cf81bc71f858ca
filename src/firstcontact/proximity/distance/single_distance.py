"""The distance of a single pair, in one array: what a compiled query about it writes down."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.scalar.vec3 import Vec3

# Columns. Faces, and what was counted of volumes and triangles, are those of meshes alone.
DISTANCE = 0
POINT_A = 1  # three
POINT_B = 4  # three
ITERATIONS = 7
N_CONVEX = 8
FACE_A = 8
FACE_B = 9
VOLUME_TESTS = 10
TRIANGLE_TESTS = 11
N_COLUMNS = 12

# Distances below this part of the shapes' sizes may be gaps that rounding hides, and are looked at again.
NEARLY = 1e-9


# What is given in place of a distance where that is left to who is thorough.
LEFT = -1.0


@kernel
def write_points(out: Array, distance: float, point_a: Vec3, point_b: Vec3) -> None:
    """Write a distance, and the closest points in the world."""
    out[DISTANCE] = distance
    for i in range(3):
        out[POINT_A + i], out[POINT_B + i] = point_a[i], point_b[i]


@kernel
def write_faces(out: Array, face_a: float, face_b: float, counts: NDArray[np.int64]) -> None:
    """Write the numbers of faces of meshes, -1 for none, and what was counted."""
    out[ITERATIONS], out[FACE_A], out[FACE_B] = 0.0, face_a, face_b
    out[VOLUME_TESTS], out[TRIANGLE_TESTS] = counts[0], counts[1]


@kernel
def is_doubtful(out: Array, largest_a: float, largest_b: float) -> bool:
    """May rounding hide the gap that was found, between shapes with these largest coordinates?"""
    size = abs(out[POINT_A]) + abs(out[POINT_A + 1]) + abs(out[POINT_A + 2]) + largest_a + largest_b
    return 0.0 < out[DISTANCE] < INFINITY and not out[DISTANCE] > NEARLY * size


@kernel
def told_distance(out: Array, largest_a: float, largest_b: float) -> float:
    """Give the distance that was written, between shapes with these largest coordinates; LEFT in doubt."""
    distance: float = out[DISTANCE]
    return LEFT if is_doubtful(out, largest_a, largest_b) else distance
