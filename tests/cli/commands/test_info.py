import json
import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact import _cache_home, _found_code
from firstcontact._shipped_pack import COMPILE_HERE, SETTINGS, Entry, Pack, host_of
from firstcontact.cli.commands import info
from firstcontact.cli.compiling import machine_code
from firstcontact.cli.main import main

PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"


def test_all_that_is_needed_is_listed(capsys):
    assert main(["info"]) == 0
    shown = capsys.readouterr().out
    for word in (fc.__version__, "numba", numba.__version__, "extra robots", "threads", "cache", " MB)"):
        assert word in shown


def test_json(capsys):
    assert main(["info", "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["packages"]["numba"] == numba.__version__
    assert told["threads"] == numba.config.NUMBA_NUM_THREADS
    assert told["cache_bytes"] > 0


def test_what_is_missing_is_told_with_how_to_get_it(capsys, monkeypatch):
    monkeypatch.setattr(info, "_version", lambda _name: None)
    assert main(["info"]) == 0
    assert "k3d missing (pip install 'firstcontact[view]')" in capsys.readouterr().out


def test_the_tables_are_those_of_the_project():
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    assert tuple(line.split(">")[0] for line in project["dependencies"]) == info._NEEDED
    extras = project["optional-dependencies"]
    for extra, names in info._EXTRAS.items():
        assert {line.split(">")[0] for line in extras[extra]} == {*names}


def test_a_folder_that_cannot_be_written_is_not_the_cache(tmp_path, monkeypatch):
    (tmp_path / "__pycache__").write_text("")  # a file, where a folder should be
    monkeypatch.setattr(_cache_home, "PACKAGE", tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert info.cache_folder() == tmp_path / "firstcontact"


def test_where_no_folder_can_be_written_it_says_so(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert main(["info"]) == 0
    assert "nowhere, since no folder is writable" in capsys.readouterr().out


def test_the_folder_is_the_one_that_is_used():
    assert _found_code.kept_home() == info.cache_folder()


@pytest.mark.parametrize(("value", "n"), [("3", 3), ("0", None), ("many", None)])
def test_threads_follow_the_variable(monkeypatch, value, n):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    assert info.n_threads() == (n or numba.config.NUMBA_DEFAULT_NUM_THREADS)


def test_help_and_info_load_nothing_heavy():
    script = """
import sys
from firstcontact.cli.main import main
for arguments in (["--help"], ["info"], ["info", "--json"], ["completion", "--help"]):
    try:
        main(arguments)
    except SystemExit:
        pass
print({"numpy", "numba", "scipy", "trimesh"} & sys.modules.keys())
for command in ("check", "distance", "sequence", "robot", "elementary", "view", "bench", "warmup"):
    try:
        main([command, "--help"])
    except SystemExit:
        pass
print({"numba", "scipy", "trimesh"} & sys.modules.keys())
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines().count("set()") == 2


MADE = host_of(numba.__version__, np.__version__).made
GONE = Entry("firstcontact.gone", "f", "", "", 0, 0, "")
PACKED = Pack(Path("x.pack"), MADE, "some processor", (), ("sin",), (GONE,))


def said(monkeypatch, *found):
    monkeypatch.setattr(machine_code, "packs", lambda: found)
    return machine_code.machine_code(numba.__version__, np.__version__)


def test_without_a_pack_code_is_compiled(monkeypatch):
    assert said(monkeypatch) == "compiled here when first used; none was installed"


def test_each_pack_that_is_not_used_has_its_reason(monkeypatch):
    other = PACKED._replace(made=MADE._replace(numba="0.1"))
    start = "compiled here when first used; not what was installed: "
    here = numba.__version__
    assert said(monkeypatch, other, "y.pack cannot be used: it is damaged") == (
        f"{start}it is for numba 0.1, and here is {here}; y.pack cannot be used: it is damaged"
    )
    assert (
        said(monkeypatch, PACKED._replace(features=("nothing",))) == f"{start}this processor has no nothing"
    )


def test_of_a_pack_that_fits_it_says_what_is_compiled_all_the_same(monkeypatch):
    for name in (COMPILE_HERE, *SETTINGS):
        monkeypatch.delenv(name, raising=False)
    start = f"installed for some processor and numba {numba.__version__}, 1 functions"
    assert said(monkeypatch, PACKED) == f"{start}; 1 are compiled, since their sources were changed"
    assert said(monkeypatch, PACKED._replace(entries=())).endswith("0 functions, all used")
    lacking = PACKED._replace(needed=("no_such_name",))
    missing = "those are compiled that need no_such_name, which is not here"
    assert said(monkeypatch, lacking) == f"{start}; {missing}"
