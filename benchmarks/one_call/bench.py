"""One call in a loop, the pose made within, beside coal, python-fcl, mujoco and rapier3d.

As the users of each library write it: shapes and requests are made before; poses, objects, transforms and
results in the loop. All go through the same poses in turn, one round after the other; the time is the least
over the rounds, of a call, on one thread. `Tracker` is for the same two bodies pose after pose: here they
leap, so that little of what it learns is of use. A mesh pair is compared with the same poses in one batch, on
one thread: what is above that is the price of a call.
"""

from collections.abc import Callable
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numba import get_num_threads, set_num_threads

import firstcontact as fc
from convex.cases import case, mesh, rays, solids
from convex.own import shape
from one_call.calls import (
    DISTANCE,
    FIRST,
    INTERSECTS,
    LIBRARIES,
    OWN,
    PENETRATION,
    RAY,
    TRACKER,
    Call,
    rays_in,
)
from one_call.plot import draw
from report.section import Headline, Part, Picture, Run, Table, Target

TITLE = "One call"
# Microseconds that a call may take, the pose within.
GOALS = {
    ("distance", "sphere"): 3.0,
    ("distance", "box"): 4.0,
    ("distance", "hull 640"): 6.0,
    ("intersects", "box"): 3.0,
    ("penetration", "box"): 5.0,
    ("first contact", "box"): 18.0,
    ("one ray", "mesh"): 5.0,
}
_ABOVE_A_BATCH = 4.0


class Row(NamedTuple):
    """A query of a pair: seconds a call by library."""

    query: str
    name: str
    seconds: dict[str, float]


def compare(run: Run) -> Part:
    """All queries, all libraries."""
    n_rounds = 60 if run.quick else 400
    rows, failed = [], dict[str, str]()
    for name in ("sphere", "box", "hull 640"):
        pair = case(*solids()[name], 64)
        asked = {
            DISTANCE: _ones(pair.apart),
            INTERSECTS: _ones(pair.mixed),
            PENETRATION: _ones(pair.overlapping),
        }
        asked[FIRST] = list(zip(pair.starts.copy(), pair.turned.copy(), strict=True))
        calls = {
            library: _made(library, lambda one=one, pair=pair: one.pairs(pair), failed)
            for library, one in LIBRARIES.items()
        }
        for query, arguments in asked.items():
            own = {library: made[query] for library, made in calls.items() if query in made}
            rows.append(Row(query, name, _measured(own, arguments, n_rounds)))
    target = mesh(1024)
    casts = {
        library: _made(library, lambda one=one: {RAY: one.ray(target)} if one.ray else {}, failed)
        for library, one in LIBRARIES.items()
    }
    own = {library: made[RAY] for library, made in casts.items() if RAY in made}
    rows.append(Row(RAY, target.name, _measured(own, rays_in(rays(target, 64)), n_rounds)))
    rows.append(_meshes(n_rounds))
    notes = tuple(f"{library}: {fault}" for library, fault in failed.items())
    return Part(
        tables=(Table("Microseconds a call, the pose within", _lines(rows), n_left=2),),
        pictures=(Picture("one-call-benchmark", "Microseconds a call", draw(rows)),),
        headlines=tuple(_headlines(rows)),
        targets=tuple(_targets(rows)),
        notes=notes,
        figures=rows,
    )


def threads(run: Run) -> Part:
    """Two threads, each with calls of its own, against one: how much more is done in a time."""
    lines = [("", "one thread, us a call", "two threads, us a call of each", "times as much")]
    pair, body = case(*solids()["box"], 64), shape(mesh(20_000))
    a, b, far, near = shape(pair.a), shape(pair.b), np.eye(4), np.eye(4)
    far[0, 3], near[0, 3] = 1.2, 0.5
    many = np.repeat(far[np.newaxis], 64, axis=0)
    block = bytes(40_000)
    kinds: dict[str, Callable[[], Any]] = {
        "for comparison: a digest, without Python's lock": lambda: sha256(block).digest(),
        "distance of boxes": lambda: fc.distance(a.at(pair.apart[0]), b),
        "first contact of boxes": lambda: fc.first_contact(a.moving(pair.starts[0], pair.turned[0]), b),
        "distance of meshes of 20,000 faces": lambda: fc.distance(body.at(far), body),
        "safe step of meshes of 20,000 faces": lambda: fc.safe_step(body.moving(far, near), body),
        "64 distances of these in a batch, which is on all threads": lambda: fc.distance(body.at(many), body),
    }
    n = 1 if run.quick else 4
    for name, call in kinds.items():
        count = n * (3000 if "boxes" in name else 10 if "batch" in name else 300)
        alone, both = _on_threads(call, count, 1), _on_threads(call, count, 2)
        lines.append((name, f"{1e6 * alone:.1f}", f"{1e6 * both:.1f}", f"{2.0 * alone / both:.2f}"))
    return Part(tables=(Table("Calls from two threads at once", lines),))


def _on_threads(call: Callable[[], Any], count: int, n: int) -> float:
    """Seconds a call of each thread, the least of five rounds."""
    from threading import Thread

    def work() -> None:
        for _ in range(count):
            call()

    best = np.inf
    for _ in range(5):
        crew, began = [Thread(target=work) for _ in range(n)], perf_counter()
        for one in crew:
            one.start()
        for one in crew:
            one.join()
        best = min(best, (perf_counter() - began) / count)
    return best


def _made(library: str, make: Callable[[], dict[str, Call]], failed: dict[str, str]) -> dict[str, Call]:
    """The calls of a library; none where it is missing."""
    try:
        return make()
    except ImportError as fault:
        failed[library] = f"not installed ({fault})"
    return {}


def _ones(poses: Any) -> list[tuple[Any]]:
    return [(pose.copy(),) for pose in poses]


def _measured(calls: dict[str, Call], arguments: list[tuple[Any, ...]], n_rounds: int) -> dict[str, float]:
    """Least seconds of a call of each library, in turn."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(n_rounds):
        for library, call in calls.items():
            began = perf_counter()
            for one in arguments:
                call(*one)
            best[library] = min(best[library], (perf_counter() - began) / len(arguments))
    return best


def _meshes(n_rounds: int) -> Row:
    """The distance of two meshes, and the same in a batch."""
    solid = mesh(1024)
    body, poses = shape(solid), case(*solids()["box"], 16).apart.copy()
    poses[:, :3, 3] *= 1.5
    threads = get_num_threads()
    set_num_threads(1)
    try:
        found = _measured(
            {OWN: lambda pose: fc.distance(body.at(pose), body).distance}, _ones(poses), n_rounds
        )
        batch = _measured({"batch": lambda: fc.distance(body.at(poses), body)}, [()], n_rounds)
    finally:
        set_num_threads(threads)
    return Row(DISTANCE, solid.name, found | {"batch": batch["batch"] / len(poses)})


def _lines(rows: list[Row]) -> list[tuple[str, ...]]:
    names = [*LIBRARIES, "batch"]
    cells = [
        [f"{1e6 * row.seconds[name]:.2f}" if name in row.seconds else "" for name in names] for row in rows
    ]
    return [("", "", *names), *((row.query, row.name, *line) for row, line in zip(rows, cells, strict=True))]


def _headlines(rows: list[Row]) -> list[Headline]:
    found = []
    for row in rows:
        peers = {name: one for name, one in row.seconds.items() if name not in (OWN, TRACKER, "batch")}
        if _goal(row) is not None and peers:
            peer = min(peers, key=peers.__getitem__)
            found.append(Headline(f"one call: {row.query}, {row.name}", row.seconds[OWN], peer, peers[peer]))
    return found


def _goal(row: Row) -> float | None:
    """What a call may take; meshes are told by their faces too."""
    return GOALS.get((row.query, "mesh" if row.name.startswith("mesh") else row.name))


def _targets(rows: list[Row]) -> list[Target]:
    found = []
    for row in rows:
        goal, took = _goal(row), 1e6 * row.seconds[OWN]
        if goal is not None:
            found.append(Target(f"{row.query}, {row.name}: {goal:g} us", f"{took:.2f}", took <= goal))
        if "batch" in row.seconds:
            above = took - 1e6 * row.seconds["batch"]
            text = f"{row.query}, {row.name}: {_ABOVE_A_BATCH:g} us above a batch"
            found.append(Target(text, f"{above:.2f}", above <= _ABOVE_A_BATCH))
    return found


PARTS = {"compare": compare, "threads": threads}
