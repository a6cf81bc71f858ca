"""Both broad phases against all pairs, through everything that boxes may do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadphase.walks import METHODS, Step, all_active, all_pairs, check, drifting, restless, scenes
from samples import sample

SCENES = scenes()
by_method = pytest.mark.parametrize("make", METHODS.values(), ids=METHODS.keys())

coordinates = st.sampled_from([-1.0, -0.0, 0.0, 5e-324, 0.25, 0.5, 1.0, 1e6])
ends = st.tuples(*[st.tuples(coordinates, coordinates)] * 3)
walks = st.integers(0, 7).flatmap(
    lambda n: st.lists(
        st.lists(st.tuples(ends, st.booleans()), min_size=n, max_size=n), min_size=1, max_size=5
    )
)


@by_method
@pytest.mark.parametrize("name", SCENES)
def test_pairs_of_scenes(make, name):
    check(make(), SCENES[name])


@by_method
@pytest.mark.parametrize("n", [2, 40, 300])
def test_pairs_of_drifting_boxes(make, n):
    check(make(), drifting(n, seed=n))


@by_method
@pytest.mark.parametrize("seed", range(4))
def test_pairs_of_restless_boxes(make, seed):
    check(make(), restless(150, seed))


@by_method
@settings(max_examples=sample(20, of=60))
@given(steps=walks)
def test_pairs_of_any_boxes(make, steps):
    made = []
    for step in steps:
        sides = np.array([end for end, _ in step], np.float64).reshape(-1, 3, 2)
        boxes = np.concatenate([sides.min(axis=2), sides.max(axis=2)], axis=1)
        made.append(Step(boxes, np.array([flag for _, flag in step], np.bool_)))
    check(make(), made)


@by_method
def test_one_scene_after_another(make):
    broad_phase = make()
    widest = max(len(step.boxes) for steps in SCENES.values() for step in steps)
    for steps in SCENES.values():
        for boxes, is_active in steps:
            more = widest - len(boxes)
            step = Step(np.pad(boxes, ((0, more), (0, 0))), np.pad(is_active, (0, more)))
            broad_phase.update(*step)
            assert np.array_equal(broad_phase.pairs(), all_pairs(step))


@by_method
def test_boxes_that_come_one_by_one_and_leave(make):
    boxes = next(drifting(60, seed=1)).boxes
    coming = [all_active(boxes[:n].copy()) for n in range(61)]
    leaving = [Step(boxes, np.arange(60) >= n) for n in range(61)]
    check(make(), coming + leaving + coming[60:])


@by_method
def test_what_rests_takes_no_swaps_and_no_tests(make):
    broad_phase, step = make(), next(drifting(200, seed=2))
    for _ in range(3):
        broad_phase.update(*step)
    changes = broad_phase.changes
    assert (changes.begun, changes.ended, changes.swaps, changes.box_tests) == (0, 0, 0, 0)
    assert not changes.is_rebuilt


@by_method
def test_a_broad_phase_keeps_no_view_of_its_input(make):
    broad_phase, (boxes, is_active) = make(), next(drifting(50, seed=3))
    broad_phase.update(boxes, is_active)
    expected = all_pairs(Step(boxes, is_active))
    again = boxes.copy()
    boxes[:], is_active[:] = 0.0, False
    assert np.array_equal(broad_phase.pairs(), expected)
    broad_phase.update(again, np.ones(50, np.bool_))
    assert np.array_equal(broad_phase.pairs(), expected)
