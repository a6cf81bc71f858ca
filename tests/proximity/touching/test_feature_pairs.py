"""Features of two triangles: their numbers, their closest points, and which are nearest."""

import numpy as np
import pytest

from firstcontact.proximity.touching.feature_pairs import (
    EDGES_EDGES,
    EDGES_FACES,
    FACE,
    N_PAIRS,
    end_at,
    feature_at,
    features_of,
    meeting,
    nearest_features,
)
from oracles.closest_triangles import closest_points, norm
from samples import sample
from tuples import as_tuples

RNG = np.random.default_rng(52)
NEAR = 1e-12


def distance(a, b):
    p, q = closest_points(*(np.asarray(t, np.longdouble).T[:, :, np.newaxis] for t in (a, b)))
    return float(norm(q - p)[0])


def points_of(triangle, feature):
    """Corners of a feature."""
    if feature < 3:
        return triangle[[feature]]
    return triangle if feature == FACE else triangle[[feature - 3, (feature - 2) % 3]]


def is_on(x, triangle, feature):
    """Is a point on a feature, to rounding?"""
    corners = points_of(triangle, feature)
    weights = np.linalg.lstsq(np.vstack([corners.T, np.ones(len(corners))]), np.append(x, 1.0), rcond=None)[0]
    return np.allclose(weights @ corners, x, atol=1e-9) and (weights > -1e-9).all()


def test_every_pair_of_features_has_its_number():
    pairs = [features_of(k) for k in range(N_PAIRS)]
    assert set(pairs[:EDGES_EDGES]) == {(i, FACE) for i in range(3)} | {(FACE, i) for i in range(3)}
    assert set(pairs[EDGES_EDGES:EDGES_FACES]) == {(i, j) for i in (3, 4, 5) for j in (3, 4, 5)}
    assert set(pairs[EDGES_FACES:]) == {(i, FACE) for i in (3, 4, 5)} | {(FACE, i) for i in (3, 4, 5)}


@pytest.mark.parametrize(
    ("weights", "feature"),
    [
        ((1.0, 0.0, 0.0), 0),
        ((0.0, 1.0, 0.0), 1),
        ((0.0, 0.0, 1.0), 2),
        ((0.5, 0.5, 0.0), 3),
        ((1e-16, 0.5, 0.5), 4),
        ((0.5, 0.0, 0.5), 5),
        ((0.3, 0.3, 0.4), FACE),
    ],
)
def test_weights_tell_the_feature(weights, feature):
    assert feature_at(weights) == feature


def test_parameters_tell_the_feature():
    for i in range(3):
        assert [end_at(i, s) for s in (0.0, 1e-15, 0.5, 1.0)] == [i, i, 3 + i, (i + 1) % 3]


@pytest.mark.parametrize("gap", [0.0, 0.3, 3.0])
def test_points_are_on_their_features_and_some_are_the_closest(gap):
    n_crossing = 0
    for _ in range(sample(30, of=60)):
        a, b = RNG.standard_normal((2, 3, 3))
        b[:, 0] += gap
        pairs = [meeting(k, as_tuples(a), as_tuples(b), NEAR, 0.0) for k in range(N_PAIRS)]
        for met in pairs:
            if met.distance < np.inf:
                assert is_on(met.p, a, met.feature_a)
                assert is_on(met.q, b, met.feature_b)
                assert np.isclose(met.distance, np.linalg.norm(np.subtract(met.q, met.p)), atol=1e-12)
        truth = distance(a, b)
        assert np.isclose(min(met.distance for met in pairs), truth, atol=1e-12)
        nearest = nearest_features(as_tuples(a), as_tuples(b), NEAR)
        assert np.isclose(nearest.distance, truth, atol=2 * NEAR)
        is_through = max(nearest[:2]) == FACE and min(nearest[:2]) >= 3
        assert is_through == (truth < 1e-17)
        n_crossing += is_through
    assert (n_crossing > 5) == (gap < 1.0)


def test_an_edge_must_go_deep_enough():
    face = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0))
    edge = ((0.0, 0.0, -0.5), (0.0, 0.0, 0.25), (5.0, 0.0, 0.25))
    for depth, is_deep in ((0.0, True), (0.49, True), (0.51, False)):
        assert (meeting(EDGES_FACES, edge, face, NEAR, depth).distance == 0.0) == is_deep
        assert (meeting(EDGES_FACES + 3, face, edge, NEAR, depth).distance == 0.0) == is_deep


@pytest.mark.parametrize("shape", ["point", "segment", "doubled"])
def test_degenerate_triangles(shape):
    for _ in range(30):
        a, b = RNG.standard_normal((2, 3, 3))
        if shape == "doubled":
            b = a.copy()
        else:
            b[2] = b[1] = b[0] if shape == "point" else b[1]
        for first, second in ((a, b), (b, a), (b, b)):
            nearest = nearest_features(as_tuples(first), as_tuples(second), NEAR)
            assert np.isclose(nearest.distance, distance(first, second), atol=1e-9)
            assert is_on(nearest.p, first, nearest.feature_a)
            assert is_on(nearest.q, second, nearest.feature_b)
