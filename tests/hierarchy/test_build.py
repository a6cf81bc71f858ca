import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from firstcontact.hierarchy import build as module
from firstcontact.hierarchy.build import CLUSTER_LEVELS, CLUSTER_SIZE, build_tree
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.tree import MAX_DEPTH, Tree
from hierarchy.trees import (
    assert_is_tree,
    box_tests,
    degenerate_boxes,
    nested_boxes,
    overlapping_pairs,
    random_boxes,
)

DEGENERATE = degenerate_boxes()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 31, 32, 33, 1000, 100_000])
def test_trees_are_trees(n):
    assert_is_tree(build_tree(random_boxes(n)), n)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_boxes_make_trees(name):
    assert_is_tree(build_tree(DEGENERATE[name]), len(DEGENERATE[name]))


@given(arrays(np.float64, st.tuples(st.integers(0, 40), st.just(6)), elements=st.floats(-1e45, 1e45)))
def test_any_boxes_make_trees(boxes):
    boxes.sort(axis=1)
    assert_is_tree(build_tree(boxes), len(boxes))


@pytest.mark.parametrize("name", ["coincident", "concentric"])
def test_what_has_one_centre_is_split_in_the_middle(name):
    boxes = DEGENERATE[name]
    assert build_tree(boxes).depth == int(np.ceil(np.log2(len(boxes))))


def test_the_depth_is_bounded_where_areas_alone_would_make_a_chain():
    tree = build_tree(nested_boxes(145))
    assert tree.depth == MAX_DEPTH - CLUSTER_LEVELS  # a chain would be 144 deep


def test_a_cluster_has_room_below_the_deepest_of_the_nodes_above():
    boxes, ids = nested_boxes(CLUSTER_SIZE), np.arange(CLUSTER_SIZE, dtype=np.int32)
    for above in (0, 40, MAX_DEPTH - CLUSTER_LEVELS):
        children = np.empty((2 * CLUSTER_SIZE - 1, 2), np.int32)
        one = module.Sets(boxes, ids, np.array([0, CLUSTER_SIZE]), np.array([0]), np.array([above]))
        depth = module._build(one, children, 0, 1)
        assert_is_tree(Tree(children, depth - above), CLUSTER_SIZE)
        assert depth == min(above + CLUSTER_SIZE - 1, MAX_DEPTH)


def test_bins_put_a_range_in_order():
    values = np.random.default_rng(5).normal(size=1000)
    values[:3] = np.nan, np.inf, -np.inf
    old, order = np.arange(1000), np.zeros(1000, np.int64)
    bins = np.nan_to_num((values + 2.0) * (module.N_BINS / 4.0)).clip(0.0, module.N_BINS - 1.0).astype(int)
    module._sort_bins(order, old, values, np.empty(module.N_BINS, np.int64), -2.0, 4.0)
    assert np.array_equal(order, np.argsort(bins, kind="stable"))


@pytest.mark.parametrize("first", [0, 4])
def test_a_sweep_finds_the_split_of_least_area(first):
    boxes, order = random_boxes(30), np.random.default_rng(1).permutation(30)

    def cost(part):
        x, y, z = boxes[part, 3:].max(axis=0) - boxes[part, :3].min(axis=0)
        return len(part) * (x * y + y * z + z * x)

    middle = module._sweep(boxes, order, np.empty(30), first, 30)
    costs = [cost(order[first:i]) + cost(order[i:]) for i in range(first + 1, 30)]
    assert costs[middle - first - 1] == min(costs)


@pytest.mark.parametrize("scale", [0.0, 1e-6, 2.0**-60])
def test_an_outlier_does_not_spoil_the_tree(scale):
    boxes = random_boxes(500)
    far = np.concatenate([boxes * scale, np.ones((1, 6))])
    tree, alone = build_tree(far), build_tree(boxes)
    assert_is_tree(tree, 501)
    if scale > 0.0:
        n_tests, n_alone = box_tests(tree, refit(tree, far))[0], box_tests(alone, refit(alone, boxes))[0]
        assert n_tests < 1.2 * n_alone


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 1000, 2**31 - 1])
def test_a_rangeis_deep_when_one_uneven_split_would_be_too_many(n):
    levels = int(np.ceil(np.log2(n)))
    assert not module.is_deep(n, MAX_DEPTH - levels - 1)
    assert module.is_deep(n, MAX_DEPTH - levels)


def test_a_tree_over_points_on_a_line_is_balanced():
    tree = build_tree(DEGENERATE["line"])
    assert tree.depth <= 8
    assert box_tests(tree, refit(tree, DEGENERATE["line"])) == (99, 0)


@pytest.mark.parametrize("k", [6, 14, 18])
def test_only_the_box_columns_count(k):
    boxes = random_boxes(500)
    bounds = np.random.default_rng(0).random((500, k))
    bounds[:, :3], bounds[:, k // 2 : k // 2 + 3] = boxes[:, :3], boxes[:, 3:]
    assert np.array_equal(build_tree(bounds).children, build_tree(boxes).children)


@pytest.mark.parametrize("scene", ["random", "coincident", "clustered"])
def test_the_number_of_threads_changes_nothing(scene, monkeypatch):
    boxes = random_boxes(30_000)
    if scene == "coincident":
        boxes[:] = boxes[0]
    if scene == "clustered":
        boxes[100:] *= 1e-6
    serial = build_tree(boxes)
    assert_is_tree(serial, len(boxes))
    monkeypatch.setattr(module, "PARALLEL_FROM", 1)
    n_threads = numba.get_num_threads()
    try:
        for n in range(1, n_threads + 1):
            numba.set_num_threads(n)
            parallel = build_tree(boxes)
            assert parallel.children.tobytes() == serial.children.tobytes()
            assert parallel.depth == serial.depth
    finally:
        numba.set_num_threads(n_threads)


def test_a_tree_finds_all_pairs_with_few_tests():
    boxes = random_boxes(1000)
    tree = build_tree(boxes)
    n_tests, n_pairs = box_tests(tree, refit(tree, boxes))
    assert n_pairs == overlapping_pairs(boxes)
    assert n_tests < 15 * len(boxes)


def test_the_order_of_the_primitives_hardly_matters():
    boxes = random_boxes(2000)
    shuffled = boxes[np.random.default_rng(3).permutation(len(boxes))]
    trees = build_tree(boxes), build_tree(shuffled)
    counts = [box_tests(tree, refit(tree, b))[0] for tree, b in zip(trees, (boxes, shuffled), strict=True)]
    assert abs(counts[0] - counts[1]) < 0.02 * counts[0]


def test_bounds_are_left_as_they_were():
    boxes = random_boxes(100)
    before = boxes.copy()
    build_tree(boxes)
    assert np.array_equal(boxes, before)
