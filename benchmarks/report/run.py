"""Run all benchmarks beside their peers and write one page, report.html, and report.json with all figures.

Each benchmark is a process of its own, and so is each peer within it. Quick, the default, takes under ten
minutes on two cores; --full measures at full size and takes about an hour. A peer that is missing or fails
is said to be so in its row. A benchmark that fails is said to have failed in its section, the others go on,
and the exit status is 1.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple

from tqdm import tqdm

from report.excerpt import publish_excerpt
from report.machine import load, machine
from report.page import page_of

BENCHMARKS = Path(__file__).resolve().parents[1]


class Stage(NamedTuple):
    """A benchmark, and the seconds it takes on two idle cores, quick and in full: for the time left."""

    name: str
    quick: float
    full: float


STAGES = (
    Stage("elementary", 35, 240),
    Stage("deformable", 60, 1200),
    Stage("rigid", 30, 600),
    Stage("convex", 35, 400),
    Stage("one_call", 25, 120),
    Stage("fields", 150, 600),
    Stage("points", 60, 900),
    Stage("instants", 20, 40),
    Stage("plane", 15, 60),
    Stage("classical", 60, 300),
    Stage("images", 40, 240),
    Stage("scene", 20, 120),
    Stage("robot", 40, 900),
    Stage("optimise", 50, 328),
    Stage("motions", 40, 200),
    Stage("cold_start", 65, 240),
    Stage("memory", 30, 60),
    Stage("cluster", 90, 700),
    Stage("fastccd_table1", 8, 60),
)
_PATIENCE = 10.0  # times the planned seconds, and compilation, after which a benchmark is ended
_COMPILING = 600.0


class Usage(NamedTuple):
    """What a benchmark took: seconds by the clock and of the processor, bytes of its largest process."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    status: str  # empty, or why it ended early


def main() -> int:
    """Run, write, and tell whether all went well."""
    options = _parser().parse_args()
    if not hasattr(os, "wait4"):
        sys.exit("the report runs on Linux and macOS only")
    wanted = _wanted(options.only)
    options.out.mkdir(parents=True, exist_ok=True)
    before, began = machine(), perf_counter()
    sections = _run_all(wanted, options)
    report = {
        "machine": before,
        "load_after": load(),
        "seconds": perf_counter() - began,
        "mode": "full" if options.full else "quick",
        "command": shlex.join(["python", "benchmarks/report", *sys.argv[1:]]),
        "sections": sections,
    }
    page = options.out / "report.html"
    (options.out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    page.write_text(page_of(report, options.out), encoding="utf-8")
    failed = [section["title"] for section in sections if is_failed(section)]
    print(f"{report['seconds']:.0f} s in all; the report: {page}")
    if options.publish:
        print(f"renewed: {publish_excerpt(report, BENCHMARKS.parent / 'docs' / 'benchmarks.md')}")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, names = parser.add_argument, ", ".join(stage.name for stage in STAGES)
    add("--full", action="store_true", help="measure all, at full size")
    add("--only", metavar="NAME,...", help=f"of: {names}; rigid.peers is one part of rigid")
    add("--out", type=Path, default=BENCHMARKS / "results", metavar="DIR", help="where the report goes")
    add(
        "--data",
        type=Path,
        default=BENCHMARKS.parents[1] / "shared" / "data",
        metavar="DIR",
        help="third-party data",
    )
    add(
        "--publish",
        action="store_true",
        help="also renew the documentation: its table of figures and, with --full, its pictures",
    )
    return parser


def _wanted(only: str | None) -> dict[Stage, list[str]]:
    """The stages to run, each with the parts to run; none means all."""
    found: dict[Stage, list[str]] = {}
    by_name = {stage.name: stage for stage in STAGES}
    for text in only.split(",") if only else by_name:
        name, _, part = text.strip().partition(".")
        if name not in by_name:
            sys.exit(f"there is no benchmark {name!r}; there are: {', '.join(by_name)}")
        found.setdefault(by_name[name], []).extend([part] if part else [])
    return found


def _run_all(wanted: dict[Stage, list[str]], options: argparse.Namespace) -> list[dict[str, Any]]:
    """One section a stage, in order; a bar, where there is a terminal, shows the time left."""
    planned = {stage: stage.full if options.full else stage.quick for stage in wanted}
    sections, format_ = [], "{desc}: {percentage:3.0f} % |{bar}| {elapsed}{postfix}"
    with tqdm(total=sum(planned.values()), disable=None, bar_format=format_) as bar:
        for number, (stage, parts) in enumerate(wanted.items(), 1):
            bar.set_description(stage.name)
            remaining = sum(list(planned.values())[number - 1 :])
            bar.set_postfix_str(f"about {remaining / 60:.0f} min left")
            usage = _run(stage, parts, options, planned[stage], bar)
            section = _section(stage, usage, options.out)
            sections.append(section)
            remaining -= planned[stage]
            tqdm.write(f"[{number}/{len(wanted)}] {_told(section, usage, remaining)}")
    return sections


def _run(stage: Stage, parts: list[str], options: argparse.Namespace, planned: float, bar: Any) -> Usage:
    """Run a benchmark in a new process; what it prints, tables and tracebacks, goes to a text file."""
    command = [sys.executable, "-m", "report.stage", stage.name]
    command += ["--out", str(options.out), "--data", str(options.data)]
    command += ["--parts", *parts] * bool(parts) + ["--full"] * options.full
    command += ["--publish"] * (options.publish and options.full)
    (options.out / f"{stage.name}.json").unlink(missing_ok=True)
    began, shown = perf_counter(), 0.0
    with (options.out / f"{stage.name}.txt").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, start_new_session=True, env=_environment()
        )
        status = ""
        try:
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                sleep(0.1)
                seconds = perf_counter() - began
                step = min(seconds, planned) - shown
                shown += step
                bar.update(step)
                if seconds > _PATIENCE * planned + _COMPILING and not status:
                    status = "time limit"
                    os.killpg(process.pid, signal.SIGKILL)
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGKILL)
            sys.exit("interrupted")
    bar.update(planned - shown)
    process.returncode = os.waitstatus_to_exitcode(ended[1])
    used, unit = ended[2], 1 if sys.platform == "darwin" else 1024
    status = status or _ending(process.returncode)
    return Usage(perf_counter() - began, used.ru_utime + used.ru_stime, unit * used.ru_maxrss, status)


def _environment() -> dict[str, str]:
    """Where the benchmarks, and the processes that they start, find each other."""
    found = [str(BENCHMARKS), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, found))}


def _ending(code: int) -> str:
    if code < 0:
        return f"crashed: {signal.Signals(-code).name}"
    return f"exit status {code}" if code else ""


def _section(stage: Stage, usage: Usage, out: Path) -> dict[str, Any]:
    """What a benchmark has written, and what it took."""
    file = out / f"{stage.name}.json"
    section: dict[str, Any] = {"name": stage.name, "title": stage.name, "about": "", "parts": []}
    if file.exists():
        section |= json.loads(file.read_text(encoding="utf-8"))
    current = section.pop("current", "")
    where = f" in part {current}" if current and usage.status else ""
    return section | {"usage": usage._asdict(), "error": usage.status + where}


def is_failed(section: dict[str, Any]) -> bool:
    """Has the benchmark, or a part of it, failed?"""
    return bool(section["error"] or any(part["error"] for part in section["parts"]))


def _told(section: dict[str, Any], usage: Usage, remaining: float) -> str:
    """One line."""
    faults = [section["error"], *(part["error"] for part in section["parts"])]
    said = "; ".join(fault for fault in faults if fault)
    took = (
        f"{usage.seconds:.0f} s, processor {usage.cpu_seconds:.0f} s, peak {usage.peak_bytes / 1e6:,.0f} MB"
    )
    left = f"; about {max(remaining / 60, 1):.0f} min left" if remaining else ""
    return f"{section['title']}: {took}" + (f"; FAILED: {said}" if said else "") + left
