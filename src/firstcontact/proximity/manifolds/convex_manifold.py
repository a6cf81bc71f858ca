"""Manifolds of pairs of convex shapes: where all features that face each other at a contact are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.proximity.manifolds.facing_features import (
    HEIGHT_A,
    HEIGHT_B,
    ID_A,
    KIND,
    N_FACING,
    SHAPE_SHAPE,
    Limits,
    Placed,
    keep_outline,
    list_facing,
)
from firstcontact.proximity.manifolds.facing_shape import N_PLANE, Ids, facing_shape
from firstcontact.proximity.manifolds.placed_features import (
    HEIGHT,
    U,
    V,
    frame_across,
    mark_facing,
    surface_at,
)
from firstcontact.scalar.vec3 import Vec3, dot
from firstcontact.shapes.convex import (
    CYLINDER,
    HALF,
    POINT,
    RADIUS,
    ConvexTable,
    convex_at,
    joined,
    origin_at,
    simple_table,
)
from firstcontact.shapes.convex import KIND as SHAPE_KIND
from firstcontact.shapes.convex_shape import ConvexShape, is_convex
from firstcontact.shapes.cores import support
from firstcontact.shapes.half_space import HalfSpace

# Columns of spans: where the points, edges and planes of a shape begin, how many, and how many are placed.
N_SPAN = 7

# Lines that pass a border by less than this, in units of a shape's size, meet it: rounding of placed points.
ROUNDING = 1e-12

# Columns of what is found: the pair, a point of a, one of b, the gap, kind and ids of features, the normal.
PAIR = 0
POINT_A = 1  # three
POINT_B = 4  # three
GAP = 7
FEATURES = 8  # three
NORMAL = 11  # three
N_MANIFOLD = 14


class ShapeTable(NamedTuple):
    """Shapes that face others: all points, edges and planes, spans of each, and its record in a table."""

    points: Array
    edges: Ids
    planes: Array
    spans: Ids
    records: Array
    pool: Array


class Meeting(NamedTuple):
    """Pairs of shapes (m, 2), poses of both (m, 2, 4, 4), a point and the normal of each (m, 3), how near."""

    shape_ids: Ids
    poses: Array
    points: Array
    normals: Array
    within: Array


class Frame(NamedTuple):
    """Two unit vectors across the normal of a contact, and the normal."""

    u: Vec3
    v: Vec3
    normal: Vec3


class Room(NamedTuple):
    """Memory for the points (2, n, 3), planes (2, m, N_PLANE) and marks (2, n) of two placed shapes."""

    points: Array
    planes: Array
    marks: Array


def shape_table(shapes: Sequence[ConvexShape | HalfSpace]) -> ShapeTable:
    """Put shapes into one table, in their order; a half-space has the record of a point."""
    facing = [facing_shape(shape) for shape in shapes]
    spans, at = np.zeros((len(shapes), N_SPAN), np.int64), np.zeros(3, np.int64)
    for row, shape in zip(spans, facing, strict=True):
        counts = [len(shape.points), len(shape.edges), len(shape.planes)]
        row[:3], row[3:6], row[6] = at, counts, shape.n_placed
        at += counts
    tables = [shape.table if is_convex(shape) else _point_table() for shape in shapes]
    table = joined(tables)
    points = np.concatenate([shape.points for shape in facing])
    edges = np.concatenate([shape.edges for shape in facing])
    planes = np.concatenate([shape.planes for shape in facing])
    return ShapeTable(points, edges, planes, spans, table.records, table.pool)


def _point_table() -> ConvexTable:
    return simple_table(POINT, (0.0, 0.0, 0.0), 0.0, 0.0)


def convex_manifolds(table: ShapeTable, meeting: Meeting) -> Array:
    """List all points of m contacts, (k, N_MANIFOLD), pair by pair: at least one of each."""
    most = table.spans[:, 3:6].max(axis=0, initial=1)
    n = int(most[0] + most[1])
    scratch = Room(np.zeros((2, n, 3)), np.zeros((2, int(most[2]), N_PLANE)), np.zeros((2, n)))
    room, capacity = 16 * len(meeting.points) + 64, 64
    while True:
        out = np.empty((room, N_MANIFOLD))
        n = write_manifolds(table, meeting, scratch, np.empty((capacity, N_FACING)), out)
        if n >= 0:
            return out[:n]
        room, capacity = 4 * room, 4 * capacity


@driver
def write_manifolds(table: ShapeTable, meeting: Meeting, room: Room, found: Array, out: Array) -> int:
    """Write the manifolds of all pairs; return how many points, -1 where there is no room."""
    n, order = 0, np.zeros(3 * len(found) + 2, np.int64)
    for i in range(len(meeting.points)):
        normal = meeting.normals[i, 0], meeting.normals[i, 1], meeting.normals[i, 2]
        u, v = frame_across(normal)
        frame = Frame(u, v, normal)
        m = _list_pair(table, meeting, i, frame, room, found, order)
        if m < 0 or n + m > len(out):
            return -1
        radius_a = table.records[meeting.shape_ids[i, 0], RADIUS]
        radius_b = table.records[meeting.shape_ids[i, 1], RADIUS]
        for k in range(m):
            row = out[n]
            row[PAIR], row[GAP] = i, found[k, HEIGHT_B] - found[k, HEIGHT_A] - radius_a - radius_b
            for c in range(3):
                across = meeting.points[i, c] + found[k, U] * u[c] + found[k, V] * v[c]
                row[POINT_A + c] = across + (found[k, HEIGHT_A] + radius_a) * normal[c]
                row[POINT_B + c] = across + (found[k, HEIGHT_B] - radius_b) * normal[c]
                row[FEATURES + c], row[NORMAL + c] = found[k, KIND + c], normal[c]
            n += 1
    return n


@kernel
def _list_pair(
    table: ShapeTable, meeting: Meeting, i: int, frame: Frame, room: Room, found: Array, order: Ids
) -> int:
    """List what of one pair faces each other, and keep the outline; -1 where there is no room."""
    a, b = _place(table, meeting, i, 0, frame, room), _place(table, meeting, i, 1, frame, room)
    top = _extent(table, meeting, i, 0, frame.normal, a)
    bottom = _extent(table, meeting, i, 1, frame.normal, b)
    slack, within = ROUNDING * _size(a, b), meeting.within[i]
    m = list_facing(a, b, Limits(bottom - top + within + slack, slack, within), found)
    if m < 0:
        return -1
    return keep_outline(found, _with_witness(found, m, top, bottom, 16.0 * slack), order, 4.0 * slack)


@kernel
def _with_witness(found: Array, m: int, top: float, bottom: float, slack: float) -> int:
    """Add the point of contact itself, where what is listed is not as near, as of smooth shapes."""
    for k in range(m):
        if found[k, HEIGHT_B] - found[k, HEIGHT_A] <= bottom - top + slack:
            return m
    if m == len(found):
        m -= 1
    found[m, U] = found[m, V] = 0.0
    found[m, HEIGHT_A], found[m, HEIGHT_B] = top, bottom
    found[m, KIND], found[m, ID_A], found[m, ID_A + 1] = SHAPE_SHAPE, -1, -1
    return m + 1


@kernel
def _size(a: Placed, b: Placed) -> float:
    """How far any placed point is from the contact, and 0 where there are none."""
    largest = 0.0
    for shape in (a, b):
        for k in range(shape.n_points):
            for c in range(3):
                largest = max(largest, abs(shape.points[k, c]))
    return largest


@kernel
def _extent(table: ShapeTable, meeting: Meeting, i: int, side: int, normal: Vec3, placed: Placed) -> float:
    """Height of a's highest point, or of b's lowest, from the contact; of a half-space, of its plane."""
    if placed.n_points == 0 and placed.n_planes > 0:
        _, height = surface_at(placed.planes, placed.n_planes, 1.0 if side == 0 else -1.0, 0.0, 0.0, 0.0)
        return height
    sign, pose, k = 1.0 if side == 0 else -1.0, meeting.poses[i, side], meeting.shape_ids[i, side]
    d = _turned_back(pose, normal, sign)
    far, origin = support(convex_at(table.records, k), table.pool, d), origin_at(table.records, k)
    own = far[0] + origin[0], far[1] + origin[1], far[2] + origin[2]
    height = 0.0
    for c in range(3):
        at = pose[c, 0] * own[0] + pose[c, 1] * own[1] + pose[c, 2] * own[2] + pose[c, 3]
        height += (at - meeting.points[i, c]) * normal[c]
    return height


@kernel
def _turned_back(pose: Array, n: Vec3, sign: float) -> Vec3:
    """A direction as the shape sees it, times a sign."""
    return (
        sign * (pose[0, 0] * n[0] + pose[1, 0] * n[1] + pose[2, 0] * n[2]),
        sign * (pose[0, 1] * n[0] + pose[1, 1] * n[1] + pose[2, 1] * n[2]),
        sign * (pose[0, 2] * n[0] + pose[1, 2] * n[1] + pose[2, 2] * n[2]),
    )


@kernel
def _place(table: ShapeTable, meeting: Meeting, i: int, side: int, frame: Frame, room: Room) -> Placed:
    """Place the points and planes of a shape in the frame of a contact."""
    u, v, n = frame
    points, planes, marks = room.points[side], room.planes[side], room.marks[side]
    k, pose, at = meeting.shape_ids[i, side], meeting.poses[i, side], meeting.points[i]
    span = table.spans[k]
    first, first_edge, first_plane, n_points, n_edges, n_planes = (
        span[0],
        span[1],
        span[2],
        span[3],
        span[4],
        span[5],
    )
    shift = pose[0, 3] - at[0], pose[1, 3] - at[1], pose[2, 3] - at[2]
    turned = _turned_back(pose, u, 1.0), _turned_back(pose, v, 1.0), _turned_back(pose, n, 1.0)
    moved = dot(shift, u), dot(shift, v), dot(shift, n)
    sign = 1.0 if side == 0 else -1.0
    for j in range(n_points):
        own = table.points[first + j, 0], table.points[first + j, 1], table.points[first + j, 2]
        if j >= n_points - span[6]:
            own = _on_side(table.records[k], turned[2], sign, j - (n_points - span[6]))
        for c in range(3):
            points[j, c] = dot(own, turned[c]) + moved[c]
    for j in range(n_planes):
        row = table.planes[first_plane + j]
        normal = row[0], row[1], row[2]
        for c in range(3):
            planes[j, c] = dot(normal, turned[c])
        planes[j, 3] = (
            row[3] + planes[j, U] * moved[0] + planes[j, V] * moved[1] + planes[j, HEIGHT] * moved[2]
        )
        planes[j, 4] = row[4]
    edges = table.edges[first_edge : first_edge + n_edges]
    mark_facing(edges, n_edges, planes, n_planes, sign, marks, n_points)
    return Placed(points, planes, edges, marks, n_points, n_planes, n_edges)


@kernel
def _on_side(record: Array, d: Vec3, sign: float, k: int) -> Vec3:
    """Point on a rim of a cylinder, the upper one second, or of a cone, farthest along a direction."""
    across = (d[0] * d[0] + d[1] * d[1]) ** 0.5
    part = sign * record[HALF] / across if across > 0.0 else 0.0
    height = record[HALF + 2] if record[SHAPE_KIND] == CYLINDER and k == 1 else -record[HALF + 2]
    return part * d[0], part * d[1], height
