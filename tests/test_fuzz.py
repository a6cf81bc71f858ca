"""The runner of `make fuzz` finds what is planted and makes it small; its families keep their word."""

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[1] / "fuzz"
sys.path.append(str(FUZZ))

from catalogue import FAMILIES, case_of, family_in, names_in  # noqa: E402
from findings import Finding, read, write  # noqa: E402
from shrinking import fewer_and_rounder  # noqa: E402

# The first case of each planted family is well, the second is not.
SEED = 142

# What is wrong with each: a number above 90, an abort, a loop without an end, more memory than there is.
PLANTED = {
    "plain": "return f'{worst} is above 90' if worst > 90 else None",
    "crash": "os.abort() if worst > 90 else None",
    "hang": "time.sleep(1000.0 if worst > 90 else 0.0)",
    "memory": "bytearray(1 << 40) if worst > 90 else None",
    "well": "return None",
}

SOURCE = """
import os
import time

SECONDS_A_CASE = 0.3


def make(rng):
    return {{"numbers": rng.integers(0, 100, 5).tolist()}}


def check(case):
    worst = max(case["numbers"], default=0)
    {body}


def smaller(case):
    for i in range(len(case["numbers"])):
        yield {{"numbers": case["numbers"][:i] + case["numbers"][i + 1 :]}}
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    for name, body in PLANTED.items():
        (folder / f"{name}.py").write_text(SOURCE.format(body=body), encoding="utf-8")
    return folder


def command(folder, *options):
    return [sys.executable, str(FUZZ / "run.py"), "--folder", str(folder), *map(str, options)]


def run(folder, *options):
    return subprocess.run(command(folder, *options), capture_output=True, text=True, timeout=120, check=False)


def hunt(planted, folder, *names):
    """A short run: it does at least two cases of a family alone, and ends the smaller ones that it began."""
    options = ("--seconds", 1, "--seed", SEED, "--workers", 1, "--patience", 2, "--findings", folder)
    return run(planted, *options, "--families", *names)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("plain", r"\d+ is above 90"),
        ("crash", "the process ended with SIGABRT"),
        ("memory", "MemoryError in memory.py, check: .*"),
    ],
)
def test_what_is_planted_is_found_and_made_small(planted, tmp_path, name, sentence):
    ended = hunt(planted, tmp_path, name)
    assert ended.returncode == 1, ended.stderr
    table = ended.stdout.splitlines()[-1].split()
    assert (table[0], table[-1]) == (name, "1")
    finding = read(str(tmp_path / f"{name}-{SEED}-1.json"))
    assert re.fullmatch(sentence, finding.sentence)
    assert len(finding.case["numbers"]) == 1
    assert finding.case["numbers"][0] > 90


def test_a_hang_is_found(planted, tmp_path):
    assert hunt(planted, tmp_path, "hang").returncode == 1
    assert read(str(tmp_path / f"hang-{SEED}-1.json")).sentence == "a case does not come to an end"


def test_a_finding_is_run_again(planted, tmp_path):
    finding = Finding("plain", SEED, 1, "95 is above 90", {"numbers": [95]})
    path = write(finding, tmp_path)
    ended = run(planted, "--again", path)
    assert (ended.returncode, ended.stdout) == (1, "95 is above 90\n")
    write(replace(finding, case={"numbers": [5]}), tmp_path)
    assert (run(planted, "--again", path)).returncode == 0


def test_a_case_is_known_by_its_numbers(planted):
    assert run(planted, "--again", f"plain:{SEED}:1").returncode == 1
    assert run(planted, "--again", f"plain:{SEED}:0").returncode == 0


def test_a_run_that_finds_nothing_is_well(planted, tmp_path):
    ended = run(planted, "--seconds", 0.5, "--families", "well", "--findings", tmp_path)
    assert (ended.returncode, list(tmp_path.iterdir())) == (0, [])
    assert re.match(r"seed \d+, 0.5 s, 1 families\n", ended.stdout)


def test_a_family_that_is_none_is_told(planted):
    ended = run(planted, "--families", "wel")
    assert (ended.returncode, ended.stdout) == (
        2,
        "no family is named 'wel'; there are crash, hang, memory, plain, well\n",
    )


def test_an_interrupt_ends_with_the_table(planted, tmp_path):
    options = ("--seconds", 600, "--seed", SEED, "--families", "plain", "well", "--findings", tmp_path)
    with subprocess.Popen(command(planted, *options), stdout=subprocess.PIPE, text=True) as process:
        while "--again" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert [row.split()[0] for row in rest.splitlines()] == ["family", "plain", "well"]


def test_the_same_seed_has_the_same_cases(planted):
    family = family_in(planted, "plain")
    cases = [case_of(family, "plain", 5, number) for number in range(20)]
    assert cases == [case_of(family, "plain", 5, number) for number in range(20)]
    assert cases[0] != case_of(family, "plain", 6, 0)
    assert cases[0] != case_of(family, "well", 5, 0)
    assert len({str(case) for case in cases}) == 20


def test_findings_that_differ_by_numbers_are_the_same():
    first, second = (Finding("a", 1, 2, text) for text in ("late: 0.5 of -1e-09", "late: 12 of inf"))
    assert first.key == second.key
    assert Finding("a", 1, 2, "at [0.5 1.] [2 3]").key == Finding("a", 1, 2, "at [7]").key
    assert first.key != Finding("b", 1, 2, first.sentence).key
    assert first.key != Finding("a", 1, 2, "early: 0.5 of 1").key


def test_a_finding_survives_its_file(tmp_path):
    finding = Finding("a", 1, 2, "it's late", {"x": [1.5, "ü"]}, "two\nlines")
    assert read(str(write(finding, tmp_path))) == finding


def test_simpler_variants_end():
    case = {"a": {"vertices": [[0.123, 2.0, 3.0]] * 3, "faces": [[0, 1, 2]]}, "rows": [[1.5], [2.25]]}
    seen = 0
    while (variants := [v for v in fewer_and_rounder(case) if v != case]) and seen < 100:
        case, seen = variants[0], seen + 1
    assert case == {"a": {"vertices": [[0.0, 2.0, 3.0]] * 3, "faces": []}, "rows": []}


@pytest.mark.parametrize("name", names_in(FAMILIES))
def test_a_family_keeps_the_contract(name):
    family = family_in(FAMILIES, name)
    assert family.__doc__
    for number in range(5):
        case = case_of(family, name, 0, number)
        assert json.loads(json.dumps(case)) == case
        if hasattr(family, "smaller"):
            variant = next(iter(family.smaller(case)), case)
            assert json.loads(json.dumps(variant)) == variant


@pytest.mark.slow  # they compile nearly everything; `make fuzz` runs them in every check
@pytest.mark.parametrize("name", names_in(FAMILIES))
def test_some_cases_of_a_family_are_well(name):
    family = family_in(FAMILIES, name)
    for number in (1, 2):
        assert family.check(case_of(family, name, 0, number)) is None
