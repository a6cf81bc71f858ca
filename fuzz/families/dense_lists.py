"""Lists and dictionaries of what deforms, in one step or in several, turns often, goes by splines or rests.

The referee halves the times between samples of all distances until they tell, in plain NumPy: nothing may be
missing, late, or there that stays beyond the tolerance. Rows are worked out again from their ids and time.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from deforming_cases import frames_in
from dense_referee import all_of, pairs_between, pierced, places, radii_of, verdict
from shrinking import fewer_and_rounder
from things import grid_in, mesh_in, pose_in

SECONDS_A_CASE = 60.0
MOST_FACES = 6

# What rounding may do, in units of all numbers; to times; and to volumes, of those of boxes.
ROUNDING, LATE, VOLUMES = 1e-11, 1e-12, 1e-9


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two to four things, near each other."""
    things = [_thing(rng) for _ in range(int(rng.integers(1, 5)))]
    if rng.random() < 0.15:
        things.append({**things[0], "is_same": True})
    return {
        "things": things,
        "separation": float(rng.choice([1e-3, 0.1])) if rng.random() < 0.4 else 0.0,
        "tolerance": float(rng.choice([1e-6, 1e-4, 1e-2])),
        "self_contact": bool(rng.random() < 0.6),
        "has_names": bool(rng.random() < 0.3),
    }


def _thing(rng: np.random.Generator) -> dict[str, Any]:
    mesh = mesh_in(rng)
    while not mesh["faces"] and rng.random() < 0.8:
        mesh = mesh_in(rng)
    vertices = np.reshape(mesh["vertices"], (-1, 3))
    faces = [mesh["faces"][i] for i in rng.permutation(len(mesh["faces"]))[:MOST_FACES]]
    thick = rng.choice([0.0, 0.02, 0.1], len(vertices)) * (rng.random() < 0.3)
    thing: dict[str, Any] = {"vertices": vertices.tolist(), "faces": faces, "thickness": thick.tolist()}
    kind = rng.choice(["rests", "deforms", "moves", "goes"], p=[0.1, 0.35, 0.35, 0.2])
    if kind == "deforms":
        frames, times = frames_in(rng, vertices)
        return thing | {"frames": frames, "times": times}
    if kind == "goes":
        n = int(rng.integers(2, 5))
        stops, turns = rng.uniform(-1.5, 1.5, (n, 3)), rng.normal(size=(n, 3)) * rng.choice([0.1, 1.0])
        times = np.concatenate([[0.0], np.sort(rng.choice(np.arange(1, 16), n - 2, False)) / 16, [1.0]])
        spline = {"is_spline": bool(rng.random() < 0.5), "times": times.tolist()}
        return thing | {"stops": stops.tolist(), "turns": turns.tolist()} | spline
    motion = pose_in(rng, 1.0) | {name: [0.0] * 3 for name in ("velocity", "turn", "center", "acceleration")}
    if kind == "moves":
        motion["velocity"] = (rng.uniform(-2, 2, 3) * rng.integers(2)).tolist()
        turn = rng.normal(size=3) if rng.random() < 0.6 else np.eye(3)[rng.integers(3)]
        turn = turn / np.linalg.norm(turn) * rng.choice([0.0, 0.3, 2.0, 2 * np.pi, 8 * np.pi])
        motion["turn"] = turn.tolist()
        motion["center"] = (rng.uniform(-1, 1, 3) * rng.integers(2)).tolist()
        motion["acceleration"] = (rng.choice([0.0, 0.0, 4.0]) * grid_in(rng, (3,), 1)).tolist()
    return thing | {"motion": motion}


def things_of(data: list[dict[str, Any]]) -> list[Any]:
    """The things of a case, as the library has them."""
    meshes: list[Any] = []
    for own in data:
        mesh = fc.Mesh(
            np.reshape(own["vertices"], (-1, 3)).astype(float),
            np.reshape(own["faces"], (-1, 3)).astype(int),
            thickness=np.asarray(own["thickness"], float) if own["vertices"] else 0.0,
        )
        meshes.append(meshes[0] if own.get("is_same") and meshes else mesh)
    return [_moving(mesh, own) for mesh, own in zip(meshes, data, strict=True)]


def _moving(mesh: fc.Mesh, own: dict[str, Any]) -> Any:
    if "frames" in own:
        frames = np.reshape(own["frames"], (len(own["times"]), mesh.n_vertices, 3)).astype(float)
        return mesh.deforming(*frames) if len(frames) == 2 else mesh.along(frames, own["times"])
    if "stops" in own:
        turned = Rotation.from_rotvec(np.array(own["turns"])).as_matrix()
        poses = (turned, np.array(own["stops"]))
        if own["is_spline"]:
            return mesh.along(fc.Spline(own["times"], poses))
        return mesh.along(poses, own["times"], center=[0, 0, 0])
    motion = {name: np.array(value, float) for name, value in own["motion"].items()}
    pose = motion["rotation"], motion["place"]
    if rests(own):
        return mesh.at(pose)
    return mesh.moving(
        pose,
        velocity=motion["velocity"],
        angular_velocity=motion["turn"],
        center=motion["center"],
        acceleration=motion["acceleration"] if motion["acceleration"].any() else None,
    )


def rests(own: dict[str, Any]) -> bool:
    """Does a thing not move at all?"""
    return "motion" in own and not any(
        np.any(own["motion"][name]) for name in ("velocity", "turn", "acceleration")
    )


def goes_straight(own: dict[str, Any]) -> bool:
    """Do all vertices go straight, or rest?"""
    return "frames" in own or rests(own)


def check(case: dict[str, Any]) -> str | None:
    """Ask about all at once, and look at each pair of things."""
    data, things = case["things"], things_of(case["things"])
    asked: Any = {f"the {k}": thing for k, thing in enumerate(things)} if case["has_names"] else things
    ask = {"self_contact": case["self_contact"], "min_separation": case["separation"]}
    ask["tolerance"] = case["tolerance"]
    found, first = fc.contacts(asked, **ask), fc.first_contact(asked, **ask)
    step, is_free = fc.safe_step(asked, **ask), fc.is_free(asked, **ask)
    if step != min(first.time, 1.0) or is_free == bool(first):
        return "safe_step, is_free and first_contact say different things"
    numbers = max(float(np.abs(places(own, np.linspace(0, 1, 9))).max(initial=0.0)) for own in data)
    is_asked = [case["self_contact"] and "frames" in own for own in data]
    left, by = set(range(len(found))), np.inf
    for which in all_of(data, is_asked):
        fault, rows, time = _fault_of(case, which, found, numbers)
        left -= rows
        by = min(by, time)
        if fault:
            return f"{fault}, of things {which}"
    if left:
        return f"rows are of things that are not asked about: {found.thing_ids[sorted(left)].tolist()}"
    if first.time > by + LATE:
        return f"the first contact at {first.time} is later than {by}"
    if bool(first) != bool(len(found)):
        is_turning = not all(map(goes_straight, data))
        if not is_turning or np.isfinite(by):
            return "first_contact and contacts say different things"
    if len(found) and len(first.features) and not _is_listed(first, found):
        return "no feature of the first contact is in the list"
    return rows_fault(data, found, numbers, case["tolerance"])


def _is_listed(first: Any, found: Any) -> bool:
    listed = {tuple(row) for row in np.stack([found.kind, *found.thing_ids.T, found.ids_a, found.ids_b], 1)}
    own = np.concatenate([first.features[:, :1], first.thing_ids, first.features[:, 1:]], axis=1)
    return first.time_upper == np.inf or any(tuple(row) in listed for row in own)


def _fault_of(
    case: dict[str, Any], which: tuple[int, int], found: Any, numbers: float
) -> tuple[str | None, set[int], float]:
    """What is wrong with the rows of two things, or of one; which these are; and the first time by which."""
    i, j = which
    data, is_self = case["things"], i == j
    own = [data[i]] if is_self else [data[i], data[j]]
    pairs, thick = pairs_between(own[0], None if is_self else own[1])
    targets, slack = case["separation"] + thick, ROUNDING * max(numbers, 1e-300)
    told = verdict(own, pairs, targets, slack)
    is_turning = not all(map(goes_straight, own))
    rows = np.flatnonzero((found.thing_ids == which).all(axis=1))
    listed = {(int(found.kind[r]), int(found.ids_a[r]), int(found.ids_b[r])): r for r in rows.tolist()}
    if len(listed) != len(rows):
        return "a pair is listed twice", set(rows.tolist()), np.inf
    surely, perhaps = pierced(own[0], None if is_self else own[1], VOLUMES)
    by = 0.0 if surely else float(told.by.min(initial=np.inf))
    keys = list(zip(pairs.kinds.tolist(), *pairs.ids.T.tolist(), strict=True))
    fault = None
    for k, key in enumerate(keys):
        if np.isfinite(told.by[k]):
            if key not in listed:
                fault = f"{key} comes near by {told.by[k]}, and is not listed"
            elif found.time[listed[key]] > told.by[k] + LATE:
                fault = f"{key} comes near by {told.by[k]}, and is listed for {found.time[listed[key]]}"
        elif key in listed and not told.is_open[k] and not is_turning:
            fault = f"{key} never comes near, and is listed"
    for key in surely - listed.keys():
        fault = f"{key} passes through at the start, and is not listed"
    for key in listed.keys() - set(keys):
        if key not in perhaps or found.time[listed[key]] != 0.0:
            fault = f"{key} is listed, and does not pass through"
    return fault or _near_fault(case, which, found, rows, numbers), set(rows.tolist()), by


def _near_fault(case: dict[str, Any], which: Any, found: Any, rows: Any, numbers: float) -> str | None:
    """What is listed has to be within the tolerance when it is told, and near by when that is proven."""
    own = [case["things"][k] for k in which]
    allowed = ROUNDING * numbers * 1e2 + (0.0 if all(map(goes_straight, own)) else case["tolerance"])
    for r in rows[found.kind[rows] <= 2]:
        thick = _radius(own[0], found, r, 0) + _radius(own[1], found, r, 1)
        if found.gap[r] > case["separation"] + allowed + 1e-6 * numbers * all(map(goes_straight, own)):
            return f"a pair is listed with a gap of {found.gap[r]}"
        if found.time_upper[r] < found.time[r]:
            return "a pair is proven to touch before it does"
        gap = np.linalg.norm(_way(own, found, r, found.time[r])) - thick
        if abs(gap - found.gap[r]) > allowed + 1e-9 * numbers:
            return f"the gap of a row is {gap}, and {found.gap[r]} is told"
    return None


def _radius(own: dict[str, Any], found: Any, r: int, side: int) -> float:
    sizes = radii_of(own)
    part = ((0, 2), (1, 1), (2, 0))[found.kind[r]][side]
    return float(sizes[part][(found.ids_a, found.ids_b)[side][r]])


def _way(own: Any, found: Any, r: int, time: float) -> Any:
    """From the touching point of a row on b to that on a, by its weights."""
    kind, ids, w = found.kind[r], found.vertex_ids[r], found.weights[r]
    n = 2 if kind == 1 else 1
    first, second = (places(thing, np.array([time]))[0] for thing in (own[::-1] if kind == 2 else own))
    way = w[:n] @ first[ids[:n]] - w[n:] @ second[ids[n:]]
    return -way if kind == 2 else way


def rows_fault(data: Any, found: Any, numbers: float, tolerance: float) -> str | None:
    """Rows, worked out again: velocities, what closes, frames, weights, order."""
    if (np.diff(found.time) < 0.0).any():
        return "rows are not sorted by time"
    units = np.linalg.norm(found.normals, axis=1)
    if len(found) and np.abs(units - 1.0).max() > 1e-9:
        return "a normal is not a unit vector"
    along = np.einsum("ni,ni->n", found.velocities, found.normals)
    size = 1.0 + np.abs(found.velocities).sum(axis=1)
    if (np.abs(along - found.closing_speed) > 1e-6 * size).any():
        return "a closing speed is not that of the velocities along the normal"
    if (found.closing != (found.closing_speed > 0.0)).any():
        return "closing is not where the closing speed is positive"
    frames = np.concatenate([found.tangents, found.normals[:, None]], axis=1)
    if len(found) and (
        np.abs(frames @ np.swapaxes(frames, 1, 2) - np.eye(3)).max() > 1e-9
        or np.abs(np.linalg.det(frames) - 1.0).max() > 1e-9
    ):
        return "tangents and normal are no right-handed frame"
    for r in np.flatnonzero(found.kind <= 2):
        own = [data[k] for k in found.thing_ids[r]]
        n = 2 if found.kind[r] == 1 else 1
        w = found.weights[r]
        if abs(w[:n].sum() - 1.0) > 1e-9 or abs(w[n:].sum() - 1.0) > 1e-9 or w.min() < -1e-9:
            return "weights are none"
        if not all("frames" in x or rests(x) for x in own) or any(
            abs(found.time[r] - t) < 1e-6 for x in own for t in x.get("times", [])[1:]
        ):
            continue
        span = 1e-7
        ways = [_way(own, found, r, t) for t in (found.time[r], found.time[r] + span)]
        velocity = (ways[1] - ways[0]) / span
        if np.abs(velocity - found.velocities[r]).max() > 1e-5 * (1.0 + numbers):
            return f"a velocity is {velocity.tolist()}, and {found.velocities[r].tolist()} is told"
        if found.gap[r] > 1e-6 * numbers:
            way = -ways[0] / max(np.linalg.norm(ways[0]), 1e-300)
            if way @ found.normals[r] < 0.999:
                return f"a normal is {found.normals[r].tolist()}, and the gap along {way.tolist()}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer things, faces and rounder numbers."""
    for k in range(len(case["things"]) if len(case["things"]) > 1 else 0):
        yield case | {"things": case["things"][:k] + case["things"][k + 1 :]}
    for k, own in enumerate(case["things"]):
        for f in range(len(own["faces"])):
            fewer = own | {"faces": own["faces"][:f] + own["faces"][f + 1 :]}
            yield case | {"things": [*case["things"][:k], fewer, *case["things"][k + 1 :]]}
    for own in fewer_and_rounder({"things": case["things"]}):
        yield case | own
