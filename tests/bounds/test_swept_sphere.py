"""Volumes hold the points that they were fitted to, and are not much larger than they have to be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.bounds.swept_sphere import N_COLUMNS, REACH, fit_volumes, volume_of
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

LIMIT = 2.0**150

# What a volume may fail to hold, in units of its points' distance from the origin.
FIT = 32.0 * UNIT_ROUNDOFF

coordinates = st.one_of(
    st.floats(-2.0, 2.0),
    st.floats(-LIMIT, LIMIT),
    st.floats(-1e-300, 1e-300),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, 1.0 + 2.0**-52, 1e-160, 1e8, LIMIT, -LIMIT]),
)
clouds = st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=9)


def fitted(points):
    """The volume of one cloud of points."""
    points, rows = np.ascontiguousarray(points, float), np.empty((1, N_COLUMNS))
    fit_volumes(points, np.array([[0, len(points)]]), rows, 0, 1)
    return volume_of(rows, 0)


def beyond(volume, points):
    """How far points stick out of a volume; and how much farther than the reach they are from its center."""
    x = np.asarray(points, np.longdouble) - np.array(volume.center, np.longdouble)
    along, across, normal = (x @ np.array(axis, np.longdouble) for axis in volume[1:4])
    along = np.maximum(np.abs(along) - volume.half_length, 0)
    across = np.maximum(np.abs(across) - volume.half_width, 0)
    distance = np.sqrt(along**2 + across**2 + normal**2)
    return (distance - volume.radius).max(), (np.sqrt((x * x).sum(axis=1)) - volume.reach).max()


def assert_holds(volume, points):
    allowed = FIT * np.abs(points).max() + 1e-160  # squares of shorter lengths underflow
    assert max(beyond(volume, points)) <= allowed
    axes = np.array(volume[1:4])
    assert np.abs(axes @ axes.T - np.eye(3)).max() <= 64 * UNIT_ROUNDOFF
    assert min(volume.half_length, volume.half_width, volume.radius, volume.reach) >= 0.0


@given(clouds)
def test_a_volume_holds_its_points(points):
    assert_holds(fitted(points), np.array(points))


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (9, 1, 1), (9, 9, 1), (9, 3, 1), (1, 0, 0), (1, 1, 0), (0, 0, 0)]
)
def test_volumes_of_clouds_of_all_shapes(shape):
    rng = np.random.default_rng(7)
    for n in (1, 2, 3, 4, 30, 300):
        turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        points = (rng.uniform(-1.0, 1.0, (n, 3)) * shape) @ turn + rng.choice(
            [0.0, 100.0]
        ) * rng.standard_normal(3)
        volume = fitted(points)
        assert_holds(volume, points)
        # No box around the points along the volume's axes is shorter than the volume.
        extents = np.ptp(points @ np.array(volume[1:4]).T, axis=0)
        longest = np.sqrt((extents**2).sum())
        assert volume.half_length + volume.radius <= longest + 1e-12
        assert volume.reach <= longest + 1e-12


def test_a_rod_is_a_segment_and_a_plate_a_rectangle():
    rng = np.random.default_rng(8)
    rod = fitted(rng.uniform(-1.0, 1.0, (400, 3)) * [50.0, 1e-3, 1e-3])
    assert abs(rod.along[0]) > 0.999999
    assert 45.0 < rod.half_length < 50.0
    assert rod.half_width < 1e-3
    assert rod.radius < 2e-3
    plate = fitted(rng.uniform(-1.0, 1.0, (400, 3)) * [50.0, 20.0, 1e-3])
    assert abs(plate.normal[2]) > 0.999999
    assert plate.half_width > 15.0
    assert plate.radius < 2.0  # corners that are not round stick out a little


def test_one_point_is_a_point():
    volume = fitted([[1.0, 2.0, 3.0]] * 3)
    assert volume.center == pytest.approx((1.0, 2.0, 3.0), abs=1e-15)
    assert volume.half_length == volume.half_width == 0.0
    assert volume.radius <= 1e-15


def test_ranges_and_parts_change_nothing():
    rng = np.random.default_rng(9)
    points = rng.standard_normal((60, 3))
    ranges = np.sort(rng.integers(0, 60, (20, 2)), axis=1)
    ranges[:, 1] += 1
    rows, parts = np.empty((20, N_COLUMNS)), np.empty((20, N_COLUMNS))
    fit_volumes(points, ranges, rows, 0, 20)
    for first in range(0, 20, 7):
        fit_volumes(points, ranges, parts, first, min(first + 7, 20))
    assert rows.tobytes() == parts.tobytes()
    for (begin, end), row in zip(ranges, rows, strict=True):
        assert_holds(volume_of(row[np.newaxis], 0), points[begin:end])
        assert row[REACH] == volume_of(row[np.newaxis], 0).reach
