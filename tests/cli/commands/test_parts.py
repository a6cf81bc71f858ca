import json
from importlib.util import find_spec

import pytest
import trimesh

import firstcontact as fc
from firstcontact.cli.main import main
from firstcontact.queries.decomposing import convex_parts as home

needs_coacd = pytest.mark.skipif(find_spec("coacd") is None, reason="needs the extra parts")


@pytest.fixture
def beam(tmp_path):
    file = tmp_path / "beam.stl"
    trimesh.creation.box([2, 1, 1]).export(file)
    return str(file)


@needs_coacd
def test_parts_are_written_and_their_deviation_is_told(capsys, tmp_path, beam):
    file = tmp_path / "parts.npz"
    assert main(["parts", beam, "--tolerance", "0.2", "-o", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in told[:1]] == ["1"]
    assert told[-1] == f"the parts are in {file}"
    made = fc.load_compound(file)
    assert told[1].split() == ["parts", "to", "mesh", str(made.deviation.parts_to_mesh)]
    assert main(["distance", str(file), "sphere:1", "--pose-b", "3,0,0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["distance"] == pytest.approx(1.0, abs=made.deviation.largest)


@needs_coacd
def test_json_and_a_page(capsys, tmp_path, beam):
    page = tmp_path / "parts.html"
    assert main(["parts", beam, "--tolerance", "0.5", "--json", "--view", str(page)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["parts"], told["tolerance"], told["output"], told["view"]) == (1, 0.5, None, str(page))
    assert 0 < told["mesh_to_parts"] <= 0.5
    assert page.exists()


@needs_coacd
def test_what_takes_too_long_is_told(capsys, beam):
    assert main(["parts", beam, "--tolerance", "0.2", "--max-seconds", "0.001"]) == 2
    assert capsys.readouterr().err.startswith("firstcontact: CoACD was not done within max_seconds, 0.001")


def test_faults_are_told_in_a_sentence(capsys, monkeypatch, beam):
    monkeypatch.setattr(home, "find_spec", lambda name: None)
    for words, told in [
        ([beam, "--tolerance", "0.2"], "coacd is missing: `pip install 'firstcontact[parts]'` installs it"),
        ([beam, "--tolerance", "0.001"], "tolerance must be 0.01 or more, 0.005 of the mesh's longest side"),
        ([beam, "--tolerance", "0.2", "-o", "parts.obj"], "a compound must end in .npz; received parts.obj"),
        (["halfspace:0,0,1,0", "--tolerance", "1"], "parts looks at the faces of one mesh, and halfspace:"),
    ]:
        assert main(["parts", *words]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"firstcontact: {told}")
        assert error.count("\n") == 1
