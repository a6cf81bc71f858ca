"""Two shapes at rest: how far apart, whether in contact."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_choice
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side, side_of
from firstcontact.bodies.mesh_parts import check_closed, witnesses
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.narrowphase.features.feature_graph import is_walkable
from firstcontact.narrowphase.features.polytope_faces import polytope_faces
from firstcontact.proximity.distance.convex_distance import ConvexMeasured, convex_distances
from firstcontact.proximity.distance.convex_mesh_distance import (
    convex_mesh_distances,
    convex_mesh_intersections,
)
from firstcontact.proximity.distance.mesh_distance import (
    NO_LEEWAY,
    Leeway,
    Measured,
    mesh_distances,
    mesh_intersections,
)
from firstcontact.proximity.distance.single_distance import NEARLY
from firstcontact.proximity.touching.convex_intersections import convex_intersections
from firstcontact.proximity.touching.inside import contains, or_contained, solids_touch, witness_inside
from firstcontact.proximity.touching.oriented_touching import oriented_intersections
from firstcontact.proximity.touching.polytope_intersections import METHODS as OF_CONVEX
from firstcontact.proximity.touching.polytope_intersections import polytope_intersections
from firstcontact.queries.batches import common_length
from firstcontact.shapes.convex_shape import as_convex, table_of
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar
from firstcontact.shapes.shape import Shape, shape_of

CONVEX, DEFORMING, DEFORMING_PLANAR = Kind.CONVEX, Kind.DEFORMING, Kind.DEFORMING_PLANAR

# What two meshes are searched by.
SPHERES, ORIENTED = 0, 1
METHODS = {"spheres": SPHERES, "obb": ORIENTED}

NO_FACES = np.full(2, -1, np.int32)

# What rounding may do to the distance of two convex shapes, in units of their coordinates.
ROUNDING = 2.0**-40


class Resting(NamedTuple):
    """A shape at rest, in one pose or a batch of them."""

    shape: Shape
    motion: RigidMotion

    @property
    def rows(self) -> Array:
        """The poses, (n, 26), as rows of motions."""
        return np.ascontiguousarray(self.motion.rows()[:, 0])

    @property
    def is_convex(self) -> bool:
        """Is the shape convex? Else it is a mesh."""
        return self.shape.kind is CONVEX

    @property
    def mesh(self) -> Mesh:
        """The shape, which is known to be a mesh."""
        return as_mesh(self.shape)


class RestingPair(NamedTuple):
    """Two shapes at rest; how many pairs of poses, and whether they are a batch."""

    a: Resting
    b: Resting
    n: int
    is_batch: bool

    @property
    def are_convex(self) -> bool:
        """Are both shapes convex?"""
        return self.a.is_convex and self.b.is_convex

    def swapped(self) -> "RestingPair":
        """The same, with a for b."""
        return self._replace(a=self.b, b=self.a)


def resting_distance(a: Moving, b: Moving, ask: Ask = USUAL) -> Distance:
    """Measure two shapes, in one pose each or a batch of them; 0 wherever `resting_intersects` is True."""
    pair, is_solid, leeway = posed("distance", a, b), ask.solid, _leeway(ask)
    if is_solid:
        _check_solids(pair)
    found = _batch_convex(pair, leeway) if pair.are_convex else _batch_measured(_measured(pair, leeway))
    found = found if pair.is_batch else _only(found)
    is_clear = not pair.is_batch and not is_solid and found.distance > _nearly(found, pair)
    return found if is_clear else _with_overlaps(found, pair, is_solid)


def _leeway(ask: Ask) -> Leeway:
    """What need not be known of a distance."""
    if ask.within is not None and ask.within < 0.0:
        raise ValueError(f"within must be at least 0; received {ask.within:g}")
    return Leeway(np.inf if ask.within is None else ask.within, ask.relative_error)


def _batch_measured(found: Measured) -> Distance:
    stats = DistanceStats(*np.ascontiguousarray(found.counts.T))
    points_a, points_b = found.points[:, 0].copy(), found.points[:, 1].copy()
    return Distance(found.distance, points_a, points_b, found.faces, stats)


def _with_overlaps(found: Distance, pair: RestingPair, is_solid: bool) -> Distance:
    """Let the distance be 0 where the shapes overlap: as solids, or as far as rounding can tell."""
    distance = np.atleast_1d(found.distance)
    is_doubtful = distance > 0.0  # of solids also where surfaces are farther apart than matters
    if not is_solid or pair.are_convex:
        is_doubtful &= distance < _nearly(found, pair)
    if not is_doubtful.any():
        return found
    rows = np.flatnonzero(is_doubtful & _touching(pair, is_solid))
    if len(rows) == 0:
        return found
    points_a, points_b = (np.atleast_2d(points).copy() for points in (found.points_a, found.points_b))
    faces = np.atleast_2d(found.faces).copy()
    distance[rows] = 0.0
    for row in rows.tolist():
        common = _inner_point(pair, row) if is_solid else None
        if common is None:  # they touch, but for rounding
            points_b[row] = points_a[row]
        else:
            points_a[row], points_b[row], faces[row] = common, common, NO_FACES
    if pair.is_batch:
        return replace(found, distance=distance, points_a=points_a, points_b=points_b, faces=faces)
    return replace(found, distance=0.0, points_a=points_a[0], points_b=points_b[0], faces=faces[0])


def _nearly(found: Distance | ConvexMeasured, pair: RestingPair, part: float = NEARLY) -> Any:
    """Distance below which rounding may hide a gap, or a part of the shapes' coordinates."""
    x, y, z = found.points_a.T
    return part * (abs(x) + abs(y) + abs(z) + pair.a.shape.largest + pair.b.shape.largest)


def _inner_point(pair: RestingPair, row: int) -> Array | None:
    """Find a point of one solid that is inside the other, a mesh, in the world, in one of the poses."""
    poses = [np.broadcast_to(thing.motion.pose(0.0), (pair.n, 4, 4))[row] for thing in (pair.a, pair.b)]
    for i, (one, other) in enumerate(((pair.a, pair.b), (pair.b, pair.a))):
        if not other.is_convex:
            here, there = poses[i], poses[1 - i]
            own = witnesses(one.shape) @ here[:3, :3].T + here[:3, 3]
            is_inside = contains(other.mesh, (own - there[:3, 3]) @ there[:3, :3])
            if is_inside.any():
                inner: Array = own[np.argmax(is_inside)]
                return inner
    return None


def _check_solids(pair: RestingPair) -> None:
    """Refuse meshes that have no inside."""
    for name, thing in (("a", pair.a), ("b", pair.b)):
        if not thing.is_convex:
            check_closed(thing.mesh, name)


def resting_intersects(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """Have two shapes a point in common, or are within a distance, in one pose each or a batch of them?"""
    pair, is_solid, within = posed("intersects", a, b), ask.solid, _leeway(ask).within
    if is_solid:
        _check_solids(pair)
    if ask.method is not None and pair.are_convex:
        touches = _touching_by_method(ask.method, pair, within)
    elif ask.method is not None and ask.method_of(METHODS) == ORIENTED:
        touches = _touching_by_boxes(pair, is_solid, within if within < np.inf else 0.0)
    else:
        touches = _touching(pair, is_solid)
        if 0.0 < within < np.inf:
            touches |= _are_within(pair, within)
    return touches if pair.is_batch else bool(touches[0])


def _touching_by_boxes(pair: RestingPair, is_solid: bool, within: float) -> NDArray[np.bool_]:
    """The same of two meshes, by oriented boxes."""
    mesh_a, mesh_b, rows_a, rows_b = pair.a.mesh, pair.b.mesh, pair.a.rows, pair.b.rows
    touches = oriented_intersections(mesh_a, mesh_b, rows_a, rows_b, within)
    return or_contained(touches, mesh_a, mesh_b, rows_a, rows_b) if is_solid else touches


def _touching_by_method(method: str, pair: RestingPair, within: float) -> NDArray[np.bool_]:
    """Which pairs of convex shapes have a common point, by a method."""
    name = as_choice("method", method, tuple(OF_CONVEX))
    if within < np.inf:
        raise ValueError("method is for whether shapes touch, without within")
    shapes = as_convex(pair.a.shape), as_convex(pair.b.shape)
    if name != "gjk":
        for which, shape in zip("ab", shapes, strict=True):
            if not is_walkable(shape):
                kind = type(shape.unrounded).__name__
                raise ValueError(f"method={name!r} is for shapes with faces; {which}, a {kind}, has none")
    packed, faces = (
        (shapes[0].packed, shapes[1].packed),
        (polytope_faces(shapes[0]), polytope_faces(shapes[1])),
    )
    touches = polytope_intersections(OF_CONVEX[name], packed, faces, (pair.a.rows, pair.b.rows))
    return np.asarray(touches % 2 == 1)


def _are_within(pair: RestingPair, within: float) -> NDArray[np.bool_]:
    """Which pairs of surfaces, or of convex shapes, are within a distance, as far as rounding can tell."""
    a, b = pair.a, pair.b
    if pair.are_convex:
        found = _batch_convex(pair, NO_LEEWAY)
        return np.asarray(found.distance <= within + _nearly(found, pair, ROUNDING))
    if a.is_convex:
        return convex_mesh_intersections(table_of(a.shape), wide_body_of(b.mesh), a.rows, b.rows, within)
    if b.is_convex:
        return _are_within(pair.swapped(), within)
    return mesh_intersections(wide_body_of(a.mesh), wide_body_of(b.mesh), a.rows, b.rows, within)


def _batch_convex(pair: RestingPair, leeway: Leeway) -> Distance:
    """Measure pairs of convex shapes: exactly, which takes no longer than about."""
    found = convex_distances(*sides(pair))
    none = np.zeros(pair.n, np.int64)
    stats = DistanceStats(none, none.copy(), found.iterations)
    is_far = found.distance > leeway.within + _nearly(found, pair, ROUNDING)
    found.distance[is_far], found.points_a[is_far], found.points_b[is_far] = np.inf, np.nan, np.nan
    return Distance(found.distance, found.points_a, found.points_b, np.full((pair.n, 2), -1, np.int32), stats)


def _only(found: Distance) -> Distance:
    """The only row of a batch."""
    counts = found.stats.volume_tests, found.stats.triangle_tests, found.stats.iterations
    volumes, triangles, iterations = (int(np.ravel(count)[0]) for count in counts)
    stats, distance = DistanceStats(volumes, triangles, iterations), float(np.ravel(found.distance)[0])
    return Distance(distance, found.points_a[0], found.points_b[0], found.faces[0], stats)


def _measured(pair: RestingPair, leeway: Leeway) -> Measured:
    """Measure two things in the way that is right for their kinds."""
    a, b = pair.a, pair.b
    if a.is_convex:
        return convex_mesh_distances(table_of(a.shape), wide_body_of(b.mesh), a.rows, b.rows, leeway)
    if b.is_convex:
        swapped = convex_mesh_distances(table_of(b.shape), wide_body_of(a.mesh), b.rows, a.rows, leeway)
        return swapped._replace(points=swapped.points[:, ::-1], faces=swapped.faces[:, ::-1].copy())
    return mesh_distances(wide_body_of(a.mesh), wide_body_of(b.mesh), a.rows, b.rows, leeway)


def _touching(pair: RestingPair, is_solid: bool) -> NDArray[np.bool_]:
    a, b = pair.a, pair.b
    if pair.are_convex:
        return convex_intersections(*sides(pair))
    if a.is_convex:
        touches = convex_mesh_intersections(table_of(a.shape), wide_body_of(b.mesh), a.rows, b.rows)
        return touches | _witness_inside(pair) if is_solid else touches
    if b.is_convex:
        return _touching(pair.swapped(), is_solid)
    if is_solid:
        return solids_touch(a.mesh, b.mesh, a.rows, b.rows)
    return mesh_intersections(wide_body_of(a.mesh), wide_body_of(b.mesh), a.rows, b.rows)


def _witness_inside(pair: RestingPair) -> NDArray[np.bool_]:
    """Is the middle of the shape a inside the mesh b?"""
    poses = [thing.motion.pose(0.0) for thing in (pair.a, pair.b)]
    return witness_inside(pair.a.shape, pair.b.mesh, poses[0], poses[1], pair.n)


def sides(pair: RestingPair) -> tuple[Side, Side]:
    """Both sides of pairs of convex shapes, as the compiled queries take them."""
    return _side(pair.a, pair.n), _side(pair.b, pair.n)


def _side(thing: Resting, n: int) -> Side:
    return side_of(table_of(thing.shape), thing.motion.rows(), n)


def posed(query: str, a: Moving, b: Moving) -> RestingPair:
    """Check the input of a query at one instant."""
    x, y = rested(query, "a", a), rested(query, "b", b)
    n = common_length(x.motion, y.motion, "poses")
    return RestingPair(x, y, n, x.motion.is_batch or y.motion.is_batch)


def rested(query: str, name: str, thing: Moving) -> Resting:
    """A thing as it stands; one that moves is an error."""
    found = at_rest(thing)
    if found is None:
        raise ValueError(f"{query} is for one instant, and {name} moves: use {name}.at(pose)")
    return found


def at_rest(thing: Moving) -> Resting | None:
    """A thing as it stands; None where it moves."""
    if not thing.motion.is_resting:
        return None
    if thing.kind is DEFORMING:
        return Resting(thing.surface.placed(thing.deforms.vertices(0.0)), motion_at_origin())
    if thing.kind is DEFORMING_PLANAR:
        return Resting(as_planar(thing.shape).placed(thing.vertices(0.0)), motion_at_origin())
    return Resting(shape_of(thing), thing.rigid)
