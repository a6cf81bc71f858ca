"""Trees over grids hold every triangle, in boxes that hold it, and are cut into nearly square pieces."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact._lanes import WIDTH
from firstcontact.hierarchy.grid_blocks import grid_blocks
from hierarchy.trees import assert_blocks


def check_grid(m, n, spacing=1.0, place=0.0):
    field = fc.HeightField(place + np.random.default_rng(m + n).standard_normal((m, n)), spacing)
    corners = field.vertices[field.faces]
    bounds = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    tree = grid_blocks(field.vertices.reshape(m, n, 3), field.spacing)
    assert_blocks(tree, bounds, WIDTH)
    return tree


@pytest.mark.parametrize(
    ("m", "n"),
    [(2, 2), (2, 3), (3, 2), (3, 3), (2, 10), (40, 2), (4, 60), (9, 9), (10, 17), (33, 33), (30, 7)],
)
@pytest.mark.parametrize("spacing", [1.0, (0.1, 5.0), (3.0, 1e-3)])
def test_every_triangle_is_in_a_leaf_and_in_the_boxes_above(m, n, spacing):
    check_grid(m, n, spacing)


@pytest.mark.parametrize(("spacing", "place"), [(1e-40, 0.0), (1e40, 0.0), (1e-3, 1e9)])
def test_any_size_and_place(spacing, place):
    check_grid(12, 7, spacing, place)


def test_leaves_and_blocks_are_full():
    tree = check_grid(65, 65)  # 32 x 32 leaves of 2 x 2 cells, in blocks of 8, 8, 8 and 2
    assert len(tree.leaves) == 1024
    assert np.all(tree.leaves >= 0)
    assert len(tree.children) == 128 + 16 + 2 + 1
    assert tree.depth == 4


@pytest.mark.parametrize(("spacing", "cells"), [(1.0, (2, 2)), ((1.0, 4.0), (4, 1)), ((9.0, 1.0), (1, 4))])
def test_pieces_are_nearly_square(spacing, cells):
    ids = check_grid(17, 17, spacing).leaves[0] // 2
    assert (len(set(ids // 16)), len(set(ids % 16))) == cells
