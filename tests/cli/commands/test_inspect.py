import json

import pytest
import trimesh

from firstcontact.cli.main import main


@pytest.fixture
def torn(tmp_path):
    """A box without two of its faces."""
    path, box = tmp_path / "torn.stl", trimesh.creation.box([1, 1, 1])
    trimesh.Trimesh(box.vertices, box.faces[2:], process=False).export(path)
    return str(path)


def test_what_is_unusual_is_told(capsys, torn):
    assert main(["inspect", torn]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("10 faces, 1 part, not closed")
    assert [line.split(":")[0] for line in lines[1:]] == ["4 open edges"]


def test_json_and_the_exit_status(capsys, torn):
    assert main(["inspect", torn, "--json", "--exit-code"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["faces"], told["is_closed"], told["open_edges"], told["slivers"]) == (10, False, 4, 0)
    assert main(["inspect", "box:1,1,1", "--exit-code"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "nothing unusual"


def test_a_page_shows_where(tmp_path, torn, capsys):
    page = tmp_path / "faults.html"
    assert main(["inspect", torn, "--view", str(page)]) == 0
    assert "open edges" in page.read_text(encoding="utf-8")
    assert str(page) in capsys.readouterr().out
