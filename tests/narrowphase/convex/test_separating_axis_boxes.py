import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.convex.separating_axis_boxes import escape_box_box
from narrowphase.convex.pairs import any_rotation, corners_of, least_overlap, pair_of


def escape(a, b, rotation=None, offset=(0.0, 0.0, 0.0)):
    return escape_box_box(pair_of(a, b, rotation, offset)[0])


@pytest.mark.parametrize("seed", range(60))
def test_boxes_are_as_deep_as_brute_force_says(seed):
    rng = np.random.default_rng(seed)
    a, b = fc.Box(10.0 ** rng.uniform(-1, 1, 3)), fc.Box(10.0 ** rng.uniform(-1, 1, 3))
    rotation, offset = any_rotation(rng), rng.normal(size=3) * rng.choice([0.1, 1.0])
    found = escape(a, b, rotation, offset)
    points_a, points_b = corners_of(a) @ rotation.T + offset, corners_of(b)
    expected = least_overlap(points_a, points_b)
    if expected < 0:
        assert found.depth < 0
        return
    assert found.depth == pytest.approx(expected, rel=1e-13)
    assert found.is_known
    n = np.array(found.direction)
    assert (points_a @ n).max() - (points_b @ n).min() == pytest.approx(found.depth, rel=1e-12)
    in_a = (np.array(found.point) - offset) @ rotation
    in_b = found.point - found.depth * n
    assert (np.abs(in_a) <= 0.5 * a.extents + 1e-12).all()
    assert (np.abs(in_b) <= 0.5 * b.extents + 1e-12).all()


def test_parallel_faces_leave_the_point_open():
    box = fc.Box([1, 1, 1])
    found = escape(box, box, None, (0.2, 0.9, 0.3))
    assert found.depth == pytest.approx(0.1, rel=1e-14)
    assert found.direction == (0.0, -1.0, 0.0)
    assert not found.is_known


def test_crossed_edges():
    bar, turn = fc.Box([4, 1, 1]), np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    tilt = np.array([[1.0, 0, 0], [0, np.sqrt(0.5), -np.sqrt(0.5)], [0, np.sqrt(0.5), np.sqrt(0.5)]])
    # One bar on an edge, across another one on an edge.
    rotation = tilt.T @ turn @ tilt
    offset = tilt.T @ [0.0, 0.0, np.sqrt(2.0) - 0.1]
    found = escape(bar, bar, rotation, offset)
    assert found.depth == pytest.approx(0.1, rel=1e-13)
    assert found.is_known


@pytest.mark.parametrize("angle", [0.0, 1e-17, 1e-13, 1e-9, 1e-5])
def test_almost_parallel_boxes_have_no_depth_too_small(angle):
    c, s = np.cos(angle), np.sin(angle)
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    found = escape(fc.Box([1, 2, 3]), fc.Box([3, 2, 1]), rotation, (0.3, 0.2, 1.9))
    assert found.depth == pytest.approx(0.1, abs=1e-5 if angle == 1e-5 else 1e-12)
    points = corners_of(fc.Box([1, 2, 3])) @ rotation.T + (0.3, 0.2, 1.9)
    n = np.array(found.direction)
    overlap = (points @ n).max() - (corners_of(fc.Box([3, 2, 1])) @ n).min()
    assert overlap <= found.depth + 1e-14


def test_a_gap_hidden_by_rounding_is_no_gap():
    box = fc.Box([1, 1, 1])
    assert escape(box, box, None, (1.0 + 1e-15, 0.0, 0.0)).depth > -1e-14
    assert escape(box, box, None, (1.0 + 1e-13, 0.0, 0.0)).depth < 0.0
