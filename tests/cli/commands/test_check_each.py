"""Many motions of one file: each is what it is by itself, here or by workers."""

import json

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.main import main

PLACES = np.array([[-4.0, 0, 0], [-2, 0, 0], [2, 0, 0], [2, 3, 0], [-2, 3, 0], [0, 0, 0]])
THINGS = "sphere:0.5", "box:1,1,1"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "poses.csv"
    rows = [f"{10 * i},{x},{y},{z}" for i, (x, y, z) in enumerate(PLACES.tolist())]
    path.write_text("time,x,y,z\n" + "\n".join(rows) + "\n")
    return path


def run(*arguments):
    return main(["check", *THINGS, *map(str, arguments)])


def truth():
    poses = np.tile(np.eye(4), (len(PLACES), 1, 1))
    poses[:, :3, 3] = PLACES
    return fc.first_contacts(fc.Sphere(0.5).moving(poses[:-1], poses[1:]), fc.Box([1, 1, 1]))


def test_each_motion_is_told(file, capsys):
    assert run("--motion-a", file, "--each", "--exit-code") == 1
    shown = capsys.readouterr().out
    lines, found = shown.splitlines(), truth()
    assert lines[0].split()[:3] == ["motion", "t", "time"]
    assert [line.split()[0] for line in lines[1:3]] == ["1", "4"]
    assert float(lines[1].split()[1]) == found.time[1] <= 0.25
    assert 10 <= float(lines[1].split()[2]) <= 12.5
    assert "contact in 2 of 5 motions; the others are free, proven" in shown


def test_each_motion_as_json(file, capsys):
    assert run("--motion-a", file, "--each", "--json") == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    found = truth()
    assert (told["n_motions"], told["is_free"]) == (5, False)
    assert [one["is_free"] for one in told["motions"]] == (~found.hit).tolist()
    assert told["motions"][1]["t"] == found.time[1]
    assert told["motions"][1]["point"] == found.points[1].tolist()
    assert told["motions"][0]["t"] is told["motions"][0]["time"] is told["motions"][0]["point"] is None


def test_both_may_move_by_files(file, capsys):
    assert run("--motion-a", file, "--motion-b", file, "--each") == 0
    assert "contact in 5 of 5 motions" in capsys.readouterr().out
    assert run("--motion-a", file, "--start-b", "0,0,9", "--each", "--exit-code") == 0
    assert capsys.readouterr().out == "all 5 motions are free, proven\n"


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (["--each"], "--each goes through the rows of a motion file"),
        (["--cluster", "here"], "--cluster is for many motions: it goes with --each"),
        (["--motion-a", "FILE", "--each", "--spline"], "--spline is for one motion"),
        (["--motion-a", "FILE", "--each", "--view", "page.html"], "--view is for one motion"),
        (
            ["--motion-a", "FILE", "--each", "--start-a", "1,0,0"],
            "--motion-a says all of the motions: leave out",
        ),
        (
            ["--motion-a", "FILE", "--each", "--velocity-b", "1,0,0"],
            "with --each, B has a motion file or rests",
        ),
    ],
)
def test_what_has_no_meaning_is_told(file, capsys, arguments, rule):
    assert run(*(file if word == "FILE" else word for word in arguments)) == 2
    shown = capsys.readouterr()
    assert rule in shown.err
    assert shown.err.count("\n") == 1


def test_files_of_unequal_lengths_are_told(file, tmp_path, capsys):
    (tmp_path / "short.csv").write_text("0,0,0\n1,0,0\n")
    assert run("--motion-a", file, "--motion-b", tmp_path / "short.csv", "--each") == 2
    assert "batches must have the same length" in capsys.readouterr().err


@pytest.mark.cluster
@pytest.mark.filterwarnings("default")
def test_workers_give_the_same_words(file, capsys):
    pytest.importorskip("distributed")
    assert run("--motion-a", file, "--each", "--json") == 0
    here = capsys.readouterr().out
    assert run("--motion-a", file, "--each", "--json", "--cluster", "here") == 0
    assert capsys.readouterr().out == here
