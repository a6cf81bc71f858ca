"""A common point of two polytopes by linear programming in three variables (Seidel, 1991).

Half-spaces come one after the other, in a random order. As long as the best point so far is in the next one,
it stays; else the best point is on its plane, and is looked for there in two variables, on a line of that in
one. Where an interval on such a line is empty, the planes that bound it, four at most, have no common point:
they name a direction along which the polytopes may be apart.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.features.verdict import APART, OPEN, OVERLAPPING, FacePair, Verdict
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, cross, dot

Pair = tuple[float, float]

# Columns of a half-space: its normal, how far it reaches, and whether it is of b.
LEVEL = 3
OF_B = 4
N_ROW = 5

# The first rows are the sides of the box around b: two for each axis, that with the lower bound first.
N_SIDES = 6

# Coefficients below this, of unit vectors, are none: the planes are parallel.
PARALLEL = 1e-12

# No row.
NONE = -1


class Corner(NamedTuple):
    """A point on a plane or a line, or rows that have none in common: -1 for those that are not needed."""

    is_found: bool
    x: float
    y: float
    rows: tuple[int, int, int]


@kernel
def write_half_spaces(pair: FacePair, half_b: Vec3, rows: Array) -> int:
    """Write the half-spaces of both, nearer by what is in doubt, in turn; return how many."""
    for k in range(N_SIDES):
        axis = k // 2
        for i in range(3):
            rows[k, i] = 0.0
        rows[k, axis], rows[k, LEVEL], rows[k, OF_B] = -1.0 if k % 2 == 0 else 1.0, half_b[axis], 1.0
    n, n_a, n_b = N_SIDES, len(pair.planes_a), len(pair.planes_b)
    for i in range(max(n_a, n_b)):
        if i < n_a:
            own = pair.planes_a[i, 0], pair.planes_a[i, 1], pair.planes_a[i, 2]
            v = mat_vec(pair.frame.rotation, own)
            rows[n, 0], rows[n, 1], rows[n, 2] = v
            rows[n, LEVEL], rows[n, OF_B] = pair.planes_a[i, 3] + dot(v, pair.frame.offset) - pair.doubt, 0.0
            n += 1
        if i < n_b:
            for k in range(3):
                rows[n, k] = pair.planes_b[i, k]
            rows[n, LEVEL], rows[n, OF_B] = pair.planes_b[i, 3] - pair.doubt, 1.0
            n += 1
    return n


@kernel
def common_point(rows: Array, n: int, half_b: Vec3, towards: Vec3, flat: Array, near: float) -> Verdict:
    """Look for a point of the first n half-spaces, as far as can be towards a place; near counts as in."""
    x = (
        half_b[0] if towards[0] > 0.0 else -half_b[0],
        half_b[1] if towards[1] > 0.0 else -half_b[1],
        half_b[2] if towards[2] > 0.0 else -half_b[2],
    )
    for i in range(N_SIDES, n):
        if _beyond(rows, i, x) <= near:
            continue
        v = rows[i, 0], rows[i, 1], rows[i, 2]
        axis = 0 if abs(v[0]) >= max(abs(v[1]), abs(v[2])) else 1 if abs(v[1]) >= abs(v[2]) else 2
        found = _on_plane(rows, i, axis, half_b, towards, flat, near)
        if not found.is_found:
            return Verdict(APART, _direction(rows, i, found.rows))
        u, w = (axis + 1) % 3, (axis + 2) % 3
        z = (rows[i, LEVEL] - rows[i, u] * found.x - rows[i, w] * found.y) / rows[i, axis]
        x = (
            (z, found.x, found.y)
            if axis == 0
            else (found.y, z, found.x)
            if axis == 1
            else (found.x, found.y, z)
        )
    for i in range(N_SIDES, n):
        # What was lost to rounding where planes are almost parallel.
        if _beyond(rows, i, x) > 16.0 * near:
            return Verdict(OPEN, x)
    return Verdict(OVERLAPPING, x)


@kernel
def _beyond(rows: Array, i: int, x: Vec3) -> float:
    """How far a point is beyond a half-space."""
    beyond: float = rows[i, 0] * x[0] + rows[i, 1] * x[1] + rows[i, 2] * x[2] - rows[i, LEVEL]
    return beyond


@kernel
def _on_plane(rows: Array, i: int, axis: int, half: Vec3, towards: Vec3, flat: Array, near: float) -> Corner:
    """Look for a point on the plane of a row that is in all before it; two coordinates tell it."""
    u, w = (axis + 1) % 3, (axis + 2) % 3
    a, b, level = rows[i, u] / rows[i, axis], rows[i, w] / rows[i, axis], rows[i, LEVEL] / rows[i, axis]
    for j in range(i):
        own = rows[j, axis]
        flat[j, 0], flat[j, 1], flat[j, 2] = (
            rows[j, u] - own * a,
            rows[j, w] - own * b,
            rows[j, LEVEL] - own * level,
        )
        size = (flat[j, 0] ** 2 + flat[j, 1] ** 2) ** 0.5
        if size < PARALLEL:
            if flat[j, 2] < -near:
                return Corner(False, 0.0, 0.0, (j, NONE, NONE))
            flat[j, 0], flat[j, 1], flat[j, 2] = 0.0, 0.0, 1.0
        else:
            for k in range(3):
                flat[j, k] /= size
    goal_x, goal_y = towards[u] - towards[axis] * a, towards[w] - towards[axis] * b
    x, y = half[u] if goal_x > 0.0 else -half[u], half[w] if goal_y > 0.0 else -half[w]
    for j in range(i):
        if flat[j, 0] * x + flat[j, 1] * y - flat[j, 2] <= near:
            continue
        found = _on_line(flat, j, (half[u], half[w]), (goal_x, goal_y), near)
        if not found.is_found:
            return Corner(False, 0.0, 0.0, (j, _side(found.rows[1], u, w), _side(found.rows[2], u, w)))
        x, y = found.x, found.y
    return Corner(True, x, y, (NONE, NONE, NONE))


@kernel
def _on_line(flat: Array, j: int, half: Pair, goal: Pair, near: float) -> Corner:
    """Look for a point on a line of the plane that is in all rows before it; the box has rows -2 to -5."""
    is_steep = abs(flat[j, 0]) >= abs(flat[j, 1])
    own, free = (0, 1) if is_steep else (1, 0)
    slope, level = flat[j, free] / flat[j, own], flat[j, 2] / flat[j, own]
    low, high, low_row, high_row = -half[free], half[free], -2 - 2 * free, -3 - 2 * free
    for k in range(-2, j):
        # The other coordinate is within the box, too: as two more rows.
        row = -2 - 2 * own if k == -2 else -3 - 2 * own
        mine, other, reach = -1.0 if k == -2 else 1.0, 0.0, half[own]
        if k >= 0:
            row, mine, other, reach = k, flat[k, own], flat[k, free], flat[k, 2]
        factor, rest = other - mine * slope, reach - mine * level
        if abs(factor) < PARALLEL:
            if rest < -near:
                return Corner(False, 0.0, 0.0, (j, row, NONE))
        elif factor > 0.0:
            if rest / factor < high:
                high, high_row = rest / factor, row
        elif rest / factor > low:
            low, low_row = rest / factor, row
    if low > high + near:
        return Corner(False, 0.0, 0.0, (j, low_row, high_row))
    along = high if goal[free] - goal[own] * slope > 0.0 else low
    across = level - slope * along
    return Corner(True, across if is_steep else along, along if is_steep else across, (NONE, NONE, NONE))


@kernel
def _side(row: int, u: int, w: int) -> int:
    """Row of a side of the box that a line names by its own two coordinates."""
    if row >= NONE:
        return row
    k = -2 - row
    return 2 * (u if k < 2 else w) + k % 2


@kernel
def _direction(rows: Array, i: int, others: tuple[int, int, int]) -> Vec3:
    """Direction from a to b of up to four half-spaces that have nothing in common; zero where none tells."""
    n_a, n_b, zero = 0, 0, (0.0, 0.0, 0.0)
    first_a, last_a, first_b, last_b = zero, zero, zero, zero
    for k in range(4):
        row = i if k == 0 else others[k - 1]
        if row >= 0:
            v = rows[row, 0], rows[row, 1], rows[row, 2]
            if rows[row, OF_B] > 0.0:
                first_b, last_b, n_b = v if n_b == 0 else first_b, v, n_b + 1
            else:
                first_a, last_a, n_a = v if n_a == 0 else first_a, v, n_a + 1
    if n_a == 1:
        return first_a
    if n_b == 1:
        return -first_b[0], -first_b[1], -first_b[2]
    # Two of each: what is a positive sum of both normals of a, and of those of b the other way.
    n = cross(cross(first_a, last_a), cross(first_b, last_b))
    return n if dot(n, first_a) + dot(n, last_a) > 0.0 else (-n[0], -n[1], -n[2])
