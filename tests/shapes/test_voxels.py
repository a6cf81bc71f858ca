"""Voxels: what they are made of, where they are, and which points they hold."""

import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.shapes.voxels import as_voxels, skinned

L_SHAPE = fc.Voxels([[1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0]], 0.5, [1, 2, 3])


class Unready:
    """Says that it is an array, and fails to become one."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError


def test_cells_are_there_once_in_order():
    assert L_SHAPE.cells.tolist() == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]
    occupied = np.zeros((2, 2, 1), bool)
    occupied[0, :, 0] = occupied[1, 0, 0] = True
    same = fc.Voxels(occupied, 0.5, [1, 2, 3])
    assert np.array_equal(same.cells, L_SHAPE.cells)
    assert L_SHAPE.bounds.tolist() == [[1, 2, 3], [2, 3, 3.5]]
    assert L_SHAPE.centroid == pytest.approx(np.array([1, 2, 3]) + 0.5 * np.array([5 / 6, 5 / 6, 0.5]))
    assert L_SHAPE.mesh.bounds.tolist() == L_SHAPE.bounds.tolist()
    assert L_SHAPE.reach >= np.linalg.norm([2, 3, 3.5])
    with pytest.raises(ValueError, match="read-only"):
        L_SHAPE.cells[0] = 1


def test_they_travel():
    there = pickle.loads(pickle.dumps(L_SHAPE))
    assert np.array_equal(there.cells, L_SHAPE.cells)
    assert (there.size, there.origin.tolist()) == (0.5, [1, 2, 3])
    moved = L_SHAPE.moving(np.eye(4), velocity=[1, 0, 0])
    assert skinned(moved).shape is L_SHAPE.mesh
    assert skinned(moved).motion is moved.motion
    with pytest.raises(TypeError, match="a Sphere is not made of voxels"):
        as_voxels(fc.Sphere(1))


@pytest.mark.parametrize("size", [0.1, 1.0, 1 / 3])
def test_points_on_corners_are_held_by_all_cells_around(size):
    grid = fc.Voxels([[0, 0, 0], [2, 2, 2], [-3, 5, 7]], size, [0.7, -0.2, 1e3])
    near = np.unique(
        np.concatenate([cell + np.argwhere(np.ones((4, 4, 4), bool)) - 1 for cell in grid.cells]), axis=0
    )
    corners = grid.corner(near)
    around = [any(((place - cell >= 0) & (place - cell <= 1)).all() for cell in grid.cells) for place in near]
    assert np.array_equal(grid.holds(corners), around)
    for way in (np.inf, -np.inf):
        beside = np.nextafter(corners, way)
        low, high = grid.corner(grid.cells), grid.corner(grid.cells + 1)
        truth = ((beside[:, np.newaxis] >= low) & (beside[:, np.newaxis] <= high)).all(axis=2).any(axis=1)
        assert np.array_equal(grid.holds(beside), truth)
    assert not grid.holds(np.array([[1e300, 0, 0], [np.nan, 0, 0]])).any()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: fc.Voxels([[0.5, 0, 0]], 1), r"occupied must be bools .* of float64$"),
        (lambda: fc.Voxels(np.zeros((2, 2), bool), 1), "occupied must be bools"),
        (lambda: fc.Voxels([[0, 0], [0, 0, 0]], 1), "occupied must be bools"),
        (lambda: fc.Voxels(Unready(), 1), "occupied must be bools"),
        (lambda: fc.Voxels([[0, 0, 2**60]], 1), "occupied cells must be from"),
        (lambda: fc.Voxels([[0, 0, 0], [0, 0, 1 << 20]], 1), "may be 1048576 apart"),
        (lambda: fc.Voxels([[0, 0, 0]], 0), "size must be positive"),
        (lambda: fc.Voxels([[0, 0, 0]], 1e-9, [1e9, 0, 0]), "size is lost"),
        (lambda: fc.Voxels([[0, 0, 0]], 1, [0, 0]), "origin must have shape"),
        (lambda: fc.Voxels([[0, 0, 0]], 1, [[0, 0, 0]]), "origin must have shape"),
        (lambda: fc.Voxels([[0, 0, 0]], 1, [0, np.nan, 0]), "origin must be finite"),
        (lambda: fc.Voxels([[0, 0, 2**50]], 2.0**120), "corners of cells must"),
    ],
)
def test_what_is_no_grid_is_refused_in_a_sentence(wrong, told):
    with pytest.raises(ValueError, match=told) as error:
        wrong()
    assert "\n" not in str(error.value)


def test_as_parts_of_a_compound_their_faces_count():
    both = fc.Compound([fc.Sphere(1), L_SHAPE.at((np.eye(3), [5, 0, 0]))])
    assert both.first_ids("face").tolist() == [0, 1, 1 + L_SHAPE.mesh.n_faces]
    near = fc.distance(both, fc.Sphere(0.1).at((np.eye(3), [9, 2.2, 3.2])))
    assert near.distance == pytest.approx(1.9)
    assert both.part_of(near.faces[0])[0] == 1
