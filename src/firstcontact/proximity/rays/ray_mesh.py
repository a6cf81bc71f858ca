"""Rays against the triangles of a mesh: the first that each meets, any, or all."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bodies.ray_body import RayBody
from firstcontact.hierarchy.box_blocks import WIDTH
from firstcontact.narrowphase.triangles.ray_triangle import (
    LEAF_SIZE,
    Sight,
    depth_triangle,
    face_normal,
    met_triangles,
    sight_of,
)
from firstcontact.proximity.rays.ray_hits import (
    ALL,
    ANY,
    COUNT,
    LARGEST,
    MOST_HITS,
    Hits,
    Rays,
    collect,
    in_body,
    missed,
    vector_at,
    write_hit,
    write_miss,
)
from firstcontact.proximity.rays.ray_slabs import FAR_AWAY, ZERO, Slabs, slabs_of
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, scale

# Depths that give one time differ by less: the quotient is rounded, and so is this product.
SAME_TIME = 1.0 + 4.0 * UNIT_ROUNDOFF

NO_FACE = np.iinfo(np.int32).max


class RayFrame(NamedTuple):
    """Where a body is, its tree's factor with its inverse, and the tree's box."""

    rotation: Mat3
    position: Vec3
    factor: float
    unit: float
    middle: Vec3
    half: Vec3


class RayScratch(NamedTuple):
    """What a search reads and writes.

    boxes, children : of the tree
    faces : of its leaves, one after the other: LEAF_SIZE of each
    triangles : of the body
    nears : (WIDTH,) how far away the boxes of a block are
    bits : (LEAF_SIZE,) powers of two
    stack, stack_nears : blocks, and leaves, to look into, and how far away they are
    """

    boxes: NDArray[np.float32]
    children: Ids
    faces: Ids
    triangles: Array
    nears: NDArray[np.float32]
    bits: Ids
    stack: Ids
    stack_nears: NDArray[np.float32]


def cast_at_mesh(body: RayBody, rays: Rays, n: int, wanted: int, most: int = MOST_HITS) -> Hits:
    """Cast n rays at a mesh."""
    tree = body.tree
    if tree.depth == 0:
        return missed(n, wanted)
    frame = RayFrame(rays.rotation, rays.position, tree.factor, 1.0 / tree.factor, tree.middle, tree.half)
    faces = tree.leaves.reshape(-1)
    room = (WIDTH - 1) * tree.depth + 1  # a block is replaced by WIDTH at the most

    def cast(hits: Hits, stage: int, first: int, last: int) -> None:
        # Made here: the compiler knows the length of what it allocates itself, and unrolls short loops.
        own = np.empty(WIDTH, np.float32), np.left_shift(1, np.arange(LEAF_SIZE), dtype=np.int32)
        stacks = np.empty(room, np.int32), np.empty(room, np.float32)
        scratch = RayScratch(tree.boxes, tree.children, faces, body.triangles, *own, *stacks)
        _cast_range(frame, rays, hits, scratch, stage, first, last)
        if stage != COUNT:
            _describe_range(rays, hits, scratch, first, last)

    return collect(cast, n, wanted, most)


@driver
def _cast_range(
    frame: RayFrame, rays: Rays, hits: Hits, scratch: RayScratch, wanted: int, first: int, last: int
) -> None:
    cast_rays(frame, rays, hits, scratch, wanted, first, last)


@kernel
def cast_rays(
    frame: RayFrame, rays: Rays, hits: Hits, scratch: RayScratch, wanted: int, first: int, last: int
) -> None:
    """Cast the rays [first, last): depth first through the tree, the nearer children first.

    One loop over plain arrays: to hand a tuple of them to a function for each block would take longer.
    """
    boxes, children, faces, triangles = scratch.boxes, scratch.children, scratch.faces, scratch.triangles
    nears, bits, stack, stack_nears = scratch.nears, scratch.bits, scratch.stack, scratch.stack_nears
    origins, directions, starts = rays.origins, rays.directions, hits.starts
    times, places = hits.times, hits.faces
    for i in range(first, last):
        sight, slabs = _aimed(frame, vector_at(origins, i), vector_at(directions, i))
        (x0, y0, z0), (x1, y1, z1), (x, y, z) = slabs.near, slabs.far, slabs.inverse
        # Rows of a block with the sides that the ray meets first; those it meets last are the others.
        a, b, c = 0 if x > ZERO else 3, 1 if y > ZERO else 4, 2 if z > ZERO else 5
        best_time, best_place, best_face = rays.max_time, -1, NO_FACE
        row = 0 if wanted == COUNT else starts[i]
        deepest = min(SAME_TIME * rays.max_time * sight.speed * frame.factor + SHORTEST, LARGEST)
        reach = np.float32(deepest - slabs.entry + slabs.pad)
        stack[0], stack_nears[0] = 0, 0.0
        n = int(slabs.entry < INFINITY)
        while n > 0:
            n -= 1
            if stack_nears[n] > reach:
                continue
            block = stack[n]
            if block >= 0:
                for k in range(len(nears)):  # straight-line code, which the compiler vectorises
                    near = max((boxes[block, a, k] - x0) * x, (boxes[block, b, k] - y0) * y)
                    near = max(max((boxes[block, c, k] - z0) * z, ZERO), near)
                    far = min((boxes[block, 3 - a, k] - x1) * x, (boxes[block, 5 - b, k] - y1) * y)
                    far = min(min((boxes[block, 7 - c, k] - z1) * z, reach), far)
                    nears[k] = near if near <= far else FAR_AWAY
                bottom = n
                for k in range(WIDTH):
                    if nears[k] < FAR_AWAY:
                        _push(stack, stack_nears, bottom, n, children[block, k], nears[k])
                        n += 1
                continue
            met = met_triangles(sight, triangles, ~block, bits)
            for k in range(LEAF_SIZE if met else 0):
                if met & bits[k] == 0:
                    continue
                place, depth = LEAF_SIZE * ~block + k, depth_triangle(sight, triangles, ~block, k)
                time = min(depth * frame.unit / sight.speed, LARGEST)
                if depth > deepest or time > best_time:
                    continue
                if wanted >= COUNT:
                    if wanted == ALL:
                        times[row], places[row] = time, place
                    row += 1
                elif time < best_time or faces[place] < best_face:
                    best_time, best_place, best_face = time, place, faces[place]
                    deepest = SAME_TIME * depth
                    reach = np.float32(deepest - slabs.entry + slabs.pad)
                    n = 0 if wanted == ANY else n
        if wanted == COUNT:
            starts[i + 1] = row
        elif wanted == ALL:
            _sort(times, places, faces, starts[i], row)
        else:
            times[row], places[row] = best_time, best_place


@kernel
def _aimed(frame: RayFrame, o: Vec3, d: Vec3) -> tuple[Sight, Slabs]:
    """Prepare a ray in the world for triangles and boxes, in the units of the tree."""
    o, d = in_body(frame.rotation, frame.position, o, d)
    o = scale(frame.factor, o)
    sight = sight_of(o, d)
    return sight, slabs_of(o, sight.way, frame.middle, frame.half)


@kernel
def _push(
    stack: Ids, nears: NDArray[np.float32], bottom: int, n: int, child: np.int32, near: np.float32
) -> None:
    """Put a child on the stack of n, the nearest of those from the bottom on last."""
    at = n
    while at > bottom and nears[at - 1] < near:
        stack[at], nears[at] = stack[at - 1], nears[at - 1]
        at -= 1
    stack[at], nears[at] = child, near


@kernel
def _triangle(triangles: Array, place: int) -> tuple[Vec3, Vec3, Vec3]:
    """Corners of the triangle at a place in the tree."""
    leaf, k, t = place // LEAF_SIZE, place % LEAF_SIZE, triangles
    a = t[leaf, 0, k], t[leaf, 1, k], t[leaf, 2, k]
    b = t[leaf, 3, k], t[leaf, 4, k], t[leaf, 5, k]
    return a, b, (t[leaf, 6, k], t[leaf, 7, k], t[leaf, 8, k])


@kernel
def _sort(times: Array, places: Ids, faces: Ids, first: int, last: int) -> None:
    """Sort the hits of a ray, by their places in the tree, by time, then by face (Shell 1959)."""
    gap = last - first
    while gap > 1:
        gap = gap // 2
        for i in range(first + gap, last):
            time, place, at = times[i], places[i], i
            while at - gap >= first:
                other = times[at - gap]
                if other < time or (other == time and faces[places[at - gap]] < faces[place]):
                    break
                times[at], places[at] = other, places[at - gap]
                at -= gap
            times[at], places[at] = time, place


@driver
def _describe_range(rays: Rays, hits: Hits, scratch: RayScratch, first: int, last: int) -> None:
    describe_hits(rays, hits, scratch, first, last)


@kernel
def describe_hits(rays: Rays, hits: Hits, scratch: RayScratch, first: int, last: int) -> None:
    """Say where the rays [first, last) meet what they do, by its places in the tree."""
    for i in range(first, last):
        for row in range(hits.starts[i], hits.starts[i + 1]):
            place = int(hits.faces[row])
            if place < 0:
                write_miss(hits, row)
                continue
            a, b, c = _triangle(scratch.triangles, place)
            d = mat_vec(transposed(rays.rotation), vector_at(rays.directions, i))
            hits.faces[row] = scratch.faces[place]
            write_hit(hits, row, rays, i, hits.times[row], face_normal(a, b, c, d))
