"""The stage of the ties: whatever it decides is right, and it leaves little to exact integers."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.elementary_stages import BY_ADVANCEMENT, BY_ROOTS, Answers
from firstcontact.narrowphase.elementary.tie_stage import (
    BY_TIES,
    NARROWEST,
    cross_rows,
    touch_rows,
)
from properties.tie_families import FAMILIES, disguised

KINDS = {"vf": False, "ee": True}
CCD = {"vf": fc.vertex_face_ccd, "ee": fc.edge_edge_ccd}
FACE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]

# Families in which what looks like a tie is one: what is left there is a root that two polynomials share.
EXACT_FAMILIES = sorted(set(FAMILIES) - {"sliding_layers", "slanting_layers"})


def open_answers(begin, stage=BY_ADVANCEMENT, status=UNDECIDED):
    n = len(begin)
    return Answers(np.full(n, status, np.int8), begin.copy(), np.ones(n), np.full(n, stage, np.int8))


def decide(start, end, options, answers):
    """Both stages, each on what is open."""
    for stage in (touch_rows, cross_rows):
        stage(start, end, options, np.flatnonzero(answers.status == UNDECIDED), answers)


def truth(start, end, options):
    """Exact status and the tightest bracket, an array each."""
    tight = options._replace(time_tolerance=0.0)
    return map(
        np.array, zip(*(exact_contact(a, b, tight) for a, b in zip(start, end, strict=True)), strict=True)
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_stage_decides_is_right(family, kind):
    rng = np.random.default_rng([3, len(family)])
    n = 100
    start, end = disguised(rng, FAMILIES[family](rng, n, KINDS[kind]))
    for max_time, tolerance in ((1.0, 1e-9), (0.625, 1e-5), (0.7, 1e-13), (1.0, 0.0)):
        options = Options(KINDS[kind], max_time, tolerance, 0.0)
        status, lower, upper = truth(start, end, options)
        # Any time before the contact will do, and any at all where there is none.
        contact = np.where(status == SEPARATED, rng.choice([0.0, 0.25, 1 / 3, 0.5, 1.0], n), lower)
        for ahead in (0.0, 1e-16, 0.25 * tolerance, 0.9 * tolerance, 0.1):
            begin = np.clip(np.minimum(contact - ahead, max_time), 0.0, None)
            answers = open_answers(begin)
            decide(start, end, options, answers)
            decided = answers.stage == BY_TIES
            assert (answers.status[~decided] == UNDECIDED).all()
            assert (answers.time[~decided] == begin[~decided]).all()
            assert not (decided & (status == SEPARATED)).any()
            at_start = answers.status[decided] == CONTACT_AT_START
            assert (at_start == (status[decided] == CONTACT_AT_START)).all()
            assert (answers.time[decided] == begin[decided]).all()
            assert (answers.time_upper[decided] >= upper[decided]).all()
            assert (answers.time_upper[decided] <= max_time).all()
            assert (answers.time_upper - begin)[decided].max(initial=0.0) <= max(tolerance, NARROWEST)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_pipeline_agrees_with_exact_integers(family, kind):
    rng = np.random.default_rng([4, len(family)])
    start, end = disguised(rng, FAMILIES[family](rng, 150, KINDS[kind]))
    result = CCD[kind](start, end, exact=True)
    status, lower, upper = truth(start, end, Options(KINDS[kind], 1.0, 1e-9, 0.0))
    assert (result.status == status).all()
    assert (result.time <= lower).all()
    assert (result.time_upper >= upper).all()
    hit = status != SEPARATED
    assert (result.time_upper[hit] - result.time[hit] <= 1e-9).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", EXACT_FAMILIES)
def test_few_ties_are_left_to_exact_integers(family, kind):
    rng = np.random.default_rng([5, len(family)])
    start, end = FAMILIES[family](rng, 2000, KINDS[kind])
    stats = CCD[kind](np.ascontiguousarray(start), np.ascontiguousarray(end), exact=True).stats
    assert stats.ties > 0
    assert stats.exact <= 0.02 * stats.queries


def test_a_contact_at_time_zero_is_one_at_the_start_or_is_known_not_to_be():
    start = np.tile([[0.0, 0.0, 0.0], *FACE], (3, 1, 1))
    start[:, 0] = [[0.25, 0.25, 0.0], [0.25, 0.25, 1e-20], [0.25, 0.25, 1e-90]]
    end = start - [0.0, 0.0, 1.0]
    end[:, 1:] = start[:, 1:]
    answers = open_answers(np.zeros(3), BY_ROOTS, CONTACT)
    touch_rows(start, end, Options(False, 1.0, 1e-9, 0.0), np.arange(3), answers)
    assert answers.status.tolist() == [CONTACT_AT_START, CONTACT, CONTACT]
    assert answers.stage.tolist() == [BY_TIES, BY_TIES, BY_ROOTS]
    exact = fc.vertex_face_ccd(start, end, exact=True)
    assert exact.status.tolist() == [CONTACT_AT_START, CONTACT, CONTACT]
