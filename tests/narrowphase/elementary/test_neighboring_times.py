from fractions import Fraction
from math import nextafter

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, Options
from firstcontact.narrowphase.elementary.neighboring_times import narrow_rows
from firstcontact.queries.elementary import edge_edge_ccd, vertex_face_ccd
from samples import sample

KINDS = {"vf": False, "ee": True}
FACE = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))


def families(rng, n):
    """Points at both ends, and a separation: at random, on a grid, slow, far away, in one direction, tiny."""
    grid = rng.integers(-3, 4, (3, n, 4, 3)).astype(float)
    loose, other = rng.normal(size=(2, n, 4, 3))
    yield loose, other, 0.1
    yield loose, other, 0.0
    yield loose, loose + 0.01 * other, 0.0
    yield grid[0], grid[1] + 0.1, 0.0
    yield 0.1 * grid[0], 0.1 * (grid[0] + grid[2][:, :1]), 0.0
    yield loose, loose + 0.01 * other, 0.01
    yield loose + 1e3, loose + 1e3 + other[:, :1], 0.3
    yield grid[0], grid[1], 0.5
    yield 0.1 * grid[0], 0.1 * (grid[0] + grid[2][:, :1]), 0.1
    yield 2.0**-150 * loose, 2.0**-150 * other, 2.0**-152
    yield 2.0**-230 * loose, 2.0**-230 * other, 2.0**-232


def hits(query, start, end, separation):
    """Those that touch, with their brackets."""
    found = query(start, end, min_separation=separation)
    rows = np.flatnonzero((found.status == CONTACT) & (found.time > 0.0))
    return start[rows], end[rows], found.time[rows], found.time_upper[rows]


@pytest.mark.parametrize("kind", KINDS)
def test_neighbors_are_those_of_integers(kind):
    is_edge_edge, rng = KINDS[kind], np.random.default_rng(5)
    n_narrow, n_all = 0, 0
    query = edge_edge_ccd if is_edge_edge else vertex_face_ccd
    for points_t0, points_t1, separation in families(rng, sample(60, 2000)):
        start, end, lower, upper = hits(query, points_t0, points_t1, separation)
        low, high, is_sure = lower.copy(), upper.copy(), np.zeros(len(lower), np.bool_)
        narrow_rows(start, end, is_edge_edge, np.full(len(start), separation), low, high, is_sure)
        assert np.all((low >= lower) & (high <= upper))
        for row in np.flatnonzero(is_sure)[: sample(15, 2000)].tolist():
            options = Options(is_edge_edge, 1.0, 0.0, separation)
            assert exact_contact(start[row], end[row], options) == (CONTACT, low[row], high[row])
        n_all += len(low)
        n_narrow += int(np.count_nonzero(is_sure))
    assert n_narrow > 0.4 * n_all  # on grids many touch at a double, or where two of their edges are parallel


def narrowed(start, end, separation, lower, upper, is_edge_edge=False):
    """The bracket of one pair."""
    low, high = np.array([lower]), np.array([upper])
    start, end, is_sure = np.array([start]), np.array([end]), np.zeros(1, np.bool_)
    narrow_rows(start, end, is_edge_edge, np.array([separation]), low, high, is_sure)
    return float(low[0]), float(high[0])


def test_a_third_of_the_way_is_between_its_neighbors():
    start, end = ((1.0, 1.0, 2.0), *FACE), ((1.0, 1.0, -1.0), *FACE)
    low, high = narrowed(start, end, 1.0, 0.3, 0.4)
    assert low < Fraction(1, 3) < high == nextafter(low, 1.0)


@pytest.mark.parametrize(
    ("start", "end", "separation", "bracket"),
    [
        pytest.param(((1.0, 1.0, 2.0), *FACE), ((1.0, 1.0, 0.0), *FACE), 1.0, (0.4, 0.6), id="at a double"),
        pytest.param(((1.0, 1.0, 2.0), *FACE), ((1.0, 1.0, -1.0), *FACE), 1.0, (0.1, 0.2), id="not within"),
        pytest.param(((0.0, 0.0, 2.0), *FACE), ((0.0, 0.0, -1.0), *FACE), 1.0, (0.3, 0.4), id="at a corner"),
        pytest.param(((1.0, 1.0, 2.0), *(FACE[:1] * 3)), ((0.0, 0.0, 0.0),) * 4, 0.1, (0.9, 1.0), id="point"),
        pytest.param(((0.0, 0.0, 1.0), *FACE), ((0.0, 0.0, 1.0), *FACE), 1.0, (0.0, 1.0), id="no motion"),
        pytest.param(((1e-80, 1e-80, 3e-70), *FACE), ((0.0,) * 3, *FACE), 1e-70, (0.5, 0.8), id="too small"),
    ],
)
def test_what_is_not_proven_keeps_its_bracket(start, end, separation, bracket):
    low, high = narrowed(start, end, separation, *bracket)
    if (low, high) != bracket:
        truth = exact_contact(start, end, Options(False, 1.0, 0.0, separation))
        assert truth == (CONTACT, low, high)
    else:
        assert high > nextafter(low, 1.0)
