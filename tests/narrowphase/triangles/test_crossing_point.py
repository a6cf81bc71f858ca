"""Where common points are, against rational numbers; and that neighbours agree on them to the last bit."""

from fractions import Fraction

import numpy as np

from firstcontact.narrowphase.triangles.crossing import MOST_POINTS, N_FEATURES, common_points
from firstcontact.narrowphase.triangles.crossing_point import crossing_point
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE
from tuples import as_tuples


def points_of(a, b):
    names = np.empty(MOST_POINTS, np.int32)
    a, b = (tuple(as_tuples(t)) for t in (a, b))
    n = common_points(a, b, np.empty(ROOM_SIZE), names)
    return names[: max(n, 0)].tolist(), [crossing_point(a, b, int(name)) for name in names[: max(n, 0)]]


def exact_height(t, p):
    """Six volumes of the tetrahedron over a triangle, exactly."""
    x, y, z = ([Fraction(a) - Fraction(b) for a, b in zip(c, p, strict=True)] for c in t)
    return (
        x[0] * (y[1] * z[2] - y[2] * z[1])
        - x[1] * (y[0] * z[2] - y[2] * z[0])
        + x[2] * (y[0] * z[1] - y[1] * z[0])
    )


def test_points_are_on_both_triangles():
    rng, n = np.random.default_rng(3), 0
    for _ in range(500):
        a, b = rng.normal(size=(2, 3, 3))
        for point in points_of(a, b)[1]:
            for t in (a, b):
                area = np.linalg.norm(np.cross(t[1] - t[0], t[2] - t[0]))
                if area > 0.1:
                    assert abs(float(exact_height(t.tolist(), point))) / area < 1e-13
                    n += 1
    assert n > 300


def test_both_orders_have_the_same_bits():
    rng, n = np.random.default_rng(4), 0
    for k in range(500):
        corners = rng.normal(size=(2, 3, 3)) if k % 2 else rng.integers(-2, 3, (2, 3, 3)).astype(float)
        a, b = corners
        names, found = points_of(a, b)
        turned, others = points_of(b, a)
        assert sorted(found) == sorted(others)
        assert len(names) == len(turned)
        n += len(names) > 0
    assert n > 100


def test_edges_that_cross_in_one_plane():
    names, found = points_of(
        np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]), np.array([[1.0, -1, 0], [1, 9, 0], [9, 9, 0]])
    )
    crossed = {place for name, place in zip(names, found, strict=True) if name // N_FEATURES in (3, 4, 5)}
    assert {(1.0, 0.0, 0.0), (1.0, 3.0, 0.0)} <= crossed
