"""The tables of the rigid benchmark, and its targets."""

import numpy as np

from report.section import Headline, Lines, Target
from report.tables import milliseconds
from rigid.cases import AUTHORS_CODE, PAPER, Published
from rigid.own import LABELS, Result, Singles

_FASTER = 3.0  # than the authors' code, colliding and free
_HEAD = ("pair", "triangles", "method", "colliding", "free", "all", "iterations", "front nodes")


def comparison_lines(results: list[Result], singles: dict[str, Singles]) -> Lines:
    """Table I: milliseconds a motion of each method, then what was published of the pair."""
    lines: Lines = [(*_HEAD, "volume tests", "triangle tests", "gap", "late")]
    for name in dict.fromkeys(result.case for result in results):
        own = [result for result in results if result.case == name]
        title = (name, own[0].n_triangles)
        for result in own:
            lines.append((*title, LABELS[result.method], *_cells(result)))
            title = ("", "")
        if name in singles:
            lines.append(
                ("", "", "firstcontact, one call each", *map(milliseconds, singles[name].seconds), *[""] * 7)
            )
        lines += _published(name)
    return lines


def _cells(result: Result) -> tuple[str, ...]:
    times = [milliseconds(seconds) for seconds in (*result.seconds, result.mean)]
    counts = [f"{result.count(name):,.0f}" for name in ("front_nodes", "volume_tests", "triangle_tests")]
    gap = f"{result.gaps.mean():.1e}" if len(result.gaps) else ""
    late = "not checked" if result.n_late is None else f"{result.n_late} of {result.is_colliding.sum()}"
    return (*times, f"{result.count('iterations'):.1f}", *counts, gap, late)


def _published(name: str) -> list[tuple[str, ...]]:
    code, paper = AUTHORS_CODE[name], PAPER[name]
    return [
        ("", "", "the authors' C++ code", *_all_ms(code), *[""] * 6),
        ("", "", "the paper", *_all_ms(paper), *[""] * 6),
        ("", "", "the paper, without control", "", "", milliseconds(1e-3 * paper.uncontrolled), *[""] * 6),
    ]


def _all_ms(published: Published) -> list[str]:
    return [milliseconds(1e-3 * value) for value in (published.colliding, published.free, published.all)]


def pair_headlines(results: list[Result]) -> list[Headline]:
    """Motions that collide, beside what the authors' code takes on such models."""
    return [
        Headline(
            f"first contact, {result.case}, {result.n_triangles} triangles each, batch, 1 thread",
            result.seconds[0],
            "C²A, the authors' C++ (as published)",
            1e-3 * AUTHORS_CODE[result.case].colliding,
        )
        for result in results if result.method == "c2a"
    ]  # fmt: skip


def pair_targets(results: list[Result], gap: float) -> list[Target]:
    """A third of the time of the authors' code at the same gap, and never late."""
    own = [result for result in results if result.method == "c2a"]
    found = []
    for result in own:
        code = AUTHORS_CODE[result.case]
        for kind, seconds, published in zip(("colliding", "free"), result.seconds, code, strict=False):
            if not np.isnan(seconds):
                ratio = 1e-3 * published / seconds
                text = f"{result.case}, {kind}: 1/{_FASTER:.0f} of {published:g} ms"
                found.append(
                    Target(text, f"{milliseconds(seconds)} ms, 1/{ratio:.1f}", bool(ratio >= _FASTER))
                )
    widest = max(float(result.gaps.max(initial=0.0)) for result in own)
    found.append(Target(f"gap at the time at most {gap:.1e}", f"{widest:.1e} at most", widest <= gap))
    checked = [result for result in results if result.n_late is not None]
    n_late = sum(result.n_late or 0 for result in checked)
    n_hits = sum(int(result.is_colliding.sum()) for result in checked)
    if checked:
        found.append(Target("no contact reported late, by any method", f"{n_late} of {n_hits}", n_late == 0))
    return found
