"""Eight boxes before another: as the plain twins have it."""

import numpy as np
from scipy.spatial.transform import Rotation

from firstcontact._box_lanes import (
    BOX_ROWS,
    FACE_HIGH,
    FACE_LOW,
    FACE_ROWS,
    are_apart,
    are_apart_plain,
    near_boxes,
    near_boxes_plain,
    near_faces,
    near_faces_plain,
)
from firstcontact._jit import driver
from firstcontact._lanes import WIDTH


@driver
def boxes_both(boxes, block, one, back, margin):
    return near_boxes(boxes, block, one, back, margin), near_boxes_plain(boxes, block, one, back, margin)


@driver
def faces_both(rows, slot, low, high):
    return near_faces(rows, slot, low, high), near_faces_plain(rows, slot, low, high)


@driver
def bounds_both(p, i, q, j):
    return are_apart(p, i, q, j), are_apart_plain(p, i, q, j)


def numbers(values):
    return tuple(float(x) for x in np.ravel(values))


def test_boxes_are_near_as_by_the_plain_twin():
    rng, seen = np.random.default_rng(0), set()
    boxes = np.sort(rng.integers(-4, 5, (40, 2, 3, WIDTH)), axis=1).astype(np.float32)
    boxes[20:] += rng.uniform(-0.5, 0.0, (20, 1, 3, WIDTH)).astype(np.float32)
    boxes[:, 0, :, 7], boxes[:, 1, :, 7] = np.inf, -np.inf
    boxes = boxes.reshape(40, BOX_ROWS, WIDTH)
    for k in range(2000):
        turn = np.eye(3) if k % 2 else Rotation.random(random_state=rng).as_matrix()
        own = rng.integers(0, 4, 3)
        one = numbers(rng.integers(-9, 10, 3)), numbers(own), numbers(np.abs(turn.T) @ own)
        margin = float(rng.choice([0.0, 1.0]))
        lanes, plain = boxes_both(boxes, int(rng.integers(40)), one, numbers(turn), margin)
        assert lanes == plain
        seen |= {(i, lanes >> i & 1) for i in range(7)}
    assert len(seen) == 14


def test_faces_are_near_as_by_the_plain_twin():
    rng, seen = np.random.default_rng(1), set()
    rows = np.full((40, FACE_ROWS, WIDTH), np.nan)
    corners = np.sort(rng.integers(-4, 5, (40, 2, 3, WIDTH)), axis=1)
    rows[:, FACE_LOW:FACE_HIGH], rows[:, FACE_HIGH:] = corners[:, 0], corners[:, 1]
    rows[:, :, 7] = np.nan
    for _ in range(1000):
        low, high = np.sort(rng.integers(-4, 5, (2, 3)), axis=0)
        lanes, plain = faces_both(rows, int(rng.integers(40)), numbers(low), numbers(high))
        assert lanes == plain
        seen |= {(i, lanes >> i & 1) for i in range(WIDTH)}
    assert seen == {(i, bit) for i in range(7) for bit in (0, 1)} | {(7, 0)}


def test_bounds_are_apart_as_by_the_plain_twin():
    rng, seen = np.random.default_rng(2), set()
    p, q = (np.sort(rng.integers(-9, 10, (40, 2, WIDTH)), axis=1).reshape(40, -1) * 1.0 for _ in range(2))
    p[:20, :WIDTH] -= 9
    q[:20, WIDTH:] += 9
    q[39, 3] = np.nan
    for _ in range(4000):
        i, j = rng.integers(40, size=2)
        lanes, plain = bounds_both(p, i, q, j)
        assert lanes == plain
        seen.add(bool(lanes))
    assert len(seen) == 2
