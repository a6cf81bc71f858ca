"""Pairs of boxes of which one set is placed: none is left out, against all pairs tried one by one."""

import numpy as np

from firstcontact._jit import driver
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.placed_traversal import PlacedPairing, next_placed_pairs, shared_subtrees
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.traversal import NODE_TESTS
from poses import pose


@driver
def _fill(pairing, stack, top, pairs, counts):
    return next_placed_pairs(pairing, stack, top, pairs, counts)


def boxes_of(rng, n, size):
    low = rng.uniform(-3, 3, (n, 3))
    return np.concatenate([low, low + size * rng.uniform(0, 1, (n, 3))], axis=1)


def listed(pairing, depths):
    found, work = [], shared_subtrees(pairing, depths)
    for thread, stack in enumerate(work.stacks):
        pairs, top = np.empty((7, 2), np.int32), int(work.tops[thread])
        while top:
            n, top = _fill(pairing, stack, top, pairs, work.counts[thread])
            found += [tuple(pair) for pair in pairs[:n].tolist()]
    assert work.counts[:, NODE_TESTS].sum() >= len(found)
    return found


def test_all_pairs_whose_boxes_meet_are_listed(monkeypatch):
    rng = np.random.default_rng(11)
    monkeypatch.setattr("firstcontact.hierarchy.placed_traversal.PARALLEL_FROM", 0)
    for n_a, n_b, place in (
        (40, 60, np.eye(4)),
        (9, 50, pose([1, 0, 0], [0.3, 1, 2])),
        (80, 9, pose((1, 2, 0))),
    ):
        a, b = boxes_of(rng, n_a, 3.0), boxes_of(rng, n_b, 2.0)
        trees = build_tree(a), build_tree(b)
        bounds = refit(trees[0], a), refit(trees[1], b)
        pairing = PlacedPairing(
            trees[0].children, bounds[0], trees[1].children, bounds[1], place[:3].copy(), 1e-12
        )
        found = listed(pairing, (trees[0].depth, trees[1].depth))
        middle = 0.5 * (a[:, :3] + a[:, 3:]) @ place[:3, :3].T + place[:3, 3]
        half = 0.5 * (a[:, 3:] - a[:, :3]) @ np.abs(place[:3, :3]).T
        gaps = (
            np.abs(middle[:, None] - 0.5 * (b[:, :3] + b[:, 3:]))
            - half[:, None]
            - 0.5 * (b[:, 3:] - b[:, :3])
        )
        expected = set(map(tuple, np.argwhere((gaps <= 0.0).all(axis=2)).tolist()))
        assert len(found) == len(set(found))
        assert set(found) == expected
        assert expected
