from math import inf

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.elementary import elementary_ccd, elementary_stages
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK
from firstcontact.narrowphase.elementary.elementary_ccd import solve_queries
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Finding,
    Options,
)
from firstcontact.narrowphase.elementary.elementary_stages import (
    BY_ADVANCEMENT,
    BY_FILTER,
    BY_REFINEMENT,
    BY_ROOTS,
    Answers,
    advance_points,
    advance_row,
    advance_rows,
    points_of,
    refine_row,
    refine_rows,
    solve_all,
    solve_rows,
    weigh_rows,
    workspace,
)
from oracles.exact_ccd import first_time
from properties.families import FAMILIES, generate
from samples import sample

KINDS = {"vf": False, "ee": True}
TOUCH = Options(False, 1.0, 1e-9, 0.0)
FACE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def blank_answers(n):
    """Open answers, with a status and a stage that no stage writes."""
    return Answers(np.full(n, 99, np.int8), np.zeros(n), np.full(n, inf), np.full(n, 99, np.int8))


def answers_of(status, time, time_upper):
    columns = [status], [float(time)], [float(time_upper)], [BY_ROOTS]
    types = np.int8, np.float64, np.float64, np.int8
    return Answers(*(np.array(column, dtype) for column, dtype in zip(columns, types, strict=True)))


def first_row(answers):
    return tuple(column[0].item() for column in answers)


def as_bytes(answers):
    return [column.tobytes() for column in answers]


def vertex_over_face(z0, z1, x=0.25):
    return np.array([[[x, 0.25, z0], *FACE]]), np.array([[[x, 0.25, z1], *FACE]])


def test_roots_and_filter_fill_every_column():
    for points, stage, status in (
        (vertex_over_face(2.0, 1.0), BY_FILTER, SEPARATED),
        (vertex_over_face(1.0, -2.0, x=0.9), BY_ROOTS, SEPARATED),
        (vertex_over_face(1.0, -2.0), BY_ROOTS, CONTACT),
        (vertex_over_face(1.0, 0.0), BY_ROOTS, UNDECIDED),
    ):
        answers = blank_answers(1)
        solve_all(*points, TOUCH, answers)
        found, time, upper, by = first_row(answers)
        assert (found, by) == (status, stage)
        expected = {SEPARATED: (inf, inf), UNDECIDED: (0.0, 1.0)}
        assert (time, upper) == expected.get(status, (time, upper))
        assert status != CONTACT or time <= 1 / 3 <= upper


def test_an_axis_or_advancement_decides_about_a_separation():
    options = Options(False, 1.0, 1e-9, 0.5)
    for heights, status, stage in (
        ((2.0, 1.0), SEPARATED, BY_FILTER),
        ((2.0, 0.25), CONTACT, BY_ADVANCEMENT),
        ((0.25, 2.0), CONTACT_AT_START, BY_ADVANCEMENT),
        ((0.5, 2.0), UNDECIDED, BY_ADVANCEMENT),  # at the separation: a tie
    ):
        answers = answers_of(UNDECIDED, 0.0, inf)
        advance_row(*vertex_over_face(*heights), options, 0, answers)
        assert (answers.status[0], answers.stage[0]) == (status, stage)


def test_points_of_a_row_are_tuples():
    start, _ = generate("uniform", "vf", 3, seed=51)
    expected = tuple(map(tuple, start[1].tolist()))
    assert points_of(start, 1) == points_of.py_func(start, 1) == expected


def advance_all(start, end, options, rows, answers):
    advance_rows(start, end, options, rows, answers, np.full(len(start), options.min_separation))


STAGES = {
    "advance": (advance_all, advance_row, BY_ADVANCEMENT),
    "refine": (refine_rows, refine_row, BY_REFINEMENT),
}


def solved(start, end, options):
    answers = blank_answers(len(start))
    solve_all(start, end, options, answers)
    return answers


def assert_safe(answers, kind, start, end, max_time):
    """Check that a row is free before its time, and in contact by a finite upper one."""
    for row, points in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        truth = first_time(kind, *points).within(max_time)
        status = answers.status[row]
        assert not (truth.hit and status == SEPARATED)
        assert not (status in (CONTACT, CONTACT_AT_START) and not truth.hit)
        assert not truth.hit or answers.time[row] <= truth.lower
        if status in (CONTACT, CONTACT_AT_START):
            assert truth.upper <= answers.time_upper[row]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_safe_after_every_stage(family, kind):
    start, end = generate(family, kind, sample(20, of=60), seed=52)
    for max_time in (1.0, 0.5, 0.0):
        options = Options(KINDS[kind], max_time, 1e-9, 0.0)
        answers = solved(start, end, options)
        assert_safe(answers, kind, start, end, max_time)
        for run, _, _ in STAGES.values():
            rows = np.flatnonzero(np.isin(answers.status, (UNDECIDED, MAX_ITERATIONS)))
            run(start, end, options, rows, answers)
            assert_safe(answers, kind, start, end, max_time)


@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 7])
def test_all_threads_write_the_bytes_that_one_writes(n, monkeypatch):
    start, end = generate("coplanar-sliding", "vf", n, seed=53)
    alone = solve_queries(start, end, TOUCH)
    monkeypatch.setattr(elementary_ccd, "WORTH_A_THREAD", BLOCK)
    assert as_bytes(solve_queries(start, end, TOUCH)) == as_bytes(alone)


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_takes_up_the_rows_asked_for(stage):
    run, _, by = STAGES[stage]
    start, end = generate("touching-ends", "ee", 200, seed=54)
    options = Options(True, 1.0, 1e-9, 0.0)
    answers = solved(start, end, options)
    rows = np.flatnonzero(answers.status == UNDECIDED)
    run(start, end, options, rows, answers)
    assert set(np.flatnonzero(answers.stage == by)) == set(rows)


def test_weights_are_written_for_the_rows_asked_for():
    start, end = generate("uniform", "ee", 40, seed=55)
    options = Options(True, 1.0, 1e-9, 0.0)
    times, weights = np.where(np.arange(40) % 3 == 0, inf, 0.5), np.full((40, 4), np.nan)
    weigh_rows(start, end, options, np.flatnonzero(times < inf), times, weights)
    np.testing.assert_array_equal(np.isnan(weights).all(axis=1), times == inf)
    np.testing.assert_allclose(weights[times < inf].reshape(-1, 2, 2).sum(axis=2), 1.0)


@pytest.mark.parametrize("stage", STAGES)
def test_rows_of_both_modes_agree(stage):
    start, end = generate("touching-ends", "vf", 12, seed=56)
    _, run, _ = STAGES[stage]
    compiled, python = solved(start, end, TOUCH), solved(start, end, TOUCH)
    for row in np.flatnonzero(compiled.status == UNDECIDED):
        run(start, end, TOUCH, row, compiled)
        run.py_func(start, end, TOUCH, row, python)
    assert as_bytes(compiled) == as_bytes(python)


def test_blocks_of_both_modes_agree():
    start, end = generate("uniform", "vf", 30, seed=57)
    compiled, python = blank_answers(30), blank_answers(30)
    solve_rows(start, end, 0, TOUCH, compiled, workspace())
    solve_rows.py_func(start, end, 0, TOUCH, python, workspace())
    assert as_bytes(compiled) == as_bytes(python)


def test_a_stage_that_gives_up_leaves_a_safe_time(monkeypatch):
    monkeypatch.setattr(elementary_stages, "advance", lambda *_: Finding(MAX_ITERATIONS, 0.25, 1.0))
    answers = answers_of(UNDECIDED, 0.0, 0.8)
    start, end = vertex_over_face(1.0, -1.0)
    advance_points.py_func(points_of.py_func(start, 0), points_of.py_func(end, 0), TOUCH, 0, answers)
    assert first_row(answers) == (MAX_ITERATIONS, 0.25, 1.0, BY_ADVANCEMENT)


@pytest.mark.parametrize("found", [Finding(UNDECIDED, 0.5, 0.8), Finding(SEPARATED, inf, inf)])
def test_refinement_does_not_give_up_a_proven_contact(monkeypatch, found):
    monkeypatch.setattr(elementary_stages, "refined_contact", lambda *_: found)
    answers = answers_of(CONTACT, 0.2, 0.8)
    refine_row.py_func(*vertex_over_face(1.0, -1.0), TOUCH, 0, answers)
    assert first_row(answers) == (CONTACT, 0.2, 0.8, BY_ROOTS)


def test_refinement_looks_at_the_open_time_only(monkeypatch):
    asked = []

    def remember(*args):
        asked.append(args[-2:])
        return Finding(UNDECIDED, args[-2], args[-1])

    monkeypatch.setattr(elementary_stages, "refined_contact", remember)
    for upper in (0.8, 1.0):
        answers = answers_of(UNDECIDED, 0.2, upper)
        refine_row.py_func(*vertex_over_face(1.0, -1.0), Options(False, 0.9, 1e-9, 0.0), 0, answers)
    assert asked == [(0.2, 0.8), (0.2, 0.9)]


@pytest.mark.parametrize("family", FAMILIES)
def test_proven_brackets_are_in_order_and_open_ones_end_with_the_interval(family):
    start, end = generate(family, "vf", 100, seed=58)
    result = fc.vertex_face_ccd(start, end, max_time=0.75)
    is_open = np.isin(result.status, (fc.Status.UNDECIDED, fc.Status.MAX_ITERATIONS))
    assert np.all(result.time <= result.time_upper)
    assert np.all(result.time_upper[is_open] == 0.75)
    assert np.all(result.time_upper[result.hit] <= 0.75)
