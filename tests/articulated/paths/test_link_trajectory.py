"""Links as rigid bodies: no point is farther from a piece than that says, against plain kinematics."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.articulated.paths.link_trajectory import link_trajectory
from firstcontact.articulated.paths.posed import pose_in_parent
from firstcontact.motions.rigid_motion import DEVIATION, N_COLUMNS

TURNS = Rotation.random(8, rng=np.random.default_rng(5)).as_matrix()
REACH = 0.7


def tree_of(kinds):
    """A chain of joints with odd places and axes."""
    joints = [
        fc.Joint(f"j{i}", kind, f"l{i}", f"l{i + 1}", (TURNS[i], [0.3, -0.2 * i, 0.4]), [1.0, 0.5 * i, -1.0])
        for i, kind in enumerate(kinds)
    ]
    return fc.Robot({f"l{i}": fc.Sphere(0.1) for i in range(len(kinds) + 1)}, joints)


def configurations(kinds, rng, n):
    """Rows of values (n, dof)."""
    parts = []
    for kind in kinds:
        if kind == "floating":
            parts += [rng.normal(size=(n, 3)), Rotation.random(n, rng=rng).as_quat()]
        else:
            parts.append(rng.uniform(-2.0, 2.0, (n, 1)))
    return np.concatenate(parts, axis=1)


def motions(kinds, robot, rng):
    """Straight from one to another, through several, and along a spline where there is no floating joint."""
    q = configurations(kinds, rng, 5)
    yield robot.moving(q[0], q[1])
    yield robot.along(q, [0.0, 0.1, 0.45, 0.5, 1.0])
    if "floating" not in kinds:
        yield robot.along(CubicSpline([0.0, 0.2, 0.5, 0.7, 1.0], q))


@pytest.mark.parametrize(
    "kinds",
    [
        ("revolute",),
        ("revolute", "continuous", "revolute"),
        ("prismatic", "revolute", "prismatic", "revolute"),
        ("floating", "revolute", "prismatic"),
    ],
    ids="-".join,
)
def test_no_point_is_farther_than_a_piece_says(kinds):
    rng, robot = np.random.default_rng(len(kinds)), tree_of(kinds)
    link, pose = f"l{len(kinds)}", np.eye(4)
    pose[:3, :3], pose[:3, 3] = TURNS[7], [0.1, 0.2, -0.3]
    points = rng.normal(size=(20, 3))
    points *= REACH / np.linalg.norm(points, axis=1)[:, np.newaxis]
    for moving in motions(kinds, robot, rng):
        way = link_trajectory(robot.tree, moving.motion, len(kinds) - 1, robot.tree.link_offsets[link] @ pose)
        starts = np.concatenate([rng.uniform(0.0, 0.9, 30), [0.0, 0.1, 0.45, 1.0]])
        lengths = np.concatenate([rng.choice([0.1, 0.01, 1e-4, 0.0], 30), [1.0, 0.4, 0.05, 0.0]])
        ends = np.minimum(starts + lengths, 1.0)
        rows = np.zeros((len(starts), N_COLUMNS))
        way.write_rows(np.zeros(len(starts), np.intp), starts, ends, np.full(len(starts), REACH), rows)
        ratios = []
        for row, start, end in zip(rows, starts, ends, strict=True):
            for t in np.linspace(start, end, 9):
                true = robot.link_poses(moving.motion.configuration(t))[link] @ pose
                seen = pose_in_parent(row, t) - true
                off = points @ seen[:3, :3].T + seen[:3, 3]
                ratios.append(np.linalg.norm(off, axis=1).max() / row[DEVIATION])
            assert row[DEVIATION] < 1e-11 or end > start
        assert max(ratios) <= 1.0
        t = 0.37
        assert np.allclose(
            way.poses(t)[0], robot.link_poses(moving.motion.configuration(t))[link] @ pose, atol=1e-13
        )


def test_half_as_long_deviates_by_a_quarter():
    robot, rng = tree_of(("revolute",) * 4), np.random.default_rng(0)
    q = configurations(("revolute",) * 4, rng, 6)
    way = link_trajectory(robot.tree, robot.moving(q[:3], q[3:]).motion, 3, np.eye(4))
    assert (len(way), way.is_batch) == (3, True)
    for which in range(3):
        lengths = 2.0 ** -np.arange(4, 12.0)
        rows = np.zeros((len(lengths), N_COLUMNS))
        starts = np.full(len(lengths), 0.25)
        way.write_rows(np.full(len(lengths), which), starts, starts + lengths, np.ones(len(lengths)), rows)
        ratios = rows[:-1, DEVIATION] / rows[1:, DEVIATION]
        assert np.abs(ratios - 4.0).max() < 0.2
