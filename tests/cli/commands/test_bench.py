import json

import pytest

from firstcontact.cli.commands import bench
from firstcontact.cli.commands.bench_cases import CASES, BenchCase
from firstcontact.cli.main import main


@pytest.mark.parametrize("make", CASES)
def test_every_case_can_be_asked(make):
    case = make()
    assert case.n >= 1
    case.run()


@pytest.fixture
def one_case(monkeypatch):
    """A case in place of all; give the list of its runs."""
    runs = []
    monkeypatch.setattr(bench, "CASES", [lambda: BenchCase("query", "of things", 10, lambda: runs.append(1))])
    return runs


def test_a_table(capsys, one_case):
    assert main(["bench", "--seconds", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["query", "a", "second", "each"]
    assert lines[1].startswith("query, of things  ")
    assert len(one_case) == 2  # the first may compile


def test_json(capsys, one_case):
    assert main(["bench", "--seconds", "0.01", "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["threads"] >= 1
    (row,) = told["queries"]
    assert row["per_second"] * row["seconds"] == pytest.approx(1.0)
    assert len(one_case) > 2


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.0, "2 s"), (0.0123, "12.3 ms"), (4.56e-6, "4.56 µs"), (8e-8, "80 ns")]
)
def test_times_have_the_unit_that_suits_them(seconds, text):
    assert bench._each(seconds) == text
