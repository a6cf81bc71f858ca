"""Cells of a field of triangles: split until each is proven."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.fields.box_proof import (
    IS_OFF,
    IS_OPEN,
    IS_PROVEN,
    Allowed,
    Box,
    Corners,
    Near,
    ball_distance,
    closest_in_cluster,
    closest_triangle,
    prove_box,
    value_of,
)
from firstcontact.fields.octree import DEEPEST, Grid, Values, root_corner
from firstcontact.fields.surface import CLUSTER, Source, Surface, closest_on, side_of
from firstcontact.scalar.vec3 import Vec3, add, norm, sub

# A proof looks at parts of a cell, parts of those, and so on, this often: they cost time, and no memory.
DEEPEST_PROOF = 2
N_LEVELS = DEEPEST + DEEPEST_PROOF + 2

# Cells of a branch that wait: seven at each level, and the last one's eighth.
STACK = 8 * (DEEPEST + 1)

# Outcomes of a part of the work: done; the arrays are full; a cell would be too small; the surface passes
# through itself.
DONE, IS_FULL, TOO_FINE, IS_TANGLED = range(4)

# Columns of what a cell that waits needs: its level, its node and its place, in units of its width.
LEVEL, NODE, X, Y, Z = range(5)

# A cluster of triangles whose ball is smaller than this many of a box's is one row; others are taken apart.
SMALL = 2.0

ROOT_3 = 1.7320508075688774  # rounded up


class Task(NamedTuple):
    """What is to be covered by cells, how well, and which places are where."""

    source: Source
    grid: Grid
    allowed: Allowed


class Room(NamedTuple):
    """Memory for one thread: rows of triangles near a cell at each level, and cells that wait.

    boxes : (N_LEVELS, 9) the cell at hand, those that it is a part of, and the parts of it in a proof
    cells, corners : (STACK, 5) and (STACK, 8) of the cells that wait
    lattice : (27,) values at corners and middles of the cell at hand
    """

    near: Near
    boxes: Array
    cells: Keys
    corners: Array
    lattice: Array


class Grown(NamedTuple):
    """Nodes and values so far, as in an `Octree`, and how many there are."""

    links: Ids
    values: Values
    counts: Keys


N_NODES, N_LEAVES = range(2)


def room_for(n_triangles: int) -> Room:
    """Make room for surfaces of so many triangles; pages that are never used cost nothing."""
    n = N_LEVELS * n_triangles
    near = Near(np.empty(n, np.int32), np.empty((n, 3)), np.empty(n))
    cells, corners = np.empty((STACK, 5), np.int64), np.empty((STACK, 8))
    return Room(near, np.empty((N_LEVELS, 9)), cells, corners, np.empty(27))


@driver
def grow_roots(task: Task, room: Room, grown: Grown, first: int, last: int) -> tuple[int, int]:
    """Cover cubes of the grid by cells; return the outcome, and the first cube that is not done.

    The node of a cube is its number less the first; nodes of the cubes come before all others.
    """
    for root in range(first, last):
        n_nodes, n_leaves = grown.counts[N_NODES], grown.counts[N_LEAVES]
        outcome = _grow_root(task, room, grown, root, root - first)
        if outcome != DONE:
            grown.counts[N_NODES], grown.counts[N_LEAVES] = n_nodes, n_leaves
            return outcome, root
    return DONE, last


@kernel
def _grow_root(task: Task, room: Room, grown: Grown, root: int, node: int) -> int:
    """Cover one cube of the grid."""
    corner, half = root_corner(task.grid, root), 0.5 * task.grid.width
    middle = add(corner, (half, half, half))
    box = _gather(task.source, room, middle, half)
    _keep(room, 0, box)
    for i in range(8):
        p = add(middle, (half if i & 1 else -half, half if i & 2 else -half, half if i & 4 else -half))
        room.corners[0, i] = _value_at(task.source, room.near, box, p)
    room.cells[0, LEVEL], room.cells[0, NODE] = 0, node
    room.cells[0, X], room.cells[0, Y], room.cells[0, Z] = 0, 0, 0
    top = 0
    while top >= 0:
        outcome, top = _grow_cell(task, room, grown, corner, top)
        if outcome != DONE:
            return outcome
    return DONE


@kernel
def _grow_cell(task: Task, room: Room, grown: Grown, corner: Vec3, top: int) -> tuple[int, int]:
    """Take the last cell that waits: it becomes a leaf, or its eight parts wait in its place."""
    cell = room.cells[top]
    level, node, x, y, z = cell[LEVEL], cell[NODE], cell[X], cell[Y], cell[Z]
    half = 0.5 * task.grid.width / (1 << level)
    middle = add(corner, ((2 * x + 1) * half, (2 * y + 1) * half, (2 * z + 1) * half))
    box = _box_near(task.source, room, (middle, half), _kept(room, level))
    _keep(room, level + 1, box)
    is_good = _sample(task, room, box, room.corners[top])
    if _is_tangled(task, room, box):
        return IS_TANGLED, top
    if is_good and _is_proven(task, room, box, level):
        leaf = grown.counts[N_LEAVES]
        if leaf == len(grown.values):
            return IS_FULL, top
        for i in range(8):
            grown.values[leaf, i] = room.corners[top, i]
        grown.links[node] = -1 - leaf
        grown.counts[N_LEAVES] = leaf + 1
        return DONE, top - 1
    if level == DEEPEST:
        return TOO_FINE, top
    children = grown.counts[N_NODES]
    if children + 8 > len(grown.links):
        return IS_FULL, top
    grown.links[node] = children
    grown.counts[N_NODES] = children + 8
    for i in range(8):
        _write_child(room, top + 7 - i, (level + 1, children + i, 2 * x, 2 * y, 2 * z), i)
    return DONE, top + 7


@kernel
def _write_child(room: Room, row: int, child: tuple[int, int, int, int, int], i: int) -> None:
    """Let part i of a cell wait, with its corners from the lattice."""
    cell, (dx, dy, dz) = room.cells[row], (i & 1, i >> 1 & 1, i >> 2)
    cell[LEVEL], cell[NODE] = child[0], child[1]
    cell[X], cell[Y], cell[Z] = child[2] + dx, child[3] + dy, child[4] + dz
    for k in range(8):
        at = (dx + (k & 1)) + 3 * (dy + (k >> 1 & 1)) + 9 * (dz + (k >> 2))
        room.corners[row, k] = room.lattice[at]


@kernel
def _gather(source: Source, room: Room, middle: Vec3, half: float) -> Box:
    """List all triangles that can matter to a cube of the grid: by the balls around clusters of them."""
    radius, near, nearest = ROOT_3 * half * (1.0 + 1e-15), room.near, INFINITY
    surface = source.surface
    if source.kind >= 0:
        return Box(middle, half, radius, 0, 0, abs(value_of(source, middle)[0]), 0)
    for i in range(len(surface.balls)):
        nearest = min(nearest, ball_distance(surface.balls, i, middle) + 2.0 * surface.balls[i, 3])
    n, closest, least, reach = 0, 0, INFINITY, _reach(nearest * (1.0 + 1e-12), radius)
    for i in range(len(surface.balls)):
        distance = ball_distance(surface.balls, i, middle)
        if distance > reach:
            continue
        if distance < least:
            closest, least = closest_in_cluster(surface, i, middle, closest, least)
        n = _append_cluster(surface, near, i, distance, n)
    return Box(middle, half, radius, 0, n, least, closest)


@kernel
def _append_cluster(surface: Surface, near: Near, i: int, distance: float, n: int) -> int:
    """Add a cluster to the rows; return how many there are."""
    near.ids[n], near.distances[n] = -1 - i, distance
    for k in range(3):
        near.points[n, k] = surface.balls[i, k]
    return n + 1


@kernel
def _append_triangle(surface: Surface, near: Near, i: int, middle: Vec3, n: int) -> int:
    """Add a triangle to the rows; return how many there are."""
    q = closest_on(surface.triangles, i, middle)
    near.ids[n], near.distances[n] = i, norm(sub(middle, q))
    near.points[n, 0], near.points[n, 1], near.points[n, 2] = q
    return n + 1


@kernel
def _keep(room: Room, level: int, box: Box) -> None:
    """Keep which triangles are near a box, for its parts."""
    row = room.boxes[level]
    row[0], row[1], row[2] = box.middle
    row[3], row[4], row[5], row[6] = box.half, box.radius, box.first, box.last
    row[7], row[8] = box.distance, box.closest


@kernel
def _kept(room: Room, level: int) -> Box:
    """Give the box that was kept at a level."""
    row = room.boxes[level]
    middle = row[0], row[1], row[2]
    return Box(middle, row[3], row[4], int(row[5]), int(row[6]), row[7], int(row[8]))


@kernel
def _box_near(source: Source, room: Room, cube: tuple[Vec3, float], whole: Box) -> Box:
    """List, of the triangles near a box that this one is a part of, those that can matter to it.

    These are all within two radii more than the closest one; where the surface is near, within four.
    """
    middle, half = cube
    radius, near, triangles = ROOT_3 * half * (1.0 + 1e-15), room.near, source.surface.triangles
    if source.kind >= 0:
        return Box(middle, half, radius, 0, 0, abs(value_of(source, middle)[0]), 0)
    surface, shift = source.surface, norm(sub(middle, whole.middle)) * (1.0 + 1e-9)
    closest = whole.closest
    least = norm(sub(middle, closest_on(triangles, closest, middle)))
    end = whole.last
    for row in range(whole.first, whole.last):
        # Nothing comes nearer by more than the middle has moved.
        if near.distances[row] - shift > _reach(least, radius):
            continue
        i = near.ids[row]
        if i >= 0:
            end = _append_triangle(surface, near, i, middle, end)
            if near.distances[end - 1] < least:
                closest, least = int(i), near.distances[end - 1]
            continue
        distance = ball_distance(surface.balls, -1 - i, middle)
        if distance > _reach(least, radius):
            continue
        if surface.balls[-1 - i, 3] < SMALL * radius:
            end = _append_cluster(surface, near, -1 - i, distance, end)
            if distance < least:
                closest, least = closest_in_cluster(surface, -1 - i, middle, closest, least)
            continue
        for j in range((-1 - i) * CLUSTER, min(-i * CLUSTER, len(triangles))):
            end = _append_triangle(surface, near, j, middle, end)
            if near.distances[end - 1] < least:
                closest, least = j, near.distances[end - 1]
    last, reach = whole.last, _reach(least, radius)
    for row in range(whole.last, end):
        if near.distances[row] <= reach:
            near.ids[last], near.distances[last] = near.ids[row], near.distances[row]
            for k in range(3):
                near.points[last, k] = near.points[row, k]
            last += 1
    return Box(middle, half, radius, whole.last, last, least, closest)


@kernel
def _reach(distance: float, radius: float) -> float:
    """How far from the middle of a box triangles can matter, given how far the closest one is."""
    return distance + (4.0 if distance <= 2.0 * radius else 2.0) * radius * (1.0 + 1e-9)


@kernel
def _value_at(source: Source, near: Near, box: Box, p: Vec3) -> float:
    """Signed distance at a point of a box, as it is stored: in single precision."""
    if source.kind >= 0:
        return float(np.float32(value_of(source, p)[0]))
    i, distance = closest_triangle(source.surface, near, box, p)
    return float(np.float32(side_of(source.surface, i, p) * distance))


@kernel
def _sample(task: Task, room: Room, box: Box, corners: Array) -> bool:
    """Fill the lattice of a cell; are all values on it within the tolerance of those in between corners?"""
    is_good, h = True, box.half
    for at in range(27):
        x, y, z = at % 3, at // 3 % 3, at // 9
        if x != 1 and y != 1 and z != 1:
            room.lattice[at] = corners[(x >> 1) + 2 * (y >> 1) + 4 * (z >> 1)]
            continue
        p = add(box.middle, ((x - 1) * h, (y - 1) * h, (z - 1) * h))
        room.lattice[at] = _value_at(task.source, room.near, box, p)
        value = _between(corners, 0.5 * x, 0.5 * y, 0.5 * z)
        if abs(value - room.lattice[at]) > task.allowed.tolerance:
            is_good = False
    return is_good


@kernel
def _between(corners: Array, x: float, y: float, z: float) -> float:
    """Value between corners, at a place in [0, 1] cubed."""
    a, b = corners[0] + x * (corners[1] - corners[0]), corners[2] + x * (corners[3] - corners[2])
    c, d = corners[4] + x * (corners[5] - corners[4]), corners[6] + x * (corners[7] - corners[6])
    e, f = a + y * (b - a), c + y * (d - c)
    return float(e + z * (f - e))


@kernel
def _is_tangled(task: Task, room: Room, box: Box) -> bool:
    """Are there values of both signs where no surface is? Then it passes through itself."""
    if box.distance <= box.radius + task.allowed.rounding:
        return False
    lowest, highest = INFINITY, -INFINITY
    for at in range(27):
        lowest, highest = min(lowest, room.lattice[at]), max(highest, room.lattice[at])
    return lowest < 0.0 < highest


@kernel
def _is_proven(task: Task, room: Room, box: Box, level: int) -> bool:
    """Prove a cell, or all parts of it, or all parts of those."""
    parts = np.zeros(DEEPEST_PROOF + 1, np.int64)
    outcome = prove_box(
        task.source, room.near, box, _values_in(room.lattice, 0.0, 0.0, 0.0, 1.0), task.allowed
    )
    if outcome != IS_OPEN:
        return outcome == IS_PROVEN
    depth = 1
    while depth > 0:
        if parts[depth] == 8:
            parts[depth] = 0
            depth -= 1
            parts[depth] += 1
            continue
        x, y, z, size = _place_of(parts, depth)
        half = size * box.half
        middle = add(box.middle, _offset(x, y, z, size, box.half))
        part = _box_near(task.source, room, (middle, half), _kept(room, level + depth))
        _keep(room, level + depth + 1, part)
        values = _values_in(room.lattice, x, y, z, size)
        outcome = prove_box(task.source, room.near, part, values, task.allowed)
        if outcome == IS_OFF or (outcome == IS_OPEN and depth == DEEPEST_PROOF):
            return False
        if outcome == IS_PROVEN:
            parts[depth] += 1
        else:
            depth += 1
    return True


@kernel
def _offset(x: float, y: float, z: float, size: float, half: float) -> Vec3:
    """Middle of a part, whose lowest corner is at x, y, z in [0, 1] cubed, from the middle of the whole."""
    return (2 * x + size - 1.0) * half, (2 * y + size - 1.0) * half, (2 * z + size - 1.0) * half


@kernel
def _place_of(parts: Keys, depth: int) -> tuple[float, float, float, float]:
    """Lowest corner and width of a part, in [0, 1], by the numbers of the parts that it is in."""
    x, y, z, size = 0.0, 0.0, 0.0, 1.0
    for k in range(1, depth + 1):
        size *= 0.5
        i = parts[k]
        x, y, z = x + size * (i & 1), y + size * (i >> 1 & 1), z + size * (i >> 2)
    return x, y, z, size


@kernel
def _values_in(lattice: Array, x: float, y: float, z: float, size: float) -> Corners:
    """Values at the corners of a part of the cell with the given lattice."""
    return (
        _inside(lattice, x, y, z),
        _inside(lattice, x + size, y, z),
        _inside(lattice, x, y + size, z),
        _inside(lattice, x + size, y + size, z),
        _inside(lattice, x, y, z + size),
        _inside(lattice, x + size, y, z + size),
        _inside(lattice, x, y + size, z + size),
        _inside(lattice, x + size, y + size, z + size),
    )


@kernel
def _inside(lattice: Array, x: float, y: float, z: float) -> float:
    """Value between the corners of a lattice, at a place in [0, 1] cubed."""
    a = lattice[0] + x * (lattice[2] - lattice[0])
    b = lattice[6] + x * (lattice[8] - lattice[6])
    c = lattice[18] + x * (lattice[20] - lattice[18])
    d = lattice[24] + x * (lattice[26] - lattice[24])
    e, f = a + y * (b - a), c + y * (d - c)
    return float(e + z * (f - e))
