import numpy as np

from firstcontact.hierarchy.collapse import collapse

# A root with an inner node and a leaf; that node has one more inner node and a leaf, which has two.
CHILDREN = np.array([[1, 2], [3, 4], [~0, ~0], [5, 6], [~1, ~1], [~2, ~2], [~3, ~3]], np.int32)


def collapsed(width, sizes):
    blocks_of, nodes = np.empty(len(CHILDREN), np.int32), np.full((3, width), -1, np.int32)
    n_blocks = collapse(CHILDREN, np.array(sizes, float), blocks_of, nodes)
    return blocks_of, nodes[:n_blocks]


def test_a_row_that_is_full_leaves_the_rest_to_other_blocks():
    blocks_of, nodes = collapsed(3, [9, 8, 1, 7, 1, 1, 1])
    assert nodes.tolist() == [[3, 2, 4], [5, 6, -1]]
    assert blocks_of[[0, 3]].tolist() == [0, 1]
    assert blocks_of[[2, 4, 5, 6]].tolist() == [~0, ~1, ~2, ~3]


def test_a_row_may_hold_the_whole_tree():
    blocks_of, nodes = collapsed(4, [9, 8, 1, 7, 1, 1, 1])
    assert nodes.tolist() == [[5, 2, 4, 6]]
    assert blocks_of[0] == 0


def test_the_largest_is_opened_first():
    # Two inner nodes side by side: only one of them fits.
    children = np.array([[1, 2], [3, 4], [5, 6], *[[~i, ~i] for i in range(4)]], np.int32)
    for sizes, expected in (([9, 2, 3, 1, 1, 1, 1], [1, 5, 6]), ([9, 3, 2, 1, 1, 1, 1], [3, 2, 4])):
        blocks_of, nodes = np.empty(7, np.int32), np.full((3, 3), -1, np.int32)
        assert collapse(children, np.array(sizes, float), blocks_of, nodes) == 2
        assert nodes[0].tolist() == expected


def test_a_tree_of_a_leaf_has_no_block():
    blocks_of = np.empty(1, np.int32)
    nodes = np.full((1, 4), -1, np.int32)
    assert collapse(np.array([[~0, ~0]], np.int32), np.ones(1), blocks_of, nodes) == 0
    assert blocks_of.tolist() == [~0]
