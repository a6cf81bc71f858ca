"""Rays against single triangles: signs that are exact, neighbours that agree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.narrowphase.ray_triangle import (
    UNSETTLED,
    edge_area,
    face_normal,
    measure_triangles,
    settled_depth,
    sight_of,
    unit,
)

COORDINATES = st.floats(-1e3, 1e3).filter(lambda x: x == 0.0 or abs(x) > 1e-60)


def depths_of(sight, triangles):
    """The fast test settled by the slow one where it has to be, as searches do it; and both alone."""
    leaf = np.ascontiguousarray(np.reshape(triangles, (1, -1, 9)).transpose(0, 2, 1), dtype=float)
    fast = np.empty(leaf.shape[2])
    measure_triangles(sight, leaf, 0, fast)
    slow = np.array([settled_depth(sight, *(tuple(map(float, corner)) for corner in t)) for t in triangles])
    return np.where(fast == UNSETTLED, slow, fast), fast, slow


@given(COORDINATES, COORDINATES, COORDINATES, COORDINATES)
def test_an_edge_has_the_sign_of_its_exact_area(x0, y0, x1, y1):
    area = edge_area(x0, y0, x1, y1)
    exact = Fraction(x0) * Fraction(y1) - Fraction(x1) * Fraction(y0)
    assert np.sign(area) == (exact > 0) - (exact < 0)
    assert edge_area(x1, y1, x0, y0) == -area
    assert float(exact) == pytest.approx(area, rel=1e-15)


@given(st.integers(0, 2**53 - 1), st.integers(0, 2**53 - 1), st.integers(-2, 2), st.integers(-2, 2))
def test_an_edge_has_the_right_sign_where_products_are_nearly_equal(x, y, i, j):
    x0, y0 = 1.0 + x * 2.0**-53, 1.0 + y * 2.0**-53
    x1, y1 = x0 * (1.0 + i * 2.0**-52), y0 * (1.0 + j * 2.0**-52)
    exact = Fraction(x0) * Fraction(y1) - Fraction(x1) * Fraction(y0)
    area = edge_area(x0, y0, x1, y1)
    assert np.sign(area) == (exact > 0) - (exact < 0)
    assert edge_area(x1, y1, x0, y0) == -area


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [1, -1])
def test_depth_is_along_the_longest_axis(axis, sign):
    d = np.array([0.1, -0.2, 0.3])
    d[axis] = 2.0 * sign
    sight = sight_of((1.0, 2.0, 3.0), tuple(d.tolist()))
    assert sight.axes[2] == axis
    assert sight.speed == 2.0
    assert sight.sign == sign
    np.testing.assert_array_equal(np.array(sight.way), d / 2.0)
    triangle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) * 0.4 + np.array([1, 2, 3]) + 3 * d - 0.4 / 3
    found, _, slow = depths_of(sight, [triangle])
    assert found[0] == pytest.approx(6.0)
    assert slow[0] == pytest.approx(6.0)


def test_the_fast_test_and_the_slow_one_agree():
    rng = np.random.default_rng(1)
    triangles = rng.standard_normal((2000, 3, 3))
    n_hits = 0
    for _ in range(50):
        o, d = rng.standard_normal((2, 3))
        _, fast, slow = depths_of(sight_of(tuple(o.tolist()), tuple(d.tolist())), triangles)
        is_settled = fast != UNSETTLED
        np.testing.assert_array_equal(np.isinf(fast[is_settled]), np.isinf(slow[is_settled]))
        is_hit = is_settled & (fast < np.inf)
        np.testing.assert_allclose(fast[is_hit], slow[is_hit], rtol=1e-11, atol=1e-11)
        n_hits += is_hit.sum()
    assert n_hits > 1000


def test_neighbours_agree_on_an_edge():
    rng = np.random.default_rng(2)
    for _ in range(2000):
        a, b = rng.standard_normal((2, 3))
        weight = rng.random()
        on_edge = a + weight * (b - a)
        d = rng.standard_normal(3)
        o = on_edge - d * 10.0 ** rng.integers(-3, 8)
        # A closed fan around the edge's line as seen along the ray: one apex on each side.
        side = np.cross(d, b - a)
        triangles = [[a, b, on_edge + side], [b, a, on_edge - side]]
        found, _, _ = depths_of(sight_of(tuple(o.tolist()), tuple(d.tolist())), triangles)
        assert np.isfinite(found).any()


@pytest.mark.parametrize(
    ("triangle", "what"),
    [
        ([[0, 0, 5]] * 3, "a point"),
        ([[-1, 0, 5], [1, 0, 5], [1, 0, 5]], "a segment with a double end"),
        ([[-1, 0, 5], [0, 0, 5], [1, 0, 5]], "a segment"),
        ([[0, 0, 1], [0, 0, 2], [0, 1, 3]], "in the plane of the ray, with an edge on it"),
        ([[0, -1, 1], [0, 1, 2], [0, 1, 3]], "in the plane of the ray"),
        ([[-1, -1, -5], [1, -1, -5], [0, 1, -5]], "behind the ray"),
        ([[1, 1, 5], [2, 1, 5], [1, 2, 5]], "beside the ray"),
    ],
)
def test_what_is_not_met(triangle, what):
    found, _, slow = depths_of(sight_of((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), [triangle])
    assert found[0] == slow[0] == np.inf, what


@pytest.mark.parametrize(
    "triangle",
    [
        [[0, 0, 5], [1, 0, 5], [0, 1, 5]],  # a corner
        [[-1, 0, 5], [1, 0, 5], [0, 1, 5]],  # an edge
        [[-1, 0, 5], [0, 1, 5], [1, 0, 5]],  # an edge, seen from the other side
    ],
)
def test_the_border_is_met(triangle):
    found, fast, _ = depths_of(sight_of((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), [triangle])
    assert fast[0] == UNSETTLED
    assert found[0] == 5.0


def test_a_start_on_a_triangle_is_a_hit_at_zero():
    found, _, _ = depths_of(sight_of((0.2, 0.3, 0.0), (0.1, 0.2, -1.0)), [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    assert found[0] == 0.0


def test_triangles_that_are_not_there_are_not_met():
    _, fast, slow = depths_of(sight_of((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), np.full((1, 3, 3), np.nan))
    assert fast[0] == slow[0] == np.inf


def test_normals():
    assert face_normal((0.0, 0.0, 0.0), (1e-200, 0.0, 0.0), (0.0, 1e-200, 0.0), (0.0, 0.0, -1.0)) == (0, 0, 1)
    assert face_normal((0.0, 0.0, 0.0), (0.0, 1e150, 0.0), (1e150, 0.0, 0.0), (0.0, 0.0, -1.0)) == (0, 0, -1)
    assert face_normal((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, -3.0)) == (0, 0, 1)
    assert unit((0.0, 0.0, 0.0)) == (0, 0, 0)
    assert np.linalg.norm(unit((3e-300, 4e-300, 0.0))) == pytest.approx(1.0)
