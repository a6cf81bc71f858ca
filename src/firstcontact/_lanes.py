"""Eight numbers at once, where the compiler does not see by itself that it can; for rays, `_ray_lanes`.

Written in vectors of the compiler, which it has for every processor. Each function has a twin in plain code,
which says what it does, and which a test holds against it. Closest points take half the time with them.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Keys

Singles = NDArray[np.float32]
Single3 = tuple[np.float32, np.float32, np.float32]

WIDTH = 8

# Rows of a block of boxes: lower corners, upper corners, links (integers), and one that is empty.
LOW, HIGH, LINKS, BLOCK_ROWS = 0, 3, 6, 8

# Rows of a leaf of triangles. Each triangle lies in the x-y plane of its own frame, its first corner at the
# origin, its second at (LENGTH, 0). Sides two and three go from the first and from the second corner to the
# third: their directions in that plane, and how long they are.
CORNER, X_AXIS, Y_AXIS, Z_AXIS, LENGTH = 0, 3, 6, 9, 12
SIDE_2, LENGTH_2, SIDE_3, LENGTH_3, LEAF_ROWS = 13, 15, 16, 18, 19

# Rows of dipoles: middles, areas times normals, squared radii, links (integers).
MIDDLE, AREA, RADIUS, DIPOLE_LINKS, DIPOLE_ROWS = 0, 3, 6, 7, 8

# A foot counts as inside a triangle where it is farther from each side than this, in units of the sum of the
# magnitudes of the coordinates: 16 roundings, which is more than they have (docs/points.md).
INSIDE = 2.0**-20

# The lowest bits of a key say which of the eight it is.
LANE = 7

# Its other bits say how far away it is; a zero has no sign there.
FARNESS = 0x7FFFFFFF & ~LANE

LONG, INT = ir.IntType(64), ir.IntType(32)
FLOATS, INTS, LONGS = (ir.VectorType(kind, WIDTH) for kind in (ir.FloatType(), INT, LONG))


class Lanes:
    """Eight floats, and what the code below does with them."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def __add__(self, other: "Lanes") -> "Lanes":
        return Lanes(self.builder, self.builder.fadd(self.value, other.value))

    def __sub__(self, other: "Lanes") -> "Lanes":
        return Lanes(self.builder, self.builder.fsub(self.value, other.value))

    def __mul__(self, other: "Lanes") -> "Lanes":
        return Lanes(self.builder, self.builder.fmul(self.value, other.value))

    def __abs__(self) -> "Lanes":
        bits = self.builder.bitcast(self.value, INTS)
        bits = self.builder.and_(bits, ir.Constant(INTS, [0x7FFFFFFF] * WIDTH))
        return Lanes(self.builder, self.builder.bitcast(bits, FLOATS))

    def __truediv__(self, other: "Lanes") -> "Lanes":
        return Lanes(self.builder, self.builder.fdiv(self.value, other.value))

    def root(self) -> "Lanes":
        """Give the square roots."""
        kind, module = ir.FunctionType(FLOATS, [FLOATS]), self.builder.module
        insert: Any = cgutils.get_or_insert_function
        function = insert(module, kind, "llvm.sqrt.v8f32")
        return Lanes(self.builder, self.builder.call(function, [self.value]))

    def __le__(self, other: "Lanes") -> Any:
        return self.builder.fcmp_ordered("<=", self.value, other.value)

    def or_less(self, other: "Lanes") -> "Lanes":
        """Give the smaller of each two."""
        is_less = self.builder.fcmp_ordered("<", self.value, other.value)
        return Lanes(self.builder, self.builder.select(is_less, self.value, other.value))

    def or_more(self, other: "Lanes") -> "Lanes":
        """Give the larger of each two."""
        is_more = self.builder.fcmp_ordered(">", self.value, other.value)
        return Lanes(self.builder, self.builder.select(is_more, self.value, other.value))


class Code:
    """The code that is being written: what goes into it."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.context, self.builder, self.kinds, self.args = context, builder, signature.args, args

    def number(self, i: int) -> Any:
        """Give argument i, an integer, as one of 64 bits."""
        return self.context.cast(self.builder, self.args[i], self.kinds[i], types.int64)

    def data(self, i: int) -> Any:
        """Say where the numbers of argument i, an array, begin."""
        return self.context.make_array(self.kinds[i])(self.context, self.builder, self.args[i]).data

    def all_are(self, value: Any, kind: ir.VectorType = FLOATS) -> Any:
        """Give eight times the same number."""
        zero = ir.Constant(INT, 0)
        first = self.builder.insert_element(ir.Constant(kind, ir.Undefined), value, zero)
        return self.builder.shuffle_vector(first, first, ir.Constant(INTS, [0] * WIDTH))

    def lanes(self, value: Any) -> Lanes:
        """Give eight times the same float, a number of Python or one that is computed."""
        given = ir.Constant(ir.FloatType(), value) if isinstance(value, float) else value
        return Lanes(self.builder, self.all_are(given))

    def point(self, i: int) -> tuple[Lanes, ...]:
        """Give the components of argument i, a tuple of three floats, each eight times."""
        return tuple(self.lanes(self.builder.extract_value(self.args[i], k)) for k in range(3))

    def at(self, start: Any, offset: Any, kind: ir.VectorType) -> Any:
        """Say where eight numbers are: so many numbers behind a start."""
        return self.builder.bitcast(self.builder.gep(start, [offset]), kind.as_pointer())

    def rows(self, i: int, item: Any, n_rows: int) -> list[Lanes]:
        """Read all rows of an item of argument i, an array (n, n_rows, WIDTH)."""
        first = self.builder.mul(item, ir.Constant(LONG, n_rows * WIDTH))
        start, found = self.builder.gep(self.data(i), [first]), []
        for row in range(n_rows):
            place = self.at(start, ir.Constant(LONG, row * WIDTH), FLOATS)
            found.append(Lanes(self.builder, self.builder.load(place, align=4)))
        return found

    def bits(self, mask: Any) -> Any:
        """Make an integer of eight answers, the first in the lowest bit."""
        return self.builder.zext(self.builder.bitcast(mask, ir.IntType(8)), LONG)

    def push(self, far: Lanes, is_pushed: Any, number: Any, stack: tuple[int, Any]) -> Any:
        """Push entries of a block by how far they are, the nearest last; return the new size of the stack.

        The stack is an argument and its size. All eight are written, those that are not pushed behind it.
        """
        builder, (i, size) = self.builder, stack
        keys = builder.and_(builder.bitcast(far.value, INTS), ir.Constant(INTS, [FARNESS] * WIDTH))
        keys = builder.or_(keys, ir.Constant(INTS, list(range(WIDTH))))
        keys = _sorted(builder, builder.select(is_pushed, keys, ir.Constant(INTS, [-1] * WIDTH)))
        high = builder.shl(builder.zext(keys, LONGS), ir.Constant(LONGS, [32] * WIDTH))
        entries = builder.or_(high, self.all_are(number, LONGS))
        builder.store(entries, self.at(self.data(i), size, LONGS), align=8)
        return builder.add(size, builder.ctpop(self.bits(is_pushed)))


@intrinsic
def _push_nearest(
    context: Any, blocks: Any, block: Any, point: Any, limit: Any, stack: Any, n: Any
) -> tuple[Any, Any]:
    """Push the children of a block whose boxes are within a limit, the nearest last; return the new size.

    Parameters: blocks (m, BLOCK_ROWS, WIDTH) float32, the number of one, a point of float32, the square of
    the limit, a stack of int64 with room for WIDTH more, and its size. See `push_nearest_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        number, size = code.number(1), code.number(5)
        rows, zero = code.rows(0, number, BLOCK_ROWS), code.lanes(0.0)
        gaps = [
            (rows[LOW + k] - x).or_more(x - rows[HIGH + k]).or_more(zero) for k, x in enumerate(code.point(2))
        ]
        squared = gaps[0] * gaps[0] + gaps[1] * gaps[1] + gaps[2] * gaps[2]
        return code.push(squared, squared <= code.lanes(args[3]), number, (4, size))

    return types.int64(blocks, block, point, limit, stack, n), write


def _sorted(builder: Any, keys: Any) -> Any:
    """Sort eight integers, the largest first, by a network (Batcher 1968)."""
    for size in (2, 4, 8):
        step = size // 2
        while step > 0:
            partners = ir.Constant(INTS, [lane ^ step for lane in range(WIDTH)])
            others = builder.shuffle_vector(keys, keys, partners)
            is_more = builder.icmp_signed(">", keys, others)
            more, less = builder.select(is_more, keys, others), builder.select(is_more, others, keys)
            takes_less = [(lane & size == 0) == (lane & step != 0) for lane in range(WIDTH)]
            chosen = [lane + WIDTH * less_here for lane, less_here in enumerate(takes_less)]
            keys = builder.shuffle_vector(more, less, ir.Constant(INTS, chosen))
            step //= 2
    return keys


@kernel
def push_nearest_plain(
    blocks: Singles, block: int, point: Single3, limit: np.float32, stack: Keys, n: int
) -> int:
    """Do what `push_nearest` does, in plain code.

    An entry has the squared distance of a box, as the bits of a float32 of which the last three say which
    child it is, above the number of the block. Entries are pushed from the farthest to the nearest.
    """
    first = n
    for k in range(WIDTH):
        squared = np.float32(0.0)
        for axis in range(3):
            low, high = blocks[block, LOW + axis, k], blocks[block, HIGH + axis, k]
            gap = max(max(low - point[axis], point[axis] - high), np.float32(0.0))
            squared += gap * gap
        if not squared <= limit:
            continue
        n = insert_entry(stack, first, n, entry_of(squared, k, block))
    return n


@kernel
def entry_of(far: np.float32, k: int, block: int) -> int:
    """Make an entry of a stack: how far away child k of a block is, not negative, and which it is."""
    return int(np.int64(bits_of(far) & FARNESS | k) << 32 | block)


@kernel
def insert_entry(stack: Keys, first: int, n: int, entry: int) -> int:
    """Insert an entry into the last of n, from first on, the largest first; return how many there are."""
    at = n
    while at > first and stack[at - 1] < entry:
        stack[at] = stack[at - 1]
        at -= 1
    stack[at] = entry
    return n + 1


@intrinsic
def _measure_leaf(context: Any, leaves: Any, leaf: Any, point: Any, limit: Any, room: Any) -> tuple[Any, Any]:
    """Measure the triangles of a leaf from a point, squared, and say which are within a limit, squared: bits.

    Parameters: leaves (m, LEAF_ROWS, WIDTH) float32, the number of one, a point of float32, the limit, and
    room for WIDTH float32. See `measure_leaf_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        rows = code.rows(0, code.number(1), LEAF_ROWS)
        squared = _measured(code, rows)
        builder.store(squared.value, code.at(code.data(4), ir.Constant(LONG, 0), FLOATS), align=4)
        return code.bits(squared <= code.lanes(args[3]))

    return types.int64(leaves, leaf, point, limit, room), write


def _measured(code: Code, rows: list[Lanes]) -> Lanes:
    """Squared distances of a point, argument 2, from triangles."""
    zero = code.lanes(0.0)

    def along(row: int, *vector: Lanes) -> Lanes:
        products = [rows[row + k] * component for k, component in enumerate(vector)]
        return products[0] + products[1] + products[2] if len(vector) == 3 else products[0] + products[1]

    w = [component - rows[CORNER + k] for k, component in enumerate(code.point(2))]
    x, y, z = along(X_AXIS, *w), along(Y_AXIS, *w), along(Z_AXIS, *w)
    beyond = x - x.or_more(zero).or_less(rows[LENGTH])
    squared, inner, end = beyond * beyond + y * y, y, x - rows[LENGTH]
    for side, length, start in ((SIDE_2, LENGTH_2, x), (SIDE_3, LENGTH_3, end)):
        forth = along(side, start, y)
        across = start * rows[side + 1] - y * rows[side]
        across = across if side == SIDE_2 else zero - across
        beyond = forth - forth.or_more(zero).or_less(rows[length])
        squared, inner = squared.or_less(beyond * beyond + across * across), inner.or_less(across)
    is_inside = code.lanes(INSIDE) * (abs(x) + abs(y) + abs(z)) <= inner
    flat = code.builder.select(is_inside, zero.value, squared.value)
    return Lanes(code.builder, flat) + z * z


@kernel
def measure_leaf_plain(leaves: Singles, leaf: int, point: Single3, limit: np.float32, room: Singles) -> int:
    """Do what `measure_leaf` does, in plain code."""
    found = 0
    for k in range(WIDTH):
        row, zero = leaves[leaf, :, k], np.float32(0.0)
        a, b, c = point[0] - row[CORNER], point[1] - row[CORNER + 1], point[2] - row[CORNER + 2]
        x = row[X_AXIS] * a + row[X_AXIS + 1] * b + row[X_AXIS + 2] * c
        y = row[Y_AXIS] * a + row[Y_AXIS + 1] * b + row[Y_AXIS + 2] * c
        z = row[Z_AXIS] * a + row[Z_AXIS + 1] * b + row[Z_AXIS + 2] * c
        beyond, end = x - min(max(x, zero), row[LENGTH]), x - row[LENGTH]
        forth_2, across_2 = row[SIDE_2] * x + row[SIDE_2 + 1] * y, x * row[SIDE_2 + 1] - y * row[SIDE_2]
        forth_3, across_3 = row[SIDE_3] * end + row[SIDE_3 + 1] * y, y * row[SIDE_3] - end * row[SIDE_3 + 1]
        beyond_2 = forth_2 - min(max(forth_2, zero), row[LENGTH_2])
        beyond_3 = forth_3 - min(max(forth_3, zero), row[LENGTH_3])
        flat = min(beyond * beyond + y * y, beyond_2 * beyond_2 + across_2 * across_2)
        flat = min(flat, beyond_3 * beyond_3 + across_3 * across_3)
        if min(min(y, across_2), across_3) >= np.float32(INSIDE) * (abs(x) + abs(y) + abs(z)):
            flat = zero
        room[k] = flat + z * z
        found |= (1 << k) if room[k] <= limit else 0
    return found


@intrinsic
def _add_dipoles(context: Any, dipoles: Any, item: Any, point: Any, limit: Any, room: Any) -> tuple[Any, Any]:
    """Add the flux of dipoles through a unit sphere around a point, and say which are too near for it: bits.

    Parameters: dipoles (m, DIPOLE_ROWS, WIDTH) float32, the number of a row of eight, a point of float32, how
    many radii away dipoles must be, squared, and room for WIDTH sums. See `add_dipoles_plain`.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        code = Code(context, builder, signature, args)
        rows = code.rows(0, code.number(1), DIPOLE_ROWS)
        x, y, z = (rows[MIDDLE + k] - component for k, component in enumerate(code.point(2)))
        squared = x * x + y * y + z * z
        flux = (rows[AREA] * x + rows[AREA + 1] * y + rows[AREA + 2] * z) / (squared * squared.root())
        is_near = squared <= code.lanes(args[3]) * rows[RADIUS]
        place = code.at(code.data(4), ir.Constant(LONG, 0), FLOATS)
        sums = Lanes(builder, builder.load(place, align=4))
        added = builder.select(is_near, sums.value, (sums + flux).value)
        builder.store(added, place, align=4)
        return code.bits(is_near)

    return types.int64(dipoles, item, point, limit, room), write


@kernel
def add_dipoles_plain(dipoles: Singles, item: int, point: Single3, limit: np.float32, room: Singles) -> int:
    """Do what `add_dipoles` does, in plain code; a negative radius says that there is no dipole."""
    found = 0
    for k in range(WIDTH):
        row = dipoles[item, :, k]
        x, y, z = row[MIDDLE] - point[0], row[MIDDLE + 1] - point[1], row[MIDDLE + 2] - point[2]
        squared = x * x + y * y + z * z
        if squared <= limit * row[RADIUS]:
            found |= 1 << k
        else:
            room[k] += (row[AREA] * x + row[AREA + 1] * y + row[AREA + 2] * z) / (squared * np.sqrt(squared))
    return found


@intrinsic
def _bits_of(context: Any, x: Any) -> tuple[Any, Any]:
    """Give the bits of a float32, as an int32: of numbers that are not negative, in their order."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], INT)

    return types.int32(types.float32), write


@intrinsic
def _lowest_bit(context: Any, bits: Any) -> tuple[Any, Any]:
    """Say which bit of an int64, not zero, is the lowest that is set."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), write


# As the compiler, which knows them by their objects, and type checkers, which do not, both take them.
push_nearest = cast("Callable[[Singles, int, Single3, np.float32, Keys, int], int]", _push_nearest)
measure_leaf = cast("Callable[[Singles, int, Single3, np.float32, Singles], int]", _measure_leaf)
add_dipoles = cast("Callable[[Singles, int, Single3, np.float32, Singles], int]", _add_dipoles)
bits_of = cast("Callable[[np.float32], np.int32]", _bits_of)
lowest_bit = cast("Callable[[int], int]", _lowest_bit)
