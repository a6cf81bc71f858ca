from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest

from firstcontact.narrowphase.elementary import separation_advancement as advancement
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.moving_quad import moving_quad
from firstcontact.narrowphase.elementary.separation_advancement import (
    MAX_ADVANCES,
    ClosestView,
    directed_advance,
    is_blend_clear,
    lookahead,
    moving_pairs,
    pairs_at,
    prove_contact,
    required_extent,
    side_differences,
    smallest_extent,
    view_at,
)
from firstcontact.narrowphase.elementary.separation_advancement import (
    advance as advance_kernel,
)
from oracles.exact_ccd import first_time
from oracles.exact_distance import exact_distance_squared, points_at
from properties.families import FAMILIES, generate
from samples import sample
from tuples import as_tuples


def advance(quad, options, begin, end, kernel=advance_kernel):
    return kernel(quad, options._replace(max_time=end), begin)


KINDS = {"vf": False, "ee": True}
FACE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def quad_of(start, end):
    return moving_quad(as_tuples(start), as_tuples(end))


def vertex_over_face(z0, z1):
    return moving_quad(((0.25, 0.25, z0), *FACE), ((0.25, 0.25, z1), *FACE))


def assert_true(found, truth, end):
    """Check a finding over [0, end] against the exact first time."""
    if found.status == SEPARATED:
        assert not truth.hit
        return
    assert not truth.hit or found.lower <= truth.lower
    assert 0.0 <= found.lower <= end
    if found.status in (CONTACT, CONTACT_AT_START):
        assert truth.hit
        assert truth.upper <= found.upper <= end
    if found.status == CONTACT_AT_START:
        assert truth.upper == 0.0


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_findings_are_true(family, kind):
    start, end = generate(family, kind, sample(12, of=30), seed=31)
    scale = 1e-9 if family == "tiny" else 1.0
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        quad = quad_of(t0, t1)
        for separation in (0.0, 1e-6 * scale, 0.25 * scale):
            truth = first_time(kind, t0, t1, separation)
            for max_time in (1.0, 0.3):
                options = Options(KINDS[kind], max_time, 1e-9, separation)
                found = advance(quad, options, 0.0, max_time)
                assert found.status != MAX_ITERATIONS or family != "uniform"
                assert_true(found, truth.within(max_time), max_time)


@pytest.mark.parametrize("kind", KINDS)
def test_separated_means_apart_at_every_time(kind):
    start, end = generate("uniform", kind, sample(80, of=200), seed=32)
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        if advance(quad_of(t0, t1), Options(KINDS[kind], 1.0, 1e-9, 0.05), 0.0, 1.0).status == SEPARATED:
            for i in range(12):
                points = points_at(t0, t1, Fraction(i, 11))
                assert exact_distance_squared(kind, points) > Fraction(0.05) ** 2


@pytest.mark.parametrize("kind", KINDS)
def test_most_contacts_within_a_separation_are_bracketed(kind):
    start, end = generate("uniform", kind, 200, seed=33)
    options = Options(KINDS[kind], 1.0, 1e-9, 0.01)
    found = [
        advance(quad_of(*points), options, 0.0, 1.0)
        for points in zip(start.tolist(), end.tolist(), strict=True)
    ]
    hits = [f for f in found if f.status != SEPARATED]
    narrow = [f for f in hits if f.status != UNDECIDED and f.upper - f.lower <= 1e-9]
    assert len(narrow) > 0.9 * len(hits) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_and_python_functions_agree(kind):
    is_edge_edge = KINDS[kind]
    start, end = generate("uniform", kind, 20, seed=34)
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        quad = quad_of(t0, t1)
        for separation in (0.0, 0.1):
            options = Options(is_edge_edge, 1.0, 1e-9, separation)
            assert advance(quad, options, 0.0, 1.0) == advance(
                quad, options, 0.0, 1.0, advance_kernel.py_func
            )
            assert prove_contact(quad, options, 0.1) == prove_contact.py_func(quad, options, 0.1)
        pairs, view = moving_pairs(quad, is_edge_edge), view_at(quad, is_edge_edge, 0.25)
        n, m = view.direction, view_at(quad, is_edge_edge, 0.5).direction
        at_n, at_m = pairs_at(pairs, 0.25), pairs_at(pairs, 0.5)
        assert pairs == moving_pairs.py_func(quad, is_edge_edge)
        assert view == view_at.py_func(quad, is_edge_edge, 0.25)
        assert at_n == pairs_at.py_func(pairs, 0.25)
        assert smallest_extent(n, at_n) == smallest_extent.py_func(n, at_n)
        assert side_differences(quad.t0, is_edge_edge) == side_differences.py_func(quad.t0, is_edge_edge)
        assert is_blend_clear(n, m, at_n, at_m, 0.1) == is_blend_clear.py_func(n, m, at_n, at_m, 0.1)
        assert lookahead(view, 0.1, 0.5) == lookahead.py_func(view, 0.1, 0.5)
        required = required_extent(n, pairs.size, 0.1)
        assert required == required_extent.py_func(n, pairs.size, 0.1)
        args = (n, pairs, 0.25, 1.0, required, 0.0)
        assert directed_advance(*args) == directed_advance.py_func(*args)


def least_distance(quad, is_edge_edge):
    """Time and value of the least distance over the motion, by ever finer sampling."""
    times = np.linspace(0.0, 1.0, 101)
    for _ in range(8):
        distances = [view_at(quad, is_edge_edge, float(t)).distance for t in times]
        best = int(np.argmin(distances))
        times = np.linspace(times[max(best - 1, 0)], times[min(best + 1, 100)], 101)
    return float(times[50]), min(distances)


def grazing_quads(kind, n):
    """Rotating motions whose least distance is in the middle of the interval, with that distance."""
    rng = np.random.default_rng(35)
    while n > 0:
        quad = quad_of(*rng.uniform(-1.0, 1.0, (2, 4, 3)).tolist())
        t, distance = least_distance(quad, KINDS[kind])
        if distance > 0.01 and 0.1 < t < 0.9:
            n -= 1
            yield quad, distance


@pytest.mark.parametrize("margin", [1e-12, 1e-9, 1e-4])
@pytest.mark.parametrize("kind", KINDS)
def test_a_motion_that_barely_stays_away_takes_few_stretches(monkeypatch, kind, margin):
    looks = []

    def counting(*args):
        looks.append(args)
        return view_at(*args)

    monkeypatch.setattr(advancement, "view_at", counting)
    for quad, distance in grazing_quads(kind, 15):
        looks.clear()
        options = Options(KINDS[kind], 1.0, 1e-9, distance / (1.0 + margin))
        assert advance(quad, options, 0.0, 1.0, advance_kernel.py_func).status == SEPARATED
        assert len(looks) < MAX_ADVANCES // 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_motion_that_barely_comes_near_is_a_contact(kind):
    for quad, distance in grazing_quads(kind, 15):
        options = Options(KINDS[kind], 1.0, 1e-9, distance * (1.0 + 1e-9))
        found = advance(quad, options, 0.0, 1.0)
        assert found.status in (CONTACT, UNDECIDED)


def test_a_vertex_that_comes_near_is_bracketed():
    found = advance(vertex_over_face(1.0, -1.0), Options(False, 1.0, 1e-9, 0.5), 0.0, 1.0)
    assert found.status == CONTACT
    assert found.lower <= 0.25 <= found.upper <= found.lower + 1e-9


def test_a_start_within_the_separation_is_a_contact_at_start():
    for heights in ((0.5, 3.0), (0.5, 0.5), (0.0, 1.0)):
        found = advance(vertex_over_face(*heights), Options(False, 1.0, 1e-9, 0.75), 0.0, 1.0)
        assert found == (CONTACT_AT_START, 0.0, 0.0)


def test_a_start_at_the_separation_is_not_called_separated():
    for height in (0.1, 1.0 / 3.0, 0.75):
        found = advance(vertex_over_face(height, 1.0), Options(False, 1.0, 1e-9, height), 0.0, 1.0)
        assert found.status in (UNDECIDED, CONTACT_AT_START)
        assert found.lower == 0.0


def test_touching_is_left_open_without_a_separation():
    found = advance(vertex_over_face(1.0, -1.0), Options(False, 1.0, 1e-9, 0.0), 0.0, 1.0)
    assert found.status == UNDECIDED
    assert 0.49 < found.lower <= 0.5


def test_an_empty_interval_is_a_question_about_one_time():
    assert advance(vertex_over_face(1.0, -1.0), Options(False, 0.0, 1e-9, 0.5), 0.0, 0.0).status == SEPARATED
    at_start = advance(vertex_over_face(0.4, 1.0), Options(False, 0.0, 1e-9, 0.5), 0.0, 0.0)
    assert at_start == (CONTACT_AT_START, 0.0, 0.0)
    later = advance(vertex_over_face(1.0, 0.0), Options(False, 1.0, 1e-9, 0.0), 0.5, 0.5)
    assert later == (SEPARATED, inf, inf)


def test_points_that_stand_still_are_decided_at_once():
    for separation, expected in ((0.5, SEPARATED), (1.5, CONTACT_AT_START)):
        options = Options(False, 1.0, 1e-9, separation)
        assert advance(vertex_over_face(1.0, 1.0), options, 0.0, 1.0).status == expected


@pytest.mark.parametrize("tilt", [0.0, 1e-16, 1e-12, 1e-9, 1e-4])
@pytest.mark.parametrize("gap", [1e-5, 1e-3])
def test_nearly_parallel_edges_are_decided(tilt, gap):
    b = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    start = ((-0.5, gap, gap), (0.5, gap + tilt, gap), *b)
    end = ((0.5, gap + tilt, gap), (1.5, gap, gap), *b)
    apart, near = (Options(True, 1.0, 1e-9, factor * gap) for factor in (1.0, 1.5))
    assert advance(moving_quad(start, end), apart, 0.0, 1.0).status == SEPARATED
    found = advance(moving_quad(start, end), near, 0.0, 1.0)
    assert found.status != UNDECIDED
    assert_true(found, first_time("ee", start, end, 1.5 * gap), 1.0)


def test_a_contact_after_the_end_is_not_seen():
    quad, options = vertex_over_face(1.0, -1.0), Options(False, 1.0, 1e-9, 0.5)
    assert advance(quad, options, 0.0, 0.2) == (SEPARATED, inf, inf)
    assert advance(quad, options, 0.0, nextafter(0.25, 0.0)).status in (SEPARATED, UNDECIDED)


def test_running_out_of_stretches_leaves_a_safe_time(monkeypatch):
    monkeypatch.setattr(advancement, "MAX_ADVANCES", 2)
    statuses = set()
    for t0, t1 in zip(*(points.tolist() for points in generate("uniform", "ee", 60, seed=36)), strict=True):
        found = advance_kernel.py_func(quad_of(t0, t1), Options(True, 1.0, 1e-9, 0.01), 0.0)
        assert_true(found, first_time("ee", t0, t1, 0.01), 1.0)
        statuses.add(found.status)
    assert MAX_ITERATIONS in statuses


def test_a_direction_holds_up_to_the_time_of_contact():
    pairs = moving_pairs(vertex_over_face(1.0, -1.0), False)
    latest = directed_advance((0.0, 0.0, 1.0), pairs, 0.0, 1.0, 0.25, 1e-9)
    assert latest <= 0.375 == pytest.approx(latest, abs=1e-8)
    assert directed_advance((0.0, 0.0, 1.0), pairs, 0.0, 0.2, 0.25, 1e-9) == 0.2
    assert directed_advance((0.0, 0.0, 1.0), pairs, 0.4, 1.0, 0.25, 1e-9) == 0.4


def test_a_blend_is_clear_only_if_its_middle_is():
    n, m = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    ends = ((2.0, 0.0, 0.0),) * 4, ((0.0, 2.0, 0.0),) * 4
    assert not is_blend_clear(n, m, *ends, 0.5)  # straight through, at (1, 1, 0) beside the blend (1/2, 1/2)
    assert is_blend_clear(n, m, ((2.0, 1.0, 0.0),) * 4, ((1.0, 2.0, 0.0),) * 4, 0.5)
    assert not is_blend_clear(n, m, ((2.0, 1.0, 0.0),) * 4, ((1.0, 2.0, 0.0),) * 4, 1.0)


def test_a_look_ahead_stops_short_of_the_contact_in_sight():
    view = ClosestView((0.0, 0.0, 1.0), 1.0, 2.0)
    assert 0.2 < lookahead(view, 0.5, 1.0) < 0.25
    assert lookahead(view, 0.5, 0.1) == 0.1
    assert lookahead(ClosestView((0.0, 0.0, 1.0), 1.0, -2.0), 0.5, 1.0) == 1.0


def test_no_direction_is_seen_between_points_that_coincide():
    assert view_at(vertex_over_face(0.0, 0.0), False, 0.5) == ClosestView((0.0, 0.0, 0.0), 0.0, 0.0)
    assert required_extent((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 0.0) > 0.0
    assert required_extent((0.0, 0.0, 1.0), (1.0, 1.0, 1.0), inf) == inf


def test_a_distance_whose_square_underflows_is_no_contact():
    s = 1e-165
    points = ((s, s, s), (3 * s, 0.0, -3 * s), (-3 * s, 3 * s, 0.0), (0.0, -3 * s, 3 * s))
    found = advance(moving_quad(points, points), Options(False, 1.0, 1e-9, 1e-170), 0.0, 1.0)
    assert found.status not in (CONTACT, CONTACT_AT_START)
