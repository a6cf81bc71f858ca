from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest

from firstcontact.narrowphase.elementary import refinement
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.elementary.moving_quad import moving_quad
from firstcontact.narrowphase.elementary.refinement import (
    AREAS,
    BEGIN,
    ROW,
    WIDTH,
    Errors,
    areas_say,
    exact_vectors,
    first_row,
    get,
    halve,
    is_contact,
    is_free,
    is_open_end,
    put,
    refine,
    refined_contact,
    refinement_errors,
    stretch_times,
)
from oracles.exact_ccd import first_time
from properties.families import FAMILIES, generate
from samples import sample
from tuples import as_tuples

KINDS = {"vf": False, "ee": True}
FACE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
TOUCH = Options(False, 1.0, 1e-9, 0.0)


def falling_vertex(y, z1=-2.0):
    """A vertex that falls through the plane of a face, beside, on or within the edge y = 0."""
    return ((0.25, y, 1.0), *FACE), ((0.25, y, z1), *FACE)


def crossing_edges(y):
    """An edge that falls on another one's end, which is at y."""
    b = ((0.25, y, 0.0), (0.25, 1.0, 0.0))
    return ((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), *b), ((0.0, 0.0, -2.0), (1.0, 0.0, -2.0), *b)


def assert_true(found, truth, begin, end):
    """Check a finding over [begin, end] against the exact first time, which is not before `begin`."""
    if found.status == SEPARATED:
        assert not truth.hit
        return
    assert begin <= found.lower <= end
    assert not truth.hit or found.lower <= truth.lower
    if found.status == CONTACT:
        assert truth.hit
        assert truth.upper <= found.upper <= end


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_findings_are_true(family, kind):
    start, end = generate(family, kind, sample(20, of=60), seed=41)
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        truth = first_time(kind, t0, t1)
        begin = 0.75 * truth.lower if truth.hit else 0.3
        for tolerance in (1e-9, 0.0):
            for last in (1.0, 0.7, 1.0 / 3.0):
                options = Options(KINDS[kind], last, tolerance, 0.0)
                found = refined_contact(as_tuples(t0), as_tuples(t1), options, 0.0, last)
                assert_true(found, truth.within(last), 0.0, last)
                if begin <= last:
                    found = refined_contact(as_tuples(t0), as_tuples(t1), options, begin, last)
                    assert_true(found, truth.within(last), begin, last)


def test_random_contacts_are_narrowed_down_to_neighbouring_doubles():
    start, end = generate("uniform", "vf", 100, seed=42)
    options = Options(False, 1.0, 0.0, 0.0)
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        found = refined_contact(as_tuples(t0), as_tuples(t1), options, 0.0, 1.0)
        if found.status == CONTACT:
            assert found.upper <= nextafter(nextafter(found.lower, 1.0), 1.0)


@pytest.mark.parametrize("case", [falling_vertex, crossing_edges])
@pytest.mark.parametrize("miss", [1e-9, 1e-17, 1e-25])
def test_near_misses_are_told_from_near_hits(case, miss):
    kind = "vf" if case is falling_vertex else "ee"
    options = Options(KINDS[kind], 1.0, 1e-9, 0.0)
    inward = miss if kind == "vf" else -miss
    shortly_before = 0.333  # where the axis along which areas are seen is chosen
    assert refined_contact(*case(-inward), options, shortly_before, 1.0).status == SEPARATED
    found = refined_contact(*case(inward), options, shortly_before, 1.0)
    assert found.status == CONTACT
    assert found.lower <= 1.0 / 3.0 <= found.upper <= found.lower + 1e-9


@pytest.mark.parametrize("case", [falling_vertex, crossing_edges])
def test_an_exact_tie_is_left_open_from_a_time_just_before_it(case):
    options = Options(case is crossing_edges, 1.0, 1e-9, 0.0)
    found = refined_contact(*case(0.0), options, 0.0, 1.0)
    assert found.status == UNDECIDED
    assert 1.0 / 3.0 - 1e-9 <= found.lower <= 1.0 / 3.0


@pytest.mark.parametrize(("z1", "time"), [(0.0, 1.0), (-1.0, 0.5), (-3.0, 0.25)])
def test_a_contact_at_a_dyadic_time_is_not_late(z1, time):
    found = refined_contact(*falling_vertex(0.25, z1), TOUCH, 0.0, 1.0)
    assert found.status in (CONTACT, UNDECIDED)
    assert time - 1e-9 <= found.lower <= time


def test_contact_at_the_start_is_left_open_from_there():
    points = ((0.25, 0.25, 0.0), *FACE)
    found = refined_contact(points, ((0.25, 0.25, 1.0), *FACE), TOUCH, 0.0, 1.0)
    assert (found.status, found.lower) == (UNDECIDED, 0.0)


def test_contact_after_the_end_is_not_seen():
    t0, t1 = falling_vertex(0.25)
    for end in (0.0, 0.25, 0.3, 0.333):
        assert refined_contact(t0, t1, TOUCH, 0.0, end) == (SEPARATED, inf, inf)


def test_points_that_stay_coplanar_are_left_open_or_free():
    slide = ((-1.0, 0.25, 0.0), *FACE), ((1.0, 0.25, 0.0), *FACE)
    found = refined_contact(*slide, TOUCH, 0.0, 1.0)
    assert found.status == UNDECIDED
    assert found.lower <= 0.5
    aside = ((2.0, 0.25, 0.0), *FACE), ((3.0, 0.5, 0.0), *FACE)
    assert refined_contact(*aside, TOUCH, 0.0, 1.0).status == SEPARATED


def test_compiled_and_python_functions_agree():
    for kind, is_edge_edge in KINDS.items():
        start, end = generate("uniform", kind, 6, seed=43)
        for t0, t1 in zip(map(as_tuples, start.tolist()), map(as_tuples, end.tolist()), strict=True):
            options = Options(is_edge_edge, 1.0, 1e-6, 0.0)
            found = refined_contact(t0, t1, options, 0.0, 1.0)
            assert found == refined_contact.py_func(t0, t1, options, 0.0, 1.0)
            errors = refinement_errors(moving_quad(t0, t1))
            stack, python_stack = (f(t0, t1, 0, is_edge_edge) for f in (first_row, first_row.py_func))
            np.testing.assert_array_equal(stack[0], python_stack[0])
            assert refine.py_func(stack, errors, 0.0, 1.0, 1e-6) == refine(
                python_stack, errors, 0.0, 1.0, 1e-6
            )


def test_halves_agree_in_both_modes():
    rows, python_rows = (first_row(*falling_vertex(0.3), 2, False)[:2] for _ in range(2))
    halve(*rows)
    halve.py_func(*python_rows)
    np.testing.assert_array_equal(rows, python_rows)


def test_vectors_are_exact():
    t0 = ((1.0, 1e-20, 3.0), (1e10, 1e-10, 0.1), (0.3, 0.2, 0.1), (1e-17, 1.0, -3.0))
    r = exact_vectors(t0, t0)
    for i in range(3):
        for k in range(3):
            high, low = get(r, 3 * i + k)
            assert Fraction(high) + Fraction(low) == Fraction(t0[i][k]) - Fraction(t0[3][k])


def test_a_number_is_got_as_it_was_put():
    row = np.zeros(6)
    put(row, 1, (3.0, 1e-20))
    assert get(row, 1) == get.py_func(row, 1) == (3.0, 1e-20)
    assert row.tolist() == [0.0, 0.0, 3.0, 1e-20, 0.0, 0.0]


def test_halving_keeps_the_times_exact():
    rng = np.random.default_rng(44)
    row, left = first_row(*falling_vertex(0.3), 2, False)[0], np.empty(ROW)
    begin, width = Fraction(0), Fraction(1)
    for _ in range(104):
        halve(row, left)
        width /= 2
        if rng.random() < 0.5:
            row = left.copy()
        else:
            begin += width
        assert Fraction(row[2 * BEGIN]) + Fraction(row[2 * BEGIN + 1]) == begin
        assert Fraction(row[WIDTH]) == width
        lower, upper = stretch_times(row)
        assert Fraction(lower) <= begin
        assert begin + width <= Fraction(upper)
        assert 0.0 <= lower <= upper <= 1.0
        assert (lower, upper) == stretch_times.py_func(row)


@pytest.mark.parametrize("begin", [2.0**-52, 0.5, nextafter(0.5, 0.0), nextafter(1.0, 0.0), 1.0 - 2.0**-52])
@pytest.mark.parametrize("low", [2.0**-104, -(2.0**-104), 0.0])
def test_times_are_rounded_outward_beside_any_double(begin, low):
    row = np.zeros(ROW)
    row[2 * BEGIN], row[2 * BEGIN + 1], row[WIDTH] = begin, low, 2.0**-104
    lower, upper = stretch_times(row)
    exact = Fraction(begin) + Fraction(low)
    assert lower <= exact < exact + Fraction(2) ** -104 <= upper
    assert upper - lower <= 4.0 * np.spacing(begin)


def row_with(cubic, areas):
    """A row with given coefficients: four of the cubic, and three each of four areas."""
    row = np.zeros(ROW)
    row[0 : 2 * AREAS : 2] = cubic
    row[2 * AREAS : 2 * BEGIN : 2] = np.ravel(areas)
    return row


PLUS, MINUS, MIXED, ZERO = [1.0, 2.0, 1.0], [-1.0, -1.0, -2.0], [1.0, 0.0, -1.0], [0.0, 0.0, 0.0]
LIMITS = Errors(0.5, 0.5)


@pytest.mark.parametrize(
    ("areas", "said"),
    [
        ([PLUS, PLUS, PLUS, PLUS], INSIDE),
        ([MINUS, MINUS, MINUS, MINUS], INSIDE),
        ([PLUS, PLUS, MINUS, PLUS], OUTSIDE),
        ([PLUS, MIXED, MINUS, ZERO], OUTSIDE),
        ([PLUS, PLUS, PLUS, MIXED], UNSURE),
        ([PLUS, PLUS, PLUS, ZERO], UNSURE),
        ([MIXED, MIXED, MIXED, MIXED], UNSURE),
        ([ZERO, ZERO, ZERO, ZERO], UNSURE),
    ],
)
def test_areas_decide_inclusion_where_their_signs_are_sure(areas, said):
    row = row_with([0.0] * 4, areas)
    assert areas_say(row, 0.5, 0, 3) == areas_say.py_func(row, 0.5, 0, 3) == said
    assert areas_say(row, 5.0, 0, 3) == UNSURE


def test_areas_at_one_end_are_told_from_those_of_the_whole():
    row = row_with([0.0] * 4, [PLUS, PLUS, PLUS, MIXED])
    assert areas_say(row, 0.5, 0, 1) == INSIDE
    assert areas_say(row, 0.5, 2, 3) == OUTSIDE


@pytest.mark.parametrize(
    ("cubic", "areas", "free", "contact"),
    [
        ([1.0, 1.0, 2.0, 3.0], [PLUS] * 4, True, False),
        ([-1.0, -1.0, -2.0, -3.0], [PLUS] * 4, True, False),
        ([1.0, -1.0, 2.0, 3.0], [PLUS] * 4, False, False),
        ([1.0, 0.0, 0.0, -1.0], [PLUS] * 4, False, True),
        ([-1.0, 0.0, 0.0, 1.0], [MINUS] * 4, False, True),
        ([1.0, 0.0, 0.0, -0.4], [PLUS] * 4, False, False),
        ([1.0, 0.0, 0.0, -1.0], [PLUS, PLUS, MINUS, ZERO], True, False),
        ([1.0, 0.0, 0.0, -1.0], [PLUS, PLUS, PLUS, ZERO], False, False),
    ],
)
def test_a_stretch_is_free_or_in_contact_where_that_is_sure(cubic, areas, free, contact):
    row = row_with(cubic, areas)
    assert is_free(row, LIMITS) == is_free.py_func(row, LIMITS) == free
    assert is_contact(row, LIMITS) == is_contact.py_func(row, LIMITS) == contact


def test_an_end_is_open_where_neither_volume_nor_areas_exclude_contact():
    row = row_with([0.0, 1.0, 1.0, 1.0], [PLUS, PLUS, PLUS, MIXED])
    assert is_open_end(row, LIMITS, 0)
    assert is_open_end.py_func(row, LIMITS, 0)
    assert not is_open_end(row, LIMITS, 1)
    row = row_with([0.0, 1.0, 1.0, 0.0], [PLUS, PLUS, PLUS, MIXED])
    assert not is_open_end(row, LIMITS, 1)


def test_running_out_of_stretches_leaves_a_safe_time(monkeypatch):
    for n in range(1, 40):
        monkeypatch.setattr(refinement, "MAX_STRETCHES", n)
        t0, t1 = falling_vertex(0.25)
        stack, errors = first_row(t0, t1, 2, False), refinement_errors(moving_quad(t0, t1))
        found = refine.py_func(stack, errors, 0.0, 1.0, 1e-9)
        assert found.lower <= 1.0 / 3.0
        assert found.status == MAX_ITERATIONS or n > 30


def test_the_last_stretch_may_be_the_one_that_proves_separation(monkeypatch):
    monkeypatch.setattr(refinement, "MAX_STRETCHES", 1)
    t0, t1 = falling_vertex(0.25, z1=0.5)
    stack, errors = first_row(t0, t1, 2, False), refinement_errors(moving_quad(t0, t1))
    assert refine.py_func(stack, errors, 0.0, 1.0, 1e-9) == (SEPARATED, inf, inf)
