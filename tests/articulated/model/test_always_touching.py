import numpy as np
import pytest

import firstcontact as fc

BALL = fc.Sphere(0.1)


def chain(*spacings):
    """Balls on a chain of joints that turn, at these distances from each other."""
    links, joints = {"0": BALL}, []
    for i, spacing in enumerate(spacings, 1):
        links[str(i)] = BALL
        origin = np.eye(3), [spacing, 0, 0]
        joints.append(fc.Joint(f"j{i}", "revolute", str(i - 1), str(i), origin, [0, 0, 1], (-0.5, 0.5)))
    return fc.Robot(links, joints)


def test_links_that_always_touch_may():
    robot = chain(0.05, 0.05, 0.5, 0.5)
    learnt = robot.learn_allowed_pairs(100)
    assert learnt.allowed_pairs == {frozenset("02")}
    assert robot.allowed_pairs == frozenset()
    assert not fc.is_free(robot.at(np.zeros(4)), None, self_contact=True)
    assert fc.is_free(learnt.at(np.zeros(4)), None, self_contact=True)


def test_what_touches_sometimes_must_not():
    # A fold brings the first and the third within reach of each other; straight they are apart.
    joints = chain(0.15, 0.15).joints
    wide = [fc.Joint(j.name, j.kind, j.parent, j.child, j.origin, j.axis, (-3.1, 3.1)) for j in joints]
    robot = fc.Robot(dict.fromkeys("012", BALL), wide)
    touches = ~fc.is_free(robot.at(robot.sample(100)), None, self_contact=True)
    assert 0 < touches.sum() < 100
    assert robot.learn_allowed_pairs(100).allowed_pairs == frozenset()


def test_what_was_allowed_stays_so():
    robot = chain(0.05, 0.05, 0.5, 0.5).allow("1", "4")
    assert robot.learn_allowed_pairs(20).allowed_pairs == {frozenset("14"), frozenset("02")}


def test_the_same_seed_learns_the_same():
    robot = chain(0.1, 0.09, 0.1)
    assert robot.learn_allowed_pairs(5, 3).allowed_pairs == robot.learn_allowed_pairs(5, 3).allowed_pairs


@pytest.mark.parametrize("n", [0, -1, 1.5])
def test_bad_counts_are_told(n):
    with pytest.raises(ValueError, match=r"^n_samples must be an integer in \["):
        chain(0.5).learn_allowed_pairs(n)
