"""Strands: a step of thousands of them, beside ipctk's edges without faces.

Points of all strands go straight through one step. `safe_step` beside ipctk's collision-free step: LBVH and
AdditiveCCD, which takes the sum of two radii for a separation, and stops short of it by a tenth of the
distance at the start: its step is shorter. `contacts` lists all of the step, which ipctk does not. On one
thread, times are those of the processor, else by the clock.
"""

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numba
import numpy as np

import firstcontact as fc
from report.section import Headline, Part, Run, Table

RADIUS, ROUNDS = 1e-4, 3
OWN, PEER = "firstcontact, safe_step", "ipctk LBVH, AdditiveCCD"


def strands(run: Run) -> Part:
    """Strands that sway through each other, in one step."""
    lines, headlines, figures = [("strands", "threads", "method", "ms a step", "answer")], [], []
    for n in (1_000,) if run.quick else (1_000, 10_000):
        for n_threads in sorted({1, numba.config.NUMBA_NUM_THREADS}):
            found = {}
            for name, ask in _methods(n, n_threads).items():
                found[name], answer = _least(ask)
                lines.append((f"{n}", f"{n_threads}", name, f"{1e3 * found[name]:.1f}", f"{answer:.6g}"))
            figures.append((n, n_threads, found))
        what = f"safe_step of {n} strands of 30 points"
        headlines.append(Headline(what, found[OWN], PEER, found.get(PEER, np.nan)))
    table = Table("Strands of 30 points that sway through each other", lines, n_left=3)
    return Part(tables=(table,), headlines=tuple(headlines), figures=figures)


def _methods(n: int, n_threads: int) -> dict[str, Callable[[], float]]:
    rng = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(n)))  # roots in a square, 2 mm apart: nothing touches at the start
    roots = 0.002 * np.stack([np.arange(n) % side, np.arange(n) // side, np.zeros(n)], axis=1)
    bent = np.cumsum(rng.normal([0.0, 0.0, 0.01], 0.002, (30, 3)), axis=0)
    before = (roots[:, np.newaxis] + bent).reshape(-1, 3)
    after = before + 0.001 * np.repeat(rng.normal(size=(n, 3)), 30, axis=0)
    hair = fc.Strands(before, [30] * n, RADIUS)
    numba.set_num_threads(n_threads)
    methods: dict[str, Callable[[], float]] = {
        OWN: lambda: fc.safe_step(hair.deforming(before, after), exact=False),
        "firstcontact, contacts": lambda: len(fc.contacts(hair.deforming(before, after), exact=False)),
    }
    return methods | _by_ipctk(hair, before, after, n_threads)


def _by_ipctk(hair: fc.Strands, before: Any, after: Any, n_threads: int) -> dict[str, Callable[[], float]]:
    try:
        import ipctk
    except ImportError:
        return {}
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    ipctk.set_num_threads(n_threads)
    edges, faces = hair.segments.astype(np.int32), np.empty((0, 3), np.int32)
    ends = [np.asfortranarray(places) for places in (before, after)]
    mesh = ipctk.CollisionMesh(ends[0], edges, faces)

    def step() -> float:
        ways = ipctk.LBVH(), ipctk.AdditiveCCD()
        return float(ipctk.compute_collision_free_stepsize(mesh, *ends, 2.0 * RADIUS, *ways))

    return {PEER: step}


def _least(ask: Callable[[], float]) -> tuple[float, float]:
    """Least seconds of some rounds, after one that does not count, and the answer."""
    answer, took = ask(), []
    clock = process_time if numba.get_num_threads() == 1 else perf_counter
    for _ in range(ROUNDS):
        began = clock()
        answer = ask()
        took.append(clock() - began)
    return min(took), answer
