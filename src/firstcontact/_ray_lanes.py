"""Eight boxes or eight triangles at once before a ray: what `_lanes` is for points.

Each function has a twin in plain code, which says what it does, and which a test holds against it.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from firstcontact._jit import kernel
from firstcontact._lanes import (
    BLOCK_ROWS,
    FLOATS,
    HIGH,
    LONG,
    LOW,
    WIDTH,
    Code,
    Lanes,
    Singles,
    entry_of,
    insert_entry,
)
from firstcontact.arrays import Array, Keys

# Doubles that an instruction takes: the triangles of a leaf are seen half by half.
HALF = 4
_DOUBLES = ir.VectorType(ir.DoubleType(), HALF)

# Rows of a leaf of triangles: three corners.
CORNER_ROWS = 9

Three = tuple[int, int, int]
Vec3 = tuple[float, float, float]


# Rays that go through a tree side by side.
WAVE = 256

# Numbers from one column of a wave to the next: a few more, so that columns do not share places in the cache.
COLUMN = WAVE + 16

# Columns of rays as boxes see them, each of COLUMN numbers: the place of entry, moved up by the pad, for the
# lower sides of boxes; the same, moved down, for the upper ones; the inverse of the direction; how far to go.
ABOVE, BELOW, INVERSE, REACH, SLAB_COLUMNS = (column * COLUMN for column in (0, 3, 6, 9, 10))


@intrinsic
def _push_entered(
    context: Any, blocks: Any, block: Any, slabs: Any, ray: Any, stack: Any, n: Any
) -> tuple[Any, Any]:
    """Push the children of a block whose boxes a ray enters, the nearest last; return the new size.

    Parameters: blocks (m * BLOCK_ROWS * WIDTH,) float32, the number of one, rays (SLAB_COLUMNS,) float32, the
    number of one, a stack of int64 with room for WIDTH more, and its size. See `push_entered_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        number = code.number(1)
        start = builder.gep(code.data(0), [builder.mul(number, ir.Constant(LONG, BLOCK_ROWS * WIDTH))])
        slab = builder.gep(code.data(2), [code.number(3)])

        def of_ray(column: int) -> Any:
            return builder.load(builder.gep(slab, [ir.Constant(LONG, column)]))

        def away(axis: int) -> tuple[Lanes, Lanes]:
            inverse = code.lanes(of_ray(INVERSE + axis * COLUMN))
            low, high = (
                (Lanes(builder, builder.load(place, align=4)) - code.lanes(of_ray(column + axis * COLUMN)))
                * inverse
                for place, column in ((row(LOW + axis), ABOVE), (row(HIGH + axis), BELOW))
            )
            return low.or_less(high), low.or_more(high)

        def row(number: int) -> Any:
            return code.at(start, ir.Constant(LONG, number * WIDTH), FLOATS)

        (x, to_x), (y, to_y), (z, to_z) = away(0), away(1), away(2)
        near = code.lanes(0.0).or_more(x.or_more(y).or_more(z))
        far = to_x.or_less(to_y).or_less(to_z.or_less(code.lanes(of_ray(REACH))))
        return code.push(near, near <= far, number, (4, code.number(5)))

    return types.int64(blocks, block, slabs, ray, stack, n), write


@kernel
def push_entered_plain(blocks: Singles, block: int, slabs: Singles, ray: int, stack: Keys, n: int) -> int:
    """Do what `push_entered` does, in plain code; a box that is not there is NaN.

    Entries are those of `push_nearest`, by how far along the ray it enters.
    """
    first, start = n, block * BLOCK_ROWS * WIDTH
    for k in range(WIDTH):
        near, far = np.float32(0.0), slabs[REACH + ray]
        for axis in range(3):
            column, inverse = axis * COLUMN + ray, slabs[INVERSE + axis * COLUMN + ray]
            low = (blocks[start + (LOW + axis) * WIDTH + k] - slabs[ABOVE + column]) * inverse
            high = (blocks[start + (HIGH + axis) * WIDTH + k] - slabs[BELOW + column]) * inverse
            near, far = max(near, min(low, high)), min(far, max(low, high))
        if near <= far and not np.isnan(blocks[start + LOW * WIDTH + k]):
            n = insert_entry(stack, first, n, entry_of(near, k, block))
    return n


@intrinsic
def _cross_triangles(
    context: Any, triangles: Any, leaf: Any, axes: Any, origin: Any, slope: Any, sign: Any
) -> tuple[Any, Any]:
    """Say which triangles of a leaf the line of a ray may meet, as bits: no other does.

    Parameters: triangles (m * CORNER_ROWS * WIDTH,) float64, the number of a leaf, and what a `Sight` has.
    See `cross_triangles_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        first = builder.mul(code.number(1), ir.Constant(LONG, CORNER_ROWS * WIDTH))
        start, found = builder.gep(code.data(0), [first]), ir.Constant(LONG, 0)
        for half in range(WIDTH // HALF):
            met = builder.zext(builder.bitcast(_crossed(code, start, half), ir.IntType(HALF)), LONG)
            found = builder.or_(found, builder.shl(met, ir.Constant(LONG, half * HALF)))
        return found

    return types.int64(triangles, leaf, axes, origin, slope, sign), write


def _crossed(code: Code, start: Any, half: int) -> Any:
    """Which of half the triangles of a leaf may be met."""
    builder, (axes, origin, slope, sign) = code.builder, code.args[2:6]

    def all_are(value: Any) -> Lanes:
        zero = ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), value, zero)
        to_all = ir.Constant(ir.VectorType(ir.IntType(32), HALF), [0] * HALF)
        return Lanes(builder, builder.shuffle_vector(one, one, to_all))

    def seen(corner: int, axis: int) -> Lanes:
        row = builder.add(ir.Constant(LONG, 3 * corner), builder.extract_value(axes, axis))
        offset = builder.add(builder.mul(row, ir.Constant(LONG, WIDTH)), ir.Constant(LONG, half * HALF))
        value = Lanes(builder, builder.load(code.at(start, offset, _DOUBLES), align=8))
        return value - all_are(builder.extract_value(origin, axis))

    xs, ys = [], []
    for corner in range(3):
        depth = all_are(sign) * seen(corner, 2)
        xs.append(seen(corner, 0) - all_are(builder.extract_value(slope, 0)) * depth)
        ys.append(seen(corner, 1) - all_are(builder.extract_value(slope, 1)) * depth)
    u, v, w = (xs[i] * ys[j] - xs[j] * ys[i] for i, j in ((1, 2), (2, 0), (0, 1)))
    zero = Lanes(builder, ir.Constant(_DOUBLES, [0.0] * HALF))
    is_left, is_right = zero <= w.or_less(v.or_less(u)), w.or_more(v.or_more(u)) <= zero
    return builder.or_(is_left, is_right)


@kernel
def cross_triangles_plain(
    triangles: Array, leaf: int, axes: Three, origin: Vec3, slope: tuple[float, float], sign: float
) -> int:
    """Do what `cross_triangles` does, in plain code; a triangle that is not there is NaN."""
    t, first, found = triangles, leaf * CORNER_ROWS * WIDTH, 0
    for n in range(WIDTH):
        xs, ys, _ = seen_corners(t, first + n, axes, origin, slope, sign)
        u, v, w = xs[1] * ys[2] - xs[2] * ys[1], xs[2] * ys[0] - xs[0] * ys[2], xs[0] * ys[1] - xs[1] * ys[0]
        low, high = min(min(u, v), w), max(max(u, v), w)
        found |= (1 << n) if low >= 0.0 or high <= 0.0 else 0
    return found


@kernel
def seen_corners(
    triangles: Array, at: int, axes: Three, origin: Vec3, slope: tuple[float, float], sign: float
) -> tuple[Vec3, Vec3, Vec3]:
    """See the corners of a triangle that begins at some number: along the axes of the plane, and depths."""
    (i, j, k), (ox, oy, oz), (sx, sy), t = axes, origin, slope, triangles
    i, j, k, step = at + i * WIDTH, at + j * WIDTH, at + k * WIDTH, 3 * WIDTH
    z0, z1, z2 = sign * (t[k] - oz), sign * (t[k + step] - oz), sign * (t[k + 2 * step] - oz)
    x0, y0 = (t[i] - ox) - sx * z0, (t[j] - oy) - sy * z0
    x1, y1 = (t[i + step] - ox) - sx * z1, (t[j + step] - oy) - sy * z1
    x2, y2 = (t[i + 2 * step] - ox) - sx * z2, (t[j + 2 * step] - oy) - sy * z2
    return (x0, x1, x2), (y0, y1, y2), (z0, z1, z2)


# As the compiler, which knows them by their objects, and type checkers, which do not, both take them.
push_entered = cast("Callable[[Singles, int, Singles, int, Keys, int], int]", _push_entered)
cross_triangles = cast(
    "Callable[[Array, int, Three, Vec3, tuple[float, float], float], int]", _cross_triangles
)
