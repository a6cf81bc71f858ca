"""The tables of the scene benchmark, and its targets."""

from report.section import Headline, Lines, Target
from report.tables import exponent, milliseconds, ratio_of
from scene.own import BROAD_PHASES, CHOSEN, CONTACTS, ONE_CELL, SWEEP, TREE, Broad, Whole
from scene.peers import BULLET_STEP, RAPIER_BROAD, RAPIER_STEP, Stepped

SLOPE = 1.1  # the power of the number of bodies that a broad phase may grow with
FROM = 1000  # bodies from which the exponent is told apart: below, calls from Python hide the growth
_GOALS = {1000: 1e-3, 20000: 25e-3}  # seconds a frame
_FRAMES = {100: 7e-5, 1000: 6e-4, 10000: 6e-3, 100000: 75e-3}  # of a whole frame


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
    """Milliseconds a frame beside the peers, and in brackets how many times those of this library.

    The broad phase of a peer is held against the default, a step against moving and all contacts.
    """
    own = [Stepped(found_as(one.method), one.n_bodies, one.seconds) for one in broad]
    own += [Stepped(found_as(f"move and {one.query}"), one.n_bodies, one.move + one.seconds) for one in whole]
    sizes = sorted({result.n_bodies for result in results})
    found = {(one.method, one.n_bodies): one for one in [*own, *results]}
    lines: Lines = [("", *(f"{n:,} bodies" for n in sizes))]
    for method in dict.fromkeys(one.method for one in [*own, *results]):
        cells = [found.get((method, n)) for n in sizes]
        rival = found_as(CHOSEN if method == RAPIER_BROAD else f"move and {CONTACTS}")
        texts = [_beside(one, found.get((rival, n))) for one, n in zip(cells, sizes, strict=True)]
        if any(texts):
            lines.append((method, *texts))
    return lines


def found_as(method: str) -> str:
    """The name of one of this library's methods beside peers."""
    return f"firstcontact, {method}"


def _beside(one: Stepped | None, rival: Stepped | None) -> str:
    if one is None or one.note:
        return one.note if one else ""
    is_own = one.method.startswith(found_as(""))
    ratio = "" if is_own or rival is None else f" ({ratio_of(one.seconds / rival.seconds)} x)"
    return milliseconds(one.seconds) + ratio


def headlines(results: list[Stepped], broad: list[Broad], whole: list[Whole]) -> list[Headline]:
    """The broad phase and whole frames of many bodies."""
    found = []
    for n in sorted({result.n_bodies for result in results if result.n_bodies >= FROM}):
        frame = [one.move + one.seconds for one in whole if (one.query, one.n_bodies) == (CONTACTS, n)]
        default = [one.seconds for one in broad if (one.method, one.n_bodies) == (CHOSEN, n)]
        whole_frame = f"all contacts of a frame, {n:,} bodies, 1 thread"
        asked = {
            RAPIER_BROAD: (f"broad phase of a frame, {n:,} bodies, 1 thread", default),
            RAPIER_STEP: (whole_frame, frame),
            BULLET_STEP: (whole_frame, frame),
        }
        for one in (one for one in results if one.n_bodies == n and one.method in asked):
            what, own = asked[one.method]
            found += [Headline(what, seconds, one.method, one.seconds, one.note) for seconds in own]
    return found


def broad_targets(results: list[Broad]) -> list[Target]:
    """Growth, speed, and the same pairs."""
    targets = []
    for method in (CHOSEN, SWEEP, TREE):
        slopes = slope(results, method), slope(results, method, FROM)
        text = f"{method}: time a frame grows with at most the power {SLOPE} of the number of bodies"
        reached = f"{slopes[0]:.2f}, from {FROM:,} bodies {slopes[1]:.2f}"
        targets.append(Target(text, reached, max(slopes) <= SLOPE))
    for n, goal in _GOALS.items():
        for result in results:
            if result.n_bodies == n and result.method == CHOSEN:
                text = f"{n:,} bodies in at most {1e3 * goal:g} ms a frame"
                targets.append(Target(text, f"{milliseconds(result.seconds)} ms", result.seconds <= goal))
    same = all(result.is_same for result in results)
    return [*targets, Target("the same pairs from all broad phases", "yes" if same else "no", same)]


def frame_targets(whole: list[Whole], peers: list[Stepped]) -> list[Target]:
    """Whole frames, all contacts: within their time, and ahead of both peers' steps."""
    targets = []
    for one in (one for one in whole if one.query == CONTACTS):
        seconds, n = one.move + one.seconds, one.n_bodies
        steps = [p.seconds for p in peers if p.n_bodies == n and p.method in (RAPIER_STEP, BULLET_STEP)]
        text = f"a frame of {n:,} bodies in at most {1e3 * _FRAMES[n]:g} ms"
        targets.append(Target(text, f"{milliseconds(seconds)} ms", seconds <= _FRAMES[n]))
        text = f"a frame of {n:,} bodies ahead of the steps of both peers"
        ahead = all(seconds < other for other in steps if other == other)
        targets.append(Target(text, ", ".join(f"{ratio_of(other / seconds)} x" for other in steps), ahead))
    return targets
