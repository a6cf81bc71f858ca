"""What is left out of contacts on purpose: near neighbours, groups, what does not close; and from candidates.

One mesh, two, or a list; thick or not, with a separation or not, at rest elsewhere than where steps start.
The referee halves times between samples of all distances until they tell, finds rings by a search of its own,
and says of each pair of features whether it has to be listed, must not be, or is a tie.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import firstcontact as fc
from dense_referee import Pairs, all_of, distances, edges_of, pairs_between, pierced, verdict
from families.dense_lists import LATE, ROUNDING, VOLUMES, rows_fault
from oracles.feature_distance import distances_of_points
from shrinking import fewer_and_rounder
from things import grid_in, mesh_in

SECONDS_A_CASE = 60.0
MOST_FACES = 10

# What only_closing may leave out where a pair comes nearer by no more than that, in units of all numbers.
NEARER = 1e-10


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One to three meshes that deform in a step, and what is left out of their contacts."""
    n = int(rng.choice([1, 1, 2, 3]))
    things = [_thing(rng) for _ in range(n)]
    case: dict[str, Any] = {"things": things, "is_list": n > 2 or bool(rng.random() < 0.5)}
    case["self_contact"] = case["is_list"] and bool(rng.random() < 0.8)
    case["separation"] = float(rng.choice([0.01, 0.1, 0.5])) if rng.random() < 0.5 else 0.0
    options: dict[str, Any] = {}
    if (n == 1 or case["is_list"]) and rng.random() < 0.6:
        options["ignore_near"] = (
            int(rng.integers(4)) if rng.random() < 0.5 else float(rng.choice([0.0, 0.3, 1.0]))
        )
    if rng.random() < 0.4:
        options["groups"] = [rng.integers(-1, 3, len(own["vertices"])).tolist() for own in things]
        options["ignore_groups"] = rng.integers(-1, 3, (int(rng.integers(0, 4)), 2)).tolist()
    if rng.random() < 0.4:
        options["only_closing"] = True
    return case | {"options": options, "inflate": float(rng.choice([3.0, 8.0]))}


def _thing(rng: np.random.Generator) -> dict[str, Any]:
    mesh = mesh_in(rng)
    while not mesh["faces"] and rng.random() < 0.8:
        mesh = mesh_in(rng)
    vertices = np.reshape(mesh["vertices"], (-1, 3))
    faces = [mesh["faces"][i] for i in rng.permutation(len(mesh["faces"]))[:MOST_FACES]]
    thick = rng.choice([0.0, 0.02, 0.1], len(vertices)) * (rng.random() < 0.3)
    start = vertices + grid_in(rng, (3,), 1)
    if rng.random() < 0.5:
        start = start + rng.choice([0.1, 0.5]) * rng.normal(size=start.shape)
    end = start + rng.choice([0.0, 1.0]) * grid_in(rng, (3,), 1)
    if rng.random() < 0.7:
        end = end + rng.choice([1e-9, 0.1, 0.5]) * rng.normal(size=start.shape)
    frames, times = [start, end], [0.0, 1.0]
    while rng.random() < 0.2 and len(times) < 4:
        back = rng.choice([0.0, 1.0])
        spread = rng.choice([0.0, 0.1])
        frames.append(frames[-1] + back * (start - end) + spread * rng.normal(size=start.shape))
        times.insert(-1, times[-2] + (1.0 - times[-2]) / rng.choice([2.0, 3.0]))
    going = {"frames": [frame.tolist() for frame in frames], "times": sorted(times)}
    return {"vertices": vertices.tolist(), "faces": faces, "thickness": thick.tolist()} | going


def check(case: dict[str, Any]) -> str | None:
    """Ask in one call, and of what was listed for a line search; look at each pair of things."""
    data, options = case["things"], dict(case["options"])
    meshes = [
        fc.Mesh(
            np.reshape(own["vertices"], (-1, 3)).astype(float),
            np.reshape(own["faces"], (-1, 3)).astype(int),
            thickness=np.asarray(own["thickness"], float) if own["vertices"] else 0.0,
        )
        for own in data
    ]
    ends = [[np.reshape(own["frames"][k], (-1, 3)).astype(float) for own in data] for k in (0, -1)]
    if "groups" in options and len(data) == 1 and not case["is_list"]:
        options["groups"] = options["groups"][0]
    if case["self_contact"]:
        options["self_contact"] = True
    options["min_separation"] = case["separation"]
    things = [
        mesh.along(np.reshape(own["frames"], (len(own["times"]), -1, 3)), own["times"])
        if own["vertices"] and len(own["times"]) > 2
        else mesh.deforming(v0, v1)
        for own, mesh, v0, v1 in zip(data, meshes, *ends, strict=True)
    ]
    asked: Any = (things,) if case["is_list"] else tuple(things)
    found, first = fc.contacts(*asked, **options), fc.first_contact(*asked, **options)
    step = fc.safe_step(*asked, **options)
    if step != min(first.time, 1.0):
        return "safe_step and first_contact say different things"
    is_asked = [case["self_contact"] or (len(data) == 1 and not case["is_list"])] * len(data)
    numbers = max(float(np.abs(np.array(own["frames"])).max(initial=0.0)) for own in data)
    left = set(range(len(found)))
    for which in all_of(data, is_asked):
        fault, rows = _fault_of(case, which, found, numbers)
        left -= rows
        if fault:
            return f"{fault}, of things {which}"
    if left:
        return f"rows are of things that are not asked about: {found.thing_ids[sorted(left)].tolist()}"
    earliest = float(found.time.min(initial=np.inf))
    if bool(first) != bool(len(found)) or (first and abs(first.time - earliest) > 1e-8):
        return f"the first contact is at {first.time}, and the first of the list at {earliest}"
    rest = [mesh.deforming(mesh.vertices, mesh.vertices) for mesh in meshes]
    near = fc.candidates(*((rest,) if case["is_list"] else rest), inflate=case["inflate"], **options)
    start, end = (own[0] if len(own) == 1 else own for own in ends)
    is_one_step = all(len(own["times"]) == 2 for own in data)
    if is_one_step and near.covers(start) and near.covers(end):
        if near.contacts(end, start) != found or near.first_contact(end, start) != first:
            return "candidates give other contacts"
        if near.safe_step(end, start) != step:
            return "candidates give another safe step"
    return rows_fault(data, found, numbers, 0.0)


def _fault_of(
    case: dict[str, Any], which: tuple[int, int], found: Any, numbers: float
) -> tuple[str | None, set[int]]:
    """What is wrong with the rows of two things, or of one; and which these are."""
    i, j = which
    data, is_self = case["things"], i == j
    own = [data[i]] if is_self else [data[i], data[j]]
    pairs, thick = pairs_between(own[0], None if is_self else own[1])
    targets, slack = case["separation"] + thick, ROUNDING * max(numbers, 1e-300)
    told = verdict(own, pairs, targets, slack)
    rows = np.flatnonzero((found.thing_ids == which).all(axis=1))
    listed = {(int(found.kind[r]), int(found.ids_a[r]), int(found.ids_b[r])): r for r in rows.tolist()}
    if len(listed) != len(rows):
        return "a pair is listed twice", set(rows.tolist())
    must, may, by = np.isfinite(told.by), told.is_open.copy(), told.by.copy()
    out, tie = _left_out(case, which, pairs)
    must &= ~out & ~tie
    may &= ~out
    if case["options"].get("only_closing"):
        must, may, by = _closing(own, pairs, targets, told, (must, may, by), numbers)
    fault = None
    for k, key in enumerate(zip(pairs.kinds.tolist(), *pairs.ids.T.tolist(), strict=True)):
        if must[k] and key not in listed:
            fault = f"{key} comes near by {by[k]}, and is not listed"
        elif must[k] and found.time[listed[key]] > by[k] + LATE:
            fault = f"{key} comes near by {by[k]}, and is listed for {found.time[listed[key]]}"
        elif key in listed and not may[k]:
            fault = f"{key} is left out, or never comes near, and is listed"
    return fault or _pierced_fault(case, which, own, listed, found), set(rows.tolist())


def _pierced_fault(case: dict[str, Any], which: Any, own: Any, listed: Any, found: Any) -> str | None:
    is_self = which[0] == which[1]
    surely, perhaps = pierced(own[0], None if is_self else own[1], VOLUMES)
    edges = [edges_of(thing["faces"]) for thing in own]
    for key in surely | perhaps:
        kind, i, j = key
        one, other = (0, -1) if kind == 3 else (-1, 0)
        edge, face = (i, j) if kind == 3 else (j, i)
        e, f = edges[one][edge], own[other]["faces"][face]
        out, tie = _is_pierced_out(case, which, kind, (list(e), list(f)), own)
        if key in surely and not out and not tie and key not in listed:
            return f"{key} passes through at the start, and is not listed"
        if out and not tie and key in listed:
            return f"{key} passes through at the start, is left out, and is listed"
    for key, row in listed.items():
        if key[0] > 2 and (key not in perhaps or found.time[row] != 0.0):
            return f"{key} is listed, and does not pass through"
    return None


def _left_out(case: dict[str, Any], which: Any, pairs: Pairs) -> tuple[Any, Any]:
    """Which pairs are left out by rings, a distance at rest, or groups; and which are ties."""
    options, (i, j) = case["options"], which
    out, tie = np.zeros(len(pairs.kinds), bool), np.zeros(len(pairs.kinds), bool)
    near = options.get("ignore_near")
    if near is not None and i == j and len(pairs.kinds):
        own = case["things"][i]
        if isinstance(near, int):
            apart = rings(own)
            for k, corners in enumerate(pairs.corners.tolist()):
                n = 2 if pairs.kinds[k] == 1 else 1
                out[k] = min(apart[x][y] for x, y in product(corners[:n], corners[n:])) <= near
        else:
            rest = np.reshape(own["vertices"], (-1, 3)).astype(float)
            gaps = distances_of_points(rest[pairs.corners], pairs.kinds == 1)
            out = gaps <= near
            tie = np.abs(gaps - near) <= 1e-12 * (1.0 + np.abs(rest).max())
    if "groups" in options:
        groups = _groups(case, which)
        ignored = {tuple(pair) for pair in options["ignore_groups"]}
        for k, corners in enumerate(pairs.corners.tolist()):
            n = 2 if pairs.kinds[k] == 1 else 1
            both = list(product((groups[x] for x in corners[:n]), (groups[y] for y in corners[n:])))
            if all((g, h) in ignored or (h, g) in ignored for g, h in both):
                out[k], tie[k] = True, False
    return out & ~tie, tie


def _groups(case: dict[str, Any], which: Any) -> list[int]:
    groups = case["options"]["groups"]
    return list(groups[which[0]]) + (list(groups[which[1]]) if which[0] != which[1] else [])


def _is_pierced_out(case: dict[str, Any], which: Any, kind: int, both: Any, own: Any) -> tuple[bool, bool]:
    """Is an edge through a face left out: by rings, at rest by an end or a side, by groups? Or a tie?"""
    options, (e, f) = case["options"], both
    near, is_self = options.get("ignore_near"), which[0] == which[1]
    is_tie = False
    if near is not None and is_self:
        if isinstance(near, int):
            apart = rings(own[0])
            if min(apart[x][y] for x, y in product(e, f)) <= near:
                return True, False
        else:
            rest = np.reshape(own[0]["vertices"], (-1, 3)).astype(float)
            quads = [[x, *f] for x in e] + [[*e, f[k], f[(k + 1) % 3]] for k in range(3)]
            gaps = distances_of_points(rest[np.array(quads)], np.arange(5) > 1)
            is_tie = bool((np.abs(gaps - near) <= 1e-12 * (1.0 + np.abs(rest).max())).any())
            if (gaps <= near).any():
                return True, is_tie
    if "groups" in options:
        first, second = which if kind == 3 else which[::-1]
        groups = options["groups"]
        ignored = {tuple(pair) for pair in options["ignore_groups"]}
        pairs = product((groups[first][x] for x in e), (groups[second][y] for y in f))
        if all((g, h) in ignored or (h, g) in ignored for g, h in pairs):
            return True, False
    return False, is_tie


def rings(own: dict[str, Any]) -> list[list[int]]:
    """How many edges vertices are apart, at the least, by a search from each."""
    n = len(own["vertices"])
    beside: list[set[int]] = [set() for _ in range(n)]
    for f in own["faces"]:
        for x, y in ((f[0], f[1]), (f[1], f[2]), (f[2], f[0])):
            beside[x].add(y)
            beside[y].add(x)
    found = []
    for v in range(n):
        apart, front, k = [10**6] * n, {v}, 0
        while front:
            for x in front:
                apart[x] = k
            front = {y for x in front for y in beside[x] if apart[y] == 10**6}
            k += 1
        found.append(apart)
    return found


def _closing(own: Any, pairs: Pairs, targets: Any, told: Any, so_far: Any, numbers: float) -> Any:
    """Of what touches at the start, what comes nearer has to be listed, by then; what rests must not."""
    must, may, by = so_far
    n = len(pairs.kinds)
    if n == 0:
        return so_far
    start = distances(own, pairs, np.arange(n), np.zeros(n))
    is_start = start <= targets + ROUNDING * numbers * 10
    slack = NEARER * numbers
    nearer = verdict(own, pairs, np.maximum(start - slack, 0.0), slack)
    has_room = (start > 4 * slack) & (targets > 0.0)
    moving = np.concatenate([_is_moving(x) for x in own])
    rests = ~moving[pairs.corners].any(axis=1)
    sure = start < targets - ROUNDING * numbers * 10
    must = np.where(is_start, must & has_room & np.isfinite(nearer.by), must)
    by = np.where(is_start, nearer.by, by)
    return must, may & ~(rests & sure & has_room), by


def _is_moving(own: dict[str, Any]) -> Any:
    """Which vertices are not where they were in each frame, (n,)."""
    frames = np.reshape(own["frames"], (len(own["times"]), len(own["vertices"]), 3))
    return (frames != frames[:1]).any(axis=(0, 2))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer options, faces and rounder numbers."""
    for name in case["options"]:
        if name not in ("groups", "ignore_groups"):
            yield case | {"options": {key: value for key, value in case["options"].items() if key != name}}
    if "groups" in case["options"]:
        left = {k: v for k, v in case["options"].items() if k not in ("groups", "ignore_groups")}
        yield case | {"options": left}
    for k, own in enumerate(case["things"]):
        for f in range(len(own["faces"])):
            fewer = own | {"faces": own["faces"][:f] + own["faces"][f + 1 :]}
            yield case | {"things": [*case["things"][:k], fewer, *case["things"][k + 1 :]]}
    for own in fewer_and_rounder({"things": case["things"]}):
        yield case | own
