"""Strips and fans, cut into triangles."""

import numpy as np
import pytest

from firstcontact.io.strips import fan_triangles, strip_triangles


def test_a_strip_turns_one_way():
    assert strip_triangles(np.arange(5)).tolist() == [[0, 1, 2], [2, 1, 3], [2, 3, 4]]


def test_a_fan_is_around_its_first():
    assert fan_triangles(np.array([7, 1, 2, 3])).tolist() == [[7, 1, 2], [7, 2, 3]]


def test_what_leads_from_part_to_part_is_no_triangle():
    assert strip_triangles(np.array([0, 1, 2, 2, 3, 3, 4, 5])).tolist() == [[0, 1, 2], [4, 3, 5]]
    assert fan_triangles(np.array([0, 1, 1, 2, 0])).tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_are_none(n):
    assert strip_triangles(np.arange(n)).shape == fan_triangles(np.arange(n)).shape == (0, 3)
