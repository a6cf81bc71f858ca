"""`firstcontact demo`: a million random queries, what they found, how fast, and a picture."""

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.demo_picture import draw
from firstcontact.cli.kinds import kind_names, query_of
from firstcontact.cli.table import table
from firstcontact.cli.warmup import warm_up


class Run(NamedTuple):
    """One batch of one kind: what was found, and how long it took."""

    kind: str
    contacts: fc.ElementaryContacts
    seconds: float


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo", help="a million random queries and a picture", description=__doc__
    )
    add = parser.add_argument
    add("--queries", type=int, default=1_000_000, metavar="N", help="how many in all (default: a million)")
    add("--seed", type=int, default=0, metavar="S", help="of the random numbers")
    add(
        "--output", type=Path, default=Path("firstcontact-demo.png"), metavar="PNG", help="the picture's file"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run both kinds of query on random points of the unit cube, print a table and write a picture."""
    if options.queries < 2 or options.seed < 0:
        raise CommandError("--queries must be at least 2 and --seed at least 0")
    started = time.perf_counter()
    for kind in kind_names():
        warm_up(kind)
    print(f"kernels ready after {time.perf_counter() - started:.1f} s\n")
    runs = [_run(kind, options.queries // 2, options.seed) for kind in kind_names()]
    print(table([("", *kind_names()), *_rows(runs)]))
    try:
        draw({run.kind: run.contacts for run in runs}, options.output)
    except OSError as error:
        raise CommandError(f"{options.output} cannot be written: {error.strerror}") from None
    print(f"\na picture is in {options.output}")


def _run(kind: str, n_queries: int, seed: int) -> Run:
    start, end = np.random.default_rng([seed, kind_names().index(kind)]).random((2, n_queries, 4, 3))
    started = time.perf_counter()
    contacts = query_of(kind)(start, end)
    return Run(kind, contacts, time.perf_counter() - started)


def _rows(runs: list[Run]) -> list[tuple[str, ...]]:
    def row(name: str, cells: list[str]) -> tuple[str, ...]:
        return (name, *cells)

    def counted(status: fc.Status) -> list[str]:
        return [f"{np.count_nonzero(run.contacts.status == status):,}" for run in runs]

    n = [len(run.contacts.hit) for run in runs]
    return [
        row("queries", [f"{count:,}" for count in n]),
        row("culled by filters", [f"{run.contacts.stats.culled:,}" for run in runs]),
        row("hits", [f"{np.count_nonzero(run.contacts.hit):,}" for run in runs]),
        row("undecided", counted(fc.Status.UNDECIDED)),
        row("seconds", [f"{run.seconds:.3f}" for run in runs]),
        row("µs a query", [f"{1e6 * run.seconds / count:.3f}" for run, count in zip(runs, n, strict=True)]),
    ]
