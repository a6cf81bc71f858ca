import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.cli.command import COMMANDS
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands import check, elementary, info, robot, sequence, warmup
from firstcontact.cli.compiling import warming
from firstcontact.cli.main import main
from samples import sample

# A long command; where this is run in the background, Ctrl-C would be ignored.
BENCH = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from firstcontact.cli.main import main
print("begun", flush=True)
sys.exit(main(["bench", "--seconds", "60"]))
"""


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
        (check, ["check", "sphere:1", "sphere:1"]),
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


def test_a_real_interrupt_is_quiet():
    """Ctrl-C, as a terminal sends it."""
    with subprocess.Popen(
        [sys.executable, "-c", BENCH], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline().strip() == b"begun"  # from then on it hears signals
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=60) == (b"", b"")
        finally:
            process.kill()
    assert process.returncode == 130


def test_a_reader_that_has_gone_is_no_fault():
    """As in `firstcontact ... | head`."""
    end, start = os.pipe()
    os.close(end)
    done = subprocess.run(
        [sys.executable, "-m", "firstcontact", "info"], check=False, stdout=start, stderr=subprocess.PIPE
    )
    os.close(start)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left on device"), "the output: No space left on device"),
        (PermissionError(13, "Permission denied", "a.npz"), "a.npz: Permission denied"),
        (MemoryError(), "there is not enough memory for that"),
        (
            KeyError("x"),
            "a fault of firstcontact itself, KeyError: 'x'; `python -X dev -m firstcontact` shows",
        ),
        (fc.MissingExtraError.of("k3d", "view"), "k3d is missing: `pip install 'firstcontact[view]'`"),
    ],
)
def test_whatever_happens_is_told_in_one_sentence(monkeypatch, capsys, error, told):
    def fail(_options):
        raise error

    monkeypatch.setattr(info, "run", fail)
    assert main(["info"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"firstcontact: {told}")
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: firstcontact {command}")
    assert command == "demo" or "examples:\n  " in shown


def test_the_help_lists_all_commands_and_statuses(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    for word in (*COMMANDS, *COMMANDS.values(), "exit status", "--exit-code"):
        assert word in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chek"], "argument COMMAND: invalid choice: 'chek'"),
        (["check", "sphere:1"], "the following arguments are required: B"),
        (["check", "a", "b", "--tol", "1"], "unrecognized arguments: --tol 1"),
        (
            ["check", "a", "b", "--tolerance", "-1"],
            "argument --tolerance: there must be a finite number",
        ),
        (["check", "a", "b", "--view", "a.png"], "argument --view: a page must end in .html"),
        (["info", "--json", "-1"], "argument --json: ignored explicit argument '-1'"),
    ],
)
def test_bad_options_are_told_in_one_sentence(arguments, told, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"firstcontact: {told}")
    assert shown.err.endswith("--help` tells more\n")
    assert shown.err.count("\n") == 1


VALUES = "sphere:1 box:1,2,3 gone.obj . - -- -1,0,0 1e999,0,0 nan [[1]] {} quat=1,0,0,0 c2a 0.1 -0.1 é"
OPTIONS = (
    "--start-a --end-a --velocity-b --pose-a --tolerance --min-separation --method --json --solid "
    "--exit-code --penetration --first --kind -o --path --world --max-time"
)
ODD = ("", "0,0,1 euler=1,2,3", "a\0b.obj", "\udcff.obj")
WORDS = st.sampled_from([*VALUES.split(), *OPTIONS.split(), *ODD])


@settings(max_examples=sample(20, of=150))
@given(st.sampled_from(["check", "distance", "sequence", "robot", "elementary"]), st.lists(WORDS, max_size=7))
def test_any_words_give_a_documented_status(command, words):
    """Only 0, 1 and 2, never a traceback, and a sentence where it is 2."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main([command, *words])
        except SystemExit as ended:
            status = ended.code
    assert status in (0, 1, 2)
    assert "Traceback" not in err.getvalue()
    assert "fault of firstcontact" not in err.getvalue()
    if status == 2:
        assert err.getvalue().startswith("firstcontact: ")


def test_warmup_runs_every_variant(capsys, monkeypatch):
    asked = {}
    monkeypatch.setattr(warmup, "warm_side_by_side", asked.update)
    assert main(["warmup"]) == 0
    n = sum(map(len, warmup.variants().values()))
    assert sum(asked.values()) == n > 30
    assert capsys.readouterr().out.startswith(f"{n} variants of the queries ready in ")


def test_warmup_asks_side_by_side(monkeypatch):
    followed = []
    follow = warming._follow
    monkeypatch.setattr(warming, "_follow", lambda *args: followed.append(len(args[0])) or follow(*args))
    warming.warm_side_by_side({"elementary queries": 2})
    assert followed[0] == 2


@pytest.mark.compiler
def test_warmup_reaches_every_driver():
    """What it does not reach is not in the wheels: a driver needs a query in `cli/commands/warmup.py`."""
    wheels = Path(__file__).resolve().parents[2] / "wheels"
    script = f"import sys; sys.path.append({str(wheels)!r}); import gather; print(*gather.unreached())"
    threads = {"NUMBA_NUM_THREADS": "2"}  # some drivers are for work that threads share
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | threads, check=False, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("\n", "")


def test_warmup_without_a_folder_to_keep_code_says_so(capsys, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", f"{os.devnull}/none")
    assert main(["warmup"]) == 2
    assert capsys.readouterr().err.startswith("firstcontact: machine code cannot be kept: no folder")


def test_warmup_begins_at_both_ends():
    tasks = [("a", 0), ("a", 1), ("b", 0), ("c", 0), ("c", 1)]
    taken = warming._from_both_ends(tasks)
    assert taken == [("a", 0), ("c", 1), ("a", 1), ("c", 0), ("b", 0)]
    assert warming._from_both_ends(tasks[:4])[-1] == ("b", 0)


def test_what_stops_a_process_of_the_compiler_is_told(monkeypatch):
    monkeypatch.setattr(warming, "_follow", fails_with(BrokenProcessPool()))
    monkeypatch.setattr(warming, "_warm", print)
    with pytest.raises(CommandError, match="process was stopped"):
        warming.warm_side_by_side({"scenes": 1})


def test_warm_up_takes_both_paths(monkeypatch):
    sizes = []
    monkeypatch.setattr(warmup, "query_of", lambda _kind: lambda start, _end, **_: sizes.append(len(start)))
    warmup.warm_up("edge-edge")
    assert sizes == [1, 1, 1, 20_000, 20_000, 20_000]


@pytest.mark.parametrize("word", ["\ud800.obj", "a\0b.obj"])
def test_what_no_system_takes_for_a_name_is_refused(word, capsys):
    for words in (
        ["check", word, "sphere:1"],
        ["view", "sphere:1", "-o", f"{word}.html"],
        ["sequence", word],
    ):
        assert main(words) == 2
        assert "there must be whole characters, and no NUL; received " in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--min-separation", "--tolerance"])
def test_lengths_have_an_end(option, capsys):
    with pytest.raises(SystemExit):
        main(["check", "sphere:1", "sphere:1", option, "1e100"])
    assert "there must be a finite number in [0, 1.42725e+45]" in capsys.readouterr().err


def test_without_the_compiler_a_command_says_so(capsys, monkeypatch):
    sentence = "firstcontact needs its compiler"
    monkeypatch.setattr("firstcontact.cli.main.parser_of", fails_with(ImportError(sentence)))
    assert main(["check", "sphere:1", "sphere:1"]) == 2
    assert capsys.readouterr().err == f"firstcontact: {sentence}\n"


def fails_with(error):
    def fail(*_):
        raise error

    return fail
