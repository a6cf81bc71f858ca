"""What deforms and a rigid body, over stretches of time."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.progress import silent
from firstcontact.deformable.with_rigid.course import Course

BALL = fc.Sphere(1.0).mesh


def course(cloud, velocity=(1.0, 0.0, 0.0)):
    places = cloud.positions
    moving = BALL.moving((np.eye(3), [-5, 0, 0]), velocity=np.multiply(velocity, 10.0))
    return Course([cloud.deforming(places, places), moving], fc.Culling(), silent)


def test_radii_count_where_paths_are_posed():
    for radius, is_near in ((0.0, False), (0.7, True)):
        posed = course(fc.Points([[0, 1.5, 0]], radius))
        segment = next(posed.segments())
        assert posed.pose(segment, 0.0, 1.0, 0.0) == is_near
        assert (len(posed.first().time) > 0) == (radius > 0.0)
        assert posed.thickness == radius


def test_pairs_that_were_found_are_found_again_where_they_are():
    posed = course(fc.Strands([[0, 0.9, -1], [0, 0.9, 1]], [2], 0.05))
    segment = next(posed.segments())
    assert posed.pose(segment, 0.0, 1.0, 0.0)
    found = posed.all()
    assert len(found.time) > 0
    posed.place(segment, 0.0, 0.2, 0.0)
    assert len(posed.of_these(found).time) == 0
    posed.place(segment, 0.0, 1.0, 0.0)
    assert posed.of_these(found).time == pytest.approx(found.time)


def test_points_have_a_size_by_how_far_apart_they_are():
    cloud = fc.Points(np.random.default_rng(0).normal(size=(100, 3)))
    assert course(cloud).edge > 0.0
