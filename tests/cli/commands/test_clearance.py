import json

import pytest

from firstcontact.cli.main import main

PASSING = ("sphere:0.5", "box:1,1,1", "--start-a=-2,1.5,0", "--velocity-a", "4,0,0")
TURNING = ("box:2,2,1", "box:1,9,9", "--angular-velocity-a", "0,0,540", "--start-b", "1.8,0,0")


def run(*arguments):
    return main(["clearance", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_the_least_distance_and_where(capsys):
    found = answer(capsys, *PASSING, "--tolerance", 1e-6)
    assert found["distance"] == pytest.approx(0.5)
    assert found["distance_lower"] == pytest.approx(0.5, abs=1e-5)
    assert found["status"] == "separated"
    assert found["point_b"][1] == pytest.approx(0.5)


def test_a_table_and_the_exit_status(capsys):
    assert run(*PASSING, "--exit-code") == 0
    assert capsys.readouterr().out.startswith("distance")
    assert run(*TURNING, "--exit-code") == 1


def test_intervals(capsys):
    found = answer(capsys, *TURNING, "--intervals")
    assert len(found["intervals"]) == 6
    assert run(*TURNING, "--intervals") == 0
    assert "touch from" in capsys.readouterr().out
    assert run(*PASSING, "--intervals") == 0
    assert "no contact, proven" in capsys.readouterr().out


def test_a_plot_and_a_page(capsys, tmp_path):
    plot, page = tmp_path / "plot.png", tmp_path / "page.html"
    assert run(*PASSING, "--plot", plot, "--view", page) == 0
    assert plot.stat().st_size > 1000
    assert page.exists()
    assert "a plot is in" in capsys.readouterr().out


def test_bad_input_is_told_in_one_sentence(capsys, tmp_path):
    assert run(*PASSING, "--plot", tmp_path / "plot.nothing") == 2
    assert run(*PASSING, "--plot", tmp_path / "no" / "plot.png") == 2
    assert run("sphere:1", "sphere:1", "--solid", "--tolerance", "0.1") == 0
    told = capsys.readouterr().err
    assert told.count("firstcontact: ") == 2


def test_motion_files(capsys, tmp_path):
    poses, plot = tmp_path / "poses.csv", tmp_path / "plot.png"
    poses.write_text("-3,2,0\n0,1.5,0\n3,2,0\n")
    options = ("--motion-a", str(poses), "--spline", "--plot", str(plot), "--json")
    assert main(["clearance", "sphere:0.5", "box:1,1,1", *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["distance_lower"] <= 0.5 <= told["distance"] < 0.51
    assert plot.read_bytes()[:4] == b"\x89PNG"
