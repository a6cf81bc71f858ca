import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.pose_text import read_pose
from samples import sample

AWAY = [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]  # a quarter turn about z


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3 euler=0,0,90",
        "euler=0,0,90  1,2,3",
        "1,2,3 quat=0,0,1,1",
        "1.0,2e0,+3 quat=0,0,-3e-200,-3e-200",
        json.dumps(AWAY),
        f"  {json.dumps(AWAY)} ",
    ],
)
def test_spellings_of_one_pose(text):
    np.testing.assert_allclose(read_pose("--start-a", text), AWAY, atol=1e-15)


def test_parts_may_be_left_out():
    np.testing.assert_array_equal(read_pose("--start-a", "1,2,-3")[:, 3], [1, 2, -3, 1])
    np.testing.assert_allclose(
        read_pose("--start-a", "euler=0,0,90")[:3, :3], np.array(AWAY)[:3, :3], atol=1e-15
    )


def test_euler_angles_are_about_fixed_axes_in_turn():
    turned = read_pose("--start-a", "euler=90,0,90")[:3, :3]
    np.testing.assert_allclose(turned @ [0, 1, 0], [0, 0, 1], atol=1e-15)  # up about x; z leaves it there
    np.testing.assert_allclose(turned @ [1, 0, 0], [0, 1, 0], atol=1e-15)


def test_a_pose_from_a_file(tmp_path):
    file = tmp_path / "pose.json"
    file.write_text(json.dumps(AWAY))
    np.testing.assert_array_equal(read_pose("--start-a", str(file)), AWAY)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "--start-a must be x,y,z, .* received nothing"),
        ("1,2", "--start-a must have 3 finite numbers"),
        ("1,2,nan", "--start-a must have 3 finite numbers"),
        ("1,2,3 1,2,3", "received two of a translation"),
        ("euler=0,0,9 quat=0,0,0,1", "received two of a rotation|must be"),
        ("euler=0,0", "--start-a euler must have 3 finite numbers"),
        ("quat=0,0,0,0", "--start-a: a quaternion must not be zero"),
        ("turn=0,0,90", "--start-a must be x,y,z"),
        ("pose.yaml", "--start-a must be x,y,z"),
        ("gone.json", "there is no file gone.json"),
        ("[1, 2", "--start-a is no matrix in JSON"),
        ("[" * 100_000, "--start-a is no matrix in JSON"),
        ("[[1, 2], [3]]", "--start-a is no matrix in JSON"),
        ("[1, 2]", r"--start-a must be a 4x4 matrix; received one of shape \(2,\)"),
        (json.dumps([AWAY, AWAY]), r"--start-a must be a 4x4 matrix; received one of shape \(2, 4, 4\)"),
        (json.dumps([["a"] * 4] * 4), "--start-a: pose must be real numbers"),
        (json.dumps([[None] * 4] * 4), "--start-a: pose must be real numbers"),
        (json.dumps(np.diag([2.0, 1, 1, 1]).tolist()), "--start-a: pose must be a rigid pose"),
        ("1,2,1e99", "--start-a: pose must lie within"),
    ],
)
def test_faults_are_told(text, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=told) as caught:
        read_pose("--start-a", text)
    assert "\n" not in str(caught.value)


@settings(max_examples=sample(20, of=150))
@given(st.text() | st.text("0123456789,.-+e =eulrqatn[]{}\"'"))
def test_any_text_is_a_pose_or_told(text):
    try:
        pose = read_pose("--start-a", text)
    except CommandError:
        return
    assert pose.shape == (4, 4)
    assert np.isfinite(pose).all()
