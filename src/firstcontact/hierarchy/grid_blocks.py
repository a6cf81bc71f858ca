"""A tree of boxes over the cells of a grid: nothing is sorted or weighed.

Neighbouring cells make a leaf, neighbouring leaves a block, and so on. The boxes are as good as those that
`box_blocks` finds: a surface over a grid leaves no choice but how to cut the grid, and pieces that are nearly
square are good ones.
"""

import numpy as np

from firstcontact._lanes import WIDTH
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.box_blocks import BoxBlocks, placed_blocks

Pair = tuple[int, int]

# Primitives of a cell; cells of a leaf.
IN_CELL = 2
IN_LEAF = WIDTH // IN_CELL


def grid_blocks(vertices: Array, spacing: tuple[float, float]) -> BoxBlocks:
    """Build the tree over the cells between vertices (m, n, 3): two primitives each, counted row by row.

    It is one as of `box_blocks`, with WIDTH a leaf. The spacing says which pieces are nearly square.
    """
    low, high = vertices, vertices
    for near, far in (np.s_[:-1], np.s_[1:]), (np.s_[:, :-1], np.s_[:, 1:]):
        low, high = np.minimum(low[near], low[far]), np.maximum(high[near], high[far])
    levels, groups, size = [np.concatenate([low, high], axis=2)], list[Pair](), spacing
    while len(groups) < 2 or _counts(levels[-1]) != (1, 1):
        groups.append(_group(_counts(levels[-1]), size, WIDTH if groups else IN_LEAF))
        levels.append(_joined(levels[-1], groups[-1]))
        size = size[0] * groups[-1][0], size[1] * groups[-1][1]
    return _in_blocks(levels, groups)


def _in_blocks(levels: list[Array], groups: list[Pair]) -> BoxBlocks:
    """Make blocks and leaves of all levels, from cells up to the root: what is in one is side by side.

    Nodes are the root, what is in it, and so on down to the leaves.
    """
    pieces, bounds, nodes, children = np.zeros(1, np.int32), [levels[-1].reshape(1, 6)], [], []
    n_nodes, depth = 1, len(groups) - 1
    for k in range(depth, 0, -1):
        rows = _parts(_counts(levels[k]), groups[k], WIDTH)[pieces]
        is_piece = rows >= 0
        pieces = rows[is_piece]
        places = np.full((len(rows), WIDTH), -1, np.int32)
        places[is_piece] = np.arange(len(pieces), dtype=np.int32)
        nodes.append(np.where(places < 0, -1, places + n_nodes))
        children.append(np.where(places < 0, 0, places + n_nodes if k > 1 else ~places))
        bounds.append(levels[k].reshape(-1, 6)[pieces])
        n_nodes += len(pieces)
    ids = IN_CELL * _parts(_counts(levels[0]), groups[0], IN_LEAF)[pieces, :, None] + np.arange(IN_CELL)
    leaves = np.where(ids < 0, -1, ids).reshape(len(pieces), WIDTH).astype(np.int32)
    tree = np.concatenate(nodes).astype(np.int32), np.concatenate(children).astype(np.int32), leaves
    return placed_blocks(np.concatenate(bounds), *tree, depth)


def _counts(level: Array) -> Pair:
    return level.shape[0], level.shape[1]


def _group(counts: Pair, size: tuple[float, float], n: int) -> Pair:
    """How many pieces along each axis make one, n or fewer: a power of two, and as square as may be."""
    p, q = 1, 1
    while p * q < n and (p < counts[0] or q < counts[1]):
        if q >= counts[1] or (p < counts[0] and p * size[0] <= q * size[1]):
            p *= 2
        else:
            q *= 2
    return p, q


def _joined(level: Array, group: Pair) -> Array:
    """Bounds of pieces, of which each has a group of those of a level."""
    starts = [np.arange(0, count, step) for count, step in zip(level.shape, group, strict=False)]
    low, high = level[..., :3], level[..., 3:]
    for axis in range(2):
        low = np.minimum.reduceat(low, starts[axis], axis=axis)
        high = np.maximum.reduceat(high, starts[axis], axis=axis)
    return np.concatenate([low, high], axis=2)


def _parts(counts: Pair, group: Pair, n_places: int) -> Ids:
    """Give the pieces in each group, counted row by row: (n, n_places), -1 for places left over, the last."""
    p, q = (-(-count // step) for count, step in zip(counts, group, strict=True))
    parts = np.full((p * q, n_places), -1, np.int32)
    numbers = np.full((p * group[0], q * group[1]), -1, np.int32)
    numbers[: counts[0], : counts[1]] = np.arange(counts[0] * counts[1], dtype=np.int32).reshape(counts)
    in_groups = numbers.reshape(p, group[0], q, group[1]).transpose(0, 2, 1, 3)
    parts[:, : group[0] * group[1]] = in_groups.reshape(p * q, -1)
    is_left_over = parts < 0
    return np.take_along_axis(parts, np.argsort(is_left_over, axis=1, kind="stable"), axis=1)
