"""A step of a solver: pairs are listed once, and ten motions of a line search asked about, each half as long.

Both libraries in one process, in turns, on two threads. Times are those of the processor, of both threads
together, the best of some repetitions: what others do on the machine matters less.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import process_time, sleep
from typing import Any, NamedTuple

import numpy as np

from deformable.cases import cloth_over_ball, file_of
from deformable.inner_loop import PAUSE
from deformable.methods import N_THREADS
from deformable.surfaces import Step

QUERIES = 10
SMALL = (416, 1_666)
FRAME = 10  # of the sequence from a file


class SolverStep(NamedTuple):
    """Milliseconds to list pairs and to ask about all motions, of this library and of the peer."""

    name: str
    n_triangles: int
    pairs: int
    listing: float
    asking: float
    peer_pairs: int
    peer_listing: float
    peer_asking: float

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes for the whole step."""
        return (self.peer_listing + self.peer_asking) / (self.listing + self.asking)


def solver_steps(data: Path, quick: bool) -> list[SolverStep]:
    """Measure all scenes; none where the peer is missing."""
    if find_spec("ipctk") is None:
        return []
    return [_measured(name, step, 2 if quick else 4) for name, step in _scenes(data, quick)]


def solver_lines(steps: list[SolverStep]) -> list[str]:
    """A table of them."""
    lines = [
        "| scene | triangles | pairs | list | ask 10 times | ipctk: pairs | list | ask 10 times | ÷ |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for one in steps:
        own = f"{one.pairs:,} | {one.listing:.1f} | {one.asking:.1f}"
        peer = f"{one.peer_pairs:,} | {one.peer_listing:.1f} | {one.peer_asking:.1f}"
        lines.append(f"| {one.name} | {one.n_triangles:,} | {own} | {peer} | {one.ratio:.1f} |")
    return lines


def _scenes(data: Path, quick: bool) -> Iterator[tuple[str, Step]]:
    for n in SMALL:
        yield f"cloth over ball, {n}", cloth_over_ball(n)[0]
    if not quick:
        yield "cloth over ball", cloth_over_ball(10_000)[0]
    file = file_of(data, "rumba")
    if file.exists() and not quick:
        with np.load(file) as arrays:
            yield "rumba", Step(*arrays["vertices"][FRAME : FRAME + 2], arrays["faces"])


def _measured(name: str, step: Step, repetitions: int) -> SolverStep:
    reach = float(np.linalg.norm(step.end - step.start, axis=1).max())
    ends = [step.start + 0.5**k * (step.end - step.start) for k in range(QUERIES)]
    both = _library(step, reach, ends), _peer(step, reach, ends)
    for list_pairs, ask in both:  # the first time it may compile
        ask(list_pairs())
    best = np.full((2, 2), np.inf)
    for _ in range(repetitions):
        for row, (list_pairs, ask) in enumerate(both):
            sleep(PAUSE)
            began = process_time()
            pairs = list_pairs()
            listed = process_time()
            ask(pairs)
            best[row] = np.minimum(best[row], [listed - began, process_time() - listed])
    (listing, asking), (peer_listing, peer_asking) = (1e3 * best).tolist()
    counts = [len(list_pairs()) for list_pairs, _ in both]
    return SolverStep(name, len(step.faces), counts[0], listing, asking, counts[1], peer_listing, peer_asking)


_Calls = tuple[Callable[[], Any], Callable[[Any], list[float]]]


def _library(step: Step, reach: float, ends: list[Any]) -> _Calls:
    import numba

    import firstcontact as fc

    numba.set_num_threads(min(N_THREADS, numba.config.NUMBA_NUM_THREADS))
    mesh = fc.Mesh(step.start, step.faces)
    return (
        lambda: fc.candidates(mesh, inflate=reach, assume_free_start=True),
        lambda pairs: [pairs.safe_step(end) for end in ends],
    )


def _peer(step: Step, reach: float, ends: list[Any]) -> _Calls:
    import ipctk

    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    ipctk.set_num_threads(N_THREADS)
    start, places = np.asfortranarray(step.start), [np.asfortranarray(end) for end in ends]
    mesh = ipctk.CollisionMesh(start, ipctk.edges(step.faces), step.faces)
    solver = ipctk.AdditiveCCD()

    def list_pairs() -> Any:
        pairs = ipctk.Candidates()
        pairs.build(mesh, start, reach, ipctk.LBVH())
        return pairs

    return list_pairs, lambda pairs: [
        pairs.compute_collision_free_stepsize(mesh, start, end, 0.0, solver) for end in places
    ]
