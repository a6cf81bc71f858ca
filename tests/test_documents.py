"""The code in README.md and docs/ runs, each document from top to bottom in one namespace and one folder."""

import re
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path

import pytest

import firstcontact as fc
from documents.blocks import ROOT, SHELLS, Command, blocks, commands, documents
from firstcontact.cli.main import main

# Blocks that are not run, in all documents together.
MOST_NOT_RUN = 8
# Other names of the languages that are run: a block must not hide behind one.
HIDING = {"py", "python3", "pycon", "ipython", "sh", "shell", "zsh", "shell-session"}
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def status_of(words: list[str]) -> int:
    try:
        return main(words)
    except SystemExit as end:  # as after --help
        return int(end.code or 0)


@pytest.fixture
def shell(tmp_path_factory, monkeypatch):
    """Run a command line where `firstcontact` is this very package."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "firstcontact"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W error -m firstcontact "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(Path(fc.__file__).parents[1]))

    def run(command: Command) -> None:
        if command.words is not None:  # in this process: it takes seconds to start another
            assert status_of(command.words) == command.status, command.line
            return
        done = subprocess.run(["bash", "-c", command.line], capture_output=True, text=True, check=False)
        assert done.returncode == command.status, f"{command.line}\n{done.stdout}{done.stderr}"

    return run


@pytest.fixture
def quiet(tmp_path, monkeypatch):
    """A folder for all that a document writes; no windows, no browsers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", lambda *_, **__: False)
    monkeypatch.setenv("MPLBACKEND", "agg")
    yield
    if "matplotlib.pyplot" in sys.modules:  # figures of all documents together would be too many
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.parametrize("path", documents(), ids=name_of)
def test_the_code_of_a_document_runs(path, quiet, shell):
    namespace = {"__name__": "__main__"}
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.reason is not None or block.script is not None:
            continue
        if block.language == "python":
            # Blank lines before the code give tracebacks the line numbers of the document.
            exec(compile("\n" * block.line + block.code, str(path), "exec"), namespace)
        elif block.language in SHELLS:
            for command in commands(block):
                shell(command)


def test_no_block_hides_and_few_are_left_out():
    found = [block for path in documents() for block in blocks(path.read_text(encoding="utf-8"))]
    assert HIDING & {block.language for block in found} == set()
    assert sum(block.reason is not None for block in found) <= MOST_NOT_RUN


def test_scripts_that_pages_show_are_examples():
    """`make examples` runs all of these."""
    for path in documents():
        for block in blocks(path.read_text(encoding="utf-8")):
            if block.language == "python" and block.script is not None:
                assert (ROOT / block.script).is_file()
                assert Path(block.script).match("examples/*.py")


@pytest.mark.parametrize("path", documents(), ids=name_of)
def test_links_lead_to_files(path):
    links = LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
