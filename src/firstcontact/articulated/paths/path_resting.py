"""What touches where nothing moves: a look at each pair, without bounds of how far it can travel."""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.frames import NOUGHT, do_rest
from firstcontact.articulated.paths.inside_at_start import is_enclosed
from firstcontact.articulated.paths.mesh_clearance import Window, mesh_clearance
from firstcontact.articulated.paths.pair_gap import PART, convex_gap
from firstcontact.articulated.paths.path_types import (
    GAPS,
    LOOKED_AT,
    MESH_GAPS,
    PLACED,
    Hit,
    PathGoal,
    PathPiece,
    Work,
    goal_for,
    keep_record,
    place_piece,
)
from firstcontact.articulated.paths.shape_states import Approach, ball_gap, place_still
from firstcontact.bodies.mesh_table import IS_CLOSED, MeshTable
from firstcontact.narrowphase.convex.gjk import Precision


@kernel
def is_at_rest(piece: PathPiece) -> bool:
    """Does no frame move?"""
    return piece.joints is None and do_rest(piece.rows)


@kernel
def touch_at_rest(piece: PathPiece, meshes: MeshTable | None, whole: PathGoal, work: Work) -> Hit:
    """Find the first pair in contact: what `sift` finds of an interval that nothing travels in.

    Or, where there is none, the first of which one is inside the other, a closed mesh.

    An arm of seven joints among seven boxes takes a third of the time that it takes there.
    """
    shapes, pairs, shape_states = piece.shapes, piece.pairs, work.shape_states
    attachments, paddings, records = shapes.attachments, shapes.paddings, (work.records, work.n_records)
    middle, half = 0.5 * (whole.start + whole.end), 0.5 * (whole.end - whole.start)
    span, is_kept = (whole.start, whole.end), len(work.records) > 0
    place_piece(piece, len(piece.parents), middle, half, work.states)
    for i in range(len(attachments)):
        place_still(work.states, attachments, i, shape_states)
    work.counts[PLACED] += 1
    work.counts[LOOKED_AT] += len(pairs)
    n_clear = 0
    for p in range(len(pairs)):
        a, b = int(np.int64(pairs[p, 0])), int(np.int64(pairs[p, 1]))
        goal = goal_for(whole, paddings[p])
        gap = ball_gap(shape_states, attachments, a, b) - goal.margin
        if gap > 0.0:
            if is_kept:
                keep_record(records, p, span, middle, gap, 0.0, NOUGHT)
            continue
        pair = pairs[p]
        work.counts[GAPS] += 1
        precision = Precision(PART, goal.margin, goal.target)
        found = convex_gap(shapes.records, shapes.pool, shape_states, pair, work.guides[p], precision)
        gap = found.least - goal.margin
        if gap > 0.0:
            keep_record(records, p, span, middle, gap, 0.0, found.direction)
            continue
        if meshes is None or (shapes.meshes[a] < 0 and shapes.meshes[b] < 0):
            return Hit(p, whole.start, True)
        work.counts[MESH_GAPS] += 1
        window = Window(half, goal.margin, goal.target, True)
        still = Approach(NOUGHT, NOUGHT, NOUGHT, 0.0, 0.0)
        if mesh_clearance(shapes, meshes, shape_states, pair, still, window, work.stack).time < half:
            return Hit(p, whole.start, True)
        keep_record(records, p, span, middle, np.inf, 0.0, NOUGHT)  # no single gap proves it
        work.lists[n_clear] = p
        n_clear += 1
    return _first_enclosed(shapes, meshes, pairs, work, n_clear, whole.start)


@kernel
def _first_enclosed(
    shapes: Geometries, meshes: MeshTable | None, pairs: Ids, work: Work, n: int, start: float
) -> Hit:
    """Of the n pairs in the list, whose outlines meet, find one of which one is inside the other."""
    if meshes is None:
        return Hit(-1, np.inf, False)
    for k in range(n):
        p = int(np.int64(work.lists[k]))
        a, b = int(np.int64(pairs[p, 0])), int(np.int64(pairs[p, 1]))
        are_closed = _is_closed(meshes, shapes.meshes[a]), _is_closed(meshes, shapes.meshes[b])
        if (are_closed[0] or are_closed[1]) and is_enclosed(shapes, meshes, work, pairs[p], are_closed):
            return Hit(p, start, True)
    return Hit(-1, np.inf, False)


@kernel
def _is_closed(meshes: MeshTable, m: int) -> bool:
    """Is a mesh, -1 for none, closed?"""
    return m >= 0 and meshes.extents[m, IS_CLOSED] > 0
