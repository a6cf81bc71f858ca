from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.cli.commands import segments
from firstcontact.cli.texts.joint_path import Waypoints

ROBOT = fc.Robot({"base": (), "cart": fc.Sphere(1.0)}, [fc.Joint("slide", "prismatic", "base", "cart")])
CLOCKS = st.floats(-1e300, 1e300)


class Found:
    """The answers to a part of a path, of which some segments have a contact at t = 1/2."""

    def __init__(self, hits):
        self.hit = np.array(hits)

    def __len__(self):
        return len(self.hit)

    def __getitem__(self, i):
        assert self.hit[i]
        return type("Contact", (), {"time": 0.5})


@pytest.fixture
def check():
    """Check a path in parts of two segments; give what was found, the parts' lengths, and what was told."""

    def of_hits(hits, only_first=False, times=None):
        parts, told = [], []

        def find(moving):
            parts.append(len(moving.motion))
            ends = moving.motion.configurations[:, :, 0]
            np.testing.assert_array_equal(ends[:, 1] - ends[:, 0], 1.0)
            return Found([hits[int(start)] for start in ends[:, 0]])

        path = Waypoints(np.arange(len(hits) + 1.0)[:, np.newaxis], times, np.ones(1))
        return segments.check_segments(ROBOT, path, find, only_first, told.append, 2), parts, told

    return of_hits


def test_every_segment_is_checked_once(check):
    checked, parts, told = check([False, True, False, False, True])
    assert parts == told == [2, 2, 1]
    assert [touch.segment for touch in checked.touches] == [1, 4]
    assert (checked.n_segments, checked.n_checked) == (5, 5)


def test_the_search_ends_with_the_first_contact(check):
    checked, parts, _ = check([False, False, True, True, True], only_first=True)
    assert parts == [2, 2]
    assert [touch.segment for touch in checked.touches] == [2]
    assert (checked.n_segments, checked.n_checked) == (5, 3)


def test_the_clock_is_that_of_the_segment(check):
    checked, _, _ = check([False, True, True], times=np.array([0.0, 1.0, 3.0, 7.0]))
    assert [touch.clock for touch in checked.touches] == [2.0, 5.0]
    checked, _, _ = check([True])
    assert checked.touches[0].clock is None


@given(CLOCKS, CLOCKS, st.floats(0.0, 1.0))
def test_a_clock_is_never_late(one, other, part):
    start, end = sorted((one, other))
    exact = Fraction(start) + Fraction(part) * (Fraction(end) - Fraction(start))
    found = segments.time_between(start, end, part)
    assert Fraction(found) <= exact < Fraction(float(np.nextafter(found, np.inf)))
