"""Growing the octree of a field: cells of one size after the other, split until each is proven."""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.fields.building.cell_proof import (
    ROOT_3,
    Allowed,
    Cells,
    Corners,
    Frame,
    proof_room,
    prove_range,
)
from firstcontact.fields.building.core_proof import DEEPEST_PROOF, prove_core_range
from firstcontact.fields.building.mixture import Mixture, measure_mixture, mixture_room, prove_mixture_range
from firstcontact.fields.building.source import Core, Surface, corners_of, only_values
from firstcontact.fields.hull_walk import hull_room
from firstcontact.fields.octree import DEEPEST, LONGEST_SIDE, MOST_ROOTS, Grid, Octree

# Cells that are looked at together: more are taken one half after the other, which bounds the memory.
MOST_AT_ONCE = 1 << 17

# Cells from which another thread is worth its start.
WORTH_A_THREAD = 128

# Places in the lattice of 27 about a cell that is split: its corners, and all others.
CORNERS_AT = tuple((k & 1) * 2 + (k >> 1 & 1) * 6 + (k >> 2) * 18 for k in range(8))
OTHERS_AT = tuple(at for at in range(27) if at not in CORNERS_AT)

# Which of the others are corners of which part, (8, 19).
NEEDS = np.array(
    [
        [all(0 <= at // n % 3 - (k >> i & 1) <= 1 for i, n in enumerate((1, 3, 9))) for at in OTHERS_AT]
        for k in range(8)
    ]
)

# The link of a cell that a field before does not have: no leaf has that number.
NOTHING = int(np.iinfo(np.int32).min)


class Task(NamedTuple):
    """What is to be covered by cells, how well, and which places are where.

    origin : where the grid's lowest corner is, as the source sees it
    """

    source: Core | Surface | Mixture
    grid: Grid
    allowed: Allowed
    origin: Array


class Before(NamedTuple):
    """A field that may be kept in part.

    is_same : says which boxes, by their middles (n, 3) and their half diagonal, are as they were
    """

    octree: Octree
    is_same: Callable[[Array, float], Flags]


class Layer(NamedTuple):
    """Cells of one size that wait: at which depth, their nodes, and what is known at their corners.

    before : (n,) the links of these cells in the field that was before; NOTHING where it has no such cell
    """

    depth: int
    nodes: Keys
    before: Keys
    cells: Cells
    corners: Corners


class Copies(NamedTuple):
    """Cells that are as they were, and wait to be copied: their nodes, their links before, their depth."""

    nodes: Keys
    before: Keys
    depth: int


class Grown:
    """Nodes and leaves so far: links as in an `Octree`, and values of the leaves, by their numbers."""

    def __init__(self, n_roots: int, max_cells: int) -> None:
        self.n_nodes, self.n_leaves, self.max_cells = n_roots, 0, max_cells
        self.n_least = n_roots  # leaves that there will be, at the least
        self._nodes: list[Keys] = []
        self._links: list[Keys] = []
        self._values: list[Any] = []

    def add_leaves(self, nodes: Keys, values: Any) -> None:
        """Let nodes be leaves, with these values at their corners."""
        self._nodes.append(nodes)
        self._links.append(-1 - self.n_leaves - np.arange(len(nodes)))
        self._values.append(values)
        self.n_leaves += len(nodes)
        if self.n_least > self.max_cells:
            raise _too_many(self.max_cells)

    def split(self, nodes: Keys) -> Keys:
        """Give nodes eight children each; return the numbers of the children."""
        firsts = self.n_nodes + 8 * np.arange(len(nodes))
        self._nodes.append(nodes)
        self._links.append(firsts)
        self.n_nodes += 8 * len(nodes)
        self.n_least += 7 * len(nodes)
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


def _too_many(max_cells: int) -> ValueError:
    return ValueError(
        f"the field needs more than max_cells={max_cells} cells: allow more, or a larger tolerance"
    )


def _n_roots(grid: Grid, max_cells: int) -> int:
    """How many cubes there are; a grid is refused before there is memory for it."""
    if max(grid.shape) > MOST_ROOTS:
        raise ValueError(
            f"the field's box needs {max(grid.shape)} cubes of {grid.width:.3g} side by side, and "
            f"{MOST_ROOTS} are the most: it is too thin, or too far from the origin"
        )
    if max(grid.width * n for n in grid.shape) > LONGEST_SIDE:
        raise ValueError(f"the field's box must be no longer than {LONGEST_SIDE:.3g} along any side")
    n_roots = prod(grid.shape)
    if n_roots > max_cells:
        raise _too_many(max_cells)
    return n_roots


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


def grown_octree(
    task: Task, max_cells: int, tell: Callable[[float], Any], before: Before | None = None
) -> Octree:
    """Cover the grid of a task by cells, each proven; tell how many cubes are done, time after time.

    Cells of the field before, on the same grid, are copied where they are as they were.
    """
    grown = Grown(_n_roots(task.grid, max_cells), max_cells)
    waiting: list[Layer | Copies] = [*_first_layers(task, before)]
    while waiting:
        layer = waiting.pop()
        if len(layer.nodes) == 0:
            continue
        if isinstance(layer, Copies):
            assert before is not None  # there is nothing to copy else
            waiting += _copied(grown, layer, before.octree, tell)
            continue
        if len(layer.nodes) > MOST_AT_ONCE:
            half = len(layer.nodes) // 2
            waiting += [_some(layer, slice(half, None)), _some(layer, slice(half))]
            continue
        is_leaf = _proven(task, layer)
        values = layer.corners.values[layer.cells.corners[is_leaf]]
        grown.add_leaves(layer.nodes[is_leaf], values)
        tell(len(values) / 8.0**layer.depth)
        if len(values) < len(is_leaf):
            waiting += _parts_of(task, grown, _some(layer, ~is_leaf), before)
    return grown.octree(task.grid)


def _copied(
    grown: Grown, copies: Copies, octree: Octree, tell: Callable[[float], Any]
) -> list[Layer | Copies]:
    """Copy leaves, and the children of what was split."""
    is_leaf = copies.before < 0
    values = octree.values[-1 - copies.before[is_leaf]]
    grown.add_leaves(copies.nodes[is_leaf], values)
    tell(len(values) / 8.0**copies.depth)
    if is_leaf.all():
        return []
    return [
        Copies(
            grown.split(copies.nodes[~is_leaf]),
            _links_below(octree, copies.before[~is_leaf]),
            copies.depth + 1,
        )
    ]


def _links_below(octree: Octree, links: Keys) -> Keys:
    """Links of the eight children of nodes with these links; NOTHING where they have no children."""
    children = np.maximum(links, 0)[:, np.newaxis] + np.arange(8)
    below: Keys = np.where(links[:, np.newaxis] >= 0, octree.links[children], NOTHING)
    return below.reshape(-1)


def _some(layer: Layer, which: Any) -> Layer:
    cells = Cells(layer.cells.lowest[which], layer.cells.corners[which])
    return Layer(layer.depth, layer.nodes[which], layer.before[which], cells, layer.corners)


def _same_cells(task: Task, before: Before | None, links: Keys, lowest: Ids, depth: int) -> Flags:
    """Which cells are as they were before?"""
    is_same = np.zeros(len(links), np.bool_)
    known = np.flatnonzero(links != NOTHING)
    if before is not None and len(known) > 0:
        width = task.grid.width / (1 << depth)
        middles = task.origin + (lowest[known] + 0.5) * width
        is_same[known] = before.is_same(middles, 0.5 * ROOT_3 * width)
    return is_same


def _first_layers(task: Task, before: Before | None) -> list[Layer | Copies]:
    """The cubes of the grid."""
    shape = task.grid.shape
    lowest = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape), axis=1).astype(np.int32)
    ends = tuple(n + 1 for n in shape)
    points = np.stack(np.unravel_index(np.arange(np.prod(ends)), ends), axis=1)
    corners = [lowest + np.array([k & 1, k >> 1 & 1, k >> 2]) for k in range(8)]
    ids = np.stack([np.ravel_multi_index(tuple(c.T), ends) for c in corners], axis=1).astype(np.int32)
    known = _known_at(task, task.origin + task.grid.width * points)
    nodes, links = np.arange(len(lowest)), np.full(len(lowest), NOTHING)
    if before is not None:
        links = before.octree.links[: len(lowest)].astype(np.int64)
    is_same = _same_cells(task, before, links, lowest, 0)
    layer = Layer(0, nodes, links, Cells(lowest, ids), known)
    return [Copies(nodes[is_same], links[is_same], 0), _some(layer, ~is_same)]


def _known_at(task: Task, points: Array) -> Corners:
    """Say what is known at points (n, 3)."""
    source = task.source
    if not isinstance(source, Mixture):
        return corners_of(source, points, task.allowed.tolerance)
    values = np.empty(len(points), np.float32)
    measure_mixture(source, points, values)
    return only_values(values)


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
        elif isinstance(source, Mixture):
            waiting = mixture_room()
            prove_mixture_range(source, layer.cells, layer.corners, where, waiting, is_proven, (first, last))
        else:
            room = proof_room(hull_room(source.body.depth))
            prove_range(source.body, layer.cells, layer.corners, where, room, is_proven, (first, last))

    on_ranges(work, n, WORTH_A_THREAD)
    return is_proven


def _parts_of(task: Task, grown: Grown, layer: Layer, before: Before | None) -> list[Layer | Copies]:
    """Split all cells of a layer, and find out what their parts need to know."""
    depth, grid, n_known = layer.depth + 1, task.grid, len(layer.corners.values)
    # Corners are numbered in 63 bits.
    if depth > DEEPEST or prod((m << depth) + 1 for m in grid.shape) >= 1 << 63:
        raise ValueError(
            f"a tolerance of {task.allowed.tolerance:.3g} needs cells of less than 1/{1 << layer.depth} of "
            f"{grid.width:.3g}: allow a larger one"
        )
    nodes, n = grown.split(layer.nodes), len(layer.nodes)
    places = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], np.int32)
    lowest = (2 * layer.cells.lowest[:, np.newaxis] + places).reshape(-1, 3)
    links = np.full(8 * n, NOTHING) if before is None else _links_below(before.octree, layer.before)
    is_same = _same_cells(task, before, links, lowest, depth)
    _, b, c = ((n << depth) + 1 for n in grid.shape)
    keys = np.empty((n, len(OTHERS_AT)), np.int64)
    _write_keys(layer.cells.lowest, (b, c), keys)
    is_needed = (~is_same).reshape(n, 8) @ NEEDS
    unique, ids = np.unique(keys[is_needed], return_inverse=True)
    points = np.stack([unique // (b * c), unique // c % b, unique % c], axis=1)
    new = _known_at(task, task.origin + grid.width / (1 << depth) * points)
    others = np.zeros(keys.shape, np.int32)
    others[is_needed] = ids.reshape(-1) + n_known
    corners = np.empty((8 * n, 8), np.int32)
    _write_corners(layer.cells.corners, others, corners)
    layer = Layer(depth, nodes, links, Cells(lowest, corners), _joined(layer.corners, new))
    return [Copies(nodes[is_same], links[is_same], depth), _some(layer, ~is_same)]


def _joined(known: Corners, new: Corners) -> Corners:
    """What was known, and what is new."""
    return Corners(
        np.concatenate([known.values, new.values]),
        np.concatenate([known.ways, new.ways]),
        np.concatenate([known.places, new.places]),
        np.concatenate([known.sides, new.sides]),
    )


@driver
def _write_keys(lowest: Ids, ends: tuple[int, int], keys: Keys) -> None:
    """Number the places about cells that are split, but for their corners."""
    for i in range(len(lowest)):
        x, y, z = 2 * np.int64(lowest[i, 0]), 2 * np.int64(lowest[i, 1]), 2 * np.int64(lowest[i, 2])
        for k in range(len(OTHERS_AT)):
            at = OTHERS_AT[k]
            keys[i, k] = ((x + at % 3) * ends[0] + (y + at // 3 % 3)) * ends[1] + (z + at // 9)


@driver
def _write_corners(corners: Ids, others: Ids, parts: Ids) -> None:
    """Write the corners of the eight parts of each cell."""
    lattice = np.empty(27, np.int32)
    for i in range(len(others)):
        for k in range(8):
            lattice[CORNERS_AT[k]] = corners[i, k]
        for k in range(len(OTHERS_AT)):
            lattice[OTHERS_AT[k]] = others[i, k]
        for part in range(8):
            for k in range(8):
                parts[8 * i + part, k] = lattice[_lattice_at(part, k)]


@kernel
def _lattice_at(part: int, k: int) -> int:
    """Where in the lattice corner k of a part is."""
    x, y, z = (part & 1) + (k & 1), (part >> 1 & 1) + (k >> 1 & 1), (part >> 2) + (k >> 2)
    return x + 3 * y + 9 * z
