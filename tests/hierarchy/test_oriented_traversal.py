"""Traversals hand out every pair of primitives that touch, each pair once, whatever the threads."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from firstcontact.hierarchy.oriented_traversal import (
    BOX_TESTS,
    BOX_UPDATES,
    N_COUNTS,
    PAIR_TESTS,
    OrientedPairing,
    next_oriented_pairs,
    oriented_stack_size,
)
from firstcontact.hierarchy.oriented_tree import WIDTH, oriented_tree
from firstcontact.hierarchy.shares import NO_LIMIT, Shares, dealt

RNG = np.random.default_rng(4)


def leaves(n):
    """Small triangles in the unit cube."""
    vertices = np.repeat(RNG.uniform(size=(n, 3)), 3, axis=0) + 0.1 * RNG.normal(size=(3 * n, 3))
    return vertices, np.arange(3 * n, dtype=np.int32).reshape(n, 3)


def pairs_of(pairing, n_room=7):
    """All pairs, from the shares of all threads, a few at a time; and what was counted."""
    room, found = oriented_stack_size(pairing.a, pairing.b), []
    pairs, gaps, first = np.empty((n_room, 2), np.int32), np.empty(WIDTH), np.zeros((1, N_COUNTS), np.int64)
    alone = Shares(np.zeros((1, room, 2), np.int32), np.ones(1, np.int64), first)
    n, top = next_oriented_pairs(pairing, alone.stacks[0], 1, 3, pairs, first[0], gaps)
    found += [tuple(row) for row in pairs[:n].tolist()]
    alone.tops[0] = top
    work = dealt(alone, room)
    work.counts[0] += first[0]
    for thread in range(len(work.tops)):
        top = int(work.tops[thread])
        while top > 0:
            n, top = next_oriented_pairs(
                pairing, work.stacks[thread], top, NO_LIMIT, pairs, work.counts[thread], gaps
            )
            assert top <= len(work.stacks[thread])
            found += [tuple(row) for row in pairs[:n].tolist()]
    return found, work.counts.sum(axis=0)


def are_near(boxes_a, boxes_b):
    low_a, high_a = boxes_a.min(axis=1)[:, None], boxes_a.max(axis=1)[:, None]
    return np.all((low_a <= boxes_b.max(axis=1)) & (boxes_b.min(axis=1) <= high_a), axis=-1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 40), (60, 60), (300, 5)])
def test_two_trees(sizes, threads, monkeypatch):
    monkeypatch.setattr("firstcontact.hierarchy.shares.thread_count", lambda: threads)
    (va, fa), (vb, fb) = (leaves(n) for n in sizes)
    turn, offset = Rotation.random(random_state=RNG).as_matrix(), RNG.normal(size=3) * 0.2
    pairing = OrientedPairing(
        oriented_tree(va, fa),
        oriented_tree(vb, fb),
        tuple(turn.ravel().tolist()),
        tuple(offset.tolist()),
        1e-12,
        False,
    )
    found, counts = pairs_of(pairing)
    assert len(found) == len(set(found)) == counts[PAIR_TESTS]
    # A common point of two triangles is in both boxes: look for such by thirds of the triangles.
    from oracles.triangles_apart import are_apart

    placed, near = (va @ turn.T + offset)[fa], set()
    for f, g in np.argwhere(are_near(placed, vb[fb])).tolist():
        if not are_apart(placed[f].tolist(), vb[fb[g]].tolist()):
            near.add((f, g))
    assert near <= set(found)
    assert counts[BOX_TESTS] == WIDTH * counts[BOX_UPDATES]
    assert len(found) < 0.7 * sizes[0] * sizes[1] or min(sizes) == 1


@pytest.mark.parametrize("n", [1, 2, 60])
def test_one_tree_with_itself(n):
    vertices, faces = leaves(n)
    tree = oriented_tree(vertices, faces)
    same = tuple(np.eye(3).ravel().tolist())
    found, counts = pairs_of(OrientedPairing(tree, tree, same, (0.0, 0.0, 0.0), 1e-12, True))
    ordered = {(min(pair), max(pair)) for pair in found}
    assert len(ordered) == len(found) == counts[PAIR_TESTS]
    assert all(f != g for f, g in found)
    between, _ = pairs_of(OrientedPairing(tree, tree, same, (0.0, 0.0, 0.0), 1e-12, False))
    assert ordered == {(f, g) for f, g in between if f < g}
    assert counts.shape == (N_COUNTS,)


def test_far_apart_one_look_is_enough():
    (va, fa), (vb, fb) = leaves(50), leaves(50)
    turn = tuple(np.eye(3).ravel().tolist())
    pairing = OrientedPairing(oriented_tree(va, fa), oriented_tree(vb, fb), turn, (9.0, 0.0, 0.0), 0.0, False)
    found, counts = pairs_of(pairing)
    assert found == []
    assert counts[BOX_TESTS] == WIDTH
