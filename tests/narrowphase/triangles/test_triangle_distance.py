"""Closest points of two triangles against exact distances."""

from fractions import Fraction
from itertools import permutations, product
from math import ldexp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.narrowphase.triangles.triangle_distance import (
    chosen,
    clamped,
    closest_face_corner,
    closest_of_all_features,
    closest_of_edges,
    closest_triangle_triangle,
    farthest_last,
    gain_along,
    nearer,
    nearest_edge_face,
    next_edges,
    seen_from,
    straightened,
    turned,
)
from oracles.exact_distance import point_triangle_squared
from oracles.triangle_distance import crossing_depth, triangle_distance_squared
from samples import sample
from tuples import as_tuples

# In units of the triangles' size, or of the distance where that is larger.
ACCURACY = 1e-12
# Thin triangles that nearly touch are promised no more than what `closest_points` promises.
THIN_ACCURACY = 1e-8
THIN = ("needle", "needles", "near needles", "tiny edge", "flat", "wild")

RNG = np.random.default_rng(4)


def log_uniform(low, high, size=None):
    return 10.0 ** RNG.uniform(low, high, size)


def unit_vector():
    v = RNG.normal(size=3)
    return v / np.linalg.norm(v)


def pair():
    return RNG.normal(size=(2, 3, 3))


def apart(distance):
    a, b = pair()
    return np.stack([a, b + distance * unit_vector()])


def moved_close(a, b, gap):
    """Move b until a point of a random feature of it is at a gap from one of a."""
    weights = RNG.dirichlet((1.0, 1.0, 1.0), size=2)
    for w in weights:
        w[RNG.permutation(3)[: RNG.integers(3)]] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    return np.stack([a, b + weights[0] @ a - weights[1] @ b + gap * unit_vector()])


def near(gap):
    return moved_close(*pair(), gap)


def rotated(points):
    return points @ np.linalg.qr(RNG.normal(size=(3, 3)))[0]


def facing(gap, tilt):
    """Triangles in two planes that are parallel but for a tilt."""
    a, b = pair() * [1.0, 1.0, 0.0]
    return rotated(np.stack([a, b + [0.0, 0.0, gap] + tilt * RNG.normal(size=(3, 3))]))


def along_edges(gap, tilt):
    """Triangles with an edge each of nearly one direction, next to each other."""
    a, b = pair()
    side = a[1] - a[0]
    b[1] = b[0] + RNG.uniform(0.3, 2.0) * side + tilt * RNG.normal(size=3)
    place = a[0] + RNG.uniform(-0.5, 1.5) * side - RNG.uniform() * (b[1] - b[0])
    return np.stack([a, b - b[0] + place + gap * unit_vector()])


def sharing(n):
    a, b = pair()
    b[RNG.permutation(3)[:n]] = a[RNG.permutation(3)[:n]]
    return np.stack([a, b])


def needle(t, width):
    middle = t[0] + RNG.uniform(-0.5, 1.5) * (t[1] - t[0])
    return np.stack([t[0], t[1], middle + width * RNG.normal(size=3)])


def needles(distance):
    return np.stack([needle(t, log_uniform(-18.0, -1.0)) for t in apart(distance)])


def degenerate():
    """Points, segments, and segments with a third corner on them; exact, by copies and small integers."""
    both = np.rint(2.0 * pair())
    for t in both:
        i, j = RNG.choice(3, 2, replace=False)
        t[i] = t[j] if RNG.random() < 0.6 else t[i]
        t[:] = t[0] if RNG.random() < 0.3 else t
        t[2] = 2.0 * t[1] - t[0] if RNG.random() < 0.3 else t[2]
    return both


def small_near_large():
    a, b = pair()
    place = RNG.dirichlet((1.0, 1.0, 1.0)) @ b + log_uniform(-8.0, 0.0) * unit_vector()
    return np.stack([log_uniform(-8.0, 0.0) * a + place, b])


def with_tiny_edge():
    a, b = near(log_uniform(-12.0, 0.0))
    a[1] = a[0] + log_uniform(-320.0, -3.0) * RNG.normal(size=3)
    return np.stack([a, b])


FAMILIES = {
    "generic": lambda: apart(RNG.uniform(0.0, 3.0)),
    "near": lambda: near(log_uniform(-14.0, 0.0)),
    "touching": lambda: near(0.0),
    "parallel": lambda: facing(log_uniform(-12.0, 0.0), 0.0),
    "nearly parallel": lambda: facing(log_uniform(-12.0, 0.0), log_uniform(-16.0, -1.0)),
    "coplanar": lambda: np.rint(3.0 * pair()) * [1.0, 1.0, 0.0],
    "parallel edges": lambda: along_edges(log_uniform(-12.0, 0.0), log_uniform(-18.0, -1.0)),
    "lattice": lambda: np.rint(2.0 * pair()),
    "sharing a corner": lambda: sharing(1),
    "sharing an edge": lambda: sharing(2),
    "coinciding": lambda: sharing(3),
    "degenerate": degenerate,
    "needle": lambda: np.stack([needle(pair()[0], log_uniform(-18.0, -1.0)), apart(1.0)[1]]),
    "needles": lambda: needles(RNG.uniform(0.0, 2.0)),
    "near needles": lambda: moved_close(*needles(0.0), log_uniform(-12.0, 0.0)),
    "tiny edge": with_tiny_edge,
    "flat": lambda: pair() * [1.0, 1e-3, 1e-9],
    "small near large": small_near_large,
    "unequal": lambda: pair() * log_uniform(-20.0, 20.0, size=(2, 1, 1)),
    "wild": lambda: pair() * 10.0 ** RNG.integers(-170, 1, size=(2, 3, 1)),
    "1e-6": lambda: 1e-6 * near(log_uniform(-6.0, 0.0)),
    "1e6": lambda: 1e6 * near(log_uniform(-6.0, 0.0)),
    "1e-80": lambda: log_uniform(-90.0, -60.0) * near(log_uniform(-6.0, 0.0)),
    "1e-150": lambda: log_uniform(-160.0, -140.0) * near(log_uniform(-6.0, 0.0)),
    "1e40": lambda: 1e40 * near(log_uniform(-6.0, 0.0)),
    "huge": lambda: 2.0**150 * RNG.uniform(-1.0, 1.0, size=(2, 3, 3)),
    "denormal": lambda: 5e-324 * np.rint(20.0 * apart(1.0)),
    "far": lambda: near(log_uniform(-6.0, 0.0)) + 1e5 * RNG.normal(size=3),
}


def samples(family, n):
    for _ in range(n):
        a, b = FAMILIES[family]()
        yield as_tuples(a), as_tuples(b)


def size_of(a, b):
    """Largest extent of the triangles along an axis; 1 for two points."""
    return float(max(np.ptp(a, axis=0).max(), np.ptp(b, axis=0).max())) or 1.0


def root(squared, unit):
    """Square root of a Fraction, in a unit in which it neither overflows nor underflows."""
    return sqrt(squared / Fraction(unit) ** 2)


def offset_squared(p, q):
    return sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(p, q, strict=True))


def distance_to(p, t, unit):
    """Exact distance of a point from a triangle."""
    return root(point_triangle_squared(*([Fraction(x) for x in point] for point in (p, *t))), unit)


def assert_right(a, b, p, q, accuracy):
    """Check that p and q are points of the triangles, and as near to each other as any two."""
    size = size_of(a, b)
    distance = root(triangle_distance_squared(a, b), size)
    # Points have the roundings of their coordinates, besides those of the distance.
    rounding = (4e-16 * max(abs(x) for point in (*a, *b) for x in point) + 2e-323) / size
    allowed = accuracy * (1.0 + distance) + rounding
    assert abs(root(offset_squared(p, q), size) - distance) <= allowed
    assert distance_to(p, a, size) <= allowed
    assert distance_to(q, b, size) <= allowed


@pytest.mark.parametrize("family", FAMILIES)
def test_points_are_the_closest(family):
    for a, b in samples(family, sample(12, of=80)):
        p, q = closest_triangle_triangle(a, b)
        assert_right(a, b, p, q, THIN_ACCURACY if family in THIN else ACCURACY)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_slow_search_alone_finds_them_too(family):
    for a, b in samples(family, sample(5, of=25)):
        p, q = closest_of_all_features(a, b)
        assert_right(a, b, p, q, THIN_ACCURACY if family in THIN else ACCURACY)


def crossing():
    """Triangles of which a corner of one has passed the other's face or edge, by as little as 1e-11."""
    a, b = near(0.0)
    return np.stack([a, b + log_uniform(-11.0, -1.0) * unit_vector()])


def test_triangles_have_a_point_in_common_where_they_cross_and_only_there():
    n, n_apart, n_crossing = sample(500, of=1500), 0, 0
    for a, b in (crossing() for _ in range(n)):
        depth = crossing_depth(a, b) / size_of(a, b)
        p, q = closest_triangle_triangle(as_tuples(a), as_tuples(b))
        assert p == q or depth < ACCURACY
        assert p != q or depth > -ACCURACY
        n_apart, n_crossing = n_apart + (depth < -ACCURACY), n_crossing + (depth > ACCURACY)
    assert n_apart > 2 * n // 15
    assert n_crossing > 2 * n // 5


def distance(a, b):
    p, q = closest_triangle_triangle(as_tuples(a), as_tuples(b))
    return np.linalg.norm(np.subtract(p, q))


SYMMETRIC = [name for name in FAMILIES if name not in (*THIN, "1e-150", "denormal", "far")]


@pytest.mark.parametrize("family", SYMMETRIC)
def test_order_does_not_matter(family):
    for a, b in samples(family, 40):
        expected = pytest.approx(distance(a, b), rel=ACCURACY, abs=ACCURACY * size_of(a, b))
        assert distance(b, a) == expected
        for i, j in product(permutations(range(3)), repeat=2):
            assert distance([a[k] for k in i], [b[k] for k in j]) == expected


@pytest.mark.parametrize("family", SYMMETRIC)
def test_rigid_motions_do_not_matter(family):
    for a, b in samples(family, 100):
        size = size_of(a, b)
        moved = rotated(np.array([a, b])) + size * RNG.normal(size=3)
        # Moved coordinates are rounded, by as much as they are larger than the triangles.
        accuracy = 10.0 * ACCURACY * max(size, np.abs(moved).max())
        assert distance(*moved) == pytest.approx(distance(a, b), rel=ACCURACY, abs=accuracy)


@pytest.mark.parametrize("exponent", [-100, -20, 20, 100])
def test_a_power_of_two_scales_the_points_exactly(exponent):
    for family in ("generic", "near", "nearly parallel", "lattice"):
        for a, b in samples(family, 100):
            scaled = [as_tuples(ldexp(1.0, exponent) * np.array(t)) for t in (a, b)]
            points = closest_triangle_triangle(a, b)
            assert closest_triangle_triangle(*scaled) == as_tuples(ldexp(1.0, exponent) * np.array(points))


coordinates = st.integers(-3, 3).map(float)
lattice_triangles = st.tuples(*[st.tuples(coordinates, coordinates, coordinates)] * 3)


@given(lattice_triangles, lattice_triangles)
def test_points_on_a_lattice_touch_exactly_where_they_do(a, b):
    p, q = closest_triangle_triangle(a, b)
    assert_right(a, b, p, q, ACCURACY)
    assert (p == q) == (triangle_distance_squared(a, b) == 0)


TRIANGLE = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))


@pytest.mark.parametrize(
    ("other", "p", "q"),
    [
        (((-1.0, -2.0, 2.0), (-3.0, -2.0, 2.0), (-1.0, -5.0, 3.0)), (0, 0, 0), (-1, -2, 2)),  # two corners
        (((2.0, -1.0, 0.0), (1.0, -3.0, 0.0), (3.0, -3.0, 1.0)), (2, 0, 0), (2, -1, 0)),  # edge and corner
        (((-2.0, 3.0, 2.0), (-2.0, 3.0, -2.0), (-5.0, 3.0, 0.0)), (0, 3, 0), (-2, 3, 0)),  # two edges
        (((1.0, 1.0, 2.0), (1.0, 2.0, 3.0), (0.0, 1.0, 4.0)), (1, 1, 0), (1, 1, 2)),  # face and corner
        (
            ((-6.0, -20.0, -11.0), (-6.0, 20.0, -11.0), (14.0, 0.0, -1.0)),
            (4, 0, 0),
            (6.4, 0, -4.8),
        ),  # corner and face
        (((1.0, 1.0, 1.0), (1.0, 1.0, -1.0), (1.0, 1.0, 9.0)), (1, 1, 0), (1, 1, 0)),  # pierced
        (((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 5.0)), (0, 0, 0), (0, 0, 0)),  # a common corner
        (((1.0, 1.0, 7.0), (1.0, 1.0, 7.0), (1.0, 1.0, 7.0)), (1, 1, 0), (1, 1, 7)),  # a point
        (((8.0, 1.0, 0.0), (8.0, 0.0, 0.0), (8.0, 0.0, 0.0)), (4, 0, 0), (8, 0, 0)),  # a segment
    ],
)
def test_each_pair_of_features_can_be_closest(other, p, q):
    found = closest_triangle_triangle(TRIANGLE, other)
    assert found[0] == pytest.approx(p, abs=1e-15)
    assert found[1] == pytest.approx(q, abs=1e-15)
    for point, same in zip(found[::-1], closest_triangle_triangle(other, TRIANGLE), strict=True):
        assert point == pytest.approx(same, abs=1e-15)
    assert_right(TRIANGLE, other, *found, ACCURACY)


@pytest.mark.parametrize("height", [0.0, 1e-9, 0.5])
@pytest.mark.parametrize("shift", [0.0, 1.0, 3.9])
def test_parallel_triangles_are_at_the_distance_of_their_planes(height, shift):
    other = tuple((x + shift, y, height) for x, y, _ in TRIANGLE)
    p, q = closest_triangle_triangle(TRIANGLE, other)
    assert distance(TRIANGLE, other) == height
    assert_right(TRIANGLE, other, p, q, ACCURACY)


@pytest.mark.parametrize("place", [0.0, 5e-324, 1e-200, -1.0, 2.0**150])
def test_two_equal_points_are_triangles_too(place):
    point = ((place, 0.0, -place),) * 3
    assert closest_triangle_triangle(point, point) == (point[0], point[0])


@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_and_python_functions_agree(family):
    def agree(kernel, *args):
        assert kernel(*args) == kernel.py_func(*args)

    for a, b in samples(family, 10):
        w, ea, eb = (as_tuples([np.subtract(x, y)])[0] for x, y in ((b[0], a[0]), (a[1], a[0]), (b[1], b[0])))
        for kernel in (closest_triangle_triangle, closest_of_all_features, closest_face_corner):
            agree(kernel, a, b)
        agree(closest_of_edges, w, ea, eb)
        for s, u in ((0.0, 0.3), (0.3, 1.0), (0.3, 0.3), (0.0, 1.0)):
            agree(straightened, w, ea, eb, s, u)
            agree(gain_along, w, ea, s)
            agree(turned, a, u)
            agree(clamped, 3.0 * s - 0.5)
        for direction in (w, ea, eb):
            agree(farthest_last, a, direction)
        for is_first in (False, True):
            agree(chosen, is_first, w, ea)
        agree(seen_from, a, b[0], 0.5)
        agree(nearest_edge_face, (1.0, a[0], b[0]), a[1], ea, b)
        for i in range(9):
            agree(next_edges, a, b, i)
        agree(nearer, (1.0, a[0], b[0]), a[1], b[1])
