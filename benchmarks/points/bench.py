"""Points within a radius of each other: `neighbors` beside SciPy, scikit-learn and freud.

Random points in a cube, with a radius that has about as many neighbours in it as each line says. All that a
query takes is counted, trees and cells too: seconds, least of several rounds, which libraries take in turns,
of the processor on one thread, and by the clock on all where a library has them. What each gives:
firstcontact, scikit-learn and freud each pair from both sides, sorted by points; `query_ball_point` lists of
Python; `query_pairs` each pair once, in no order, on one thread.
freud measures in single precision in a periodic box, which is wide enough here that nobody is near through
its walls. Every answer must have as many pairs as ours, in single precision to one in ten thousand.
"""

from collections.abc import Callable
from time import perf_counter, process_time

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import firstcontact as fc
from points import clouds
from points.parts import parts
from points.spheres import spheres
from points.strands import strands
from report.section import Headline, Part, Run, Table, Target

TITLE = "Points and strands"
NEIGHBORS = (10, 30, 50)
ROUNDS = 3
ALONE = 1  # thread

# Peers that take longer than this, in seconds, at a tenth of the points are not asked about all of them.
PATIENCE = 3.0

Points = NDArray[np.float64]
Ask = Callable[[Points, float, int], int]


def neighbors(run: Run) -> Part:
    """One set of points, with more and more neighbours each."""
    n = 200_000 if run.quick else 1_000_000
    most = int(numba.config.NUMBA_NUM_THREADS)
    lines = [("neighbours", "library", f"{ALONE} thread", "times ours", f"{most} threads", "times ours")]
    headlines, ratios, figures = [], [], []
    for count in NEIGHBORS:
        points = np.random.default_rng(0).random((n, 3))
        radius = (3.0 * count / (4.0 * np.pi * n)) ** (1.0 / 3.0)
        asked = [name for name, ask in LIBRARIES.items() if _is_quick(ask, points, radius, most)]
        took = {n_threads: _in_turns(asked, points, radius, n_threads) for n_threads in (ALONE, most)}
        for name in LIBRARIES:
            cells = [text for n_threads in (ALONE, most) for text in _cells(took[n_threads], name)]
            lines.append((f"{count}", name, *cells))
        best = {name: min(one.get(name, np.inf) for one in took.values()) for name in asked}
        own = best.pop(OWN)
        fastest = min(best.items(), key=lambda x: x[1])
        headlines.append(Headline(f"{n} points, {count} neighbours each", own, *fastest))
        ratios.append(fastest[1] / own)
        figures.append((count, took))
    reached = ", ".join(f"{ratio:.1f}" for ratio in ratios)
    note = "without a number: too slow at a tenth of the points, not installed, or it has one thread"
    return Part(
        tables=(Table(f"Seconds for {n} points", lines, n_left=2, note=note),),
        headlines=tuple(headlines),
        targets=(Target("twice as fast as the fastest peer", reached, min(ratios) >= 2.0),),
        figures=figures,
    )


def _own(points: Points, radius: float, n_threads: int) -> int:
    numba.set_num_threads(n_threads)
    return len(fc.neighbors(points, radius))


def _query_pairs(points: Points, radius: float, n_threads: int) -> int:
    return 2 * len(cKDTree(points).query_pairs(radius, output_type="ndarray"))


def _query_ball_point(points: Points, radius: float, n_threads: int) -> int:
    found = cKDTree(points).query_ball_point(points, radius, workers=n_threads, return_sorted=True)
    return sum(map(len, found)) - len(points)


def _sparse_distance_matrix(points: Points, radius: float, n_threads: int) -> int:
    tree = cKDTree(points)
    return len(tree.sparse_distance_matrix(tree, radius, output_type="ndarray")) - len(points)


def _scikit_learn(points: Points, radius: float, n_threads: int) -> int:
    from sklearn.neighbors import NearestNeighbors

    tree = NearestNeighbors(radius=radius, algorithm="kd_tree", n_jobs=n_threads).fit(points)
    return int(tree.radius_neighbors_graph().nnz)


def _freud(points: Points, radius: float, n_threads: int) -> int:
    import freud

    freud.parallel.set_num_threads(n_threads)
    side = 1.0 + 3.0 * radius
    query = freud.locality.AABBQuery(freud.box.Box(side, side, side), points - 0.5)
    return len(query.query(query.points, {"r_max": radius, "exclude_ii": True}).toNeighborList())


OWN, PAIRS, MATRIX = "firstcontact", "scipy query_pairs", "scipy sparse_distance_matrix"
LIBRARIES: dict[str, Ask] = {
    OWN: _own,
    PAIRS: _query_pairs,
    "scipy query_ball_point": _query_ball_point,
    MATRIX: _sparse_distance_matrix,
    "scikit-learn": _scikit_learn,
    "freud": _freud,
}
ON_ONE_THREAD = PAIRS, MATRIX


def _is_quick(ask: Ask, points: Points, radius: float, n_threads: int) -> bool:
    """Does a library answer, at a tenth of the points, in time? What it compiles or loads is not counted."""
    few = points[: len(points) // 10]
    try:
        ask(few[:1000], radius, n_threads)
    except ImportError:
        return False
    began = perf_counter()
    ask(few, radius * 10.0 ** (1.0 / 3.0), n_threads)
    return perf_counter() - began <= PATIENCE


def _in_turns(names: list[str], points: Points, radius: float, n_threads: int) -> dict[str, float]:
    """Least seconds of each library, of rounds that they take in turns; one round where it takes long."""
    least: dict[str, float] = {}
    clock = process_time if n_threads == ALONE else perf_counter
    n_pairs = _own(points, radius, n_threads)
    for _ in range(ROUNDS):
        for name in names:
            if (n_threads > ALONE and name in ON_ONE_THREAD) or least.get(name, 0.0) > 4.0 * PATIENCE:
                continue
            began = clock()
            found = LIBRARIES[name](points, radius, n_threads)
            least[name] = min(least.get(name, np.inf), clock() - began)
            if abs(found - n_pairs) > 1e-4 * n_pairs:
                raise AssertionError(f"{name} lists {found} pairs, and we {n_pairs}")
    return least


def _cells(took: dict[str, float], name: str) -> tuple[str, str]:
    if name not in took:
        return "", ""
    return f"{took[name]:.3f}", "" if name == OWN else f"{took[name] / took[OWN]:.1f}"


PARTS = {
    "neighbors": neighbors,
    "paths": clouds.paths,
    "distances": clouds.distances,
    "strands": strands,
    "parts": parts,
    "spheres": spheres,
}
