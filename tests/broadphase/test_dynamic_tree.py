"""The dynamic tree: what it looks at, and when it is built anew."""

import numpy as np

from broadphase.walks import Step, all_active, around, check, drifting, restless
from firstcontact.broadphase.dynamic_tree import DynamicTree


def crowd(n, seed, spread=10.0):
    return spread * np.random.default_rng(seed).random((n, 3))


def test_leaves_hold_their_boxes():
    tree = DynamicTree()
    for boxes, is_active in restless(150, seed=1):
        tree.update(boxes, is_active)
        leaves = tree._leaves[: len(boxes)]
        assert np.all((leaves[:, :3] <= boxes[:, :3])[is_active])
        assert np.all((leaves[:, 3:] >= boxes[:, 3:])[is_active])


def test_only_what_leaves_its_leaf_is_looked_at():
    centers, halves, tree = crowd(400, 2), np.full((400, 3), 0.2), DynamicTree()
    velocities = 0.01 * np.random.default_rng(3).normal(size=(400, 3))
    velocities[40:] = 0.0
    moved = []
    for k in range(20):
        tree.update(*all_active(around(centers + k * velocities, halves)))
        moved.append(tree.changes.moved)
    assert moved[0] == 400
    assert moved[1] == 40
    assert 0 < sum(moved[2:]) < 40 * 18 / 3
    assert tree.changes.box_tests < 40 * 100


def test_a_tree_has_room_for_those_that_come():
    boxes, tree = around(crowd(300, 4), np.full((300, 3), 0.2)), DynamicTree()
    tree.update(*all_active(boxes[:200]))
    n_leaves = len(tree._leaves)
    assert n_leaves > 200
    tree.update(*all_active(boxes[:201]))
    assert len(tree._leaves) == n_leaves
    assert tree.changes.moved == 1
    tree.update(*all_active(boxes))
    assert tree.changes.is_rebuilt or n_leaves >= 300


def test_deserted_leaves_are_put_aside():
    boxes, tree = around(crowd(300, 5), np.full((300, 3), 0.2)), DynamicTree()
    tree.update(*all_active(boxes))
    few = np.arange(300) < 30
    tree.update(boxes, few)
    assert tree.changes.is_rebuilt
    used, aside = tree._leaves[:30], tree._leaves[30:]
    assert np.all(aside[:, 3:] < used[:, :3].min(axis=0))
    tree.update(boxes, few)
    assert not tree.changes.is_rebuilt
    check(DynamicTree(), [all_active(boxes), Step(boxes, few), Step(boxes, ~few), all_active(boxes)])


def test_a_tree_stays_good_while_bodies_mix():
    steps = [
        all_active(around(step.boxes[:, :3], np.full((500, 3), 0.03)))
        for step in drifting(500, seed=6, n_steps=60)
    ]
    old = DynamicTree()
    n_rebuilt = 0
    for step in steps:
        old.update(*step)
        n_rebuilt += old.changes.is_rebuilt
    new = DynamicTree()
    new.update(*steps[-2])
    new.update(*steps[-1])
    assert n_rebuilt < len(steps) / 3
    assert old.changes.box_tests / old.changes.moved < 2.0 * new.changes.box_tests / new.changes.moved
