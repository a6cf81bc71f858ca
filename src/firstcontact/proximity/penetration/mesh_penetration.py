"""How deep two closed meshes are in each other, by the deepest of their contact regions.

A region is undone along a direction, the best of those tried, by moving b. In turn, until one is found:

1. A plane parts the region's triangles of a from those of b after the move, and what is farthest of either
   body along the direction was inside the other. Convex bodies are then parted as a whole.
2. On no line along the direction is there a triangle of a beyond one of b after the move, and all corners
   that were inside have left through these triangles: the surfaces bend around each other.
3. A plane parts the bodies as a whole after the move: one passes through the other, and goes on beyond.

A body that is wholly inside the other leaves through its nearest side, if after the move the bodies are found
to be apart, or as in 3 if that is less.
"""

from operator import attrgetter
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Flags
from firstcontact.bodies.creases import FLAT
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.motions.rigid_motion import CENTER, END_TIME, POSITION, ROTATION, VELOCITY
from firstcontact.proximity.distance.mesh_distance import mesh_distances
from firstcontact.proximity.penetration.contact_regions import (
    Patch,
    Region,
    Regions,
    contact_regions,
    whole_patch,
)
from firstcontact.proximity.penetration.line_penetration import least_thickness, normals_of, thickest
from firstcontact.proximity.penetration.plane_penetration import Shadows, spread_of, thinnest
from firstcontact.proximity.touching.inside import solids_touch
from firstcontact.proximity.touching.near_pairs import FLOOR, Row
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.mesh import Mesh

# A body that is wholly inside is moved out by this much more than measured, to see whether it is out.
MARGIN = 1e-9

# Depth in units of a region's length up to which its own triangles tell the best direction for convex bodies:
# of 1,200 random pairs two were too deep, by 2 % at most, and of deeper ones some, one of them twofold. These
# are parted as a whole, too, if that is less. So are all bodies of a few faces together: it is quickly done.
SHALLOW = 0.25
FEW = 512

# Pairs of triangles measured along all directions together, at most: some 10 ms.
MAX_TESTS = 2**19


class MeshPenetration(NamedTuple):
    """How deep meshes are in each other, at n pairs of poses; where they are apart 0 and NaN.

    depth : (n,) by how much b must be moved
    direction : (n, 3) unit vectors in the world, along which b must be moved; from a to b
    points_a, points_b : (n, 3) in the world, the deepest of each body: on one line along the direction, if
        any line meets both there, and then as far apart as the depth if no shorter move is known
    is_overlapping : (n,) whether solids have a common point, to rounding
    """

    depth: Array
    direction: Array
    points_a: Array
    points_b: Array
    is_overlapping: Flags


class Depth(NamedTuple):
    """How deep a region is; a vector (3,) and points as seen from b."""

    depth: float
    direction: Array
    point_a: Array
    point_b: Array


NOT_FOUND = Depth(np.inf, *np.full((3, 3), np.nan))


def mesh_penetrations(mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array) -> MeshPenetration:
    """Measure closed meshes at rest: rows (n, 26) of each motion, or (1, 26) for all.

    After b has been moved by ``depth * direction`` the deepest region is undone, see the module. Convex
    bodies are then parted by a plane: the depth is never less than the shortest way that parts them, to
    rounding, and equal to it for bodies of up to FEW faces together.
    """
    is_overlapping = solids_touch(mesh_a, mesh_b, rows_a, rows_b)
    n = len(is_overlapping)
    vectors = np.full((3, n, 3), np.nan)
    found = MeshPenetration(np.zeros(n), vectors[0], vectors[1], vectors[2], is_overlapping)
    for i in np.flatnonzero(is_overlapping).tolist():
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        deepest = _deepest(mesh_a, mesh_b, row_a, row_b)
        rotation = row_b[ROTATION:POSITION].reshape(3, 3)
        lever = body_of(mesh_b).origin - row_b[CENTER:END_TIME]
        found.depth[i], found.direction[i] = deepest.depth, rotation @ deepest.direction
        found.points_a[i] = row_b[POSITION:VELOCITY] + rotation @ (lever + deepest.point_a)
        found.points_b[i] = row_b[POSITION:VELOCITY] + rotation @ (lever + deepest.point_b)
    return found


def _deepest(mesh_a: Mesh, mesh_b: Mesh, row_a: Row, row_b: Row) -> Depth:
    """Measure all regions of one pair of poses; return the deepest."""
    regions = contact_regions(mesh_a, mesh_b, row_a, row_b)
    if not regions.found:
        a, b = whole_patch(regions.a), whole_patch(regions.b)
        return _parted(a, b, _all(a, b, np.empty((0, 3)), FLOOR * regions.rounding), np.inf)
    known = NOT_FOUND if regions.a.is_crossing.any() else _nearest_way_out(regions)
    return max((_undone(region, regions, known) for region in regions.found), key=attrgetter("depth"))


def _undone(region: Region, regions: Regions, found: Depth) -> Depth:
    """How far, and along which direction, b must be moved to undo a region, if that is less than found."""
    a, b, common = region.a, region.b, region.common
    spread = spread_of(np.concatenate([common, region.inside_a, region.inside_b]))
    length = float(np.linalg.norm(spread[1] - spread[0]))
    near = FLAT * length + FLOOR * regions.rounding
    if len(common) > 0:
        found = _undone_by_itself(region, regions, spread, near)
        is_best = found.depth <= SHALLOW * length or not _are_convex(regions)
        if found.depth < np.inf and is_best and len(regions.a.is_crossing) + len(regions.b.is_crossing) > FEW:
            return found
    # What is wholly inside must leave the whole other body.
    a = whole_patch(regions.a) if len(common) > 0 or len(a.faces) == 0 else a
    b = whole_patch(regions.b) if len(common) > 0 or len(b.faces) == 0 else b
    whole = _parted(a, b, _all(a, b, spread, near), found.depth)
    return whole if whole.depth < found.depth else found


def _are_convex(regions: Regions) -> bool:
    return regions.a.topology.is_convex and regions.b.topology.is_convex


def _all(a: Patch, b: Patch, spread: Array, near: float) -> Shadows:
    """Take patches that are cut off nowhere."""
    return Shadows(a.points, b.points, spread, 0.0, 0.0, near, np.zeros(2, np.int64))


def _undone_by_itself(region: Region, regions: Regions, spread: Array, near: float) -> Depth:
    """Undo a region by its own triangles; infinitely deep where that is not possible."""
    a, b = region.a, region.b
    held_a, held_b = (
        np.concatenate([region.common, inside]) for inside in (region.inside_a, region.inside_b)
    )
    facing = regions.a.topology.facing, regions.b.topology.facing
    shadows = Shadows(held_a, held_b, spread, *facing, near, np.zeros(2, np.int64))
    found = _parted(a, b, shadows, np.inf)
    if not _are_convex(regions):
        return found if found.depth < np.inf else _lifted(region)
    # The bodies as a whole reach no farther, but for what is near.
    d = found.direction
    depth = float(np.max(regions.a.places @ d) - np.min(regions.b.places @ d))
    return found._replace(depth=max(depth, 0.0)) if found.depth < np.inf else found


def _lifted(region: Region) -> Depth:
    """Undo a region along lines; infinitely deep where that is not possible."""
    a, b = region.a.faces, region.b.faces
    if len(region.inside_a) + len(region.inside_b) == 0:
        return NOT_FOUND  # nothing tells whether the triangles are cut off
    directions = normals_of(a, b, MAX_TESTS // (len(a) * len(b)))
    depth, direction = least_thickness(a, b, region.inside_a, region.inside_b, directions)
    if not depth < np.inf:
        return NOT_FOUND
    _, point_a, point_b = thickest(a, b, direction)
    return Depth(depth, np.array(direction), np.array(point_a), np.array(point_b))


def _parted(a: Patch, b: Patch, shadows: Shadows, known: float) -> Depth:
    """Part two patches by a plane with less than is known; infinitely deep where that is not possible."""
    depth, direction = thinnest(a, b, shadows, known)
    return _with_points(a, b, depth, direction, shadows.near) if depth < known else NOT_FOUND


def _with_points(a: Patch, b: Patch, depth: float, direction: Vec3, near: float) -> Depth:
    """Find points, among those farthest along the direction, that are on a line, that far apart, or any."""
    d = np.array(direction)
    heights_a, heights_b = a.points @ d, b.points @ d
    tops, bottoms = (a.faces.reshape(-1, 3, 3) @ d).max(axis=1), (b.faces.reshape(-1, 3, 3) @ d).min(axis=1)
    faces_a, faces_b = a.faces[tops >= tops.max() - near], b.faces[bottoms <= bottoms.min() + near]
    lift, *points = thickest(faces_a, faces_b, direction)
    if not lift >= max(depth - near, 0.0):
        points = [a.points[heights_a.argmax()], b.points[heights_b.argmin()]]
    return Depth(max(depth, 0.0), d, np.array(points[0]), np.array(points[1]))


def _nearest_way_out(regions: Regions) -> Depth:
    """Let a body wholly inside the other leave through the nearest side; infinitely deep if it cannot."""
    bodies = wide_body_of(regions.a.mesh), wide_body_of(regions.b.mesh)
    row_a, row_b = regions.rows[0].reshape(1, -1), regions.rows[1].reshape(1, -1).copy()
    nearest = mesh_distances(*bodies, row_a, row_b)
    rotation, distance = row_b[0, ROTATION:POSITION].reshape(3, 3), float(nearest.distance[0])
    if not distance > 0.0:
        return NOT_FOUND
    step = (nearest.points[0, 0] - nearest.points[0, 1]) / distance
    direction = step @ rotation
    points = (
        (nearest.points[0] - row_b[0, POSITION:VELOCITY]) @ rotation
        - bodies[1].origin
        + row_b[0, CENTER:END_TIME]
    )
    if len(regions.found[0].b.faces) > 0:
        farthest = regions.b.places[(regions.b.places @ direction).argmin()]
        depth = distance + float(direction @ (points[1] - farthest))
        ends = farthest + depth * direction, farthest
    else:
        farthest = regions.a.places[(regions.a.places @ direction).argmax()]
        depth = distance + float(direction @ (farthest - points[0]))
        ends = farthest, farthest - depth * direction
    row_b[0, POSITION:VELOCITY] += (depth + max(MARGIN * depth, FLOOR * regions.rounding)) * step
    is_in = solids_touch(regions.a.mesh, regions.b.mesh, row_a, row_b)[0]
    return NOT_FOUND if is_in else Depth(depth, direction, *ends)
