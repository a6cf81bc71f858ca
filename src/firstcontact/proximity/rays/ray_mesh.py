"""Rays against the triangles of a mesh: the first that each meets, any, or all."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import LINKS, WIDTH, Singles, bits_of, lowest_bit
from firstcontact._ray_lanes import enter_boxes
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.bodies.ray_body import RayBody
from firstcontact.narrowphase.triangles.ray_triangle import (
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
    WORTH_A_THREAD,
    Hits,
    Rays,
    collect,
    in_body,
    missed,
    vector_at,
    write_hit,
    write_miss,
)
from firstcontact.proximity.rays.ray_slabs import Slabs, slabs_of
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, scale

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


class RayScratch(NamedTuple):
    """What a search reads and writes.

    blocks, links, triangles, faces : of the body
    nears : (WIDTH,) how far away the boxes of a block are
    stack : blocks, and leaves, to look into: how far away they are, as bits, above their numbers
    """

    blocks: Singles
    links: Ids
    triangles: Array
    faces: Ids
    nears: Singles
    stack: Keys


def cast_at_mesh(body: RayBody, rays: Rays, n: int, wanted: int, most: int = MOST_HITS) -> Hits:
    """Cast n rays at a mesh."""
    return cast_for_places(body, rays, n, wanted, most).told()


def cast_for_places(body: RayBody, rays: Rays, n: int, wanted: int, most: int) -> "Places":
    """Cast n rays at a mesh, for times and faces alone: points and normals are a third of all the time."""
    if body.room == 0:
        return Places(body, rays, missed(n, wanted))
    frame = RayFrame(rays.rotation, rays.position, body.factor, 1.0 / body.factor, body.middle, body.half)

    def cast(hits: Hits, stage: int, first: int, last: int) -> None:
        _cast_range(frame, rays, hits, _scratch_of(body), stage, first, last)

    return Places(body, rays, collect(cast, n, wanted, most))


class Places(NamedTuple):
    """What rays met, by places in the tree in place of faces; there are no points and normals yet."""

    body: RayBody
    rays: Rays
    hits: Hits

    @property
    def faces(self) -> Ids:
        """The faces that were met, -1 for none."""
        places = self.hits.faces
        return np.where(places >= 0, self.body.faces[places], np.int32(-1)) if self.body.room else places

    def told(self) -> Hits:
        """All that there is to say of the hits; they are changed."""
        if self.body.room == 0:
            return self.hits

        def tell(first: int, last: int) -> None:
            _describe_range(self.rays, self.hits, _scratch_of(self.body), first, last)

        on_ranges(tell, len(self.hits.starts) - 1, WORTH_A_THREAD)
        return self.hits


def _scratch_of(body: RayBody) -> RayScratch:
    room = np.empty(WIDTH, np.float32), np.empty(body.room, np.int64)
    return RayScratch(body.blocks, body.links, body.triangles, body.faces, *room)


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
    blocks, links, triangles, faces = scratch.blocks, scratch.links, scratch.triangles, scratch.faces
    nears, stack, starts, times, places = scratch.nears, scratch.stack, hits.starts, hits.times, hits.faces
    origins, directions = rays.origins, rays.directions
    for i in range(first, last):
        sight, slabs, start = _aimed(frame, rays.min_time, vector_at(origins, i), vector_at(directions, i))
        best_time, best_place = rays.max_time, int(np.int64(-1))
        row = 0 if wanted == COUNT else starts[i]
        deepest = min(_as_late(rays.max_time * sight.speed * frame.factor) + SHORTEST, LARGEST)
        reach = np.float32(deepest - slabs.entry + slabs.pad)
        n, item = 0 if slabs.entry < INFINITY else -1, int(np.int64(0))
        while n >= 0:
            met = 0
            if item >= 0:
                met = enter_boxes(blocks, item, slabs.sides, slabs.ray, reach, nears)
                if met != 0:  # the nearest is next; the others wait, the nearer ones on top
                    k, bottom = lowest_bit(met), n
                    nearest = _key(nears[k], links[item, LINKS, k])
                    met &= met - 1
                    while met != 0:
                        k, at = lowest_bit(met), n
                        key = _key(nears[k], links[item, LINKS, k])
                        met &= met - 1
                        nearest, key = min(nearest, key), max(nearest, key)
                        while at > bottom and stack[at - 1] < key:
                            stack[at] = stack[at - 1]
                            at -= 1
                        stack[at] = key
                        n += 1
                    item = _item(nearest)
                    continue
            else:
                met = met_triangles(sight, triangles, ~item)
            while met != 0:
                k = lowest_bit(met)
                met &= met - 1
                place, depth = WIDTH * ~item + k, depth_triangle(sight, triangles, ~item, k, start)
                time = max(min(depth * frame.unit / sight.speed, LARGEST), rays.min_time)
                if depth > deepest or time > best_time:
                    continue
                if wanted >= COUNT:
                    if wanted == ALL:
                        times[row], places[row] = time, place
                    row += 1
                elif time < best_time or best_place < 0 or faces[place] < faces[best_place]:
                    best_time, best_place, deepest = time, place, _as_late(depth)
                    reach = np.float32(deepest - slabs.entry + slabs.pad)
                    n = 0 if wanted == ANY else n
            n, item = _next(stack, n, reach)
        if wanted == COUNT:
            starts[i + 1] = row
        elif wanted == ALL:
            _sort(times, places, faces, starts[i], row)
        else:
            times[row], places[row] = best_time if best_place >= 0 else INFINITY, best_place


@kernel
def _as_late(depth: float) -> float:
    """Depth up to which times may be the same as at a depth."""
    return depth + SAME_TIME * abs(depth)


@kernel
def _aimed(frame: RayFrame, min_time: float, o: Vec3, d: Vec3) -> tuple[Sight, Slabs, float]:
    """Prepare a ray in the world for triangles and boxes, in the units of the tree, from some depth on."""
    o, d = in_body(frame.rotation, frame.position, o, d)
    o = scale(frame.factor, o)
    sight = sight_of(o, d)
    start = max(min_time * sight.speed * frame.factor, -LARGEST)
    return sight, slabs_of(o, sight.way, frame.middle, frame.half, start), start


@kernel
def _next(stack: Keys, n: int, reach: np.float32) -> tuple[int, int]:
    """Take the next from the stack of n that is within reach; return the new size, -1 where there is none."""
    limit = np.int64(bits_of(reach))
    n -= 1
    while n >= 0 and stack[n] >> 32 > limit:
        n -= 1
    return n, _item(stack[max(n, 0)])


@kernel
def _key(near: np.float32, child: int) -> int:
    """Put how far away a child is, not negative, above its number."""
    return int(np.int64(bits_of(near)) << 32 | (np.int64(child) & 0xFFFFFFFF))


@kernel
def _item(key: int) -> int:
    """Number of what a key is of."""
    return int(np.int64(key) << 32 >> 32)


@kernel
def _triangle(triangles: Array, place: int) -> tuple[Vec3, Vec3, Vec3]:
    """Corners of the triangle at a place in the tree."""
    leaf, k, t = place // WIDTH, place % WIDTH, triangles
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
