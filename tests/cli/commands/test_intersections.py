import json

import pytest

from firstcontact.cli.main import main

BOXES = "box:2,2,2", "box:2,2,2", "--pose-a", "1,1,1"


def told(capsys, *arguments):
    assert main(["intersections", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_two_things(capsys):
    found = told(capsys, *BOXES)
    assert (found["pairs_of_faces"], found["curves"], found["closed_curves"], found["length"]) == (
        18,
        1,
        1,
        6.0,
    )
    assert len(found["faces_a"]) == len(found["segments"]) == 18
    assert found["points_of_curves"][0][0] == found["points_of_curves"][0][-1]


def test_oriented_boxes(capsys):
    usual, found = told(capsys, *BOXES), told(capsys, *BOXES, "--method", "obb")
    assert found.pop("stats")["volume_tests"] != usual.pop("stats")["volume_tests"]
    assert found == usual


def test_areas_have_no_segments(capsys):
    found = told(capsys, "box:2,2,2", "box:2,2,2", "--pose-a", "2,0,0")
    assert found["in_one_plane"] > 0
    assert (
        next(row for row, flat in zip(found["segments"], found["is_coplanar"], strict=True) if flat)[0][0]
        is None
    )


def test_a_mesh_alone_and_the_exit_status(capsys):
    assert told(capsys, "box:2,2,2")["pairs_of_faces"] == 0
    assert main(["intersections", "box:2,2,2", "--exit-code"]) == 0
    assert main(["intersections", *BOXES, "--exit-code"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].split() == ["length", "6.0"]


def test_a_page(capsys, tmp_path):
    page = tmp_path / "curve.html"
    assert main(["intersections", *BOXES, "--view", str(page)]) == 0
    assert "curve" in page.read_text(encoding="utf-8")
    assert str(page) in capsys.readouterr().out


def test_points_have_no_faces(capsys, tmp_path):
    assert main(["intersections", "nothing.stl"]) == 2
    assert "nothing.stl" in capsys.readouterr().err
