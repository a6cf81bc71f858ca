"""Hulls of elements over slices contain them, and go no farther than they say."""

import numpy as np
import pytest

from firstcontact.sweeping.prisms import (
    Slices,
    bounds_of,
    joined_prisms,
    longest_sides,
    moved_prisms,
    split_elements,
    straight_prisms,
)


def test_points_of_a_hull_are_near_the_element_at_their_part_of_the_way():
    rng = np.random.default_rng(0)
    starts, ends = rng.normal(size=(2, 1, 50, 3, 3))
    prisms = straight_prisms(starts, ends, np.zeros(50), np.zeros(1), 0.0)
    for start, end in zip(starts[0], ends[0], strict=True):
        ways = end - start
        twist = 0.25 * max(np.linalg.norm(ways[i] - ways[j]) for i in range(3) for j in range(3))
        assert twist <= prisms.slack
        weights = rng.dirichlet([0.3] * 6, size=200)
        hull = weights @ np.concatenate([start, end])
        part, own = weights[:, 3:].sum(axis=1, keepdims=True), weights[:, :3] + weights[:, 3:]
        assert np.linalg.norm(hull - (own @ start + part * (own @ ways)), axis=1).max() <= twist * (1 + 1e-12)


def test_what_goes_straight_without_turning_has_no_slack():
    starts = np.random.default_rng(1).normal(size=(1, 4, 3, 3))
    assert straight_prisms(starts, starts + 2.0, np.zeros(4), np.zeros(1), 0.0).slack == pytest.approx(
        0, abs=1e-12
    )


def test_deviations_and_excess_grow_the_radii():
    corners = np.zeros((2, 3, 3))
    poses = np.tile(np.eye(4), (3, 1, 1))
    prisms = moved_prisms(
        Slices(poses, poses, np.array([0.0, 0.1, 0.2])), corners, np.array([1.0, 2.0]), 0.05
    )
    assert prisms.radii == pytest.approx([1.05, 2.05, 1.15, 2.15, 1.25, 2.25])
    assert prisms.slack == pytest.approx(0.45)
    boxes = bounds_of(prisms)
    assert (boxes[:, 3:] >= prisms.radii[:, None]).all()


def test_split_elements_cover_the_same_and_are_short():
    rng = np.random.default_rng(2)
    corners = np.concatenate([rng.normal(size=(5, 3, 3)), np.zeros((1, 3, 3))])
    corners[4, 2] = corners[4, 1]  # a segment
    parts, radii = split_elements(corners, np.arange(6.0), 0.4)
    assert longest_sides(parts).max() <= 0.4
    for i in range(6):
        own = parts[radii == i]
        area = np.linalg.norm(np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0]), axis=1).sum()
        a, b, c = corners[i]
        assert area == pytest.approx(np.linalg.norm(np.cross(b - a, c - a)), abs=1e-12)
    segment = parts[radii == 4]
    assert (segment[:, 1] == segment[:, 2]).all()
    ways = np.linalg.norm(segment[:, 0] - segment[:, 1], axis=1)
    assert ways.sum() == pytest.approx(np.linalg.norm(corners[4, 0] - corners[4, 1]))


def test_nothing_joined_is_nothing():
    assert len(joined_prisms([]).radii) == 0
