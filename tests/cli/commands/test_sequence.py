import csv
import json

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.main import main
from firstcontact.cli.texts import contact_file

FACES = [[0, 1, 2], [3, 4, 5]]
HEIGHTS = (3.0, 2.0, 1.0, -1.0, -2.0)  # of a leaf above a floor: it falls through in step 2, at t = 1/2
COLUMNS = (
    "kind",
    "ids_a",
    "ids_b",
    "vertex_ids",
    "time",
    "time_upper",
    "points",
    "normals",
    "closing_speed",
    "weights",
    "status",
    "gap",
    "velocities",
)
CONTACT, FAILED = 1, 2


def places(height):
    floor = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]
    return np.array([*floor, [0.0, 0.0, height], [1.0, 0.0, height + 1], [0.1, 1.0, height + 1]])


def write_obj(path, vertices, faces=FACES):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def files(tmp_path):
    return [write_obj(tmp_path / f"leaf{i}.obj", places(height)) for i, height in enumerate(HEIGHTS)]


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "leaf.npz"
    np.savez(path, vertices=np.stack([places(height) for height in HEIGHTS]), faces=np.array(FACES))
    return path


def run(*arguments):
    return main(["sequence", *map(str, arguments)])


def truth(i, **options):
    """The contacts of step i."""
    return fc.contacts(fc.Mesh(places(0.0), FACES).deforming(*map(places, HEIGHTS[i : i + 2])), **options)


def outcomes(capsys):
    """The number of contacts of each step, or "skipped", from the table."""
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert lines[0].split() == ["step", "frames", "contacts", "first", "time", "seconds"]
    rows = [line.split() for line in lines[1:]]
    assert [row[0] for row in rows] == [str(i) for i in range(len(rows))]
    return [row[4] for row in rows]


def expected():
    return [str(len(truth(i))) for i in range(len(HEIGHTS) - 1)]


def test_every_step_is_checked(files, capsys):
    assert run(*files) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert [line.split()[4] for line in lines[1:5]] == expected()
    assert lines[3].split()[1:4] == ["leaf2.obj", "->", "leaf3.obj"]
    assert float(lines[3].split()[5]) == truth(2).time[0] <= 0.5
    assert lines[1].split()[5] == "none"
    assert lines[-1].startswith("4 of 4 steps checked: ")
    assert lines[-1].endswith(f"the first in step 2 at t = {truth(2).time[0]}")
    assert shown.err == ""


def test_an_archive_is_a_sequence(archive, capsys):
    assert run(archive) == 0
    assert outcomes(capsys) == expected()


def test_without_contacts_this_is_said(files, capsys):
    assert run(*files[:2], "--exit-code") == 0
    assert "1 of 1 steps checked: no contact" in capsys.readouterr().out


def test_a_contact_is_a_failure_on_request(files):
    assert run(*files) == 0
    assert run(*files, "--exit-code") == CONTACT


def test_separation_reaches_the_query(files, capsys):
    assert run(*files[:2], "--min-separation", "2.5") == 0
    assert outcomes(capsys) == [str(len(truth(0, min_separation=2.5)))]
    assert len(truth(0, min_separation=2.5)) > 0


def test_an_archive_of_contacts(files, tmp_path):
    assert run(*files, "-o", tmp_path / "out.npz") == 0
    parts = [truth(i) for i in range(4)]
    with np.load(tmp_path / "out.npz", allow_pickle=False) as found:
        assert sorted(found.files) == sorted([*COLUMNS, "step", "skipped"])
        assert found["step"].tolist() == [i for i, part in enumerate(parts) for _ in range(len(part))]
        assert found["skipped"].tolist() == []
        for name in COLUMNS:
            whole = np.concatenate([getattr(part, name) for part in parts])
            assert found[name].dtype == whole.dtype
            np.testing.assert_array_equal(found[name], whole)


def test_contacts_as_json(files, tmp_path):
    assert run(*files, "-o", tmp_path / "out.json") == 0
    steps = json.loads((tmp_path / "out.json").read_text())
    assert [step["step"] for step in steps] == [0, 1, 2, 3]
    assert [step["n_contacts"] for step in steps] == [len(step["contacts"]) for step in steps]
    assert steps[0]["first_time"] is None
    assert steps[2]["first_time"] == truth(2).time[0]
    assert steps[2]["frames"] == [str(files[2]), str(files[3])]
    assert steps[2]["skipped"] is None
    assert set(steps[2]["contacts"][0]) == set(COLUMNS)
    assert steps[2]["contacts"][0]["kind"] == "vertex-face"
    assert steps[2]["contacts"][0]["status"] == "contact"
    assert steps[2]["contacts"][0]["points"] == truth(2).points[0].tolist()


def test_contacts_as_csv(files, tmp_path):
    assert run(*files, "-o", tmp_path / "out.csv") == 0
    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["step"] for row in rows] == [str(i) for i in range(4) for _ in range(len(truth(i)))]
    first, of_step = rows[0], truth(2)
    assert first["kind"] == "vertex-face"
    assert [float(first[f"points_{axis}"]) for axis in "xyz"] == of_step.points[0].tolist()
    assert [int(first[f"vertex_ids_{i}"]) for i in range(4)] == of_step.vertex_ids[0].tolist()
    assert [float(first[f"weights_{i}"]) for i in range(4)] == of_step.weights[0].tolist()
    assert float(first["time"]) == of_step.time[0]


@pytest.mark.parametrize("extension", ["npz", "json", "csv"])
def test_only_the_first_contact(files, tmp_path, extension):
    output = tmp_path / f"out.{extension}"
    assert run(*files, "--first", "--exit-code", "-o", output) == CONTACT
    first = fc.first_contact(fc.Mesh(places(0.0), FACES).deforming(places(1.0), places(-1.0)))
    if extension == "npz":
        with np.load(output) as found:
            assert found["time"][found["step"] == 2].tolist() == [first.time] * len(first.features)
            assert found["ids_b"].dtype == np.int32
            assert sorted(found.files) == sorted([*COLUMNS, "step", "skipped"])
    elif extension == "json":
        assert json.loads(output.read_text())[2]["first_time"] == first.time
    else:
        assert f",{first.time!r}," in output.read_text()


@pytest.mark.parametrize("extension", ["npz", "json", "csv"])
def test_a_sequence_without_contacts_makes_a_file_without_rows(files, tmp_path, extension):
    output = tmp_path / f"out.{extension}"
    assert run(*files[:3], "-o", output) == 0
    if extension == "npz":
        with np.load(output) as found:
            assert [len(found[name]) for name in (*COLUMNS, "step")] == [0] * 14
    elif extension == "json":
        assert [step["contacts"] for step in json.loads(output.read_text())] == [[], []]
    else:
        assert len(output.read_text().splitlines()) == 1


@pytest.mark.parametrize("damage", [b"", b"v 1 2\n", b"v 0 0 nan\nf 1 1 1\n", None])
def test_a_damaged_frame_costs_only_its_steps(files, tmp_path, capsys, damage):
    files[1].unlink() if damage is None else files[1].write_bytes(damage)
    assert run(*files, "-o", tmp_path / "out.npz") == FAILED
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert "leaf1.obj" in shown.err
    assert "steps 0 and 1 are skipped" in shown.err
    lines = shown.out.splitlines()
    assert [line.split()[4] for line in lines[1:5]] == ["skipped", "skipped", *expected()[2:]]
    assert "2 of 4 steps checked" in shown.out
    with np.load(tmp_path / "out.npz") as found:
        assert found["skipped"].tolist() == [0, 1]
        assert len(found["time"]) == len(truth(2)) + len(truth(3))


def test_a_contact_is_told_even_if_steps_were_skipped(files):
    files[0].write_text("")
    assert run(*files, "--exit-code") == CONTACT
    assert run(*files[:2], "--exit-code") == FAILED


def test_a_damaged_frame_of_an_archive(tmp_path, capsys):
    vertices = np.stack([places(height) for height in HEIGHTS])
    vertices[4, 5, 1] = np.inf
    np.savez(tmp_path / "bad.npz", vertices=vertices, faces=np.array(FACES))
    assert run(tmp_path / "bad.npz") == FAILED
    assert "bad.npz: frame 4 must be finite; row 5 has inf: step 3 is skipped" in capsys.readouterr().err


def test_other_faces_are_a_mismatch_and_a_new_beginning(files, capsys):
    for i in (3, 4):
        write_obj(files[i], places(HEIGHTS[i]), [[0, 2, 1], [3, 4, 5]])
    assert run(*files) == FAILED
    shown = capsys.readouterr()
    assert "leaf3.obj has other faces than" in shown.err
    assert "step 2 is skipped" in shown.err
    results = [line.split()[4] for line in shown.out.splitlines()[1:5]]
    assert results[:3] == ["0", "0", "skipped"]
    assert results[3] != "skipped"


def test_another_number_of_vertices_is_a_mismatch(files, capsys):
    write_obj(files[4], np.vstack([places(0.0), [[0.0, 0.0, 0.0]]]))
    assert run(*files) == FAILED
    assert "leaf4.obj has 7 vertices, " in capsys.readouterr().err


@pytest.mark.parametrize("extension", ["npz", "json", "csv"])
def test_a_sequence_of_which_nothing_can_be_read(files, tmp_path, extension):
    for file in files:
        file.write_text("nothing")
    assert run(*files, "-o", tmp_path / f"out.{extension}") == FAILED
    if extension == "npz":
        with np.load(tmp_path / "out.npz") as found:
            assert found["skipped"].tolist() == [0, 1, 2, 3]
            assert found["time"].shape == (0,)
    elif extension == "json":
        assert all(step["skipped"] for step in json.loads((tmp_path / "out.json").read_text()))


def failure(capsys, *arguments):
    """Run a command that cannot be carried out, and give the one sentence that it says."""
    assert run(*arguments) == FAILED
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    return shown.err


def test_without_frames_the_usage_is_told(capsys):
    with pytest.raises(SystemExit) as caught:
        run()
    assert caught.value.code == FAILED
    assert "FRAME" in capsys.readouterr().err


def test_one_frame_is_no_step(files, capsys):
    assert "nothing to check: a step needs two frames; received 1" in failure(capsys, files[0])


@pytest.mark.parametrize("n_frames", [0, 1])
def test_a_short_archive_has_no_step(tmp_path, capsys, n_frames):
    np.savez(tmp_path / "short.npz", vertices=np.zeros((n_frames, 6, 3)), faces=FACES)
    assert f"received {n_frames}" in failure(capsys, tmp_path / "short.npz")


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 broken"])
def test_a_damaged_archive_is_told(tmp_path, capsys, content):
    (tmp_path / "bad.npz").write_bytes(content)
    assert "bad.npz is not an .npz file that can be read" in failure(capsys, tmp_path / "bad.npz")


def test_a_missing_archive_is_told(tmp_path, capsys):
    assert "there is no file" in failure(capsys, tmp_path / "gone.npz")


@pytest.mark.parametrize(
    ("arrays", "rule"),
    [
        ({"vertices": np.zeros((2, 6, 3))}, "must hold the arrays vertices and faces; it has vertices"),
        (
            {"vertices": np.zeros((6, 3)), "faces": FACES},
            r"vertices must have shape (k, n, 3); received (6, 3)",
        ),
        (
            {"vertices": np.zeros((2, 6, 3)), "faces": [[0, 1, 6]]},
            "faces must be integers in [0, 6); row 0 has 6",
        ),
        (
            {"vertices": np.zeros((2, 6, 3)), "faces": [[0.0, 1.0, 2.0]]},
            "faces must be integers; received float64",
        ),
    ],
)
def test_an_archive_of_something_else_is_told(tmp_path, capsys, arrays, rule):
    np.savez(tmp_path / "odd.npz", **arrays)
    assert rule in failure(capsys, tmp_path / "odd.npz")


def test_an_archive_stands_alone(files, archive, capsys):
    assert "must be given alone" in failure(capsys, files[0], archive)


@pytest.mark.parametrize("name", ["out.txt", "out", "out.npz.gz"])
def test_an_unknown_format_is_told_before_any_work(tmp_path, capsys, name):
    gone = [tmp_path / "gone.obj"] * 2
    assert "must end in one of .npz, .json, .csv" in failure(capsys, *gone, "-o", tmp_path / name)


def test_an_output_that_has_no_place_is_told_before_any_work(tmp_path, files, capsys):
    (tmp_path / "folder.csv").mkdir()
    assert "it is a folder" in failure(capsys, *files, "-o", tmp_path / "folder.csv")
    assert "there is no folder" in failure(capsys, *files, "-o", tmp_path / "no" / "out.csv")


def test_frames_are_never_overwritten(archive, capsys):
    before = archive.read_bytes()
    assert "the output needs another name" in failure(capsys, archive, "-o", archive)
    assert archive.read_bytes() == before


def test_a_failure_leaves_no_half_file(files, tmp_path, capsys, monkeypatch):
    def broken(stream, _steps):
        stream.write(b"half")
        raise OSError(28, "No space left on device")

    output = tmp_path / "out.csv"
    output.write_text("an older answer")
    monkeypatch.setitem(contact_file._WRITERS, ".csv", broken)
    assert "cannot be written: No space left on device" in failure(capsys, *files, "-o", output)
    assert output.read_text() == "an older answer"
    assert list(tmp_path.glob("*.part")) == []


@pytest.mark.parametrize("value", ["-1", "nan", "two"])
def test_a_bad_separation_is_told(files, capsys, value):
    with pytest.raises(SystemExit) as caught:
        run(*files, f"--min-separation={value}")
    assert caught.value.code == FAILED
    assert "--min-separation" in capsys.readouterr().err


@pytest.mark.shared_data
def test_a_real_sequence_is_checked(shared_data, tmp_path, capsys):
    path, output = shared_data("sequences/rumba.npz"), tmp_path / "out.npz"
    assert run(path, "--first", "--exit-code", "-o", output) == CONTACT
    assert "39 of 39 steps checked" in capsys.readouterr().out


def test_json_tells_of_every_step(files, capsys):
    assert run(*files, "--json", "--exit-code") == CONTACT
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (told["n_steps"], told["n_checked"], told["is_free"]) == (4, 4, False)
    assert [step["t"] for step in told["steps"]][:2] == [None, None]
    assert told["steps"][2]["t"] == truth(2).time[0]
    assert told["steps"][2]["n_contacts"] == len(truth(2))


def test_json_of_a_step_that_was_skipped(files, capsys):
    files[1].write_text("nothing")
    assert run(*files[:3], "--json") == FAILED
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (told["n_checked"], told["is_free"]) == (0, False)
    assert told["steps"][0]["skipped"]


@pytest.mark.parametrize(
    ("name", "said"), [("missing.obj", "there is no file"), ("missing.npz", "there is no file")]
)
def test_one_frame_that_is_missing_is_named(name, said, capsys):
    assert main(["sequence", name]) == 2
    told = capsys.readouterr().err
    assert f"{said} {name}" in told
    assert "nothing to check" not in told
