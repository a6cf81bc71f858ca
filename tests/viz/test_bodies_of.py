import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.bodies_of import MAX_POSES, MAX_TURN, bodies_of
from firstcontact.viz.view import COLORS
from firstcontact.viz.view_of import view_of
from poses import at
from viz.things import arm, cube, falling, hair_hit, leaf, scan_hit

NO_TIMES = np.empty(0)
QUARTER = np.array([[0, -1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 2], [0, 0, 0, 1]], float)

MOTIONS = {
    "turning": {"angular_velocity": [1, 2, 3]},
    "turning about a far point": {"center": [5, 0, 0], "angular_velocity": [0, 3, 0]},
    "many turns": {"angular_velocity": [0, 0, 40 * np.pi], "velocity": [1, 1, 0]},
    "a whole turn between any two of some times": {"angular_velocity": [0, 0, 2 * np.pi * 60]},
}


def body(thing):
    return bodies_of({"it": thing}, NO_TIMES)[0]


@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS)
def test_between_its_times_a_body_shrinks_by_no_more_than_said(motion):
    thing = cube().moving(at(1, 2, 3), **motion)
    seen, arm = body(thing), 6.0  # longer than from any vertex to what it turns about
    for time in np.linspace(0.0, 1.0, 301) * 0.99931:
        off = np.linalg.norm(seen.at(time) - thing.vertices(time), axis=1).max()
        assert off <= arm * MAX_TURN**2 / 8


def test_a_body_that_turns_very_often_has_a_limit():
    seen = body(cube().moving(np.eye(4), angular_velocity=[0, 0, 1e5]))
    assert len(seen.times) == MAX_POSES


def test_screws_and_paths_are_followed():
    for thing in (
        cube().along([at(0, 0, 0), QUARTER, at(3, 0, 0)], times=[0, 0.1234, 1]),
        cube().moving(at(0, 0, 0), QUARTER),
        cube().moving(at(0, 0, 0), QUARTER, path="screw"),
    ):
        seen = body(thing)
        for time in (0.0, 0.1, 0.1234, 0.5, 0.77, 1.0):
            assert np.abs(seen.at(time) - thing.vertices(time)).max() < 4.0 * MAX_TURN**2 / 8


def test_where_a_path_bends_a_body_is_exact():
    thing = cube().along([at(0, 0, 0), at(1, 5, 0), at(2, 0, 0)], times=[0, 0.1234, 1])
    np.testing.assert_allclose(body(thing).at(0.1234), thing.vertices(0.1234), rtol=0, atol=1e-13)


def test_what_rests_has_one_pose_and_what_goes_straight_has_two():
    assert body(cube().at(QUARTER)).is_resting
    assert body(cube().moving(QUARTER, velocity=[0, 0, 0])).is_resting
    gliding = body(cube().moving(QUARTER, velocity=[1, 2, 3]))
    assert gliding.times.tolist() == [0.0, 1.0]
    assert not gliding.is_resting


def test_what_deforms_has_two_frames():
    seen = body(falling())
    assert seen.frames.shape == (2, 4, 3)
    assert np.array_equal(seen.vertices, leaf(2))
    assert not seen.is_resting


def test_links_are_where_the_robot_has_them():
    robot = arm()
    moving = robot.moving([-0.5, 0.0], [1.0, 2.0])
    bodies = bodies_of({"it": moving}, np.array([0.3]))
    assert [one.name for one in bodies] == ["foot", "upper", "lower"]
    assert {one.thing for one in bodies} == {"it"}
    assert [one.is_resting for one in bodies] == [True, False, False]
    for time, rtol in ((0.0, 1e-12), (0.3, 1e-12), (1.0, 1e-12), (0.4321, MAX_TURN**2 / 4)):
        poses = robot.link_poses(moving.motion.configuration(time))
        for part, one in zip(robot.parts, bodies, strict=True):
            frame = poses[part.link] @ part.pose
            truth = part.shape.mesh.vertices @ frame[:3, :3].T + frame[:3, 3]
            np.testing.assert_allclose(one.at(time), truth, rtol=0, atol=rtol)


def test_a_joint_that_makes_whole_turns_is_seen_to_turn():
    bodies = bodies_of({"it": arm().moving([0, 0], [0, 240 * np.pi])}, NO_TIMES)
    assert np.ptp([bodies[2].at(t)[:, 0].max() for t in np.linspace(0.0, 1.0, 301) * 0.987]) > 0.7


def test_a_robot_without_shapes_or_joints():
    assert bodies_of({"it": fc.Robot({"base": ()}).at([])}, NO_TIMES) == ()
    (one,) = bodies_of({"it": fc.Robot({"base": fc.Sphere(1)}).at([])}, NO_TIMES)
    assert one.is_resting


def test_a_mesh_without_faces_is_not_there():
    empty = fc.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert bodies_of({"none": empty.at(np.eye(4)), "cube": cube().at(np.eye(4))}, NO_TIMES)[0].name == "cube"


def test_colours_go_round():
    things = {str(i): cube().at(np.eye(4)) for i in range(len(COLORS) + 1)}
    colors = [one.color for one in bodies_of(things, NO_TIMES)]
    assert len(set(colors)) == len(COLORS)
    assert colors[0] == colors[-1]


def test_the_arrays_of_the_caller_are_not_changed():
    mesh = cube()
    before = mesh.vertices.copy()
    body(mesh.moving(np.eye(4), angular_velocity=[1, 0, 0])).at(0.5)[:] = 7.0
    body(mesh.at(np.eye(4))).at(0.5)[:] = 7.0
    assert np.array_equal(mesh.vertices, before)


def test_points_and_strands_have_radii_and_all_else_has_none():
    scan, box = view_of(scan_hit()).bodies
    assert scan.radii.tolist() == [0.1, 0.2, 0.0]
    assert box.radii is None
    (hair,) = view_of(hair_hit()).bodies
    assert hair.radii.tolist() == [0.1] * 4
    assert hair.frames.shape == (2, 6, 3)
    robot = fc.Robot({"base": fc.Points([[0, 0, 0]], 0.5)}, name="it")
    (link,) = view_of(robot.at([])).bodies
    assert link.radii.tolist() == [0.5]
    assert view_of(fc.Points([])).bodies == ()


def test_of_a_half_space_a_patch_is_seen_that_is_wider_than_all_others():
    floor, ball = fc.HalfSpace([0, 0, 1], 2), fc.Sphere(1)
    things = {"floor": floor.at(at(0, 0, -3)), "ball": ball.moving(at(10, 0, 5), velocity=[4, 0, 0])}
    seen = {body.name: body for body in bodies_of(things, NO_TIMES)}
    patch = seen["floor"].at(0.0)
    assert np.allclose(patch[:, 2], -1)
    assert patch[:, 0].min() < 9
    assert patch[:, 0].max() > 15
    assert len(bodies_of({"floor": floor.at(np.eye(4))}, NO_TIMES)[0].faces) == 2
