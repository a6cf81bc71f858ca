"""The tables of the convex benchmark, and its targets."""

from typing import NamedTuple

import numpy as np

from convex.asked import DISTANCE, PENETRATION, RAY, ROTATION, TRANSLATION
from convex.own import BATCH, SINGLE
from convex.peers import EMBREE_BATCH, LacksShapeError
from convex.truth import Bracket, off_by
from convex.workers import OWN_METHODS, Measured
from report.section import Headline, Lines, Target
from report.tables import ratio_of

# An answer off by more is wrong: ten times the tolerance of time that python-fcl has unless another is asked
# for, the widest of all peers. Shapes have a size of about 1, motions take a time of 1.
WRONG = 1e-3
_MOSTLY_RIGHT = 0.01  # a peer that is wrong more often is passed over when the fastest right one is sought
_FASTER, _HULLS_FASTER, _SINGLE_SLOWER = 5.0, 3.0, 2.0
TITLES = {TRANSLATION: "first contact, translation", ROTATION: "first contact, with rotation"}


class Row(NamedTuple):
    """One pair, or one target of rays, and one query: all methods, and the truth about the first poses."""

    name: str
    query: str
    measured: list[Measured]
    truth: Bracket

    def of(self, method: str) -> Measured | None:
        """What was measured of a method, if anything was."""
        found = [one for one in self.measured if one.method == method and len(one.seconds)]
        return found[0] if found else None

    def off(self, measured: Measured) -> np.ndarray:
        """How far off the answers are that can be checked."""
        n = min(len(self.truth.low), len(measured.answers))
        return off_by(Bracket(self.truth.low[:n], self.truth.high[:n]), measured.answers[:n])

    def wrong(self, measured: Measured) -> float:
        """Which share of the answers is wrong."""
        off = self.off(measured)
        return float((off > WRONG).mean()) if len(off) else 0.0

    def fastest(self, own: str, is_right: bool) -> Measured | None:
        """The fastest peer; a peer that takes batches is not compared with one call."""
        peers = [one for one in self.measured if one.method not in OWN_METHODS and len(one.seconds)]
        peers = [one for one in peers if own == BATCH or one.method != EMBREE_BATCH]
        peers = [one for one in peers if not is_right or self.wrong(one) <= _MOSTLY_RIGHT]
        return min(peers, key=lambda one: one.median, default=None)

    def ratio(self, own: str, is_right: bool = False) -> float:
        """How many times as long as this library the fastest peer takes: the median over rounds."""
        ours, theirs = self.of(own), self.fastest(own, is_right)
        if ours is None or theirs is None:
            return float("nan")
        n = min(len(ours.seconds), len(theirs.seconds))
        return float(np.median(theirs.seconds[:n] / ours.seconds[:n]))


def query_lines(rows: list[Row], methods: list[str]) -> Lines:
    """Microseconds a query, the share of wrong answers, and ratios to the fastest peer."""
    head = (
        "",
        *methods,
        "fastest / batch",
        "fastest right / batch",
        "one call / fastest",
        "one call / fastest right",
    )
    return [head, *(_line(row, methods) for row in rows)]


def _line(row: Row, methods: list[str]) -> tuple[str, ...]:
    batch = [row.ratio(BATCH, is_right) for is_right in (False, True)]
    single = [1.0 / row.ratio(SINGLE, is_right) for is_right in (False, True)]
    ratios = [ratio_of(ratio) for ratio in (*batch, *single)]
    return (row.name, *(_cell(row, method) for method in methods), *ratios)


def _cell(row: Row, method: str) -> str:
    found = row.of(method)
    if found is None:
        failed = [one.error for one in row.measured if one.method == method and one.error]
        return (
            "-" if not failed or failed[0].startswith(LacksShapeError.__name__) else failed[0].split(":")[0]
        )
    wrong = row.wrong(found)
    return microseconds(found.median) + (f" ({_percent(wrong)} wrong)" if wrong else "")


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else "all"


def microseconds(seconds: float) -> str:
    """Two digits, or all of those before the point."""
    return f"{1e6 * seconds:,.0f}" if seconds >= 1e-5 else f"{1e6 * seconds:.2g}"


def own_notes(rows: list[Row]) -> list[str]:
    """What the answers of this library are worth."""
    notes = []
    for query in dict.fromkeys(row.query for row in rows):
        own = [(row, row.of(BATCH)) for row in rows if row.query == query]
        off = np.concatenate([row.off(one) for row, one in own if one is not None] or [np.empty(0)])
        if len(off):
            late = sum(_n_late(row, one) for row, one in own if one is not None)
            note = f", {late} late" if query in TITLES else ""
            notes.append(
                f"{TITLES.get(query, query)}: {len(off):,} answers, off by {off.max():.0e} at most{note}"
            )
    return notes


def _n_late(row: Row, measured: Measured) -> int:
    n = min(len(row.truth.low), len(measured.answers))
    return int((measured.answers[:n] > row.truth.high[:n]).sum())


def targets(rows: list[Row]) -> list[Target]:
    """Batches 5 times as fast as the fastest peer, those of hulls 3 times; one call at least half as fast."""
    found = []
    for row in rows:
        batch, single = row.ratio(BATCH), row.ratio(SINGLE)
        name = f"{row.name}, {TITLES.get(row.query, row.query)}"
        if not np.isnan(batch) and not row.name.startswith("mesh"):
            goal = _HULLS_FASTER if row.name.startswith("hull") else _FASTER
            theirs = row.fastest(BATCH, False)
            text = f"{name}: batch {goal:g} times as fast as {_method(theirs)}"
            found.append(Target(text, f"{batch:.2g}", batch >= goal))
        if not np.isnan(single):
            theirs = row.fastest(SINGLE, False)
            text = f"{name}: one call at most {_SINGLE_SLOWER:g} times as long as {_method(theirs)}"
            found.append(Target(text, f"{1.0 / single:.2g}", 1.0 / single <= _SINGLE_SLOWER))
    return found


def _method(measured: Measured | None) -> str:
    return measured.method if measured is not None else "none"


_SHOWN = (
    (DISTANCE, "box", BATCH), (DISTANCE, "box", SINGLE), (PENETRATION, "hull 640", BATCH),
    (TRANSLATION, "box", BATCH), (ROTATION, "hull 640", BATCH), (RAY, "mesh", BATCH),
)  # fmt: skip


def headlines(rows: list[Row]) -> list[Headline]:
    """A few queries, beside the fastest peer that is mostly right."""
    found = []
    for query, name, own in _SHOWN:
        for row in (row for row in rows if row.query == query and row.name.startswith(name)):
            ours, peer = row.of(own), row.fastest(own, True)
            what = f"{TITLES.get(query, query)}, {row.name}, {own}" + ", all threads" * (own == BATCH)
            median = ours.median if ours else float("nan")
            theirs = (peer.method, peer.median) if peer else ("none of the peers", float("nan"))
            found.append(Headline(what, median, *theirs))
    return found


def title(query: str) -> str:
    """What a table is headed with."""
    return f"{TITLES.get(query, query)}, microseconds a {'ray' if query == RAY else 'pair'}"
