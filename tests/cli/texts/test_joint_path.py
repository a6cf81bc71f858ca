import math

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.joint_path import beyond_limits, read_path

ROBOT = fc.Robot(
    dict.fromkeys(("base", "cart", "arm", "hand", "finger", "thumb"), ()),
    [
        fc.Joint("slide", "prismatic", "base", "cart", limits=(-1, 1)),
        fc.Joint("weld", "fixed", "cart", "hand"),
        fc.Joint("hinge", "revolute", "cart", "arm", limits=(-math.pi / 2, math.pi / 2)),
        fc.Joint("grip", "prismatic", "hand", "finger"),
        fc.Joint("copy", "prismatic", "hand", "thumb", mimic=("grip", -1, 0)),
    ],
)
DRONE = fc.Robot({"world": (), "body": ()}, [fc.Joint("fly", "floating", "world", "body")])
PLAIN = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@pytest.fixture
def read(tmp_path):
    def of_text(text, robot=ROBOT, **options):
        file = tmp_path / "path.csv"
        file.write_text(text)
        return read_path(file, robot, **options)

    return of_text


@pytest.fixture
def fault(read):
    def of_text(text, robot=ROBOT):
        with pytest.raises(CommandError) as caught:
            read(text, robot)
        message = str(caught.value)
        assert "path.csv" in message
        assert "\n" not in message
        return message

    return of_text


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3\n4,5,6",
        "slide,hinge,grip\n1,2,3\n4,5,6",
        "grip;slide;hinge\n3;1;2\n6;4;5",
        "hinge slide grip\n2 1 3\n5 4 6",
        "# grip,slide,hinge\n3,1,2\n6,4,5",
        "# grip slide hinge\n3,1,2\n6,4,5",
        "# a path\n1,2,3\n4,5,6",
        "# of the slide and others\n1,2,3\n4,5,6",
    ],
)
def test_columns_are_found(read, text):
    path = read(text)
    assert path.configurations.tolist() == PLAIN
    assert path.times is None


def test_a_header_that_numpy_wrote_is_read(read, tmp_path):
    file = tmp_path / "numpy.csv"
    np.savetxt(file, np.array(PLAIN)[:, ::-1], delimiter=",", header="grip,hinge,slide")
    assert read_path(file, ROBOT).configurations.tolist() == PLAIN


def test_times_are_kept_as_they_are(read):
    path = read("hinge,time,slide,grip\n2,10,1,3\n5,12.5,4,6")
    assert path.configurations.tolist() == PLAIN
    assert path.times.tolist() == [10.0, 12.5]


def test_a_joint_may_be_called_time(read):
    robot = fc.Robot({"base": (), "arm": ()}, [fc.Joint("time", "revolute", "base", "arm")])
    path = read("time\n2\n1", robot)
    assert path.configurations.tolist() == [[2.0], [1.0]]
    assert path.times is None


def test_degrees_are_for_what_turns(read):
    path = read("1,180,3", in_degrees=True)
    np.testing.assert_allclose(path.configurations, [[1.0, math.pi, 3.0]])


def test_a_floating_joint_has_seven_columns(read, fault):
    path = read("fly.qw,fly.x,fly.y,fly.z,fly.qx,fly.qy,fly.qz\n1,2,3,4,0,0,0", DRONE)
    assert path.configurations.tolist() == [[2, 3, 4, 0, 0, 0, 1]]
    assert "joint 'fly' needs a column for each of its numbers: fly.x, ... fly.qw" in fault("fly\n1", DRONE)
    assert "quaternion of length 0; row 1" in fault("0,0,0,0,0,0,1\n0,0,0,0,0,0,0", DRONE)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no configurations"),
        ("# slide,hinge,grip", "has no configurations"),
        ("slide,hinge,grip\n", "has no configurations"),
        ("slide,hinge,grap\n1,2,3", "line 1: column 'grap' is no joint of the robot; did you mean 'grip'?"),
        ("slide,hinge,grip,xyz\n1,2,3,4", "column 'xyz' is no joint of the robot"),
        ("# slide,hinge,gripp\n1,2,3", "line 1: column 'gripp' is no joint of the robot"),
        ("a,b,c\n1,2,3", "column 'a' is no joint of the robot"),
        ("slide,hinge,grip,copy\n1,2,3,4", "joint 'copy' follows 'grip', and has no values of its own"),
        ("slide,hinge,grip,weld\n1,2,3,4", "joint 'weld' is fixed, and has no values of its own"),
        ("slide\n1", "line 1: there is no column for 'hinge', 'grip'"),
        ("slide,grip,hinge,slide\n1,2,3,4", "there are 2 columns 'slide'"),
        ("slide,hinge,grip,time,time\n1,2,3,4,5", "there are 2 columns 'time'"),
        ("1,2", "line 1: a row must have 3 numbers (slide, hinge, grip); this one has 2"),
        ("1,2,3\n\n4,5,6,", "line 3: a row must have 3 numbers (slide, hinge, grip); this one has 4"),
        ("1,2,3\n4,,6", "line 2, column 'hinge': there must be a finite number; received ''"),
        ("1,x2,3", "line 1, column 'hinge': there must be a finite number; received 'x2'"),
        ("# so\ngrip,hinge,slide\n1,2,nan", "line 3, column 'slide': there must be a finite number"),
        ("1,2,3\n4,5,1e999", "line 2, column 'grip': there must be a finite number; received '1e999'"),
        ("1,2,1e99", "must lie within"),
        ("time,slide,hinge,grip\n0,1,2,3\n1,1,2,3\n1,4,5,6", "line 4: times must increase; 1 follows 1"),
        ("time,slide,hinge,grip\n9e307,1,2,3\n-9e307,1,2,3", "times must increase"),
    ],
)
def test_faults_are_told_with_their_place(fault, text, told):
    assert told in fault(text)


def test_what_may_be_a_name_or_a_number_is_told(read, fault):
    robot = fc.Robot({"base": (), "arm": ()}, [fc.Joint("1", "revolute", "base", "arm")])
    assert "line 1: is '1' a joint or a number? Write 1.0 for the latter" in fault("1\n2", robot)
    assert read("1.0\n2", robot).configurations.tolist() == [[1.0], [2.0]]


def test_limits_are_told_once_a_joint(read):
    assert list(beyond_limits(ROBOT, read("1,1,9\n-1,-1,9"))) == []
    assert list(beyond_limits(ROBOT, read("0,0,0\n2,1,1\n3,2,9"))) == [
        "joint 'slide' is at 2 in configuration 1, beyond [-1, 1]",
        "joint 'hinge' is at 2 in configuration 2, beyond [-1.5708, 1.5708]",
    ]
    told = list(beyond_limits(ROBOT, read("0,120,0", in_degrees=True)))
    assert told == ["joint 'hinge' is at 120 in configuration 0, beyond [-90, 90]"]
