import shutil
import subprocess

import pytest

from firstcontact.cli.command import COMMANDS
from firstcontact.cli.main import main


def script(tmp_path, capsys, shell):
    assert main(["completion", shell]) == 0
    file = tmp_path / f"firstcontact.{shell}"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    return file


def need(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"missing: {shell}")


def in_bash(file, *words):
    """What bash itself offers for the last word."""
    quoted = " ".join(f"'{word}'" for word in words)
    program = f"""
source '{file}'
COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}
_firstcontact
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", program], check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash(tmp_path, capsys):
    need("bash")
    file = script(tmp_path, capsys, "bash")
    assert in_bash(file, "firstcontact", "") == [*COMMANDS, "--help", "--version"]
    assert in_bash(file, "firstcontact", "che") == ["check"]
    assert in_bash(file, "firstcontact", "check", "--me") == ["--method"]
    assert in_bash(file, "firstcontact", "check", "a.obj", "--method", "c2") == ["c2a", "c2a-2009"]
    assert in_bash(file, "firstcontact", "robot", "--method", "") == [
        "subdivision",
        "advancement",
        "interval",
    ]
    assert in_bash(file, "firstcontact", "completion", "") == ["bash", "zsh", "fish"]
    assert in_bash(file, "firstcontact", "check", "a") == []  # files, by default
    assert in_bash(file, "firstcontact", "sequence", "-o", "") == []


def test_fish(tmp_path, capsys):
    need("fish")
    file = script(tmp_path, capsys, "fish")

    def offered(line):
        program = f"source '{file}'; complete -C '{line}'"
        done = subprocess.run(
            ["fish", "--no-config", "-c", program], check=True, capture_output=True, text=True, cwd=tmp_path
        )
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    assert offered("firstcontact che") == ["check"]
    assert offered("firstcontact check --meth") == ["--method"]
    assert sorted(offered("firstcontact robot --method ")) == ["advancement", "interval", "subdivision"]
    assert sorted(offered("firstcontact completion ")) == ["bash", "fish", "zsh"]
    assert offered("firstcontact check first") == ["firstcontact.fish"]


def test_zsh(tmp_path, capsys):
    need("zsh")
    file = script(tmp_path, capsys, "zsh")
    program = f"autoload -U compinit; compinit -u -D; source '{file}'; print $_comps[firstcontact]"
    done = subprocess.run(["zsh", "-f", "-c", program], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("_firstcontact\n", "")


def test_an_unknown_shell_is_told(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["completion", "tcsh"])
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("firstcontact: argument shell: invalid choice: 'tcsh'")
