"""Trees over scenes that move: what is done to them, and that they stay as good as new ones."""

import numpy as np
import pytest

from firstcontact.hierarchy import update as module
from firstcontact.hierarchy.quality import Quality, quality
from firstcontact.hierarchy.tree import MAX_DEPTH, Tree
from firstcontact.hierarchy.update import LOOSE, Action, FittedTree, fitted_tree, updated_tree
from hierarchy.trees import assert_is_tree, box_tests, degenerate_boxes, node_bounds, random_boxes
from samples import sample

DEGENERATE = degenerate_boxes()


def mixing_balls(n_balls: int = 40, n_steps: int = 10) -> list[np.ndarray]:
    rng = np.random.default_rng(2)
    boxes = np.tile(0.1 * (random_boxes(60, size=0.4) - 0.5), (n_balls, 1))
    start, stop = (rng.random((n_balls, 3)).repeat(60, axis=0) for _ in range(2))
    return [boxes + np.tile(start + t * (stop - start), 2) for t in np.linspace(0.0, 1.0, n_steps)]


def assert_fits(fitted: FittedTree, boxes: np.ndarray) -> None:
    assert_is_tree(fitted.tree, len(boxes))
    assert np.array_equal(fitted.node_bounds, node_bounds(fitted.tree, boxes))
    assert fitted.built.spreads.shape == (len(fitted.tree.children),)
    assert not np.any(np.isnan(fitted.built.spreads))


def test_what_stands_still_is_refitted():
    boxes = random_boxes(300)
    first = fitted_tree(boxes)
    assert first.action is Action.REBUILT
    second = updated_tree(first.tree, first.built, boxes)
    assert second.action is Action.REFIT
    assert second.tree is first.tree
    assert second.built is first.built
    assert np.array_equal(second.node_bounds, first.node_bounds)


def test_what_moves_and_turns_as_a_whole_is_refitted():
    boxes = random_boxes(300)
    first = fitted_tree(boxes)
    moved = 3.0 * boxes[:, [1, 2, 0, 4, 5, 3]] + 7.0
    second = updated_tree(first.tree, first.built, moved)
    assert second.action is Action.REFIT
    assert_fits(second, moved)


def test_what_mixes_all_over_is_built_anew():
    boxes = random_boxes(1000)
    first = fitted_tree(boxes)
    mixed = boxes[np.random.default_rng(0).permutation(len(boxes))]
    second = updated_tree(first.tree, first.built, mixed)
    assert second.action is Action.REBUILT
    assert np.array_equal(second.tree.children, fitted_tree(mixed).tree.children)
    assert_fits(second, mixed)


def test_mixing_balls_are_restructured_and_stay_as_good_as_new():
    steps = mixing_balls(sample(16, of=40))
    fitted = fitted_tree(steps[0])
    actions = []
    for boxes in steps[1:]:
        fitted = updated_tree(fitted.tree, fitted.built, boxes)
        assert_fits(fitted, boxes)
        assert quality(fitted.tree, fitted.node_bounds).overlap <= LOOSE * fitted.built.overlap
        new = fitted_tree(boxes)
        n_tests, n_pairs = box_tests(fitted.tree, fitted.node_bounds)
        n_tests_new, n_pairs_new = box_tests(new.tree, new.node_bounds)
        assert n_pairs == n_pairs_new
        assert n_tests < 1.5 * n_tests_new
        actions.append(fitted.action)
    assert Action.RESTRUCTURED in actions


def test_a_repair_that_would_be_too_deep_gives_way_to_a_new_tree(monkeypatch):
    steps = mixing_balls()
    first = fitted_tree(steps[0])
    assert updated_tree(first.tree, first.built, steps[2]).action is Action.RESTRUCTURED
    plain = module.restructure

    def deep(*arguments: object) -> tuple[Tree, np.ndarray]:
        tree, moved = plain(*arguments)
        return tree._replace(depth=MAX_DEPTH + 1), moved

    monkeypatch.setattr(module, "restructure", deep)
    second = updated_tree(first.tree, first.built, steps[2])
    assert second.action is Action.REBUILT
    assert_fits(second, steps[2])


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_primitives(n):
    first = fitted_tree(random_boxes(n))
    second = updated_tree(first.tree, first.built, random_boxes(n, seed=1, size=2.0))
    assert_fits(second, random_boxes(n, seed=1, size=2.0))


@pytest.mark.parametrize("name", [name for name in DEGENERATE if name != "endless"])
def test_degenerate_boxes(name):
    boxes = DEGENERATE[name]
    first = fitted_tree(boxes)
    for now in (boxes, boxes[::-1].copy(), random_boxes(len(boxes))):
        assert_fits(updated_tree(first.tree, first.built, now), now)


def test_a_tree_that_nothing_is_known_of_is_loose():
    boxes = random_boxes(100)
    first = fitted_tree(boxes)
    unknown = Quality(0.0, np.zeros(len(first.tree.children)))
    assert updated_tree(first.tree, unknown, boxes).action is Action.REBUILT
