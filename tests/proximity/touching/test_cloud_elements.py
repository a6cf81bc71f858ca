"""What touches of points and strands, and where."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.proximity.touching.cloud_elements import element_kind

HERE = np.eye(3)


def test_the_place_is_between_the_surfaces_whatever_the_radii():
    big, small = fc.Points([[0, 0, 0], [0, 9, 0]], 1.0), fc.Points([[0, 0, 0]], 0.25)
    found = fc.first_contact(small.moving((HERE, [4, 0, 0]), velocity=[-4, 0, 0]), big)
    assert found.time == pytest.approx(2.75 / 4, abs=1e-6)
    assert np.abs(found.points - [[1, 0, 0]]).max() < 1e-5
    assert np.abs(found.normals - [[-1, 0, 0]]).max() < 1e-9
    assert found.features.tolist() == [[fc.ContactKind.POINT_POINT, 0, 0]]


def test_of_faces_at_one_place_one_is_listed_and_of_points_all():
    floor = fc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    cloud = fc.Points([[0, 0, 0], [0.5, 0.25, 0], [0, 0, 1]], 0.1)
    found = fc.first_contact(cloud.moving((HERE, [0, 0, 2]), velocity=[0, 0, -4]), floor)
    assert sorted(found.features[:, 1].tolist()) == [0, 1]
    assert set(found.features[:, 0].tolist()) == {fc.ContactKind.POINT_FACE}
    assert np.abs(found.points[:, 2]).max() < 1e-5


def test_overlaps_at_the_start_are_in_both():
    rope = fc.Strands([[0, 0, 0], [2, 0, 0]], [2], 0.5)
    found = fc.first_contact(rope, fc.Points([[1, 0, 0.6]], 0.3))
    assert found.status == fc.Status.CONTACT_AT_START
    assert found.features.tolist() == [[fc.ContactKind.SEGMENT_POINT, 0, 0]]
    assert 0.3 <= found.points[0, 2] <= 0.5


def test_kinds_are_named_by_both_sides():
    rope, cloud = fc.Strands([[0, 0, 0]], [1]), fc.Points([[0, 0, 0]])
    assert element_kind(rope, fc.Sphere(1)) is fc.ContactKind.SEGMENT_SHAPE
    assert element_kind(fc.Box([1, 1, 1]).mesh, cloud) is fc.ContactKind.FACE_POINT
    assert element_kind(cloud, rope) is fc.ContactKind.POINT_SEGMENT
