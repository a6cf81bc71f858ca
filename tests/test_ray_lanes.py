"""Eight boxes and eight triangles before a ray: as the plain twins have it."""

import numpy as np

from firstcontact._jit import driver
from firstcontact._lanes import BLOCK_ROWS, HIGH, LANE, LOW, WIDTH
from firstcontact._ray_lanes import (
    ABOVE,
    BELOW,
    COLUMN,
    INVERSE,
    REACH,
    SLAB_COLUMNS,
    WAVE,
    cross_triangles,
    cross_triangles_plain,
    push_entered,
    push_entered_plain,
)


@driver
def push_both(blocks, block, slabs, ray, stack, other, n):
    lanes = push_entered(blocks, block, slabs, ray, stack, n)
    return lanes, push_entered_plain(blocks, block, slabs, ray, other, n)


@driver
def cross_both(triangles, leaf, axes, origin, slope, sign):
    lanes = cross_triangles(triangles, leaf, axes, origin, slope, sign)
    return lanes, cross_triangles_plain(triangles, leaf, axes, origin, slope, sign)


def test_boxes_are_entered_as_by_the_plain_twin():
    rng = np.random.default_rng(0)
    blocks = np.zeros((40, BLOCK_ROWS, WIDTH), np.float32)
    corners = np.sort(rng.uniform(-1, 1, (40, 2, 3, WIDTH)), axis=1).astype(np.float32)
    corners[:, :, :, 6], corners[:, :, :, 7] = 0.25, np.nan
    blocks[:, LOW : LOW + 3], blocks[:, HIGH : HIGH + 3] = corners[:, 0], corners[:, 1]
    seen, counts = set(), set()
    for _ in range(2000):
        block, ray, n = int(rng.integers(40)), int(rng.integers(WAVE)), int(rng.integers(3))
        slabs, stack, other = np.full(SLAB_COLUMNS, np.nan, np.float32), np.zeros(12, int), np.zeros(12, int)
        here, inverse = rng.choice([*rng.uniform(-1, 1, 3), 0.25], 3), rng.choice([1.0, 3.7, 2.0**60], 3)
        pad = rng.choice([0.0, 0.1])
        for axis in range(3):
            at = axis * COLUMN + ray
            slabs[ABOVE + at], slabs[BELOW + at] = here[axis] + pad, here[axis] - pad
            slabs[INVERSE + at] = inverse[axis] * rng.choice([-1, 1])
        slabs[REACH + ray] = rng.choice([-0.1, 0.0, 0.7, 9.0, np.inf])
        lanes, plain = push_both(blocks.reshape(-1), block, slabs, ray, stack, other, n)
        assert lanes == plain
        np.testing.assert_array_equal(stack[n:lanes], other[n:lanes])
        assert np.all(np.diff(stack[n:lanes]) < 0)
        assert np.all(stack[n:lanes] >= 0)  # also of a depth of -0.0, whose sign would be the key's
        counts.add(lanes - n)
        seen |= set((stack[n:lanes] >> 32 & LANE).tolist())
    assert seen == set(range(7))  # all but what is left over
    assert {0, 1, 2, 3} <= counts


def test_triangles_are_crossed_as_by_the_plain_twin():
    rng = np.random.default_rng(1)
    triangles = rng.integers(-2, 3, (50, 9, WIDTH)).astype(float)
    triangles[:25] = rng.uniform(-1, 1, (25, 9, WIDTH))
    triangles[:, :, 7] = np.nan
    n_met = 0
    for _ in range(2000):
        leaf, axes = int(rng.integers(50)), [(0, 1, 2), (1, 2, 0), (2, 0, 1)][rng.integers(3)]
        origin = tuple(float(x) for x in rng.integers(-2, 3, 3))
        slope = tuple(float(x) for x in rng.choice([0.0, 0.5, -1.0, 0.3], 2))
        lanes, plain = cross_both(
            triangles.reshape(-1), leaf, axes, origin, slope, float(rng.choice([-1, 1]))
        )
        assert lanes == plain
        assert lanes < 128
        n_met += lanes.bit_count()
    assert n_met > 500
