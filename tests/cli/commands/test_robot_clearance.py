"""`firstcontact robot --clearance`: how near on the whole path, when it touches, and what is refused."""

import json

import pytest

from cli.commands.test_robot import files, run  # noqa: F401 - a fixture


def test_how_near_and_when(files, capsys):  # noqa: F811
    """The cart goes from 0 to 4 and touches the wall, at x = 2, from 1.75 to 2.25; the arm is above it."""
    assert run(files, "--clearance", "--intervals", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["distance"], told["distance_lower"], told["status"]) == (0, 0, "contact")
    (span,) = told["intervals"]
    assert (span["link"], span["touches"]) == ("cart", "wall.obj")
    # Segments from 0 to 1 to 3 to 4 take a third of the time each.
    assert span["touch"][0] <= (1 + 0.375) / 3 <= span["touch"][1]
    assert span["part"][0] <= (1 + 0.625) / 3 <= span["part"][1]
    assert run(files, "--clearance", "--exit-code") == 1


def test_a_table_and_a_plot(files, capsys):  # noqa: F811
    picture = files / "plot.png"
    path = "time,slide,hinge\n10,0,0\n12,1,0\n"
    assert run(files, "--plot", picture, "--exit-code", path=path) == 0
    shown = capsys.readouterr().out
    assert picture.stat().st_size > 1000
    lines = [line.split() for line in shown.splitlines()]
    assert ["distance", "0.75"] in lines
    assert ["time", "12.0"] in lines
    assert ["link", "cart"] in lines
    assert f"a plot is in {picture}" in shown
    assert run(files, "--intervals", "--spline", path=path) == 0
    assert "no contact, proven" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--first"], ["--min-separation", "0.1"], ["--method", "advancement"]])
def test_what_is_for_first_contacts_is_refused(files, capsys, option):  # noqa: F811
    assert run(files, "--clearance", *option) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"firstcontact: {option[0]} is for first contacts")
