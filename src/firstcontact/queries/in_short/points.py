"""Points measured from a single shape at rest, in short: a few take less time than all that may be given.

One point is one call of compiled code; who is named in the registry takes the shape, its rows of motion and
the point, and gives None for what is left to who answers about everything else.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from firstcontact._jit import NotPlainError
from firstcontact.answers.point_results import SignedDistances
from firstcontact.arrays import Array
from firstcontact.fields.field_points import look_at_point, packed_field
from firstcontact.fields.single_point import PackedOctree, value_of_point
from firstcontact.motions.rigid_motion import RATE, ROTATION, VELOCITY
from firstcontact.motions.short_rows import N_SHORT, TRANSLATION
from firstcontact.plain import Makers, UnderWay
from firstcontact.proximity.points.signed_on_convex import signed_on_convex
from firstcontact.proximity.points.signed_on_mesh import PSEUDONORMAL, Field, rule_of, signed_on_mesh
from firstcontact.proximity.points.single_point import (
    FACE,
    N_COLUMNS,
    NORMAL,
    POINT,
    measure_on_convex,
    measure_on_mesh,
    packed_points_of,
    packed_surface_of,
    winds_around_point,
)
from firstcontact.queries.look_up import alone_in_short
from firstcontact.queries.registry import POINTS
from firstcontact.shapes.convex import HULL, KIND, has_faces
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving

CONVEX, MESH = Kind.CONVEX, Kind.MESH

_HERE = np.eye(4)


def one_point_in_short(verb: str, shape: Any, point: Any) -> Any:
    """Ask about one point that is given in a plain array; None for all else."""
    if type(point) is not np.ndarray or point.ndim != 1:
        return None
    thing, rows, short = alone_in_short(verb, shape, POINTS)
    if short is None:
        return None
    try:
        return short(thing, rows, point)
    except NotPlainError:
        return None


def point_at_convex(shape: Any, rows: Array, point: Array) -> SignedDistances | None:
    """Measure a point from a convex shape; from a hull as from the mesh of its faces."""
    if has_faces(shape.packed):
        return _at_mesh(shape.mesh, rows, point, CONVEX_MAKERS)
    if shape.packed[KIND] == HULL:
        return None
    out = np.empty(N_COLUMNS)
    return _measured(CONVEX_MAKERS, measure_on_convex(shape.packed, rows, point, out), out)


def point_at_mesh(mesh: Any, rows: Array, point: Array) -> SignedDistances | None:
    """Measure a point from a mesh whose sides pseudonormals tell."""
    return _at_mesh(mesh, rows, point, MESH_MAKERS)


def point_at_field(field: Any, rows: Array, point: Array) -> SignedDistances | None:
    """Measure a point from the shape of a field."""
    out = np.empty(N_COLUMNS)
    return _measured(FIELD_MAKERS, look_at_point(*packed_field(field), rows, point, out), out)


def inside_convex(shape: Any, rows: Array, point: Array) -> bool | None:
    """Is a point inside a convex shape?"""
    if has_faces(shape.packed):
        return inside_mesh(shape.mesh, rows, point)
    if shape.packed[KIND] == HULL:
        return None
    return _is_below(measure_on_convex(shape.packed, rows, point, np.empty(N_COLUMNS)))


def inside_mesh(mesh: Any, rows: Array, point: Array) -> bool | None:
    """Is a point inside a mesh, or below a height field?"""
    if not mesh.has_inside:
        numbers, arrays = packed_points_of(mesh)
        if numbers.size == 0:
            return None
        return _is_below(measure_on_mesh(arrays, numbers, rows, point, np.empty(N_COLUMNS)))
    found = winds_around_point(*packed_surface_of(mesh), rows, point)
    return None if found < 0 else found > 0


def inside_field(field: Any, rows: Array, point: Array) -> bool | None:
    """Is a point inside the shape of a field?"""
    octree: PackedOctree = field.packed
    return _is_below(value_of_point(*octree, rows, point))


def _is_below(distance: float) -> bool | None:
    """Is a distance negative? None where it is NaN."""
    return distance < 0.0 if distance == distance else None


def _at_mesh(mesh: Any, rows: Array, point: Array, makers: Makers) -> SignedDistances | None:
    numbers, arrays = packed_points_of(mesh)
    if numbers.size == 0:
        return None
    out = np.empty(N_COLUMNS)
    return _measured(makers, measure_on_mesh(arrays, numbers, rows, point, out), out)


def _measured(makers: Makers, distance: float, out: Array) -> SignedDistances | None:
    """An answer that knows its distance, and makes all else when it is asked for; None for NaN."""
    if distance != distance:
        return None
    found: Any = UnderWay()
    found._later, found.distance = (makers, (out,)), distance
    found.__class__ = SignedDistances
    return cast(SignedDistances, found)


def _makers(sign: str) -> Makers:
    """Who makes the fields of what is found of one point; the distance is known already."""
    makers: dict[str, Callable[[Array], Any]] = {
        "points": lambda out: out[POINT:NORMAL].copy(),
        "faces": lambda out: int(out[FACE]),
        "normals": lambda out: out[NORMAL:FACE].copy(),
        "sign": lambda _: sign,
    }
    return makers


CONVEX_MAKERS = _makers("convex")
MESH_MAKERS, FIELD_MAKERS = _makers(PSEUDONORMAL), _makers("field")


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
    kind = thing.kind if isinstance(thing, Movable) and not thing.is_cloud and not thing.is_thick else None
    if kind is CONVEX and has_faces(thing.packed):
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
        field = signed_on_convex(thing, local)
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
    """Vectors (k, n, d) times matrices (k, d, d), from the left; each by itself, however many there are."""
    found: Array = vectors[..., :1] * columns[:, np.newaxis, 0]
    for i in range(1, vectors.shape[-1]):
        found = found + vectors[..., i : i + 1] * columns[:, np.newaxis, i]
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
