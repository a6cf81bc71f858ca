"""What is made of the figures: lines of tables, headlines, targets."""

from math import isfinite, nan

from fields.workers import CLOSEST, OWN, SIGNED, WINDING, Measured
from report.section import Headline, Lines, Target

KINDS = (CLOSEST, SIGNED, WINDING)
AIM = 4.0


def is_own(one: Measured) -> bool:
    """Is it this library?"""
    return one.method.startswith(OWN)


def lines_of(found: list[Measured], kind: str, places: tuple[str, ...]) -> Lines:
    """A row for each method: microseconds a point, by place and threads."""
    threads = sorted({one.n_threads for one in found})
    lines: Lines = [("method", *(f"{where}, {n} thread{'s' * (n > 1)}" for where in places for n in threads))]
    taken = {(one.method, one.where, one.n_threads): one.seconds for one in found if one.kind == kind}
    for method in dict.fromkeys(one.method for one in found if one.kind == kind):
        cells = [taken.get((method, where, n), nan) for where in places for n in threads]
        if any(map(isfinite, cells)):
            lines.append((method, *(f"{1e6 * cell:.2f}" if isfinite(cell) else "-" for cell in cells)))
    return lines


def best(found: list[Measured], kind: str, where: str, n_threads: int, own: bool) -> Measured | None:
    """The fastest of this library, or of its peers."""
    rows = [
        one
        for one in found
        if (one.kind, one.where, one.n_threads) == (kind, where, n_threads) and is_own(one) is own
    ]
    return min(rows, key=lambda one: one.seconds, default=None)


def headlines(found: list[Measured], places: tuple[str, ...]) -> list[Headline]:
    """Set this library beside the fastest peer, a point."""
    made = []
    for kind in KINDS:
        for where in places:
            own, peer = (best(found, kind, where, 1, is_ours) for is_ours in (True, False))
            if own is not None and peer is not None:
                made.append(Headline(f"{kind} of a point, {where}", own.seconds, peer.method, peer.seconds))
    return made


def targets(found: list[Measured], places: tuple[str, ...]) -> list[Target]:
    """Four times the fastest peer, on one and on two threads."""
    made = []
    for kind in (CLOSEST, SIGNED):
        for where in places:
            for n in sorted({one.n_threads for one in found}):
                own, peer = (best(found, kind, where, n, is_ours) for is_ours in (True, False))
                if own is not None and peer is not None:
                    ratio = peer.seconds / own.seconds
                    text = (
                        f"{kind}, {where}, {n} thread{'s' * (n > 1)}: {AIM:g} times as fast as {peer.method}"
                    )
                    made.append(Target(text, f"{ratio:.1f} times", ratio >= AIM))
    return made


def notes(found: list[Measured]) -> list[str]:
    """Who could not be measured, and why."""
    return list(dict.fromkeys(f"{one.method}: {one.note}" for one in found if one.note))
