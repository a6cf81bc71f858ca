import numpy as np

from firstcontact._jit import driver
from firstcontact.narrowphase.plane.turn import TURN_ROOM, turn_sign
from oracles.plane import exactly, turn


@driver
def signs(points, found):
    room = np.empty(TURN_ROOM)
    for i in range(len(points)):
        p = points[i]
        found[i] = turn_sign((p[0, 0], p[0, 1]), (p[1, 0], p[1, 1]), (p[2, 0], p[2, 1]), room)


def cases(n):
    rng = np.random.default_rng(7)
    random = rng.uniform(-1, 1, (n, 3, 2))
    near = rng.uniform(-1, 1, (n, 3, 2))
    near[:, 2] = near[:, 0] + rng.uniform(-1, 2, (n, 1)) * (near[:, 1] - near[:, 0])
    near[::2, 2] = np.nextafter(near[::2, 2], rng.choice([-9, 9], (len(near[::2]), 2)))
    small = rng.integers(-2, 3, (n, 3, 2)).astype(float)
    return np.concatenate([random, near, near * 1e-60, near * 1e40, small, small + 2.0**50, near + 1e12])


def test_turns_are_exact():
    points = cases(300)
    found = np.empty(len(points), np.int64)
    signs(points, found)
    assert found.tolist() == [turn(*exactly(one)) for one in points]
    assert (found == 0).any()
