"""Rays made ready for boxes and triangles, a wave of them at once.

Numbers of a wave lie column by column, so that the compiler makes ready several rays with one instruction.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel, vector_kernel
from firstcontact._lanes import Singles
from firstcontact._ray_lanes import ABOVE, BELOW, COLUMN, INVERSE, REACH, SLAB_COLUMNS
from firstcontact.arrays import Array
from firstcontact.narrowphase.triangles.ray_triangle import Sight, sight_of
from firstcontact.proximity.rays.ray_hits import LARGEST, Rays, in_body, vector_at
from firstcontact.proximity.rays.ray_slabs import slabs_of
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3
from firstcontact.scalar.vec3 import Vec3, scale

# Columns of a wave in double precision, each of COLUMN numbers: what a `Sight` has; depths at which the ray
# starts, at which it enters the tree, and at which hits end that count; what boxes grow by; the best time. In
# place of the first six, before they are made: origin and direction, in the world.
ORIGIN, SLOPE, SIGN, SPEED, AXIS, START, ENTRY, DEEPEST, PAD, BEST, AIM_COLUMNS = (
    column * COLUMN for column in (0, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)
)

# Depths that give one time differ by less, in units of the depth: the quotient is rounded, and the sum is.
SAME_TIME = 4.0 * UNIT_ROUNDOFF


class RayFrame(NamedTuple):
    """Where a body is, its tree's factor with its inverse, and the tree's box."""

    rotation: Mat3
    position: Vec3
    factor: float
    unit: float
    middle: Vec3
    half: Vec3


class Aims(NamedTuple):
    """Rays of a wave as boxes see them, in single precision, and as triangles do."""

    slabs: Singles
    sights: Array


@kernel
def room_for_aims() -> Aims:
    """Make room for a wave."""
    return Aims(np.empty(SLAB_COLUMNS, np.float32), np.empty(AIM_COLUMNS))


@kernel
def aim_rays(frame: RayFrame, rays: Rays, aims: Aims, first: int, last: int) -> None:
    """Make the rays [first, last) ready, at most WAVE."""
    origins, directions, sights = rays.origins, rays.directions, aims.sights
    for i in range(first, last):
        o, d, r = vector_at(origins, i), vector_at(directions, i), i - first
        for k in range(3):
            sights[ORIGIN + k * COLUMN + r], sights[SLOPE + k * COLUMN + r] = o[k], d[k]
    _aim(frame, rays.min_time, rays.max_time, sights, aims.slabs, last - first)


@vector_kernel
def _aim(frame: RayFrame, min_time: float, max_time: float, sights: Array, slabs: Singles, n: int) -> None:
    for r in range(n):
        o = sights[ORIGIN + r], sights[ORIGIN + COLUMN + r], sights[ORIGIN + 2 * COLUMN + r]
        d = sights[SLOPE + r], sights[SLOPE + COLUMN + r], sights[SIGN + r]
        o, d = in_body(frame.rotation, frame.position, o, d)
        o = scale(frame.factor, o)
        sight = sight_of(o, d)
        start = max(min_time * sight.speed * frame.factor, -LARGEST)
        box = slabs_of(o, sight.way, frame.middle, frame.half, start)
        deepest = min(as_late(max_time * sight.speed * frame.factor) + SHORTEST, LARGEST)
        (x, y, z), (above, below, inverse) = sight.origin, box.ray
        sights[ORIGIN + r], sights[ORIGIN + COLUMN + r], sights[ORIGIN + 2 * COLUMN + r] = x, y, z
        sights[SLOPE + r], sights[SLOPE + COLUMN + r], sights[SIGN + r] = (
            sight.slope[0],
            sight.slope[1],
            sight.sign,
        )
        sights[SPEED + r], sights[AXIS + r], sights[START + r] = sight.speed, sight.axes[2], start
        sights[ENTRY + r], sights[DEEPEST + r], sights[PAD + r] = box.entry, deepest, box.pad
        sights[BEST + r] = max_time
        slabs[ABOVE + r], slabs[ABOVE + COLUMN + r], slabs[ABOVE + 2 * COLUMN + r] = above
        slabs[BELOW + r], slabs[BELOW + COLUMN + r], slabs[BELOW + 2 * COLUMN + r] = below
        slabs[INVERSE + r], slabs[INVERSE + COLUMN + r], slabs[INVERSE + 2 * COLUMN + r] = inverse
        slabs[REACH + r] = np.float32(deepest - box.entry + box.pad)


@kernel
def sight_at(sights: Array, r: int) -> Sight:
    """Give what triangles see of ray r; its way, which they do not, is left out."""
    z = int(sights[AXIS + r])
    axes = z + 1 if z < 2 else 0, z - 1 if z > 0 else 2, z
    origin = sights[ORIGIN + r], sights[ORIGIN + COLUMN + r], sights[ORIGIN + 2 * COLUMN + r]
    slope, sign, speed = (sights[SLOPE + r], sights[SLOPE + COLUMN + r]), sights[SIGN + r], sights[SPEED + r]
    return Sight(axes, origin, slope, sign, (0.0, 0.0, 0.0), speed)


@kernel
def as_late(depth: float) -> float:
    """Depth up to which times may be the same as at a depth."""
    return depth + SAME_TIME * abs(depth)
