"""All pairs of few boxes, lists of many: the same pairs where their number goes up and down."""

import numpy as np

from broadphase.walks import Step, all_pairs, drifting
from firstcontact.broadphase.chosen import FEW, Chosen


def test_pairs_where_the_number_of_boxes_passes_the_limit():
    broad_phase, (boxes, is_active) = Chosen(), next(drifting(FEW + 9, seed=4))
    for n in (0, 1, FEW, FEW + 9):
        step = Step(boxes[:n].copy(), is_active[:n].copy())
        assert broad_phase.update(*step)
        assert np.array_equal(broad_phase.pairs(), all_pairs(step))


def test_every_two_of_few_boxes_at_one_place_are_listed():
    boxes, broad_phase = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (FEW, 1)), Chosen()
    assert broad_phase.update(boxes, np.ones(FEW, np.bool_))
    assert len(broad_phase.pairs()) == FEW * (FEW - 1) // 2
