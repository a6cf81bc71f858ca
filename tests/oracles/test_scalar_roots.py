from math import inf, nextafter

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.coplanarity_roots import cubic_error
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.elementary.moving_quad import (
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
)
from firstcontact.scalar.bernstein import cubic_value
from oracles.exact_ccd import first_time
from oracles.scalar_roots import Part, bracket_root, first_crossing, householder_root, solve_part
from properties.families import FAMILIES, generate
from samples import sample
from tuples import as_tuples

KINDS = {"vf": False, "ee": True}
LINE = (-1.0, -1.0 / 3.0, 1.0 / 3.0, 1.0)  # 2 t - 1


def vertex_over_face(z0, z1, x=0.25):
    """A vertex that moves from height z0 to z1 over a face in the plane z = 0."""
    face = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    return moving_quad(((x, 0.25, z0), *face), ((x, 0.25, z1), *face))


def is_consistent(crossing, truth):
    """Is nothing reported before which the roots cannot vouch, and no contact left out?"""
    free_before = min(crossing.lower, crossing.open_from)
    if not truth.hit:
        return crossing.lower == inf
    is_bracket = crossing.open_from < inf or (crossing.lower <= truth.lower and truth.upper <= crossing.upper)
    is_proven_in_time = crossing.upper == inf or truth.upper <= crossing.upper
    return free_before <= truth.lower and is_bracket and is_proven_in_time


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_first_contact_is_in_the_bracket_or_after_the_open_time(family, kind):
    start, end = generate(family, kind, sample(20, of=60), seed=21)
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        truth = first_time(kind, t0, t1)
        quad = moving_quad(as_tuples(t0), as_tuples(t1))
        for max_time in (1.0, 0.6, 1e-3):
            for tolerance in (1e-9, 0.0, 10.0):
                crossing = first_crossing(quad, Options(KINDS[kind], max_time, tolerance, 0.0))
                assert is_consistent(crossing, truth.within(max_time)), (t0, t1, max_time, tolerance)


def test_most_random_contacts_are_decided_within_the_tolerance():
    start, end = generate("uniform", "vf", 300, seed=22)
    n_open = 0
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        quad = moving_quad(as_tuples(t0), as_tuples(t1))
        crossing = first_crossing(quad, Options(False, 1.0, 1e-9, 0.0))
        n_open += crossing.open_from < inf
        assert crossing.lower == inf or crossing.upper - crossing.lower <= 1e-9
    assert n_open < 60


def test_a_vertex_through_a_face_is_bracketed():
    crossing = first_crossing(vertex_over_face(1.0, -3.0), Options(False, 1.0, 1e-9, 0.0))
    assert crossing.lower <= 0.25 <= crossing.upper <= crossing.lower + 1e-9
    assert crossing.open_from == inf


def test_a_vertex_through_the_plane_beside_its_face_has_no_contact():
    crossing = first_crossing(vertex_over_face(1.0, -3.0, x=2.0), Options(False, 1.0, 1e-9, 0.0))
    assert crossing == (inf, inf, inf)


def test_nothing_is_said_about_an_empty_interval():
    for heights in ((1.0, -1.0), (0.0, 1.0)):
        crossing = first_crossing(vertex_over_face(*heights), Options(False, 0.0, 1e-9, 0.0))
        assert crossing == (inf, inf, 0.0)


@pytest.mark.parametrize(("heights", "open_from"), [((0.0, 1.0), 0.0), ((0.0, 0.0), 0.0), ((1.0, 0.0), 0.0)])
def test_a_root_at_an_end_is_left_open(heights, open_from):
    crossing = first_crossing(vertex_over_face(*heights), Options(False, 1.0, 1e-9, 0.0))
    assert crossing == (inf, inf, open_from)


def test_a_root_at_the_end_of_the_interval_is_left_open():
    quad = vertex_over_face(1.0, -3.0)
    assert first_crossing(quad, Options(False, 0.25, 1e-9, 0.0)).open_from <= 0.25
    assert first_crossing(quad, Options(False, nextafter(0.25, 0.0), 1e-9, 0.0)).lower == inf
    found = first_crossing(quad, Options(False, 0.25 + 1e-9, 1e-9, 0.0))
    assert found.lower <= 0.25 <= found.upper <= 0.25 + 1e-9


def test_a_root_in_the_middle_of_a_symmetric_motion_is_bracketed():
    crossing = first_crossing(vertex_over_face(1.0, -1.0), Options(False, 1.0, 1e-9, 0.0))
    assert crossing.lower <= 0.5 <= crossing.upper <= crossing.lower + 1e-9
    assert crossing.open_from == inf


def tangent_quad(offset):
    """A volume of (2 t - 1)**2 + offset: two vectors whose cross product turns as the third does."""
    start = ((-1.0, -offset, 0.0), (1.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    end = ((1.0, -offset, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    return moving_quad(start, end)


def test_the_volume_of_a_tangent_quad_is_as_it_was_built():
    assert coplanarity_cubic(tangent_quad(0.5)) == pytest.approx((1.5, 0.5 - 1.0 / 3.0, 0.5 - 1.0 / 3.0, 1.5))


def test_a_tangent_root_is_left_open():
    crossing = first_crossing(tangent_quad(0.0), Options(False, 1.0, 1e-9, 0.0))
    assert crossing.lower == inf
    assert crossing.open_from <= 0.5


@pytest.mark.parametrize("offset", [1e-13, 1e-9, 0.1])
def test_a_near_tangent_is_free_of_roots(offset):
    for is_edge_edge in (False, True):
        assert first_crossing(tangent_quad(offset), Options(is_edge_edge, 1.0, 1e-9, 0.0)) == (inf, inf, inf)


@pytest.mark.parametrize("offset", [-1e-12, -1e-6, -0.1])
def test_two_roots_beside_a_tangent_are_told_apart_or_left_open(offset):
    crossing = first_crossing(tangent_quad(offset), Options(True, 1.0, 1e-9, 0.0))
    first = 0.5 - 0.5 * (-offset) ** 0.5
    assert min(crossing.lower, crossing.open_from) <= first + 1e-15


def part_of(b, limit):
    return Part(0.0, 1.0, b[0], b[3], limit)


def test_householder_finds_simple_roots_to_the_last_places():
    for root in (0.1, 1.0 / 3.0, 0.9):
        b = (-root, 1.0 / 3.0 - root, 2.0 / 3.0 - root, 1.0 - root)
        assert householder_root(b, part_of(b, 0.0), 0.0) == pytest.approx(root, abs=1e-15)


def test_householder_finds_a_triple_root():
    b = (-0.125, 0.125, -0.125, 0.125)  # (t - 1/2)**3
    assert householder_root(b, part_of(b, 0.0), 1e-12) == pytest.approx(0.5, abs=1e-4)


def test_a_bracket_has_proven_signs_at_its_ends():
    limit = 1e-6
    lower, upper = bracket_root(LINE, part_of(LINE, limit), 0.5, 0.0)
    assert cubic_value(LINE, lower) < -limit
    assert cubic_value(LINE, upper) > limit
    assert upper - lower < 1e-5


def test_a_bracket_around_a_wrong_root_takes_in_the_whole_part():
    assert bracket_root(LINE, part_of(LINE, 1e-9), 0.9, 1e-9) == (0.0, 1.0)


def test_a_bracket_around_a_flat_root_takes_in_the_whole_part():
    b = (-0.125, 0.125, -0.125, 0.125)
    lower, upper = bracket_root(b, part_of(b, 1e-4), 0.5, 1e-9)
    assert cubic_value(b, lower) < -1e-4 < 1e-4 < cubic_value(b, upper)


def test_parts_without_proven_signs_are_unsure():
    quad, options = vertex_over_face(1.0, -1.0), Options(False, 1.0, 1e-9, 0.0)
    b = coplanarity_cubic(quad)
    cases = [((1.0, 2.0, 0.5), OUTSIDE), ((-1.0, -2.0, 0.5), OUTSIDE), ((1.0, 0.1, 0.5), UNSURE)]
    cases += [((0.0, 1.0, 1e-9), UNSURE), ((-1.0, 0.1, 0.5), UNSURE), ((b[0], b[3], 1e-9), INSIDE)]
    for values, expected in cases:
        assert solve_part(quad, b, Part(0.0, 1.0, *values), options)[0] == expected


def error_of(quad):
    return cubic_error(coplanarity_cubic(quad), magnitude_permanent(quad))


def test_the_error_grows_with_the_points_and_is_never_zero():
    small, large = vertex_over_face(1.0, -1.0), vertex_over_face(1e6, -1e6)
    assert error_of(small) < error_of(large)
    flat = vertex_over_face(0.0, 0.0)
    assert magnitude_permanent(flat) == 0.0
    assert error_of(flat) > 0.0


@pytest.mark.parametrize("scale", [1e-120, 1e-80, 1e-30, 1e30, 1e45])
def test_scale_does_not_matter_until_products_underflow(scale):
    rng = np.random.default_rng(24)
    for _ in range(20):
        t0, t1 = (scale * rng.uniform(-1.0, 1.0, (2, 4, 3))).tolist()
        crossing = first_crossing(moving_quad(as_tuples(t0), as_tuples(t1)), Options(True, 1.0, 1e-9, 0.0))
        assert is_consistent(crossing, first_time("ee", t0, t1))
