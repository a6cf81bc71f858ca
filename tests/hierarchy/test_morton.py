"""Morton order against codes made bit by bit, and clusters against cells that are counted one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from firstcontact.hierarchy.morton import KEY_BITS, MOST_AXIS_BITS, cut_clusters, morton_order
from hierarchy.trees import degenerate_boxes, random_boxes

DEGENERATE = degenerate_boxes()


def ids_of(order):
    return order.keys & ((1 << order.id_bits) - 1)


def slow_order(boxes):
    """Primitives by the bits of their cells, from the coarsest on, x before y before z."""
    centres = boxes[:, :3] + boxes[:, 3:]
    n_bits = min(MOST_AXIS_BITS, (KEY_BITS - max(len(boxes) - 1, 1).bit_length()) // 3)
    low = centres.min(axis=0)
    extent = (centres.max(axis=0) - low).max()
    cells = np.zeros(centres.shape, int) if extent == 0 else (centres - low) * (2**n_bits / extent)
    cells = np.minimum(cells, 2**n_bits - 1).astype(int)
    codes = [[int(c) >> bit & 1 for bit in range(n_bits - 1, -1, -1) for c in cell] for cell in cells]
    return sorted(range(len(boxes)), key=lambda i: (codes[i], i))


def cells_at_most(keys, id_bits, most, bit=KEY_BITS):
    """Halve the cells from the coarsest on until they are small, or the finest."""
    if len(keys) <= most:
        return [len(keys)] if len(keys) else []
    if bit == id_bits:
        return [1] * len(keys)
    is_upper = keys >> (bit - 1) & 1 == 1
    halves = keys[~is_upper], keys[is_upper]
    return [n for half in halves for n in cells_at_most(half, id_bits, most, bit - 1)]


@pytest.mark.parametrize("n", [1, 2, 3, 100, 3000])
def test_keys_are_in_the_order_of_their_bits(n):
    boxes = random_boxes(n)
    assert ids_of(morton_order(boxes)).tolist() == slow_order(boxes)


@pytest.mark.parametrize("name", ["coincident", "two places", "line", "flat", "huge", "nested", "concentric"])
def test_degenerate_boxes_have_an_order(name):
    assert ids_of(morton_order(DEGENERATE[name])).tolist() == slow_order(DEGENERATE[name])


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("scale", [1.0, 2.0**-1074, 0.0])
def test_each_primitive_is_in_the_order_once(name, scale):
    with np.errstate(all="ignore"):
        order = morton_order(DEGENERATE[name] * scale)
    assert np.all(order.keys[1:] > order.keys[:-1])
    assert np.array_equal(np.sort(ids_of(order)), np.arange(len(DEGENERATE[name])))


def test_blocks_do_not_matter():
    boxes = random_boxes(40_000)
    assert ids_of(morton_order(boxes)).tolist() == slow_order(boxes)


def test_only_the_box_columns_count():
    boxes = random_boxes(100)
    bounds = np.random.default_rng(0).random((100, 18))
    bounds[:, :3], bounds[:, 9:12] = boxes[:, :3], boxes[:, 3:]
    assert np.array_equal(morton_order(bounds).keys, morton_order(boxes).keys)


@pytest.mark.parametrize("most", [1, 2, 5, 32])
@pytest.mark.parametrize("n", [1, 2, 33, 1000])
def test_clusters_are_the_largest_small_cells(n, most):
    keys, id_bits = morton_order(random_boxes(n))
    firsts = cut_clusters(keys, id_bits, most)
    assert firsts[0] == 0
    assert np.diff(firsts).tolist() == cells_at_most(keys, id_bits, most)


@given(arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 2**57 - 1)), st.integers(1, 10))
def test_any_codes_are_cut_into_cells(codes, most):
    keys = np.sort(codes) << 6 | np.arange(len(codes))
    assert np.diff(cut_clusters(keys, 6, most)).tolist() == cells_at_most(keys, 6, most)


def test_what_shares_a_finest_cell_stays_apart():
    keys, id_bits = morton_order(DEGENERATE["two places"])
    assert np.diff(cut_clusters(keys, id_bits, 32)).tolist() == [3] + [1] * 500
