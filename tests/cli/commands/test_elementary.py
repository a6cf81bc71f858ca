import json

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.commands import elementary
from firstcontact.cli.main import main

ANSWERS = ("hit", "time", "time_upper", "weights", "status")


@pytest.fixture
def queries():
    return np.random.default_rng(3).random((2, 500, 4, 3))


@pytest.fixture
def file(tmp_path, queries):
    path = tmp_path / "random-vf.npz"
    np.savez(path, start=queries[0], end=queries[1])
    return path


def assert_answers(path, expected):
    with np.load(path, allow_pickle=False) as answers:
        assert sorted(answers.files) == sorted(ANSWERS)
        for key in ANSWERS:
            np.testing.assert_array_equal(answers[key], getattr(expected, key))


def test_answers_are_written_beside_the_file(file, queries, capsys):
    assert main(["elementary", str(file)]) == 0
    assert_answers(file.with_name("random-vf.contacts.npz"), fc.vertex_face_ccd(*queries))
    shown = capsys.readouterr().out
    for word in ("vertex-face", "queries", "500", "hits", "undecided", "first time", "seconds", "µs a query"):
        assert word in shown


def test_chunks_make_no_difference(file, queries, monkeypatch):
    monkeypatch.setattr(elementary, "_CHUNK", 77)
    assert main(["elementary", str(file)]) == 0
    assert_answers(file.with_name("random-vf.contacts.npz"), fc.vertex_face_ccd(*queries))


def test_options_reach_the_query(file, queries, tmp_path):
    output = tmp_path / "answers.npz"
    options = ["--exact", "--max-time", "0.5", "--min-separation", "1e-3", "--time-tolerance", "1e-6"]
    assert main(["elementary", str(file), "--kind", "edge-edge", "-o", str(output), *options]) == 0
    expected = fc.edge_edge_ccd(*queries, exact=True, max_time=0.5, min_separation=1e-3, time_tolerance=1e-6)
    assert_answers(output, expected)


@pytest.mark.parametrize(
    ("stem", "kind"),
    [("a-vf", "vertex-face"), ("a-ee", "edge-edge"), ("a_ee", "edge-edge"), ("tree", "vertex-face")],
)
def test_the_kind_comes_from_the_name(tmp_path, queries, capsys, stem, kind):
    path = tmp_path / f"{stem}.npz"
    np.savez(path, start=queries[0, 0], end=queries[1, 0])
    assert main(["elementary", str(path)]) == 0
    assert kind in capsys.readouterr().out


def test_a_file_without_queries_is_answered(tmp_path, capsys):
    path = tmp_path / "none.npz"
    np.savez(path, start=np.empty((0, 4, 3)), end=np.empty((0, 4, 3)))
    assert main(["elementary", str(path)]) == 0
    assert "none" in capsys.readouterr().out


def test_json_and_the_exit_status(file, queries, capsys):
    assert main(["elementary", str(file), "--json", "--exit-code"]) == 1
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    found = fc.vertex_face_ccd(*queries)
    assert (told["queries"], told["hits"], told["t"]) == (500, found.hit.sum(), found.time.min())
    assert told["output"] == str(file.with_name("random-vf.contacts.npz"))


def test_json_without_hits(tmp_path, capsys):
    path = tmp_path / "none.npz"
    np.savez(path, start=np.empty((0, 4, 3)), end=np.empty((0, 4, 3)))
    assert main(["elementary", str(path), "--json", "--exit-code"]) == 0
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["t"] is None


def failure(capsys, *arguments):
    """Run a command that should fail, and give the one sentence that it says."""
    assert main(["elementary", *map(str, arguments)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    return shown.err


def test_a_missing_file_is_told(tmp_path, capsys):
    assert "there is no file" in failure(capsys, tmp_path / "gone.npz")


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 broken"])
def test_a_damaged_file_is_told(tmp_path, capsys, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    assert "bad.npz is not an .npz file that can be read" in failure(capsys, path)


def test_a_truncated_file_is_told(file, capsys):
    file.write_bytes(file.read_bytes()[:-300])
    assert "is not an .npz file" in failure(capsys, file)


def test_pickles_and_bare_arrays_are_refused(tmp_path, capsys, queries):
    np.savez(tmp_path / "pickle.npz", start=np.array([{}]), end=np.array([{}]))
    assert "is not an .npz file" in failure(capsys, tmp_path / "pickle.npz")
    np.save(tmp_path / "bare.npy", queries)
    assert "is not an .npz file" in failure(capsys, tmp_path / "bare.npy")


def test_missing_arrays_are_told(tmp_path, capsys, queries):
    np.savez(tmp_path / "half.npz", start=queries[0], finish=queries[1])
    assert "must hold the arrays start and end; it has start, finish" in failure(
        capsys, tmp_path / "half.npz"
    )


def test_bad_arrays_are_told_with_their_row(tmp_path, capsys, queries):
    queries[1, 321, 0, 0] = np.nan
    np.savez(tmp_path / "nan.npz", start=queries[0], end=queries[1])
    assert "nan.npz: end must be finite; row 321 has nan" in failure(capsys, tmp_path / "nan.npz")


def test_an_output_that_cannot_be_written_is_told(file, tmp_path, capsys):
    assert "cannot be written" in failure(capsys, file, "-o", tmp_path / "no" / "folder.npz")


@pytest.mark.parametrize("value", ["-1", "nan", "two", "1.5"])
def test_bad_option_values_are_told(file, capsys, value):
    with pytest.raises(SystemExit) as caught:
        main(["elementary", str(file), f"--max-time={value}"])
    assert caught.value.code == 2
    assert "--max-time" in capsys.readouterr().err


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["handcrafted-vf", "handcrafted-ee"])
def test_real_queries_are_answered(shared_data, tmp_path, name):
    path = shared_data(f"ccd-truth/{name}.npz")
    output = tmp_path / "answers.npz"
    assert main(["elementary", str(path), "--exact", "-o", str(output)]) == 0
    with np.load(path) as truth, np.load(output) as answers:
        np.testing.assert_array_equal(answers["hit"], truth["hit"])


def test_queries_are_not_written_over(file, capsys):
    before = file.read_bytes()
    assert main(["elementary", str(file), "-o", str(file)]) == 2
    assert (
        capsys.readouterr().err
        == f"firstcontact: {file} is the file of queries: the output needs another name\n"
    )
    assert file.read_bytes() == before
    assert main(["elementary", str(file), "-o", str(file.with_suffix(".png"))]) == 2


def test_all_times_are_written_in_the_columns_of_the_answer(file, queries, monkeypatch, capsys):
    monkeypatch.setattr(elementary, "_CHUNK", 77)
    assert main(["elementary", str(file), "--kind", "edge-edge", "--all-times", "--json"]) == 0
    expected = fc.edge_edge_ccd(*queries, all_times=True)
    with np.load(file.with_name("random-vf.contacts.npz"), allow_pickle=False) as answers:
        assert sorted(answers.files) == ["is_crossing", "is_instant", "offsets", "part", "touch"]
        for key in answers.files:
            np.testing.assert_array_equal(answers[key], getattr(expected, key))
    told = json.loads(capsys.readouterr().out)
    assert (told["hits"], told["contacts"]) == (np.count_nonzero(expected.counts), len(expected.touch))
