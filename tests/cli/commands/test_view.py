import sys

import numpy as np
import pytest

from articulated.robot_files import collision, joint, link, robot, written
from firstcontact.cli.frame_view import frame_view
from firstcontact.cli.main import main
from firstcontact.cli.texts.frames import frames_of

LEAF = "v -9 -9 0\nv 9 -9 0\nv 0 9 0\nv 0 0 {0}\nv 1 0 {1}\nv 0 1 {1}\nf 1 2 3\nf 4 5 6\n"
URDF = robot(
    link("base"),
    link("cart", collision("<sphere radius='0.25'/>")),
    joint("slide", "prismatic", "base", "cart", "<axis xyz='1 0 0'/>"),
)
WALL = "v 2 -9 -0.5\nv 2 9 -0.5\nv 2 0 0.5\nf 1 2 3\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files to look at, to be in."""
    for i, height in enumerate((2, 1, -1)):
        written(tmp_path / "frames" / f"leaf{9 + i}.obj", LEAF.format(height, height + 1))
    written(tmp_path / "toy.urdf", URDF)
    written(tmp_path / "wall.obj", WALL)
    written(tmp_path / "path.csv", "0\n1\n3\n")
    written(tmp_path / "poses.csv", "0,0,0\n1,0,0\n1,1,0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return main(["view", *map(str, arguments)])


@pytest.mark.parametrize(
    "arguments",
    [
        ("wall.obj",),
        ("box:1,1,1", "--angular-velocity-a", "0,0,90"),
        ("box:1,1,1", "wall.obj", "--velocity-a", "3,0,0"),
        ("frames",),
        ("toy.urdf", "--path", "path.csv"),
        ("toy.urdf", "--path", "path.csv", "--spline"),
        ("box:1,1,1", "--motion-a", "poses.csv", "--spline"),
        ("toy.urdf", "--path", "path.csv", "--world", "wall.obj"),
    ],
)
def test_a_page_is_written(folder, capsys, arguments):
    pytest.importorskip("k3d")
    assert run(*arguments, "-o", "page.html") == 0
    assert capsys.readouterr().out == "a page is in page.html\n"
    assert arguments[0].split(".")[0] in (folder / "page.html").read_text(encoding="utf-8")


def test_without_a_name_a_browser_opens_it(folder, capsys, monkeypatch):
    pytest.importorskip("k3d")
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    assert run("wall.obj") == 0
    (address,) = opened
    assert capsys.readouterr().out == f"a page is in {address.removeprefix('file://')}\n"


def test_frames_are_seen_with_their_contacts(folder):
    seen = frame_view(frames_of([folder / "frames"]), "leaf")
    assert seen.span == (0.0, 2.0)
    assert seen.bodies[0].frames[:, 3, 2].tolist() == [2.0, 1.0, -1.0]  # leaf9, leaf10, leaf11
    (moment,) = seen.moments
    assert moment.time == pytest.approx(1.5)
    assert moment.until == 2.0
    np.testing.assert_allclose(moment.points[0], [0, 0, 0], atol=1e-6)


def test_frames_that_do_not_match_are_told(folder, capsys):
    written(folder / "frames" / "leaf12.obj", WALL)
    assert run("frames") == 2
    assert "leaf12.obj has other vertices or faces than" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("a.obj", "b.obj", "c.obj"), "one or two things can be shown; received 3"),
        (("wall.obj", "--path", "path.csv"), "--path has no meaning for what is no robot"),
        (("wall.obj", "--end-b", "0,0,1"), "--end-b has no meaning for one thing alone"),
        (("frames", "--start-a", "0,0,1"), "--start-a has no meaning for frames"),
        (("frames", "wall.obj"), "frames must be given alone; received 2"),
        (("toy.urdf",), "toy.urdf needs --path"),
        (("toy.urdf", "--velocity-a", "0,0,1"), "--velocity-a has no meaning for a robot"),
        (("gone.npz",), "there is no file gone.npz"),
        (("gone",), "a mesh file must end in one of"),
    ],
)
def test_bad_input_is_told(folder, capsys, arguments, told):
    assert run(*arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"firstcontact: {told}")


def test_without_k3d_it_says_what_to_install(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "k3d", None)
    assert run("wall.obj", "-o", "page.html") == 2
    assert "pip install 'firstcontact[view]'" in capsys.readouterr().err
    assert not (folder / "page.html").exists()
