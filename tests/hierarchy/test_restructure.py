import numpy as np
import pytest

from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.quality import quality
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.restructure import restructure, tight_subtrees
from hierarchy.trees import assert_is_tree, random_boxes


def drifted(boxes: np.ndarray, share: float = 0.1) -> np.ndarray:
    """Boxes of which those at one side have mixed."""
    rng = np.random.default_rng(1)
    offset = np.where(boxes[:, :1] < share, rng.uniform(0.0, 0.5, (len(boxes), 3)), 0.0)
    return boxes + np.tile(offset, 2)


def leaves_below(children: np.ndarray, first: int, last: int) -> list[int]:
    return [~child for child in children[first:last, 0] if child < 0]


@pytest.mark.parametrize("tight", [1.0, 1.2, 2.0, 0.0])
def test_tight_subtrees_hold_every_primitive_once(tight):
    boxes = random_boxes(500)
    tree = build_tree(boxes)
    built, now = quality(tree, refit(tree, boxes)), quality(tree, refit(tree, drifted(boxes)))
    limits = tight * built.spreads
    kept = tight_subtrees(tree, now.spreads, limits)
    held = [leaf for first, last in kept for leaf in leaves_below(tree.children, first, last)]
    assert sorted(held) == list(range(500))
    for first, last in kept:
        assert last == first + 1 or now.spreads[first] <= limits[first]
    if tight == 0.0:
        assert len(kept) == 500


def test_a_tight_tree_is_kept_whole():
    boxes = random_boxes(100)
    tree = build_tree(boxes)
    spreads = quality(tree, refit(tree, boxes)).spreads
    kept = tight_subtrees(tree, spreads, spreads)
    assert kept.tolist() == [[0, 199]]
    same, moved = restructure(tree, refit(tree, boxes), kept)
    assert np.array_equal(same.children, tree.children)
    assert same.depth == tree.depth
    assert np.array_equal(moved, np.arange(199))


def test_no_tree_has_no_subtrees():
    tree = build_tree(random_boxes(0))
    assert tight_subtrees(tree, np.empty(0), np.empty(0)).shape == (0, 2)


@pytest.mark.parametrize("n", [2, 3, 10, 3000])
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_a_repaired_tree_is_a_tree_and_no_looser(n, share):
    boxes = random_boxes(n)
    tree = build_tree(boxes)
    built = quality(tree, refit(tree, boxes))
    now = drifted(boxes, share)
    nodes = refit(tree, now)
    kept = tight_subtrees(tree, quality(tree, nodes).spreads, 1.2 * built.spreads)
    repaired, moved = restructure(tree, nodes, kept)
    assert_is_tree(repaired, n)
    overlap = quality(repaired, refit(repaired, now)).overlap
    assert overlap <= quality(tree, nodes).overlap
    if n == 3000:
        new = build_tree(now)
        assert overlap < 1.2 * quality(new, refit(new, now)).overlap
        assert len(kept) > 1
    is_kept = moved >= 0
    assert np.sum(~is_kept) == len(kept) - 1
    is_leaf = repaired.children[:, 0] < 0
    assert np.array_equal(repaired.children[is_leaf], tree.children[moved[is_leaf]])
    assert np.array_equal(refit(repaired, now)[is_kept], nodes[moved[is_kept]])
