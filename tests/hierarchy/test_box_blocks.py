"""Trees with eight children a node hold every box, in boxes that hold it."""

import numpy as np
import pytest

from firstcontact._lanes import WIDTH
from firstcontact.hierarchy.box_blocks import box_blocks

LEAF_SIZE = 5


def random_boxes(rng, n, size=1.0, place=0.0):
    corners = rng.standard_normal((n, 1, 3)) + 0.1 * rng.random((n, 2, 3))
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1) * size + place


def check(bounds):
    tree = box_blocks(bounds, LEAF_SIZE)
    scaled = bounds.reshape(-1, 2, 3) * tree.factor - np.array(tree.middle)
    assert np.all(np.abs(scaled) <= np.array(tree.half))
    seen, n_visited, deepest = [], 0, 0
    todo = [(0, 1, np.full(3, -np.inf), np.full(3, np.inf))] if len(tree.children) else []
    while todo:
        block, depth, low, high = todo.pop()
        n_visited, deepest = n_visited + 1, max(deepest, depth)
        for k in range(WIDTH):
            own_low, own_high = tree.boxes[block, :3, k], tree.boxes[block, 3:, k]
            if np.all(own_low > own_high):
                assert np.all(np.isinf(own_low))
                continue
            assert np.all(own_low >= low)
            assert np.all(own_high <= high)
            child = tree.children[block, k]
            if child >= 0:
                todo.append((child, depth + 1, own_low, own_high))
                continue
            ids = tree.leaves[~child]
            ids = ids[ids >= 0]
            assert 0 < len(ids) <= LEAF_SIZE
            assert np.all(own_low <= scaled[ids, 0])
            assert np.all(own_high >= scaled[ids, 1])
            seen += ids.tolist()
    assert sorted(seen) == list(range(len(bounds)))
    assert n_visited == len(tree.children)
    assert deepest == tree.depth
    return tree


@pytest.mark.parametrize("n", [0, 1, 2, 4, 5, 8, 9, 33, 500])
def test_every_box_is_in_a_leaf_and_in_the_boxes_above(n):
    check(random_boxes(np.random.default_rng(n), n))


@pytest.mark.parametrize(("size", "place"), [(1e-200, 0), (1e-6, 1), (1e8, 0), (1.0, 1e8), (1e44, 0)])
def test_any_size_and_place(size, place):
    tree = check(random_boxes(np.random.default_rng(1), 100, size, place))
    assert 0.5 <= max(tree.half) <= 1.0 or size == 1e-200


def test_boxes_all_at_one_point():
    check(np.ones((50, 6)))


def test_leaves_are_well_filled():
    tree = check(random_boxes(np.random.default_rng(2), 1000))
    assert np.count_nonzero(tree.leaves >= 0) > 0.6 * tree.leaves.size
