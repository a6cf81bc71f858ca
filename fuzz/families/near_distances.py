"""Pairs listed once, over thousands of steps: distances, gradients, kinds, merged rows, and first contacts.

The referees: all pairs in plain NumPy, differences of the distance along random ways, and closest points as
they are found again from the rows. Steps go exactly as far as was said, one rounding more, or nowhere.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from dense_referee import all_of, pairs_between, verdict
from families.sifted_lists import _left_out
from oracles.feature_distance import distances_of_points
from shrinking import fewer_and_rounder
from things import grid_in, mesh_in, scale_in

SECONDS_A_CASE = 60.0
MOST_FACES = 10
N_STEPS = 8

# What distances may be off by, in units of all numbers.
OFF = 1e-12

# By how much more than asked for pairs that nearly touch may be apart: the root of a rounding.
UNSURE = 2.0**-23


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One mesh, two or three, and steps."""
    n, scale = int(rng.choice([1, 1, 2, 3])), scale_in(rng)
    things = []
    for _ in range(n):
        mesh = mesh_in(rng)
        vertices = np.reshape(mesh["vertices"], (-1, 3)) + grid_in(rng, (3,), 1)
        vertices = vertices + float(rng.choice([0.0, 0.1])) * rng.normal(size=vertices.shape)
        faces = [mesh["faces"][i] for i in rng.permutation(len(mesh["faces"]))[:MOST_FACES]]
        thick = rng.choice([0.0, 0.02, 0.1], len(vertices)) * (rng.random() < 0.3)
        things.append({"vertices": vertices.tolist(), "faces": faces, "thickness": thick.tolist()})
    options: dict[str, Any] = {}
    if n == 1 and rng.random() < 0.3:
        options["ignore_near"] = int(rng.integers(3)) if rng.random() < 0.5 else 0.4
    if rng.random() < 0.2:
        options["groups"] = [rng.integers(0, 3, len(own["vertices"])).tolist() for own in things]
        options["ignore_groups"] = rng.integers(0, 3, (2, 2)).tolist()
    return {
        "things": things,
        "scale": scale,
        "inflate": float(rng.choice([0.0, 0.1, 0.5, 2.0])),
        "separation": float(rng.choice([0.0, 0.0, 0.05, 0.3])),
        "self_contact": bool(rng.random() < 0.5),
        "options": options,
        "seed": int(rng.integers(1 << 30)),
    }


def check(case: dict[str, Any]) -> str | None:
    """Walk some steps, and measure at each of them."""
    rng, scale, n = np.random.default_rng(case["seed"]), case["scale"], len(case["things"])
    data = [
        own | {"vertices": (scale * np.reshape(own["vertices"], (-1, 3))).tolist()} for own in case["things"]
    ]
    data = [own | {"thickness": [scale * x for x in own["thickness"]]} for own in data]
    meshes = [
        fc.Mesh(
            np.reshape(own["vertices"], (-1, 3)).astype(float),
            np.reshape(own["faces"], (-1, 3)).astype(int),
            thickness=np.array(own["thickness"]) if own["vertices"] else 0.0,
        )
        for own in data
    ]
    inflate, options = scale * case["inflate"], dict(case["options"])
    if "ignore_near" in options and isinstance(options["ignore_near"], float):
        options["ignore_near"] *= scale
    if "groups" in options and n == 1:
        options["groups"] = options["groups"][0]
    options |= {"min_separation": scale * case["separation"], "inflate": inflate}
    things = [mesh.deforming(mesh.vertices, mesh.vertices) for mesh in meshes]
    is_list = n > 2 or (n == 2 and case["self_contact"])
    if is_list:
        options["self_contact"] = case["self_contact"]
    near = fc.candidates(*((things,) if is_list else things), **options)
    is_asked = [n == 1 or (is_list and case["self_contact"])] * n
    own_case = {
        "things": data,
        "options": case["options"] | {k: options[k] for k in ("ignore_near",) if k in options},
    }
    for _ in range(N_STEPS):
        start, end = (_walked(rng, meshes, inflate) for _ in range(2))
        fault = _distances_fault(near, own_case, is_asked, start, rng, options)
        fault = fault or _step_fault(near, own_case, is_asked, start, end, options)
        if fault:
            return fault
    return None


def _walked(rng: np.random.Generator, meshes: Any, inflate: float) -> list[Any]:
    """Places no vertex of which is farther away than may be: one way for all, or one for each."""
    found = []
    for mesh in meshes:
        ways = rng.normal(size=(1 if rng.random() < 0.5 else mesh.n_vertices, 3))
        if rng.random() < 0.4:
            ways = np.eye(3)[rng.integers(3, size=len(ways))] * rng.choice([-1.0, 1.0])
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        far = inflate * float(rng.choice([0.0, 1e-9, 0.3, 1.0]))
        moved = mesh.vertices + far * ways
        beyond = np.linalg.norm(moved - mesh.vertices, axis=1, keepdims=True) > inflate
        found.append(np.where(beyond, mesh.vertices, moved))
    return found


def _given(places: list[Any]) -> Any:
    return places[0] if len(places) == 1 else places


def _every_pair(case: dict[str, Any], is_asked: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Pairs of two things or of one, what is thick, and which are left out or ties."""
    for which in all_of(case["things"], is_asked):
        own = [case["things"][k] for k in which]
        pairs, thick = pairs_between(own[0], None if which[0] == which[1] else own[1])
        out, tie = _left_out(case, which, pairs)
        yield which, (pairs, thick), out, tie


def _distances_fault(
    near: Any, case: dict[str, Any], is_asked: Any, places: Any, rng: np.random.Generator, options: Any
) -> str | None:
    numbers = max((float(np.abs(own).max(initial=0.0)) for own in places), default=0.0)
    slack = OFF * max(numbers, 1e-300) * 10
    way = max((float(np.linalg.norm(own - np.reshape(data["vertices"], (-1, 3)), axis=1).max(initial=0.0))
               for own, data in zip(places, case["things"], strict=True)), default=0.0)  # fmt: skip
    most = 2.0 * options["inflate"] + options["min_separation"] - 2.0 * way * (1 + 1e-15)
    if most < 0.0:
        return None
    within = most * float(rng.choice([0.0, 0.3, 1.0]))
    if not near.covers(_given(places), within=within):
        return None if within > most * (1 - 1e-12) else "what is within reach is not covered"
    found = near.distances(_given(places), within=within, gradient=True)
    rows = {(int(k), *t, int(a), int(b)): r for r, (k, t, a, b) in enumerate(
        zip(found.kind, found.thing_ids.tolist(), found.ids_a, found.ids_b, strict=True))}  # fmt: skip
    if len(rows) != len(found):
        return "a pair is there twice"
    n_known = 0
    for which, (pairs, _), out, tie in _every_pair(case, is_asked):
        own = np.concatenate([places[k] for k in dict.fromkeys(which)])
        gaps = distances_of_points(own[pairs.corners], pairs.kinds == 1)
        for k, key in enumerate(zip(pairs.kinds.tolist(), *pairs.ids.T.tolist(), strict=True)):
            row = rows.get((key[0], *which, *key[1:]))
            n_known += row is not None
            if row is None and gaps[k] < within - slack and not out[k] and not tie[k]:
                return f"{key} of {which} is {gaps[k]} apart, within {within}, and missing"
            if row is not None and (gaps[k] > within + slack + UNSURE * numbers or out[k]):
                return f"{key} of {which} is {gaps[k]} apart, left out or beyond {within}, and listed"
            if row is None:
                continue
            distance = float(np.sqrt(found.distance_squared[row]))
            if abs(distance - gaps[k]) > slack + 2e-9 * gaps[k]:
                return f"{key} of {which} is {gaps[k]} apart, and {distance} is told"
            fault = _row_fault(found, row, own[pairs.corners[k]], gaps[k], numbers, rng)
            if fault:
                return f"{fault}, of {key} of {which}"
    if n_known != len(found):
        return "rows are of pairs that do not exist"
    return _merged_fault(near, found, places, within)


def _row_fault(
    found: Any, row: int, p: Any, gap: float, numbers: float, rng: np.random.Generator
) -> str | None:
    """Weights, the kind of what is closest, and the gradient of a row."""
    is_edges = found.kind[row] == 1
    n, w, g = 2 if is_edges else 1, found.weights[row], found.gradient[row]
    if w.min() < 0.0 or abs(w[:n].sum() - 1.0) > 1e-9 or abs(w[n:].sum() - 1.0) > 1e-9:
        return "weights are none"
    offset = w[:n] @ p[:n] - w[n:] @ p[n:]
    if abs(np.linalg.norm(offset) - gap) > 1e2 * OFF * numbers + 2e-9 * gap:
        return "the points of the weights are not the closest"
    held = sorted([int((w[:n] > 0).sum()), int((w[n:] > 0).sum())])
    if found.closest_kind[row] != {(1, 1): 0, (1, 2): 1, (1, 3): 2, (2, 2): 3}[held[0], held[1]]:
        return "the kind of what is closest is not that of the weights"
    signs = np.where(np.arange(4) < n, 2.0, -2.0)
    if np.abs(g - (signs * w)[:, None] * offset).max() > 1e-9 * gap + 1e-14 * numbers + 1e-300:
        return "the gradient is not that of the closest points"
    if gap > 1e-3 * numbers:
        way, h = rng.normal(size=(4, 3)), 1e-7 * numbers
        after = distances_of_points((p + h * way)[None], np.array([is_edges]))[0]
        grows = (after**2 - gap**2) / h
        if grows > (g * way).sum() + 1e-4 * numbers:
            return "the squared distance grows by more than the gradient says"
    return None


def _merged_fault(near: Any, found: Any, places: Any, within: float) -> str | None:
    """Merged rows: each pair of closest parts once, with how many have it."""
    merged = near.distances(_given(places), within=within, gradient=True, merge=True)
    if not np.isclose((merged.multiplicity * merged.distance_squared).sum(), found.distance_squared.sum(),
                      rtol=1e-7, atol=1e-300):  # fmt: skip
        return "the sum over merged rows is another"
    if merged.multiplicity.sum() != len(found):
        return "multiplicities do not count all rows"
    counts: dict[Any, int] = defaultdict(int)
    for some in (found, merged):
        own: dict[Any, int] = defaultdict(int)
        for r in range(len(some)):
            own[_parts_of(some, r)] += int(some.multiplicity[r])
            if some is merged and own[_parts_of(some, r)] != some.multiplicity[r]:
                return "the same closest parts are in two merged rows"
        if some is found:
            counts = own
        elif own != counts:
            return "merged rows have other closest parts, or other multiplicities"
    return None


def _parts_of(found: Any, r: int) -> Any:
    """The vertices that hold the two closest points, by thing; of faces and of edges, the pair itself."""
    kind, ids, w = found.kind[r], found.vertex_ids[r].tolist(), found.weights[r]
    n = 2 if kind == 1 else 1
    things = found.thing_ids[r].tolist()
    first, second = (things[1], things[0]) if kind == 2 else (things[0], things[1])
    sides = [
        frozenset((first, v) for v, x in zip(ids[:n], w[:n], strict=True) if x > 0.0),
        frozenset((second, v) for v, x in zip(ids[n:], w[n:], strict=True) if x > 0.0),
    ]
    if found.closest_kind[r] > 1:
        return (int(kind), *things, int(found.ids_a[r]), int(found.ids_b[r]))
    return frozenset(sides) if sides[0] != sides[1] else (sides[0], 2)


def _step_fault(near: Any, case: Any, is_asked: Any, start: Any, end: Any, options: Any) -> str | None:
    """First contacts and contacts of a step, against samples that are halved until they tell."""
    numbers = max((float(np.abs(own).max(initial=0.0)) for each in (start, end) for own in each), default=0.0)
    found = near.contacts(_given(end), _given(start))
    first, step = near.first_contact(_given(end), _given(start)), near.safe_step(_given(end), _given(start))
    if step != min(first.time, 1.0) or abs(float(found.time.min(initial=1.0)) - step) > 1e-8:
        return "contacts, first_contact and safe_step of candidates say different things"
    rows = {(int(k), *t, int(a), int(b)): r for r, (k, t, a, b) in enumerate(
        zip(found.kind, found.thing_ids.tolist(), found.ids_a, found.ids_b, strict=True))}  # fmt: skip
    moving = [own | {"frames": [v0.tolist(), v1.tolist()], "times": [0.0, 1.0]}
              for own, v0, v1 in zip(case["things"], start, end, strict=True)]  # fmt: skip
    for which, (pairs, thick), out, tie in _every_pair(case, is_asked):
        own = [moving[k] for k in dict.fromkeys(which)]
        told = verdict(own, pairs, options["min_separation"] + thick, OFF * 10 * max(numbers, 1e-300))
        for k, key in enumerate(zip(pairs.kinds.tolist(), *pairs.ids.T.tolist(), strict=True)):
            row = rows.get((key[0], *which, *key[1:]))
            if out[k] or tie[k]:
                if out[k] and row is not None:
                    return f"{key} of {which} is left out, and listed"
            elif row is None and np.isfinite(told.by[k]):
                return f"{key} of {which} comes near by {told.by[k]}, and is not among candidates' contacts"
            elif row is not None and (not told.is_open[k] or found.time[row] > told.by[k] + 1e-12):
                return f"{key} of {which} is listed for {found.time[row]}, and comes near by {told.by[k]}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer options, faces and rounder numbers."""
    for k, own in enumerate(case["things"]):
        for f in range(len(own["faces"])):
            fewer = own | {"faces": own["faces"][:f] + own["faces"][f + 1 :]}
            yield case | {"things": [*case["things"][:k], fewer, *case["things"][k + 1 :]]}
    for own in fewer_and_rounder({"things": case["things"]}):
        yield case | own
