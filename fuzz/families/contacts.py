"""All contacts of deforming meshes; the referee tries every pair of features in whole numbers.

Complete, none that is not there, never late, with the edges that pass through faces at the start; normals
point from a to b wherever there is a gap; the first contact, the safe step and `is_free` say the same.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.brute_force_contacts import Body, brute_force_contacts
from shrinking import fewer_and_rounder
from things import mesh_in, scale_in

# Two features that meet, unlike edges that pass through faces: they have a normal that can be told.
MEETING = (fc.ContactKind.VERTEX_FACE, fc.ContactKind.EDGE_EDGE, fc.ContactKind.FACE_VERTEX)
MOST_FACES = 8


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One mesh or two, whose vertices go somewhere: together, apart, to a grid, or nowhere."""
    scale = scale_in(rng)
    case: dict[str, Any] = {"a": _deforming(rng, scale)}
    if rng.random() < 0.7:
        case["b"] = _deforming(rng, scale)
    case["min_separation"] = float(scale * rng.choice([1e-3, 0.1])) if rng.random() < 0.3 else 0.0
    return case


def _deforming(rng: np.random.Generator, scale: float) -> dict[str, Any]:
    mesh = mesh_in(rng)
    start = np.reshape(mesh["vertices"], (-1, 3)) + rng.integers(-2, 3, 3) / 2
    end = start + rng.integers(-3, 4, 3) / 2
    kind = rng.integers(4)
    if kind == 0:
        end = start.copy()
    elif kind == 1:
        end = end + rng.normal(size=end.shape) * 0.3
    elif kind == 2:
        end = np.round(2 * end @ rng.normal(size=(3, 3))) / 2
    faces = [mesh["faces"][i] for i in rng.permutation(len(mesh["faces"]))[:MOST_FACES]]
    return {"start": (scale * start).tolist(), "end": (scale * end).tolist(), "faces": faces}


def check(case: dict[str, Any]) -> str | None:
    """Compare the list with that of all pairs."""
    bodies = [_body(case[name]) for name in ("a", "b") if name in case]
    things = [fc.Mesh(body.start, body.faces).deforming(body.start, body.end) for body in bodies]
    separation = case["min_separation"]
    truth = brute_force_contacts(*bodies, min_separation=separation)
    found = fc.contacts(*things, min_separation=separation)
    return (
        _list_fault(found, truth) or _normal_fault(found, bodies) or _first_fault(things, separation, truth)
    )


def _body(data: dict[str, Any]) -> Body:
    start, end = (np.reshape(data[name], (-1, 3)).astype(float) for name in ("start", "end"))
    return Body(start, end, np.reshape(data["faces"], (-1, 3)).astype(int))


def _list_fault(found: Any, truth: dict[Any, Any]) -> str | None:
    columns = found.kind.tolist(), found.ids_a.tolist(), found.ids_b.tolist()
    rows = {key: i for i, key in enumerate(zip(*columns, strict=True))}
    missing, extra = sorted(truth.keys() - rows.keys()), sorted(rows.keys() - truth.keys())
    if missing:
        return f"contacts misses {len(missing)} pairs, the first {missing[0]}"
    if extra:
        return f"contacts lists {len(extra)} pairs that do not touch, the first {extra[0]}"
    for key, row in rows.items():
        if found.time[row] > truth[key].lower:
            return f"the time of {key} is late: {found.time[row]} of {truth[key]}"
        if found.time_upper[row] < truth[key].upper:
            return f"time_upper of {key} is too early: {found.time_upper[row]} of {truth[key]}"
    return None


def _first_fault(things: list[Any], separation: float, truth: dict[Any, Any]) -> str | None:
    options = {"min_separation": separation}
    first, step = fc.first_contact(*things, **options), fc.safe_step(*things, **options)
    lower = min((time.lower for time in truth.values()), default=np.inf)
    upper = min((time.upper for time in truth.values()), default=np.inf)
    is_pierced = any(kind not in MEETING for kind, _, _ in truth)
    at_start = " where an edge passes through a face at the start" if is_pierced else ""
    if bool(first) != (upper < np.inf):
        return f"first_contact says {first.status.name}{at_start}, and the first time is {upper}"
    if first.time > lower or step > min(lower, 1.0):
        return f"first_contact or safe_step is late{at_start}: {first.time}, {step} and not {lower}"
    if first and first.time_upper < upper:
        return f"time_upper of the first contact is {first.time_upper}, before {lower}"
    if fc.is_free(*things, **options) == bool(first):
        return f"is_free does not agree with first_contact{at_start}"
    return None


def _normal_fault(found: Any, bodies: list[Body]) -> str | None:
    """A normal is a unit vector, and points from a to b where there is a gap at the time."""
    a, b = bodies[0], bodies[-1]
    size = max((float(np.abs(x).max(initial=0.0)) for body in bodies for x in body[:2]), default=0.0)
    for row in range(len(found)):
        if found.kind[row] not in MEETING:
            continue
        n, ids, w, t = found.normals[row], found.vertex_ids[row], found.weights[row], found.time[row]
        n_first = 2 if found.kind[row] == fc.ContactKind.EDGE_EDGE else 1
        sides = (a, b) if found.kind[row] != fc.ContactKind.FACE_VERTEX else (b, a)
        p, q = (
            _place(*side, t)
            for side in ((sides[0], ids[:n_first], w[:n_first]), (sides[1], ids[n_first:], w[n_first:]))
        )
        gap = (q - p) * (1 if sides[0] is a else -1)
        if abs(np.linalg.norm(n) - 1) > 1e-9:
            return f"a normal has the length {np.linalg.norm(n)}"
        length = float(np.linalg.norm(gap))
        if length > 1e-9 * size and gap @ n < 0.9 * length:
            return f"a normal does not point from a to b: gap {length}, cosine {gap @ n / length}"
    return None


def _place(body: Body, ids: Any, weights: Any, t: float) -> Any:
    points = (1 - t) * body.start[ids] + t * body.end[ids]
    return np.asarray(weights) @ points


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without a separation; fewer faces, rounder numbers."""
    if case["min_separation"]:
        yield case | {"min_separation": 0.0}
    yield from fewer_and_rounder(case)
