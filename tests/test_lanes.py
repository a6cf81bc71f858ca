"""Eight numbers at once: as the plain twins have it."""

import numpy as np

from firstcontact import Mesh, _lanes
from firstcontact._jit import driver
from firstcontact._lanes import (
    bits_of,
    lowest_bit,
    measure_leaf,
    measure_leaf_plain,
    push_nearest,
    push_nearest_plain,
)
from firstcontact.bodies.point_body import point_body_of


@driver
def push_both(blocks, block, point, limit, stack, other, n):
    size = push_nearest(blocks, block, point, limit, stack, n)
    return size, push_nearest_plain(blocks, block, point, limit, other, n)


@driver
def measure_both(leaves, leaf, point, limit, room, other):
    return measure_leaf(leaves, leaf, point, limit, room), measure_leaf_plain(
        leaves, leaf, point, limit, other
    )


@driver
def bits(x, n):
    return bits_of(x), lowest_bit(n)


def random_body(rng, n):
    corners = rng.random((n, 1, 3)) + 0.2 * rng.random((n, 3, 3))
    return point_body_of(Mesh(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3)))


def single3(point):
    return tuple(np.float32(x) for x in point)


def test_children_are_pushed_as_by_the_plain_twin():
    rng = np.random.default_rng(0)
    body = random_body(rng, 3000)
    n_some = n_all = 0
    for _ in range(3000):
        block, n = int(rng.integers(len(body.blocks))), int(rng.integers(3))
        point, limit = single3(rng.uniform(-2, 2, 3)), np.float32(rng.choice([0.0, rng.random(), 9.0, 1e30]))
        stack, other = np.full(20, -7), np.full(20, -7)
        size, size_plain = push_both(body.blocks, block, point, limit, stack, other, n)
        assert size == size_plain
        assert (stack[n:size] & 0xFFFFFFFF == block).all()
        assert (np.diff(stack[n:size] >> 32) <= 0).all()
        # A product and a sum in one rounding may change the last bits, and the order of two as near.
        lanes, plain = (set(((array[n:size] >> 32) & _lanes.LANE).tolist()) for array in (stack, other))
        assert lanes == plain
        first, second = ((array[n:size] >> 32).astype(np.int32) & ~_lanes.LANE for array in (stack, other))
        np.testing.assert_allclose(first.view(np.float32), second.view(np.float32), rtol=2e-6)
        n_some, n_all = n_some + (0 < size - n < 8), n_all + (size - n == 8)
    assert n_some > 300
    assert n_all > 300


def test_leaves_are_measured_as_by_the_plain_twin():
    rng = np.random.default_rng(1)
    body = random_body(rng, 300)
    for _ in range(3000):
        leaf, point = int(rng.integers(len(body.leaves))), single3(rng.uniform(-1.5, 1.5, 3))
        limit = np.float32(rng.choice([0.0, rng.random(), 9.0]))
        room, other = np.empty(8, np.float32), np.empty(8, np.float32)
        met, met_plain = measure_both(body.leaves, leaf, point, limit, room, other)
        np.testing.assert_allclose(np.sqrt(room), np.sqrt(other), rtol=1e-6, atol=3e-6)
        differs = [k for k in range(8) if (met ^ met_plain) >> k & 1]
        np.testing.assert_allclose(np.sqrt(room[differs]), np.sqrt(limit), rtol=1e-6, atol=3e-6)
        assert met == sum(1 << k for k in range(8) if room[k] <= limit)


def test_bits():
    for x in (0.0, 1.0, 3.5, 1e-40, np.inf):
        assert bits(np.float32(x), 8) == (int(np.float32(x).view(np.int32)), 3)
    assert bits(np.float32(1), 1) == (0x3F800000, 0)
