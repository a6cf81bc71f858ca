"""`firstcontact bench`: how fast are queries on this machine?"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

from firstcontact.cli.command import add_command, add_json
from firstcontact.cli.commands.bench_cases import CASES, BenchCase
from firstcontact.cli.commands.info import n_threads
from firstcontact.cli.options.option_values import number
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.table import table

_DESCRIPTION = """
Measure a handful of queries on data made here, on all threads: how many a second, in the fastest of several
runs. It takes some twenty seconds where everything is compiled; compiling is not measured, and takes some
minutes, once.
"""

_EXAMPLES = """
firstcontact bench
firstcontact bench --seconds 5 --json
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "bench [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "--seconds", type=number(0.0, 600.0), default=1.0, metavar="S", help="for each query (default: 1)"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Measure all cases with a progress bar, and print them."""
    from tqdm import tqdm

    results = []
    with tqdm(total=len(CASES), desc="measuring", unit="query", disable=None) as progress:
        for make in CASES:
            case = make()
            results.append((case, _fastest(case, options.seconds)))
            progress.update()
    if options.json:
        rows = [
            {"query": case.query, "what": case.what, "per_second": case.n / took, "seconds": took / case.n}
            for case, took in results
        ]
        print(json_text({"threads": n_threads(), "queries": rows}))
        return
    lines = [
        (f"{case.query}, {case.what}", f"{case.n / took:,.0f}", _each(took / case.n))
        for case, took in results
    ]
    print(table([("query", "a second", "each"), *lines]))
    print(f"\nthe fastest run of each, on {n_threads()} threads")


def _fastest(case: BenchCase, seconds: float) -> float:
    """Time a run again and again; the first one may compile, and does not count."""
    case.run()
    fastest = math.inf
    ends = time.perf_counter() + seconds
    while math.isinf(fastest) or time.perf_counter() < ends:
        began = time.perf_counter()
        case.run()
        fastest = min(fastest, time.perf_counter() - began)
    return fastest


def _each(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
