"""What columns have of a body: its record, its motion, its corridor."""

from collections.abc import Mapping, Sequence

import numpy as np

from firstcontact.arrays import Array
from firstcontact.bounds.body_bounds import (
    N_CORRIDOR,
    bound_record,
    corridor_of_box,
    corridor_of_points,
    corridors,
    swept_boxes,
)
from firstcontact.scene.columns import Columns
from firstcontact.shapes.bounded import HALF_SPACE
from firstcontact.shapes.convex import N_COLUMNS as N_SHAPE
from firstcontact.shapes.convex import RADIUS, REACH
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, shape_of

# What a body is: its kind, a half-space a convex shape; but of what moves rigidly in several pieces, which is
# asked about alone, that. As plain numbers, which NumPy compares at once: it asks an enumeration for much.
CONVEX, MESH, DEFORMING = int(Kind.CONVEX), int(Kind.MESH), int(Kind.DEFORMING)
FIELD, PLANAR, IN_PIECES = int(Kind.FIELD), int(Kind.PLANAR), len(Kind)
DEFORMED = DEFORMING, int(Kind.DEFORMING_PLANAR)


def is_other(thing: Moving) -> bool:
    """Does a thing not move rigidly in one piece, and exactly as in that?"""
    return thing.kind in DEFORMED or len(thing.rigid.times) > 2 or thing.rigid.law is not None


def check_together(things: Mapping[str, Moving], row_of: Mapping[str, int], shapes: Sequence[Shape]) -> None:
    """Refuse things in the plane beside others in space: these that arrive or change, and all that stay."""
    dimensions = {name: thing.shape.dimension for name, thing in things.items()}
    stays = next((name for name in row_of if name not in things), None)
    if stays is not None:
        dimensions[stays] = shapes[row_of[stays]].dimension
    if len(set(dimensions.values())) > 1:
        flat, other = (next(name for name, d in dimensions.items() if d == own) for own in (2, 3))
        rule = "bodies of a scene are all in the plane or all in space"
        raise ValueError(f"{rule}; {flat!r} is in the plane, {other!r} is not")


def in_space(thing: Moving) -> Moving:
    """What is in the plane as its edges are in space: so it has bounds."""
    return thing.lifted if thing.shape.dimension == 2 else thing


def write_record(columns: Columns, row: int, record: Array) -> None:
    """Write what is known of a shape for its bounds."""
    columns.records[row], columns.sizes[row] = record, 2.0 * (record[REACH] + record[RADIUS])


def write_motion(columns: Columns, row: int, thing: Moving) -> None:
    """Write the motion of what moves rigidly in one piece, and of what kind a body is."""
    columns.is_stale[row], columns.kinds[row] = True, CONVEX if thing.kind is HALF_SPACE else thing.kind
    if thing.kind in DEFORMED:
        return
    if len(thing.rigid.times) > 2:
        columns.kinds[row] = IN_PIECES
        return
    columns.pieces[row], columns.places[row] = thing.rigid.rows()[0, 0], thing.rigid.translations[0, 0]


def record_of(thing: Moving) -> Array:
    """Row of a table of shapes, for bounds; a mesh without faces is a point."""
    if thing.kind is HALF_SPACE:  # until it is fitted
        return np.zeros(N_SHAPE)
    if thing.kind == CONVEX:
        record: Array = table_of(thing.shape).records[0]
        return record
    if thing.kind in (FIELD, Kind.COMPOUND, Kind.VOXELS):
        return bound_record(np.zeros((1, 3)) if is_empty(thing.shape) else shape_of(thing).corners)
    lifted = in_space(thing)
    mesh = lifted.surface
    vertices = lifted.deforms.vertices(0.0) if lifted.kind == DEFORMING else mesh.vertices
    return bound_record(vertices[mesh.faces.reshape(-1)] if mesh.n_faces else np.zeros((1, 3)))


def corridor_of_other(thing: Moving, record: Array) -> Array:
    """Corridor of what does not move rigidly in one piece, and has this record."""
    if is_empty(thing.shape):
        return np.zeros(N_CORRIDOR)
    if thing.kind in DEFORMED:
        surface = in_space(thing).surface
        used, radius = surface.faces.reshape(-1), surface.thickness
        frames = thing.deforms.frames
        if len(frames) == 2 and radius == 0.0:
            return corridor_of_points(frames[0][used], frames[1][used])
        places = frames[:, used].reshape(-1, 3)
        return corridor_of_box(np.concatenate([places.min(axis=0) - radius, places.max(axis=0) + radius]))
    pieces = thing.rigid.rows()[0]
    held = corridors(np.repeat(record[np.newaxis], len(pieces), axis=0), pieces)
    boxes = swept_boxes(held, np.zeros(len(pieces)))
    return corridor_of_box(np.concatenate([boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)]))
