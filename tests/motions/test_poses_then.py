"""Where each body of a batch is at its own time: to the last digit where its motion says."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.motions.poses_then import poses_then
from poses import random_poses

TIMES = np.array([0.0, 0.25, 0.7, 1.0])
BALL, RATES = fc.Sphere(1.0), (1.5, 2.5, 3.5, 4.5)
THINGS = {
    "pieces": BALL.along(random_poses(3, 1), [0, 0.25, 1]),
    "turning": BALL.moving(random_poses(4, 2), velocity=[1, 2, 3], angular_velocity=[3, 2, 1]),
    "throws": BALL.moving(random_poses(4, 2), velocity=[1, 2, 3], acceleration=np.eye(4)[:, :3]),
    "splines": BALL.along(fc.Spline([0, 0.3, 1], random_poses(12, 3).reshape(4, 3, 4, 4))),
    "formulas": BALL.along(
        fc.motion(lambda t: ([[k * t, 1, 0] for k in RATES], [[np.sin(k * t), t, 1] for k in RATES]))
    ),
    "one formula": BALL.along(fc.motion(lambda t: [t, t * t, 1])),
    "stated": BALL.along(fc.motion(lambda t: [t, 1, 0], acceleration_bound=0)),
    "at rest": BALL.at(np.eye(4)),
}


@pytest.mark.parametrize("name", THINGS)
def test_each_is_where_its_motion_has_it_then(name):
    motion = THINGS[name].motion
    found = poses_then(motion, TIMES)
    for k, t in enumerate(TIMES.tolist()):
        poses = motion.pose(t).reshape(-1, 4, 4)
        np.testing.assert_array_equal(found[k], poses[k if len(poses) > 1 else 0])


def test_no_times_are_no_poses():
    assert poses_then(THINGS["one formula"].motion, np.empty(0)).shape == (0, 4, 4)
