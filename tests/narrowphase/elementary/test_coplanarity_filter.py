import numpy as np
import pytest

from firstcontact.narrowphase.elementary.coplanarity_filter import (
    BLOCK,
    END,
    axis_gaps,
    block_points,
    by_axis,
    filter_block,
    gather_block,
    is_apart,
    is_axis_free,
)
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.moving_quad import (
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
)
from oracles.exact_ccd import first_time
from properties.families import FAMILIES, generate

KINDS = {"vf": False, "ee": True}
FACE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def filtered(start, end, options, run=filter_block):
    """Run the filter over all queries, block by block."""
    free = np.empty(len(start), bool)
    for first in range(0, len(start), BLOCK):
        count = min(BLOCK, len(start) - first)
        block, cubics, is_free = (
            np.full(24 * BLOCK, np.nan),
            np.full(5 * BLOCK, np.nan),
            np.zeros(BLOCK, bool),
        )
        gather_block(start, end, first, count, block)
        run(block, count, options, is_free, cubics)
        assert not is_free[count:].any()
        free[first : first + count] = is_free[:count]
    return free


def filtered_one(start, end, options):
    return bool(filtered(np.array([start]), np.array([end]), options)[0])


def apart(start, end, separation, is_edge_edge=False):
    t0, t1 = (tuple(map(tuple, points)) for points in (start, end))
    answer = is_apart(t0, t1, is_edge_edge, separation)
    assert answer == is_apart.py_func(t0, t1, is_edge_edge, separation)
    return answer


def vertex(height):
    return [[0.25, 0.25, height], *FACE]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_query_with_a_contact_is_removed(family, kind):
    start, end = generate(family, kind, 60, seed=11)
    free = {t: filtered(start, end, Options(KINDS[kind], t, 1e-9, 0.0)) for t in (1.0, 0.5, 0.1, 0.0)}
    for row in range(len(start)):
        truth = first_time(kind, start[row].tolist(), end[row].tolist())
        for max_time, is_free in free.items():
            assert not (is_free[row] and truth.within(max_time).hit)


@pytest.mark.parametrize("kind", KINDS)
def test_no_query_that_comes_within_the_separation_is_removed(kind):
    start, end = generate("uniform", kind, 80, seed=12)
    n_apart = 0
    for t0, t1 in zip(start.tolist(), end.tolist(), strict=True):
        for separation in (1e-3, 0.2, 1.0):
            if apart(t0, t1, separation, KINDS[kind]):
                n_apart += 1
                assert not first_time(kind, t0, t1, separation).hit
    assert n_apart > 5


def test_a_good_part_of_random_queries_is_removed():
    start, end = generate("uniform", "vf", 2000, seed=13)
    assert filtered(start, end, Options(False, 1.0, 1e-9, 0.0)).mean() > 0.15


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_and_python_functions_agree(kind):
    start, end = generate("uniform", kind, 40, seed=14)
    for options in (Options(KINDS[kind], 0.7, 1e-9, 0.0), Options(KINDS[kind], 1.0, 1e-9, 0.0)):
        np.testing.assert_array_equal(
            filtered(start, end, options), filtered(start, end, options, filter_block.py_func)
        )


@pytest.mark.parametrize("n", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_the_answer_does_not_depend_on_the_place_in_a_block(n):
    start, end = generate("uniform", "ee", n, seed=15)
    options = Options(True, 1.0, 1e-9, 0.0)
    one_by_one = [filtered(start[i : i + 1], end[i : i + 1], options)[0] for i in range(n)]
    np.testing.assert_array_equal(filtered(start, end, options), one_by_one)


def test_a_block_holds_the_points_it_was_given():
    start, end = np.random.default_rng(16).random((2, 5, 4, 3))
    block = np.full(24 * BLOCK, np.nan)
    gather_block(start, end, 2, 3, block)
    python_block = np.full(24 * BLOCK, np.nan)
    gather_block.py_func(start, end, 2, 3, python_block)
    np.testing.assert_array_equal(block, python_block)
    for q in range(3):
        assert block_points(block, q) == tuple(map(tuple, start[2 + q].tolist()))
        assert block_points(block, END + q) == block_points.py_func(block, END + q)
        assert block_points(block, END + q) == tuple(map(tuple, end[2 + q].tolist()))


def test_the_cubics_of_a_block_are_left_for_the_roots():
    start, end = generate("uniform", "vf", 5, seed=17)
    block, cubics, is_free = np.empty(24 * BLOCK), np.empty(5 * BLOCK), np.empty(BLOCK, bool)
    gather_block(start, end, 0, 5, block)
    filter_block(block, 5, Options(False, 0.5, 1e-9, 0.0), is_free, cubics)
    for q in range(5):
        quad = moving_quad(block_points(block, q), block_points(block, END + q))
        assert tuple(cubics[q::BLOCK]) == (*coplanarity_cubic(quad), magnitude_permanent(quad))


def test_gaps_are_negative_where_the_sides_overlap():
    points = tuple(map(tuple, vertex(0.5)))
    assert axis_gaps(by_axis(points)[2], False) == (0.5, -0.5)
    assert axis_gaps(by_axis(points)[0], False) == (-0.75, -0.25)
    edges = ((0.0, 0.0, 3.0), (1.0, 0.0, 2.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))
    assert axis_gaps(by_axis(edges)[2], True) == axis_gaps.py_func(by_axis(edges)[2], True) == (1.0, -4.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_gap_equal_to_the_separation_is_kept_and_a_larger_one_removed(sign):
    for gap in (0.1, 1.0 / 3.0, 1e-30):
        points = vertex(sign * gap)
        below, above = np.nextafter(gap, [0.0, 1.0])
        assert not apart(points, points, gap)
        assert not apart(points, points, float(above))
        assert apart(points, points, float(below))


def test_a_rounded_gap_is_not_taken_for_a_larger_one():
    # 1 - 2**-60 rounds to 1: the true gap is below the separation, the rounded one is not above it.
    points = [[0.25, 0.25, 1.0], [0.0, 0.0, 2.0**-60], [1.0, 0.0, 2.0**-60], [0.0, 1.0, 2.0**-60]]
    assert not apart(points, points, 1.0)


def test_sides_that_change_places_are_kept():
    t0, t1 = (tuple(map(tuple, vertex(z))) for z in (1.0, -1.0))
    assert not is_axis_free(by_axis(t0)[2], by_axis(t1)[2], False, 0.0)
    assert not is_axis_free.py_func(by_axis(t0)[2], by_axis(t1)[2], False, 0.0)
    assert is_axis_free(by_axis(t0)[2], by_axis(t0)[2], False, 0.0)
    assert is_axis_free(by_axis(t1)[2], by_axis(t1)[2], False, 0.0)
    assert not filtered_one(vertex(1.0), vertex(-1.0), Options(False, 1.0, 1e-9, 0.0))


def test_touching_at_either_end_is_kept():
    for heights in ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0)):
        start, end = (vertex(height) for height in heights)
        assert not filtered_one(start, end, Options(False, 1.0, 1e-9, 0.0))


def test_time_beyond_the_interval_is_left_out():
    # Slanted, so that no coordinate axis tells them apart; coplanar at t = 0.5.
    face = np.array([[0.0, 0.0, -1.0], [3.0, 0.0, 2.0], [0.0, 3.0, 2.0]])
    start, end = ([[0.5, 0.5, z], *face.tolist()] for z in (1.0, -1.0))
    assert filtered_one(start, end, Options(False, 0.4, 1e-9, 0.0))
    assert not filtered_one(start, end, Options(False, 0.6, 1e-9, 0.0))


def test_nearness_is_not_removed_by_coplanarity():
    # Never coplanar, and never apart along an axis: contact within the separation must be kept.
    face = [[0.0, 0.0, -1.0], [3.0, 0.0, 2.0], [0.0, 3.0, 2.0]]
    points = [[0.5, 0.5, 0.1], *face]
    assert filtered_one(points, points, Options(False, 1.0, 1e-9, 0.0))
    assert not apart(points, points, 0.0)
    assert not apart(points, points, 0.5)
