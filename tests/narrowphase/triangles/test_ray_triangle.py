"""Rays against single triangles: signs that are exact for what is seen, neighbours that agree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact._lanes import WIDTH
from firstcontact.narrowphase.triangles.ray_triangle import (
    depth_triangle,
    edge_area,
    face_normal,
    met_triangles,
    sight_of,
    unit,
)
from samples import sample

# A corner is seen within this of where it is, in units of its largest coordinate from the ray's origin.
SEEN = 9.0 * 2.0**-53

COORDINATES = st.floats(-1e3, 1e3).filter(lambda x: x == 0.0 or abs(x) > 1e-60)


def as_leaves(triangles):
    """Triangles (n, 3, 3) in leaves, the last filled up with some that are not there."""
    rows = np.reshape(np.asarray(triangles, float), (-1, 9))
    rows = np.concatenate([rows, np.full((-len(rows) % WIDTH, 9), np.nan)])
    return np.ascontiguousarray(rows.reshape(-1, WIDTH, 9).transpose(0, 2, 1))


def depths_of(sight, triangles):
    """Depths of triangles, and which of them the fast test lets pass."""
    leaves, bits = as_leaves(triangles), np.left_shift(1, np.arange(WIDTH), dtype=np.int32)
    met = [met_triangles(sight, leaves, leaf) & bits > 0 for leaf in range(len(leaves))]
    flat = leaves.reshape(-1)
    depths = [depth_triangle(sight, flat, place, 0.0) for place in range(leaves.size // 9)]
    assert not np.any(np.isfinite(depths) & ~np.concatenate(met))
    return np.array(depths)[: len(triangles)], np.concatenate(met)[: len(triangles)]


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
    assert depths_of(sight, [triangle])[0] == pytest.approx(6.0)


def exact_depth(o, d, triangle):
    """Depth of a ray in exact arithmetic, in units of its largest component; None where it misses."""
    o, d = [Fraction(x) for x in o], [Fraction(x) for x in d]
    corners = [[Fraction(x) - y for x, y in zip(corner, o, strict=True)] for corner in triangle.tolist()]

    def volume(a, b, c):
        return sum(a[i] * (b[(i + 1) % 3] * c[i - 1] - b[i - 1] * c[(i + 1) % 3]) for i in range(3))

    u, v, w = (volume(d, corners[i], corners[(i + 1) % 3]) for i in (1, 2, 0))
    if u + v + w == 0 or min(u, v, w) < 0 < max(u, v, w):
        return None
    axis = max(range(3), key=lambda i: abs(d[i]))
    weighted = zip((u, v, w), corners, strict=True)
    depth = (
        sum(weight * corner[axis] for weight, corner in weighted) / (u + v + w) * (1 if d[axis] > 0 else -1)
    )
    return float(depth) if depth >= 0 else None


@pytest.mark.parametrize("thin", [1.0, 1e-3, 1e-9])
def test_depths_are_those_of_exact_arithmetic(thin):
    rng = np.random.default_rng(1)
    n_hits = 0
    for _ in range(40):
        o, d = rng.standard_normal((2, 3)).tolist()
        # Seen from the side, where `thin` is small: a sideways rounding moves the depth by its inverse.
        triangles = rng.standard_normal((50, 3, 3)) @ (np.outer(d, d) + thin * np.eye(3)) + o
        found, _ = depths_of(sight_of(tuple(o), tuple(d)), triangles)
        for triangle, depth in zip(triangles, found, strict=True):
            exact = exact_depth(o, d, triangle)
            assert (exact is None) == np.isinf(depth) or thin < 1.0
            if exact is not None and np.isfinite(depth):
                assert depth == pytest.approx(exact, abs=1e-13 / thin)
                n_hits += 1
    assert n_hits > 50


def passed_at(o, d, triangle):
    """Least distance, exactly, at which a ray passes an edge's line, as seen; how far away corners are."""
    k = max(range(3), key=lambda i: abs(d[i]))
    i, j = (k + 1) % 3, (k + 2) % 3
    c = [[Fraction(x) - Fraction(y) for x, y in zip(corner, o, strict=True)] for corner in triangle.tolist()]
    slopes = Fraction(d[i]) / Fraction(d[k]), Fraction(d[j]) / Fraction(d[k])
    seen = [(p[i] - slopes[0] * p[k], p[j] - slopes[1] * p[k]) for p in c]
    edges = [(seen[n], seen[(n + 1) % 3]) for n in range(3)]
    areas = [abs(p[0] * q[1] - p[1] * q[0]) for p, q in edges]
    lengths = [np.hypot(float(p[0] - q[0]), float(p[1] - q[1])) for p, q in edges]
    offset = min(float(area) / length for area, length in zip(areas, lengths, strict=True))
    return offset, float(max(abs(x) for p in c for x in p))


@pytest.mark.parametrize("far", [1.0, 1e3, 1e6])
def test_rays_that_graze_an_outline_are_decided_down_to_what_is_seen(far):
    rng = np.random.default_rng(4)
    n, n_beyond, n_within = sample(600, of=1500), 0, 0
    for _ in range(n):
        triangle = rng.standard_normal((3, 3))
        d = rng.standard_normal(3)
        side = np.cross(d, triangle[1] - triangle[0])
        side *= rng.choice([-1, 1]) * 10.0 ** rng.uniform(-16.5, -14.0) * far / np.linalg.norm(side)
        o = triangle[0] + rng.random() * (triangle[1] - triangle[0]) + side - far * d
        o, d = o.tolist(), d.tolist()
        offset, size = passed_at(o, d, triangle)
        is_hit = np.isfinite(depths_of(sight_of(tuple(o), tuple(d)), [triangle])[0][0])
        if offset > SEEN * size:
            assert is_hit == (exact_depth(o, d, triangle) is not None)
            n_beyond += 1
        else:  # either way is right to rounding
            n_within += 1
    assert min(n_beyond, n_within) > n // 15
    assert SEEN < 1e-15


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
        found, _ = depths_of(sight_of(tuple(o.tolist()), tuple(d.tolist())), triangles)
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
    found, _ = depths_of(sight_of((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), [triangle])
    assert found[0] == np.inf, what


@pytest.mark.parametrize(
    "triangle",
    [
        [[0, 0, 5], [1, 0, 5], [0, 1, 5]],  # a corner
        [[-1, 0, 5], [1, 0, 5], [0, 1, 5]],  # an edge
        [[-1, 0, 5], [0, 1, 5], [1, 0, 5]],  # an edge, seen from the other side
    ],
)
def test_the_border_is_met(triangle):
    found, _ = depths_of(sight_of((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), [triangle])
    assert found[0] == 5.0


def test_a_start_on_a_triangle_is_a_hit_at_zero():
    found, _ = depths_of(sight_of((0.2, 0.3, 0.0), (0.1, 0.2, -1.0)), [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    assert found[0] == 0.0


def test_triangles_that_are_not_there_are_not_met():
    found, is_met = depths_of(sight_of((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), np.full((1, 3, 3), np.nan))
    assert found[0] == np.inf
    assert not is_met[0]


def test_the_fast_test_lets_few_pass_that_are_not_met():
    rng = np.random.default_rng(3)
    found, is_met = depths_of(sight_of((0.0, 0.0, -9.0), (0.1, 0.2, 1.0)), rng.standard_normal((4000, 3, 3)))
    np.testing.assert_array_equal(is_met, np.isfinite(found))


def test_normals():
    assert face_normal((0.0, 0.0, 0.0), (1e-200, 0.0, 0.0), (0.0, 1e-200, 0.0), (0.0, 0.0, -1.0)) == (0, 0, 1)
    assert face_normal((0.0, 0.0, 0.0), (0.0, 1e150, 0.0), (1e150, 0.0, 0.0), (0.0, 0.0, -1.0)) == (0, 0, -1)
    assert face_normal((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, -3.0)) == (0, 0, 1)
    assert unit((0.0, 0.0, 0.0)) == (0, 0, 0)
    assert np.linalg.norm(unit((3e-300, 4e-300, 0.0))) == pytest.approx(1.0)
