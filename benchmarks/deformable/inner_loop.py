"""What a solver asks again and again: small meshes, separations, fast steps, long lists, one thread or two.

All of it in one process, in turns with ipctk's AdditiveCCD, the best of several: of steps that take less than
a millisecond, the start of a process would be most. Processor time, since cores may be shared.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple

import numpy as np

from deformable.cases import cloth_over_ball, folded_sheet, twisted_rod
from deformable.surfaces import Points, Step, grid_faces
from report.section import Lines, Part, Run, Table
from report.tables import milliseconds, ratio_of

N_THREADS = 2
QUERIES = ("contacts", "first_contact", "safe_step")
_PEER = "AdditiveCCD"
_SECONDS, _FEWEST, _MOST = 2.0, 3, 100

# Seconds until the threads of a peer sleep: until then they wait, in processor time of whoever comes next.
PAUSE = 0.005


class Case(NamedTuple):
    """A step, and the separation that is kept in it."""

    name: str
    step: Step
    min_separation: float = 0.0


class Figures(NamedTuple):
    """Seconds of processor time of each query, and of the peer, for a case."""

    name: str
    n_triangles: int
    n_contacts: int
    seconds: dict[str, float]


def flying_sheet(edges: float, n_side: int = 100) -> Step:
    """A wavy sheet all of which flies by so many lengths of an edge, and is bent and roughened on its way."""
    u, v = np.meshgrid(*[np.linspace(0.0, 1.0, n_side + 1)] * 2, indexing="ij")
    edge = 1.0 / n_side
    start: Points = np.stack([u, v, 0.15 * np.sin(9.0 * u + 2.0 * v) * np.cos(7.0 * v)], axis=-1)
    bent = 0.5 * np.stack([np.sin(5.0 * v), np.cos(4.0 * u), np.sin(6.0 * u * v)], axis=-1)
    rough = 0.3 * edge * np.random.default_rng(0).normal(size=start.shape)
    end = start + edges * edge * (np.array([0.6, 0.2, 0.77]) + bent) + rough
    return Step(start.reshape(-1, 3), end.reshape(-1, 3), grid_faces(n_side, n_side))


def cases(quick: bool) -> Iterator[Case]:
    """Small meshes, hardly moving or about to touch; separations; fast steps; a list of 100,000."""
    for n in (416, 1_666):
        (step,) = cloth_over_ball(n)
        yield Case("small cloth", step)
        yield Case("small cloth, a fiftieth of its step", _part_of(step, 0.02))
        yield Case("small cloth, separation", step, 1e-3)
    yield Case("cloth, separation", cloth_over_ball(2_000 if quick else 18_484)[0], 1e-3)
    yield Case("twisted rod, separation", twisted_rod(24, 60 if quick else 300)[0], 1e-4)
    for motion in ("crossing", "sliding"):
        step = folded_sheet(motion, 10 if quick else 40)[0]
        yield Case(f"folded sheet, {motion}, separation", step, 1e-3)
    for edges in (2.0, 9.0, 20.0):
        step = flying_sheet(edges, 20 if quick else 100)
        yield Case(f"flying sheet, by {edges:.0f} edges", step)


def inner_loop(run: Run) -> Part:
    """All cases beside AdditiveCCD, and what a second thread is worth."""
    figures = [_measured(case, run.quick) for case in cases(run.quick)]
    growth = _growth(run.quick)
    note = "Milliseconds of processor time a step, both threads added; ÷: AdditiveCCD over safe_step"
    return Part(
        tables=(
            Table("In the inner loop of a solver", _lines(figures), 1, note),
            Table("One thread and two, milliseconds", growth, 1),
        ),
        figures=figures,
    )


def _part_of(step: Step, part: float) -> Step:
    return step._replace(end=step.start + part * (step.end - step.start))


def _calls(case: Case) -> dict[str, Callable[[], Any]]:
    import firstcontact as fc

    start, end, faces = case.step
    thing, kept = fc.Mesh(start, faces).deforming(start, end), case.min_separation
    calls: dict[str, Callable[[], Any]] = {
        "contacts": lambda: fc.contacts(thing, min_separation=kept),
        "first_contact": lambda: fc.first_contact(thing, min_separation=kept),
        "safe_step": lambda: fc.safe_step(thing, min_separation=kept),
    }
    if find_spec("ipctk") is not None:
        calls[_PEER] = _peer(case)
    return calls


def _peer(case: Case) -> Callable[[], Any]:
    import ipctk

    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    ipctk.set_num_threads(N_THREADS)
    ends = [np.asfortranarray(places) for places in case.step[:2]]
    mesh = ipctk.CollisionMesh(ends[0], ipctk.edges(case.step.faces), case.step.faces)
    solver = ipctk.AdditiveCCD()
    return lambda: ipctk.compute_collision_free_stepsize(
        mesh, *ends, case.min_separation, ipctk.LBVH(), solver
    )


def _measured(case: Case, quick: bool) -> Figures:
    calls = _calls(case)
    found = calls["contacts"]()
    seconds = _best(calls, process_time, 0.2 if quick else _SECONDS)
    return Figures(case.name, len(case.step.faces), len(found), seconds)


def _best(
    calls: dict[str, Callable[[], Any]], clock: Callable[[], float], seconds: float
) -> dict[str, float]:
    """The shortest time of each call, in turns, after one that does not count."""
    best = dict.fromkeys(calls, float("inf"))
    for call in calls.values():
        call()
    began, n = perf_counter(), 0
    while n < _FEWEST or (n < _MOST and perf_counter() - began < seconds):
        n += 1
        for name, call in calls.items():
            sleep(PAUSE)
            start = clock()
            call()
            best[name] = min(best[name], clock() - start)
    return best


def _growth(quick: bool) -> Lines:
    """Time of `contacts` by the clock on the wall, on one thread and on two."""
    import numba

    lines: Lines = [("scene", "contacts", "one thread", "two", "times as fast")]
    sizes = (2_000,) if quick else (18_484, 92_000)
    chosen = [Case(f"cloth over ball, {n:,}", cloth_over_ball(n)[0]) for n in sizes]
    sheet = folded_sheet("crossing", 10 if quick else 40)[0]
    chosen.append(Case("folded sheet, crossing, separation", sheet, 1e-3))
    before = numba.get_num_threads()
    for case in chosen:
        call = _calls(case)["contacts"]
        times = []
        for n_threads in (1, min(N_THREADS, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(n_threads)
            times.append(_best({"contacts": call}, perf_counter, 0.2 if quick else _SECONDS)["contacts"])
        shown = (milliseconds(times[0]), milliseconds(times[1]), ratio_of(times[0] / times[1]))
        lines.append((case.name, f"{len(call()):,}", *shown))
    numba.set_num_threads(before)
    return lines


def _lines(figures: list[Figures]) -> Lines:
    lines: Lines = [("step", "triangles", "contacts", *QUERIES, _PEER, "÷")]
    for one in figures:
        theirs = one.seconds.get(_PEER, float("nan"))
        own = [one.seconds[query] for query in QUERIES]
        shown = map(milliseconds, (*own, theirs))
        lines.append(
            (one.name, f"{one.n_triangles:,}", f"{one.n_contacts:,}", *shown, ratio_of(theirs / own[2]))
        )
    return lines
