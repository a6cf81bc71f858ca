"""What is inside a closed mesh, by winding numbers: the solid angles of all triangles, seen from a point."""

from math import atan2, frexp, ldexp, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._validate import as_vertices
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bodies.mesh_parts import is_closed, parts_of, witnesses
from firstcontact.bodies.packed_body import body_in
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.motions.relative_motion import placement_at, relative_motion
from firstcontact.motions.short_rows import pieces_in
from firstcontact.proximity.distance.mesh_distance import mesh_intersections
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape

# Points, or pairs of poses, from which several threads are worth their start.
WORTH_A_THREAD = 8

# A denormal times two to this is far from one.
LARGEST_EXPONENT = 1000


def contains(mesh: Mesh, points: ArrayLike) -> NDArray[np.bool_]:
    """Which of the points (n, 3) are inside a closed mesh? On the surface itself the answer may be either.

    Inside is where the surface winds around a point, in either direction: of a hollow ball, the wall.

    Examples
    --------
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> tetrahedron = Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> contains(tetrahedron, [[0.1, 0.1, 0.1], [1, 1, 1]]).tolist()
    [True, False]
    >>> contains(Mesh([], []), [[0, 0, 0]]).tolist()
    [False]
    """
    body = body_of(mesh)
    seen = as_vertices(points, "points") - body.origin
    is_inside = np.zeros(len(seen), np.bool_)

    def task(first: int, last: int) -> None:
        _mark_points(body, seen, is_inside, first, last)

    on_ranges(task, len(seen), WORTH_A_THREAD)
    return is_inside


def witness_inside(shape: Shape, mesh: Mesh, pose_a: Array, pose_b: Array, n: int) -> NDArray[np.bool_]:
    """Is a convex shape, which does not touch it, inside a closed mesh, (n,)? Poses (4, 4) or (n, 4, 4)."""
    of_shape, of_mesh = np.broadcast_to(pose_a, (n, 4, 4)), np.broadcast_to(pose_b, (n, 4, 4))
    point = of_shape[:, :3, :3] @ witnesses(shape)[0] + of_shape[:, :3, 3] - of_mesh[:, :3, 3]
    return contains(mesh, np.einsum("nij,ni->nj", of_mesh[:, :3, :3], point))


def contained(mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array) -> NDArray[np.bool_]:
    """Is any connected part of one closed mesh inside the other? For meshes whose surfaces do not cross.

    Bodies are at rest: rows (n, 26) of each motion, or (1, 26) for all.
    """
    is_inside = np.zeros(len(rows_b) if len(rows_a) == 1 else len(rows_a), np.bool_)
    body_a, body_b = body_of(mesh_a), body_of(mesh_b)
    seen_a, seen_b = parts_of(mesh_a).witnesses - body_a.origin, parts_of(mesh_b).witnesses - body_b.origin

    def task(first: int, last: int) -> None:
        _mark_poses(body_a.origin, seen_a, body_b, rows_a, rows_b, is_inside, (first, last))
        _mark_poses(body_b.origin, seen_b, body_a, rows_b, rows_a, is_inside, (first, last))

    on_ranges(task, len(is_inside), WORTH_A_THREAD)
    return is_inside


def solids_touch(mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array) -> NDArray[np.bool_]:
    """Have two closed meshes, as solids, a common point? Rows as for `contained`."""
    touches = mesh_intersections(wide_body_of(mesh_a), wide_body_of(mesh_b), rows_a, rows_b)
    apart = np.flatnonzero(~touches)
    if len(apart) > 0:
        rows_a, rows_b = (rows[apart] if len(rows) > 1 else rows for rows in (rows_a, rows_b))
        touches[apart] = contained(mesh_a, mesh_b, rows_a, rows_b)[: len(apart)]
    return touches


def witnesses_of(shape: Shape) -> Array | None:
    """The origin of a solid, and a point of each of its parts as seen from there; None of an open mesh.

    Worked out once.
    """
    known = shape.kept
    if "witnesses" not in known:
        known["witnesses"] = _witnesses(shape)
    found: Array | None = known["witnesses"]
    return found


def _witnesses(shape: Shape) -> Array | None:
    if shape.kind is Kind.CONVEX:
        return np.concatenate([np.zeros((1, 3)), witnesses(shape)])
    mesh = as_mesh(shape)
    if not is_closed(mesh):
        return None
    origin = np.array(body_of(mesh).origin)
    return np.concatenate([[origin], parts_of(mesh).witnesses - origin])


@driver
def is_witness_within(points: Array, rows_a: Array, numbers: Array, links: Ids, rows_b: Array) -> bool:
    """Is a witness of a body, after its origin in these points, inside another, which is packed?"""
    body, is_inside = body_in(numbers, links), np.zeros(1, np.bool_)
    origin, first = (points[0, 0], points[0, 1], points[0, 2]), int(np.int64(0))
    one, other = pieces_in(rows_a)[:1], pieces_in(rows_b)[:1]
    _mark(origin, points[1:], body, one, other, is_inside, (first, first + 1))
    return bool(is_inside[0])


@driver
def _mark_points(body: Body, points: Array, is_inside: NDArray[np.bool_], first: int, last: int) -> None:
    for i in range(first, last):
        is_inside[i] = winds_around(body.triangles, body.reach, (points[i, 0], points[i, 1], points[i, 2]))


@driver
def _mark_poses(
    origin: Vec3,
    points: Array,
    body: Body,
    rows_a: Array,
    rows_b: Array,
    is_inside: NDArray[np.bool_],
    span: tuple[int, int],
) -> None:
    _mark(origin, points, body, rows_a, rows_b, is_inside, span)


@kernel
def _mark(
    origin: Vec3,
    points: Array,
    body: Body,
    rows_a: Array,
    rows_b: Array,
    is_inside: NDArray[np.bool_],
    span: tuple[int, int],
) -> None:
    """Mark the poses at which a point of a, seen from its origin, is inside the body b."""
    for i in range(span[0], span[1]):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        place = placement_at(relative_motion(row_a, row_b, origin, body.origin), 0.0)
        for k in range(len(points)):
            if not is_inside[i]:
                point = points[k, 0], points[k, 1], points[k, 2]
                seen = add(place.offset, mat_vec(place.rotation, point))
                is_inside[i] = winds_around(body.triangles, body.reach, seen)


@kernel
def winds_around(triangles: Array, reach: float, point: Vec3) -> bool:
    """Do the triangles (n, 9) of a closed body of this reach wind around a point? Seen from its origin."""
    if norm(point) > reach:
        return False
    # In units of the body's size, products of three lengths neither overflow nor underflow.
    factor = ldexp(1.0, min(-frexp(reach)[1], LARGEST_EXPONENT))
    angle = 0.0
    for i in range(len(triangles)):
        a, b, c = triangle_of(triangles, i)
        x, y, z = scale(factor, sub(a, point)), scale(factor, sub(b, point)), scale(factor, sub(c, point))
        angle += _half_solid_angle(x, y, z)
    # One turn is 4 pi of solid angle; the sum is a whole number of them, but for rounding.
    return abs(angle) > pi


@kernel
def _half_solid_angle(a: Vec3, b: Vec3, c: Vec3) -> float:
    """Half the solid angle of a triangle, seen from 0 (Van Oosterom and Strackee 1983)."""
    x, y, z = norm(a), norm(b), norm(c)
    return atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y)
