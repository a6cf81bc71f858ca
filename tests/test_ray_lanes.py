"""Eight boxes and eight triangles before a ray: as the plain twins have it."""

import numpy as np

from firstcontact._jit import driver
from firstcontact._lanes import BLOCK_ROWS, HIGH, LOW, WIDTH
from firstcontact._ray_lanes import (
    cross_triangles,
    cross_triangles_plain,
    enter_boxes,
    enter_boxes_plain,
)


@driver
def enter_both(blocks, block, sides, slabs, reach, room, other):
    lanes = enter_boxes(blocks, block, sides, slabs, reach, room)
    return lanes, enter_boxes_plain(blocks, block, sides, slabs, reach, other)


@driver
def cross_both(triangles, leaf, axes, origin, slope, sign):
    lanes = cross_triangles(triangles, leaf, axes, origin, slope, sign)
    return lanes, cross_triangles_plain(triangles, leaf, axes, origin, slope, sign)


def singles(values):
    return tuple(np.float32(x) for x in values)


def test_boxes_are_entered_as_by_the_plain_twin():
    rng = np.random.default_rng(0)
    blocks = np.zeros((40, BLOCK_ROWS, WIDTH), np.float32)
    corners = np.sort(rng.uniform(-1, 1, (40, 2, 3, WIDTH)), axis=1).astype(np.float32)
    corners[:, :, :, 6], corners[:, 0, :, 7], corners[:, 1, :, 7] = 0.25, np.inf, -np.inf
    blocks[:, LOW : LOW + 3], blocks[:, HIGH : HIGH + 3] = corners[:, 0], corners[:, 1]
    seen = set()
    for _ in range(2000):
        block, near, far = int(rng.integers(40)), rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
        inverse = rng.choice([-1, 1], 3) * rng.choice([1.0, 3.7, 2.0**60], 3)
        sides = tuple(LOW + k if inverse[k] > 0 else HIGH + k for k in range(3))
        reach = np.float32(rng.choice([-0.1, 0.0, 0.7, 9.0, np.inf]))
        room, other = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
        slabs = singles(near), singles(far), singles(inverse)
        lanes, plain = enter_both(blocks, block, sides, slabs, reach, room, other)
        assert lanes == plain
        np.testing.assert_array_equal(room, other)
        seen |= {k for k in range(WIDTH) if lanes >> k & 1}
    assert seen == set(range(7))  # all but what is left over


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
        lanes, plain = cross_both(triangles, leaf, axes, origin, slope, float(rng.choice([-1, 1])))
        assert lanes == plain
        assert lanes < 128
        n_met += lanes.bit_count()
    assert n_met > 500
