"""OctoMap's binary files: what is written is read, and OctoMap, in python-fcl, sees the same cells."""

import numpy as np
import pytest

from firstcontact.io.octomap import DEPTH, FIRST_LINE, MIDDLE, bt_bytes, read_bt
from samples import sample

HEADER = FIRST_LINE + b"\nid OcTree\nsize 3\nres 0.5\ndata\n"


def cells_of(seed):
    rng = np.random.default_rng(seed)
    if seed % 2:
        return np.unique(rng.integers(-9, 9, (int(rng.integers(0, 200)), 3)), axis=0)
    return np.argwhere(rng.random((16, 16, 8)) < 0.97) - 8


@pytest.mark.parametrize("seed", range(sample(6, of=60)))
def test_what_is_written_is_read(tmp_path, seed):
    cells, file = cells_of(seed), tmp_path / "a.bt"
    file.write_bytes(bt_bytes(cells, 0.25))
    found = read_bt(file)
    assert found.size == 0.25
    assert np.array_equal(np.unique(found.cells, axis=0), cells.reshape(-1, 3))
    assert len(found.cells) == len(cells)


def test_octomap_itself_sees_the_same_cells():
    fcl = pytest.importorskip("fcl")
    cells = np.argwhere(np.random.default_rng(1).random((5, 4, 4)) < 0.5) - 2
    content = bt_bytes(cells, 0.5)
    tree = content[content.index(b"data\n") + 5 :]
    thing = fcl.CollisionObject(fcl.OcTree(0.5, np.frombuffer(tree, np.int8).tolist()))
    occupied = {tuple(cell) for cell in cells.tolist()}
    for cell in (np.argwhere(np.ones((7, 6, 6), bool)) - 3).tolist():
        ball = fcl.CollisionObject(fcl.Sphere(0.01), fcl.Transform((np.array(cell) + 0.5) * 0.5))
        touches = fcl.collide(thing, ball, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
        assert touches is (tuple(cell) in occupied)


@pytest.mark.parametrize("name", [b"OcTree", b"ColorOcTree", b"OcTreeStamped"])
def test_trees_that_know_more_have_the_same_cells(tmp_path, name):
    file = tmp_path / "a.bt"
    cells = cells_of(1)
    content = bt_bytes(cells, 0.25).replace(b"id OcTree\n", b"id " + name + b"\n")
    file.write_bytes(content)
    assert np.array_equal(np.unique(read_bt(file).cells, axis=0), cells)


def test_a_leaf_high_in_the_tree_is_all_of_its_cells(tmp_path):
    file = tmp_path / "a.bt"
    nodes = [np.uint16(3).tobytes()] * 13 + [np.uint16(2 << 2 | 1 << 4).tobytes()]
    header = HEADER.replace(b"size 3", b"size 16")
    file.write_bytes(header + b"".join(nodes))
    cells = read_bt(file).cells + MIDDLE
    assert cells.min(axis=0).tolist() == [4, 0, 0]
    assert cells.max(axis=0).tolist() == [7, 3, 3]
    assert len(cells) == 64


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it must begin with"),
        (FIRST_LINE, "its header must end"),
        (FIRST_LINE + b"\ndata\n", "must have the lines id, res and size"),
        (HEADER.replace(b"id OcTree\n", b"") + b"\x0a\x00", "must have the lines id, res and size"),
        (
            HEADER.replace(b"OcTree\nsize", b"TetTree\nsize") + b"\x0a\x00",
            "id must be one of OcTree, .* it has TetTree",
        ),
        (HEADER.replace(b"res 0.5", b"res x"), "res must be a number"),
        (HEADER.replace(b"size 3", b"size -3"), "size must be a number of nodes"),
        (HEADER.replace(b"id OcTree", b"id OcTree odd"), "a name and a value"),
        (HEADER + b"\x0a", "it ends within its tree"),
        (HEADER + b"\x0b\x00", "it ends within its tree"),
        (HEADER + b"\x02\x00", "says that it has 3 nodes; it has 2"),
        (HEADER + b"\x0a\x00\x00", "1 bytes more"),
        (HEADER.replace(b"size 3", b"size 18") + b"\x03\x00" * (DEPTH + 1), "deeper than 16 levels"),
        (HEADER + b"\x0a\x00", "occupied cells; 16,777,216 can be read"),
    ],
)
def test_what_is_no_tree_is_refused(tmp_path, content, told):
    file = tmp_path / "a.bt"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=told):
        read_bt(file)
