"""All times of contact: against an independent exact oracle, and in degenerate cases with known answers."""

from itertools import pairwise, product

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.elementary.contact_spans import contact_spans, in_order, time_between
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.scalar.algebraic_number import AlgebraicNumber, real_roots
from oracles.exact_ccd import all_times
from samples import sample

FACE = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
KINDS = {"vf": fc.vertex_face_ccd, "ee": fc.edge_edge_ccd}
CASES = list(product(KINDS, range(sample(32, of=2000))))


def spans_of(start, end, is_edge_edge=False, max_time=1.0, separation=0.0):
    return contact_spans(start, end, Options(is_edge_edge, max_time, 0.0, separation))


def vertex(start, end, **options):
    """Spans of a vertex that moves, and a face that does not."""
    return spans_of([start, *FACE], [end, *FACE], **options)


def whole(span):
    """Begin and end of a span whose times are doubles."""
    assert span.touch[0] == span.touch[1]
    assert span.part[0] == span.part[1]
    return span.touch[0], span.part[0]


def points(rng, kind):
    """Four points at both ends: anywhere, on a grid, in a plane, on a line."""
    if kind == 0:
        return rng.uniform(-2, 2, (2, 4, 3))
    ends = rng.integers(-3, 4, (2, 4, 3)).astype(float)
    ends[:, :, 3 - kind + 1 :] = 0.0
    return ends @ rng.integers(-2, 3, (3, 3)) if kind > 1 else ends


@pytest.mark.parametrize(("kind", "seed"), CASES)
@pytest.mark.parametrize("has_separation", [False, True])
def test_spans_are_those_of_the_oracle(kind, seed, has_separation):
    rng = np.random.default_rng(seed)
    start, end = points(rng, seed % 4)
    separation = float(rng.choice([0.25, 0.5, 1.0])) if has_separation else 0.0
    expected = all_times(kind, start, end, separation)
    found = spans_of(start, end, kind == "ee", separation=separation)
    assert len(found) == len(expected)
    for span, (begin, finish) in zip(found, expected, strict=True):
        assert span.touch == begin
        assert span.part == finish
        assert span.is_instant == (begin == finish)
    answer = KINDS[kind](start, end, all_times=True, min_separation=separation, time_tolerance=0.0)
    assert answer.touch.tolist() == [list(span.touch) for span in found]


def test_edges_pass_up_to_three_times():
    ends = np.random.default_rng(1).uniform(-1, 1, (2, 5_000, 4, 3))
    found = fc.edge_edge_ccd(*ends, all_times=True)
    assert found.counts.max() == 3
    assert (found.crossings[found.counts == 3] == 3).all()
    assert found.is_even.sum() == (found.counts == 2).sum() > 0


def test_a_touch_that_turns_back_is_no_crossing():
    # At t = 1/2 both edges lie across each other, and their order in height and in turn changes at once.
    start = [[0, -1, 1], [0, 1, 1], [-1, 0, 0], [1, 0, 0]]
    end = [[-1, 0, -1], [1, 0, -1], [0, -1, 0], [0, 1, 0]]
    (span,) = spans_of(start, end, is_edge_edge=True)
    assert (whole(span), span.is_instant, span.is_crossing) == ((0.5, 0.5), True, False)


def test_sliding_through_a_face_lasts():
    assert [whole(span) for span in vertex([-4, 1, 0], [4, 1, 0])] == [(0.5, 0.875)]
    assert [whole(span) for span in vertex([-4, 1, 0], [4, 1, 0], max_time=0.75)] == [(0.5, 0.75)]
    assert [whole(span) for span in vertex([1, 1, 0], [1, 1, 0])] == [(0.0, 1.0)]
    assert vertex([-4, -1, 0], [4, -1, 0]) == []
    (corner,) = vertex([-1, 1, 0], [1, -1, 0])
    assert (whole(corner), corner.is_instant, corner.is_crossing) == ((0.5, 0.5), True, False)


def test_one_line_and_one_point():
    edge, other = [[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [3, 0, 0]]
    past = [[4, 0, 0], [5, 0, 0]]
    assert [whole(span) for span in spans_of([*edge, *other], [*past, *other], is_edge_edge=True)] == [
        (0.25, 0.75)
    ]
    still = [[1, 2, 3]] * 4
    assert [whole(span) for span in spans_of(still, still, is_edge_edge=True)] == [(0.0, 1.0)]
    assert [whole(span) for span in spans_of(still, still, max_time=0.0)] == [(0.0, 0.0)]


def test_within_a_separation_for_a_while():
    assert [whole(span) for span in vertex([1, 1, 4], [1, 1, -4], separation=1.0)] == [(0.375, 0.625)]
    assert [whole(span) for span in vertex([-4, -1, 0], [4, -1, 0], separation=1.0)] == [(0.5, 1.0)]
    assert vertex([0, -4, 2], [8, 4, 2], separation=1.0) == []
    (grazing,) = vertex([-1, -4, 0], [-1, 4, 0], separation=1.0)[:1]
    assert (whole(grazing), grazing.is_instant) == ((0.5, 1.0), False)
    (instant,) = spans_of([[0, 0, 2], *[[0, 0, 0]] * 3], [[0, 4, -2], *[[0, 0, 0]] * 3], separation=2.0)
    assert (whole(instant), instant.is_instant) == ((0.0, 0.5), False)


def test_empty_and_single():
    none = fc.vertex_face_ccd(np.empty((0, 4, 3)), np.empty((0, 4, 3)), all_times=True)
    assert (len(none), none.touch.shape, none.offsets.tolist()) == (0, (0, 2), [0])
    one = fc.vertex_face_ccd([[1, 1, 1], *FACE], [[1, 1, -1], *FACE], all_times=True)
    assert (len(one), one.counts.tolist(), one.is_odd.tolist(), one.is_even.tolist()) == (
        1,
        [1],
        [True],
        [False],
    )
    assert repr(one) == "ElementaryTimes(1 queries, 1 contacts)"


@pytest.mark.parametrize("value", [1, None, "yes"])
def test_all_times_must_be_a_bool(value):
    with pytest.raises(TypeError, match="all_times"):
        fc.edge_edge_ccd(np.zeros((4, 3)), np.zeros((4, 3)), all_times=value)


def test_folders_and_executors_give_the_same(tmp_path):
    ends = np.random.default_rng(3).uniform(-1, 1, (2, 300, 4, 3))
    found = fc.edge_edge_ccd(*ends, all_times=True)
    assert fc.edge_edge_ccd(*ends, all_times=True, out=tmp_path / "answers") == found
    assert len(found.touch) > 20


def test_numbers_in_order():
    roots = [
        *real_roots((-1, 0, 2)),
        *real_roots((-1, 0, 4)),
        *real_roots((1, 0, -4, 0, 4)),
        *real_roots((-3, 5)),
    ]
    ordered = in_order(roots)
    assert [round(number.bracket(0.0)[0], 6) for number in ordered] == [0.5, 0.6, 0.707107]
    for a, b in pairwise(ordered):
        middle = time_between(a, b)
        assert a.compare(middle) == middle.compare(b) == -1
        assert (b.compare(a), a.compare(a)) == (1, 0)
    near = real_roots((-1, 0, 2))[0], AlgebraicNumber((-int(0.5**0.5 * 2**60), 2**60))
    assert near[0].compare(near[1]) == -near[1].compare(near[0]) != 0
