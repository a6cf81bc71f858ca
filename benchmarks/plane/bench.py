"""Polygons in the plane beside shapely, at the sizes of a paper's table.

"Fast and Simple 2D Geometric Proximity Queries Using Graphics Hardware" (Hoff and others, 2001; in the course
on collision detection at SIGGRAPH 2004) has five scenes, of things with 120, 30, 29, 15 and 100 edges on the
average. Here are outlines with 119, 30, 29, 14 and 100, two of a kind: one at rest, the other turned at
random and put around it, so that six in ten overlap. Microseconds a pair, of the processor on one thread,
least of some rounds that are taken in turns: one by one, from a loop of Python, and all in one call. shapely
is asked with the first one prepared, once for polygons that it has been given at their places beforehand,
and once with the time to place them. It has no depths: those are compared with the nearest boundary of a
Minkowski sum of triangles, which it unites. All answers must be the same, to rounding.
"""

from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import numba
import numpy as np

import firstcontact as fc
from plane.outlines import Points, outlines
from report.section import Headline, Lines, Part, Run, SkippedError, Table

TITLE = "The plane"
ROUNDS = 3
N_SUMS = 2  # depths that are compared: sums of triangles take long
PEER = "shapely, placing"


class Case(NamedTuple):
    """Two polygons alike, the second with turns and places; and its points there, (k, n, 2)."""

    name: str
    polygon: fc.Polygon
    turns: Points
    places: Points
    placed: Points


class Answer(NamedTuple):
    """Microseconds a pair, and what was found."""

    micros: float
    found: Any


def pairs(run: Run) -> Part:
    """Distances, overlaps and depths of pairs."""
    numba.set_num_threads(1)
    try:
        import shapely  # noqa: F401
    except ImportError as error:
        raise SkippedError("shapely is missing") from error
    lines: Lines = [("outline", "edges", "query", "called", OWN, "placed before", PEER, "times ours")]
    headlines, figures = [], []
    for case in _cases(200 if run.quick else 1000):
        for query in ("distance", "intersects"):
            for called, ask in (("one by one", _one_by_one), ("at once", _at_once)):
                took = _in_turns(ask(case, query))
                own, before, placing = (took[name].micros for name in (OWN, BEFORE, PEER))
                cells = (f"{own:.2f}", f"{before:.2f}", f"{placing:.2f}", f"{placing / own:.2f}")
                lines.append((case.name, f"{case.polygon.n_edges}", query, called, *cells))
                headlines.append(_headline(case, query, called, own, placing))
                figures.append((case.name, query, called, own, before, placing))
    note = f"Times ours are those of {PEER}."
    table = Table("Microseconds a pair", lines, n_left=4, note=note)
    return Part(tables=(table,), headlines=tuple(one for one in headlines if one), figures=figures)


def depths(run: Run) -> Part:
    """The shortest way out, which no peer has."""
    numba.set_num_threads(1)
    lines: Lines = [("outline", "edges", "one by one, us", "at once, us", "sum of triangles, us")]
    figures = []
    for case in _cases(20 if run.quick else 100):
        took = _in_turns(_depths(case))
        both = [took[name].micros for name in ("one by one", "at once")]
        theirs = _by_sums(case, took["at once"].found)
        cells = (*(f"{micros:.0f}" for micros in both), f"{theirs:.0f}" if theirs == theirs else "missing")
        lines.append((case.name, f"{case.polygon.n_edges}", *cells))
        figures.append((case.name, *both, theirs))
    return Part(tables=(Table("The shortest way out", lines, n_left=2),), figures=figures)


def _depths(case: Case) -> dict[str, Callable[[], Any]]:
    a, poses = case.polygon, list(zip(case.turns.tolist(), case.places, strict=True))
    return {
        "one by one": lambda: [fc.penetration(a, a.at(pose)).depth for pose in poses],
        "at once": lambda: fc.penetration(a, _moved(case)).depth,
    }


def _cases(n: int) -> list[Case]:
    """Both of each kind; the second around the first, at up to 2 from it."""
    rng, found = np.random.default_rng(1), []
    for name, points in outlines().items():
        turns, angles = rng.uniform(0.0, 2.0 * np.pi, (2, n))
        places = rng.uniform(0.0, 2.6, n)[:, np.newaxis] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        polygon = fc.Polygon(points)
        placed = np.stack([polygon.at((t, p)).vertices(0) for t, p in zip(turns, places, strict=True)])
        found.append(Case(name, polygon, turns, places, placed))
    return found


def _moved(case: Case) -> fc.Moving:
    return case.polygon.at((case.turns, case.places))


def _one_by_one(case: Case, query: str) -> dict[str, Callable[[], Any]]:
    import shapely

    a, b = case.polygon, case.polygon
    poses = list(zip(case.turns.tolist(), case.places, strict=True))
    ours, theirs = getattr(fc, query), getattr(shapely, query)
    value: Callable[[Any], Any] = (lambda d: d.distance) if query == "distance" else bool
    first, others = shapely.Polygon(a.vertices), list(shapely.polygons(case.placed))
    shapely.prepare(first)
    return {
        OWN: lambda: np.array([value(ours(a, b.at(pose))) for pose in poses]),
        BEFORE: lambda: np.array([theirs(first, other) for other in others]),
        PEER: lambda: np.array([theirs(first, shapely.polygons(_put(b.vertices, pose))) for pose in poses]),
    }


def _at_once(case: Case, query: str) -> dict[str, Callable[[], Any]]:
    import shapely

    ours, theirs = getattr(fc, query), getattr(shapely, query)
    first, others = shapely.Polygon(case.polygon.vertices), shapely.polygons(case.placed)
    shapely.prepare(first)

    def own() -> Any:
        found = ours(case.polygon, _moved(case))
        return found.distance if query == "distance" else found

    def placing() -> Any:
        c, s = np.cos(case.turns), np.sin(case.turns)
        matrices = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)
        return theirs(first, shapely.polygons(case.polygon.vertices @ matrices + case.places[:, np.newaxis]))

    return {OWN: own, BEFORE: lambda: theirs(first, others), PEER: placing}


def _put(points: Points, pose: tuple[float, Points]) -> Points:
    c, s = np.cos(pose[0]), np.sin(pose[0])
    return points @ np.array([[c, s], [-s, c]]) + pose[1]


def _in_turns(asks: dict[str, Callable[[], Any]]) -> dict[str, Answer]:
    """The least of some rounds of each, after one that compiles; all must find the same."""
    found = {name: np.asarray(ask()) for name, ask in asks.items()}
    first, *others = found.values()
    for other in others:
        if not np.allclose(np.asarray(other, float), np.asarray(first, float), rtol=0.0, atol=1e-12):
            raise AssertionError(f"not the same: {list(asks)}")
    least = dict.fromkeys(asks, np.inf)
    for _ in range(ROUNDS):
        for name, ask in asks.items():
            began = process_time()
            ask()
            least[name] = min(least[name], process_time() - began)
    return {name: Answer(1e6 * least[name] / len(first), found[name]) for name in asks}


def _headline(case: Case, query: str, called: str, own: float, theirs: float) -> Headline | None:
    """Maps alone, which have the most edges, are in the summary."""
    if case.name != "map":
        return None
    what = f"{query} of polygons of {case.polygon.n_edges} edges, {called}"
    return Headline(what, 1e-6 * own, PEER, 1e-6 * theirs)


def _by_sums(case: Case, depth: Points) -> float:
    """Microseconds for one depth by a sum of triangles, of the first that overlap; they must be ours."""
    try:
        from plane.sums import depth_by_sum
    except ImportError:
        return np.nan
    took = []
    for k in np.flatnonzero(depth > 0.0)[:N_SUMS].tolist():
        began = process_time()
        theirs = depth_by_sum(case.polygon.vertices, case.placed[k])
        took.append(process_time() - began)
        if abs(theirs - depth[k]) > 1e-9:
            raise AssertionError(f"depth of {case.name} is {depth[k]}, and by a sum of triangles {theirs}")
    return 1e6 * min(took, default=np.nan)


OWN, BEFORE = "firstcontact", "shapely, placed before"
PARTS = {"pairs": pairs, "depths": depths}
