"""Pairs of boxes from a grid: those of one box against all others, or none where lists are better."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadphase.walks import Step, all_active, all_pairs, around, drifting, restless, scenes
from firstcontact.broadphase.chosen import FEW, WAIT, Chosen
from firstcontact.broadphase.grid import MOST_LARGE, grid_pairs
from firstcontact.broadphase.pairs import pairs_of
from samples import sample

SCENES = scenes()

coordinates = st.sampled_from([-1.0, -0.0, 0.0, 5e-324, 0.25, 0.5, 1.0, 1e6])
boxes_of_any_kind = st.lists(st.tuples(*[st.tuples(coordinates, coordinates)] * 3), max_size=9)


def _has_right_pairs(step):
    kept = step.boxes.copy()
    keys = grid_pairs(*step)
    np.testing.assert_array_equal(step.boxes, kept)
    if keys is None:
        return False
    np.testing.assert_array_equal(pairs_of(keys), all_pairs(step))
    return True


@pytest.mark.parametrize("name", SCENES)
def test_pairs_of_scenes(name):
    is_told = [_has_right_pairs(step) for step in SCENES[name]]
    if name in ("one", "points", "touching", "one large", "plates"):
        assert all(is_told)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_drifting_and_restless_boxes(seed):
    assert all(_has_right_pairs(step) for step in drifting(300, seed))
    is_told = [_has_right_pairs(step) for step in restless(150, seed)]
    assert len(is_told) > 9


@settings(max_examples=sample(30, of=300))
@given(ends=boxes_of_any_kind)
def test_pairs_of_any_boxes(ends):
    boxes = np.sort(np.array(ends, np.float64).reshape(-1, 3, 2), axis=2)
    _has_right_pairs(all_active(np.concatenate([boxes[..., 0], boxes[..., 1]], axis=1)))


@pytest.mark.parametrize("shape", [(40, 1, 1), (20, 20, 1), (7, 7, 7)])
def test_lines_planes_and_blocks_of_boxes_that_touch(shape):
    """Places on the borders of cells, along one, two and three axes."""
    lattice = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), -1).reshape(-1, 3).astype(float)
    for by in (0.0, 0.1, 1e9):
        assert _has_right_pairs(all_active(around(lattice + by, np.full_like(lattice, 0.5))))


def test_a_floor_and_walls_are_held_against_all_others():
    rng = np.random.default_rng(1)
    centers, halves = 9.0 * rng.random((400, 3)), np.full((400, 3), 0.2)
    halves[5 : 5 + MOST_LARGE] = [90.0, 90.0, 0.3]
    is_active = rng.random(400) < 0.8
    assert _has_right_pairs(Step(around(centers, halves), is_active))
    halves[: 4 * MOST_LARGE] = 90.0
    assert grid_pairs(around(centers, halves), np.ones(400, np.bool_)) is None


def test_more_pairs_than_there_is_room_for_at_first():
    clusters = np.repeat(9.0 * np.random.default_rng(2).random((30, 3)), 10, axis=0)
    boxes = around(clusters, np.full((300, 3), 0.1))
    step = all_active(boxes)
    assert len(all_pairs(step)) > 4 * 300 + 64
    assert _has_right_pairs(step)


def test_a_crowd_is_not_listed():
    step = next(drifting(300, 4))
    assert grid_pairs(*step) is not None
    crowded = all_active(np.tile(step.boxes[:1], (300, 1)))
    assert grid_pairs(*crowded) is None


def test_a_crowd_goes_to_lists_and_comes_back_to_the_grid():
    n, broad_phase = FEW + 72, Chosen()
    loose = next(drifting(n, 6))
    crowd = all_active(np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (n, 1)))
    for step in (loose, crowd, crowd, *[loose] * (WAIT + 2), crowd, loose):
        assert broad_phase.update(*step)
        np.testing.assert_array_equal(broad_phase.pairs(), all_pairs(step))
    assert broad_phase._many is not None
