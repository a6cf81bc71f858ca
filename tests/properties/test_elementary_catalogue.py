"""The catalogue of degenerate cases: answers known by hand."""

from fractions import Fraction

import numpy as np
import pytest

import firstcontact as fc
from oracles.exact_ccd import first_time
from properties.catalogue import CASES
from properties.elementary import CCD, KINDS

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")


def ask(case, **options):
    start, end = case.start[None], case.end[None]
    return CCD[case.kind](start, end, min_separation=case.min_separation, **options)


@each_case
def test_oracle_knows_the_answer(case):
    answer = first_time(case.kind, case.start.tolist(), case.end.tolist(), case.min_separation)
    assert answer.hit == (case.time is not None)
    assert case.time is None or answer.lower <= case.time <= answer.upper


@each_case
def test_exact_answer(case):
    result = ask(case, exact=True)
    assert bool(result.hit[0]) == (case.time is not None)
    if case.time is None:
        assert result.status[0] == fc.Status.SEPARATED
    else:
        expected = fc.Status.CONTACT_AT_START if case.time == 0 else fc.Status.CONTACT
        assert Fraction(result.time[0]) <= case.time <= Fraction(result.time_upper[0])
        assert result.status[0] == expected


@each_case
def test_conservative_answer(case):
    result = ask(case)
    if case.time is None:
        assert result.status[0] in (fc.Status.SEPARATED, fc.Status.UNDECIDED)
    else:
        assert result.hit[0]
        assert Fraction(result.time[0]) <= case.time


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_empty(kind, exact):
    result = CCD[kind](np.empty((0, 4, 3)), np.empty((0, 4, 3)), exact=exact)
    assert result.hit.shape == (0,)
