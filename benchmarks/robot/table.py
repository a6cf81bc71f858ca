"""The tables of the robot benchmark, and its targets."""

import numpy as np

from report.section import Headline, Lines, Target
from report.tables import milliseconds
from robot.cases import PANDA
from robot.study import (
    ALL_THREADS,
    FIRST,
    FREE,
    LOCAL,
    OWN,
    RANDOM,
    REFERENCE,
    STEPS,
    Certified,
    Found,
    Goal,
    Missed,
    Row,
    Single,
    Tuned,
    at,
)  # fmt: skip

_GOAL = 1e-3  # seconds of a median free segment
_DEFAULT = OWN[0]


def mean(rows: list[Row], part: str = "all") -> float:
    """Seconds a segment: of the free ones, of those that touch, or of all."""
    parts = ("free", "touching") if part == "all" else (part,)
    taken = sum(getattr(row, name) for row in rows for name in parts)
    n = sum(getattr(row, f"n_{name}") for row in rows for name in parts)
    return taken / n if n else float("nan")


def of(rows: list[Row], method: str, n_threads: int = ALL_THREADS, **wanted: str) -> list[Row]:
    """Rows of a method; `wanted`: robot, kind, family."""
    return [
        row
        for row in rows
        if (row.method, row.n_threads) == (method, n_threads)
        and all(getattr(row, name) == value for name, value in wanted.items())
    ]


def reference(rows: list[Row], **wanted: str) -> float:
    """Seconds a segment of the faster of the ways to sample at the reference step; NaN without any."""
    times = [mean(of(rows, name, **wanted)) for name in (at(REFERENCE), f"{at(REFERENCE)}, hulls")]
    return float(np.nanmin(times)) if not np.isnan(times).all() else float("nan")


def segment_lines(rows: list[Row], fault: str) -> Lines:
    """Milliseconds a segment of every method, all worlds of a robot together; `fault`: of the peer."""
    lines: Lines = [
        ("segments", "method", "threads", "number", "free", "touching", "all", "times", "missed", "made up")
    ]
    for robot, kind in dict.fromkeys((row.robot, row.kind) for row in rows):
        wanted, title = {"robot": robot, "kind": kind}, f"{robot}, {kind}"
        mine = [row for row in rows if (row.robot, row.kind) == (robot, kind)]
        for method, n_threads in dict.fromkeys((row.method, row.n_threads) for row in mine):
            found = of(mine, method, n_threads, **wanted)
            base = mean(of(mine, at(REFERENCE), n_threads, **wanted))
            times = [milliseconds(mean(found, part)) for part in ("free", "touching", "all")]
            ratio = f"{mean(found) / base:.2f}" if base > 0.0 else ""
            n = sum(row.n_free + row.n_touching for row in found)
            differ = [f"{sum(getattr(row, name) for row in found):,}" for name in ("missed", "made_up")]
            lines.append((title, method, str(n_threads), f"{n:,}", *times, ratio, *differ))
            title = ""
        if not of(mine, at(REFERENCE)):
            lines.append(("", at(REFERENCE), "", fault, *[""] * 6))
    return lines


def headlines(rows: list[Row], fault: str) -> list[Headline]:
    """Certified checks in batches beside samples, all worlds of a robot together."""
    found = []
    for robot, kind in dict.fromkeys((row.robot, row.kind) for row in rows):
        wanted = {"robot": robot, "kind": kind}
        sampled = of(rows, at(REFERENCE), **wanted)
        missed = sum(row.missed for row in sampled)
        note = f"misses {missed} contacts" if missed else "" if sampled else fault
        what = f"{kind} segment of the {robot}, proven free or not, batch, {ALL_THREADS} threads"
        own = mean(of(rows, _DEFAULT, **wanted))
        found.append(
            Headline(what, own, f"pinocchio, coal: samples at {REFERENCE:g} rad", mean(sampled), note)
        )
    return found


def family_lines(rows: list[Row]) -> Lines:
    """Milliseconds a segment by family, beside the faster way to sample; then those of free ones."""
    step = at(REFERENCE)
    free = ("free: is_free", f"free: {step}", "free: times")
    lines: Lines = [("family", "segments", "free", *OWN, step, "times", *free)]
    for robot, family, kind in dict.fromkeys((row.robot, row.family, row.kind) for row in rows):
        wanted = {"robot": robot, "family": family, "kind": kind}
        own = [mean(of(rows, method, **wanted)) for method in OWN]
        peer, default = reference(rows, **wanted), of(rows, _DEFAULT, **wanted)
        n_free, n = (sum(row.n_free for row in default), sum(row.n_free + row.n_touching for row in default))
        alone = mean(default, FREE), mean(of(rows, step, **wanted), FREE)
        cells = [
            *map(milliseconds, own),
            milliseconds(peer),
            _ratio(own[0], peer),
            *map(milliseconds, alone),
            _ratio(*alone),
        ]
        lines.append((f"{robot} {family}", kind, f"{n_free / max(n, 1):.0%}", *cells))
    return lines


def single_lines(singles: list[Single]) -> Lines:
    """Milliseconds of segments that are asked one by one."""
    lines: Lines = [("segments", "method", "number", "median", "mean", "9 of 10 within")]
    for key in dict.fromkeys(one[:4] for one in singles):
        taken = seconds(singles, *key)
        if len(taken):
            cells = [np.median(taken), taken.mean(), np.quantile(taken, 0.9)]
            lines.append((", ".join(key[:3]), key[3], f"{len(taken):,}", *map(milliseconds, cells)))
    return lines


def seconds(singles: list[Single], *key: str) -> np.ndarray:
    """Of all segments asked one by one; the key is robot, kind, part and method."""
    taken = [one.seconds for one in singles if one[:4] == key]
    return np.concatenate(taken) if taken else np.empty(0)


def missed_lines(missed: list[Missed], rows: list[Row]) -> Lines:
    """Contacts that sampling misses."""
    lines: Lines = [
        ("segments", "step", "touching", "missed", "proven by a configuration", "coal's meshes agree")
    ]
    for robot, kind, step in dict.fromkeys(one[:3] for one in missed):
        own = [one for one in missed if one[:3] == (robot, kind, step)]
        n = sum(row.n_touching for row in of(rows, at(step), robot=robot, kind=kind))
        counts = [sum(getattr(one, name) for one in own) for name in ("n", "proven", "seconded")]
        lines.append((f"{robot}, {kind}", f"{step:g}", f"{n:,}", *(f"{count:,}" for count in counts)))
    return lines


def goal_lines(goals: list[Goal]) -> Lines:
    """The straight lines from start to goal."""
    steps = STEPS if any(goal.found for goal in goals) else ()
    lines: Lines = [("problem", "first contact", *(f"{step:g} rad" for step in steps))]
    words = {True: "touching", False: "free"}
    return lines + [
        (f"{goal.family} {goal.world}", goal.contact, *(words[found] for found in goal.found))
        for goal in goals
    ]


def certificate_lines(certified: list[Certified]) -> Lines:
    """What the proofs of free segments take."""
    lines: Lines = [("free segments", "number", "intervals", "at most", "ms to verify", "verified")]
    for robot, kind in dict.fromkeys(one[:2] for one in certified):
        own = [one for one in certified if one[:2] == (robot, kind)]
        n, good = sum(len(one.intervals) for one in own), sum(one.verified for one in own)
        if n:
            sizes = np.concatenate([one.intervals for one in own])
            taken = sum(one.seconds for one in own) / n
            cells = (f"{np.median(sizes):,.0f}", f"{sizes.max():,.0f}", milliseconds(taken), f"{good:,}")
            lines.append((f"{robot}, {kind}", f"{n:,}", *cells))
    return lines


def tuned_lines(tuned: list[Tuned]) -> Lines:
    """Milliseconds a segment of each way to use pinocchio."""
    lines: Lines = [("links, broad phase, order", *(one.robot for one in tuned))]
    for way in tuned[0].seconds if tuned else ():
        cells = [
            milliseconds(one.seconds[way]) + " *" * (way in (str(one.best), str(one.hulls))) for one in tuned
        ]
        lines.append((way, *cells))
    return lines


def targets(found: Found) -> list[Target]:
    """Faster than samples on the Panda's problems, a free segment within 1 ms, and no contact missed."""
    reached = []
    for kind in (RANDOM, LOCAL):
        wanted = {"robot": PANDA, "kind": kind}
        own, peer = mean(of(found.rows, _DEFAULT, **wanted)), reference(found.rows, **wanted)
        text = (
            f"{kind} segments of the Panda's problems, in batches: faster than samples at {REFERENCE:g} rad"
        )
        if own > 0.0 and peer > 0.0:
            reached.append(Target(text, f"{milliseconds(own)} to {milliseconds(peer)} ms", own < peer))
        taken = seconds(found.singles, PANDA, kind, FREE, _DEFAULT)
        if len(taken):
            text = f"{kind} segments of the Panda's problems: median free one, asked alone, within 1 ms"
            median = float(np.median(taken))
            reached.append(Target(text, f"{milliseconds(median)} ms", median < _GOAL))
    sampled = [row for row in found.rows if row.method in map(at, STEPS)]
    if sampled:
        made_up = sum(row.made_up for row in sampled)
        reached.append(Target("never free where samples touch", f"{made_up} of {_n(sampled)}", made_up == 0))
    same = [row for row in found.rows if row.method in (*OWN, FIRST)]
    if same:
        differ = sum(row.missed + row.made_up for row in same)
        reached.append(
            Target("the same answers by all methods", f"{differ} of {_n(same)} differ", differ == 0)
        )
    return reached


def _n(rows: list[Row]) -> str:
    return f"{sum(row.n_free + row.n_touching for row in rows):,}"


def _ratio(own: float, peer: float) -> str:
    return f"{own / peer:.2f}" if peer > 0.0 else ""
