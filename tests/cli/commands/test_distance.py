import json

import pytest
import trimesh

from firstcontact.cli.main import main

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def run(*arguments):
    return main(["distance", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.fixture
def leaf(tmp_path):
    path = tmp_path / "leaf.obj"
    path.write_text(TRIANGLE)
    return path


def test_distance_and_closest_points(capsys, leaf):
    assert run(leaf, "sphere:1", "--pose-b", "0.25,0.25,3") == 0
    rows = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert {name: value.strip() for name, value in rows.items()} == {
        "distance": "2.0",
        "point a": "0.25, 0.25, 0",
        "point b": "0.25, 0.25, 2",
        "face a": "0",
        "face b": "-",
    }


def test_json(capsys, leaf):
    told = answer(capsys, leaf, leaf, "--pose-a", "0,0,2")
    assert (told["distance"], told["face_a"], told["face_b"]) == (2.0, 0, 0)
    assert told["point_a"][2] == 2.0
    assert (told["a"], told["b"], told["view"]) == (str(leaf), str(leaf), None)


def test_depth(capsys):
    told = answer(capsys, "box:2,2,2", "sphere:0.5", "--pose-b", "0.25,1.25,0", "--penetration")
    assert (told["is_overlapping"], told["depth"], told["direction"]) == (True, 0.25, [0.0, 1.0, 0.0])
    apart = ("box:2,2,2", "sphere:0.5", "--pose-b", "0,9,0", "--penetration")
    told = answer(capsys, *apart)
    assert (told["is_overlapping"], told["depth"], told["direction"]) == (False, 0.0, [None] * 3)
    assert run(*apart) == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["direction", "-"]


def test_what_is_inside_a_solid(capsys, tmp_path):
    crate = tmp_path / "crate.stl"
    trimesh.creation.box([4, 4, 4]).export(crate)
    assert answer(capsys, "sphere:1", crate)["distance"] == 1.0
    inside = answer(capsys, "sphere:1", crate, "--solid")
    assert (inside["distance"], inside["point_a"], inside["face_b"]) == (0.0, [0.0, 0.0, 0.0], None)
    assert run("sphere:1", crate, "--solid", "--penetration") == 2
    assert "--solid goes with the distance" in capsys.readouterr().err


def test_a_page_is_written(capsys, tmp_path):
    pytest.importorskip("k3d")
    page = tmp_path / "gap.html"
    assert run("sphere:1", "sphere:1", "--pose-a", "3,0,0", "--view", page) == 0
    assert capsys.readouterr().out.endswith(f"\n\na page is in {page}\n")
    assert page.is_file()


def test_bad_input_is_told(capsys, leaf):
    assert run(leaf, "box:1,1,1", "--penetration") == 2
    assert "penetration needs" in capsys.readouterr().err
    assert run(leaf, "box:1,1,1", "--pose-a", "1,2") == 2
    assert "--pose-a must have 3 finite numbers" in capsys.readouterr().err
