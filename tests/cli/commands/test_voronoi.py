"""`firstcontact voronoi`."""

import json

import numpy as np
import pytest

from firstcontact.cli.main import main


def answer(capsys, *arguments):
    assert main(["voronoi", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "points.csv").write_text("0.25,0.5\n0.75,0.5\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_points_of_a_file_in_the_plane(capsys, folder):
    told = answer(
        capsys, "points.csv", "--bounds", "0,0,1,1", "--resolution", 10, "-o", "d.npz", "--picture", "d.png"
    )
    assert told["cells"] == "10 x 10"
    assert (told["sites"], told["regions"], told["neighbors"]) == (2, 2, 1)
    with np.load("d.npz") as stored:
        assert stored["ids"].sum() == 50
        assert stored["neighbors"].tolist() == [[0, 1]]
        assert stored["error"] == told["error"] < 1e-13
    assert (folder / "d.png").read_bytes().startswith(b"\x89PNG")


def test_things_in_space_solid_and_drawn(capsys, folder):
    arguments = ["box:1,1,1", "sphere:0.2", "--bounds=-1,-1,-1,1,1,1", "--resolution", 9, "--solid"]
    told = answer(capsys, *arguments, "--picture", "d.svg", "--plane", "x=0")
    assert told["least"] < -0.4
    assert b"svg" in (folder / "d.svg").read_bytes()
    assert main(["voronoi", "sphere:0.2", "--bounds", "0,0,0,1,1,1", "--resolution", "4", "--farthest"]) == 0
    assert "4 x 4 x 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["points.csv", "--bounds", "0,0,1"], "--bounds must have four numbers, or six"),
        (["points.csv", "--bounds", "0,0,0,1,1,1"], "points.csv, line 1: a row must have 3 numbers"),
        (["nowhere.csv", "--bounds", "0,0,1,1"], "there is no file nowhere.csv"),
        (["points.csv", "--bounds", "0,0,0,1"], "bounds must have upper ends above the lower ones"),
        (["points.csv", "--bounds", "0,0,1,1", "--plane", "z=0"], "--plane has no meaning without --picture"),
        (["points.csv", "--bounds", "0,0,1,1", "-o", "d.txt"], "a diagram is written to an .npz file"),
        (["points.csv", "--bounds", "0,0,1,1", "--picture", "d.txt"], "a picture must end in .png, .svg or"),
        (["points.csv", "--bounds", "0,0,1,1", "--solid"], "solid has no meaning where no site is closed"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, folder, arguments, sentence):
    assert main(["voronoi", *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.strip().splitlines()) == 1
