"""`firstcontact elementary`: answer a file of elementary queries."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact import ElementaryTimes, Status
from firstcontact._validate import as_queries
from firstcontact._whole_file import whole_file
from firstcontact.cli.command import (
    CONTACT,
    FINE,
    add_command,
    add_exit_code,
    add_json,
    add_min_separation,
)
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.warmup import warm_up
from firstcontact.cli.options.kinds import kind_names, query_of
from firstcontact.cli.options.option_values import number
from firstcontact.cli.options.workers import add_cluster, workers
from firstcontact.cli.texts.archive import read_archive
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.table import table

_ANSWERS = ("hit", "time", "time_upper", "weights", "status")
_TIMES = ("offsets", "touch", "part", "is_instant", "is_crossing")

# Large enough to keep all threads busy, small enough for a progress bar that moves.
_CHUNK, _CHUNK_OF_MANY = 2**17, 2**22

_DESCRIPTION = """
Answer a batch of elementary queries. FILE.npz holds the arrays `start` and `end`, (n, 4, 3): the four points
at t = 0 and t = 1; for vertex-face the vertex and the corners of the face, for edge-edge the two ends of each
edge. The answers go to FILE.contacts.npz as `hit`, `time`, `time_upper`, `weights` and `status`;
with --all-times as `offsets`, `touch`, `part`, `is_instant` and `is_crossing`.
"""


_EXAMPLES = """
firstcontact elementary queries-vf.npz --exact
firstcontact elementary queries.npz --kind edge-edge --min-separation 0.001 -o answers.npz --json
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "elementary FILE.npz [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("file", type=Path, metavar="FILE.npz", help="the queries")
    search = parser.add_argument_group("the search")
    add = search.add_argument
    add("--kind", choices=kind_names(), help="default: from the name, *-vf or *-ee, else vertex-face")
    add("--exact", action="store_true", help="decide every query in exact arithmetic")
    add("--all-times", action="store_true", help="give every time of contact, exactly, not only the first")
    add_min_separation(search)
    add("--max-time", type=number(0.0, 1.0), default=1.0, metavar="T", help="end of the interval, at most 1")
    add("--time-tolerance", type=number(0.0), default=1e-9, metavar="T", help="how sharp times should be")
    add_cluster(search)
    answer = parser.add_argument_group("the answer")
    add_json(answer)
    answer.add_argument(
        "-o", "--output", type=Path, metavar="OUT.npz", help="where to write (default: FILE.contacts.npz)"
    )
    add_exit_code(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer the queries of the file, write the answers and print a short account."""
    start, end = _read(options.file)
    output = options.output or options.file.with_suffix(".contacts.npz")
    _check_output(output, options.file)
    kind = options.kind or _kind_of(options.file)
    sizes = (1, min(len(start), _CHUNK))  # what a small file does not need is not compiled
    if options.cluster is None:
        warm_up(kind, exact=options.exact, min_separation=options.min_separation, sizes=sizes)
    started = time.perf_counter()
    answers = _answer(start, end, kind, options)
    seconds = time.perf_counter() - started
    try:
        with whole_file(output) as file:
            np.savez(file, **answers)
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from None
    facts = _facts(kind, answers, seconds)
    print(json_text(facts | {"output": str(output)}) if options.json else _account(facts))
    if not options.json:
        print(f"written to {output}")
    return CONTACT if options.exit_code and facts["hits"] else FINE


def _check_output(output: Path, file: Path) -> None:
    """See that nothing is written over the queries, or by a name that promises another format."""
    if output.suffix.lower() != ".npz":
        raise CommandError(f"the output must end in .npz; received {output}")
    if output.resolve() == file.resolve():
        raise CommandError(f"{output} is the file of queries: the output needs another name")


def _read(file: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    arrays = read_archive(file, ("start", "end"))
    try:
        start, end, _ = as_queries(arrays["start"], arrays["end"])
    except (TypeError, ValueError) as error:
        raise CommandError(f"{file}: {error}") from None
    return start, end


def _kind_of(file: Path) -> str:
    return "edge-edge" if file.stem.endswith(("-ee", "_ee")) else "vertex-face"


def _answer(
    start: NDArray[np.float64], end: NDArray[np.float64], kind: str, options: argparse.Namespace
) -> dict[str, Any]:
    from tqdm import tqdm

    query = query_of(kind)
    names = ("all_times", "exact", "min_separation", "max_time", "time_tolerance")
    chosen = {name: getattr(options, name) for name in names}
    parts, size = [], _CHUNK if options.cluster is None else _CHUNK_OF_MANY
    with (
        workers(options.cluster) as executor,
        tqdm(total=len(start), desc=kind, unit="query", unit_scale=True, disable=None) as progress,
    ):
        for first in range(0, max(len(start), 1), size):
            span = slice(first, first + size)
            part = query(start[span], end[span], **chosen, executor=executor)
            parts.append(part)
            progress.update(len(start[span]))
    if options.all_times:
        return _joined_times(parts)
    return {key: np.concatenate([getattr(part, key) for part in parts]) for key in _ANSWERS}


def _joined_times(parts: list[ElementaryTimes]) -> dict[str, Any]:
    answers = {key: np.concatenate([getattr(part, key) for part in parts]) for key in _TIMES[1:]}
    counts = np.concatenate([part.counts for part in parts])
    return {"offsets": np.concatenate([[0], np.cumsum(counts)])} | answers


def _facts(kind: str, answers: dict[str, NDArray[Any]], seconds: float) -> dict[str, Any]:
    if "offsets" in answers:
        counts = np.diff(answers["offsets"])
        return {
            "kind": kind,
            "queries": len(counts),
            "hits": int(np.count_nonzero(counts)),
            "contacts": int(counts.sum()),
            "undecided": 0,
            "t": float(answers["touch"].min(initial=np.inf)),
            "seconds": seconds,
        }
    is_open = np.isin(answers["status"], (Status.UNDECIDED, Status.MAX_ITERATIONS))
    return {
        "kind": kind,
        "queries": len(answers["hit"]),
        "hits": int(np.count_nonzero(answers["hit"])),
        "undecided": int(np.count_nonzero(is_open)),
        "t": float(answers["time"].min(initial=np.inf)),
        "seconds": seconds,
    }


def _account(facts: dict[str, Any]) -> str:
    n, first, seconds = facts["queries"], facts["t"], facts["seconds"]
    rows = [
        ("kind", facts["kind"]),
        ("queries", f"{n:,}"),
        ("hits", f"{facts['hits']:,}"),
        *([("contacts", f"{facts['contacts']:,}")] if "contacts" in facts else []),
        ("undecided", f"{facts['undecided']:,}"),
        ("first time", "none" if np.isinf(first) else str(first)),  # all digits: rounded up it would be late
        ("seconds", f"{seconds:.3f}"),
        ("µs a query", f"{1e6 * seconds / n:.3f}" if n else "none"),
    ]
    return table(rows)
