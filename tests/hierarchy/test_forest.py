"""Several trees in one array, against each of them by itself."""

import numpy as np
import pytest

from firstcontact.hierarchy import refit as refitting
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.forest import fitted_below, planted, refit_forest, topped
from firstcontact.hierarchy.quality import qualities, quality
from firstcontact.hierarchy.refit import refit

SIZES = [5, 0, 1, 30, 1, 12, 0]


def boxes(rng, n):
    low = rng.random((n, 3))
    return np.concatenate([low, low + 0.1 * rng.random((n, 3))], axis=1)


def forest_over(sizes, seed=0):
    rng = np.random.default_rng(seed)
    parts = [boxes(rng, n) for n in sizes]
    trees, leaves = [build_tree(part) for part in parts], np.concatenate(parts)
    below = planted(trees, np.concatenate(([0], np.cumsum(sizes))))
    return topped(below, fitted_below(below, leaves)), trees, parts, leaves


def below_of(children, node):
    """All leaves below a node, as primitives, and the depth of the deepest."""
    left, right = children[node].tolist()
    if left < 0:
        return [~left], 0
    assert node < min(left, right)
    (some, a), (more, b) = below_of(children, left), below_of(children, right)
    return some + more, 1 + max(a, b)


@pytest.mark.parametrize("sizes", [SIZES, [1, 1], [3, 4], [0, 3], [2, 2, 2]])
def test_all_trees_hang_from_the_top_with_bounds_of_their_own(sizes):
    forest, trees, parts, leaves = forest_over(sizes)
    primitives, depth = below_of(forest.children, 0)
    assert sorted(primitives) == list(range(sum(sizes)))
    assert depth <= forest.depth
    bounds, firsts = refit_forest(forest, leaves), np.cumsum([0, *sizes])
    assert np.array_equal(bounds[0], [*leaves[:, :3].min(axis=0), *leaves[:, 3:].max(axis=0)])
    for k, (tree, part) in enumerate(zip(trees, parts, strict=True)):
        first, last = forest.roots[k : k + 2]
        assert np.array_equal(bounds[first:last], refit(tree, part))
        if last > first:
            assert sorted(below_of(forest.children, first)[0]) == list(range(firsts[k], firsts[k + 1]))


def test_one_tree_is_as_it_was_and_none_has_no_nodes():
    forest, trees, _, leaves = forest_over([9])
    assert forest.children is trees[0].children
    assert np.array_equal(refit_forest(forest, leaves), refit(trees[0], leaves))
    nothing = forest_over([0, 0])[0]
    assert len(nothing.children) == 0


def test_trees_are_measured_each_by_itself():
    forest, trees, parts, leaves = forest_over(SIZES)
    bounds = refit_forest(forest, leaves)
    overlaps, spreads = qualities(forest.children, forest.roots, bounds)
    for k, (tree, part) in enumerate(zip(trees, parts, strict=True)):
        alone = quality(tree, refit(tree, part))
        assert overlaps[k] == alone.overlap
        assert np.array_equal(spreads[forest.roots[k] : forest.roots[k + 1]], alone.spreads)


def test_threads_fit_the_same_bounds(monkeypatch):
    forest, _, _, leaves = forest_over([200, 0, 3, 150])
    expected = refit_forest(forest, leaves)
    monkeypatch.setattr(refitting, "PARALLEL_FROM", 1)
    monkeypatch.setattr(refitting, "thread_count", lambda: 2)
    assert np.array_equal(refit_forest(forest, leaves), expected)
