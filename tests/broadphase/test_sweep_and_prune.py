"""Sweep and prune: what it does to the lists, and when it gives up."""

from itertools import pairwise

import numpy as np
import pytest

from broadphase.walks import all_active, around, check, drifting, restless
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune


def is_sorted(sap):
    """Are the lists of all cells in order, lower ends before upper ones at one place?"""
    lists, boxes = sap._lists, sap._census.boxes
    for axis in range(3):
        for first, last in pairwise(lists.starts):
            codes = lists.codes[axis, first:last]
            ends = [(boxes[code >> 1, axis + 3 * (code & 1)], code & 1) for code in codes]
            if ends != sorted(ends) or len(set(codes.tolist())) != len(codes):
                return False
    return True


@pytest.mark.parametrize("cell_size", [1, 4, 1000])
def test_lists_stay_sorted(cell_size):
    sap = SweepAndPrune(cell_size)
    for step in restless(120, seed=7):
        sap.update(*step)
        assert is_sorted(sap)


def inversions(before, after):
    """Pairs of ends that have changed places, along all axes."""
    count = 0
    for axis in range(3):
        old, new = before[:, [axis, 3 + axis]].ravel(), after[:, [axis, 3 + axis]].ravel()
        count += np.sum((old[:, np.newaxis] < old) & (new[:, np.newaxis] > new))
    return count


def test_swaps_are_the_ends_that_changed_places():
    sap, steps = SweepAndPrune(cell_size=1000), [step.boxes for step in drifting(60, seed=8)]
    sap.update(*all_active(steps[0]))
    for before, after in pairwise(steps):
        sap.update(*all_active(after))
        assert not sap.changes.is_rebuilt
        assert sap.changes.swaps == inversions(before, after)


def test_cells_save_swaps():
    steps = [all_active(around(step.boxes[:, :3], np.full((400, 3), 0.02))) for step in drifting(400, seed=9)]
    one, many = SweepAndPrune(cell_size=1000), SweepAndPrune(cell_size=16)
    for step in steps:
        one.update(*step)
        many.update(*step)
    assert not one.changes.is_rebuilt
    assert not many.changes.is_rebuilt
    assert 0 < many.changes.swaps < one.changes.swaps / 2


def test_all_is_sorted_anew_when_everything_jumps():
    rng, sap = np.random.default_rng(10), SweepAndPrune(cell_size=1000)
    for _ in range(3):
        sap.update(*all_active(around(rng.random((500, 3)), np.full((500, 3), 0.01))))
        assert sap.changes.is_rebuilt


def test_cells_are_cut_anew_when_bodies_gather():
    rng = np.random.default_rng(11)
    centers, halves = rng.random((600, 3)), np.full((600, 3), 1e-3)
    steps = [all_active(around(centers * 0.97**k, halves)) for k in range(60)]
    steps += [all_active(around(centers * 0.97**60 + 0.001 * k, halves)) for k in range(60)]
    sap, n_rebuilt = SweepAndPrune(cell_size=16), 0
    for step in steps:
        sap.update(*step)
        n_rebuilt += sap.changes.is_rebuilt
    assert 2 < n_rebuilt < 30
    check(SweepAndPrune(cell_size=16), steps[::12])


def test_cells_are_joined_when_most_bodies_leave():
    sap, step = SweepAndPrune(cell_size=8), next(drifting(400, seed=12))
    sap.update(*step)
    n_cells = len(sap._cells.leaves)
    sap.update(step.boxes, np.arange(400) < 20)
    sap.update(step.boxes, np.arange(400) < 20)
    assert len(sap._cells.leaves) < n_cells / 4
    assert not sap.changes.is_rebuilt
