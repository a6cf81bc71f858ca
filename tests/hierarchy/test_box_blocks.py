"""Trees with eight children a node hold every box, in boxes that hold it."""

from functools import cache

import numpy as np
import pytest

from firstcontact._lanes import WIDTH
from firstcontact.hierarchy.box_blocks import LEAF_COST, box_blocks
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from hierarchy.trees import assert_blocks

LEAF_SIZE = 5


def random_boxes(rng, n, size=1.0, place=0.0):
    corners = rng.standard_normal((n, 1, 3)) + 0.1 * rng.random((n, 2, 3))
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1) * size + place


def check(bounds):
    tree = box_blocks(bounds, LEAF_SIZE)
    assert_blocks(tree, bounds, LEAF_SIZE)
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


def test_blocks_are_well_filled():
    tree = check(random_boxes(np.random.default_rng(2), 1000))
    assert np.count_nonzero(np.isfinite(tree.boxes[:, 0])) > 0.75 * tree.children.size


def areas_of(low, high):
    x, y, z = np.moveaxis(high - low, 1, 0)
    return x * y + y * z + z * x


@pytest.mark.parametrize("n", [3, 9, 40, 300])
def test_no_other_blocks_of_the_same_tree_cost_less(n):
    boxes = random_boxes(np.random.default_rng(n), n)
    two = build_tree(boxes)
    bounds = refit(two, boxes)
    areas = areas_of(bounds[:, :3], bounds[:, 3:])

    @cache
    def size(node):
        return 1 if two.children[node, 0] < 0 else sum(size(int(k)) for k in two.children[node])

    @cache
    def least(node, places):
        """What a node costs that gets so many places, by a look at every way to share them."""
        costs = [areas[node] * LEAF_COST] if size(node) <= LEAF_SIZE else []
        if size(node) > 1:
            one, other = (int(k) for k in two.children[node])
            shared = [
                min(least(one, k) + least(other, m - k) for k in range(1, m)) for m in range(2, WIDTH + 1)
            ]
            costs += [areas[node] + min(shared), *shared[: places - 1]]
        return min(costs)

    tree = box_blocks(boxes, LEAF_SIZE)
    is_there = np.isfinite(tree.boxes[:, 0])
    with np.errstate(invalid="ignore"):  # of those left over
        own = areas_of(tree.boxes[:, :3], tree.boxes[:, 3:]) / tree.factor**2
    found = np.where(tree.children >= 0, own, LEAF_COST * own)[is_there].sum()
    assert found + (areas[0] if n > LEAF_SIZE else 0.0) == pytest.approx(least(0, 1), rel=1e-4)
