"""The table of the deformable benchmark, and its targets."""

from typing import NamedTuple

from deformable.methods import CONTACTS, LABELS, PEERS, SAFE_STEP, Outcome
from report.section import Headline, Lines, Target
from report.tables import milliseconds, ratio_of

# The exact first contact of the cloth-ball frame, rounded down to a double.
CLOTH_BALL_FIRST = 7.492069186824336e-06


class Row(NamedTuple):
    """One method on one scene."""

    scene: str
    n_triangles: int
    n_steps: int
    outcome: Outcome

    @property
    def method(self) -> str:
        """Short name of the method."""
        return self.outcome.ask.method

    @property
    def seconds(self) -> float:
        """A step, the median of the repetitions."""
        return self.outcome.median / self.n_steps


def comparison_lines(rows: list[Row]) -> Lines:
    """One line a method; the scene is named where it changes."""
    lines: Lines = [
        ("scene", "method", "ms/step", "±", "÷ contacts", "÷ safe_step", "step", "contacts", "peak MB")
    ]
    named = ""
    for row in rows:
        own = {other.method: other for other in rows if other.scene == row.scene}
        ratios = [
            _ratio(row, own.get(method)) if row.method in PEERS else "" for method in (CONTACTS, SAFE_STEP)
        ]
        outcome, error = row.outcome, row.outcome.standard_error / row.n_steps
        steps = f" ({row.n_steps} steps)" if row.n_steps > 1 else ""
        lines.append(
            (
                f"{row.scene}{steps}" if row.scene != named else "",
                LABELS[row.method],
                _time(outcome, row.n_steps),
                milliseconds(error) if error == error else "",
                *ratios,
                _advance(row, own),
                f"{outcome.answer['contacts']:,}" if "contacts" in outcome.answer else "",
                f"{outcome.peak_bytes / 1e6:,.0f}" if outcome.peak_bytes else "",
            )
        )
        named = row.scene
    return lines


def _time(outcome: Outcome, n_steps: int) -> str:
    if outcome.seconds:
        return milliseconds(outcome.median / n_steps)
    return f"> {1e3 * outcome.limit / n_steps:,.0f}" if outcome.limit > 0.0 else outcome.error


def _ratio(row: Row, other: Row | None) -> str:
    if other is None or not (other.outcome.seconds and row.outcome.seconds):
        return ""
    return ratio_of(row.seconds / other.seconds)


def _advance(row: Row, own: dict[str, Row]) -> str:
    """The steps found as shares of `safe_step`'s, their mean; LATE: past a contact that is proven."""
    steps, exact, proven = (
        found.outcome.answer.get(key) if found else None
        for found, key in ((row, "steps"), (own.get(SAFE_STEP), "steps"), (own.get(CONTACTS), "first_upper"))
    )
    if not (steps and exact and proven):
        return ""
    if any(upper is not None and step > upper for step, upper in zip(steps, proven, strict=True)):
        return "LATE"
    shares = [step / best for step, best in zip(steps, exact, strict=True) if best > 0.0]
    return f"{sum(shares) / len(shares):.6f}" if shares else "at start"


def headlines(rows: list[Row]) -> list[Headline]:
    """The step of large meshes, of which peers give the safe length, beside the faster peer."""
    found = []
    for name in ("cloth-ball", "cloth over ball"):
        own = {row.method: row for row in rows if row.scene == name}
        for method in (CONTACTS, SAFE_STEP) if own else ():
            peer = min((own[peer] for peer in PEERS), key=lambda row: row.seconds)
            theirs = peer.seconds if peer.outcome.seconds else float("nan")
            what = f"{method} of a step: {name}, {own[method].n_triangles:,} triangles, 2 threads"
            label = LABELS[peer.method]
            found.append(Headline(what, own[method].seconds, label, theirs, peer.outcome.error))
    return found


def targets(rows: list[Row]) -> list[Target]:
    """What was to be reached, of those scenes that were measured."""
    by_key = {(row.scene, row.method): row for row in rows if row.outcome.seconds}
    found = []
    for method, peer, share in ((CONTACTS, "TightInclusion", 3), (SAFE_STEP, "AdditiveCCD", 2)):
        own, rival = by_key.get(("cloth-ball", method)), by_key.get(("cloth-ball", peer))
        if own and rival:
            text = f"{method} on cloth-ball in 1/{share} of the time of {LABELS[peer]}"
            ratio = rival.seconds / own.seconds
            found.append(Target(text, f"1/{ratio:.1f}", ratio >= share))
    if row := by_key.get(("cloth-ball", SAFE_STEP)):
        step = row.outcome.answer["steps"][0]
        text = f"safe_step on cloth-ball at least 0.999 of {CLOTH_BALL_FIRST!r}, and not later"
        is_met = 0.999 * CLOTH_BALL_FIRST <= step <= CLOTH_BALL_FIRST
        found.append(Target(text, f"{step!r}, {step / CLOTH_BALL_FIRST:.9f}", is_met))
    if folded := [row for key, row in by_key.items() if key[0].startswith("folded") and key[1] == CONTACTS]:
        slowest = max(folded, key=lambda row: row.seconds)
        reached = f"{milliseconds(slowest.seconds)} ms ({slowest.scene})"
        found.append(Target("contacts on the folded sheets in 200 ms", reached, slowest.seconds < 0.2))
    if row := by_key.get(("n-body-simulation", CONTACTS)):
        peak = row.outcome.peak_bytes
        found.append(Target("contacts on n-body in 1 GB", f"{peak / 1e6:,.0f} MB at the peak", peak < 1e9))
    return found
