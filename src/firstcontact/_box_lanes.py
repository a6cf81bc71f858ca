"""Eight boxes at once before another box, in doubles: what `_lanes` is for points.

Each function has a twin in plain code, which says what it does, and which a test holds against it. Faces of
two meshes that meet take two thirds of the time with them.
"""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from firstcontact._jit import kernel
from firstcontact._lanes import HIGH, LONG, LOW, WIDTH, Code, Lanes, Singles
from firstcontact.arrays import Array

DOUBLE = ir.DoubleType()
DOUBLES = ir.VectorType(DOUBLE, WIDTH)

# Rows of a block of boxes in single precision, and of a leaf of triangles with the boxes around them.
BOX_ROWS = 6
FACE_LOW, FACE_HIGH, FACE_ROWS = 9, 12, 15

Vec3 = tuple[float, float, float]
Rows3 = tuple[float, float, float, float, float, float, float, float, float]


def _magnitude(lanes: Lanes) -> Lanes:
    """Give the magnitudes of eight doubles."""
    insert: Any = cgutils.get_or_insert_function
    function = insert(lanes.builder.module, ir.FunctionType(DOUBLES, [DOUBLES]), "llvm.fabs.v8f64")
    return Lanes(lanes.builder, lanes.builder.call(function, [lanes.value]))


def _all_are(code: Code, value: Any) -> Lanes:
    """Give eight times the same double."""
    return Lanes(code.builder, code.all_are(value, DOUBLES))


def _three(code: Code, i: int, first: int = 0) -> list[Lanes]:
    """Give three components of argument i, a tuple of doubles, each eight times."""
    return [_all_are(code, code.builder.extract_value(code.args[i], first + k)) for k in range(3)]


def _dot(a: list[Lanes], b: list[Lanes]) -> Lanes:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _boxes(code: Code) -> tuple[list[Lanes], list[Lanes]]:
    """Lower and upper corners of the boxes of a block, arguments 0 and 1, as doubles."""
    rows = code.rows(0, code.number(1), BOX_ROWS)
    wide = [Lanes(code.builder, code.builder.fpext(row.value, DOUBLES)) for row in rows]
    return wide[LOW : LOW + 3], wide[HIGH : HIGH + 3]


@intrinsic
def _near_boxes(context: Any, boxes: Any, block: Any, one: Any, back: Any, margin: Any) -> tuple[Any, Any]:
    """Say which boxes of a block are not apart from another by more than a margin: bits.

    Parameters: boxes (m, BOX_ROWS, WIDTH) float32, the number of a block; the other box, three tuples of
    three: its middle, its own sides, and those of the box around it; the rows of the rotation into its own
    frame; the margin. See `near_boxes_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        low, high = _boxes(code)
        middle, own, around = (
            [_all_are(code, builder.extract_value(args[2], [i, k])) for k in range(3)] for i in range(3)
        )
        way = [low[k] + high[k] - middle[k] for k in range(3)]
        sides = [high[k] - low[k] for k in range(3)]
        limit, is_apart = _all_are(code, args[4]), None
        for k in range(3):
            row = _three(code, 3, 3 * k)
            along, shadow = _dot(row, way), _dot([_magnitude(x) for x in row], sides)
            for gap in (
                _magnitude(way[k]) - (sides[k] + around[k]),
                _magnitude(along) - (shadow + own[k]),
            ):
                beyond = builder.fcmp_ordered(">", gap.value, limit.value)
                is_apart = beyond if is_apart is None else builder.or_(is_apart, beyond)
        return code.bits(builder.not_(is_apart))

    return types.int64(boxes, block, one, back, margin), write


@kernel
def near_boxes_plain(
    boxes: Singles, block: int, one: tuple[Vec3, Vec3, Vec3], back: Rows3, margin: float
) -> int:
    """Do what `near_boxes` does, in plain code; all is twice as large as it is, so that nothing is halved.

    Along the axes of the block's frame, and along those of the other box: where its shadow ends on one.
    """
    middle, own, around = one
    found = 0
    for k in range(WIDTH):
        is_apart = False
        for axis in range(3):
            x, y, z = back[3 * axis], back[3 * axis + 1], back[3 * axis + 2]
            a, b, c = boxes[block, LOW, k], boxes[block, LOW + 1, k], boxes[block, LOW + 2, k]
            u, v, w = boxes[block, HIGH, k], boxes[block, HIGH + 1, k], boxes[block, HIGH + 2, k]
            low, high = (float(a), float(b), float(c)), (float(u), float(v), float(w))
            way = low[0] + high[0] - middle[0], low[1] + high[1] - middle[1], low[2] + high[2] - middle[2]
            sides = high[0] - low[0], high[1] - low[1], high[2] - low[2]
            along = x * way[0] + y * way[1] + z * way[2]
            shadow = abs(x) * sides[0] + abs(y) * sides[1] + abs(z) * sides[2]
            is_apart |= abs(way[axis]) - (sides[axis] + around[axis]) > margin
            is_apart |= abs(along) - (shadow + own[axis]) > margin
        found |= 0 if is_apart else 1 << k
    return found


@intrinsic
def _near_faces(context: Any, rows: Any, slot: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Say which boxes around the faces of a leaf have a point in common with another box: bits.

    Parameters: rows (m, FACE_ROWS, WIDTH) of leaves, the number of one, and the corners of the other box. See
    `near_faces_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        first = builder.mul(code.number(1), ir.Constant(LONG, FACE_ROWS * WIDTH))
        start, is_met = builder.gep(code.data(0), [first]), None
        for k in range(3):
            for row, given, sign in ((FACE_LOW, 3, "<="), (FACE_HIGH, 2, ">=")):
                place = code.at(start, ir.Constant(LONG, (row + k) * WIDTH), DOUBLES)
                side = _all_are(code, builder.extract_value(args[given], k))
                here = builder.fcmp_ordered(sign, builder.load(place, align=8), side.value)
                is_met = here if is_met is None else builder.and_(is_met, here)
        return code.bits(is_met)

    return types.int64(rows, slot, low, high), write


@kernel
def near_faces_plain(rows: Array, slot: int, low: Vec3, high: Vec3) -> int:
    """Do what `near_faces` does, in plain code; a box of NaN meets none."""
    found = 0
    for k in range(WIDTH):
        is_met = True
        for axis in range(3):
            is_met &= rows[slot, FACE_LOW + axis, k] <= high[axis]
            is_met &= rows[slot, FACE_HIGH + axis, k] >= low[axis]
        found |= is_met << k
    return found


@intrinsic
def _are_apart(context: Any, p: Any, i: Any, q: Any, j: Any) -> tuple[Any, Any]:
    """Say whether bounds i of p and j of q have no common point, both (n, 2 WIDTH): see `are_apart_plain`."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)

        def half(which: int, first: int) -> Any:
            row = builder.mul(code.number(which + 1), ir.Constant(LONG, 2 * WIDTH))
            start = builder.gep(code.data(which), [row])
            return builder.load(code.at(start, ir.Constant(LONG, first), DOUBLES), align=8)

        beyond = [
            builder.fcmp_ordered(">", half(one, 0), half(other, WIDTH)) for one, other in ((0, 2), (2, 0))
        ]
        is_apart = builder.bitcast(builder.or_(*beyond), ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", is_apart, ir.Constant(ir.IntType(WIDTH), 0))

    return types.boolean(p, i, q, j), write


@kernel
def are_apart_plain(p: Array, i: int, q: Array, j: int) -> bool:
    """Do what `are_apart` does, in plain code: lower ends of eight intervals come first, then upper ends."""
    is_apart = False
    for k in range(WIDTH):
        is_apart |= (p[i, k] > q[j, WIDTH + k]) | (q[j, k] > p[i, WIDTH + k])
    return is_apart


# As the compiler, which knows them by their objects, and type checkers, which do not, both take them.
near_boxes = cast("Callable[[Singles, int, tuple[Vec3, Vec3, Vec3], Rows3, float], int]", _near_boxes)
near_faces = cast("Callable[[Array, int, Vec3, Vec3], int]", _near_faces)
are_apart = cast("Callable[[Array, int, Array, int], bool]", _are_apart)
