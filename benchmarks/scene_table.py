"""The tables of the scene benchmark, and its targets."""

from rigid_table import Target
from scene_methods import BROAD_PHASES, ONE_CELL, SWEEP, TREE, Broad, Whole, exponent
from scene_peers import Stepped
from tables import milliseconds

Lines = list[tuple[str, ...]]

SLOPE = 1.1  # the power of the number of bodies that a broad phase may grow with
FROM = 1000  # bodies from which the exponent is told apart: below, calls from Python hide the growth
_GOALS = {1000: 1e-3, 20000: 25e-3}  # seconds a frame


def slope(results: list[Broad], method: str, first: int = 0) -> float:
    """The power of the number of bodies that a method's time grows with, from so many bodies on."""
    own = [result for result in results if result.method == method and result.n_bodies >= first]
    return exponent([result.n_bodies for result in own], [result.seconds for result in own])


def broad_lines(results: list[Broad]) -> Lines:
    """Milliseconds a frame of each broad phase, by the number of bodies."""
    lines: Lines = [
        ("bodies", "pairs", *BROAD_PHASES, "ends swapped", "in one cell", "boxes tested", "same pairs")
    ]
    for n in sorted({result.n_bodies for result in results}):
        own = {result.method: result for result in results if result.n_bodies == n}
        times = [milliseconds(own[method].seconds) for method in BROAD_PHASES]
        counts = [own[SWEEP].swaps, own[ONE_CELL].swaps, own[TREE].box_tests]
        same = "yes" if all(result.is_same for result in own.values()) else "NO"
        lines.append(
            (f"{n:,}", f"{own[SWEEP].pairs:,.0f}", *times, *(f"{count:,.0f}" for count in counts), same)
        )
    for text, first in (("exponent", 0), (f"exponent from {FROM:,}", FROM)):
        slopes = [f"{slope(results, method, first):.2f}" for method in BROAD_PHASES]
        lines.append((text, "", *slopes, "", "", "", ""))
    return lines


def whole_lines(results: list[Whole]) -> Lines:
    """Milliseconds of a whole frame, and of its stages."""
    stages = list(dict.fromkeys(stage for result in results for stage in result.stages))
    lines: Lines = [("query", "bodies", "move", "ask", *stages, "pairs", "due", "contacts")]
    for result in results:
        times = [result.move, result.seconds, *(result.stages[stage] for stage in stages)]
        counts = [f"{count:,.1f}" for count in (result.pairs, result.due, result.contacts)]
        lines.append((result.query, f"{result.n_bodies:,}", *map(milliseconds, times), *counts))
    return lines


def peer_lines(results: list[Stepped], broad: list[Broad], whole: list[Whole]) -> Lines:
    """Milliseconds a frame beside the peers: the broad phase, then whole frames."""
    own = [Stepped(f"firstcontact, {one.method}", one.n_bodies, one.seconds) for one in broad]
    own += [
        Stepped(f"firstcontact, move and {one.query}", one.n_bodies, one.move + one.seconds) for one in whole
    ]
    sizes = sorted({result.n_bodies for result in results})
    found = {(one.method, one.n_bodies): one for one in [*own, *results]}
    lines: Lines = [("", *(f"{n:,} bodies" for n in sizes))]
    for method in dict.fromkeys(one.method for one in [*own, *results]):
        cells = [found.get((method, n)) for n in sizes]
        texts = ["" if one is None else one.note or milliseconds(one.seconds) for one in cells]
        if any(texts):
            lines.append((method, *texts))
    return lines


def broad_targets(results: list[Broad]) -> list[Target]:
    """Growth, speed, and the same pairs."""
    targets = []
    for method in (SWEEP, TREE):
        slopes = slope(results, method), slope(results, method, FROM)
        text = f"{method}: time a frame grows with at most the power {SLOPE} of the number of bodies"
        reached = f"{slopes[0]:.2f}, from {FROM:,} bodies {slopes[1]:.2f}"
        targets.append(Target(text, reached, max(slopes) <= SLOPE))
    for n, goal in _GOALS.items():
        for result in results:
            if result.n_bodies == n and result.method == SWEEP:
                text = f"{n:,} bodies in at most {1e3 * goal:g} ms a frame"
                targets.append(Target(text, f"{milliseconds(result.seconds)} ms", result.seconds <= goal))
    same = all(result.is_same for result in results)
    return [*targets, Target("the same pairs from all broad phases", "yes" if same else "no", same)]
