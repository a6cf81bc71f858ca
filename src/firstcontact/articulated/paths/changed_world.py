"""A world some obstacles of which are other than before: only their rows are written anew."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from firstcontact.articulated.model.world_shapes import (
    Actor,
    Geometries,
    Piece,
    WorldShapes,
    is_still,
    write_attachment,
)
from firstcontact.bodies.convex_mesh_volume import bounding_volumes
from firstcontact.shapes.convex import FIRST
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

if TYPE_CHECKING:
    from firstcontact.articulated.paths.kept_worlds import Setting

# Of so many changes of a hundred obstacles, and a few, all is prepared anew as quickly.
SHARE, FEW = 0.25, 8

# Points of shapes that are gone stay in the pool; it may grow by this many times, and numbers.
GROWN, SPARE = 2, 1 << 16


class Room(NamedTuple):
    """Numbers of obstacles by name, and how long the pool of points may become."""

    actors: dict[str, int]
    pool: int


def room_in(shapes: WorldShapes) -> Room:
    """Room for changes of a world that was just made."""
    names = {actor.name: k for k, actor in enumerate(shapes.actors) if k > 0}
    return Room(names, GROWN * len(shapes.geometries.pool) + SPARE)


def changed_world(
    shapes: WorldShapes, things: Mapping[str, Moving], setting: "Setting", room: Room
) -> WorldShapes | None:
    """Change what stands still, and does so now, at another place or in another shape; None for all else."""
    if len(things) > SHARE * len(shapes.actors) + FEW:
        return None
    if not all(_can_change(shapes, room.actors.get(name, 0), thing) for name, thing in things.items()):
        return None
    pieces, actors = shapes.pieces.copy(), shapes.actors.copy()
    geometries = shapes.geometries._replace(attachments=shapes.geometries.attachments.copy())
    if any(shape_of(thing) is not _piece(shapes, room.actors[name]).shape for name, thing in things.items()):
        geometries = geometries._replace(records=geometries.records.copy(), volumes=geometries.volumes.copy())
    for name, thing in things.items():
        k = room.actors[name]
        i, shape = actors[k].pieces[0], shape_of(thing)
        if shape is not pieces[i].shape:
            geometries = _reshaped(geometries, i, thing)
        pieces[i] = Piece(name, shape, -1, thing.rigid.pose(0.0))
        actors[k] = Actor(thing, name, actors[k].first_frame, actors[k].pieces)
        write_attachment(geometries.attachments[i], pieces[i], geometries.records[i], setting.origin)
    if len(geometries.pool) > room.pool:
        return None
    return shapes._replace(pieces=pieces, actors=actors, geometries=geometries)


def _can_change(shapes: WorldShapes, k: int, thing: Moving) -> bool:
    """Does a thing take the place of an obstacle, by its number, one shape at rest that of another?"""
    if k == 0 or len(shapes.actors[k].pieces) != 1 or not _is_plain(thing):
        return False
    piece = _piece(shapes, k)
    if not _is_plain(shapes.actors[k].thing) or piece.frame >= 0:
        return False
    is_same = shape_of(thing) is piece.shape
    return is_same or (thing.kind is Kind.CONVEX and piece.shape.kind is Kind.CONVEX)


def _is_plain(thing: Moving) -> bool:
    return thing.kind in (Kind.CONVEX, Kind.MESH) and is_still(thing) and not is_empty(thing.shape)


def _piece(shapes: WorldShapes, k: int) -> Piece:
    """The shape of an obstacle that has one."""
    return shapes.pieces[shapes.actors[k].pieces[0]]


def _reshaped(known: Geometries, i: int, thing: Moving) -> Geometries:
    """Write another convex shape over one; its points go to the end of the pool."""
    table = table_of(shape_of(thing))
    known.records[i] = table.records[0]
    known.records[i, FIRST] += len(known.pool)
    known.volumes[i] = bounding_volumes(table)[0]
    pool = np.concatenate([known.pool, table.pool]) if len(table.pool) > 0 else known.pool
    return known._replace(pool=pool)
