"""What is fixed to a body: where its pieces say, it is where the body takes it, and off by as much."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.attached import attached
from firstcontact.motions.rigid_motion import DEVIATION, RigidMotion

POSE = np.eye(4)
POSE[:3, :3], POSE[:3, 3] = Rotation.from_rotvec([1, -2, 0.5]).as_matrix(), [2, -1, 3]
BODY = fc.Sphere(9)
POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, -1]])


def placed(motion, t, points):
    """Points by the pieces alone, without the law."""
    rows = motion.pieces
    return RigidMotion(rows, motion.translations, motion.times, motion.is_batch).vertices(t, points)


@pytest.mark.parametrize(
    "motion",
    [
        {"velocity": [1, 2, 3], "angular_velocity": [3, 1, -2]},
        {"velocity": [1, 2, 3], "acceleration": [0, 0, -9]},
    ],
)
def test_pieces_and_laws_go_along(motion):
    body = BODY.moving((np.stack([np.eye(3), POSE[:3, :3]]), [[1, 0, 0], [0, 1, 0]]), **motion).motion
    found = attached(body, POSE)
    assert found.rows()[..., DEVIATION].tolist() == body.rows()[..., DEVIATION].tolist()
    for t in (0.0, 0.25, 1.0):
        assert np.allclose(found.pose(t), body.pose(t) @ POSE, atol=1e-13)
        truth = found.pose(t)[:, :3, :3] @ POINTS.T + found.pose(t)[:, :3, 3:]
        off = np.linalg.norm(placed(found, t, POINTS) - truth.transpose(0, 2, 1), axis=2)
        assert (off <= found.rows()[:, 0, DEVIATION, np.newaxis] + 1e-12).all()
    one = found.chosen(slice(1, 2), True)
    assert np.allclose(one.pose(0.5), found.pose(0.5)[1:])
    if found.law is not None:
        twice = found.law.joined([found.law])
        assert np.allclose(twice.poses(0.5), np.concatenate([found.pose(0.5)] * 2))


def test_a_body_that_rests_in_place_is_itself():
    body = BODY.at(np.eye(4)).motion
    assert attached(body, np.eye(4)) is body
