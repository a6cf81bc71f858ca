import sys

import pytest

from firstcontact.cli.main import main

# A small demo.
DEMO = ["demo", "--queries", "4000", "--side", "20"]
PNG = b"\x89PNG\r\n\x1a\n"


def test_the_demo_prints_a_table_and_draws_a_picture(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "demo.png"
    assert main([*DEMO, "--output", str(picture)]) == 0
    assert picture.read_bytes().startswith(PNG)
    shown = capsys.readouterr().out
    for word in (
        "vertex-face",
        "edge-edge",
        "queries",
        "2,000",
        "hits",
        "µs a query",
        "800 triangles",
        "with the ball",
        str(picture),
    ):
        assert word in shown


def test_the_same_seed_finds_the_same(tmp_path, capsys):
    pytest.importorskip("matplotlib")

    def hits(seed):
        main([*DEMO, "--seed", seed, "--output", str(tmp_path / "demo.png")])
        return next(line for line in capsys.readouterr().out.splitlines() if line.startswith("hits"))

    assert hits("1") == hits("1") != hits("2")


def test_without_matplotlib_it_says_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main([*DEMO, "--output", str(tmp_path / "demo.png")]) == 2
    shown = capsys.readouterr()
    assert "hits" in shown.out
    assert "pip install 'firstcontact[view]'" in shown.err


def test_a_picture_that_cannot_be_written_is_told(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert main([*DEMO, "--output", str(tmp_path / "no" / "demo.png")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--queries", "1"], ["--seed", "-1"], ["--side", "19"]])
def test_bad_options_are_told(capsys, arguments):
    assert main(["demo", *arguments]) == 2
    assert "must be at least" in capsys.readouterr().err
