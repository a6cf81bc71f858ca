"""Points within a radius of each other: `neighbors` beside SciPy, scikit-learn and freud.

Random points in a cube, with a radius that has about as many neighbours in it as each line says. All that a
query takes is counted, trees and cells too: seconds by the clock, least of several rounds, with all threads
where a library has them. What each gives: firstcontact, scikit-learn and freud each pair from both sides,
sorted by points; `query_ball_point` lists of Python; `query_pairs` each pair once, in no order, on one
thread.
freud measures in single precision in a periodic box, which is wide enough here that nobody is near through
its walls. Every answer must have as many pairs as ours, in single precision to one in ten thousand.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import firstcontact as fc
from points import clouds
from points.spheres import spheres
from report.section import Headline, Part, Run, Table, Target

TITLE = "Points and strands"
NEIGHBORS = (10, 30, 50)
ROUNDS = 3

# Peers that take longer than this at a tenth of the points are not asked about all of them.
PATIENCE = 1.5

Points = NDArray[np.float64]


def neighbors(run: Run) -> Part:
    """One set of points, with more and more neighbours each."""
    n = 200_000 if run.quick else 1_000_000
    lines = [("neighbours", "library", "seconds", "times ours")]
    headlines, ratios, figures = [], [], []
    for count in NEIGHBORS:
        points = np.random.default_rng(0).random((n, 3))
        radius = (3.0 * count / (4.0 * np.pi * n)) ** (1.0 / 3.0)
        own, n_pairs = _least(_own, points, radius)
        lines.append((f"{count}", "firstcontact", f"{own:.3f}", ""))
        theirs = {}
        for name, ask in PEERS.items():
            seconds, found = _asked(ask, points, radius)
            if found >= 0 and abs(found - n_pairs) > 1e-4 * n_pairs:
                raise AssertionError(f"{name} lists {found} pairs, and we {n_pairs}")
            lines.append((f"{count}", name, f"{seconds:.3f}", f"{seconds / own:.1f}"))
            theirs[name] = seconds
        fastest = min((x for x in theirs.items() if np.isfinite(x[1])), key=lambda x: x[1])
        headlines.append(Headline(f"{n} points, {count} neighbours each", own, *fastest))
        ratios.append(fastest[1] / own)
        figures.append((count, own, n_pairs, theirs))
    note = "not a number: too slow at a tenth of the points, or not installed"
    reached = ", ".join(f"{ratio:.1f}" for ratio in ratios)
    return Part(
        tables=(Table(f"Seconds for {n} points", lines, n_left=2, note=note),),
        headlines=tuple(headlines),
        targets=(Target("twice as fast as the fastest peer", reached, min(ratios) >= 2.0),),
        figures=figures,
    )


def _own(points: Points, radius: float) -> int:
    return len(fc.neighbors(points, radius))


def _query_pairs(points: Points, radius: float) -> int:
    return 2 * len(cKDTree(points).query_pairs(radius, output_type="ndarray"))


def _query_ball_point(points: Points, radius: float) -> int:
    found = cKDTree(points).query_ball_point(points, radius, workers=-1, return_sorted=True)
    return sum(map(len, found)) - len(points)


def _sparse_distance_matrix(points: Points, radius: float) -> int:
    tree = cKDTree(points)
    return len(tree.sparse_distance_matrix(tree, radius, output_type="ndarray")) - len(points)


def _scikit_learn(points: Points, radius: float) -> int:
    from sklearn.neighbors import NearestNeighbors

    tree = NearestNeighbors(radius=radius, algorithm="kd_tree", n_jobs=-1).fit(points)
    return int(tree.radius_neighbors_graph().nnz)


def _freud(points: Points, radius: float) -> int:
    import freud

    side = 1.0 + 3.0 * radius
    query = freud.locality.AABBQuery(freud.box.Box(side, side, side), points - 0.5)
    return len(query.query(query.points, {"r_max": radius, "exclude_ii": True}).toNeighborList())


PEERS = {
    "scipy query_pairs": _query_pairs,
    "scipy query_ball_point": _query_ball_point,
    "scipy sparse_distance_matrix": _sparse_distance_matrix,
    "scikit-learn": _scikit_learn,
    "freud": _freud,
}


def _asked(ask: Callable[[Points, float], int], points: Points, radius: float) -> tuple[float, int]:
    """Seconds of a peer, and its pairs; not a number and -1 where it is missing or too slow to ask."""
    few = len(points) // 10
    try:
        began = perf_counter()
        ask(points[:few], radius * 10.0 ** (1.0 / 3.0))
    except ImportError:
        return np.nan, -1
    if perf_counter() - began > PATIENCE:
        return np.nan, -1
    return _least(ask, points, radius)


def _least(ask: Callable[[Points, float], int], *arguments: Any) -> tuple[float, int]:
    """Least time of some rounds; one round where it takes long."""
    best, found = np.inf, 0
    for _ in range(ROUNDS):
        began = perf_counter()
        found = ask(*arguments)
        best = min(best, perf_counter() - began)
        if best > PATIENCE:
            break
    return best, found


PARTS = {"neighbors": neighbors, "paths": clouds.paths, "strands": clouds.strands, "spheres": spheres}
