"""Convex shapes and rays, beside coal, python-fcl, mujoco, rapier3d and embreex.

Over the same random poses: A is placed, B stands at the origin; gaps from 1 % of the size to all of it,
overlaps of any depth, two thirds of the motions collide. Shapes, poses, rays and requests are made
beforehand, for the peers and for this library. A batch is one call, on all threads; the peers have none, and
are called pair by pair, as their users do (embreex has one for rays). "Poses within" is the time with the
making of `a.at(pose)` or `a.moving(start, end)`. Methods take turns, round by round, each package in a
process of its own; times are those of the clock, medians over the rounds, ratios the medians of the ratios
within a round, to the fastest peer and to the fastest that is right in 99 % of its answers. An answer is
wrong if it is off by more than 1e-3 of the size, or of the duration of the motion, or if a contact is missed
or made up; the truth is bracketed by planes and points. Late is a time past a proven overlap.

python-fcl finds times of contact in some processes only: one that fails a check with two spheres is replaced
before anything is measured, and counted.
"""

from importlib.util import find_spec

import numpy as np

from convex.asked import DISTANCE, INTERSECTS, PAIR_QUERIES, PENETRATION, RAY, TRANSLATION
from convex.cases import Case, Rays, Solid, case, mesh, rays, solids
from convex.peers import PEERS
from convex.plot import draw
from convex.ray_truth import hits
from convex.table import Row, headlines, own_notes, query_lines, targets, title
from convex.truth import Bracket, depths, distances, times
from convex.workers import OWN, Effort, Worker, measure, methods, started
from report.section import Part, Picture, Run, Table

TITLE = "Convex shapes and rays"
_QUERIES = (*PAIR_QUERIES, RAY)
_QUICK = ("sphere", "capsule", "box", "hull 640", "mesh")


def compare(run: Run) -> Part:
    """All queries about all shapes."""
    workers = started({OWN} | {peer.package for peer in PEERS.values()})
    notes = [
        f"{one.package}: {one.n_unsound} unsound processes replaced"
        for one in workers.values()
        if isinstance(one, Worker) and one.n_unsound
    ]
    try:
        names = _QUICK if run.quick else (*solids(), "mesh")
        rows = [row for name in names for row in _of_shape(workers, name, run)]
    finally:
        for worker in workers.values():
            if isinstance(worker, Worker):
                worker.close()
    rows.sort(key=lambda row: _QUERIES.index(row.query))
    queries = dict.fromkeys(row.query for row in rows)
    return Part(
        tables=tuple(_table([row for row in rows if row.query == query], query) for query in queries),
        pictures=(Picture("convex-benchmark", "Microseconds a query", draw(rows)),),
        headlines=tuple(headlines(rows)),
        targets=() if run.quick else tuple(targets(rows)),
        notes=(*notes, *(f"This library's answers: {note}" for note in own_notes(rows))),
        figures=[row._replace(measured=[_figures(row, one) for one in row.measured]) for row in rows],
    )


def _table(rows: list[Row], query: str) -> Table:
    return Table(title(query), query_lines(rows, list(methods(query == RAY))))


def _figures(row: Row, one: object) -> dict[str, object]:
    """What was measured, without the answers."""
    kept = one._asdict() | {"wrong": row.wrong(one)}
    return {name: value for name, value in kept.items() if name != "answers"}


def _of_shape(workers: dict[str, Worker | str], name: str, run: Run) -> list[Row]:
    """Pairs of a kind of shape, and rays at it."""
    n, effort = (400, Effort(5, 0.01, 1.5)) if run.quick else (2000, Effort(9, 0.02, 10.0))
    both: tuple[Solid, ...] = (mesh(),) if name == "mesh" else solids()[name]
    given: list[Case | Rays] = [rays(both[0], n)]
    if len(both) > 1:
        given.append(case(both[0], both[1], n))
    rows = []
    for one in given:
        found = measure(workers, one, effort, _QUERIES)
        rows += [Row(one.name, query, found[query], _truth(one, query, run)) for query in found]
    return rows


def _truth(given: Case | Rays, query: str, run: Run) -> Bracket:
    """What the answers to a query are held against."""
    n = 60 if run.quick else 300
    if isinstance(given, Rays):
        return hits(given)
    if query == INTERSECTS:
        return Bracket(*[given.is_overlapping.astype(np.float64)] * 2)
    if find_spec("coal") is None and query != PENETRATION:
        return Bracket(np.empty(0), np.empty(0))
    if query == DISTANCE:
        return distances(given, n)
    if query == PENETRATION:
        return depths(given, n)
    return times(given, given.ends if query == TRANSLATION else given.turned, n)


PARTS = {"compare": compare}
