"""Pairs of leaves of two trees of boxes, of which one is placed: each once, and none is left out."""

import numpy as np
import pytest

from firstcontact._jit import driver
from firstcontact.hierarchy.block_traversal import (
    BOX_TESTS,
    N_COUNTS,
    BlockPairing,
    Seen,
    block_stack_size,
    next_leaf_pairs,
    push_roots,
)
from firstcontact.hierarchy.box_blocks import box_blocks
from poses import pose

LEAF = 8


@driver
def fill(pairing, stack, top, pairs, counts):
    return next_leaf_pairs(pairing, stack, top, pairs, counts)


def boxes_of(rng, n, size, scale):
    low = scale * rng.uniform(-3, 3, (n, 3))
    return np.concatenate([low, low + scale * size * rng.uniform(0, 1, (n, 3))], axis=1)


def seen(tree, place, other):
    """How a tree that is placed is seen from another."""
    ratio = other.factor / tree.factor
    offset = ratio * place[:3, :3] @ tree.middle + place[:3, 3] * other.factor - other.middle
    margin = 1e-12 * (1.0 + ratio)
    return Seen(tuple(place[:3, :3].ravel().tolist()), tuple(offset.tolist()), ratio, margin)


def listed(pairing, a, b):
    """All pairs of leaves, a few at a time."""
    stack, counts = np.zeros((block_stack_size(a, b), 2), np.int32), np.zeros(N_COUNTS, np.int64)
    found, pairs, top = [], np.empty((7, 2), np.int32), int(push_roots(pairing, stack, counts))
    while top:
        n, top = fill(pairing, stack, top, pairs, counts)
        found += [tuple(pair) for pair in pairs[:n].tolist()]
    assert len(found) == len(set(found))
    assert counts[BOX_TESTS] > 0
    return set(found)


def leaf_of(tree, n):
    """The leaf of each primitive."""
    found = np.empty(n, int)
    rows, columns = np.nonzero(tree.leaves >= 0)
    found[tree.leaves[rows, columns]] = rows
    return found


@pytest.mark.parametrize("sizes", [(1, 1), (5, 300), (300, 5), (200, 250)])
@pytest.mark.parametrize("scale", [1.0, 1e-3])
def test_all_pairs_whose_boxes_meet_are_listed(sizes, scale):
    rng, n_met, n_listed, n_all = np.random.default_rng(11), 0, 0, 0
    for place in (np.eye(4), pose([0.5, 0, 0], [0.3, 1, 2]), pose([0.2, 0.3, 0])):
        a, b = boxes_of(rng, sizes[0], 0.5, 1.0), boxes_of(rng, sizes[1], 0.5, scale)
        one, other = box_blocks(a, LEAF), box_blocks(b, LEAF)
        views = seen(one, place, other), seen(other, np.linalg.inv(place), one)
        pairing = BlockPairing(one.boxes, one.children, other.boxes, other.children, *views, False)
        found = listed(pairing, one, other)
        # A point of a box of b that is in a box of a: both meet.
        points = b[:, :3] + rng.uniform(0, 1, (40, len(b), 3)) * (b[:, 3:] - b[:, :3])
        points = (points - place[:3, 3]) @ place[:3, :3]
        inside = (points[:, None] >= a[:, np.newaxis, :3]) & (points[:, None] <= a[:, np.newaxis, 3:])
        met = np.argwhere(inside.all(axis=-1).any(axis=0))
        leaves_a, leaves_b = leaf_of(one, len(a)), leaf_of(other, len(b))
        assert {(leaves_a[i], leaves_b[j]) for i, j in met.tolist()} <= found
        n_met, n_listed = n_met + len(met), n_listed + len(found)
        n_all += len(one.leaves) * len(other.leaves)
    assert n_met or min(sizes) < LEAF
    assert n_listed < n_all or min(sizes) < LEAF


def test_one_tree_with_itself():
    rng = np.random.default_rng(12)
    boxes = boxes_of(rng, 300, 0.5, 1.0)
    tree = box_blocks(boxes, LEAF)
    here = seen(tree, np.eye(4), tree)
    pairing = BlockPairing(tree.boxes, tree.children, tree.boxes, tree.children, here, here, True)
    found = {tuple(sorted(pair)) for pair in listed(pairing, tree, tree)}
    low, high, leaves = boxes[:, None, :3], boxes[:, None, 3:], leaf_of(tree, len(boxes))
    met = np.argwhere(((low <= boxes[:, 3:]) & (boxes[:, :3] <= high)).all(axis=-1))
    assert {tuple(sorted((leaves[i], leaves[j]))) for i, j in met.tolist()} <= found
    assert len(found) < len(tree.leaves) ** 2 / 4
