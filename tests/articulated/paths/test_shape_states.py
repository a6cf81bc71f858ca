"""What is known of pairs of shapes at a time, against where their points really go."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.articulated.paths.frames import N_STATE, place_frames
from firstcontact.articulated.paths.posed import piece_pose
from firstcontact.articulated.paths.shape_states import (
    BALL,
    MIDDLE,
    N_SHAPE_STATE,
    any_speed,
    approach_of,
    ball_gap,
    place_shape,
    speed_along,
    turn_at,
    vector_at,
)
from firstcontact.articulated.paths.world_motions import world_of

HALF = 0.2
SHAPES = (fc.Box([0.3, 0.2, 0.5]), fc.Capsule(0.1, 0.4), fc.Ellipsoid([0.1, 0.2, 0.3]), fc.Cylinder(0.1, 0.3))


def scene(seed):
    """A random arm that moves, with a branch, and two obstacles, one of which moves; all pairs of it."""
    rng = np.random.default_rng(seed)
    names, joints = ["root"], []
    for i in range(5):
        origin = fc.Sphere(1).moving(
            np.eye(4), velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3)
        )
        parent = names[-1] if i != 3 else names[1]
        kind = ("revolute", "prismatic", "continuous")[rng.integers(3)]
        joints.append(fc.Joint(f"j{i}", kind, parent, f"l{i}", origin.pose(1.0), rng.normal(size=3)))
        names.append(f"l{i}")
    links = {
        name: SHAPES[i % 4].at((np.eye(3), rng.normal(scale=0.2, size=3))) for i, name in enumerate(names)
    }
    robot = fc.Robot(links, joints)
    moving = robot.moving(*rng.normal(size=(2, robot.dof)))
    cart = fc.Box([0.2, 0.3, 0.4]).moving(np.eye(4), velocity=[1, 2, -1], angular_velocity=[1, 0, 2])
    return world_of(moving, {"post": fc.Capsule(0.1, 1), "cart": cart}, True, None)


def shape_states_of(world, t):
    states, shape_states = (
        np.zeros((len(world.parents), N_STATE)),
        np.zeros((len(world.pieces), N_SHAPE_STATE)),
    )
    place_frames(world.rows[0, 0], world.parents, t, states)
    for i in range(len(world.pieces)):
        place_shape(states, world.parents, world.geometries.attachments, i, HALF, shape_states)
    return states, shape_states


def world_points(world, piece, t, n=30):
    """Points of the surface of a shape at a time."""
    vertices = world.pieces[piece].shape.mesh.vertices
    pose = piece_pose(world, 0, piece, t)
    return vertices[:: max(len(vertices) // n, 1)] @ pose[:3, :3].T + pose[:3, 3]


def frame_pose(world, frame, t):
    """Pose of a frame, by the pose of a piece that hangs on it."""
    if frame < 0:
        return np.eye(4)
    piece = next(i for i, piece in enumerate(world.pieces) if piece.frame == frame)
    return piece_pose(world, 0, piece, t) @ np.linalg.inv(world.pieces[piece].pose)


def seen(world, points, base, t, t0):
    """Where points would be at t0 if the base had not moved since."""
    pose = frame_pose(world, base, t0) @ np.linalg.inv(frame_pose(world, base, t))
    return points @ pose[:3, :3].T + pose[:3, 3]


@pytest.mark.parametrize("seed", range(4))
def test_shapes_are_where_poses_take_them(seed):
    world = scene(seed)
    _, shape_states = shape_states_of(world, 0.4)
    for i, piece in enumerate(world.pieces):
        pose = piece_pose(world, 0, i, 0.4)
        np.testing.assert_allclose(np.reshape(turn_at(shape_states, i), (3, 3)), pose[:3, :3], atol=1e-12)
        middle = pose[:3, :3] @ piece.shape.bounds.mean(axis=0) + pose[:3, 3]
        np.testing.assert_allclose(vector_at(shape_states, i, MIDDLE) + world.origin, middle, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_balls_and_boxes_are_no_farther_apart_than_shapes(seed):
    world = scene(seed)
    _, shape_states = shape_states_of(world, 0.4)
    for a, b, _ in world.pairs.tolist():
        placed = [world.pieces[i].shape.at(piece_pose(world, 0, i, 0.4)) for i in (a, b)]
        gap = ball_gap(shape_states, world.geometries.attachments, a, b)
        assert gap <= fc.distance(*placed).distance + 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_no_gap_closes_faster_than_its_bounds(seed):
    world, t0 = scene(seed), 0.4
    states, shape_states = shape_states_of(world, t0)
    attachments, rng = world.geometries.attachments, np.random.default_rng(seed)
    for pair in world.pairs:
        a, b, base = pair.tolist()
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        approach = approach_of(states, world.parents, attachments, shape_states, pair, HALF)
        speed, more = speed_along(approach, shape_states, attachments, pair, tuple(n))
        anyway = any_speed(approach, attachments[a, BALL], attachments[b, BALL])
        start = [world_points(world, i, t0) for i in (a, b)]
        for s in (-HALF, -0.5 * HALF, 0.01, 0.5 * HALF, HALF):
            went = [
                seen(world, world_points(world, i, t0 + s), base, t0 + s, t0) - start[k]
                for k, i in enumerate((a, b))
            ]
            bent = 0.5 * s * s * approach.bend + 1e-9
            closed = (went[0] @ n).max() - (went[1] @ n).min()
            assert closed <= s * speed + abs(s) * more + bent
            assert closed <= abs(s) * approach.speed + 1e-9
            farthest = sum(np.linalg.norm(part, axis=1).max() for part in went)
            apart = np.linalg.norm(went[0][:, None] - went[1], axis=2).max()
            assert apart <= abs(s) * anyway + bent
            assert farthest <= abs(s) * approach.speed + 1e-9


def test_what_carries_both_does_not_count():
    """Two links that only their shoulder moves do not approach each other at all."""
    joints = [
        fc.Joint("shoulder", "revolute", "root", "one", axis=[0, 0, 1]),
        fc.Joint("elbow", "revolute", "one", "two", (np.eye(3), [1, 0, 0])),
        fc.Joint("wrist", "revolute", "two", "three", (np.eye(3), [1, 0, 0])),
    ]
    robot = fc.Robot({"root": (), "one": SHAPES[0], "two": SHAPES[1], "three": SHAPES[2]}, joints)
    world = world_of(robot.moving([0, 1, 2], [3, 1, 2]), None, True, None)
    states, shape_states = shape_states_of(world, 0.5)
    (pair,) = world.pairs
    assert pair[2] == 0
    approach = approach_of(states, world.parents, world.geometries.attachments, shape_states, pair, HALF)
    assert approach.speed == approach.bend == 0.0
    np.testing.assert_allclose(approach.velocity, 0.0, atol=1e-15)
