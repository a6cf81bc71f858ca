import subprocess
import sys

import pytest

import firstcontact as fc
from firstcontact.cli import demo, elementary, robot, sequence, warmup
from firstcontact.cli.main import main
from firstcontact.cli.table import table


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"firstcontact {fc.__version__}\n"


def test_without_a_command_the_usage_is_told(capsys):
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_the_module_runs_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "firstcontact", "--version"], check=True, capture_output=True, text=True
    )
    assert done.stdout == f"firstcontact {fc.__version__}\n"


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        (demo, ["demo"]),
        (elementary, ["elementary", "a.npz"]),
        (robot, ["robot", "a.urdf", "--path", "a.csv"]),
        (sequence, ["sequence", "a.obj", "b.obj"]),
    ],
)
def test_an_interrupt_is_quiet(monkeypatch, capsys, module, arguments):
    def interrupted(_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "run", interrupted)
    assert main(arguments) == 130
    assert capsys.readouterr() == ("", "")


def test_warmup_runs_every_variant(capsys):
    assert main(["warmup"]) == 0
    assert capsys.readouterr().out.startswith("26 variants of the queries ready in ")


def test_warm_up_takes_both_paths(monkeypatch):
    sizes = []
    monkeypatch.setattr(warmup, "query_of", lambda _kind: lambda start, _end, **_: sizes.append(len(start)))
    warmup.warm_up("edge-edge")
    assert sizes == [1, 1, 1, 20_000, 20_000, 20_000]


def test_tables_are_aligned():
    assert table([("a", "10"), ("long", "7")]) == "a     10\nlong   7"
