from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.viz.bodies_of import bodies_of
from firstcontact.viz.view import BOX_EDGES, View, are_among, ball_faces, box_corners, local_box, swept_box
from firstcontact.viz.view_of import view_of
from poses import at
from viz.things import LEAF_FACES, ball, cube, falling, hair_hit, leaf, scan_hit

NO_TIMES = np.empty(0)
speeds = st.tuples(*[st.floats(-4.0, 4.0)] * 3)
times = st.floats(0.0, 1.0)


def body(thing, at=()):
    return bodies_of({"it": thing}, np.array(at, float))[0]


def test_a_body_at_its_own_times_is_where_the_thing_is():
    thing = cube().moving(at(1, 2, 3), velocity=[1, 0, 0], angular_velocity=[3, 2, 1])
    seen = body(thing, [0.1234567])
    assert 0.1234567 in seen.times
    for time in seen.times[::7]:
        np.testing.assert_allclose(seen.at(time), thing.vertices(time), rtol=0, atol=1e-14)
    np.testing.assert_allclose(seen.at(0.1234567), thing.vertices(0.1234567), rtol=0, atol=1e-14)


def test_some_vertices_are_those_of_all():
    for thing in (
        cube().moving(at(0, 0, 0), angular_velocity=[3, 2, 1]),
        cube().at(at(1, 0, 0)),
        falling(),
    ):
        seen, ids = body(thing), np.array([2, 0, 2])
        assert np.array_equal(seen.at(0.3, ids), seen.at(0.3)[ids])


def test_before_and_after_its_times_a_body_stands_where_it_starts_and_ends():
    seen = body(falling())
    assert np.array_equal(seen.at(-1.0), leaf(2))
    assert np.array_equal(seen.at(5.0), leaf(-2) * [0.5, 1, 1])


def test_a_body_that_deforms_goes_straight():
    assert np.array_equal(body(falling()).at(0.25), 0.75 * leaf(2) + 0.25 * leaf(-2) * [0.5, 1, 1])


@settings(max_examples=30)
@given(speeds, speeds, times)
def test_boxes_hold_a_rigid_body(velocity, turn, time):
    seen = body(cube().moving(at(1, 0, 0), velocity=velocity, angular_velocity=turn))
    lower, upper = swept_box(seen)
    vertices = seen.at(time)
    assert (vertices >= lower - 1e-12).all()
    assert (vertices <= upper + 1e-12).all()


@settings(max_examples=30)
@given(st.lists(speeds, min_size=8, max_size=8), times)
def test_boxes_hold_a_body_that_deforms(corners, time):
    start, end = np.array(corners).reshape(2, 4, 3)
    seen = body(fc.Mesh(start, LEAF_FACES).deforming(start, end))
    lower, upper = swept_box(seen)
    assert (seen.at(time) >= lower - 1e-12).all()
    assert (seen.at(time) <= upper + 1e-12).all()


def test_the_box_of_a_body_is_in_its_own_frame():
    assert np.array_equal(
        local_box(body(cube().moving(at(7, 0, 0), velocity=[1, 0, 0]))), [[-0.5] * 3, [0.5] * 3]
    )


def test_a_box_has_eight_corners_and_twelve_edges_along_the_axes():
    corners = box_corners(np.array([[0, 0, 0], [1, 2, 3]], float))
    assert len({tuple(corner) for corner in corners.tolist()}) == 8
    along = np.abs(corners[BOX_EDGES[:, 1]] - corners[BOX_EDGES[:, 0]])
    assert sorted(along.sum(axis=1).tolist()) == [1.0] * 4 + [2.0] * 4 + [3.0] * 4
    assert (np.count_nonzero(along, axis=1) == 1).all()


def test_a_view_of_nothing_has_a_size():
    view = View("nothing", ())
    assert view.size == pytest.approx(np.sqrt(3))
    assert not view.is_moving


def test_a_view_is_as_large_as_all_that_is_ever_seen():
    view = View("", bodies_of({"ball": ball(), "cube": cube().at(at(0, 3, 0))}, NO_TIMES))
    np.testing.assert_allclose(view.bounds, [[-2.5, -0.5, -0.5], [2.5, 3.5, 0.5]])
    assert view.is_moving


def test_a_thing_has_the_colour_of_its_first_body():
    seen = body(cube().at(at(0, 0, 0)))
    parts = [replace(seen, color=0x000102), replace(seen, color=0xFFFFFF), replace(seen, thing="other")]
    colors = View("", tuple(parts)).colors
    assert list(colors) == ["it", "other"]
    assert colors["it"] == "#000102"


def test_boxes_hold_the_radii_of_points_and_strands():
    scan = view_of(scan_hit()).bodies[0]
    assert swept_box(scan)[0].tolist() == [-2.2, -0.2, -0.2]
    (hair,) = view_of(hair_hit()).bodies
    np.testing.assert_allclose(swept_box(hair), [[-1.1, -1.1, -0.1], [1.1, 1.1, 1.1]])


def test_faces_are_found_among_others():
    faces = np.array([[0, 1, 2], [2, 1, 0], [3, 3, 3]])
    assert are_among(faces, np.array([[3, 3, 3], [0, 1, 2]])).tolist() == [True, False, True]
    assert are_among(faces, faces[:0]).tolist() == [False] * 3
    assert ball_faces(np.array([3, 5])).tolist() == [[3, 3, 3], [5, 5, 5]]
