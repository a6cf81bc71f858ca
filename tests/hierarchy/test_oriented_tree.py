"""Trees of oriented boxes: every primitive once, every box holds what is below it."""

import numpy as np
import pytest

from firstcontact.bounds.oriented_box import ALONG, HALF, N_COLUMNS, SIZE
from firstcontact.hierarchy.oriented_tree import NO_HALF, WIDTH, oriented_tree
from firstcontact.hierarchy.tree import MAX_DEPTH

RNG = np.random.default_rng(3)


def leaves_below(tree, node):
    block = tree.blocks_of[node]
    if block < 0:
        return [~block]
    return [p for child in tree.nodes[block] if child >= 0 for p in leaves_below(tree, child)]


def soup(kind, n):
    vertices = RNG.normal(size=(3 * n, 3))
    if kind == "one place":
        vertices[:] = 1.0
    if kind == "line":
        vertices[:, 1:] = 0.0
    if kind == "crowded":  # splits at the mean leave nearly all on one side
        vertices = np.repeat(2.0 ** np.arange(3.0 * n)[:, None] / 2.0 ** (1.5 * n), 3, axis=1)
    faces = np.arange(3 * n).reshape(n, 3)
    return vertices, (RNG.integers(0, 3 * n, (n, 3)) if kind == "shared" else faces).astype(np.int32)


@pytest.mark.parametrize("kind", ["any", "shared", "one place", "line", "crowded"])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 150])
def test_boxes_hold_all_that_is_below(kind, n):
    vertices, faces = soup(kind, n)
    tree = oriented_tree(vertices, faces)
    assert sorted(leaves_below(tree, 0)) == list(range(n))
    assert tree.depth <= MAX_DEPTH
    reached = [0] + [int(node) for node in tree.nodes.ravel() if node >= 0]
    assert len(reached) == len(set(reached))
    for node in reached:
        box = tree.boxes[node]
        seen = (vertices[faces[leaves_below(tree, node)]] - box[:3]) @ box[ALONG:HALF].reshape(3, 3).T
        assert np.all(np.abs(seen) <= box[HALF:SIZE] + 1e-14 * np.abs(vertices).max())
    for block, row in enumerate(tree.nodes):
        for k in range(WIDTH):
            if row[k] >= 0:
                assert np.array_equal(tree.blocks[block, :, k], tree.boxes[row[k], :SIZE])
            else:
                assert (tree.blocks[block, HALF:, k] == NO_HALF).all()


def test_nothing():
    tree = oriented_tree(np.empty((0, 3)), np.empty((0, 3), np.int32))
    assert tree.boxes.shape == (0, N_COLUMNS)
    assert tree.depth == 0
