import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc

ENDS = "elbow", "revolute", "upper", "lower"


def test_a_joint_owns_what_it_is_made_of():
    origin, axis = np.eye(4), np.array([0.0, 2.0, 0.0])
    joint = fc.Joint(*ENDS, origin, axis)
    origin[:], axis[:] = 7.0, 7.0
    assert joint.origin.tolist() == np.eye(4).tolist()
    assert joint.axis.tolist() == [0.0, 1.0, 0.0]
    for array in (joint.origin, joint.axis):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        joint.kind = "fixed"


def test_what_is_left_out():
    joint = fc.Joint(*ENDS)
    assert joint.origin.tolist() == np.eye(4).tolist()
    assert joint.axis.tolist() == [1.0, 0.0, 0.0]
    assert joint.limits == (-np.inf, np.inf)
    assert joint.mimic is None


def test_origins_are_poses_of_any_form():
    turn, place = Rotation.from_rotvec([0.1, 0.2, 0.3]), [1, 2, 3]
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn.as_matrix(), place
    for origin in (matrix, matrix.tolist(), (turn, place), (turn.as_matrix(), np.array(place))):
        np.testing.assert_allclose(fc.Joint(*ENDS, origin).origin, matrix, atol=1e-15)


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e-5, 1.0, 3, 1e40])
def test_axes_of_any_length_are_unit_vectors(size):
    axis = fc.Joint(*ENDS, axis=np.array([2.0, -1.0, 2.0]) * size).axis
    np.testing.assert_allclose(axis, [2 / 3, -1 / 3, 2 / 3], rtol=1e-3 if size < 1e-300 else 1e-15)
    assert abs(axis @ axis - 1.0) < 1e-15


@pytest.mark.parametrize(
    ("kind", "n"), [("revolute", 1), ("continuous", 1), ("prismatic", 1), ("fixed", 0), ("floating", 7)]
)
def test_each_kind_has_its_numbers(kind, n):
    assert fc.Joint("j", kind, "a", "b").n_values == n


def test_a_follower_has_no_number_of_its_own():
    joint = fc.Joint("j", "prismatic", "a", "b", mimic=["other", 2, np.float32(0.5)])
    assert joint.mimic == ("other", 2.0, 0.5)
    assert joint.n_values == 0


def test_what_cannot_move_needs_no_axis_and_follows_nobody():
    for kind in ("fixed", "floating"):
        assert fc.Joint("j", kind, "a", "b", axis=[0, 0, 0]).axis.tolist() == [1.0, 0.0, 0.0]
    assert fc.Joint("j", "fixed", "a", "b", mimic=("other", 1, 0)).mimic is None


def test_limits_may_be_equal_or_infinite():
    assert fc.Joint(*ENDS, limits=[1, 1]).limits == (1.0, 1.0)
    assert fc.Joint(*ENDS, limits=(-np.inf, 0)).limits == (-np.inf, 0.0)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("", "fixed", "a", "b"), {}, TypeError, "name of a joint must be a name; received ''$"),
        ((7, "fixed", "a", "b"), {}, TypeError, "name of a joint must be a text; received 7$"),
        (("j", "fixed", None, "b"), {}, TypeError, "parent of a joint must be a text; received None$"),
        (("j", "fixed", "a", ""), {}, TypeError, "child of a joint must be a name; received ''$"),
        (
            ("j", "spring", "a", "b"),
            {},
            ValueError,
            "kind of joint 'j' must be 'revolute' or 'continuous' or .*; received 'spring'$",
        ),
        (ENDS, {"axis": [0, 0, 0]}, ValueError, "the axis of joint 'elbow' must not be zero$"),
        (ENDS, {"axis": [1, 0]}, ValueError, "the axis of joint 'elbow' must have shape"),
        (
            ENDS,
            {"axis": [[1, 0, 0]]},
            ValueError,
            r"the axis of joint 'elbow' must have shape \(3,\); received \(1, 3\)$",
        ),
        (ENDS, {"axis": [1, np.nan, 0]}, ValueError, "the axis of joint 'elbow' must be finite"),
        (ENDS, {"axis": "z"}, TypeError, "the axis of joint 'elbow' must be real numbers"),
        (ENDS, {"origin": np.eye(3)}, ValueError, "the origin of joint 'elbow' has shape .3, 3., which"),
        (ENDS, {"origin": 2 * np.eye(4)}, ValueError, "the origin of joint 'elbow' must be a rigid pose"),
        (
            ENDS,
            {"origin": np.tile(np.eye(4), (2, 1, 1))},
            ValueError,
            "the origin of joint 'elbow' must be one pose; received 2$",
        ),
        (ENDS, {"limits": (1, 0)}, ValueError, "limits of joint 'elbow' must ascend; received 1 and 0$"),
        (
            ENDS,
            {"limits": (np.nan, 0)},
            ValueError,
            "limits of joint 'elbow' must ascend; received nan and 0$",
        ),
        (ENDS, {"limits": 1}, ValueError, "limits of joint 'elbow' must be two numbers; received 1$"),
        (ENDS, {"limits": (0, 1, 2)}, ValueError, "limits of joint 'elbow' must be two numbers"),
        (ENDS, {"limits": ("a", "b")}, ValueError, "limits of joint 'elbow' must be two numbers"),
        (ENDS, {"mimic": "other"}, ValueError, "mimic of joint 'elbow' must be a name, a multiplier and an"),
        (ENDS, {"mimic": ("other", 1)}, ValueError, "mimic of joint 'elbow' must be a name, a multiplier"),
        (
            ENDS,
            {"mimic": (1, 1, 1)},
            ValueError,
            "mimic of joint 'elbow' must be a name, a multiplier and an",
        ),
        (ENDS, {"mimic": ("other", np.inf, 0)}, ValueError, "mimic of joint 'elbow' must be a name, a mult"),
        (
            ("base", "floating", "a", "b"),
            {"mimic": ("other", 1, 0)},
            ValueError,
            "joint 'base' is floating, and cannot mimic another$",
        ),
    ],
)
def test_bad_joints_are_told(arguments, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        fc.Joint(*arguments, **options)
