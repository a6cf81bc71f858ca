"""A single ray at a mesh or a convex shape, in one call: what it meets first."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel, plain_driver
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.ray_body import DEPTH, FACTOR, HALF, HEAD, MIDDLE, N_BLOCKS
from firstcontact.hierarchy.box_blocks import WIDTH
from firstcontact.motions.rigid_motion import rotation_of
from firstcontact.motions.short_rows import TRANSLATION
from firstcontact.motions.standing_rows import is_standing, is_vector, vector_in
from firstcontact.narrowphase.triangles.ray_triangle import LEAF_SIZE
from firstcontact.proximity.rays.ray_convex import cast_at_solid
from firstcontact.proximity.rays.ray_hits import FIRST, SHORTEST_DIRECTION, Hits, Rays
from firstcontact.proximity.rays.ray_mesh import RayFrame, RayScratch, cast_rays, describe_hits

# Columns of what is found. The time is, before that, the latest that counts.
TIME = 0
FACE = 1
POINT = 2  # three
NORMAL = 5  # three
N_COLUMNS = 8

# What is given in place of a time where that is left to who is thorough.
LEFT = -1.0

# Numbers of the triangles of a leaf.
LEAF = 9 * LEAF_SIZE


@plain_driver(1, 0, 0, 1, 1, 1, 1)
def cast_at_body(
    numbers: Array,
    boxes: NDArray[np.float32],
    links: Ids,
    rows: Array,
    origin: Array,
    direction: Array,
    out: Array,
) -> float:
    """Cast a ray, and give its time; LEFT where the body moves, or it is no place and a direction."""
    if not _is_plain(rows, origin, direction):
        return LEFT
    rays, hits = _ray(rows, origin, direction, out), _room(out)
    factor, middle, half = numbers[FACTOR], vector_in(numbers, MIDDLE), vector_in(numbers, HALF)
    scratch, zero = _scratch(numbers, boxes, links), int(np.int64(0))
    frame = RayFrame(rays.rotation, rays.position, factor, 1.0 / factor, middle, half)
    cast_rays(frame, rays, hits, scratch, FIRST + zero, zero, zero + 1)
    describe_hits(rays, hits, scratch, zero, zero + 1)
    return _told(hits, out)


@plain_driver(1, 1, 1, 1, 1)
def cast_at_packed(packed: Array, rows: Array, origin: Array, direction: Array, out: Array) -> float:
    """Cast a ray at a convex shape that is not a hull; as `cast_at_body`."""
    if not _is_plain(rows, origin, direction):
        return LEFT
    rays, hits, zero = _ray(rows, origin, direction, out), _room(out), int(np.int64(0))
    cast_at_solid(packed, rays, hits, FIRST + zero, (zero, zero + 1))
    return _told(hits, out)


@kernel
def _is_plain(rows: Array, origin: Array, direction: Array) -> bool:
    """Tell whether the body rests, and the ray is a place and a direction."""
    if not (is_standing(rows) and is_vector(origin) and is_vector(direction)):
        return False
    longest = max(max(abs(direction[0]), abs(direction[1])), abs(direction[2]))
    is_long: bool = longest >= SHORTEST_DIRECTION
    return is_long


@kernel
def _ray(rows: Array, origin: Array, direction: Array, out: Array) -> Rays:
    place, rotation = vector_in(rows, TRANSLATION), rotation_of(rows)
    return Rays(origin.reshape(1, 3), direction.reshape(1, 3), rotation, place, out[TIME])


@kernel
def _room(out: Array) -> Hits:
    """Room for one hit; its time is that of what is found."""
    times = out[TIME : TIME + 1]
    return Hits(np.arange(2), times, np.empty(1, np.int32), np.empty((1, 3)), np.empty((1, 3)))


@kernel
def _told(hits: Hits, out: Array) -> float:
    """Write what was hit behind its time, and give that."""
    out[FACE] = hits.faces[0]
    for i in range(3):
        out[POINT + i], out[NORMAL + i] = hits.points[0, i], hits.normals[0, i]
    time: float = out[TIME]
    return time


@kernel
def _scratch(numbers: Array, boxes: NDArray[np.float32], links: Ids) -> RayScratch:
    """Read the tree, and make room."""
    n_blocks, room = int(numbers[N_BLOCKS]), (WIDTH - 1) * int(numbers[DEPTH]) + 1
    n_leaves, bits = (len(numbers) - HEAD) // LEAF, np.empty(LEAF_SIZE, np.int32)
    for k in range(LEAF_SIZE):
        bits[k] = 1 << k
    return RayScratch(
        boxes.reshape(n_blocks, 6, WIDTH),
        links[: n_blocks * WIDTH].reshape(n_blocks, WIDTH),
        links[n_blocks * WIDTH :],
        numbers[HEAD:].reshape(n_leaves, 9, LEAF_SIZE),
        np.empty(WIDTH, np.float32),
        bits,
        np.empty(room, np.int32),
        np.empty(room, np.float32),
    )
