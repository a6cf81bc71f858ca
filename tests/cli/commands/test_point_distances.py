"""`firstcontact distance --points`."""

import json

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.main import main

POINTS = np.array([[0.0, 0.0, 3.0], [0.0, 0.0, 0.5], [1.0, 1.0, 1.0]])


@pytest.fixture
def points(tmp_path):
    file = tmp_path / "points.csv"
    file.write_text("x,y,z\n" + "\n".join(",".join(map(str, row)) for row in POINTS.tolist()))
    return file


def test_points_of_a_file(points, capsys):
    assert not main(["distance", "box:2,2,2", "--points", str(points), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["distance"] == [2.0, -0.5, 0.0]
    assert (answer["points"], answer["inside"], answer["sign"]) == (3, 1, "convex")
    assert not main(["distance", "box:2,2,2", "--points", str(points), "--pose-a", "0,0,1"])
    assert "convex" in capsys.readouterr().out


def test_what_is_written(points, tmp_path, capsys):
    expected = fc.signed_distance(fc.Box([2, 2, 2]), POINTS)
    for name in ("found.csv", "found.npz"):
        assert not main(["distance", "box:2,2,2", "--points", str(points), "-o", str(tmp_path / name)])
        assert name in capsys.readouterr().out
    table = np.loadtxt(tmp_path / "found.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(table[:, 0], expected.distance)
    np.testing.assert_array_equal(table[:, 1:4], expected.points)
    with np.load(tmp_path / "found.npz") as arrays:
        np.testing.assert_array_equal(arrays["normals"], expected.normals)


def test_arrays_of_points(tmp_path, capsys):
    np.save(tmp_path / "points.npy", POINTS)
    assert not main(["distance", "sphere:1", "--points", str(tmp_path / "points.npy")])
    assert "least" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (["box:1,1,1", "--points", "FILE"], "B has no meaning with --points"),
        (["--points", "FILE", "--solid"], "--solid has no meaning with --points"),
        (["--points", "missing.csv"], "there is no file missing.csv"),
        (["--points", "FILE", "--sign", "winding"], "sign is for meshes"),
        ([], "B is missing; or --points FILE"),
        (["box:1,1,1", "-o", "x.csv"], "-o and --sign go with --points"),
        (["--points", "BAD"], "must have three numbers a line; line 1 has 1 2"),
    ],
)
def test_what_is_refused(rest, message, points, tmp_path, capsys):
    bad = tmp_path / "bad.txt"
    bad.write_text("1 2\n")
    names = {"FILE": str(points), "BAD": str(bad)}
    assert main(["distance", "sphere:1", *(names.get(word, word) for word in rest)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("shape", [(3,), (2, 2, 3), (4, 2)])
def test_arrays_of_another_shape_are_refused(tmp_path, capsys, shape):
    file = tmp_path / "points.npy"
    np.save(file, np.zeros(shape))
    assert main(["distance", "sphere:1", "--points", str(file), "-o", str(tmp_path / "answer.csv")]) == 2
    assert f"must have an array of shape (n, 3); it has {shape}" in capsys.readouterr().err


def test_an_archive_of_arrays_is_no_array(tmp_path, capsys):
    np.savez(tmp_path / "points.npz", points=POINTS)
    file = (tmp_path / "points.npz").rename(tmp_path / "points.npy")
    assert main(["distance", "sphere:1", "--points", str(file)]) == 2
    assert "is no file of a numpy array" in capsys.readouterr().err
