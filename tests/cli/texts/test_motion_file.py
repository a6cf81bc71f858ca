import numpy as np
import pytest

from firstcontact import Sphere
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.motion_file import read_motion


@pytest.fixture
def written(tmp_path):
    def write(text):
        file = tmp_path / "poses.csv"
        file.write_text(text)
        return file

    return write


def test_columns_are_known_by_their_number_or_by_their_names(written):
    places = read_motion(written("0,0,0\n1,2,3\n"))
    assert places.poses[1].tolist() == [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    assert places.times is None
    assert places.clock is None
    timed = read_motion(written("5 0 0 0\n7 1 2 3\n"))
    assert timed.clock == (5.0, 7.0)
    assert (timed.poses == places.poses).all()
    turned = read_motion(written("0;0;0;0;0;0;2\n1;2;3;0;0;1;1\n"))
    assert turned.poses[1, :3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    named = read_motion(written("rz,z,y,x,rx,ry,time  # degrees\n0,0,0,0,0,0,1\n90,3,2,1,0,0,2\n"))
    assert named.poses == pytest.approx(turned.poses)
    assert named.clock == (1.0, 2.0)


def test_shapes_go_in_pieces_or_smoothly(written):
    motion = read_motion(written("time,x,y,z\n2,0,0,0\n3,1,1,0\n4,2,0,0\n"))
    assert motion.of(Sphere(1), is_spline=False).pose(0.25)[:3, 3].tolist() == [0.5, 0.5, 0.0]
    assert motion.of(Sphere(1), is_spline=True).pose(0.25)[:3, 3].tolist() == [0.5, 0.75, 0.0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must have two poses or more, a row each; it has 0"),
        ("1,2,3\n", "must have two poses or more, a row each; it has 1"),
        ("1,2\n3,4\n", "line 1: columns must be x, y, z; .* received 2 numbers"),
        ("x,y,q\n1,2,3\n4,5,6\n", "line 1: columns must be x, y, z; .* received x, y, q"),
        ("x,y,z,qx\n1,2,3,0\n", "received x, y, z, qx"),
        ("x,y,z,x\n1,2,3,0\n", "received x, y, z, x"),
        ("0,0,0\n1,2\n", r"line 2: a row must have 3 numbers \(x, y, z\); this one has 2"),
        ("0,0,0\n1,2,inf\n", "line 2, column 'z': there must be a finite number; received 'inf'"),
        ("0,0,0,0\n0,1,1,1\n", "line 2: times must increase; 0 follows 0"),
        ("0,0,0,0,0,0,1\n0,0,0,0,0,0,0\n", "line 2: a quaternion must not be zero"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(written, text, words):
    with pytest.raises(CommandError, match=words):
        read_motion(written(text))
