"""Traversal against all pairs of bounds, one by one."""

import numpy as np
import pytest

from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.traversal import (
    NODE_TESTS,
    NOT_ASKED,
    NOT_QUIET,
    QUIET_NODES,
    SMOOTH,
    Pairing,
    is_overlapping,
    next_pairs,
    split_items,
    stack_size,
)

MANY = 1 << 40


def boxes(rng, n, size=0.2):
    low = rng.random((n, 3))
    return np.concatenate([low, low + size * rng.random((n, 3))], axis=1)


def paired(rows, *, is_bounded=True, quiet=()):
    """A pairing of the tree over bounds with itself, and the size of its stack."""
    tree = build_tree(rows)
    quiets = np.zeros(len(tree.children), np.int8)
    quiets[list(quiet)] = SMOOTH
    return Pairing(tree.children, refit(tree, rows), is_bounded, quiets), stack_size(tree.depth)


def traversed(pairing, size, load=7, items=((0, 0),)):
    """All pairs, a load at a time, and the counts."""
    stack = np.zeros((size + len(items), 2), np.int32)
    stack[: len(items)] = items
    pairs, counts = np.zeros((load, 2), np.int32), np.zeros(2, np.int64)
    top, found = len(items) if len(pairing.children) else 0, []
    while top:
        n, top = next_pairs(pairing, stack, top, MANY, pairs, counts)
        found += pairs[:n].tolist()
    return found, counts


def overlapping(a, b):
    """Pairs (i, j) of rows that overlap along every direction."""
    half = a.shape[1] // 2
    low = np.maximum(a[:, None, :half], b[None, :, :half])
    high = np.minimum(a[:, None, half:], b[None, :, half:])
    return np.argwhere((low <= high).all(axis=2))


@pytest.mark.parametrize("n", [1, 2, 3, 50, 400])
def test_self_traversal_finds_each_pair_once(n):
    rows = boxes(np.random.default_rng(n), n)
    found, _ = traversed(*paired(rows))
    expected = {(i, j) for i, j in overlapping(rows, rows).tolist() if i < j}
    assert len(found) == len(expected)
    assert {(min(pair), max(pair)) for pair in found} == expected


@pytest.mark.parametrize("load", [1, 2, 1000])
def test_the_size_of_a_load_does_not_matter(load):
    pairing, size = paired(boxes(np.random.default_rng(0), 100))
    assert sorted(traversed(pairing, size, load)[0]) == sorted(traversed(pairing, size, 7)[0])


def test_coinciding_bounds_do_not_overflow_the_stack():
    rows = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (300, 1))
    found, _ = traversed(*paired(rows))
    assert len(found) == 300 * 299 // 2


def test_without_bounds_all_pairs_are_visited():
    rows = boxes(np.random.default_rng(1), 60, size=0.01)
    found, counts = traversed(*paired(rows, is_bounded=False))
    assert len({tuple(sorted(pair)) for pair in found}) == len(found) == 60 * 59 // 2
    assert counts[NODE_TESTS] >= len(found)


def test_a_quiet_node_has_no_pairs_within():
    rows = boxes(np.random.default_rng(2), 200, size=0.5)
    assert traversed(*paired(rows, quiet=[0]))[0] == []
    pairing, size = paired(rows)
    left = int(pairing.children[0, 0])
    found, counts = traversed(*paired(rows, quiet=[left]))
    assert counts[QUIET_NODES] == 1
    pairing.quiet[left] = NOT_ASKED
    unasked = traversed(pairing, size)
    assert unasked[0] == found
    assert unasked[1][QUIET_NODES] == 0
    pairing.quiet[left] = NOT_QUIET
    within = leaves_below(pairing.children, left)
    everything = {tuple(sorted(pair)) for pair in traversed(pairing, size)[0]}
    assert {tuple(sorted(pair)) for pair in found} == {
        pair for pair in everything if not within.issuperset(pair)
    }


def leaves_below(children, node):
    if children[node, 0] < 0:
        return {int(~children[node, 0])}
    return leaves_below(children, children[node, 0]) | leaves_below(children, children[node, 1])


@pytest.mark.parametrize("wanted", [1, 8, 64, 100_000])
def test_items_split_into_the_same_work(wanted):
    pairing, size = paired(boxes(np.random.default_rng(3), 120))
    items = np.zeros((5 * wanted, 2), np.int32)
    n_items = split_items(pairing, items, 1, wanted, np.zeros(2, np.int64))
    found, _ = traversed(pairing, size, items=items[:n_items])
    assert sorted(map(sorted, found)) == sorted(map(sorted, traversed(pairing, size)[0]))


@pytest.mark.parametrize("k", [6, 14, 16, 26])
def test_bounds_that_touch_overlap(k):
    rng = np.random.default_rng(k)
    low = rng.integers(0, 3, (30, k // 2)).astype(float)
    rows = np.concatenate([low, low + rng.integers(0, 2, (30, k // 2))], axis=1)
    expected = set(map(tuple, overlapping(rows, rows).tolist()))
    assert expected == {(i, j) for i in range(30) for j in range(30) if is_overlapping(rows, i, rows, j)}
