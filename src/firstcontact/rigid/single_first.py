"""The first contact of a single pair, in one array: what is asked, and what a compiled search writes down."""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import N_COUNTS, Found, Touch
from firstcontact.advancement.ask import RELATIVE_TOLERANCE
from firstcontact.advancement.goal import Options
from firstcontact.arrays import Array
from firstcontact.motions.standing_rows import vector_in

# Columns of what is found: points and normal of all but two meshes; triangles of meshes, numbered as in their
# bodies.
STATUS = 0
TIME = 1
POINT_A = 2  # three
POINT_B = 5  # three
NORMAL = 8  # three
TRIANGLE_A = 11
TRIANGLE_B = 12
COUNTS = 13
# What is asked: the tolerance, or a negative number for the default; separation; steps before it gives up.
TOLERANCE = COUNTS + N_COUNTS
MIN_SEPARATION = TOLERANCE + 1
MAX_ITERATIONS = TOLERANCE + 2
N_COLUMNS = TOLERANCE + 3


def found_in(out: Array) -> Found:
    """What was written down, as of a batch of one motion."""
    return Found(
        out[STATUS : STATUS + 1].astype(np.int8),
        out[TIME : TIME + 1].copy(),
        out[TRIANGLE_A:COUNTS].astype(np.int32).reshape(1, 2),
        out[COUNTS:TOLERANCE].astype(np.int64).reshape(1, N_COUNTS),
        out[POINT_A:NORMAL].copy().reshape(1, 2, 3),
        out[NORMAL:TRIANGLE_A].copy().reshape(1, 3),
    )


@kernel
def options_in(out: Array, size_a: float, size_b: float) -> Options:
    """What is asked, of things of these sizes; the tolerance as `Ask.tolerance_for` has it."""
    tolerance = out[TOLERANCE]
    if tolerance < 0.0:
        smaller, larger = min(size_a, size_b), max(size_a, size_b)
        tolerance = RELATIVE_TOLERANCE * (smaller if smaller > 0.0 else larger)
    return Options(tolerance, out[MIN_SEPARATION], int(out[MAX_ITERATIONS]), 0, True)


@kernel
def touch_in(out: Array) -> Touch:
    """Read what a proof needs to know of what was found."""
    p, q = vector_in(out, POINT_A), vector_in(out, POINT_B)
    return Touch(int(out[STATUS]), out[TIME], p, q, vector_in(out, NORMAL))


@kernel
def write_found(found: Found, out: Array) -> float:
    """Write what was found of the one motion; give its time."""
    time: float = found.time[0]
    out[STATUS], out[TIME] = found.status[0], time
    out[TRIANGLE_A], out[TRIANGLE_B] = found.triangles[0, 0], found.triangles[0, 1]
    for i in range(3):
        out[POINT_A + i], out[POINT_B + i] = found.points[0, 0, i], found.points[0, 1, i]
        out[NORMAL + i] = found.normals[0, i]
    for i in range(N_COUNTS):
        out[COUNTS + i] = found.counts[0, i]
    return time
