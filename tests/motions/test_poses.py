import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import transform
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.poses import RIGID_TOLERANCE, as_poses
from firstcontact.motions.rigid_motion import N_COLUMNS
from firstcontact.motions.rigid_paths import motion_at
from firstcontact.motions.short_rows import row_at
from poses import random_poses

POSES = random_poses(20)


def with_entry(row, column, value, pose=18):
    poses = POSES.copy()
    poses[pose, row, column] = value
    return poses


def equal(poses, matrices):
    return np.array_equal(poses.rotations, matrices[:, :3, :3]) and np.array_equal(
        poses.translations, matrices[:, :3, 3]
    )


def test_every_way_to_give_a_pose():
    one = POSES[3]
    turn = Rotation.from_matrix(one[:3, :3])
    for pose in (one, one.tolist(), np.asfortranarray(one), (one[:3, :3], one[:3, 3]), (turn, one[:3, 3])):
        poses = as_poses("start", pose)
        assert not poses.is_batch
        np.testing.assert_allclose(poses.rotations, one[np.newaxis, :3, :3], rtol=0, atol=5e-16)
        np.testing.assert_array_equal(poses.translations, one[np.newaxis, :3, 3])


def test_every_way_to_give_a_batch():
    turns = Rotation.from_matrix(POSES[:, :3, :3])
    pairs = (POSES[:, :3, :3], POSES[:, :3, 3]), (turns, POSES[:, :3, 3].tolist())
    for batch in (POSES, list(POSES), tuple(POSES), *pairs):
        poses = as_poses("start", batch)
        assert poses.is_batch
        np.testing.assert_allclose(poses.rotations, POSES[:, :3, :3], rtol=0, atol=5e-16)
        np.testing.assert_array_equal(poses.translations, POSES[:, :3, 3])


def test_quaternions_and_bare_translations():
    turns, places = Rotation.from_matrix(POSES[:, :3, :3]), POSES[:, :3, 3]
    quaternions = turns.as_quat() * np.linspace(-3.0, 1e-200, len(POSES))[:, np.newaxis]
    for batch in ((quaternions, places), np.hstack([places, quaternions])):
        poses = as_poses("start", batch)
        assert poses.is_batch
        np.testing.assert_allclose(poses.rotations, POSES[:, :3, :3], rtol=0, atol=1e-15)
        np.testing.assert_array_equal(poses.translations, places)
        if isinstance(batch, tuple):  # four quaternions are no pose
            assert len(as_poses("start", (batch[0][:4], batch[1][:4])).rotations) == 4
        else:
            one = as_poses("start", batch[3])
            assert not one.is_batch
            np.testing.assert_array_equal(one.rotations[0], poses.rotations[3])
    for bare in (places, places[0], tuple(places[0])):
        poses = as_poses("start", bare)
        assert poses.is_batch == (bare is places)
        assert (poses.rotations == np.eye(3)).all()
        np.testing.assert_array_equal(poses.translations, np.reshape(bare, (-1, 3)))


def test_short_rows_are_the_same_bits():
    rng = np.random.default_rng(5)
    for numbers in (rng.normal(size=(40, 7)), rng.normal(size=(5, 3))):
        for row in numbers:
            forms = [row, (row[3:].copy(), row[:3].copy())] if len(row) == 7 else [row]
            for form in forms:
                expected = motion_at(form)
                np.testing.assert_array_equal(row_at(form)[:N_COLUMNS], expected.pieces[0, 0])
    for wrong in (
        np.zeros(7),
        np.ones(4),
        np.full(3, np.nan),
        np.full(7, 1e200),
        np.ones(3, np.float32),
        np.array(1),
    ):
        assert row_at(wrong) is None


def test_a_tuple_of_two_poses_is_two_poses():
    assert equal(as_poses("poses", (POSES[0], POSES[1])), POSES[:2])


def test_what_gives_a_matrix_is_that_pose():
    if not hasattr(transform, "RigidTransform"):
        pytest.skip("scipy has no RigidTransform here")
    one = transform.RigidTransform.from_matrix(POSES[0])
    np.testing.assert_allclose(as_poses("start", one).translations, POSES[:1, :3, 3], rtol=0, atol=1e-15)


def test_one_rotation_goes_with_many_translations_and_the_other_way_round():
    many = as_poses("start", (np.eye(3), POSES[:, :3, 3]))
    assert many.is_batch
    assert np.array_equal(many.rotations, np.tile(np.eye(3), (20, 1, 1)))
    many = as_poses("start", (POSES[:, :3, :3], [1, 2, 3]))
    assert np.array_equal(many.translations, np.tile([1.0, 2.0, 3.0], (20, 1)))


@pytest.mark.parametrize("empty", [[], np.empty((0, 4, 4)), (np.empty((0, 3, 3)), np.empty((0, 3)))])
def test_no_poses_are_a_batch(empty):
    poses = as_poses("start", empty)
    assert poses.rotations.shape == (0, 3, 3)
    assert poses.translations.shape == (0, 3)
    assert poses.is_batch


def test_a_rotation_stays_as_it_is_to_the_last_bit():
    poses = random_poses(2000, seed=1)
    assert equal(as_poses("start", poses), poses)


def test_the_callers_arrays_are_neither_changed_nor_kept():
    rounded = POSES.astype(np.float32).astype(float)
    before = rounded.copy()
    poses = as_poses("start", rounded)
    assert np.array_equal(rounded, before)
    pair = POSES[:, :3, :3].copy(), POSES[:, :3, 3].copy()
    for given_arrays, got in ((rounded, poses), (pair, as_poses("start", pair))):
        for array in given_arrays:
            assert not np.shares_memory(array, got.rotations)
            assert not np.shares_memory(array, got.translations)


@given(st.integers(0, 1000))
def test_float32_becomes_the_nearest_rotation(seed):
    poses = random_poses(5, seed)
    rotations = as_poses("start", poses.astype(np.float32)).rotations
    np.testing.assert_allclose(rotations, poses[:, :3, :3], rtol=0, atol=3e-7)
    gram = rotations.swapaxes(1, 2) @ rotations - np.eye(3)
    assert np.abs(gram).max() <= 2.0**-49


def test_up_to_the_tolerance_and_no_further():
    as_poses("end", np.diag([1.0 + 0.499 * RIGID_TOLERANCE, 1, 1, 1]))
    with pytest.raises(ValueError, match=r"off by 0\.0002"):
        as_poses("end", np.diag([1.0 + 0.501 * RIGID_TOLERANCE, 1, 1, 1]))


RIGID = r"must be a rigid pose \(rotation and translation\); its rotation is"


@pytest.mark.parametrize(
    ("poses", "error", "message"),
    [
        (np.diag([1.01, 1, 1, 1]), ValueError, rf"end {RIGID} off by 0.02 \(R\^T R differs from the ident"),
        (np.diag([2, 2, 2, 1]), ValueError, rf"end {RIGID} off by 3 \("),
        (np.diag([0, 0, 0, 1]), ValueError, rf"end {RIGID} off by 1 \("),
        (with_entry(0, 1, 4.0), ValueError, rf"row 18 of end {RIGID} off by "),
        (np.diag([1, 1, -1, 1]), ValueError, rf"end {RIGID} a mirror image$"),
        (-np.eye(4)[:2], ValueError, r"end must have shape \(n, 4, 4\) or \(4, 4\); received \(2, 4\)$"),
        (
            with_entry(3, 0, 0.5),
            ValueError,
            "row 18 of end must be a rigid pose, with 0, 0, 0, 1 as its last",
        ),
        (np.eye(4) * 2, ValueError, "end must be a rigid pose, .* last row; received 0, 0, 0, 2$"),
        (with_entry(1, 3, np.nan), ValueError, "end must be finite; row 18 has nan$"),
        (with_entry(0, 0, -np.inf), ValueError, "end must be finite; row 18 has -inf$"),
        (with_entry(0, 3, 1e50), ValueError, r"end must lie within .* row 18 has 1e\+50$"),
        (np.eye(3), ValueError, r"end has shape \(3, 3\), which may be a rotation or three translations: "),
        (np.zeros(7), ValueError, "the quaternion of end must not have the length 0$"),
        (([[0, 0, 0, 1], [0, 0, 0, 0]], [1, 2, 3]), ValueError, "the quaternion of row 1 of end must not"),
        (([0, 0, 0], [1, 2, 3]), ValueError, r"the rotation of end must have shape \(n, 3, 3\) or"),
        (([1, 2, 3], [0, 0, 0, 1]), ValueError, r"the rotation of end must have shape \(n, 3, 3\) or"),
        (np.ones(4), ValueError, r"end must have shape \(n, 4, 4\) or \(4, 4\); received \(4,\)$"),
        (Rotation.identity(), ValueError, r"end must have shape .* received \(3, 3\)$"),
        (np.zeros((2, 2, 4, 4)), ValueError, r"end must have shape .* received \(2, 2, 4, 4\)$"),
        ((np.eye(3), [1, 2]), ValueError, r"the translation of end must have shape \(n, 3\) or \(3,\); rec"),
        ((np.eye(2), [1, 2, 3]), ValueError, r"the rotation of end must have shape \(n, 3, 3\) or \(3, 3\)"),
        ((np.eye(3) * 1j, [1, 2, 3]), TypeError, "the rotation of end must be real numbers; received comp"),
        (
            (POSES[:, :3, :3], POSES[:3, :3, 3]),
            ValueError,
            "end must have as many rotations as translations; received 20 and 3$",
        ),
        ((np.eye(3), [0, np.nan, 0]), ValueError, "the translation of end must be finite; row 1 has nan$"),
        (None, TypeError, "end must be real numbers; received object$"),
        ("home", TypeError, "end must be real numbers; received <U"),
        ([[1.0, 2.0], [3.0]], ValueError, "end must be a rectangular array of numbers"),
    ],
)
def test_bad_poses_are_told(poses, error, message):
    with pytest.raises(error, match=f"^{message}"):
        as_poses("end", poses)


def test_a_mirror_image_in_a_batch_is_named():
    poses = POSES.copy()
    poses[7, :3, :3] *= -1.0
    with pytest.raises(ValueError, match=rf"^row 7 of start {RIGID} a mirror image$"):
        as_poses("start", poses)


def test_what_has_a_shape_that_is_none_of_an_array_is_told():
    class Raises:
        def __array__(self, *_arguments, **_options):
            raise RuntimeError("no array today")

    for wrong in (fc.Sphere(1).at(np.zeros((0, 4, 4))), fc.Sphere(1), None):
        with pytest.raises(TypeError, match=r"^pose must be real numbers; received object$"):
            fc.Sphere(1).at(wrong)
    with pytest.raises(ValueError, match=r"^pose must be a rectangular array of numbers; received"):
        fc.Sphere(1).at(Raises())
