"""Elementary queries side by side with peers: the same queries, one run, one table and one plot.

Times of this library are whole calls (input checks and weights included) with machine code ready, each
counted with its best time: batches of 20,000 queries on one thread, the whole set on two. The peers of ipctk
are called pair by pair on a sample of each set; each of their queries counts with its best time, less that of
a call that has nothing to compute, so that what is compared is the algorithms.
"Misses" and "false positives" count against the exact answers of the third-party files; elsewhere against
this library's with ``exact=True``, whose row then shows "ref".
"""

import argparse
import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from typing import Any, NamedTuple

from elementary_plot import draw
from machine import cold_start, described, machine
from methods import REFERENCE, Measurement, measure
from query_sets import PEER_QUERIES, missing_files, query_sets
from tqdm import tqdm

_HERE = Path(__file__).resolve().parent
_PICTURE = _HERE.parent / "docs" / "images" / "elementary-benchmark.png"
_HEADER = (
    "set",
    "kind",
    "method",
    "queries",
    "hits",
    "µs/query",
    "±",
    "ratio",
    "misses",
    "false pos.",
    "exact",
)


class Target(NamedTuple):
    """What the library sets out to reach, and what it reached; the worse of the two kinds of query."""

    text: str
    reached: str
    is_met: bool


def main() -> None:
    """Measure, print the table and the targets, write the figures and the plot."""
    options = _parser().parse_args()
    for module in ("ipctk", "matplotlib"):
        if find_spec(module) is None:
            sys.exit(f"{module} is missing: pip install 'firstcontact[bench]'")
    before = machine()
    start = None if options.skip_cold_start else cold_start()
    rows = _measure_all(options)
    if not rows:
        sys.exit(f"no queries to ask: {', '.join(str(file) for file in missing_files(options.data))} missing")
    after = machine()
    print(_table(rows))
    _print_notes(options, rows, start, (before, after))
    options.output.mkdir(parents=True, exist_ok=True)
    facts = {"machine": before, "load_after": after["load"], "cold_start_seconds": start}
    figures = {
        **facts,
        "rows": [row._asdict() for row in rows],
        "targets": [t._asdict() for t in targets(rows)],
    }
    (options.output / "elementary.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    draw(rows, before, options.output / "elementary.png")
    print(f"\nfigures and plot: {options.output}")
    if options.publish:
        copyfile(options.output / "elementary.png", _PICTURE)
        print(f"plot for the documentation: {_PICTURE}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--queries", type=int, default=200_000, metavar="N", help="random queries of each kind (200,000)")
    add("--peer-scale", type=float, default=1.0, metavar="X", help="multiply the peers' sample sizes by this")
    add("--seconds", type=float, default=2.0, metavar="S", help="repeat each measurement for about this long")
    add("--seed", type=int, default=0, metavar="S", help="of the random numbers")
    add(
        "--sets",
        nargs="+",
        choices=PEER_QUERIES,
        metavar="NAME",
        help=f"only these: {', '.join(PEER_QUERIES)}",
    )
    add("--data", type=Path, default=_HERE.parents[1] / "shared" / "data", help="folder of third-party data")
    add("--output", type=Path, default=_HERE / "results", metavar="DIR", help="where figures and plot go")
    add("--skip-cold-start", action="store_true", help="do not time a first run that has to compile")
    add("--publish", action="store_true", help="also make the plot the one of the documentation")
    return parser


def _measure_all(options: argparse.Namespace) -> list[Measurement]:
    rows = []
    sets = query_sets(options.queries, options.seed, options.data, options.sets)
    for queries in tqdm(sets, "sets", disable=None, unit="set"):
        rows += measure(queries, options.seconds, options.peer_scale, options.seed)
    return rows


def targets(rows: list[Measurement]) -> list[Target]:
    """What was to be reached, against the rows of the reference method (one thread, exact)."""
    found: list[Target] = []
    for set_name, peer, factor in (
        ("random", "TightInclusion", 200),
        ("random", "AdditiveCCD", 5),
        ("handcrafted", "TightInclusion", 1000),
    ):
        rivals = [row for row in rows if (row.set_name, row.method) == (set_name, peer)]
        if rivals:
            text = f"{factor:,} times as fast as {peer} on {set_name} queries"
            ratio = min(row.ratio for row in rivals)
            ours = {row.kind: row.microseconds for row in _reference(rows, set_name)}
            called = min((row.microseconds + row.overhead) / ours[row.kind] for row in rivals)
            reached = f"{ratio:,.1f} times ({called:,.1f} with the peer's call overhead)"
            found.append(Target(text, reached, ratio >= factor))
    for set_name, nanoseconds in (("random", 450), ("filtered", 60)):
        if times := [1e3 * row.microseconds for row in _reference(rows, set_name)]:
            text = f"{nanoseconds} ns a query on {set_name} queries"
            found.append(Target(text, f"{max(times):.0f} ns", max(times) <= nanoseconds))
    if asked := sum(row.queries for row in _reference(rows, "random")):
        exact = sum(row.exact for row in _reference(rows, "random"))
        text = "at most 1 random query in 100,000 decided in exact arithmetic"
        found.append(Target(text, f"{exact} of {asked:,}", exact <= asked / 100_000))
    return found


def _reference(rows: list[Measurement], set_name: str) -> list[Measurement]:
    return [row for row in rows if (row.set_name, row.method) == (set_name, REFERENCE)]


def _table(rows: list[Measurement]) -> str:
    """Plain text; the set and the kind are named where they change."""
    lines, previous = [_HEADER], ("", "")
    for row in rows:
        here = (row.set_name, row.kind)
        lines.append((*(here if here != previous else ("", "")), *_cells(row)))
        previous = here
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADER))]
    return "\n".join(_aligned(line, widths) for line in lines)


def _cells(row: Measurement) -> tuple[str, ...]:
    counts = ("ref", "ref") if row.is_reference else (f"{row.misses:,}", f"{row.false_positives:,}")
    is_exact = ", exact," in row.method
    return (
        row.method,
        f"{row.queries:,}" if row.queries == row.set_size else f"{row.queries:,} of {row.set_size:,}",
        f"{row.hits:,}",
        _short(row.microseconds),
        "" if row.standard_error is None else _short(row.standard_error),
        f"{row.ratio:,.0f}" if row.ratio >= 100 else f"{row.ratio:.2f}",
        *counts,
        f"{100 * row.exact / row.queries:.4g} %" if is_exact else "",
    )


def _short(microseconds: float) -> str:
    return f"{microseconds:,.0f}" if microseconds >= 1000 else f"{microseconds:.3g}"


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    cells = zip(line, widths, strict=True)
    return "  ".join(cell.ljust(w) if i < 3 else cell.rjust(w) for i, (cell, w) in enumerate(cells)).rstrip()


def _print_notes(
    options: argparse.Namespace, rows: list[Measurement], start: Any, machines: tuple[dict[str, Any], ...]
) -> None:
    print()
    print("\n".join(_notes(options, start, machines)))
    overheads = [row.overhead for row in rows if row.overhead is not None]
    print(f"call overhead of the peers, already taken off: {min(overheads):.2f} to {max(overheads):.2f} µs")
    print(f"\nTargets of {REFERENCE}, both kinds of query:")
    for target in targets(rows):
        print(f"  {'met   ' if target.is_met else 'MISSED'}  {target.text}: {target.reached}")


def _notes(options: argparse.Namespace, start: Any, machines: tuple[dict[str, Any], ...]) -> Iterator[str]:
    yield f"ratio: to {REFERENCE}; ±: standard error of the mean, from the sample; exact: share of queries"
    yield "decided in exact arithmetic; ref: the answers that the others are counted against"
    for file in missing_files(options.data):
        yield f"skipped: {file.stem} ({file} is missing)"
    if start:
        yield f"cold start (import, both queries): {start[0]:.1f} s compiling, {start[1]:.1f} s after that"
    yield f"before: {described(machines[0])}"
    yield f"after:  load averages {' '.join(f'{value:.2f}' for value in machines[1]['load']) or 'unknown'}"


if __name__ == "__main__":
    main()
