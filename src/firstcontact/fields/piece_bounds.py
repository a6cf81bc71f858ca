"""How near a piece of a body can be to the shape of a field, at an instant, and how near it is at least.

The proofs are in docs/fields.md, section "Contacts with a field". All of them bound the true distance, to the
shape that the field was made of, over all points of a piece.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.bounds.swept_sphere import CENTER
from firstcontact.bounds.swept_sphere import REACH as VOLUME_REACH
from firstcontact.fields.field_values import unit_or
from firstcontact.fields.pieces import AROUND, CORNERS, HALF_SIZES, MIDDLE, SAMPLED, WAYS, Pieces
from firstcontact.fields.seen_field import UP, Around, SeenField, around, least_at
from firstcontact.narrowphase.convex.gjk import Precision, RelativePose, closest_convex_convex
from firstcontact.narrowphase.convex.point_shapes import measure_solid
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.convex import BOX, HULL, POINT, Convex, convex_at
from firstcontact.shapes.cores import support

# How far outside a core a point is to be for certain, in units of its reach: some hundred roundings.
OUT = 2.0**-44

IDENTITY = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0


class Seen(NamedTuple):
    """A piece as seen from a field.

    least : no point of the piece, nor of what the body has around it, is nearer to the shape
    most : the body has a point that is at most this and two tolerances of the field, of both if the body is
        one, from the shape, if it is in the box; inf where none was looked at
    likely : what `least` would be about, were the piece as small as a point
    radius : of a ball around the piece, whose center is at `center` in the field's frame
    point, way : of the body, in its own frame at t = 0, and its velocity there: the one that `most` is of
    """

    least: float
    most: float
    likely: float
    radius: float
    center: Vec3
    point: Vec3
    way: Vec3


class Where(NamedTuple):
    """Where a body is, as seen from the field: a point x of it is at ``rotation x + offset``; and when."""

    rotation: Mat3
    offset: Vec3
    time: float


@kernel
def see_piece(body: Pieces, row: Array, node: int, where: Where, field: SeenField) -> Seen:
    """Look at a piece."""
    if body.kind <= SAMPLED:
        return _see_box(body, row, where, field)
    return _see_node(body, node, where, field) if node >= 0 else _see_triangle(row, where, field)


@kernel
def _see_node(body: Pieces, node: int, where: Where, field: SeenField) -> Seen:
    """Look at a ball around a part of a mesh: distances differ by no more than ways."""
    volume, nowhere = body.volumes[node], (0.0, 0.0, 0.0)
    own = volume[CENTER], volume[CENTER + 1], volume[CENTER + 2]
    radius = float(volume[VOLUME_REACH]) * UP
    center = add(where.offset, mat_vec(where.rotation, own))
    value = least_at(field, center)
    return Seen(value - radius, INFINITY, value, radius, center, nowhere, nowhere)


@kernel
def _see_triangle(row: Array, where: Where, field: SeenField) -> Seen:
    """Look at a triangle: in one leaf, by the corner that is lowest along the gradient."""
    a, b, c = _corner(row, 0, where), _corner(row, 1, where), _corner(row, 2, where)
    center = scale(1.0 / 3.0, add(a, add(b, c)))
    a, b, c = sub(a, center), sub(b, center), sub(c, center)
    radius = max(max(norm(a), norm(b)), norm(c)) * UP
    near = around(field, center, radius)
    beyond, third = field.tolerance + row[AROUND], 1.0 / 3.0
    value = near.value - beyond
    if near.low == -INFINITY:
        point, way = _mixed(row, (third, third, third))
        return Seen(value - radius, value, value, radius, center, point, way)
    g = near.gradient
    x, y, z = dot(g, a), dot(g, b), dot(g, c)
    drop = min(min(x, y), z)
    weights = (1.0, 0.0, 0.0) if x == drop else ((0.0, 1.0, 0.0) if y == drop else (0.0, 0.0, 1.0))
    lowest = a if x == drop else (b if y == drop else c)
    point, way = _mixed(row, weights)
    least = max(value - radius, near.low + drop - beyond)
    most = _most(field, near, drop, add(center, lowest)) - row[AROUND]
    return Seen(least, most, most, radius, center, point, way)


@kernel
def _most(field: SeenField, near: Around, drop: float, x: Vec3) -> float:
    """Value at a point in a ball, less the tolerance: in one leaf no more than what is linear, and a bend."""
    if near.bend < INFINITY:
        return near.value + drop + near.bend - field.tolerance
    return least_at(field, x)


@kernel
def _corner(row: Array, i: int, where: Where) -> Vec3:
    """Corner of a triangle in the field's frame."""
    p, v, t = CORNERS + 3 * i, WAYS + 3 * i, where.time
    own = row[p] + t * row[v], row[p + 1] + t * row[v + 1], row[p + 2] + t * row[v + 2]
    return add(where.offset, mat_vec(where.rotation, own))


@kernel
def _mixed(row: Array, w: Vec3) -> tuple[Vec3, Vec3]:
    """Point of a triangle with these weights at t = 0, and its velocity."""
    p, v = CORNERS, WAYS
    return (
        w[0] * row[p] + w[1] * row[p + 3] + w[2] * row[p + 6],
        w[0] * row[p + 1] + w[1] * row[p + 4] + w[2] * row[p + 7],
        w[0] * row[p + 2] + w[1] * row[p + 5] + w[2] * row[p + 8],
    ), (
        w[0] * row[v] + w[1] * row[v + 3] + w[2] * row[v + 6],
        w[0] * row[v + 1] + w[1] * row[v + 4] + w[2] * row[v + 7],
        w[0] * row[v + 2] + w[1] * row[v + 5] + w[2] * row[v + 8],
    )


@kernel
def _see_box(body: Pieces, row: Array, where: Where, field: SeenField) -> Seen:
    """Look at the part of a solid that is in a box."""
    own, still = (row[MIDDLE], row[MIDDLE + 1], row[MIDDLE + 2]), (0.0, 0.0, 0.0)
    half = row[HALF_SIZES], row[HALF_SIZES + 1], row[HALF_SIZES + 2]
    radius = norm(half) * UP
    center = add(where.offset, mat_vec(where.rotation, own))
    if body.kind == SAMPLED:
        return _see_sampled(body, own, radius, where, field)
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    shape = convex_at(body.records, zero)
    away, point = _into_solid(shape, body.pool, body.skin, own, radius)
    if away > radius + OUT * body.reach:
        return Seen(INFINITY, INFINITY, INFINITY, radius, center, point, still)
    near = around(field, center, radius)
    value = near.value - field.tolerance - body.radius
    most = value + norm(sub(point, own))
    if near.low == -INFINITY:
        return Seen(value - radius, most, value, radius, center, point, still)
    g = mat_vec(transposed(where.rotation), near.gradient)
    reach = abs(g[0]) * half[0] + abs(g[1]) * half[1] + abs(g[2]) * half[2]
    lowest = sub(support(shape, body.pool, scale(-1.0, g)), scale(body.skin, unit_or(g, still)))
    drop = dot(g, sub(lowest, own))
    least = max(value - radius, near.low + max(drop, -reach) - field.tolerance - body.radius)
    if shape.kind <= BOX and body.skin == 0.0:
        lowest, drop = _lowest_corner(own, half, g), -reach
    elif not _is_in_box(lowest, own, half):
        likely = value + max(drop, -reach) if near.bend < INFINITY else most
        return Seen(least, most, likely, radius, center, point, still)
    x = add(where.offset, mat_vec(where.rotation, lowest))
    most = _most(field, near, drop, x) - body.radius
    return Seen(least, most, most, radius, center, lowest, still)


@kernel
def _lowest_corner(middle: Vec3, half: Vec3, g: Vec3) -> Vec3:
    return (
        middle[0] - (half[0] if g[0] >= 0.0 else -half[0]),
        middle[1] - (half[1] if g[1] >= 0.0 else -half[1]),
        middle[2] - (half[2] if g[2] >= 0.0 else -half[2]),
    )


@kernel
def _is_in_box(p: Vec3, middle: Vec3, half: Vec3) -> bool:
    x, y, z = sub(p, middle)
    return abs(x) <= half[0] and abs(y) <= half[1] and abs(z) <= half[2]


@kernel
def _into_solid(shape: Convex, pool: Array, skin: float, p: Vec3, radius: float) -> tuple[float, Vec3]:
    """How far a point is from a core with a skin, at the least if more than a radius; and a point of them."""
    if shape.kind <= BOX and skin == 0.0:
        return 0.0, p
    if shape.kind == HULL:
        away, q = _into_hull(shape, pool, p, radius + skin + OUT * shape.reach)
    else:
        core = Convex(shape.kind, shape.half, 0.0, shape.reach, shape.first, shape.n_points, shape.n_cells)
        away, q, _ = measure_solid(core, p)
    if away <= skin:
        return 0.0, p
    return away - skin, add(q, scale(skin, unit_or(sub(p, q), (0.0, 0.0, 0.0))))


@kernel
def _into_hull(shape: Convex, pool: Array, p: Vec3, limit: float) -> tuple[float, Vec3]:
    """How far a point is from a hull, at the least if more than a limit; and a point of the hull."""
    # Not plain numbers: functions are compiled for a constant argument apart.
    kind, zero, still = int(np.int64(POINT)), int(np.int64(0)), (0.0, 0.0, 0.0)
    point, frame = Convex(kind, still, 0.0, 0.0, zero, zero, zero), RelativePose(IDENTITY, scale(-1.0, p))
    found = closest_convex_convex(shape, point, pool, pool, frame, p, Precision(0.5, limit, 0.5 * limit))
    if found.gap > limit or found.distance <= 0.0:
        return max(found.gap, 0.0), p
    q = add(found.point_a, p)
    return min(norm(sub(p, q)), limit), q


@kernel
def _see_sampled(body: Pieces, own: Vec3, radius: float, where: Where, field: SeenField) -> Seen:
    """Look at the part of another field's shape that is in a ball: there its own distance is not positive."""
    still, center = (0.0, 0.0, 0.0), add(where.offset, mat_vec(where.rotation, own))
    here = around(body.own, own, radius)
    mine = here.value - body.own.tolerance
    if mine > radius:
        return Seen(INFINITY, INFINITY, INFINITY, radius, center, own, still)
    near = around(field, center, radius)
    value = near.value - field.tolerance
    # The two shapes are no farther apart than a point is from the one and from the other.
    least, most = value - radius, value + max(mine, 0.0)
    slope = norm(add(near.gradient, mat_vec(where.rotation, here.gradient)))
    both = near.low + here.low - field.tolerance - body.own.tolerance - slope * radius
    return Seen(max(least, both), most, most, radius, center, own, still)
