"""A single ray at a mesh or a convex shape, in one call: what it meets first."""

import numpy as np

from firstcontact._jit import kernel, plain_driver
from firstcontact._lanes import Singles
from firstcontact._ray_lanes import CORNER_ROWS
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.ray_body import FACTOR, HALF, HEAD, MIDDLE, ROOM
from firstcontact.motions.rigid_motion import rotation_of
from firstcontact.motions.short_rows import TRANSLATION
from firstcontact.motions.standing_rows import is_standing, is_vector, vector_in
from firstcontact.proximity.rays.ray_aims import RayFrame
from firstcontact.proximity.rays.ray_convex import cast_at_solid
from firstcontact.proximity.rays.ray_hits import FIRST, SHORTEST_DIRECTION, Hits, Rays
from firstcontact.proximity.rays.ray_mesh import describe_hits
from firstcontact.proximity.rays.ray_waves import RayTree, cast_rays

# Columns of what is found. The time is, before that, the latest that counts.
TIME = 0
FACE = 1
POINT = 2  # three
NORMAL = 5  # three
N_COLUMNS = 8

# What is given in place of a time where that is left to who is thorough.
LEFT = -1.0


@plain_driver(1, 0, 0, 1, 1, 1, 1)
def cast_at_body(
    numbers: Array,
    blocks: Singles,
    faces: Ids,
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
    tree, zero = _tree(numbers, blocks, faces), int(np.int64(0))
    frame = RayFrame(rays.rotation, rays.position, factor, 1.0 / factor, middle, half)
    cast_rays(frame, rays, hits, tree, int(numbers[ROOM]), FIRST + zero, (zero, zero + 1))
    describe_hits(rays, hits, tree, zero, zero + 1)
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
    return Rays(origin.reshape(1, 3), direction.reshape(1, 3), rotation, place, 0.0, out[TIME])


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
def _tree(numbers: Array, blocks: Singles, faces: Ids) -> RayTree:
    """Read the tree."""
    triangles = numbers[HEAD:]
    n = len(triangles) // CORNER_ROWS
    return RayTree(blocks, blocks.view(np.int32), triangles, faces[:n], faces[n:])
