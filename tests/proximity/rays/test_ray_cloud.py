"""Rays at balls and capsules; random ones are in properties/test_clouds.py."""

import numpy as np
import pytest

import firstcontact as fc

ROPE = fc.Strands([[0, 0, 0], [4, 0, 0], [9, 0, 0]], [2, 1], [1, 1, 0.5])


def test_sides_and_ends_of_capsules_are_met_where_they_are():
    found = fc.ray_cast(
        ROPE, [[2, 5, 0], [-5, 0, 0], [2, 5, 2], [12, 0, 0]], [[0, -2, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0]]
    )
    assert found.time.tolist() == pytest.approx([2.0, 4.0, np.inf, 2.5])
    assert found.faces.tolist() == [0, 0, -1, 1]
    assert found.normals[[0, 1, 3]].tolist() == [[0, 1, 0], [-1, 0, 0], [1, 0, 0]]


def test_a_ray_from_inside_leaves():
    assert fc.ray_cast(ROPE, [2, 0, 0], [0, 1, 0]).time == 1.0


def test_all_hits_are_in_order():
    every = fc.ray_cast(ROPE, [-5, 0, 0], [1, 0, 0], hits="all")
    assert every.time.tolist() == pytest.approx([4.0, 10.0, 13.5, 14.5])
    assert every.faces.tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="max_hits"):
        fc.ray_cast(ROPE, [-5, 0, 0], [1, 0, 0], hits="all", max_hits=3)
    assert fc.ray_cast(ROPE, [-5, 0, 0], [1, 0, 0], max_time=3.9).hit is False
    assert fc.ray_cast(ROPE, [[-5, 0, 0]], [1, 0, 0], hits="any").hit.tolist() == [True]


def test_points_without_a_radius_are_met_by_chance_alone():
    cloud = fc.Points([[0, 0, 0]])
    assert fc.ray_cast(cloud, [-1, 0, 0], [1, 0, 0]).time == 1.0
    assert not fc.ray_cast(cloud, [-1, 1e-9, 0], [1, 0, 0]).hit
