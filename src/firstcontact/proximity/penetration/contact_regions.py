"""The contact regions of two closed bodies at an instant: what of each is in a region, as seen from b."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.proximity.penetration.contact_region_labels import (
    N_POINTS,
    BodyTopology,
    Overlap,
    common_points,
    join_uncrossed,
    label_regions,
    topology_of,
)
from firstcontact.proximity.touching.inside import contains
from firstcontact.proximity.touching.near_pairs import FLOOR, MAX_PAIRS, NearPairs, Row, instant, near_pairs
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add
from firstcontact.shapes.mesh import Mesh

# Pairs of triangles that cross, at most, in which regions are looked for: some 100 MB.
MOST_PAIRS = 64 * MAX_PAIRS


class Patch(NamedTuple):
    """Triangles of a body, as seen from b.

    points : (n, 3) their corners
    faces : (m, 9)
    edges : (k, 12) both ends of the edges between two of them, and the third corners of the two
    """

    points: Array
    faces: Array
    edges: Array


class Region(NamedTuple):
    """A contact region.

    a, b : what of the bodies' surfaces crosses, or has a corner inside the other; maybe none of one
    inside_a, inside_b : (n, 3) the corners of a inside b, and of b inside a
    common : (n, 3) where the surfaces cross
    """

    a: Patch
    b: Patch
    inside_a: Array
    inside_b: Array
    common: Array


class RegionSide(NamedTuple):
    """One of the bodies, as seen from b: how it hangs together, its places, and which triangles cross."""

    mesh: Mesh
    topology: BodyTopology
    places: Array
    is_crossing: Flags


class Regions(NamedTuple):
    """All contact regions, the two bodies, and the length that rounding may hide.

    found : none, too, if there were too many pairs of triangles that cross
    rows : the pieces of motion asked for
    """

    found: list[Region]
    a: RegionSide
    b: RegionSide
    rows: tuple[Row, Row]
    rounding: float


def contact_regions(mesh_a: Mesh, mesh_b: Mesh, row_a: Row, row_b: Row) -> Regions:
    """List the contact regions of closed meshes at rest, for pieces of motion (24,)."""
    body_a, body_b = body_of(mesh_a), body_of(mesh_b)
    topology_a, topology_b = topology_of(mesh_a), topology_of(mesh_b)
    seen_a, rounding = _seen(body_a, row_a, body_b, row_b, topology_a.places)
    pairs = _crossing(body_a, body_b, row_a, row_b)
    a = RegionSide(mesh_a, topology_a, seen_a, _marked(pairs.triangles[:, 0], len(body_a.triangles)))
    b = RegionSide(
        mesh_b, topology_b, topology_b.places, _marked(pairs.triangles[:, 1], len(body_b.triangles))
    )
    found = [] if pairs.is_truncated else _regions(a, b, (row_a, row_b), pairs.triangles, rounding)
    return Regions(found, a, b, (row_a, row_b), rounding)


def _seen(body: Body, row: Row, other: Body, row_other: Row, points: Array) -> tuple[Array, float]:
    """Points (n, 3) of one body as seen from the other; what rounding may hide."""
    seen = np.empty_like(points)
    return seen, _place_points(
        (body.origin, other.origin), (body.reach, other.reach), row, row_other, points, seen
    )


@driver
def _place_points(
    origins: tuple[Vec3, Vec3],
    reaches: tuple[float, float],
    row: Row,
    row_other: Row,
    points: Array,
    seen: Array,
) -> float:
    now = instant(origins[0], origins[1], reaches, row, row_other, 0.0)
    for i in range(len(points)):
        x = add(now.place.offset, mat_vec(now.place.rotation, (points[i, 0], points[i, 1], points[i, 2])))
        seen[i, 0], seen[i, 1], seen[i, 2] = x
    return now.rounding


def _crossing(a: Body, b: Body, row_a: Row, row_b: Row) -> NearPairs:
    """Pairs of triangles that cross or touch."""
    room = MAX_PAIRS
    while True:
        pairs = near_pairs(a, b, row_a, row_b, 0.0, 0.0, room)
        if not pairs.is_truncated or room == MOST_PAIRS:
            return pairs
        room *= 8


def _marked(ids: Ids, n: int) -> Flags:
    flags = np.zeros(n, np.bool_)
    flags[ids] = True
    return flags


def _inside(side: RegionSide, other: Mesh, seen: Array) -> Flags:
    """Which places of a body are inside the other; all of them also as seen from that one."""
    parents = np.empty(len(seen), np.int32)
    join_uncrossed(side.topology.corners, side.is_crossing, parents)
    firsts = np.unique(parents)
    # What is outside the box need not be looked at in any other way.
    lower, upper = other.bounds - body_of(other).origin
    firsts = firsts[((seen[firsts] >= lower) & (seen[firsts] <= upper)).all(axis=1)]
    firsts = firsts[contains(other, seen[firsts] + body_of(other).origin)]
    return _marked(firsts, len(seen))[parents]


def _regions(
    a: RegionSide, b: RegionSide, rows: tuple[Row, Row], pairs: Ids, rounding: float
) -> list[Region]:
    seen_b, _ = _seen(body_of(b.mesh), rows[1], body_of(a.mesh), rows[0], b.places)
    inside_a, inside_b = _inside(a, b.mesh, a.places), _inside(b, a.mesh, seen_b)
    labels_a, labels_b = np.empty(len(a.is_crossing), np.int32), np.empty(len(b.is_crossing), np.int32)
    n = label_regions(
        Overlap(a.topology.corners, a.is_crossing, inside_a),
        Overlap(b.topology.corners, b.is_crossing, inside_b),
        pairs,
        labels_a,
        labels_b,
    )
    points, owners = np.empty((N_POINTS * len(pairs), 3)), np.empty(N_POINTS * len(pairs), np.int32)
    n_points = common_points(_faces(a), _faces(b), pairs, FLOOR * rounding, points, owners)
    points, owners = points[:n_points], labels_a[owners[:n_points]]
    found = []
    for label in range(n):
        patch_a, held_a = _patch(a, labels_a, label, inside_a)
        patch_b, held_b = _patch(b, labels_b, label, inside_b)
        found.append(Region(patch_a, patch_b, held_a, held_b, points[owners == label]))
    return found


def _faces(side: RegionSide) -> Array:
    return side.places[side.topology.corners].reshape(-1, 9)


def _patch(side: RegionSide, labels: Ids, label: int, is_inside: Flags) -> tuple[Patch, Array]:
    """Triangles of a region, and which of their corners are inside the other body."""
    places, topology = side.places, side.topology
    corners = topology.corners[labels == label]
    edges = topology.edges[(labels[topology.wings] == label).all(axis=1)]
    ids = np.unique(corners)
    patch = Patch(places[ids], places[corners].reshape(-1, 9), places[edges].reshape(-1, 12))
    return patch, places[ids[is_inside[ids]]]


def whole_patch(side: RegionSide) -> Patch:
    """All triangles of a body."""
    return Patch(side.places, _faces(side), side.places[side.topology.edges].reshape(-1, 12))
