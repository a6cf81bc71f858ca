"""Is a function that is trilinear in a cell within a tolerance of the distance to a surface, all over it?

The proofs are in docs/fields.md, section by section under the names used here. They need no more than the
values at the corners, the closest points to the corners, and a tree of the surface.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.point_body import PointBody, corners_at
from firstcontact.fields.hull_walk import RADIUS, HullRoom, X, Y, Z, hull_of, is_free
from firstcontact.narrowphase.triangles.nearest_on_triangle import nearest_on_triangle
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub

# What is left of a vector of length one, its components rounded, so that it is no longer than that.
SHORT = 1.0 - 2.0**-40

# The rounding of a value to single precision; the column of a foot that says how far it is off.
SINGLE, OFF = 2.0**-23, 3

# Parts of the second of two points in a mean.
MEANS = (0.25, 0.5, 0.75)

# Bits of the sides of a corner: what is the tolerance above its value is inside, and what is below, outside.
IS_INSIDE, IS_OUTSIDE = 1, 2

# Places of a lattice along a side of a cell, less one: a proof looks at parts of the cell, and at parts of
# those, which cost time, and no memory.
STEPS = 4
SIDE = STEPS + 1
LATTICE = SIDE * SIDE * SIDE

ROOT_3 = 1.7320508075688774  # rounded up

Singles = NDArray[np.float32]
Bits = NDArray[np.int8]


class Corners(NamedTuple):
    """What is known where corners of cells are, n places.

    values : (n,) signed distances, as they are stored: in single precision
    ways : (n, 3) the gradients of the distance, of length one at most
    places : (n,) which triangle is closest
    sides : (n,) int8, IS_INSIDE and IS_OUTSIDE
    """

    values: Singles
    ways: Array
    places: Ids
    sides: Bits


class Cells(NamedTuple):
    """Cells of one size: their lowest corners, (n, 3), in widths from the grid's; their corners, (n, 8)."""

    lowest: Ids
    corners: Ids


class Allowed(NamedTuple):
    """How far the function may be off, and how far off a distance is by rounding, at most; signed or not."""

    tolerance: float
    rounding: float
    is_signed: bool


class Frame(NamedTuple):
    """Where cells are: the place of the grid's lowest corner, and their width."""

    lower: Vec3
    width: float


class ProofRoom(NamedTuple):
    """What the proof of a cell works in.

    at, ways, values, sides : (LATTICE, 3), (LATTICE, 3), (LATTICE,), (LATTICE,) as in `Corners`
    feet : (8, 4) the points of the surface closest to the corners, and how far they are off
    apart : (8, 8) how far the corners of a part are from the feet
    picked : (8,) which places of the lattice are the corners of a part
    """

    at: Array
    ways: Array
    values: Array
    sides: Bits
    feet: Array
    apart: Array
    picked: Ids
    hull: HullRoom


def proof_room(hull: HullRoom) -> ProofRoom:
    """Make room for the proofs of one thread."""
    lattice = np.empty((LATTICE, 3)), np.empty((LATTICE, 3)), np.empty(LATTICE), np.empty(LATTICE, np.int8)
    return ProofRoom(*lattice, np.empty((8, 4)), np.empty((8, 8)), np.empty(8, np.int32), hull)


@driver
def prove_range(
    body: PointBody,
    cells: Cells,
    corners: Corners,
    where: tuple[Frame, Allowed],
    room: ProofRoom,
    is_proven: NDArray[np.bool_],
    span: tuple[int, int],
) -> None:
    """Decide about the cells [first, last)."""
    frame, allowed = where
    for i in range(span[0], span[1]):
        spread = _set_corners(cells, corners, frame, room, i)
        if spread + 0.5 * ROOT_3 * frame.width * (1.0 + 1e-12) <= allowed.tolerance:
            is_proven[i] = True  # Lipschitz
            continue
        ids = cells.corners[i]
        is_proven[i] = _prove_part(body, corners, ids, allowed, room, (0, 0, 0, STEPS))
        if not is_proven[i]:
            _set_lattice(room)
            is_proven[i] = _prove_parts(body, corners, ids, allowed, room)


@kernel
def _index(x: int, y: int, z: int) -> int:
    return x + SIDE * (y + SIDE * z)


@kernel
def _set_corners(cells: Cells, corners: Corners, frame: Frame, room: ProofRoom, i: int) -> float:
    """Write the corners of a cell into the lattice; return by how much distances there differ, at most."""
    low, high = np.inf, -np.inf
    for k in range(8):
        corner = cells.corners[i, k]
        at = _index(STEPS * (k & 1), STEPS * (k >> 1 & 1), STEPS * (k >> 2))
        value = float(corners.values[corner])
        low, high = min(low, value), max(high, value)
        for axis in range(3):
            place = cells.lowest[i, axis] + (k >> axis & 1)
            room.at[at, axis] = frame.lower[axis] + place * frame.width
            room.ways[at, axis] = corners.ways[corner, axis]
            room.feet[k, axis] = room.at[at, axis] - value * corners.ways[corner, axis]
        room.feet[k, OFF] = SINGLE * abs(value)
        room.values[at], room.sides[at] = value, corners.sides[corner]
    return high - low + SINGLE * max(abs(low), abs(high))


@kernel
def _set_lattice(room: ProofRoom) -> None:
    """Interpolate what is between the corners of a cell."""
    part = 1.0 / STEPS
    for at in range(LATTICE):
        x, y, z = at % SIDE, at // SIDE % SIDE, at // (SIDE * SIDE)
        if x % STEPS == 0 and y % STEPS == 0 and z % STEPS == 0:
            continue
        p, q, value = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
        for k in range(8):
            i = _index(STEPS * (k & 1), STEPS * (k >> 1 & 1), STEPS * (k >> 2))
            w = part * (x if k & 1 else STEPS - x) * part * (y if k & 2 else STEPS - y)
            w *= part * (z if k & 4 else STEPS - z)
            value += w * room.values[i]
            p = add(p, scale(w, (room.at[i, 0], room.at[i, 1], room.at[i, 2])))
            q = add(q, scale(w, (room.ways[i, 0], room.ways[i, 1], room.ways[i, 2])))
        length = norm(q)
        q = scale(1.0 / length, q) if length > 0.5 else q
        room.values[at], room.sides[at] = value, 0
        for axis in range(3):
            room.at[at, axis], room.ways[at, axis] = p[axis], q[axis]


@kernel
def _prove_parts(body: PointBody, corners: Corners, ids: Ids, allowed: Allowed, room: ProofRoom) -> bool:
    """Prove all parts of a cell, or the parts of those."""
    for i in range(8):
        x, y, z = 2 * (i & 1), 2 * (i >> 1 & 1), 2 * (i >> 2)
        if _prove_part(body, corners, ids, allowed, room, (x, y, z, 2)):
            continue
        for k in range(8):
            j = i ^ k  # the part at the cell's corner first: of that, the sides are known
            part = x + (j & 1), y + (j >> 1 & 1), z + (j >> 2), 1
            if not _prove_part(body, corners, ids, allowed, room, part):
                return False
    return True


@kernel
def _prove_part(
    body: PointBody,
    corners: Corners,
    ids: Ids,
    allowed: Allowed,
    room: ProofRoom,
    part: tuple[int, int, int, int],
) -> bool:
    """Prove a part of a cell: its lowest corner and its width, in the lattice."""
    x, y, z, width = part
    for k in range(8):
        room.picked[k] = _index(x + width * (k & 1), y + width * (k >> 1 & 1), z + width * (k >> 2))
    _measure_feet(room)
    if allowed.is_signed:
        return _is_bounded(body, allowed, room, 1.0) and _is_bounded(body, allowed, room, -1.0)
    if not _is_below_points(room, 1.0, allowed.tolerance):
        _measure_triangles(body, corners, ids, room)
        if not _is_below_points(room, 1.0, allowed.tolerance):
            return False
    return _is_above_hull(body, allowed, room)


@kernel
def _corner(rows: Array, i: int) -> Vec3:
    return rows[i, 0], rows[i, 1], rows[i, 2]


@kernel
def _measure_feet(room: ProofRoom) -> None:
    """Measure each corner from each foot, which is off by the rounding of a value to single precision."""
    for i in range(8):
        x = _corner(room.at, room.picked[i])
        for k in range(8):
            room.apart[i, k] = norm(sub(x, _corner(room.feet, k))) + room.feet[k, OFF]


@kernel
def _measure_triangles(body: PointBody, corners: Corners, ids: Ids, room: ProofRoom) -> None:
    """Measure each corner from the triangle that is closest to each corner of the cell."""
    unit = 1.0 / body.factor
    for k in range(8):
        a, b, c = corners_at(body.triangles, corners.places[ids[k]])
        ab, ac = sub(b, a), sub(c, a)
        for i in range(8):
            p = sub(scale(body.factor, _corner(room.at, room.picked[i])), a)
            wb, wc = nearest_on_triangle(p, ab, ac)
            room.apart[i, k] = unit * norm(sub(p, add(scale(wb, ab), scale(wc, ac))))


@kernel
def _is_below_points(room: ProofRoom, sign: float, tolerance: float) -> bool:
    """Is the distance to a part of the surface, or a mean of those to two, nowhere above the function?"""
    apart, picked, values = room.apart, room.picked, room.values
    for j in range(8):
        excess = -np.inf
        for i in range(8):
            excess = max(excess, apart[i, j] - sign * values[picked[i]])
        if excess <= tolerance:
            return True
    for j in range(7):
        for k in range(j + 1, 8):
            for part in MEANS:
                excess = -np.inf
                for i in range(8):
                    mean = apart[i, j] + part * (apart[i, k] - apart[i, j])
                    excess = max(excess, mean - sign * values[picked[i]])
                if excess <= tolerance:
                    return True
    return False


@kernel
def _is_bounded(body: PointBody, allowed: Allowed, room: ProofRoom, sign: float) -> bool:
    """Is the distance, times a sign, nowhere more than the tolerance above the function, times that sign?"""
    least, sides, axis = np.inf, 0, (0.0, 0.0, 0.0)
    for k in range(8):
        at = room.picked[k]
        spare = sign * room.values[at] + allowed.tolerance
        x, way = _corner(room.at, at), _corner(room.ways, at)
        if spare > 0.0:
            x = sub(x, scale(sign * spare * SHORT, way))
        _write_ball(body, room.hull.balls, k, x, max(-spare, 0.0))
        least, sides, axis = min(least, spare), sides | room.sides[at], add(axis, way)
    if least >= 0.0 and _is_below_points(room, sign, allowed.tolerance):
        return True
    side = IS_INSIDE if sign > 0.0 else IS_OUTSIDE
    if not sides & side or not _is_hull_free(body, allowed, room, axis):
        return False
    for k in range(8):
        room.sides[room.picked[k]] |= side
    return True


@kernel
def _is_above_hull(body: PointBody, allowed: Allowed, room: ProofRoom) -> bool:
    """Is an unsigned distance nowhere more than the tolerance below the function?"""
    most, axis = -np.inf, (0.0, 0.0, 0.0)
    for k in range(8):
        at = room.picked[k]
        radius = room.values[at] - allowed.tolerance
        _write_ball(body, room.hull.balls, k, _corner(room.at, at), max(radius, 0.0))
        most, axis = max(most, radius), add(axis, _corner(room.ways, at))
    return most <= 0.0 or _is_hull_free(body, allowed, room, axis)


@kernel
def _write_ball(body: PointBody, balls: Array, i: int, x: Vec3, radius: float) -> None:
    """Write a ball of a hull, in lengths of the tree."""
    y = sub(scale(body.factor, x), body.middle)
    balls[i, X], balls[i, Y], balls[i, Z], balls[i, RADIUS] = y[0], y[1], y[2], body.factor * radius


@kernel
def _is_hull_free(body: PointBody, allowed: Allowed, room: ProofRoom, axis: Vec3) -> bool:
    """Is there no surface in the hull of the balls? It is thin along the axis, most often."""
    length = norm(axis)
    unit = scale(1.0 / length, axis) if length > 0.0 else (1.0, 0.0, 0.0)
    slack = body.factor * allowed.rounding
    return is_free(body, hull_of(room.hull.balls, unit, slack), room.hull, slack)
