"""Morton order and its clusters, against their definitions."""

import numpy as np
import pytest

from firstcontact.hierarchy.morton import cut_clusters, morton_order


def points_as_boxes(points):
    return np.concatenate([points, points], axis=1)


def ids_of(order):
    return order.keys & ((1 << order.id_bits) - 1)


def code_of(cell, bits):
    """Bits of the three coordinates of a cell by turns, the first axis first."""
    code = 0
    for bit in range(bits - 1, -1, -1):
        for axis in range(3):
            code = code << 1 | int(cell[axis]) >> bit & 1
    return code


def test_cells_come_in_the_order_of_their_interleaved_bits():
    cells = np.array([[x, y, z] for x in range(8) for y in range(8) for z in range(8)])
    shuffled = np.random.default_rng(0).permutation(len(cells))
    order = ids_of(morton_order(points_as_boxes(cells[shuffled] + 0.5)))
    codes = [code_of(cells[shuffled[i]], 3) for i in order]
    assert codes == sorted(codes)


@pytest.mark.parametrize("n", [1, 2, 3, 1000])
@pytest.mark.parametrize("scale", [0.0, 5e-324, 1e-150, 1.0, 2.0**150])
def test_every_primitive_is_there_once(n, scale):
    points = scale * np.random.default_rng(n).standard_normal((n, 3))
    assert sorted(ids_of(morton_order(points_as_boxes(points)))) == list(range(n))


@pytest.mark.parametrize("most", [1, 4, 32])
def test_clusters_are_cells_that_hold_no_more_than_asked(most):
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.random((500, 3)), np.full((100, 3), 0.25)])
    order = morton_order(points_as_boxes(points))
    firsts = cut_clusters(order.keys, order.id_bits, most)
    assert (firsts[0], firsts[-1]) == (0, len(points))
    assert np.all(np.diff(firsts) > 0)
    assert np.diff(firsts).max() <= most
    codes = order.keys >> order.id_bits
    for first, last in zip(firsts[:-1], firsts[1:], strict=True):
        inside = codes[first:last]
        bits = (int(inside[0]) ^ int(inside[-1])).bit_length()
        others = np.delete(codes, np.arange(first, last))
        assert last - first == 1 or not np.any(others >> bits == inside[0] >> bits)
