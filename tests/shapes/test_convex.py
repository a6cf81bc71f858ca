"""Convex shapes as compiled code sees them."""

import numpy as np
import pytest

from firstcontact import Box, Capsule, ConvexHull, Sphere
from firstcontact.shapes.convex import convex_at, hull_table, joined, origin_at
from firstcontact.shapes.cores import cell_of, support
from samples import sample


def icosphere(n, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def directions(n, n_cells):
    """Random directions, and ones on the borders of cells."""
    rng = np.random.default_rng(1)
    random = rng.standard_normal((n, 3))
    steps = np.linspace(-1, 1, n_cells + 1)
    borders = np.array([[1, u, v] for u in steps for v in steps])
    return np.concatenate([random, borders, -borders, np.roll(borders, 1, axis=1), np.eye(3), -np.eye(3)])


@pytest.mark.parametrize("n", [25, 60, 500, 3000])
@pytest.mark.parametrize("stretch", [(1, 1, 1), (1, 1, 1e-9), (1, 1e-6, 1e-6), (1e8, 1, 1)])
def test_the_farthest_of_a_hull_is_the_farthest_of_all_points(n, stretch):
    points = icosphere(n) * stretch
    table = hull_table(points)
    hull = convex_at(table.records, 0)
    origin = np.array(origin_at(table.records, 0))
    assert hull.n_cells > 0
    for d in directions(sample(100, of=300), hull.n_cells) / (stretch if stretch[2] < 1e-7 else 1):
        p = np.array(support(hull, table.pool, tuple(d)))
        best = ((points - origin) @ d).max()
        assert p @ d >= best - 8e-16 * np.abs(points - origin).max(axis=0) @ np.abs(d)


def test_flat_and_lattice_hulls_lose_no_point():
    x, y = np.meshgrid(np.arange(8.0), np.arange(8.0))
    points = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    table = hull_table(points)
    hull, origin = convex_at(table.records, 0), np.array(origin_at(table.records, 0))
    for d in directions(200, 8):
        p = np.array(support(hull, table.pool, tuple(d)))
        assert p @ d >= ((points - origin) @ d).max() - 1e-14


@pytest.mark.parametrize("n_cells", [1, 2, 8, 64])
def test_directions_have_cells(n_cells):
    cells = [cell_of(tuple(d), n_cells) for d in directions(2000, n_cells)]
    assert min(cells) >= 0
    assert max(cells) < 6 * n_cells**2
    assert cell_of((0.0, 0.0, 0.0), n_cells) == 0
    assert 0 <= cell_of((5e-324, -5e-324, 0.0), n_cells) < 6 * n_cells**2


def test_joined_tables_have_the_same_shapes():
    shapes = [ConvexHull(icosphere(100)), Sphere(2), Box([1, 2, 3]), ConvexHull(icosphere(8)), Capsule(1, 2)]
    whole = joined([shape.table for shape in shapes])
    for i, shape in enumerate(shapes):
        for d in directions(20, 2):
            alone = support(convex_at(shape.table.records, 0), shape.table.pool, tuple(d))
            assert support(convex_at(whole.records, i), whole.pool, tuple(d)) == alone
