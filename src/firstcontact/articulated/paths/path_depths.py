"""For how long shapes of a robot and its world stay in contact, as seen from a time.

Two that are so deep in each other that no speed takes them apart, or one of which is inside the other, a
closed mesh, and as far from its surface.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.closest_links import pair_distance
from firstcontact.articulated.paths.frames import place_frames, reach_of
from firstcontact.articulated.paths.inside_at_start import is_enclosed
from firstcontact.articulated.paths.pair_gap import relative_pose, seen_from_mesh, standing
from firstcontact.articulated.paths.path_types import PathPiece, Work
from firstcontact.articulated.paths.shape_states import (
    BALL,
    FRAME,
    MIDDLE,
    STAMP,
    ball_gap,
    place_shape,
    vector_at,
)
from firstcontact.bodies.mesh_table import IS_CLOSED, MeshTable, mesh_at
from firstcontact.narrowphase.convex.overlap_depth import least_depth
from firstcontact.proximity.touching.firm_depths import DepthRoom, deepest_triangle, firmest_crossing
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import add, sub
from firstcontact.shapes.convex import convex_at, origin_at

# How much longer than a depth is known to last a second look is.
LONGER = 2.0


class Hidden(NamedTuple):
    """What counts for nothing: of a depth, by rounding and deviation; of hulls, what they hold besides."""

    rounding: float
    hidden: float
    hulls: float


@kernel
def place_all(piece: PathPiece, work: Work, t: float) -> None:
    """Place all shapes at a time."""
    place_frames(piece.rows, piece.parents, t, work.states)
    for k in range(len(piece.shapes.attachments)):
        place_shape(work.states, piece.parents, piece.shapes.attachments, k, 0.0, work.shape_states)
        work.shape_states[k, STAMP] = np.nan


@kernel
def enclosed_pair(piece: PathPiece, meshes: MeshTable | None, work: Work, t: float) -> int:
    """The first pair one of which is inside the other, a closed mesh, at a time; -1 where none is."""
    if meshes is not None:
        shapes = piece.shapes
        place_all(piece, work, t)
        for p in range(len(piece.pairs)):
            are_closed = _closed(shapes, meshes, piece.pairs[p])
            if not ((are_closed[0] or are_closed[1]) and _is_near(piece, work, p)):
                continue
            if is_enclosed(shapes, meshes, work, piece.pairs[p], are_closed):
                return p
    return int(np.int64(-1))


@kernel
def longest_contact(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    room: DepthRoom,
    t: float,
    longest: float,
    hidden: Hidden,
) -> float:
    """How long, before and after a time, any pair is proven to stay in contact; 0 where none is.

    Infinite from the longest time on that matters.
    """
    place_all(piece, work, t)
    time = 0.0
    for p in range(len(piece.pairs)):
        if time >= longest:
            return INFINITY
        if not _is_near(piece, work, p):
            continue
        depth = padded_depth(piece, meshes, work, p, hidden, room)
        if not depth > 0.0 and meshes is not None:
            depth = _depth_inside(piece.shapes, meshes, work, piece.pairs[p], hidden)
        if depth > 0.0:
            time = max(time, _lasting(piece, work, p, depth, longest))
    return time if time < longest else INFINITY


@kernel
def padded_depth(
    piece: PathPiece, meshes: MeshTable | None, work: Work, p: int, hidden: Hidden, room: DepthRoom
) -> float:
    """How deep a pair is in each other with its padding, less what may be hidden of it; below 0 if apart."""
    shapes, pair, padding = piece.shapes, piece.pairs[p], float(piece.shapes.paddings[p])
    depth = pair_depth(shapes, meshes, work, pair, hidden, room)
    if padding == 0.0:
        return depth
    # What of the padding no distance takes up is depth, whether the shapes themselves touch or not.
    left = padding - pair_distance(shapes, meshes, work, pair, INFINITY, hidden.rounding)
    return max(depth, left - hidden.hidden - hidden.hulls)


@kernel
def pair_depth(
    shapes: Geometries, meshes: MeshTable | None, work: Work, pair: Ids, hidden: Hidden, room: DepthRoom
) -> float:
    """How deep a pair that is placed is in each other, less what may be hidden of it."""
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    if meshes is not None and (shapes.meshes[a] >= 0 or shapes.meshes[b] >= 0):
        depth = _depth_in_mesh(shapes, meshes, work, pair, hidden.rounding, room)
    else:
        frame = relative_pose(work.shape_states, a, b)
        one, other, pool = convex_at(shapes.records, a), convex_at(shapes.records, b), shapes.pool
        depth = least_depth(one, other, pool, pool, frame, room.numbers, room.links)
    return depth - hidden.hidden - hidden.hulls


@kernel
def _depth_in_mesh(
    shapes: Geometries, meshes: MeshTable, work: Work, pair: Ids, rounding: float, room: DepthRoom
) -> float:
    a, b, states = int(np.int64(pair[0])), int(np.int64(pair[1])), work.shape_states
    if shapes.meshes[b] < 0:
        a, b = b, a
    mesh = mesh_at(meshes, int(np.int64(shapes.meshes[b])))
    rotation, offset = seen_from_mesh(shapes.records, mesh.origin, states, a, b)
    if shapes.meshes[a] < 0:
        place = standing(rotation, offset)
        return deepest_triangle(convex_at(shapes.records, a), shapes.pool, mesh, place, work.stack, room)
    other = mesh_at(meshes, int(np.int64(shapes.meshes[a])))
    offset = add(offset, mat_vec(rotation, sub(other.origin, origin_at(shapes.records, a))))
    return firmest_crossing(other, mesh, standing(rotation, offset), rounding, work.stack)


@kernel
def _depth_inside(shapes: Geometries, meshes: MeshTable, work: Work, pair: Ids, hidden: Hidden) -> float:
    """How far one of a pair, inside the other, is from its surface, less what may be hidden of it."""
    are_closed = _closed(shapes, meshes, pair)
    if not (are_closed[0] or are_closed[1]):
        return 0.0
    if not is_enclosed(shapes, meshes, work, pair, are_closed):
        return 0.0
    return pair_distance(shapes, meshes, work, pair, INFINITY, hidden.rounding) - hidden.hidden


@kernel
def _lasting(piece: PathPiece, work: Work, p: int, depth: float, longest: float) -> float:
    """How long no speed undoes a depth, before or after: the shorter the time, the lower its speeds."""
    time = min(_covered(depth, _speed(piece, work, p, longest)), longest)
    span = min(LONGER * time, longest)
    return max(time, min(_covered(depth, _speed(piece, work, p, span)), span))


@kernel
def _covered(depth: float, speed: float) -> float:
    return depth / speed if speed > 0.0 else INFINITY


@kernel
def _speed(piece: PathPiece, work: Work, p: int, span: float) -> float:
    """No two points of a pair part faster, over a time either way, as seen from a frame that carries both."""
    base, speed = int(np.int64(piece.pairs[p, 2])), 0.0
    for side in range(2):
        k = int(np.int64(piece.pairs[p, side]))
        speed += fastest_of(piece, work, k, base, span)
    return speed


@kernel
def fastest_of(piece: PathPiece, work: Work, k: int, base: int, span: float) -> float:
    """No point of a shape that is placed is faster, over a time either way, as seen from a base."""
    x: Array = piece.shapes.attachments[k]
    middle = vector_at(work.shape_states, k, MIDDLE)
    return reach_of(work.states, piece.parents, int(x[FRAME]), base, middle, x[BALL], span).speed


@kernel
def _is_near(piece: PathPiece, work: Work, p: int) -> bool:
    a, b = int(np.int64(piece.pairs[p, 0])), int(np.int64(piece.pairs[p, 1]))
    return bool(ball_gap(work.shape_states, piece.shapes.attachments, a, b) <= piece.shapes.paddings[p])


@kernel
def _closed(shapes: Geometries, meshes: MeshTable, pair: Ids) -> tuple[bool, bool]:
    """Which of a pair are closed meshes."""
    a, b = shapes.meshes[pair[0]], shapes.meshes[pair[1]]
    return a >= 0 and meshes.extents[a, IS_CLOSED] > 0, b >= 0 and meshes.extents[b, IS_CLOSED] > 0
