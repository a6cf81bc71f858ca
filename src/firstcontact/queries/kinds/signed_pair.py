"""Two things at rest: how far apart, or how deep in each other, and which way out."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import is_closed, witnesses
from firstcontact.proximity.touching.inside import contains
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.part_pairs import PartPairs
from firstcontact.queries.kinds.resting import rested
from firstcontact.queries.look_up import answered_at_length, is_thick, row_for
from firstcontact.queries.signed_distance import signed_distance
from firstcontact.shapes.cloud import Points, as_cloud
from firstcontact.shapes.compound import Compound, as_compound
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.mesh import as_mesh, is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, shape_of
from firstcontact.shapes.voxels import as_voxels

# Points that are looked at together.
POINTS_AT_ONCE = 1 << 20

# Shorter ways than this, in units of the coordinates, are rounding, and have no direction.
DIRECTED = 2.0**-44


class Signed(NamedTuple):
    """Of n pairs of poses: distances (n,), below 0 for depths, points and unit vectors from a to b (n, 3)."""

    distance: Array
    points_a: Array
    points_b: Array
    normals: Array

    def put(self, rows: Any, other: "Signed") -> None:
        """Write what was found of some rows."""
        for mine, new in zip(self, other, strict=True):
            mine[rows] = new

    def chosen(self, rows: Any) -> "Signed":
        """Some of the rows."""
        return Signed(*(column[rows] for column in self))


def nothing_near(n: int) -> Signed:
    """Give rows of which nothing is known yet: infinitely far."""
    return Signed(np.full(n, np.inf), *(np.full((n, 3), np.nan) for _ in range(3)))


def still(name: str, thing: Moving) -> Moving:
    """A thing as it stands, as a rigid body; one that moves is an error."""
    if thing.kind in (Kind.MESH, Kind.DEFORMING):
        return Moving(*rested("near", name, thing))
    if not thing.motion.is_resting:
        rested("near", name, thing)
    return thing


def signed_pair(a: Moving, b: Moving, within: float = np.inf, is_deep: bool = True) -> Signed:
    """Measure two things that stand still, in one pose each or a batch; inf where farther than `within`.

    Unless `is_deep`, nobody is asked how deep they are.
    """
    if Kind.COMPOUND in (a.kind, b.kind):
        return _of_parts(a, b, within)
    n = common_length(a.rigid, b.rigid, "poses")
    are_solid = _is_solid(a) and _is_solid(b)
    found: Distance = _asked("distance", a, b, Ask(within=within, solid=are_solid))
    distance, points = np.array(found.distance, np.float64).reshape(n), (found.points_a, found.points_b)
    p, q = (np.array(x, np.float64).reshape(n, 3) for x in points)
    signed = Signed(distance, p, q, unit_ways(p, q))
    if not are_solid:
        _touch_inside(signed, a, b)
    rows = np.flatnonzero(distance == 0.0)
    if len(rows) > 0 and is_deep:
        signed.normals[rows] = np.nan
        _put_depths(signed, a, b, rows)
    return signed


def unit_ways(p: Array, q: Array) -> Array:
    """Unit vectors (n, 3) from points to others; NaN where there is no way but rounding."""
    ways = q - p
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    least = DIRECTED * (np.abs(p) + np.abs(q)).sum(axis=1, keepdims=True)
    found: Array = np.divide(ways, lengths, out=np.full_like(ways, np.nan), where=lengths > least)
    return found


def _asked(verb: str, a: Moving, b: Moving, ask: Ask) -> Any:
    """Ask who answers about two things, without options that have no meaning for them."""
    row = row_for(verb, a, b)
    return answered_at_length(verb, a, b, row.only(ask))


def _is_solid(thing: Moving) -> bool:
    """Is this no surface?"""
    return thing.kind is not Kind.MESH or (not thing.shape.is_cloud and is_closed(thing.surface))


def is_open(shape: Shape) -> bool:
    """Is this a mesh without an inside?"""
    return shape.kind is Kind.MESH and not shape.is_cloud and not is_closed(as_mesh(shape))


def _chosen(thing: Moving, rows: NDArray[np.intp]) -> Moving:
    """A thing in some of its poses; a single one goes with all."""
    return Moving(thing.shape, thing.rigid.chosen(rows, True)) if thing.motion.is_batch else thing


def _touch_inside(signed: Signed, a: Moving, b: Moving) -> None:
    """Let what is no solid touch a closed mesh that a part of it is inside of."""
    n = len(signed.distance)
    for one, other in ((a, b), (b, a)):
        is_around = other.kind is Kind.MESH and _is_solid(other)
        rows = np.flatnonzero(signed.distance > 0.0)
        if one.kind is not Kind.MESH or not is_around or len(rows) == 0:
            continue
        own = witnesses(shape_of(one))
        here, there = (np.broadcast_to(x.rigid.pose(0.0), (n, 4, 4)) for x in (one, other))
        for row in rows.tolist():
            points = own @ here[row, :3, :3].T + here[row, :3, 3]
            seen = np.ascontiguousarray((points - there[row, :3, 3]) @ there[row, :3, :3])
            is_inside = contains(as_mesh(other.shape), seen)
            if is_inside.any():
                signed.distance[row] = 0.0
                signed.points_a[row] = signed.points_b[row] = points[np.argmax(is_inside)]


def held(thing: Moving) -> Moving:
    """A thing with hulls for closed meshes and voxels: what it is near is as near to these, or nearer.

    What has no inside stays as it is, and so do points, which are as deep as the deepest of them.
    """
    return Moving(_held_shape(shape_of(thing)), thing.motion)


def _held_shape(shape: Shape) -> Shape:
    if is_empty(shape) or shape.is_cloud or shape.is_thick:
        return shape
    if shape.kind is Kind.COMPOUND:
        if "held" not in shape.kept:
            parts = as_compound(shape).parts
            shape.kept["held"] = Compound([_held_shape(part.shape).at(part.pose) for part in parts])
        found: Shape = shape.kept["held"]
        return found
    if shape.kind is Kind.VOXELS:
        return hull_of(as_voxels(shape).mesh)
    return hull_of(shape) if shape.kind is Kind.MESH and is_closed(as_mesh(shape)) else shape


def hull_of(shape: Shape) -> Shape:
    """The hull of a mesh, made once."""
    known = shape.kept
    if "hull" not in known:
        known["hull"] = ConvexHull(as_mesh(shape).vertices, flat=True)
    found: Shape = known["hull"]
    return found


def _put_depths(signed: Signed, a: Moving, b: Moving, rows: NDArray[np.intp]) -> None:
    """Write how deep things are in each other in rows in which they touch, where anybody can tell."""
    one, other = _chosen(a, rows), _chosen(b, rows)
    if is_thick(a) or is_thick(b):
        return  # what is all around a surface has no depth
    if isinstance(b.shape, Points) and not isinstance(a.shape, Points):
        found = _points_in(other, one, len(rows))
        signed.put(rows, Signed(found.distance, found.points_b, found.points_a, -found.normals))
    elif isinstance(a.shape, Points):
        signed.put(rows, _points_in(one, other, len(rows)))
    elif _is_solid(a) and _is_solid(b) and not row_for("penetration", a, b).refusal:
        found = _penetrated(one, other)
        if not (a.kind is Kind.CONVEX and b.kind is Kind.CONVEX):  # whoever parts what holds them parts them
            outer = _penetrated(held(one), held(other))
            is_less = outer.distance > found.distance
            found.put(is_less, outer.chosen(is_less))
        is_deep = ~np.isnan(found.normals[:, 0])
        signed.put(rows[is_deep], found.chosen(is_deep))


def _penetrated(a: Moving, b: Moving) -> Signed:
    """How deep two solids are in each other; at 0 where they are not, with no normal."""
    deep: Penetration = _asked("penetration", a, b, Ask())
    is_deep = np.atleast_1d(deep.is_overlapping)
    ways = np.where(is_deep[:, np.newaxis], np.atleast_2d(deep.direction), np.nan)
    depths = np.where(is_deep, np.atleast_1d(deep.depth), 0.0)
    return Signed(0.0 - depths, np.atleast_2d(deep.points_a), np.atleast_2d(deep.points_b), ways)


def _points_in(cloud: Moving, other: Moving, n: int) -> Signed:
    """The deepest of some points with radii in another thing, in each of n poses in which they touch."""
    found, m = nothing_near(n), len(as_cloud(cloud.shape).vertices)
    here, there = (np.broadcast_to(x.rigid.pose(0.0), (n, 4, 4)) for x in (cloud, other))
    step = max(POINTS_AT_ONCE // m, 1)
    for k in range(0, n, step):
        some = slice(k, k + step)
        found.put(some, _deepest_points(cloud, other, here[some], there[some]))
    return found


def _deepest_points(cloud: Moving, other: Moving, here: Array, there: Array) -> Signed:
    """The deepest of some points, with both in poses (n, 4, 4)."""
    own, radii = as_cloud(cloud.shape).vertices, as_cloud(cloud.shape).radius
    points = own @ np.swapaxes(here[:, :3, :3], 1, 2) + here[:, np.newaxis, :3, 3]
    seen = (points - there[:, np.newaxis, :3, 3]) @ there[:, :3, :3]
    near = signed_distance(shape_of(other), seen.reshape(-1, 3))
    distances, normals, places = np.asarray(near.distance), near.normals, near.points
    is_surface = not _is_solid(other) and not other.shape.is_cloud
    sides = np.where(distances < 0.0, -1.0, 1.0) if is_surface else np.ones(len(normals))
    depths = (sides * distances).reshape(len(here), -1) - radii
    deepest, rows = np.argmin(depths, axis=1), np.arange(len(here))
    chosen = rows * len(own) + deepest
    away = _times(there, sides[chosen, np.newaxis] * normals[chosen])
    ends = points[rows, deepest] - radii[deepest, np.newaxis] * away
    feet = _times(there, places[chosen]) + there[:, :3, 3]
    return Signed(np.minimum(depths[rows, deepest], 0.0), ends, feet, -away)


def _times(poses: Array, vectors: Array) -> Array:
    """Vectors (n, 3), turned by poses (n, 4, 4)."""
    found: Array = (poses[:, :3, :3] @ vectors[..., np.newaxis])[..., 0]
    return found


def _of_parts(a: Moving, b: Moving, within: float) -> Signed:
    """Measure compounds: the nearest or the deepest of all pairs of parts."""
    n, pairs = common_length(a.rigid, b.rigid, "poses"), PartPairs(a, b)
    best = nothing_near(n)
    for p, rows in pairs.in_order(pairs.gaps, lambda own: own <= np.minimum(best.distance, within)):
        parts = [side.part(int(i), rows) for side, i in zip(pairs.sides, pairs.ids[p], strict=True)]
        found = signed_pair(parts[0], parts[1], within)
        is_nearer = found.distance < best.distance[rows]
        best.put(rows[is_nearer], found.chosen(is_nearer))
    return best
