"""Sheets that deform, by the hundred: as a scene, as one merged mesh, and as that mesh in ipctk.

Sheets of 98 triangles lie in a box at random, and each goes and bends. Asked is for every contact of their
features, with each other and with themselves, for the first contact of each pair, and for the first of all.
ipctk's `compute_collision_free_stepsize` with AdditiveCCD, of the merged mesh, tells the last only. In a
second scene a tenth of them move.
"""

from collections.abc import Callable
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from report.section import Lines, Target
from report.tables import milliseconds, ratio_of
from scene.cases import Array

N_SIDE, SIZE = 8, 1.0
ALL, EACH, FIRST = "feature_contacts", "contacts", "first_contact"
MERGED_ALL, MERGED_FIRST, PEER = "one mesh, contacts", "one mesh, safe_step", "one mesh, ipctk AdditiveCCD"
METHODS = (ALL, MERGED_ALL, EACH, FIRST, MERGED_FIRST, PEER)
_LIMIT, _REPEATS = 1.3, 7


class Sheets(NamedTuple):
    """Seconds of each method, of n sheets of which some move; contacts found, and of the merged mesh."""

    n_sheets: int
    n_moving: int
    seconds: dict[str, float]
    contacts: int
    merged_contacts: int
    first: dict[str, float]


def sheets_of(n: int, n_moving: int) -> tuple[list[tuple[Array, Array]], Array]:
    """Start and end of each sheet, (64, 3), and their triangles."""
    rng, ids = np.random.default_rng(0), np.arange(N_SIDE * N_SIDE).reshape(N_SIDE, N_SIDE)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    x, y = np.meshgrid(*[np.linspace(-0.5, 0.5, N_SIDE) * SIZE] * 2, indexing="ij")
    flat = np.stack([x, y, 0.05 * np.sin(5.0 * x)], axis=-1).reshape(-1, 3)
    side, places = 1.1 * n ** (1 / 3), []
    for i in range(n):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        start = flat @ turn + side * rng.random(3)
        way = 0.1 * rng.normal(size=3) + 0.02 * rng.normal(size=(len(flat), 3))
        places.append((start, start + way if i < n_moving else start))
    return places, faces


def run_sheets(n: int, n_moving: int) -> Sheets:
    """All methods, in turns, the best of several."""
    places, faces = sheets_of(n, n_moving)
    scene = fc.Scene({str(i): fc.Mesh(start, faces) for i, (start, _) in enumerate(places)})
    moving = {str(i): scene[str(i)].shape.deforming(*places[i]) for i in range(n_moving)}
    start, end = (np.concatenate([pair[k] for pair in places]) for k in (0, 1))
    merged_faces = np.concatenate([faces + k * N_SIDE * N_SIDE for k in range(n)])
    merged = fc.Mesh(start, merged_faces).deforming(start, end)
    calls: dict[str, Callable[[], Any]] = {
        ALL: scene.feature_contacts,
        EACH: scene.contacts,
        FIRST: lambda: scene.first_contact().time,
        MERGED_ALL: lambda: fc.contacts(merged),
        MERGED_FIRST: lambda: fc.safe_step(merged),
    }
    if find_spec("ipctk") is not None:
        calls[PEER] = _peer(start, end, merged_faces)
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(_REPEATS + 1):
        for name, call in calls.items():
            scene.update(moving)  # a new step: nothing is left of the last
            began = process_time()
            call()
            best[name] = min(best[name], process_time() - began)
    first = {name: float(calls[name]()) for name in (FIRST, MERGED_FIRST, PEER) if name in calls}
    return Sheets(n, n_moving, best, len(scene.feature_contacts()), len(fc.contacts(merged)), first)


def _peer(start: Array, end: Array, faces: Array) -> Callable[[], Any]:
    import ipctk

    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    ipctk.set_num_threads(1)
    ends = [np.asfortranarray(places) for places in (start, end)]
    mesh = ipctk.CollisionMesh(ends[0], ipctk.edges(faces), faces)
    solver = ipctk.AdditiveCCD()
    return lambda: ipctk.compute_collision_free_stepsize(mesh, *ends, 0.0, ipctk.LBVH(), solver)


def sheet_lines(results: list[Sheets]) -> Lines:
    """Milliseconds of each method, and how many contacts there are."""
    lines: Lines = [("sheets", "that move", *METHODS, "contacts", "of one mesh")]
    for one in results:
        times = [milliseconds(one.seconds[name]) if name in one.seconds else "" for name in METHODS]
        counts = f"{one.contacts:,}", f"{one.merged_contacts:,}"
        lines.append((f"{one.n_sheets:,}", f"{one.n_moving:,}", *times, *counts))
    return lines


def sheet_targets(results: list[Sheets]) -> list[Target]:
    """Every contact within 1.3 times of one merged mesh, and ahead of ipctk, which tells the first."""
    targets = []
    for one in results:
        about = f"{one.n_sheets:,} sheets, {one.n_moving:,} of which move"
        ratio = one.seconds[ALL] / one.seconds[MERGED_ALL]
        text = f"{about}: every contact within {_LIMIT:g} times of one merged mesh"
        targets.append(Target(text, ratio_of(ratio), ratio <= _LIMIT and one.contacts == one.merged_contacts))
        if PEER in one.seconds:
            ratio = one.seconds[PEER] / one.seconds[FIRST]
            targets.append(Target(f"{about}: the first ahead of ipctk", f"{ratio_of(ratio)} x", ratio > 1.0))
    return targets
