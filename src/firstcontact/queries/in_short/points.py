"""Points measured from a single shape at rest, in short: a few take less time than all that may be given."""

from typing import Any

import numpy as np

from firstcontact.answers.point_results import SignedDistances
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import RATE, ROTATION, VELOCITY
from firstcontact.motions.short_rows import N_SHORT, TRANSLATION
from firstcontact.proximity.points.signed_on_convex import signed_on_convex
from firstcontact.proximity.points.signed_on_mesh import Field, rule_of, signed_on_mesh
from firstcontact.shapes.convex import HULL, KIND
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

CONVEX, MESH = Kind.CONVEX, Kind.MESH

_HERE = np.eye(4)


def points_in_short(shape: Any, points: Array) -> SignedDistances | None:
    """Measure points, (3,) or (n, 3), from one shape at rest; None for all else."""
    pose, thing = None, shape
    if points.ndim > 2 or points.size == 0:
        return None
    if type(shape) is Moving:
        rows, thing = shape.rows, shape.shape
        if rows is None or len(rows) != N_SHORT or rows[VELOCITY : VELOCITY + 3].any() or rows[RATE]:
            return None
        pose = _pose(rows)
    kind = getattr(thing, "kind", None)
    if kind is CONVEX and thing.packed[KIND] == HULL:
        thing, sign = thing.mesh, "convex"
    elif kind is CONVEX:
        sign = "convex"
    elif kind is MESH:
        sign = ""
    else:
        return None
    rows_of_points = points.reshape(-1, 3)
    local = rows_of_points if pose is None else _seen_from(pose, rows_of_points)
    if thing.kind is CONVEX:
        field = signed_on_convex(thing.table, local)
    else:
        rule = rule_of(thing)
        field, sign = signed_on_mesh(thing, local, rule), sign or rule
    return _told(field, pose, points.ndim == 1, sign)


def _pose(rows: Array) -> Array | None:
    """The pose of a short row, (1, 4, 4), as the motion has it; None where it is the identity."""
    pose = np.zeros((1, 4, 4))
    pose[0, :3, :3] = rows[ROTATION : ROTATION + 9].reshape(3, 3)
    pose[0, :3, 3], pose[0, 3, 3] = rows[TRANSLATION : TRANSLATION + 3], 1.0
    return None if (pose[0] == _HERE).all() else pose


def turned(vectors: Array, columns: Array) -> Array:
    """Vectors (k, n, 3) times matrices (k, 3, 3), from the left; each by itself, however many there are."""
    x, y, z = (vectors[..., i : i + 1] for i in range(3))
    found: Array = (
        x * columns[:, np.newaxis, 0] + y * columns[:, np.newaxis, 1] + z * columns[:, np.newaxis, 2]
    )
    return found


def _seen_from(pose: Array, points: Array) -> Array:
    """Bring points (n, 3) into the frame of a shape: as at length, to the last bit."""
    local = turned(points[np.newaxis] - pose[:, np.newaxis, :3, 3], pose[:, :3, :3])
    return np.ascontiguousarray(local.reshape(-1, 3))


def _told(field: Field, pose: Array | None, is_single: bool, sign: str) -> SignedDistances:
    points, normals = field.points, field.normals
    if pose is not None:
        turn = pose[:, :3, :3].transpose(0, 2, 1)
        points = (turned(points[np.newaxis], turn) + pose[:, np.newaxis, :3, 3])[0]
        normals = turned(normals[np.newaxis], turn)[0]
    if is_single:
        return SignedDistances(float(field.distances[0]), points[0], int(field.faces[0]), normals[0], sign)
    return SignedDistances(field.distances, points, field.faces, normals, sign)
