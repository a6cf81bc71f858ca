"""Rays against the triangles of a mesh: the first that each meets, any, or all."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import WIDTH
from firstcontact._ray_lanes import CORNER_ROWS
from firstcontact.arrays import Array
from firstcontact.bodies.ray_body import RayBody
from firstcontact.narrowphase.triangles.ray_triangle import face_normal
from firstcontact.proximity.rays.ray_aims import RayFrame
from firstcontact.proximity.rays.ray_hits import (
    MOST_HITS,
    WORTH_A_THREAD,
    Hits,
    Rays,
    collect,
    missed,
    vector_at,
    write_hit,
    write_miss,
)
from firstcontact.proximity.rays.ray_waves import RayTree, cast_rays
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3


def cast_at_mesh(body: RayBody, rays: Rays, n: int, wanted: int, most: int = MOST_HITS) -> Hits:
    """Cast n rays at a mesh."""
    return cast_for_faces(body, rays, n, wanted, most).told()


def cast_for_faces(body: RayBody, rays: Rays, n: int, wanted: int, most: int) -> "FacesMet":
    """Cast n rays at a mesh, for times and faces alone: points and normals are a third of all the time."""
    if body.room == 0:
        return FacesMet(body, rays, missed(n, wanted))
    frame = RayFrame(rays.rotation, rays.position, body.factor, 1.0 / body.factor, body.middle, body.half)

    def cast(hits: Hits, stage: int, first: int, last: int) -> None:
        _cast_range(frame, rays, hits, _tree_of(body), body.room, stage, (first, last))

    return FacesMet(body, rays, collect(cast, n, wanted, most, has_points=False))


class FacesMet(NamedTuple):
    """What rays met: times and faces. There is no room for points and normals yet."""

    body: RayBody
    rays: Rays
    hits: Hits

    def told(self) -> Hits:
        """All that there is to say of the hits."""
        k = len(self.hits.times)
        hits = self.hits._replace(points=np.full((k, 3), np.nan), normals=np.full((k, 3), np.nan))

        def tell(first: int, last: int) -> None:
            _describe_range(self.rays, hits, _tree_of(self.body), first, last)

        if self.body.room > 0:
            on_ranges(tell, len(hits.starts) - 1, WORTH_A_THREAD)
        return hits


def _tree_of(body: RayBody) -> RayTree:
    flat = body.blocks.reshape(-1), body.links.reshape(-1), body.triangles.reshape(-1)
    return RayTree(*flat, body.faces, body.places)


@driver
def _cast_range(
    frame: RayFrame, rays: Rays, hits: Hits, tree: RayTree, room: int, wanted: int, span: tuple[int, int]
) -> None:
    cast_rays(frame, rays, hits, tree, room, wanted, span)


@kernel
def _triangle(triangles: Array, place: int) -> tuple[Vec3, Vec3, Vec3]:
    """Corners of the triangle at a place in the tree."""
    at, step, t = place // WIDTH * CORNER_ROWS * WIDTH + place % WIDTH, WIDTH, triangles
    a = t[at], t[at + step], t[at + 2 * step]
    b = t[at + 3 * step], t[at + 4 * step], t[at + 5 * step]
    return a, b, (t[at + 6 * step], t[at + 7 * step], t[at + 8 * step])


@driver
def _describe_range(rays: Rays, hits: Hits, tree: RayTree, first: int, last: int) -> None:
    describe_hits(rays, hits, tree, first, last)


@kernel
def describe_hits(rays: Rays, hits: Hits, tree: RayTree, first: int, last: int) -> None:
    """Say where the rays [first, last) meet what they do."""
    for i in range(first, last):
        for row in range(hits.starts[i], hits.starts[i + 1]):
            if hits.faces[row] < 0:
                write_miss(hits, row)
                continue
            a, b, c = _triangle(tree.triangles, tree.places[hits.faces[row]])
            d = mat_vec(transposed(rays.rotation), vector_at(rays.directions, i))
            write_hit(hits, row, rays, i, hits.times[row], face_normal(a, b, c, d))
