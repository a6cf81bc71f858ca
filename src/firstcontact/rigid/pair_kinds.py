"""Two rigid bodies of any kinds, as a search along time takes them.

Compiled functions take no functions: what differs by kind is here, and in `descents` and `depths`. Of three
arguments, one for each two kinds, two are None, and nothing of them is compiled.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import Arrival
from firstcontact.advancement.goal import BodyExtent, Goal
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape, bounding_volumes
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bodies.outline import holder_of
from firstcontact.bodies.wide_body import WideBody, wide_body_of
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.relative_motion import RelativeMotion
from firstcontact.rigid.best_first import search
from firstcontact.rigid.convex.convex_first import advance_convexes
from firstcontact.rigid.convex.convex_mesh_search import search_mesh
from firstcontact.shapes.convex import Convex, ConvexTable, convex_at, origin_at
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

T = TypeVar("T")


class Convexes(NamedTuple):
    """Two convex shapes: the first of each table."""

    a: ConvexTable
    b: ConvexTable


class SolidMesh(NamedTuple):
    """A convex shape, the first of a table, with the volume around it, and a mesh."""

    table: ConvexTable
    volumes: Array
    mesh: Body
    wide: WideBody


class Meshes(NamedTuple):
    """Two meshes."""

    a: Body
    b: Body
    wide_a: WideBody
    wide_b: WideBody


# Two of the three are None.
Kinds = tuple[Convexes | None, SolidMesh | None, Meshes | None]


class Room(NamedTuple):
    """What searches of all kinds work in: a queue of nodes, and a volume as a shape."""

    queue: Queue
    rectangle: Array


class Bodies(NamedTuple):
    """Two bodies; convex shapes that hold both, where they are not that; and whether they are swapped."""

    kinds: Kinds
    holders: Convexes | None
    is_swapped: bool

    def ordered(self, a: T, b: T) -> tuple[T, T]:
        """What belongs to each, in the order in which they are searched, or back."""
        return (b, a) if self.is_swapped else (a, b)


def bodies_of(a: Moving, b: Moving) -> Bodies | None:
    """Make two rigid things ready, None where one has no faces: a convex shape goes before a mesh."""
    if is_empty(a.shape) or is_empty(b.shape):
        return None
    if a.kind is Kind.MESH and b.kind is Kind.CONVEX:
        return _ready(b, a)._replace(is_swapped=True)
    return _ready(a, b)


def _ready(a: Moving, b: Moving) -> Bodies:
    if b.kind is Kind.CONVEX:
        return Bodies((Convexes(table_of(a.shape), table_of(b.shape)), None, None), None, False)
    mesh, holder = b.surface, holder_of(b.surface)
    if a.kind is Kind.CONVEX:
        table = table_of(a.shape)
        solid = SolidMesh(table, bounding_volumes(table), body_of(mesh), wide_body_of(mesh))
        return Bodies((None, solid, None), Convexes(table, holder), False)
    other = a.surface
    meshes = Meshes(body_of(other), body_of(mesh), wide_body_of(other), wide_body_of(mesh))
    return Bodies((None, None, meshes), Convexes(holder_of(other), holder), False)


def new_room() -> Room:
    """Make room for a thread."""
    return Room(new_queue(), np.empty(3 * N_RECTANGLE))


@kernel
def first_of(table: ConvexTable) -> Convex:
    """Read the first shape of a table."""
    # Not a plain zero: functions are compiled for a constant argument apart.
    return convex_at(table.records, int(np.int64(0)))


@kernel
def bounded_in(pair: SolidMesh, rectangle: Array) -> BoundedShape:
    """Read the shape, with the volume around it."""
    volume = volume_of(pair.volumes, int(np.int64(0)))
    return BoundedShape(first_of(pair.table), pair.table.pool, volume, rectangle)


@kernel
def extents_of(
    convexes: Convexes | None, solid: SolidMesh | None, meshes: Meshes | None
) -> tuple[BodyExtent, BodyExtent]:
    """How far both bodies go from their origins."""
    if convexes is not None:
        extents = _extent(convexes.a), _extent(convexes.b)
    if solid is not None:
        extents = _extent(solid.table), BodyExtent(solid.mesh.origin, solid.mesh.reach, 0.0)
    if meshes is not None:
        extents = (
            BodyExtent(meshes.a.origin, meshes.a.reach, 0.0),
            BodyExtent(meshes.b.origin, meshes.b.reach, 0.0),
        )
    return extents


@kernel
def _extent(table: ConvexTable) -> BodyExtent:
    shape = first_of(table)
    return BodyExtent(origin_at(table.records, int(np.int64(0))), shape.reach, shape.radius)


@kernel
def searched(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    motion: RelativeMotion,
    goal: Goal,
    room: Room,
    counts: NDArray[np.int64],
) -> Arrival:
    """Find the first contact between goal.start and goal.end."""
    if convexes is not None:
        a, b, pool_a, pool_b = first_of(convexes.a), first_of(convexes.b), convexes.a.pool, convexes.b.pool
        arrival = advance_convexes(a, b, pool_a, pool_b, motion, goal, counts)
    if solid is not None:
        bounded = bounded_in(solid, room.rectangle)
        arrival = search_mesh(bounded, solid.mesh, motion, goal, room.queue, counts)
    if meshes is not None:
        arrival = search(meshes.a, meshes.b, motion, goal, room.queue, counts)
    return arrival
