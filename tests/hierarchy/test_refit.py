import numba
import numpy as np
import pytest

from firstcontact.hierarchy import refit as module
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from hierarchy.trees import degenerate_boxes, node_bounds, random_boxes

DEGENERATE = degenerate_boxes()


def random_bounds(n: int, k: int) -> np.ndarray:
    rows = np.random.default_rng(n).standard_normal((n, k // 2, 2))
    rows.sort(axis=2)
    return np.concatenate([rows[:, :, 0], rows[:, :, 1]], axis=1)


@pytest.mark.parametrize("k", [6, 14, 16, 18, 26])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 300])
def test_nodes_bound_the_primitives_below_them(n, k):
    bounds = random_bounds(n, k)
    tree = build_tree(bounds)
    assert np.array_equal(refit(tree, bounds), node_bounds(tree, bounds))


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_boxes_are_bounded(name):
    tree = build_tree(DEGENERATE[name])
    assert np.array_equal(refit(tree, DEGENERATE[name]), node_bounds(tree, DEGENERATE[name]))


def test_a_tree_serves_other_bounds_than_it_was_built_for():
    tree = build_tree(random_boxes(200))
    bounds = random_bounds(200, 18)
    assert np.array_equal(refit(tree, bounds), node_bounds(tree, bounds))


@pytest.mark.parametrize("k", [6, 18])
@pytest.mark.parametrize("is_chain", [False, True])
def test_the_number_of_threads_changes_nothing(k, is_chain, monkeypatch):
    bounds = random_bounds(20_000, k)
    if is_chain:  # a lopsided tree: most of it is one dense part
        bounds[50:] *= 1e-9
    tree = build_tree(bounds)
    serial = refit(tree, bounds)
    monkeypatch.setattr(module, "PARALLEL_FROM", 1)
    n_threads = numba.get_num_threads()
    try:
        for n in range(1, n_threads + 1):
            numba.set_num_threads(n)
            assert refit(tree, bounds).tobytes() == serial.tobytes()
    finally:
        numba.set_num_threads(n_threads)


def test_the_tasks_are_all_nodes_once_in_small_subtrees():
    tree = build_tree(random_boxes(20_000))
    top, tasks = module._subtrees(tree.children, np.array([0, len(tree.children)]))
    nodes = np.concatenate([np.arange(first, last) for first, last in np.concatenate([top, tasks])])
    assert np.array_equal(np.sort(nodes), np.arange(len(tree.children)))
    assert np.all(tasks[:, 1] - tasks[:, 0] <= module.TASK_NODES)
    assert len(top) < len(tasks)
