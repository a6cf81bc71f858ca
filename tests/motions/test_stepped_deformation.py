import pickle

import numpy as np
import pytest

from firstcontact import Mesh
from firstcontact.motions.stepped_deformation import SteppedDeformation

FRAMES = np.array([[[0.0, 0.0, 0.0]], [[0.0, 0.0, 3.0]], [[4.0, 0.0, 3.0]]])
TIMES = np.array([0.0, 0.25, 1.0])


@pytest.fixture
def motion():
    return SteppedDeformation(FRAMES, TIMES)


def test_frames_are_met_exactly_and_straight_lines_between_them(motion):
    frames = np.random.default_rng(0).normal(size=(5, 7, 3))
    times = np.array([0.0, 0.1, 0.3, 0.7, 1.0])
    waving = SteppedDeformation(frames, times)
    assert all((waving.vertices(t) == frame).all() for t, frame in zip(times, frames, strict=True))
    assert motion.vertices(0.125).tolist() == [[0.0, 0.0, 1.5]]
    assert motion.vertices(0.625).tolist() == [[2.0, 0.0, 3.0]]


def test_steps_tell_when_they_are(motion):
    assert [(step.start, step.end) for step in motion.steps()] == [(0.0, 0.25), (0.25, 1.0)]
    assert motion.step_at(0.25).start == 0.25
    assert motion.step_at(1.0).end == 1.0
    assert motion.step_at(1.0).deformation.vertices_t1.tolist() == FRAMES[2].tolist()


def test_what_keeps_all_frames_alike_rests(motion):
    assert not motion.is_resting
    assert SteppedDeformation(np.repeat(FRAMES[:1], 3, axis=0), TIMES).is_resting


def test_it_travels_sealed(motion):
    sent = pickle.loads(pickle.dumps(motion))
    assert (sent.frames == motion.frames).all()
    assert not sent.frames.flags.writeable


def test_repr_tells_how_far(motion):
    assert repr(motion) == "SteppedDeformation(1 vertices, 3 frames, by up to 4 a step)"


class TestAlong:
    LEAF = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])

    def test_two_frames_are_a_deformation(self):
        start = self.LEAF.vertices
        assert type(self.LEAF.along([start, start + 1]).motion).__name__ == "Deformation"

    def test_lists_arrays_and_tuples_are_frames(self):
        frames = np.stack([self.LEAF.vertices + k for k in range(3)])
        for given in (frames, list(frames), tuple(frames), frames.tolist()):
            moving = self.LEAF.along(given)
            assert (moving.vertices(1.0) == frames[2]).all()
            assert moving.motion.times.tolist() == [0.0, 0.5, 1.0]

    def test_poses_are_poses_still(self):
        poses = np.repeat(np.eye(4)[np.newaxis], 3, axis=0)
        rotations, places = poses[:, :3, :3], poses[:, :3, 3]
        for given in (poses, list(poses), (rotations, places)):
            assert type(self.LEAF.along(given).motion).__name__ == "RigidMotion"

    def test_the_caller_may_change_what_was_given(self):
        frames = np.stack([self.LEAF.vertices + k for k in range(3)])
        moving = self.LEAF.along(frames)
        frames[:] = 9.0
        assert moving.vertices(0.0).tolist() == self.LEAF.vertices.tolist()

    def test_a_mesh_without_vertices_has_frames(self):
        assert Mesh([], []).along([[], [], []]).vertices(0.5).shape == (0, 3)

    @pytest.mark.parametrize(
        ("frames", "options", "words"),
        [
            ([[[0, 0, 0]] * 3], {}, r"frames must be two or more, of shape \(k, 3, 3\); received 1"),
            ([[[0, 0, 0]] * 3, [[0, 0, 0]]], {}, "frame 1 must have a row for each of the mesh's 3 vertices"),
            (
                [[[0, 0, 0]] * 3] * 3,
                {"times": [0, 1]},
                r"times must have shape \(3,\), one time for each frame",
            ),
            ([[[0, 0, 0]] * 3] * 3, {"times": [0, 0.5, 0.9]}, "times must increase from 0 to 1"),
            ([[[0, 0, 0]] * 3, [[0, 0, np.nan]] * 3], {}, "frame 1 must be finite; row 0 has nan"),
            ([[[0, 0, 0]] * 3] * 2, {"center": [0, 0, 0]}, "frames say all of how a mesh deforms"),
        ],
    )
    def test_what_is_wrong_is_said(self, frames, options, words):
        with pytest.raises((TypeError, ValueError), match=words):
            self.LEAF.along(frames, **options)
