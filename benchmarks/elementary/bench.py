"""The same vertex-face and edge-edge queries, asked of this library and of ipctk's two solvers.

Times of this library are whole calls (input checks and weights included) with machine code ready, each
counted with its best time: batches of 20,000 queries on one thread, the whole set on two. The peers of ipctk
are called pair by pair on a sample of each set; each of their queries counts with its best time, less that of
a call that has nothing to compute, so that what is compared is the algorithms.
"Misses" and "false positives" count against the exact answers of the third-party files; elsewhere against
this library's with ``exact=True``, whose row then shows "ref".
"""

from elementary.cases import PEER_QUERIES, missing_files, query_sets
from elementary.own import REFERENCE, Measurement, measure
from elementary.peers import PEERS
from elementary.plot import draw
from report.section import Headline, Lines, Part, Picture, Run, Table, Target
from report.tables import ratio_of

TITLE = "Elementary queries"
_HEAD = (
    "set", "kind", "method", "queries", "hits", "µs a query", "±", "ratio", "misses", "false positives",
    "exact",
)  # fmt: skip
_QUICK_SETS = ("random", "separation", "filtered", "handcrafted", "cloth-ball")
_SEED = 0


def compare(run: Run) -> Part:
    """All methods on all sets."""
    names = _QUICK_SETS if run.quick else tuple(PEER_QUERIES)
    n_queries, seconds, peer_scale = (100_000, 0.3, 0.5) if run.quick else (200_000, 2.0, 1.0)
    sets = query_sets(n_queries, _SEED, run.data, names)
    rows = [row for queries in sets for row in measure(queries, seconds, peer_scale, _SEED)]
    note = f"ratio: to {REFERENCE}; ±: standard error of the mean, from the sample; exact: share of queries "
    note += "decided in exact arithmetic; ref: the answers that the others are counted against"
    notes = [f"skipped: {file.stem} ({file} is missing)" for file in missing_files(run.data, names)]
    if overheads := [row.overhead for row in rows if row.overhead is not None]:
        least, most = min(overheads), max(overheads)
        notes.append(f"call overhead of the peers, already taken off: {least:.2f} to {most:.2f} µs")
    title = "Time a query, and how many times that of firstcontact (exact, 1 thread); shorter is better"
    return Part(
        tables=(Table("Time a query", _lines(rows), 3, note),),
        pictures=(Picture("elementary-benchmark", title, draw(rows)),),
        headlines=tuple(headlines(rows)),
        targets=() if run.quick else tuple(targets(rows)),
        notes=tuple(notes),
        figures=rows,
    )


def headlines(rows: list[Measurement]) -> list[Headline]:
    """Random queries of both kinds, beside both solvers."""
    found = []
    for ours in _reference(rows, "random"):
        for row in (row for row in rows if row.method in PEERS and row[1:3] == ours[1:3]):
            false = row.false_positives / max(row.hits, 1)
            note = row.error or (f"{false:.0%} of its hits false" if false >= 0.01 else "")
            seconds = 1e-6 * ours.microseconds, 1e-6 * row.microseconds
            what, peer = f"random {row.kind} query, exact, 1 thread", f"ipctk {row.method}"
            found.append(Headline(what, seconds[0], peer, seconds[1], note))
    return found


def targets(rows: list[Measurement]) -> list[Target]:
    """What was to be reached, against the rows of the reference method (one thread, exact)."""
    found: list[Target] = []
    for set_name, peer, factor in (
        ("random", "TightInclusion", 200),
        ("random", "AdditiveCCD", 5),
        ("handcrafted", "TightInclusion", 1000),
    ):
        rivals = [row for row in rows if (row.set_name, row.method) == (set_name, peer) and not row.error]
        if rivals:
            text = f"{factor:,} times as fast as {peer} on {set_name} queries"
            ratio = min(row.ratio for row in rivals)
            ours = {row.kind: row.microseconds for row in _reference(rows, set_name)}
            called = min((row.microseconds + (row.overhead or 0.0)) / ours[row.kind] for row in rivals)
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


def _lines(rows: list[Measurement]) -> Lines:
    """The set and the kind are named where they change."""
    lines: Lines = [_HEAD]
    previous = ("", "")
    for row in rows:
        here = (row.set_name, row.kind)
        lines.append((*(here if here != previous else ("", "")), *_cells(row)))
        previous = here
    return lines


def _cells(row: Measurement) -> tuple[str, ...]:
    queries = f"{row.queries:,}" if row.queries == row.set_size else f"{row.queries:,} of {row.set_size:,}"
    if row.error:
        return (row.method, queries, "", row.error, *[""] * 5)
    counts = ("ref", "ref") if row.is_reference else (f"{row.misses:,}", f"{row.false_positives:,}")
    return (
        row.method,
        queries,
        f"{row.hits:,}",
        _short(row.microseconds),
        "" if row.standard_error is None else _short(row.standard_error),
        ratio_of(row.ratio),
        *counts,
        f"{100 * row.exact / row.queries:.4g} %" if ", exact," in row.method else "",
    )


def _short(microseconds: float) -> str:
    return f"{microseconds:,.0f}" if microseconds >= 1000 else f"{microseconds:.3g}"


PARTS = {"compare": compare}
