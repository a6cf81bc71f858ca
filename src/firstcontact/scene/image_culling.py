"""Pairs of a scene's bodies without those that images of their depth keep apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import AXIS, DEVIATION, POSITION, RATE
from firstcontact.raster.depth_images import N_POINTS, may_touch, shown
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.columns import Columns
from firstcontact.shapes.mesh import Mesh

Pairs = NDArray[np.int32]

# Corners of a box, by which end of each side they have.
CORNERS = np.array([[0, 1, 2], [3, 1, 2], [0, 4, 2], [3, 4, 2], [0, 1, 5], [3, 1, 5], [0, 4, 5], [3, 4, 5]])


class Parts(NamedTuple):
    """A body in parts, each the hull of points and all within a radius: (n, N_POINTS, 3) and (n,)."""

    points: Array
    radii: Array


def seen_pairs(bodies: Bodies, pairs: Pairs, boxes: Array, margins: Array) -> Pairs:
    """Leave out pairs (m, 2) that stay apart in an image; boxes and margins are those of the bodies."""
    others = np.flatnonzero(pairs[:, 0] != pairs[:, 1])
    if len(others) == 0:
        return pairs
    rows, places = np.unique(pairs[others], return_inverse=True)
    parts = [_parts_of(bodies, row, boxes[row], float(margins[row])) for row in rows.tolist()]
    firsts = np.cumsum([0, *(len(own.radii) for own in parts)])
    points, radii = (
        np.concatenate([own.points for own in parts]),
        np.concatenate([own.radii for own in parts]),
    )
    asked = np.ascontiguousarray(places.reshape(-1, 2).astype(np.int32))
    is_kept = np.ones(len(pairs), np.bool_)
    is_kept[others] = may_touch(shown(points, radii, firsts.astype(np.int64)), asked)
    return np.ascontiguousarray(pairs[is_kept])


def _parts_of(bodies: Bodies, row: int, box: Array, margin: float) -> Parts:
    """The faces of a mesh as they move, in one piece; of all else, the box that it sweeps."""
    thing, columns = bodies.thing(row), bodies.columns
    whole = Parts(box[CORNERS][np.newaxis], np.zeros(1))
    shape = thing.shape
    if type(shape) is not Mesh or shape.n_faces == 0:
        return whole
    if row in bodies.others:
        if not hasattr(thing.motion, "frames") or len(thing.deforms.frames) > 2:
            return whole
        around = 0.0
    else:
        around = _off_chord(columns, row, thing.vertices(0.0))
    start, end = thing.vertices(0.0)[shape.faces], thing.vertices(1.0)[shape.faces]
    points = np.concatenate([start, end, end[:, :1], end[:, :1]], axis=1)
    assert points.shape[1] == N_POINTS
    return Parts(points, np.full(len(points), margin + shape.thickness + around))


def _off_chord(columns: Columns, row: int, vertices: Array) -> float:
    """How far a vertex ever is from the straight way between its ends: x'' (1 - t) t / 2 at most.

    It turns around an axis, by the rate times its distance from that; a sixteenth more for rounding.
    """
    piece = columns.rows[row]
    arms = np.linalg.norm(np.cross(piece[AXIS : AXIS + 3], vertices - piece[POSITION : POSITION + 3]), axis=1)
    turned = float(piece[RATE])
    return 1.0625 * turned * turned * float(arms.max()) / 8.0 + float(piece[DEVIATION])
