"""Bodies in pieces, as a search against a field takes them apart: boxes of a solid, triangles of a surface.

A piece is a row of numbers and a number of its own. That is the node of a mesh's tree, or -1 less the number
of a triangle, whose corners, or those of a part of it, are in the row; a box has -1.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.placed_triangle import N_TRIANGLE, radius_of
from firstcontact.bounds.swept_sphere import N_COLUMNS as N_VOLUME
from firstcontact.fields.seen_field import SeenField, no_field
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import HALF, N_COLUMNS, ORIGIN, RADIUS, REACH
from firstcontact.shapes.convex_shape import ConvexShape, as_convex
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import Shape

# What a body is: a convex shape, a field, a mesh that moves rigidly, a mesh whose vertices go straight.
SOLID, SAMPLED, SURFACE, LINES = range(4)

# Columns of a piece: a box's middle and half sizes; a triangle's corners at t = 0, their velocities, and the
# radius around it.
MIDDLE, HALF_SIZES, CORNERS, WAYS, AROUND, N_PIECE = 0, 3, 0, 9, 18, 19

BOX_ID = -1


class Pieces(NamedTuple):
    """A body, all counted from its origin; what one of its kind does not have is empty.

    records, pool : of a convex shape, as in a `ConvexTable`
    own : a field
    middle, half : the box around a solid's core
    children, volumes, triangles, order : the tree of a mesh, as in `Body`
    ways : (n, 9) velocities of the corners of triangles, for those that do not move rigidly
    reach, radius : no point of the pieces is farther from the origin; and how far the body goes beyond them,
        beside the radii of triangles
    skin : how far a convex shape goes beyond its core, where pieces are of the whole of it
    speed : no vertex is faster, in the body's own frame
    """

    kind: int
    records: Array
    pool: Array
    own: SeenField
    middle: Vec3
    half: Vec3
    children: Ids
    volumes: Array
    triangles: Array
    ways: Array
    order: Ids
    origin: Vec3
    reach: float
    radius: float
    skin: float
    speed: float


def nothing(field: SeenField) -> Pieces:
    """A body that has nothing yet, to be met by a field."""
    zero = 0.0, 0.0, 0.0
    return Pieces(
        SURFACE,
        np.zeros((1, N_COLUMNS)),
        np.empty(0),
        no_field(field),
        zero,
        zero,
        np.empty((0, 2), np.int32),
        np.empty((0, N_VOLUME)),
        np.empty((0, N_TRIANGLE)),
        np.empty((0, 9)),
        np.empty(0, np.int32),
        zero,
        0.0,
        0.0,
        0.0,
        0.0,
    )


def pieces_of_convex(shape: Shape, field: SeenField, separation: float) -> Pieces:
    """A convex shape, to be met by a field.

    Its core is taken apart, as long as that touches while it is in the field's box; else all of the shape.
    """
    convex = as_convex(shape)
    records, pool = convex.table
    record = records[0]
    half, radius, reach = half_of_core(convex), float(record[RADIUS]), float(record[REACH])
    skin = radius if radius + separation > field.margin else 0.0
    x, y, z = record[ORIGIN:].tolist()
    a, b, c = ((half + skin) * (1.0 + 2.0**-50)).tolist()
    return nothing(field)._replace(
        kind=SOLID,
        records=records,
        pool=pool,
        half=(a, b, c),
        origin=(x, y, z),
        reach=reach + skin,
        radius=radius - skin,
        skin=skin,
    )


def half_of_core(shape: ConvexShape) -> Array:
    """Half the sizes of a box around a core, (3,), with its origin in the middle."""
    half: Array = shape.table.records[0, HALF:RADIUS]
    return half


def pieces_of_field(own: SeenField, field: SeenField) -> Pieces:
    """A field, to be met by another."""
    lower, upper = np.array(own.lower), np.array(own.upper)
    x, y, z = (0.5 * (lower + upper)).tolist()
    a, b, c = (0.5 * (upper - lower) * (1.0 + 2.0**-50)).tolist()
    return nothing(field)._replace(
        kind=SAMPLED,
        own=own,
        middle=(x, y, z),
        half=(a, b, c),
        origin=own.origin,
        reach=own.reach,
    )


def pieces_of_mesh(mesh: Mesh, field: SeenField) -> Pieces:
    """A mesh that moves rigidly, to be met by a field."""
    body = body_of(mesh)
    return nothing(field)._replace(
        children=body.children,
        volumes=body.volumes,
        triangles=body.triangles,
        order=body.order,
        origin=body.origin,
        reach=body.reach,
    )


def pieces_of_lines(ends: tuple[Array, Array], mesh: Mesh, field: SeenField) -> Pieces:
    """A mesh whose vertices go straight between their places at both ends, to be met by a field."""
    faces = mesh.faces
    if len(faces) == 0:
        return nothing(field)._replace(kind=LINES)
    corners, after = (places[faces].reshape(-1, 9) for places in ends)
    both = np.concatenate([corners, after]).reshape(-1, 3)
    middle = 0.5 * (both.min(axis=0) + both.max(axis=0))
    ways = np.ascontiguousarray(after - corners)
    reach = (float(np.linalg.norm(both - middle, axis=1).max()) + mesh.thickness) * (1.0 + 2.0**-48)
    x, y, z = middle.tolist()
    return nothing(field)._replace(
        kind=LINES,
        triangles=np.column_stack([corners - np.tile(middle, 3), mesh.radii]),
        ways=ways,
        order=np.arange(len(faces), dtype=np.int32),
        origin=(x, y, z),
        reach=reach,
        speed=float(np.linalg.norm(ways.reshape(-1, 3), axis=1).max()) * (1.0 + 2.0**-48),
    )


@kernel
def n_roots(body: Pieces) -> int:
    """How many pieces a search begins with."""
    if body.kind == LINES:
        return len(body.triangles)
    return 1 if body.kind <= SAMPLED or len(body.children) > 0 else 0


@kernel
def write_root(body: Pieces, root: int, row: Array) -> int:
    """Write one of the pieces that a search begins with; return its number."""
    if body.kind == LINES:
        return write_triangle(body, root, row)
    if body.kind == SURFACE:
        return 0
    for k in range(3):
        row[MIDDLE + k], row[HALF_SIZES + k] = body.middle[k], body.half[k]
    return BOX_ID


@kernel
def write_triangle(body: Pieces, i: int, row: Array) -> int:
    """Write a whole triangle; return its number as a piece."""
    for k in range(9):
        row[CORNERS + k] = body.triangles[i, k]
        row[WAYS + k] = body.ways[i, k] if body.kind == LINES else 0.0
    row[AROUND] = radius_of(body.triangles, i)
    return -1 - i


@kernel
def radius_around(body: Pieces, triangle: int) -> float:
    """How far a body goes beyond one of its triangles; or, of none, beyond its pieces."""
    return body.radius + (radius_of(body.triangles, triangle) if triangle >= 0 else 0.0)


@kernel
def split(body: Pieces, rows: Array, ids: Keys, i: int, j: int) -> None:
    """Put one half of a piece in its place, and the other one in another."""
    node = ids[i]
    if body.kind <= SAMPLED:
        _split_box(rows[i], rows[j])
        ids[j] = BOX_ID
    elif node >= 0:
        for k in range(2):
            place, child = (j if k else i), int(body.children[node, k])
            ids[place] = child
            if body.children[child, 0] < 0:
                ids[place] = write_triangle(body, ~int(body.children[child, 0]), rows[place])
    else:
        _split_triangle(rows[i], rows[j])
        ids[j] = node


@kernel
def _split_box(row: Array, other: Array) -> None:
    """Cut a box across its longest side."""
    axis = 0
    for k in range(1, 3):
        axis = k if row[HALF_SIZES + k] > row[HALF_SIZES + axis] else axis
    for k in range(6):
        other[k] = row[k]
    half = 0.5 * row[HALF_SIZES + axis]
    row[HALF_SIZES + axis] = other[HALF_SIZES + axis] = half
    row[MIDDLE + axis] -= half
    other[MIDDLE + axis] += half


@kernel
def _split_triangle(row: Array, other: Array) -> None:
    """Cut a triangle across its longest edge, at t = 0 or at t = 1."""
    longest, edge = -1.0, 0
    for k in range(3):
        first, last = 3 * k, 3 * ((k + 1) % 3)
        before = after = 0.0
        for i in range(3):
            d = row[CORNERS + last + i] - row[CORNERS + first + i]
            e = d + (row[WAYS + last + i] - row[WAYS + first + i])
            before, after = before + d * d, after + e * e
        if max(before, after) > longest:
            longest, edge = max(before, after), k
    first, last, third = 3 * edge, 3 * ((edge + 1) % 3), 3 * ((edge + 2) % 3)
    is_first, is_last = _is_one_corner(row, third, first), _is_one_corner(row, third, last)
    for k in range(N_PIECE):
        other[k] = row[k]
    for part in (CORNERS, WAYS):
        for i in range(3):
            middle = 0.5 * (row[part + first + i] + row[part + last + i])
            row[part + last + i] = other[part + first + i] = middle
            # A segment has one end twice: so have its halves.
            if is_first:
                other[part + third + i] = middle
            elif is_last:
                row[part + third + i] = middle


@kernel
def _is_one_corner(row: Array, one: int, other: int) -> bool:
    """Are two corners of a triangle at one place, always?"""
    for i in range(3):
        if row[CORNERS + one + i] != row[CORNERS + other + i] or row[WAYS + one + i] != row[WAYS + other + i]:
            return False
    return True
