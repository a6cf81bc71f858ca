"""What is inside a closed mesh: what it winds around."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._validate import as_vertices
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.mesh_parts import FEW_PARTS, is_closed, parts_as_points, parts_of, witnesses
from firstcontact.bodies.packed_body import wide_body_in
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody, node_stack, wide_body_of
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.bounds.swept_sphere_gap import placed
from firstcontact.motions.relative_motion import placement_at, relative_motion
from firstcontact.motions.short_rows import pieces_in
from firstcontact.proximity.distance.mesh_distance import mesh_intersections
from firstcontact.proximity.touching.surrounds import surrounds, surrounds_beyond, winds_around
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, sub
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape

# Points, or pairs of poses, from which several threads are worth their start.
WORTH_A_THREAD = 8


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
    return _marked(mesh, points, False)


def contains_by_angles(mesh: Mesh, points: ArrayLike) -> NDArray[np.bool_]:
    """The same by the solid angles of all triangles, seen from each: slow, with no tree to trust."""
    return _marked(mesh, points, True)


def _marked(mesh: Mesh, points: ArrayLike, by_angles: bool) -> NDArray[np.bool_]:
    """Which of the points are inside?"""
    body = wide_body_of(mesh)
    seen = as_vertices(points, "points") - body.origin
    is_inside = np.zeros(len(seen), np.bool_)

    def task(first: int, last: int) -> None:
        _mark_points(body, seen, by_angles, is_inside, first, last)

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
    for one, other, rows, rows_other in ((mesh_a, mesh_b, rows_a, rows_b), (mesh_b, mesh_a, rows_b, rows_a)):
        if not other.is_cloud:
            _mark_parts(one, other, rows, rows_other, is_inside)
    return is_inside


def _mark_parts(
    mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array, is_inside: NDArray[np.bool_]
) -> None:
    """Mark the poses at which a part of a is inside b."""
    seen, body = parts_of(mesh_a).witnesses, wide_body_of(mesh_b)
    origin = body_of(mesh_a).origin

    def task(first: int, last: int) -> None:
        if len(seen) > FEW_PARTS:
            many = wide_body_of(parts_as_points(mesh_a))
            _mark_many(many, body, rows_a, rows_b, is_inside, (first, last))
        else:
            _mark_poses(origin, seen - origin, body, rows_a, rows_b, is_inside, (first, last))

    on_ranges(task, len(is_inside), WORTH_A_THREAD)


def solids_touch(mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array) -> NDArray[np.bool_]:
    """Have two closed meshes, as solids, a common point? Rows as for `contained`."""
    touches = mesh_intersections(wide_body_of(mesh_a), wide_body_of(mesh_b), rows_a, rows_b)
    return or_contained(touches, mesh_a, mesh_b, rows_a, rows_b)


def or_contained(
    touches: NDArray[np.bool_], mesh_a: Mesh, mesh_b: Mesh, rows_a: Array, rows_b: Array
) -> NDArray[np.bool_]:
    """Of closed meshes whose surfaces touch in some poses, the same as solids: one may be in the other."""
    apart = np.flatnonzero(~touches)
    if len(apart) > 0:
        rows_a, rows_b = (rows[apart] if len(rows) > 1 else rows for rows in (rows_a, rows_b))
        touches[apart] = contained(mesh_a, mesh_b, rows_a, rows_b)[: len(apart)]
    return touches


def witnesses_of(shape: Shape) -> Array | None:
    """The origin of a solid, and a point of each of its parts as seen from there.

    None of an open mesh, and where there are too many parts to look at one by one.

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
    if not is_closed(mesh) or len(parts_of(mesh).witnesses) > FEW_PARTS:
        return None
    origin = np.array(body_of(mesh).origin)
    return np.concatenate([[origin], parts_of(mesh).witnesses - origin])


@driver
def is_witness_within(points: Array, rows_a: Array, numbers: Array, links: Ids, rows_b: Array) -> bool:
    """Is a witness of a body, after its origin in these points, inside another, which is packed?"""
    body, is_inside = wide_body_in(numbers, links), np.zeros(1, np.bool_)
    origin, first = (points[0, 0], points[0, 1], points[0, 2]), int(np.int64(0))
    one, other = pieces_in(rows_a)[:1], pieces_in(rows_b)[:1]
    _mark(origin, points[1:], body, one, other, is_inside, (first, first + 1))
    return bool(is_inside[0])


@driver
def _mark_points(
    body: WideBody, points: Array, by_angles: bool, is_inside: NDArray[np.bool_], first: int, last: int
) -> None:
    stack = node_stack(body.depth)
    for i in range(first, last):
        point = points[i, 0], points[i, 1], points[i, 2]
        if by_angles:
            is_inside[i] = winds_around(body.triangles, body.reach, point)
        else:
            is_inside[i] = surrounds(body, point, stack)


@driver
def _mark_poses(
    origin: Vec3,
    points: Array,
    body: WideBody,
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
    body: WideBody,
    rows_a: Array,
    rows_b: Array,
    is_inside: NDArray[np.bool_],
    span: tuple[int, int],
) -> None:
    """Mark the poses at which a point of a, seen from its origin, is inside the body b."""
    stack = node_stack(body.depth)
    for i in range(span[0], span[1]):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        place = placement_at(relative_motion(row_a, row_b, origin, body.origin), 0.0)
        for k in range(len(points)):
            if not is_inside[i]:
                point = points[k, 0], points[k, 1], points[k, 2]
                seen = add(place.offset, mat_vec(place.rotation, point))
                is_inside[i] = surrounds(body, seen, stack)


@driver
def _mark_many(
    many: WideBody,
    mesh: WideBody,
    rows_a: Array,
    rows_b: Array,
    is_inside: NDArray[np.bool_],
    span: tuple[int, int],
) -> None:
    """Mark the poses at which one of many points, who are a, is inside a mesh, which is b."""
    stack = node_stack(many.depth + mesh.depth)
    for i in range(span[0], span[1]):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        place = placement_at(relative_motion(row_b, row_a, mesh.origin, many.origin), 0.0)
        is_inside[i] = is_inside[i] or holds_any(mesh, many, place.rotation, place.offset, stack)


@kernel
def holds_any(mesh: WideBody, many: WideBody, rotation: Mat3, offset: Vec3, stack: NodeStack) -> bool:
    """Is a triangle of many, which may be points, inside a closed mesh? None may touch its surface.

    The stack has room for both trees.

    rotation, offset : where the mesh is as seen from the many
    """
    around, back = placed(volume_of(mesh.volumes, 0), rotation, offset), transposed(rotation)
    waiting, measured = stack.waiting, stack.measured
    waiting[0], n = 0, 1
    while n > 0:
        n -= 1
        block = many.blocks_of[waiting[n]]
        if block < 0:
            corner = triangle_of(many.triangles, ~block)[0]
            if surrounds_beyond(mesh, mat_vec(back, sub(corner, offset)), stack, n):
                return True
            continue
        measure_block(around, many.blocks[block], measured)
        for k in range(WIDTH):
            if measured[k] <= 0.0:
                waiting[n] = many.nodes[block, k]
                n += 1
    return False
