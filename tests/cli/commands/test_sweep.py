import json

import numpy as np
import pytest

import firstcontact as fc
from articulated.robot_files import collision, joint, link, robot, written
from firstcontact.cli.main import main

URDF = robot(
    link("base"),
    link("cart", collision("<sphere radius='0.25'/>")),
    joint("slide", "prismatic", "base", "cart", "<axis xyz='1 0 0'/>"),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    written(tmp_path / "toy.urdf", URDF)
    written(tmp_path / "path.csv", "0\n1\n3\n")
    written(tmp_path / "poses.csv", "0,0,0\n1,0,0\n1,1,0\n")
    box = fc.Box([1, 1, 1]).mesh
    np.savez(tmp_path / "frames.npz", vertices=[box.vertices, box.vertices + 1], faces=box.faces)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys, *arguments):
    assert main(["sweep", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_a_sweep_is_written_as_a_closed_mesh(capsys, folder):
    told = answer(capsys, "sphere:0.5", "--velocity-a", "2,0,0", "--tolerance", "0.1", "-o", "sweep.stl")
    mesh = fc.load("sweep.stl")
    assert mesh.n_faces == told["triangles"]
    assert 0.0 < told["outer_error"] <= told["tolerance"] == 0.1
    assert fc.contains(mesh, [[0.0, 0, 0], [2, 0, 0], [2.49, 0, 0]]).all()
    assert told["volume"] > 2.0
    assert told["output"] == "sweep.stl"


def test_inner_and_capsules(capsys, folder):
    inner = answer(capsys, "sphere:0.5", "--velocity-a", "2,0,0", "--tolerance", "0.1", "--inner")
    around = answer(
        capsys, "box:1,1,1", "--velocity-a", "2,0,0", "--tolerance", "0.2", "--method", "capsules"
    )
    assert inner["volume"] < 2.1 < around["volume"]
    assert inner["outer_error"] == 0.0 < around["outer_error"]


def test_robots_frames_and_motion_files(capsys, folder):
    swept = answer(capsys, "toy.urdf", "--path", "path.csv", "--links", "cart", "--tolerance", "0.1")
    assert swept["box_from"][0] < -0.25 < 3.25 < swept["box_to"][0]
    pressed = answer(capsys, "frames.npz", "--tolerance", "0.2")
    assert pressed["box_to"][0] > 1.5
    moved = answer(capsys, "sphere:0.2", "--motion-a", "poses.csv", "--tolerance", "0.1")
    assert moved["box_to"][1] > 1.2


def test_a_table_and_a_page(capsys, folder):
    assert main(["sweep", "box:1,1,1", "--tolerance", "0.3", "--view", "page.html", "-o", "s.ply"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("tolerance")
    assert "a page is in page.html" in told
    assert "a mesh is in s.ply" in told
    assert "sweep" in (folder / "page.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["box:1,1,1", "-o", "s.txt"], "a mesh must end in .stl"),
        (["box:1,1,1", "--links", "hand"], "--links has no meaning for what is no robot"),
        (["toy.urdf"], "needs --path"),
        (["toy.urdf", "--path", "path.csv", "--velocity-a", "1,0,0"], "has no meaning for a robot"),
        (["toy.urdf", "--path", "path.csv", "--links", "hand"], "there is no link 'hand'"),
        (["frames.npz", "--spline"], "--spline has no meaning for frames"),
        (["frames.npz", "--method", "capsules"], "method has no meaning for what deforms"),
        (["box:1,1,1", "-o", "missing/s.stl"], "cannot be written"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(capsys, folder, arguments, words):
    assert main(["sweep", *arguments]) == 2
    assert words in capsys.readouterr().err
