"""The report runs made-up benchmarks: one that is well, one that fails, one that crashes."""

import json
import os
import re
import subprocess
import sys

import pytest

from report import run
from report.excerpt import BEGIN, END, publish_excerpt
from report.page import page_of

pytest.importorskip("matplotlib")

WELL = '''"""A made-up benchmark of `nothing`.

How it is done & measured.
"""
from report.canvas import canvas
from report.section import Headline, Part, Picture, SkippedError, Table, Target
TITLE = "Well & good"
def one(run):
    figure, [[axes]] = canvas(4, 2)
    axes.plot([1, 2])
    nan = float("nan")
    return Part(
        tables=(Table("Times", [("method", "ms"), ("ours", "1"), ("peer", "peer is missing")]),),
        pictures=(Picture("a-picture", "A picture", figure),),
        headlines=(
            Headline("a query", 1e-6, "peer", 3e-6),
            Headline("another", 1e-6, "gone", nan, "missing"),
        ),
        targets=(Target("be fast", "1 ms", True),),
        figures={"quick": run.quick},
    )
def two(run):
    raise SkippedError("the data are missing")
PARTS = {"one": one, "two": two}
'''
FAILS = """TITLE = "Fails"
def bad(run):
    raise RuntimeError("it went <wrong>")
PARTS = {"bad": bad}
"""
CRASHES = """import os
TITLE = "Crashes"
PARTS = {"dead": lambda run: os.abort()}
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The sections of a run over made-up benchmarks, and its folder."""
    folder = tmp_path_factory.mktemp("report")
    modules = {"well": WELL, "fails": FAILS, "crashes": CRASHES, "broken": "import no_such_module\n"}
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), before)))
    try:
        options = run._parser().parse_args(["--out", str(folder)])
        sections = run._run_all({run.Stage(name, 1.0, 1.0): [] for name in modules}, options)
    finally:
        os.environ["PYTHONPATH"] = before
    return {section["name"]: section for section in sections}, folder


def made_up(finished):
    sections, folder = finished
    facts = {"processor": "P", "cores": 2, "memory": "8 GB", "system": "S", "load": [0.1], "python": "3.11"}
    facts |= {"time": "2026-01-02T03:04:05+00:00", "packages": {"numpy": "2"}, "peers": {"gone": None}}
    kept = {
        "machine": facts,
        "load_after": [],
        "seconds": 60.0,
        "mode": "quick",
        "command": "python benchmarks/report",
    }
    return kept | {"sections": list(sections.values())}, folder


def test_a_good_benchmark_keeps_all_it_found(finished):
    well = finished[0]["well"]
    one, two = well["parts"]
    assert one["figures"] == {"quick": True}
    assert one["tables"][0]["lines"][0] == ["method", "ms"]
    assert two["skipped"] == "the data are missing"
    assert not run.is_failed(well)
    assert well["usage"]["peak_bytes"] > 1e6


def test_what_fails_is_said_in_one_sentence(finished):
    sections, folder = finished
    assert sections["fails"]["parts"][0]["error"] == "RuntimeError: it went <wrong>"
    assert sections["crashes"]["error"] == "crashed: SIGABRT in part dead"
    assert "no_such_module" in sections["broken"]["parts"][0]["error"]
    assert all(run.is_failed(sections[name]) for name in ("fails", "crashes", "broken"))
    assert "Traceback" in (folder / "fails.txt").read_text()  # and nowhere else
    assert "Traceback" not in json.dumps(sections)


def test_the_page_has_everything_and_asks_for_nothing(finished):
    text = page_of(*made_up(finished))
    assert "Well &amp; good" in text
    assert "peer is missing" in text
    assert "data:image/svg+xml;base64," in text
    assert "RuntimeError: it went &lt;wrong&gt;" in text
    assert "crashed: SIGABRT" in text
    assert "Targets: 1 of 1 met" in text
    assert "<code>nothing</code>" in text
    assert not re.search(r'(src|href)="(?!#|data:)', text)
    assert "@import" not in text


def test_the_excerpt_replaces_what_stands_between_the_marks(finished, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    publish_excerpt(made_up(finished)[0], page)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "| a query | peer | 1 µs | 3 µs | 3 |" in text
    assert "| another | gone | 1 µs | missing |  |" in text
    assert "old" not in text


def test_the_excerpt_needs_its_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="must have a line"):
        publish_excerpt({"machine": {}, "sections": []}, page)


def test_the_documentation_has_the_marks():
    text = (run.BENCHMARKS.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert text.index(BEGIN) < text.index(END)


def test_only_some_stages_and_parts():
    found = run._wanted("rigid.peers, rigid.scaling,robot")
    assert {stage.name: parts for stage, parts in found.items()} == {
        "rigid": ["peers", "scaling"],
        "robot": [],
    }
    assert [stage.name for stage in run._wanted(None)] == [stage.name for stage in run.STAGES]


def test_an_unknown_benchmark_is_named():
    command = [sys.executable, str(run.BENCHMARKS / "report"), "--only", "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("there is no benchmark 'nothing'; there are: elementary, ")


@pytest.mark.parametrize("stage", run.STAGES, ids=lambda stage: stage.name)
def test_every_stage_is_a_benchmark(stage):
    folder = run.BENCHMARKS / stage.name
    file = folder / "bench.py" if folder.is_dir() else folder.with_suffix(".py")
    text = file.read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert re.search(r'^TITLE = "', text, flags=re.MULTILINE)
    assert re.search(r"^PARTS = \{", text, flags=re.MULTILINE)
