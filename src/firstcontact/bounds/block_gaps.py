"""How far one swept sphere volume is from each of a block of others, measured together.

As `gap_volume_volume`, for a single volume in the frame of the others. The loop is straight-line code, which
the compiler vectorises: four volumes take less time than one.
"""

from math import sqrt

from firstcontact._jit import kernel, vector_kernel
from firstcontact.arrays import Array
from firstcontact.bounds.swept_sphere import (
    ACROSS,
    ALONG,
    CENTER,
    HALF_LENGTH,
    HALF_WIDTH,
    NORMAL,
    RADIUS,
    Volume,
)
from firstcontact.bounds.swept_sphere_gap import clamped
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, add, dot, scale, sub

SHORTEST_SQUARED = SHORTEST**2


@vector_kernel
def measure_block(one: Volume, block: Array, gaps: Array) -> None:
    """Write a lower bound of the distance to each volume of a block (15, n); negative where unknown.

    A row of a block is a column of an array of volumes.
    """
    for k in range(len(gaps)):  # no constant, for which the compiler would give up on a short loop
        u = block[ALONG, k], block[ALONG + 1, k], block[ALONG + 2, k]
        v = block[ACROSS, k], block[ACROSS + 1, k], block[ACROSS + 2, k]
        length, width = block[HALF_LENGTH, k], block[HALF_WIDTH, k]
        w = sub((block[CENTER, k], block[CENTER + 1, k], block[CENTER + 2, k]), one.center)
        cosines = dot(one.along, u), dot(one.along, v), dot(one.across, u), dot(one.across, v)
        e = _closest_direction(one, u, v, length, width, w, cosines)
        # The shadows on e; where e is so short that its square is lost, they count for less than they are.
        shadow = one.half_length * abs(dot(e, one.along)) + one.half_width * abs(dot(e, one.across))
        shadow += length * abs(dot(e, u)) + width * abs(dot(e, v))
        gap = (dot(e, w) - shadow) / sqrt(max(dot(e, e), SHORTEST_SQUARED))
        # Those on the two normals.
        n = block[NORMAL, k], block[NORMAL + 1, k], block[NORMAL + 2, k]
        shadow = one.half_length * abs(dot(n, one.along)) + one.half_width * abs(dot(n, one.across))
        gap = max(gap, abs(dot(n, w)) - shadow)
        shadow = length * abs(dot(one.normal, u)) + width * abs(dot(one.normal, v))
        gap = max(gap, abs(dot(one.normal, w)) - shadow)
        gaps[k] = gap - one.radius - block[RADIUS, k]


@kernel
def _closest_direction(
    one: Volume,
    u: Vec3,
    v: Vec3,
    length: float,
    width: float,
    w: Vec3,
    cosines: tuple[float, float, float, float],
) -> Vec3:
    """Vector between nearly closest points of two rectangles, by projections to and fro, twice."""
    c00, c01, c10, c11 = cosines
    a0, a1, b0, b1 = dot(w, one.along), dot(w, one.across), dot(w, u), dot(w, v)
    x0, x1 = clamped(a0, one.half_length), clamped(a1, one.half_width)
    y0 = clamped(c00 * x0 + c10 * x1 - b0, length)
    y1 = clamped(c01 * x0 + c11 * x1 - b1, width)
    x0 = clamped(a0 + c00 * y0 + c01 * y1, one.half_length)
    x1 = clamped(a1 + c10 * y0 + c11 * y1, one.half_width)
    y0 = clamped(c00 * x0 + c10 * x1 - b0, length)
    y1 = clamped(c01 * x0 + c11 * x1 - b1, width)
    p = add(scale(x0, one.along), scale(x1, one.across))
    q = add(scale(y0, u), scale(y1, v))
    return sub(add(w, q), p)
