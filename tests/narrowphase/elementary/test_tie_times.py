"""First times of ties by floating point and expansions, against integers."""

from math import nextafter

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, Options
from firstcontact.narrowphase.elementary.tie_times import narrow_tied_rows
from firstcontact.queries.elementary import edge_edge_ccd, vertex_face_ccd
from samples import sample

KINDS = {"vf": False, "ee": True}


def families(rng, n):
    """Points at both ends: on grids of several widths, in planes, with parallel edges, turning in a plane."""
    grid = rng.integers(-3, 4, (3, n, 4, 3)).astype(float)
    way = rng.integers(-4, 5, (n, 1, 3)).astype(float)
    yield grid[0], grid[1]
    yield 0.1 * grid[0], 0.1 * grid[1]
    yield grid[0], grid[0] + np.array([1.0, 1.0, 0.0, 0.0])[:, np.newaxis] * way
    yield 0.1 * grid[0], 0.1 * (grid[0] + np.array([1.0, 1.0, 0.0, 0.0])[:, np.newaxis] * way / 3.0)
    parallel = grid[0].copy()
    parallel[:, 3] = parallel[:, 2] + rng.integers(1, 3, (n, 1)) * (parallel[:, 1] - parallel[:, 0])
    yield parallel, parallel + np.array([1.0, 1.0, 0.0, 0.0])[:, np.newaxis] * way
    yield 0.1 * parallel, 0.1 * (parallel + np.array([1.0, 1.0, 0.0, 0.0])[:, np.newaxis] * way / 7.0)
    flat = grid[:2] * np.array([1.0, 1.0, 0.0])
    yield flat[0], flat[1]
    yield rng.normal(size=flat[0].shape) * [1.0, 1.0, 0.0], rng.normal(size=flat[0].shape) * [1.0, 1.0, 0.0]
    yield grid[0] + 1e3, grid[1] + 1e3
    yield 2.0**-150 * grid[0], 2.0**-150 * grid[1]
    yield 2.0**-260 * grid[0], 2.0**-260 * grid[1]


def hits(query, start, end):
    """Those that touch after the start, with their brackets."""
    found = query(start, end)
    rows = np.flatnonzero((found.status == CONTACT) & (found.time > 0.0))
    return start[rows], end[rows], found.time[rows], found.time_upper[rows]


@pytest.mark.parametrize("kind", KINDS)
def test_times_are_those_of_integers(kind):
    is_edge_edge, rng = KINDS[kind], np.random.default_rng(8)
    n_narrow, n_all, n_doubles = 0, 0, 0
    query, options = edge_edge_ccd if is_edge_edge else vertex_face_ccd, Options(is_edge_edge, 1.0, 0.0, 0.0)
    for points_t0, points_t1 in families(rng, sample(150, 6000)):
        start, end, lower, upper = hits(query, points_t0, points_t1)
        low, high, is_sure = lower.copy(), upper.copy(), np.zeros(len(lower), np.bool_)
        narrow_tied_rows(start, end, is_edge_edge, low, high, is_sure)
        assert np.all((low >= lower) & (high <= upper))
        for row in np.flatnonzero(is_sure).tolist():
            assert exact_contact(start[row], end[row], options) == (CONTACT, low[row], high[row])
            n_doubles += low[row] == high[row]
        assert np.array_equal(low[~is_sure], lower[~is_sure])
        n_all += len(low)
        n_narrow += int(np.count_nonzero(is_sure))
    assert n_doubles > 0.2 * n_narrow
    assert (
        n_narrow > 0.25 * n_all
    )  # of others, most have a cubic that is not zero, and a time that is no double


def test_what_is_sure_is_left_alone():
    start = np.array([[[0.0, 0, 1], [1, 0, 1], [0, 0, 0], [1, 0, 0]]])
    end = start - np.array([[0.0, 0, 2], [0, 0, 2], [0, 0, 0], [0, 0, 0]])
    lower, upper, is_sure = np.array([0.4]), np.array([0.6]), np.array([True])
    narrow_tied_rows(start, end, True, lower, upper, is_sure)
    assert (lower[0], upper[0]) == (0.4, 0.6)
    is_sure[0] = False
    narrow_tied_rows(start, end, True, lower, upper, is_sure)
    assert is_sure[0]
    assert (lower[0], upper[0]) == (0.5, 0.5)
    end[0, :2, 2] = -2.0
    lower, upper, is_sure = np.array([0.3]), np.array([0.4]), np.array([False])
    narrow_tied_rows(start, end, True, lower, upper, is_sure)
    assert is_sure[0]
    assert (lower[0], upper[0]) == (1 / 3, nextafter(1 / 3, 1.0))
