"""Cells: all of space, each place once, and boxes in those that they touch."""

import numpy as np
import pytest

from broadphase.walks import around, drifting, scenes
from firstcontact.broadphase.cells import NOWHERE, Census, cut_cells, find_arrivals

SCENES = {name: steps[0] for name, steps in scenes().items()}


def census(boxes, is_active=None):
    is_active = np.ones(len(boxes), np.bool_) if is_active is None else is_active
    return Census(boxes, is_active, np.full(len(boxes), NOWHERE, np.int32))


def touched(cells, boxes):
    """The cells that each box touches, by brute force."""
    low, high = cells.bounds[cells.leaves, :3], cells.bounds[cells.leaves, 3:]
    return [set(np.flatnonzero(((b[:3] <= high) & (b[3:] >= low)).all(axis=1)).tolist()) for b in boxes]


def arrived(cells, before, now):
    room = np.empty(len(cells.leaves) * len(now.boxes) + 1, np.int64)
    keys = room[: find_arrivals(cells, before, now, room)]
    found = [set() for _ in now.boxes]
    for key in keys.tolist():
        found[key & 0xFFFFFFFF].add(key >> 32)
    assert sum(map(len, found)) == len(keys)
    return found


def cut(boxes, cell_size=8):
    return cut_cells(boxes, np.arange(len(boxes), dtype=np.int32), cell_size)


@pytest.mark.parametrize("name", SCENES)
def test_each_place_is_in_one_cell(name):
    boxes, is_active = SCENES[name]
    cells = cut(boxes[is_active])
    low, high = cells.bounds[cells.leaves, :3], cells.bounds[cells.leaves, 3:]
    places = np.random.default_rng(0).normal(size=(500, 3)) * 10.0 ** np.arange(-250, 250)[:, np.newaxis]
    for place in np.concatenate([places, np.nan_to_num(boxes[:, :3]), low[np.isfinite(low).all(axis=1)]]):
        assert np.sum(((low <= place) & (place < high)).all(axis=1)) == 1


def test_cells_are_small_where_boxes_are():
    boxes = next(drifting(1000, seed=0)).boxes
    small = around(0.5 * (boxes[:, :3] + boxes[:, 3:]), np.full((1000, 3), 0.01))
    cells = cut(small, 16)
    counts = np.bincount([cell for found in touched(cells, small) for cell in found])
    assert counts.max() <= 16
    assert counts.sum() < 1.5 * len(small)


def test_boxes_that_no_plane_parts_stay_in_one_cell():
    assert len(cut(np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (100, 1))).leaves) == 1
    assert len(cut(np.zeros((100, 6))).leaves) == 1
    assert len(cut(np.empty((0, 6))).leaves) == 1


def test_one_large_box_does_not_hinder():
    boxes = around(np.random.default_rng(1).random((500, 3)), np.full((500, 3), 0.01))
    boxes[3] = [-1e6] * 3 + [1e6] * 3
    cells = cut(boxes, 16)
    assert len(cells.leaves) > 20
    assert sum(map(len, touched(cells, boxes))) < 2 * len(boxes)


@pytest.mark.parametrize("cell_size", [2, 8, 1000])
def test_arrivals_are_the_cells_touched_now_and_not_before(cell_size):
    steps = [step.boxes for step in drifting(200, seed=3, n_steps=6, speed=0.2)]
    rng, cells = np.random.default_rng(3), cut(steps[0], cell_size)
    before = census(steps[0], np.zeros(200, np.bool_))
    known = [set() for _ in range(200)]
    for boxes in steps:
        now = census(boxes, rng.random(200) < 0.8)
        expected = [
            cells_of if is_active else set()
            for cells_of, is_active in zip(touched(cells, boxes), now.is_active, strict=True)
        ]
        found = arrived(cells, before, now)
        assert found == [new - old for new, old in zip(expected, known, strict=True)]
        for home, cells_of in zip(now.homes, expected, strict=True):
            assert (home == NOWHERE) == (not cells_of)
            is_leaf = home != NOWHERE and cells.children[home, 0] < 0
            assert is_leaf == (len(cells_of) == 1)
            assert not is_leaf or cells_of == {int(~cells.children[home, 0])}
        before, known = now, expected


def test_more_arrivals_than_room_are_counted():
    boxes = next(drifting(50, seed=4)).boxes
    cells, nowhere = cut(boxes, 2), census(boxes, np.zeros(50, np.bool_))
    room = np.full(7, -1, np.int64)
    n = find_arrivals(cells, nowhere, census(boxes), room[:5])
    assert n == sum(map(len, touched(cells, boxes))) > 5
    assert np.all(room[5:] == -1)
