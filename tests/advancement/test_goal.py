"""What is looked for in a piece of two motions."""

import numpy as np
import pytest

from firstcontact.advancement.goal import (
    BodyExtent,
    Options,
    goal_between,
    goal_of,
    motion_rows,
    nearness,
    pieces_after,
)
from firstcontact.motions.relative_motion import fastest, rounding_error
from firstcontact.motions.rigid_motion import END_TIME
from firstcontact.proximity.touching.near_pairs import FLOOR
from properties.rigid_families import generate

OPTIONS = Options(1e-3, 0.25, 7)


def test_margin_and_target_are_beyond_the_separation():
    margin, target, tolerance = nearness(OPTIONS, 2.0**-40, 0.0)
    assert margin == 0.25 + 2.0**-40
    assert target == 0.25 + 0.5e-3
    assert tolerance == 1e-3


def test_what_bodies_deviate_comes_on_top():
    margin, target, tolerance = nearness(OPTIONS, 2.0**-40, 0.5)
    assert margin == 0.75 + 2.0**-40
    assert target == 0.75 + 0.5e-3
    assert tolerance == 1e-3


@pytest.mark.parametrize("tolerance", [0.0, 1e-3, 63.0])
def test_no_tolerance_is_below_the_floor(tolerance):
    margin, target, raised = nearness(Options(tolerance, 0.0), 1.0, 0.0)
    assert raised == FLOOR
    assert (margin, target) == (1.0, 0.5 * FLOOR)
    assert target > 2.0 * margin  # what is left between them is known to more than its rounding


def test_the_slack_is_a_quarter_of_the_tolerance_at_full_speed():
    goal = goal_between(0.25, 0.5, OPTIONS, 0.0, 0.0, 2.0)
    assert (goal.start, goal.end, goal.speed, goal.max_iterations) == (0.25, 0.5, 2.0, 7)
    assert goal.slack == 0.125e-3
    assert goal_between(0.0, 1.0, OPTIONS, 0.0, 0.0, 0.0).slack == 0.0


def test_a_goal_ends_with_the_first_of_two_pieces():
    case = generate("both moving", 5)
    row_a, row_b = case.rows_a[0, 0].copy(), case.rows_b[0, 0].copy()
    row_b[END_TIME] = 0.5
    a, b = BodyExtent((0.0, 0.0, 0.0), 2.0, 0.5), BodyExtent((1.0, 0.0, 0.0), 3.0, 0.0)
    motion, goal = goal_of(a, b, row_a, row_b, OPTIONS, 0.125)
    assert (goal.start, goal.end) == (0.125, 0.5)
    assert goal.speed == fastest(motion, 2.0, 3.0)
    assert goal.margin == 0.25 + rounding_error(motion, 2.5, 3.0, row_a, row_b)


def test_pieces_are_walked_side_by_side():
    rows_a, rows_b = np.zeros((3, END_TIME + 1)), np.zeros((2, END_TIME + 1))
    rows_a[:, END_TIME], rows_b[:, END_TIME] = (0.25, 0.5, 1.0), (0.5, 1.0)
    walked, i, j = [], 0, 0
    while i < len(rows_a) and j < len(rows_b):
        walked.append((i, j))
        i, j = pieces_after(rows_a, rows_b, i, j, min(rows_a[i, END_TIME], rows_b[j, END_TIME]))
    assert walked == [(0, 0), (1, 0), (2, 1)]
    assert (i, j) == (3, 2)


def test_one_motion_goes_with_each_of_a_batch():
    rows_a, rows_b = np.arange(6.0).reshape(3, 1, 2), np.ones((1, 1, 2))
    for k in range(3):
        own_a, own_b = motion_rows(rows_a, rows_b, k)
        np.testing.assert_array_equal(own_a, rows_a[k])
        np.testing.assert_array_equal(own_b, rows_b[0])
