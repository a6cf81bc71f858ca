"""Points within a radius of each other, against whole numbers that know no rounding."""

import pickle

import numba
import numpy as np
import pytest

import firstcontact as fc
from oracles.near_pairs import exact_pairs

RNG = np.random.default_rng(5)
LATTICE = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
CLOUD = RNG.random((90, 3))
FAR = np.array([[1e12, 0, 0], [0, -3e14, 2.0**149]])

# By a name: points, others or None, and a radius.
CASES = {
    "cloud": (CLOUD, None, 0.3),
    "cloud, all in one cell": (CLOUD, None, 2.0),
    "cloud, nobody near": (CLOUD, None, 1e-6),
    "two sets": (CLOUD, RNG.random((40, 3)) + 0.3, 0.25),
    "two sets apart": (CLOUD, CLOUD + 10.0, 0.25),
    "a set and itself": (CLOUD, CLOUD, 0.2),
    "lattice, ties": (LATTICE, None, 1.0),
    "lattice, ties by a hair": (0.1 * LATTICE, None, 0.1),
    "lattice, ties by diagonals": (0.1 * LATTICE, None, 0.1 * np.sqrt(2.0)),
    "lattice off the origin": (LATTICE + 1.0 / 3.0, None, 1.0),
    "pythagorean ties": (LATTICE * [3, 4, 12], None, 13.0),
    "coincident": (np.ones((70, 3)), None, 1e-9),
    "radius 0": (np.concatenate([LATTICE, LATTICE[::-2]]), None, 0.0),
    "radius 0 of differences whose squares vanish": (LATTICE * 2.0**-399, None, 0.0),
    "radius 0 of signed zeros": (np.array([[0.0, 0.0, 0.0], [-0.0, 0.0, -0.0]]), None, 0.0),
    "one far away": (np.concatenate([CLOUD, FAR]), None, 0.3),
    "far from the origin": (CLOUD + 2.0**40, None, 0.3),
    "tiny": (CLOUD * 1e-40, None, 0.3e-40),
    "huge": (CLOUD * 1e40, None, 0.3e40),
    "tiny radius, huge extent": (CLOUD * 2.0**150, None, 2.0**-150),
    "a line": (np.outer(np.arange(60.0), [1e6, 0, 0]), None, 1e6),
    "a chain of gaps": (np.cumsum(RNG.random((80, 3)) ** 30 * 1e9, axis=0), None, 1.0),
    "a plane": (CLOUD * [1, 1, 0], None, 0.2),
    "one point": (CLOUD[:1], None, 1.0),
    "no points": (CLOUD[:0], None, 1.0),
    "no others": (CLOUD, CLOUD[:0], 1.0),
    "no points among others": (CLOUD[:0], CLOUD, 1.0),
}


@pytest.mark.parametrize("name", CASES)
def test_every_pair_is_decided_exactly(name):
    points, others, radius = CASES[name]
    found = fc.neighbors(points, radius, others, distances=True)
    assert np.array_equal(found.pairs, exact_pairs(points, others, radius))
    assert found.starts[0] == 0
    assert found.starts[-1] == len(found)
    assert np.all(found.counts >= 0)
    i, j = found.pairs.T
    with np.errstate(under="ignore"):
        apart = (points[i] - (points if others is None else others)[j]).astype(np.longdouble)
        truth = np.sqrt((apart**2).sum(axis=1))
    assert np.all(np.abs(found.distance - truth) <= 4 * np.finfo(float).eps * truth)
    assert np.all(found.distance <= radius)


def test_neighbors_of_radii_beside_the_distance():
    """The radius is the rounded distance of a pair, or a neighbor of it among doubles."""
    points = RNG.normal(size=(60, 3)) * 10.0 ** RNG.integers(-3, 4, (60, 1))
    for i in range(12):
        distance = float(np.linalg.norm(points[i] - points[i + 20]))
        for radius in (np.nextafter(distance, 0), distance, np.nextafter(distance, np.inf)):
            found = fc.neighbors(points[i : i + 21], radius)
            assert np.array_equal(found.pairs, exact_pairs(points[i : i + 21], None, radius))


def test_lists_longer_than_a_chunk_are_sorted():
    others = RNG.random((5000, 3))
    found = fc.neighbors(others[:20], 2.0, others, distances=True)
    assert np.array_equal(found.ids.reshape(20, 5000), np.tile(np.arange(5000), (20, 1)))
    apart = np.linalg.norm(others[:20, None] - others[None], axis=2)
    assert np.allclose(found.distance.reshape(20, 5000), apart, rtol=1e-15, atol=0.0)


def test_threads_give_the_same_bytes():
    points = RNG.random((20_000, 3))
    both = fc.neighbors(points, 0.06, distances=True)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        assert fc.neighbors(points, 0.06, distances=True) == both
    finally:
        numba.set_num_threads(threads)
    assert 14 < both.counts.mean() < 18
    assert pickle.loads(pickle.dumps(both)) == both


def test_order_of_points_does_not_matter():
    order = RNG.permutation(len(CLOUD))
    pairs, shuffled = fc.neighbors(CLOUD, 0.3).pairs, fc.neighbors(CLOUD[order], 0.3).pairs
    assert set(map(tuple, order[shuffled].tolist())) == set(map(tuple, pairs.tolist()))


def test_dense_clusters_in_a_wide_fog():
    """Space without its gaps has too many cells for short keys; two of them make one, then."""
    fog = RNG.random((3000, 3)) * 1e9
    cluster = fog[0] + np.stack(np.meshgrid(*[np.arange(8.0)] * 3), axis=-1).reshape(-1, 3) * 1024.0
    found = fc.neighbors(np.concatenate([fog, cluster]), 1024.0)
    near = found.pairs[np.all(found.pairs >= 3000, axis=1)]
    assert np.array_equal(near - 3000, exact_pairs(cluster, None, 1024.0))


def test_answers_say_what_they_have():
    found = fc.neighbors([[0, 0, 0], [1, 0, 0]], 1)
    assert repr(found) == "Neighbors(2 points, 2 near them)"
    assert found
    assert found.distance is None
    assert found.starts.dtype == np.int64
    assert found.ids.dtype == np.int32
    assert found.pairs.dtype == np.int32
    assert not fc.neighbors([[0, 0, 0]], 1)
    with pytest.raises(IndexError, match="point must be below 2, the number of points; received 2"):
        found.of(2)


def test_too_many_pairs_are_refused_before_they_are_listed():
    with pytest.raises(ValueError, match="more than max_pairs = 6 pairs are within radius = 1"):
        fc.neighbors(np.zeros((4, 3)), 1.0, max_pairs=6)
    assert len(fc.neighbors(np.zeros((4, 3)), 1.0, max_pairs=12)) == 12
    with pytest.raises(ValueError, match="more than max_pairs = 268435456"):
        fc.neighbors(np.zeros((200_000, 3)), 1.0)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[0, 0]], 1), {}, r"points must have shape \(n, 3\); received \(1, 2\)"),
        (([0, 0, 0], 1), {}, r"points must have shape \(n, 3\); received \(3,\)"),
        (([[0, 0, np.nan]], 1), {}, "points must be finite"),
        (([[0, 0, 0]], -1), {}, "radius must be a finite number at least 0; received -1"),
        (([[0, 0, 0]], np.inf), {}, "radius must be a finite number"),
        (([[0, 0, 0]], 1e-50), {}, "radius must be 0, or at least"),
        (([[0, 0, 0]], 1e50), {}, "radius must be at most"),
        (([[0, 0, 0]], 1, [[1, 2]]), {}, r"others must have shape \(n, 3\)"),
        (([[0, 0, 0]], 1), {"max_pairs": 0}, "max_pairs must be an integer"),
    ],
)
def test_bad_input_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        fc.neighbors(*arguments, **options)
    with pytest.raises(TypeError, match="radius must be a number; received None"):
        fc.neighbors([[0, 0, 0]], None)
    with pytest.raises(TypeError, match="distances must be True or False; received 1"):
        fc.neighbors([[0, 0, 0]], 1, distances=1)
