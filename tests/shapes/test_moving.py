import copy
import dataclasses
import pickle

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.shapes import convex_shape
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import shape_of
from poses import moved, random_poses

MESH = fc.Mesh(np.eye(3), [[0, 1, 2]])
POSES = random_poses(3, seed=11)


def test_a_deforming_mesh_owns_its_motion():
    start, end = np.zeros((3, 3)), np.ones((3, 3))
    moving = MESH.deforming(start, end)
    start[:], end[:] = 7.0, 8.0
    assert moving.shape is MESH
    assert moving.vertices(0.0).tolist() == np.zeros((3, 3)).tolist()
    assert moving.vertices(1.0).tolist() == np.ones((3, 3)).tolist()
    with pytest.raises(ValueError, match="read-only"):
        moving.motion.vertices_t0[0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        moving.shape = None


def test_positions_given_out_are_copies():
    moving = MESH.deforming(MESH.vertices, 2.0 * MESH.vertices)
    for t in (0.0, 0.5, 1.0):
        moving.vertices(t)[:] = 9.0
        assert moving.vertices(t).tolist() == ((1.0 + t) * np.eye(3)).tolist()


def test_ends_may_be_anywhere_and_of_any_numeric_type():
    moving = MESH.deforming([[1, 2, 3]] * 3, np.full((3, 3), 5, dtype=np.uint8))
    assert moving.vertices(0.5).tolist() == [[3.0, 3.5, 4.0]] * 3
    assert moving.motion.vertices_t0.dtype == moving.motion.vertices_t1.dtype == np.float64


@pytest.mark.parametrize(
    ("start", "end", "error", "message"),
    [
        (
            np.eye(3)[:2],
            np.eye(3),
            ValueError,
            "vertices_t0 must have a row for each of the mesh's 3 vertices; received 2",
        ),
        (
            np.eye(3),
            np.zeros((4, 3)),
            ValueError,
            "vertices_t1 must have a row for each of the mesh's 3 vertices; received 4",
        ),
        (
            np.eye(3),
            [],
            ValueError,
            "vertices_t1 must have a row for each of the mesh's 3 vertices; received 0",
        ),
        (np.zeros((3, 2)), np.eye(3), ValueError, r"vertices_t0 must have shape \(n, 3\); received \(3, 2\)"),
        (np.eye(3), np.eye(3) * np.nan, ValueError, "vertices_t1 must be finite; row 0 has nan"),
        (np.eye(3) - [0, 0, -np.inf], np.eye(3), ValueError, "vertices_t0 must be finite; row 0 has inf"),
        (np.eye(3) * 1e50, np.eye(3), ValueError, r"vertices_t0 must lie within .* row 0 has 1e\+50"),
        (np.eye(3), None, TypeError, "vertices_t1 must be real numbers; received object"),
        (np.eye(3).astype(str), np.eye(3), TypeError, "vertices_t0 must be real numbers; received <U"),
    ],
)
def test_bad_positions_are_told(start, end, error, message):
    with pytest.raises(error, match=f"^{message}"):
        MESH.deforming(start, end)


@pytest.mark.parametrize("t", [-0.1, 1.5, float("nan")])
def test_times_are_within_the_step(t):
    rigid, deforming = MESH.at(np.eye(4)), MESH.deforming(MESH.vertices, MESH.vertices)
    for ask in (deforming.vertices, rigid.vertices, rigid.pose):
        with pytest.raises(ValueError, match=r"^t must be a finite number in \[0, 1\]; received "):
            ask(t)


def test_what_deforms_has_no_pose():
    with pytest.raises(TypeError, match=r"^a deforming mesh has no pose; ask for its vertices\(t\)$"):
        MESH.deforming(MESH.vertices, MESH.vertices).pose(0.5)


def test_a_rigid_mesh_is_where_its_pose_takes_it():
    for moving in (MESH.at(POSES[0]), MESH.moving(POSES[0], POSES[1]), MESH.along(POSES, path="screw")):
        assert moving.shape is MESH
        for t in (0, 0.25, 1):
            assert moving.pose(t).shape == (4, 4)
            np.testing.assert_allclose(moving.vertices(t), moved(moving.pose(t), MESH.vertices), atol=1e-15)


def test_batches_have_a_leading_axis():
    for moving in (
        MESH.at(POSES),
        MESH.moving(POSES, POSES[0]),
        MESH.moving(POSES[0], velocity=POSES[:, 0, :3]),
    ):
        assert moving.pose(0.5).shape == (3, 4, 4)
        assert moving.vertices(0.5).shape == (3, 3, 3)


def test_a_mesh_turns_about_its_centroid_or_the_center_given():
    center = [3.0, 2.0, 1.0]
    about = [(MESH.moving(POSES[0], POSES[1]), MESH.centroid)]
    about += [(MESH.moving(POSES[0], angular_velocity=[1, 2, 3]), MESH.centroid)]
    about += [(MESH.along(POSES), MESH.centroid), (MESH.along(POSES, center=center), center)]
    about += [(MESH.moving(POSES[0], POSES[1], center=center), center)]
    about += [(MESH.moving(POSES[0], velocity=[1, 2, 3], center=center), center)]
    for moving, point in about:
        assert (moving.motion.centers == point).all()


def test_velocities_are_over_the_whole_step_in_world_axes():
    velocity = np.array([1.0, 0.0, 0.0])
    moving = MESH.moving(POSES[0], velocity=velocity, angular_velocity=[0, 0, 2 * np.pi])
    np.testing.assert_allclose(moving.vertices(1), moving.vertices(0) + velocity, atol=1e-14)
    # Half a turn about the centroid, which is half way by then.
    center = moved(POSES[0], MESH.centroid)
    opposite = 2.0 * center - moving.vertices(0) + 0.5 * velocity
    np.testing.assert_allclose(moving.vertices(0.5)[:, :2], opposite[:, :2], atol=1e-14)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: MESH.moving(np.eye(4), np.eye(4), velocity=[0, 0, 1]),
            TypeError,
            "a motion takes an end pose, or a velocity and an angular_velocity: not both$",
        ),
        (
            lambda: MESH.moving(np.eye(4)),
            TypeError,
            r"a motion takes .*: at least one, or an acceleration; shape.at\(pose\) stands still$",
        ),
        (lambda: MESH.at(2 * np.eye(4)), ValueError, "pose must be a rigid pose, .* received 0, 0, 0, 2$"),
        (lambda: MESH.moving(POSES, POSES[:2]), ValueError, "start and end must be batches of one length"),
        (lambda: MESH.moving(np.eye(4), np.eye(4), path="line"), ValueError, "path must be 'constant' or"),
        (lambda: MESH.moving(np.eye(4), np.eye(4), path=POSES), ValueError, "path must be 'constant' or"),
        (lambda: MESH.along(POSES, path=POSES), ValueError, "path must be 'constant' or"),
        (lambda: MESH.moving(np.eye(4), np.eye(4), center=[1, 2]), ValueError, "center must have shape"),
        (lambda: MESH.along(POSES, [0, 1]), ValueError, r"times must have shape \(3,\)"),
    ],
)
def test_bad_motions_are_told(make, error, message):
    with pytest.raises(error, match=f"^{message}"):
        make()


def test_what_stands_still_moves_nowhere():
    moving = MESH.deforming(MESH.vertices, 2 * MESH.vertices)
    assert as_moving(moving) is moving
    for thing in (MESH, trimesh.Trimesh(np.eye(3), [[0, 1, 2]], process=False)):
        still = as_moving(thing)
        assert isinstance(still.motion, RigidMotion)
        assert still.motion.is_resting
        assert still.pose(0.3).tolist() == np.eye(4).tolist()
        assert still.vertices(0.3).tobytes() == np.eye(3).tobytes()
    with pytest.raises(TypeError, match=r"received ndarray$"):
        as_moving(np.eye(3))


def test_a_mesh_without_vertices_can_move():
    nothing = fc.Mesh([], [])
    assert nothing.moving(POSES[0], POSES[1]).vertices(0.5).shape == (0, 3)
    moving = nothing.deforming([], [])
    assert moving.vertices(0.5).shape == (0, 3)
    assert repr(moving) == (
        "Moving(shape=Mesh(0 vertices, 0 faces), motion=Deformation(0 vertices, by up to 0))"
    )


ROBOT = fc.Robot({"base": (), "arm": fc.Sphere(1)}, [fc.Joint("slide", "prismatic", "base", "arm")])
OF_EACH_KIND = {
    Kind.CONVEX: fc.Sphere(1).at(np.eye(4)),
    Kind.MESH: MESH.moving(POSES[0], POSES[1]),
    Kind.DEFORMING: MESH.deforming(MESH.vertices, 2.0 * MESH.vertices),
    Kind.ROBOT: ROBOT.at([0.5]),
}


@pytest.mark.parametrize("kind", OF_EACH_KIND, ids=str)
def test_a_thing_knows_its_kind_wherever_it_is_sent(kind):
    thing = OF_EACH_KIND[kind]
    for same in (thing, copy.deepcopy(thing), pickle.loads(pickle.dumps(thing)), dataclasses.replace(thing)):
        assert same.kind is kind
    assert as_moving(thing) is thing


def test_what_a_thing_is_not_is_told():
    convex, mesh, deforming, robot = OF_EACH_KIND.values()
    assert mesh.rigid is mesh.motion
    assert deforming.deformation is deforming.motion
    assert convex_shape.as_convex(convex.shape) is shape_of(convex) is convex.shape
    for call, rule in (
        (lambda: deforming.rigid, "a deforming mesh has no rigid motion"),
        (lambda: robot.rigid, "a robot has no rigid motion"),
        (lambda: mesh.deformation, "a RigidMotion deforms nothing"),
        (lambda: shape_of(robot), "a Robot has shapes of its own for each link"),
        (lambda: convex_shape.table_of(MESH), "a Mesh is not convex"),
        (lambda: robot.surface, "a Robot has no vertices and faces; its .mesh has"),
    ):
        with pytest.raises(TypeError, match=f"^{rule}$"):
            call()


@pytest.mark.parametrize("kind", [Kind.CONVEX, Kind.MESH, Kind.DEFORMING], ids=str)
def test_a_robot_moves_by_its_joints_and_nothing_else_does(kind):
    thing, robot = OF_EACH_KIND[kind], OF_EACH_KIND[Kind.ROBOT]
    for shape, motion in ((thing.shape, robot.motion), (ROBOT, thing.motion)):
        with pytest.raises(TypeError, match=r"^motion must be a robot's for a robot, and only for one; rec"):
            fc.Moving(shape, motion)


def test_a_deformation_is_one_motion_that_may_rest():
    assert len(OF_EACH_KIND[Kind.DEFORMING].motion) == 1
    assert not OF_EACH_KIND[Kind.DEFORMING].motion.is_batch
    assert not OF_EACH_KIND[Kind.DEFORMING].motion.is_resting
    assert MESH.deforming(MESH.vertices, MESH.vertices).motion.is_resting


def test_a_robot_is_no_shape_of_a_link():
    with pytest.raises(TypeError, match=r"^a link is made of shapes, and one of link 'base' is a robot$"):
        fc.Robot({"base": ROBOT.at([0.0])})
