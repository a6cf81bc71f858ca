"""Growing the octree of a field: cells of one size after the other, split until each is proven."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.fields.cell_proof import Allowed, Cells, Corners, Frame, proof_room, prove_range
from firstcontact.fields.core_proof import DEEPEST_PROOF, prove_core_range
from firstcontact.fields.hull_walk import hull_room
from firstcontact.fields.octree import DEEPEST, Grid, Octree
from firstcontact.fields.source import Core, Source, corners_of

# Cells that are looked at together: more are taken one half after the other, which bounds the memory.
MOST_AT_ONCE = 1 << 17

# Cells from which another thread is worth its start.
WORTH_A_THREAD = 128

# Places in the lattice of 27 about a cell that is split: its corners, and all others.
CORNERS_AT = tuple((k & 1) * 2 + (k >> 1 & 1) * 6 + (k >> 2) * 18 for k in range(8))
OTHERS_AT = tuple(at for at in range(27) if at not in CORNERS_AT)


class Task(NamedTuple):
    """What is to be covered by cells, how well, and which places are where.

    origin : where the grid's lowest corner is, as the source sees it
    """

    source: Source
    grid: Grid
    allowed: Allowed
    origin: Array


class Layer(NamedTuple):
    """Cells of one size that wait: at which depth, their nodes, and what is known at their corners."""

    depth: int
    nodes: Keys
    cells: Cells
    corners: Corners


class Grown:
    """Nodes and leaves so far: links as in an `Octree`, and values of the leaves, by their numbers."""

    def __init__(self, n_roots: int, max_cells: int) -> None:
        self.n_nodes, self.n_leaves, self.max_cells = n_roots, 0, max_cells
        self._nodes: list[Keys] = []
        self._links: list[Keys] = []
        self._values: list[Any] = []

    def add_leaves(self, nodes: Keys, values: Any, n_open: int) -> None:
        """Let nodes be leaves, with these values at their corners; so many cells wait."""
        self._nodes.append(nodes)
        self._links.append(-1 - self.n_leaves - np.arange(len(nodes)))
        self._values.append(values)
        self.n_leaves += len(nodes)
        if self.n_leaves + n_open > self.max_cells:
            raise ValueError(
                f"the field needs more than max_cells={self.max_cells} cells: "
                "allow more, or a larger tolerance"
            )

    def split(self, nodes: Keys) -> Keys:
        """Give nodes eight children each; return the numbers of the children."""
        firsts = self.n_nodes + 8 * np.arange(len(nodes))
        self._nodes.append(nodes)
        self._links.append(firsts)
        self.n_nodes += 8 * len(nodes)
        children: Keys = (firsts[:, np.newaxis] + np.arange(8)).reshape(-1)
        return children

    def octree(self, grid: Grid) -> Octree:
        """Put all together, neighbours beside each other."""
        links = np.empty(self.n_nodes, np.int32)
        links[np.concatenate(self._nodes)] = np.concatenate(self._links)
        values = np.concatenate(self._values)
        ordered, order = np.empty_like(links), np.empty(len(values), np.int32)
        _put_in_order(links, int(np.prod(grid.shape)), ordered, order)
        return Octree(grid, ordered, np.ascontiguousarray(values[order]))


@driver
def _put_in_order(links: Ids, n_roots: int, ordered: Ids, order: Ids) -> None:
    """Number the nodes below each cube of the grid one after the other, and so the leaves."""
    old, new = np.empty(8 * DEEPEST + 8, np.int32), np.empty(8 * DEEPEST + 8, np.int32)
    n_nodes, n_leaves = n_roots, 0
    for root in range(n_roots):
        old[0], new[0], top = root, root, 0
        while top >= 0:
            link, at = links[old[top]], new[top]
            if link < 0:
                order[n_leaves], ordered[at] = -1 - link, -1 - n_leaves
                n_leaves += 1
                top -= 1
                continue
            ordered[at] = n_nodes
            for i in range(8):
                old[top + i], new[top + i] = link + 7 - i, n_nodes + 7 - i
            n_nodes += 8
            top += 7


def grown_octree(task: Task, max_cells: int, tell: Callable[[float], Any]) -> Octree:
    """Cover the grid of a task by cells, each proven; tell how many cubes are done, time after time."""
    grown = Grown(int(np.prod(task.grid.shape)), max_cells)
    waiting, n_open = [_first_layer(task)], grown.n_nodes
    while waiting:
        layer = waiting.pop()
        if len(layer.nodes) > MOST_AT_ONCE:
            half = len(layer.nodes) // 2
            waiting += [_some(layer, slice(half, None)), _some(layer, slice(half))]
            continue
        is_leaf = _proven(task, layer)
        n_leaves = int(is_leaf.sum())
        n_open += 7 * (len(is_leaf) - n_leaves) - n_leaves
        values = layer.corners.values[layer.cells.corners[is_leaf]]
        grown.add_leaves(layer.nodes[is_leaf], values, n_open)
        tell(n_leaves / 8.0**layer.depth)
        if n_leaves < len(is_leaf):
            waiting.append(_parts_of(task, grown, _some(layer, ~is_leaf)))
    return grown.octree(task.grid)


def _some(layer: Layer, which: Any) -> Layer:
    cells = Cells(layer.cells.lowest[which], layer.cells.corners[which])
    return Layer(layer.depth, layer.nodes[which], cells, layer.corners)


def _first_layer(task: Task) -> Layer:
    """The cubes of the grid."""
    shape = task.grid.shape
    lowest = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape), axis=1).astype(np.int32)
    ends = tuple(n + 1 for n in shape)
    points = np.stack(np.unravel_index(np.arange(np.prod(ends)), ends), axis=1)
    corners = [lowest + np.array([k & 1, k >> 1 & 1, k >> 2]) for k in range(8)]
    ids = np.stack([np.ravel_multi_index(tuple(c.T), ends) for c in corners], axis=1).astype(np.int32)
    known = corners_of(task.source, task.origin + task.grid.width * points, task.allowed.tolerance)
    return Layer(0, np.arange(len(lowest)), Cells(lowest, ids), known)


def _proven(task: Task, layer: Layer) -> Flags:
    """Which cells are proven?"""
    n, source = len(layer.nodes), task.source
    a, b, c = task.origin.tolist()
    where = Frame((a, b, c), task.grid.width / (1 << layer.depth)), task.allowed
    is_proven = np.empty(n, np.bool_)

    def work(first: int, last: int) -> None:
        if isinstance(source, Core):
            parts = np.empty(DEEPEST_PROOF + 1, np.int64)
            prove_core_range(source, layer.cells, layer.corners, where, parts, is_proven, (first, last))
        else:
            room = proof_room(hull_room(source.body.depth))
            prove_range(source.body, layer.cells, layer.corners, where, room, is_proven, (first, last))

    on_ranges(work, n, WORTH_A_THREAD)
    return is_proven


def _parts_of(task: Task, grown: Grown, layer: Layer) -> Layer:
    """Split all cells of a layer, and find out what their parts need to know."""
    depth, grid, n_known = layer.depth + 1, task.grid, len(layer.corners.values)
    if depth > DEEPEST:
        raise ValueError(
            f"a tolerance of {task.allowed.tolerance:.3g} needs cells of less than 1/65536 of "
            f"{grid.width:.3g}: allow a larger one"
        )
    _, b, c = ((n << depth) + 1 for n in grid.shape)
    keys = np.empty((len(layer.nodes), len(OTHERS_AT)), np.int64)
    _write_keys(layer.cells.lowest, (b, c), keys)
    unique, ids = np.unique(keys, return_inverse=True)
    points = np.stack([unique // (b * c), unique // c % b, unique % c], axis=1)
    at = task.origin + grid.width / (1 << depth) * points
    new = corners_of(task.source, at, task.allowed.tolerance)
    lowest, corners = np.empty((8 * len(keys), 3), np.int32), np.empty((8 * len(keys), 8), np.int32)
    others = (ids.reshape(keys.shape) + n_known).astype(np.int32)
    _write_parts(layer.cells, others, Cells(lowest, corners))
    known = Corners(
        np.concatenate([layer.corners.values, new.values]),
        np.concatenate([layer.corners.ways, new.ways]),
        np.concatenate([layer.corners.places, new.places]),
        np.concatenate([layer.corners.sides, new.sides]),
    )
    return Layer(depth, grown.split(layer.nodes), Cells(lowest, corners), known)


@driver
def _write_keys(lowest: Ids, ends: tuple[int, int], keys: Keys) -> None:
    """Number the places about cells that are split, but for their corners."""
    for i in range(len(lowest)):
        x, y, z = 2 * np.int64(lowest[i, 0]), 2 * np.int64(lowest[i, 1]), 2 * np.int64(lowest[i, 2])
        for k in range(len(OTHERS_AT)):
            at = OTHERS_AT[k]
            keys[i, k] = ((x + at % 3) * ends[0] + (y + at // 3 % 3)) * ends[1] + (z + at // 9)


@driver
def _write_parts(cells: Cells, others: Ids, parts: Cells) -> None:
    """Write the eight parts of each cell."""
    lattice = np.empty(27, np.int32)
    for i in range(len(others)):
        for k in range(8):
            lattice[CORNERS_AT[k]] = cells.corners[i, k]
        for k in range(len(OTHERS_AT)):
            lattice[OTHERS_AT[k]] = others[i, k]
        for part in range(8):
            row, dx, dy, dz = 8 * i + part, part & 1, part >> 1 & 1, part >> 2
            parts.lowest[row, 0] = 2 * cells.lowest[i, 0] + dx
            parts.lowest[row, 1] = 2 * cells.lowest[i, 1] + dy
            parts.lowest[row, 2] = 2 * cells.lowest[i, 2] + dz
            for k in range(8):
                parts.corners[row, k] = lattice[_lattice_at(part, k)]


@kernel
def _lattice_at(part: int, k: int) -> int:
    """Where in the lattice corner k of a part is."""
    x, y, z = (part & 1) + (k & 1), (part >> 1 & 1) + (k >> 1 & 1), (part >> 2) + (k >> 2)
    return x + 3 * y + 9 * z
