import json

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.main import main

BALL = ("sphere:1", "--tolerance", "0.05")


def run(*arguments):
    return main(["field", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_a_field_is_written_and_read_again(capsys, tmp_path):
    file = tmp_path / "ball.npz"
    made = answer(capsys, *BALL, "--margin", "0.5", "-o", file)
    field = fc.DistanceField.load(file)
    assert field == fc.DistanceField.of(fc.Sphere(1), 0.05, margin=0.5)
    assert made["tolerance"] == 0.05
    assert made["has_inside"] is True
    assert made["cells"] == field.n_cells
    assert made["output"] == str(file)
    assert answer(capsys, file)["cells"] == field.n_cells
    assert run(file) == 0
    assert capsys.readouterr().out.startswith("tolerance")


def test_a_picture_and_a_page_of_a_slice(capsys, tmp_path):
    picture, page = tmp_path / "slice.png", tmp_path / "page.html"
    assert run(*BALL, "--slice", "z=0.5", "-o", picture, "--view", page) == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert page.exists()
    assert f"a picture is in {picture}" in capsys.readouterr().out
    assert run(*BALL, "--slice", "x=-0.5", "-o", tmp_path / "slice.svg") == 0


@pytest.mark.parametrize("end", ["stl", "obj", "ply"])
def test_an_offset_is_a_closed_mesh(capsys, tmp_path, end):
    file = tmp_path / f"offset.{end}"
    found = answer(capsys, *BALL, "--level", "0.2", "-o", file)
    mesh = fc.load(file)
    assert mesh.n_faces == found["triangles"]
    assert np.abs(np.linalg.norm(mesh.vertices, axis=1) - 1.2).max() < 0.1
    assert len(fc.depths(mesh)) == 0  # which needs closed meshes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sphere:1", "-o", "{}/f.txt"], "a field must end in .npz"),
        (["sphere:1", "--slice", "z=0"], "--slice needs a picture to write to"),
        (["sphere:1", "--level", "0"], "--level needs a mesh to write to"),
        (["sphere:1", "--level", "0", "-o", "{}/f.png"], "a mesh must end in .stl"),
        (["sphere:1", "--level", "9", "-o", "{}/f.stl"], "level 9"),
        (["sphere:1", "--slice", "z=0", "--level", "0", "-o", "{}/f.png"], "give one of them"),
        (["sphere:1", "--slice", "w=0", "-o", "{}/f.png"], "a plane must be an axis and a number"),
        (["sphere:1", "--slice", "z=nan", "-o", "{}/f.png"], "a plane must be an axis and a number"),
        (["sphere:1", "--slice", "z=99", "-o", "{}/f.png"], "does not meet the field's box"),
        (["sphere:1", "--slice", "z=0", "-o", "{}/f.nothing"], "must end as a picture does"),
        (["sphere:1", "--slice", "z=0", "-o", "{}/no/f.png"], "cannot be written"),
        (["sphere:1", "-o", "{}/no/f.npz"], "cannot be written"),
        (["sphere:1", "--tolerance", "-1"], "there must be a finite number"),
        (["sphere:1", "--tolerance", "1e-9"], "tolerance"),
        (["{}/none.npz"], "none.npz"),
        (["{}/none.npz", "--tolerance", "1"], "--tolerance is for a field that is made"),
        (["{}/none.stl"], "none.stl"),
    ],
)
def test_bad_input_is_told_in_one_sentence(capsys, tmp_path, arguments, words):
    given = [word.replace("{}", str(tmp_path)) for word in arguments]
    try:
        status = run(*given)
    except SystemExit as error:
        status = error.code
    told = capsys.readouterr().err
    assert status == 2
    assert told.startswith("firstcontact: ")
    assert told.count("\n") == 1
    assert words in told
