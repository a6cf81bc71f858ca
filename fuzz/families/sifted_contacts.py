"""Contacts of thick meshes that are not all asked for: only those that close, no neighbours, no groups.

The referees are dense samples of the distances of features over the step, and the whole list, sifted by plain
loops over vertices.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import firstcontact as fc
from families.contacts import MEETING, _body, _deforming
from oracles.feature_distance import distances_over_time
from shrinking import fewer_and_rounder
from things import scale_in

TIMES = np.linspace(0.0, 1.0, 200)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One mesh or two that deform, with thicknesses and groups for their vertices."""
    scale = scale_in(rng)
    case: dict[str, Any] = {"near": int(rng.integers(3))}
    for name in ("a", "b") if rng.random() < 0.6 else ("a",):
        case[name] = own = _deforming(rng, scale)
        n = len(own["start"])
        uniform = rng.random() < 0.5
        thick = rng.choice([0.0, 0.05, 0.2], 1 if uniform else n) * scale
        own["thickness"] = np.broadcast_to(thick, n).tolist()
        own["groups"] = rng.integers(0, 3, n).tolist()
    case["ignored"] = rng.integers(0, 3, (rng.integers(1, 4), 2)).tolist()
    case["min_separation"] = float(scale * 0.1) if rng.random() < 0.5 else 0.0
    return case


def check(case: dict[str, Any]) -> str | None:
    """Compare each sifted list with the whole."""
    own = [case[name] for name in ("a", "b") if name in case]
    bodies = [_body(data) for data in own]
    things = [
        fc.Mesh(body.start, body.faces, data["thickness"]).deforming(body.start, body.end)
        for body, data in zip(bodies, own, strict=True)
    ]
    separation = {"min_separation": case["min_separation"]}
    whole = fc.contacts(*things, **separation)
    groups = [data["groups"] for data in own]
    sifted = fc.contacts(
        *things, **separation, groups=groups if len(own) > 1 else groups[0], ignore_groups=case["ignored"]
    )
    fault = _sifted_fault(sifted, whole, lambda f, g: _in_groups(f, g, groups, case["ignored"]), things)
    if fault is None and len(things) == 1:
        apart = _edges_apart(things[0].shape)
        near = fc.contacts(*things, **separation, ignore_near=case["near"])
        fault = _sifted_fault(
            near, whole, lambda f, g: min(apart[i, j] for i, j in product(f, g)) <= case["near"], things
        )
    return fault or _closing_fault(things, bodies, whole, separation)


def _features(found: Any, row: int, things: list[Any]) -> list[list[int]]:
    """The vertices of both features of a row."""
    both = []
    words = fc.ContactKind(found.kind[row]).name.split("_")
    for word, thing, ids in zip(words, (things[0], things[-1]), (found.ids_a, found.ids_b), strict=True):
        own = {"VERTEX": None, "EDGE": thing.shape.edges, "FACE": thing.shape.faces}[word]
        both.append([int(ids[row])] if own is None else own[ids[row]].tolist())
    return both


def _in_groups(f: list[int], g: list[int], groups: list[Any], ignored: list[Any]) -> bool:
    pairs = [[groups[0][i], groups[-1][j]] for i, j in product(f, g)]
    return all(pair in ignored or pair[::-1] in ignored for pair in pairs)


def _edges_apart(mesh: Any) -> Any:
    apart = np.full((mesh.n_vertices, mesh.n_vertices), 10**6)
    apart[mesh.edges[:, 0], mesh.edges[:, 1]] = apart[mesh.edges[:, 1], mesh.edges[:, 0]] = 1
    np.fill_diagonal(apart, 0)
    for k in range(mesh.n_vertices):
        apart = np.minimum(apart, apart[:, [k]] + apart[[k], :])
    return apart


def _sifted_fault(found: Any, whole: Any, is_left_out: Any, things: list[Any]) -> str | None:
    rows = [row for row in range(len(whole)) if not is_left_out(*_features(whole, row, things))]
    # Not normals: where there is no gap, they may go by other contacts, which are fewer here.
    for name in ("kind", "ids_a", "ids_b", "time", "time_upper", "gap"):
        if getattr(found, name).tobytes() != getattr(whole, name)[rows].tobytes():
            return f"what is left of the list differs from the list in {name}"
    return None


def _closing_fault(things: list[Any], bodies: list[Any], whole: Any, separation: Any) -> str | None:
    """What is left out must not come nearer than at the start; what is listed later, not before."""
    closing = fc.contacts(*things, **separation, only_closing=True)
    keys = [
        list(zip(f.kind.tolist(), f.ids_a.tolist(), f.ids_b.tolist(), strict=True)) for f in (whole, closing)
    ]
    kept = {key: row for row, key in enumerate(keys[1])}
    if not kept.keys() <= set(keys[0]):
        return "only_closing lists a pair that is not in the whole list"
    for row, key in enumerate(keys[0]):
        is_start = whole.time[row] == 0.0 and key[0] in MEETING
        if not is_start and (key not in kept or closing.time[kept[key]] != whole.time[row]):
            return "only_closing changes a pair that does not touch at the start"
        is_thick = separation["min_separation"] > 0.0 or any(thing.shape.is_thick for thing in things)
        if not is_start or not is_thick:
            continue
        is_swapped, is_edges = key[0] == fc.ContactKind.FACE_VERTEX, key[0] == fc.ContactKind.EDGE_EDGE
        first, second = (bodies[-1], bodies[0]) if is_swapped else (bodies[0], bodies[-1])
        n, ids = (2 if is_edges else 1), whole.vertex_ids[row]
        start, end = (
            np.concatenate([getattr(first, at)[ids[:n]], getattr(second, at)[ids[n:]]])
            for at in ("start", "end")
        )
        until = closing.time[kept[key]] if key in kept else 1.0
        distances = distances_over_time(start, end, is_edges, TIMES * until)
        if distances.min() < distances[0] - 1e-11 * np.abs([start, end]).max():
            return "a pair that only_closing leaves out comes nearer than it is at the start"
    time = fc.safe_step(*things, **separation, only_closing=True)
    if time > closing.time.min(initial=1.0) + 1e-8 or time < closing.time.min(initial=1.0) - 1e-8:
        return "the safe step with only_closing is not the first time of its list"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield cases with rounder numbers."""
    yield from fewer_and_rounder(case)
