"""How cells are shared out: into eight at most, octants by their cubes, few balls where few hold all."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.queries.decomposing.covered import covered_by, nearest_of
from firstcontact.queries.decomposing.covering_cells import covering_cells
from firstcontact.queries.decomposing.sphere_splits import MOST_CHILDREN, by_octants, on_axis
from firstcontact.queries.decomposing.sphere_tree import METHODS

SLACK = 1e-11


def cells_of(shape, levels=2):
    return covering_cells(covered_by(shape), shape.bounds, levels, SLACK)


@pytest.mark.parametrize("name", METHODS)
def test_no_more_than_eight(name):
    cells = cells_of(fc.Box([3, 2, 1]))
    labels = METHODS[name](cells, 1)
    assert labels.shape == cells.depths.shape
    assert 2 <= len(np.unique(labels)) <= MOST_CHILDREN


def test_octants_are_those_of_the_cube():
    cells = cells_of(fc.Box([2, 2, 2]))
    sides = cells.middles > 0.0
    assert np.array_equal(by_octants(cells, 1), sides @ np.array([4, 2, 1]))


@pytest.mark.parametrize("name", ["medial", "least-squares", "grid"])
def test_two_that_are_far_apart_share_no_child(name):
    balls = fc.Points([[0, 0, 0], [20, 0, 0]], 1.0)
    cells = cells_of(balls, 3)
    labels = METHODS[name](cells, 1)
    is_left = cells.middles[:, 0] < 10.0
    assert not set(labels[is_left]) & set(labels[~is_left])


def test_centers_go_to_the_medial_axis():
    """Of a capsule that is its segment, of a slab where two sides are as near; of a leaf, itself."""
    rod = fc.Capsule(0.5, 4.0)
    moved = on_axis(covered_by(rod), cells_of(rod), 5.0)
    assert np.abs(moved.centers[:, :2]).max() < 2e-3
    assert np.abs(moved.distances + 0.5).max() < 2e-3
    slab = fc.Box([4, 4, 1]).mesh
    moved = on_axis(covered_by(slab), cells_of(slab, 3), 4.0)
    nearest = np.sort(np.r_["1,2", [2, 2, 0.5]] - np.abs(moved.centers), axis=1)
    assert (nearest[:, 1] - nearest[:, 0] < 5e-3).mean() + (np.abs(moved.centers[:, 2]) < 5e-3).mean() > 0.9
    leaf = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    moved = on_axis(covered_by(leaf), cells_of(leaf), 1.0)
    assert np.abs(nearest_of(covered_by(leaf), moved.centers).distances).max() < 1e-12
