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
from firstcontact._lanes import BLOCK_ROWS, FLOATS, LONG, WIDTH, Code, Lanes, Single3, Singles
from firstcontact.arrays import Array

# Doubles that an instruction takes: the triangles of a leaf are seen half by half.
HALF = 4
_DOUBLES = ir.VectorType(ir.DoubleType(), HALF)

# Rows of a leaf of triangles: three corners.
CORNER_ROWS = 9

Three = tuple[int, int, int]
Vec3 = tuple[float, float, float]


@intrinsic
def _enter_boxes(
    context: Any, blocks: Any, block: Any, sides: Any, slabs: Any, reach: Any, room: Any
) -> tuple[Any, Any]:
    """Say which boxes of a block a ray enters, as bits, and write how far away they are.

    Parameters: blocks (m, BLOCK_ROWS, WIDTH) float32, the number of one, its rows with the sides that the ray
    meets first, the ray (see `Slabs`: near, far, inverse), how far it goes, and room for WIDTH float32. See
    `enter_boxes_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        first = builder.mul(code.number(1), ir.Constant(LONG, BLOCK_ROWS * WIDTH))
        start = builder.gep(code.data(0), [first])

        def away(axis: int, is_far: bool) -> Lanes:
            side = builder.extract_value(args[2], axis)
            row = builder.sub(ir.Constant(LONG, 3 + 2 * axis), side) if is_far else side
            place = code.at(start, builder.mul(row, ir.Constant(LONG, WIDTH)), FLOATS)
            here = code.lanes(builder.extract_value(args[3], [int(is_far), axis]))
            inverse = code.lanes(builder.extract_value(args[3], [2, axis]))
            return (Lanes(builder, builder.load(place, align=4)) - here) * inverse

        near = away(0, False).or_more(away(1, False)).or_more(away(2, False).or_more(code.lanes(0.0)))
        far = away(0, True).or_less(away(1, True)).or_less(away(2, True).or_less(code.lanes(args[4])))
        builder.store(near.value, code.at(code.data(5), ir.Constant(LONG, 0), FLOATS), align=4)
        return code.bits(near <= far)

    return types.int64(blocks, block, sides, slabs, reach, room), write


@kernel
def enter_boxes_plain(
    blocks: Singles,
    block: int,
    sides: Three,
    slabs: tuple[Single3, Single3, Single3],
    reach: np.float32,
    room: Singles,
) -> int:
    """Do what `enter_boxes` does, in plain code."""
    found = 0
    for k in range(WIDTH):
        near, far = np.float32(0.0), reach
        for axis in range(3):
            low, high = blocks[block, sides[axis], k], blocks[block, 3 + 2 * axis - sides[axis], k]
            near = max(near, (low - slabs[0][axis]) * slabs[2][axis])
            far = min(far, (high - slabs[1][axis]) * slabs[2][axis])
        room[k] = near
        found |= (1 << k) if near <= far else 0
    return found


@intrinsic
def _cross_triangles(
    context: Any, triangles: Any, leaf: Any, axes: Any, origin: Any, slope: Any, sign: Any
) -> tuple[Any, Any]:
    """Say which triangles of a leaf the line of a ray may meet, as bits: no other does.

    Parameters: triangles (m, CORNER_ROWS, WIDTH) float64, the number of a leaf, and what a `Sight` has. See
    `cross_triangles_plain`.
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
    (i, j, k), (ox, oy, oz), (sx, sy), t, found = axes, origin, slope, triangles, 0
    for n in range(WIDTH):
        z0, z1 = sign * (t[leaf, k, n] - oz), sign * (t[leaf, 3 + k, n] - oz)
        z2 = sign * (t[leaf, 6 + k, n] - oz)
        x0, y0 = (t[leaf, i, n] - ox) - sx * z0, (t[leaf, j, n] - oy) - sy * z0
        x1, y1 = (t[leaf, 3 + i, n] - ox) - sx * z1, (t[leaf, 3 + j, n] - oy) - sy * z1
        x2, y2 = (t[leaf, 6 + i, n] - ox) - sx * z2, (t[leaf, 6 + j, n] - oy) - sy * z2
        u, v, w = x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0
        low, high = min(min(u, v), w), max(max(u, v), w)
        found |= (1 << n) if low >= 0.0 or high <= 0.0 else 0
    return found


# As the compiler, which knows them by their objects, and type checkers, which do not, both take them.
enter_boxes = cast(
    "Callable[[Singles, int, Three, tuple[Single3, Single3, Single3], np.float32, Singles], int]",
    _enter_boxes,
)
cross_triangles = cast(
    "Callable[[Array, int, Three, Vec3, tuple[float, float], float], int]", _cross_triangles
)
