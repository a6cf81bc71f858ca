"""Where two closed bodies overlap: the connected regions of what crosses and of what is inside.

Triangles that cross no triangle of the other body are inside it, or outside, with all their corners, and so
are all triangles connected by such. The triangles that cross, and those with a corner inside, make up the
contact regions: two are in one region where they cross each other, or share a corner that is inside.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.creases import FLAT
from firstcontact.bodies.joined_sets import join, root_of
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.proximity.touching.contact_direction import NOWHERE, normal_of
from firstcontact.scalar.vec3 import Triangle, Vec3, dot, lerp, norm, sub
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# A pair of triangles has at most so many points where an edge of one is at the other, and one if none.
N_POINTS = 6


class BodyTopology(NamedTuple):
    """How the triangles of a mesh hang together, numbered as in its body; vertices at one place are one.

    places : (p, 3) the vertices that triangles use, as seen from the body's origin
    corners : (m, 3) int32, rows of `places`
    edges : (k, 4) int32, those between two triangles: both ends, and what is the third corner in either
    wings : (k, 2) int32, the two triangles of each edge
    is_convex : whether the mesh, if closed, is the surface of a convex body, to FLAT
    facing : 1 if the triangles' normals point outwards, -1 if inwards, 0 if the mesh has no volume
    """

    places: Array
    corners: Ids
    edges: Ids
    wings: Ids
    is_convex: bool
    facing: float


@OnceForEachMesh
def topology_of(mesh: Mesh) -> BodyTopology:
    """Topology of a mesh, worked out once."""
    body = body_of(mesh)
    points = (mesh.vertices - body.origin)[mesh.faces[body.order]].reshape(-1, 3) + 0.0  # no -0.0
    places, ids = np.unique(points, axis=0, return_inverse=True)
    corners = ids.reshape(-1, 3).astype(np.int32)
    sides = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2)
    sides.sort(axis=1)
    keys = sides[:, 0].astype(np.int64) << 32 | sides[:, 1]
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    first = starts[np.diff(starts, append=len(keys)) == 2]
    pairs = np.stack([order[first], order[first + 1]], axis=1) if len(first) else np.empty((0, 2), np.int64)
    # Side i of a triangle joins its corners i and i + 1: the third is the one before.
    third = corners.reshape(-1)[pairs // 3 * 3 + (pairs + 2) % 3]
    edges = np.ascontiguousarray(np.concatenate([sides[pairs[:, 0]], third], axis=1))
    wings = (pairs // 3).astype(np.int32)
    p, q, r = places[corners].transpose(1, 0, 2)
    normals = np.cross(q - p, r - p)
    facing = float(np.sign(np.einsum("ij,ij->", normals, p)))
    is_convex = _is_connected(places, corners) and _is_convex(places, normals, edges, wings)
    return BodyTopology(places, corners, edges, wings, is_convex, facing)


def _is_connected(places: Array, corners: Ids) -> bool:
    parents = np.empty(len(places), np.int32)
    join_uncrossed(corners, np.zeros(len(corners), np.bool_), parents)
    return not parents.any()


def _is_convex(places: Array, normals: Array, edges: Ids, wings: Ids) -> bool:
    """Does a surface bend the same way at all edges, of which each triangle has three?"""
    if 2 * len(edges) != 3 * len(normals):
        return False
    beyond = places[edges[:, 3]] - places[edges[:, 0]]
    heights = np.einsum("ij,ij->i", normals[wings[:, 0]], beyond)
    flat = FLAT * np.linalg.norm(normals[wings[:, 0]], axis=1) * np.linalg.norm(beyond, axis=1)
    return bool((heights <= flat).all() or (heights >= -flat).all())


@driver
def join_uncrossed(corners: Ids, is_crossing: Flags, parents: Ids) -> None:
    """Give places that are inside or outside together one parent, the least of them."""
    for i in range(len(parents)):
        parents[i] = i
    for i in range(len(corners)):
        if not is_crossing[i]:
            p, q, r = (
                0 + corners[i, 0],
                0 + corners[i, 1],
                0 + corners[i, 2],
            )  # sums have 64 bits, as elsewhere
            join(parents, p, q)
            join(parents, p, r)
    for i in range(len(parents)):
        parents[i] = root_of(parents, i)


class Overlap(NamedTuple):
    """What of a body crosses the other, and what is inside it.

    corners : as in `Topology`
    is_crossing : (m,) triangles
    is_inside : (p,) places
    """

    corners: Ids
    is_crossing: Flags
    is_inside: Flags


@driver
def label_regions(a: Overlap, b: Overlap, pairs: Ids, labels_a: Ids, labels_b: Ids) -> int:
    """Number the regions and write that of each triangle, -1 for none; return how many there are.

    pairs : (n, 2) triangles that cross
    """
    n_a = len(a.corners)
    none = 0 * n_a  # not a plain zero: functions are compiled for a constant argument apart
    n_both = n_a + len(b.corners)
    parents, names = np.empty(n_both, np.int32), np.empty(n_both, np.int32)
    for i in range(n_both):
        parents[i], names[i] = i, -1
    _join_inside(a.corners, a.is_inside, parents, none)
    _join_inside(b.corners, b.is_inside, parents, n_a)
    for k in range(len(pairs)):
        join(parents, none + pairs[k, 0], n_a + pairs[k, 1])
    n = _name(a.corners, a.is_crossing, a.is_inside, (parents, names, labels_a), (none, none))
    return _name(b.corners, b.is_crossing, b.is_inside, (parents, names, labels_b), (n_a, n))


@kernel
def _join_inside(corners: Ids, is_inside: Flags, parents: Ids, shift: int) -> None:
    """Join triangles that share a place inside the other body."""
    first = np.empty(len(is_inside), np.int32)
    for i in range(len(first)):
        first[i] = -1
    for i in range(len(corners)):
        for k in range(3):
            place = corners[i, k]
            if is_inside[place]:
                if first[place] < 0:
                    first[place] = shift + i
                join(parents, 0 + first[place], shift + i)


@kernel
def _name(
    corners: Ids, is_crossing: Flags, is_inside: Flags, tables: tuple[Ids, Ids, Ids], counts: tuple[int, int]
) -> int:
    """Write the regions of one body's triangles, naming new ones; return how many there are."""
    parents, names, labels = tables
    shift, n = counts
    for i in range(len(corners)):
        labels[i] = -1
        if is_crossing[i] or is_inside[corners[i, 0]] or is_inside[corners[i, 1]] or is_inside[corners[i, 2]]:
            root = root_of(parents, shift + i)
            if names[root] < 0:
                names[root] = n
                n += 1
            labels[i] = names[root]
    return n


@driver
def common_points(a: Array, b: Array, pairs: Ids, near: float, points: Array, owners: Ids) -> int:
    """Write points that two triangles have in common: where an edge of one passes through the other.

    a, b : (m, 9) triangles, both as seen from b
    pairs : (n, 2) of those that cross, or touch up to the length `near`
    points, owners : room for N_POINTS * n points and the triangles of a they are on; the number is returned
    """
    n = 0
    for k in range(len(pairs)):
        i, j, first = int(np.int64(pairs[k, 0])), int(np.int64(pairs[k, 1])), n
        ta, tb = triangle_of(a, i), triangle_of(b, j)
        for _ in range(2):
            normal = normal_of(sub(tb[1], tb[0]), sub(tb[2], tb[0]))
            for _ in range(3):
                is_common, x = _piercing(ta[0], ta[1], tb, normal, near)
                if is_common:
                    points[n, 0], points[n, 1], points[n, 2] = x
                    owners[n], n = pairs[k, 0], n + 1
                ta = ta[1], ta[2], ta[0]
            ta, tb = tb, ta
        if n == first:
            x = closest_triangle_triangle(ta, tb)[0]
            points[n, 0], points[n, 1], points[n, 2] = x
            owners[n], n = pairs[k, 0], n + 1
    return n


@kernel
def _piercing(p: Vec3, q: Vec3, t: Triangle, normal: Vec3, near: float) -> tuple[bool, Vec3]:
    """Whether an edge pq passes through a triangle, to a length that is near, and where."""
    over, under = dot(normal, sub(p, t[0])), dot(normal, sub(q, t[0]))
    if normal == NOWHERE or not abs(over - under) > near:
        return False, p
    x = lerp(p, q, min(max(over / (over - under), 0.0), 1.0))
    return norm(sub(x, triangle_point(*t, closest_point_triangle(x, *t)))) <= near, x
