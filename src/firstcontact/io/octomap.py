"""Binary files of OctoMap: octrees, of whose cells each is occupied, free or unknown.

After a header of text come the inner nodes, each before its children: two bits for each of eight children, 0
for unknown, 1 for free, 2 for occupied, 3 for an inner node. A leaf above the last level is as many cells as
fit.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.numerals import reals, shown
from firstcontact.shapes.voxel_skin import Cells

FIRST_LINE = b"# Octomap OcTree binary file"

# Trees whose files are read: with colors or times, which binary files leave out, they are the same bits.
TREES = (b"OcTree", b"ColorOcTree", b"OcTreeStamped")

# Levels below the root, and the cell at which space begins.
DEPTH, MIDDLE = 16, 1 << 15

# Cells of a file at the most, when leaves are taken apart.
MOST_CELLS = 1 << 24

OCCUPIED, INNER = 2, 3


class Grid(NamedTuple):
    """Occupied cells (n, 3), and their size."""

    cells: Cells
    size: float


def read_bt(path: Path) -> Grid:
    """Read the occupied cells of a tree.

    Raises
    ------
    ValueError
        The header or the tree is not as it must be, ends too early or too late, or has too many cells.
    """
    content = path.read_bytes()
    n_nodes, size, start = _header(content)
    codes, depths = _leaves(content, start, n_nodes)
    n_cells = sum(int(n) << 3 * (DEPTH - depth) for depth, n in enumerate(np.bincount(depths)))
    if n_cells > MOST_CELLS:
        raise ValueError(f"it has {n_cells:,} occupied cells; {MOST_CELLS:,} can be read")
    parts = [np.empty((0, 3), np.int64)]
    for depth in np.unique(depths).tolist():
        side = 1 << (DEPTH - depth)
        within = np.indices((side, side, side)).reshape(3, -1).T
        corners = _apart(codes[depths == depth] << 3 * (DEPTH - depth))
        parts.append((corners[:, np.newaxis] + within).reshape(-1, 3))
    return Grid(np.concatenate(parts) - MIDDLE, size)


def _header(content: bytes) -> tuple[int, float, int]:
    """The number of nodes, the size of a cell, and where the tree begins."""
    if not content.startswith(FIRST_LINE):
        raise ValueError(f"it must begin with {FIRST_LINE.decode()!r}")
    found: dict[bytes, bytes] = {}
    place = 0
    while True:
        end = content.find(b"\n", place)
        if end < 0:
            raise ValueError("its header must end with a line 'data'")
        words = content[place:end].split(b"#")[0].split()
        place = end + 1
        if words == [b"data"]:
            break
        if words and len(words) != 2:
            raise ValueError(
                f"a line of its header must be a name and a value; it has {shown(b' '.join(words))}"
            )
        found |= {words[0]: words[1]} if words else {}
    if not {b"id", b"res", b"size"} <= found.keys():
        raise ValueError("its header must have the lines id, res and size")
    if found[b"id"] not in TREES:
        names = ", ".join(name.decode() for name in TREES)
        raise ValueError(f"id must be one of {names}; it has {shown(found[b'id'])}")
    if not found[b"size"].isdigit() or len(found[b"size"]) > 18:
        raise ValueError(f"size must be a number of nodes; it has {shown(found[b'size'])}")
    try:
        return int(found[b"size"]), reals([found[b"res"]])[0], place
    except ValueError:
        raise ValueError(f"res must be a number; it has {shown(found[b'res'])}") from None


def _leaves(content: bytes, place: int, n_nodes: int) -> tuple[Cells, Cells]:
    """The occupied leaves: a number each, whose every three bits are that of a child, and their depths."""
    nodes = _nodes(content, place) if n_nodes else np.empty((0, 3), np.int64)
    codes, depths, bits = nodes.T
    whats = bits[:, np.newaxis] >> 2 * np.arange(8) & 3
    n_seen = min(n_nodes, 1) + int(np.count_nonzero(whats))
    if n_seen != n_nodes:
        raise ValueError(f"its header says that it has {n_nodes} nodes; it has {n_seen}")
    if place + 2 * len(nodes) != len(content):
        raise ValueError(f"it has {len(content) - place - 2 * len(nodes)} bytes more than its tree")
    rows, children = np.nonzero(whats == OCCUPIED)
    return codes[rows] << 3 | children, depths[rows] + 1


def _nodes(content: bytes, place: int) -> Cells:
    """The inner nodes, (n, 3): their numbers, their depths, and the bits of their children."""
    found, todo = [], [(0, 0)]
    while todo:
        code, depth = todo.pop()
        if place + 2 > len(content):
            raise ValueError("it ends within its tree")
        bits = content[place] | content[place + 1] << 8
        place += 2
        found.append((code, depth, bits))
        inner = _inner(bits)
        if inner and depth + 1 == DEPTH:
            raise ValueError(f"its tree is deeper than {DEPTH} levels")
        todo.extend((code << 3 | k, depth + 1) for k in inner)
    return np.array(found, np.int64)


@lru_cache(1 << 16)
def _inner(bits: int) -> tuple[int, ...]:
    """The children that are inner nodes, the last first."""
    return tuple(k for k in range(7, -1, -1) if bits >> 2 * k & 3 == INNER)


def bt_bytes(cells: Cells, size: float) -> bytes:
    """Write a tree of occupied cells, from -MIDDLE to MIDDLE - 1 along each axis; all others are unknown."""
    n_nodes, tree = _tree(cells + MIDDLE) if len(cells) else (0, b"")
    lines = FIRST_LINE.decode(), "id OcTree", f"size {n_nodes}", f"res {size!r}", "data"
    return "\n".join((*lines, "")).encode() + tree


def _tree(cells: Cells) -> tuple[int, bytes]:
    """The number of nodes, and all inner nodes, each before its children."""
    codes, is_leaf = np.unique(_interleaved(cells)), np.ones(len(cells), np.bool_)
    nodes, n_nodes = [], 1
    for depth in range(DEPTH - 1, -1, -1):
        parents, first = np.unique(codes >> 3, return_index=True)
        values = np.where(is_leaf, OCCUPIED, INNER) << 2 * (codes & 7)
        bits = np.add.reduceat(values, first)
        n_children = np.diff([*first, len(codes)])
        is_whole = bits == 0xAAAA  # eight occupied leaves are one
        n_nodes += int(n_children[~is_whole].sum())
        codes, is_leaf = parents, is_whole
        inner = parents[~is_whole] << 3 * (DEPTH - depth)
        nodes.append(np.stack([inner, np.full(len(inner), depth), bits[~is_whole]], axis=1))
    found = np.concatenate(nodes)
    return n_nodes, found[np.lexsort((found[:, 1], found[:, 0])), 2].astype("<u2").tobytes()


def _interleaved(cells: Cells) -> NDArray[np.int64]:
    """One number for each cell whose every three bits are the number of a child, from the root down."""
    codes = np.zeros(len(cells), np.int64)
    for bit in range(DEPTH):
        for axis in range(3):
            codes |= (cells[:, axis] >> bit & 1) << (3 * bit + axis)
    return codes


def _apart(codes: NDArray[np.int64]) -> Cells:
    """The cells (n, 3) of such numbers."""
    cells = np.zeros((len(codes), 3), np.int64)
    for bit in range(DEPTH):
        for axis in range(3):
            cells[:, axis] |= (codes >> (3 * bit + axis) & 1) << bit
    return cells
