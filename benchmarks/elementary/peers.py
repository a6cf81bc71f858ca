"""ipctk's two solvers of elementary queries, called pair by pair in a process of their own."""

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

PEERS = ("TightInclusion", "AdditiveCCD")
_MAX_PASSES = 20

Times = tuple[NDArray[np.float64], float, NDArray[np.bool_]]


class Ipctk:
    """One solver and one kind of query."""

    def __init__(self, name: str, kind: str) -> None:
        import ipctk

        ipctk.set_logger_level(ipctk.LoggerLevel.error)
        solver: Any = ipctk.TightInclusionCCD(tolerance=1e-6) if name == PEERS[0] else ipctk.AdditiveCCD()
        # A function of the eight points, at t = 0 and then at t = 1, and of the separation.
        self._solve = solver.point_triangle_ccd if kind == "vertex-face" else solver.edge_edge_ccd
        self._kind = kind

    def best_times(self, start: Any, end: Any, separation: float, seconds: float) -> Times:
        """Best seconds of each pair, those of a call that has nothing to compute, and the hits.

        The latter is asked right after each pair, on the same busy machine.
        """
        pairs = [(*a, *b, separation) for a, b in zip(start, end, strict=True)]
        trivial, solve = self._trivial_pairs(len(pairs)), self._solve
        times, trivial_times = np.full((2, len(pairs)), np.inf)
        hit, began, passes = np.empty(len(pairs), bool), perf_counter(), 0
        while passes == 0 or (passes < _MAX_PASSES and perf_counter() - began < seconds):
            for row, (pair, nothing) in enumerate(zip(pairs, trivial, strict=True)):
                call_began = perf_counter()
                found = solve(*pair)
                call_ended = perf_counter()
                solve(*nothing)
                trivial_times[row] = min(trivial_times[row], perf_counter() - call_ended)
                times[row] = min(times[row], call_ended - call_began)
                hit[row] = found[0]
            passes += 1
        return times, float(np.median(trivial_times)), hit

    def _trivial_pairs(self, n_pairs: int) -> list[Any]:
        """Pairs with nothing to compute, whose time is that of a call: far apart, and nothing moves."""
        points = np.random.default_rng(0).random((n_pairs, 4, 3))
        points[:, : 2 if self._kind == "edge-edge" else 1] += 1000.0
        return [(*still, *still, 0.0) for still in points]
