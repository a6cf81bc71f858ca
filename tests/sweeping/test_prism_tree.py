"""Distances to the nearest prism, against each prism by itself."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.sweeping.prism_tree import Band, distances_to_prisms, prism_tree
from firstcontact.sweeping.prisms import N_NUMBERS, Prisms

EVERYWHERE = Band(-np.inf, np.inf, 0.0)


def some_prisms(n, seed):
    """Prisms of triangles, segments, points, that turn, go, rest."""
    rng = np.random.default_rng(seed)
    starts = rng.normal(size=(n, 1, 3)) + 0.3 * rng.normal(size=(n, 3, 3))
    starts[::5, 2] = starts[::5, 1]
    starts[::7] = starts[::7, :1]
    ends = starts + 0.3 * rng.normal(size=(n, 1, 3)) + 0.1 * rng.normal(size=(n, 3, 3))
    ends[::4] = starts[::4]
    corners = np.concatenate([starts, ends], axis=1).reshape(n, N_NUMBERS)
    return Prisms(corners, 0.2 * rng.random(n) * (rng.random(n) < 0.5), 0.0)


def truth_of(prisms, points):
    """Distances by GJK of the library's other door, one prism after the other; zero inside."""
    best = np.full(len(points), np.inf)
    for corners, radius in zip(prisms.corners.reshape(-1, 6, 3), prisms.radii, strict=True):
        cloud = fc.ConvexHull(corners, flat=True)
        far = [fc.distance(cloud, fc.Sphere(1e-9).at((np.eye(3), p))).distance for p in points]
        best = np.minimum(best, np.array(far) - radius)
    return best


@pytest.mark.parametrize("seed", range(2))
def test_the_nearest_is_found(seed):
    prisms = some_prisms(40, seed)
    points = 1.5 * np.random.default_rng(seed + 10).normal(size=(50, 3))
    truth = truth_of(prisms, points)
    found = distances_to_prisms(prism_tree(prisms), points, EVERYWHERE)
    is_outside = truth > 0.0
    assert is_outside.sum() > 20
    assert found[is_outside] == pytest.approx(truth[is_outside], abs=1e-8)
    assert (found[~is_outside] <= 1e-8).all()
    rough = distances_to_prisms(prism_tree(prisms), points, Band(-np.inf, np.inf, 0.1))
    assert (rough >= found - 1e-9).all()
    assert (rough <= found + 0.1 + 1e-9)[is_outside].all()
    clipped = distances_to_prisms(prism_tree(prisms), points, Band(0.1, 0.3, 0.0))
    is_within = (truth > 0.11) & (truth < 0.29)
    assert clipped[is_within] == pytest.approx(truth[is_within], abs=1e-8)
    assert ((clipped <= 0.1 + 1e-8) == (truth <= 0.1 + 1e-8)).all()
    assert (clipped[truth > 0.3] == 0.3).all()


def test_a_negative_value_is_the_radius_of_a_ball_within():
    cube = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, -1, 3], [1, -1, 3], [1, 1, 3.0]])
    prisms = Prisms(cube.reshape(1, N_NUMBERS), np.array([0.25]), 0.0)
    points = np.array([[0.5, -0.5, 1.0], [0.9, -0.9, 0.0]])
    found = distances_to_prisms(prism_tree(prisms), points, EVERYWHERE)
    deep = np.array([0.5, 0.1]) + 0.25
    assert (found < 0.0).all()
    assert (found >= -deep - 1e-12).all()
