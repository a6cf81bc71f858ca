"""Lists of things that deform, turn, fall or rest, thick or not, solid or not, sifted or not.

The referees: dense samples of all distances of features over the step, in plain NumPy, refined where they are
least; solid angles for what is inside at the start; and each pair of things by itself, which must give the
same rows where vertices go straight.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

import firstcontact as fc
from deforming_cases import frames_in
from list_referee import Approach, all_pairs, approach, places
from oracles.feature_distance import distances_of_points
from shrinking import fewer_and_rounder
from things import mesh_in, motion_in, pose_of, scale_in, scaled

SECONDS_A_CASE = 30.0
MOST_FACES = 8

# What rounding may do to distances, in units of all numbers, and to times.
ROUNDING, EARLY = 1e-11, 1e-7


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two to four things."""
    scale, things = scale_in(rng), []
    is_thick, is_closed = rng.random() < 0.3, rng.random() < 0.2
    for _ in range(int(rng.integers(2, 5))):
        mesh = mesh_in(rng)
        while is_closed and not _is_closed(mesh["faces"]):
            mesh = mesh_in(rng)
        thing = {"vertices": mesh["vertices"], "thickness": float(rng.choice([0.0, 0.05, 0.2])) * is_thick}
        if rng.random() < 0.4:
            frames, times = frames_in(rng, np.reshape(mesh["vertices"], (-1, 3)))
            thing |= {"frames": frames}
        else:
            times, motion = [], motion_in(rng)
            motion["acceleration"] = (rng.choice([0.0, 0.0, 4.0]) * rng.normal(size=3)).tolist()
            thing |= {"motion": motion}
        if rng.random() < 0.1 and things:
            thing["vertices"] = scaled(thing["vertices"], 0.3)
        faces = mesh["faces"]
        if not is_closed:
            faces = [faces[i] for i in rng.permutation(len(faces))[:MOST_FACES]]
        things.append(scaled(thing, scale) | {"faces": faces, "times": times})
    return {
        "things": things,
        "separation": float(scale * rng.choice([1e-3, 0.1])) if rng.random() < 0.4 else 0.0,
        "tolerance": float(scale * rng.choice([1e-6, 1e-3, 1e-2])),
        "groups": [rng.integers(0, 3, len(thing["vertices"])).tolist() for thing in things],
        "ignored": rng.integers(0, 3, (int(rng.integers(1, 4)), 2)).tolist(),
        "near": int(rng.integers(3)),
    }


def _is_closed(faces: Any) -> bool:
    sides = Counter(tuple(np.roll(face, k)[:2].tolist()) for face in faces for k in range(3))
    return bool(faces) and all(n == 1 and sides[side[::-1]] == 1 for side, n in sides.items())


def check(case: dict[str, Any]) -> str | None:
    """Ask about all at once, and hold it against samples, and pairs by themselves."""
    data = case["things"]
    things = [_thing(own) for own in data]
    ask = {"min_separation": case["separation"], "tolerance": case["tolerance"]}
    numbers = max(float(np.abs(places(own, np.linspace(0, 1, 9))).max(initial=0.0)) for own in data)
    found, first = fc.contacts(things, **ask), fc.first_contact(things, **ask)
    if fc.safe_step(things, **ask) != min(first.time, 1.0) or fc.is_free(things, **ask) == bool(first):
        return "safe_step, is_free and first_contact say different things"
    crosses = bool((found.kind > 2).any())
    nearest = np.inf
    for i, j in combinations(range(len(data)), 2):
        pairs = all_pairs(things[i].shape, things[j].shape)
        near = approach((data[i], data[j]), pairs, case["separation"] + _thickness(data, i, j))
        fault, gap = _pair_fault(case, (i, j), near, found, first, numbers)
        if fault:
            return fault
        nearest = min(nearest, gap)
    if first and not crosses and nearest > case["separation"] + case["tolerance"] + 1e2 * ROUNDING * numbers:
        return f"at the first contact all is {nearest} apart"
    return (
        _alone_fault(case, things, found, first)
        or _solid_fault(case, things, first)
        or _sifted_fault(case, things)
    )


def _thing(data: dict[str, Any]) -> Any:
    mesh = fc.Mesh(
        np.reshape(data["vertices"], (-1, 3)),
        np.reshape(data["faces"], (-1, 3)).astype(int),
        thickness=data["thickness"],
    )
    if "frames" in data:
        frames = np.reshape(data["frames"], (len(data["times"]), -1, 3)).astype(float)
        return mesh.deforming(*frames) if len(frames) == 2 else mesh.along(frames, data["times"])
    motion = {name: np.array(value, float) for name, value in data["motion"].items()}
    if _is_straight(data):
        return mesh.at(pose_of(data["motion"]))
    return mesh.moving(
        pose_of(data["motion"]),
        velocity=motion["velocity"],
        angular_velocity=motion["turn"],
        center=motion["center"],
        acceleration=motion["acceleration"] if motion["acceleration"].any() else None,
    )


def _is_straight(data: dict[str, Any]) -> bool:
    return "frames" in data or not any(
        np.any(data["motion"][x]) for x in ("velocity", "turn", "acceleration")
    )


def _thickness(data: Any, i: int, j: int) -> float:
    return float(data[i]["thickness"] + data[j]["thickness"])


def _pair_fault(
    case: dict[str, Any], which: tuple[int, int], near: Approach, found: Any, first: Any, numbers: float
) -> tuple[str | None, float]:
    """What is missing, late or not there of two things; and how near they are at the first contact."""
    data, slack, (kinds, ids, _) = case["things"], ROUNDING * numbers, near.pairs
    thick = _thickness(data, *which)
    target = case["separation"] + thick
    bound = target - slack if target > 0.0 else 1e-3 * slack
    is_in = near.distances < bound
    times = np.where(is_in.any(axis=0), near.times[is_in.argmax(axis=0)], np.inf) if len(kinds) else near.then
    times = np.where(near.least < bound, np.minimum(times, near.then), times)
    own = np.flatnonzero((found.thing_ids == which).all(axis=1) & (found.kind <= 2))
    rows = {(int(found.kind[r]), int(found.ids_a[r]), int(found.ids_b[r])): r for r in own}
    is_turning = not all(_is_straight(data[k]) for k in which)
    allowed = target + (case["tolerance"] if is_turning else 0.0) + 1e2 * slack
    gap = np.inf
    if first and len(kinds):
        both = np.concatenate([places(data[k], np.array([first.time])) for k in which], axis=1)[0]
        gap = float(_distances(both, near).min()) - thick
    for k in np.flatnonzero(np.isfinite(times)):
        key = int(kinds[k]), int(ids[k, 0]), int(ids[k, 1])
        if first.time > times[k] + EARLY:
            return f"the first contact at {first.time} is later than {times[k]}, {key} of {which}", gap
        # Of what goes straight, whole numbers in other families know what exactly touches.
        if key not in rows and (is_turning or target > 0.0):
            return f"{key} of {which} are {near.least[k]} apart at {near.then[k]}, and not listed", gap
        if key in rows and found.time[rows[key]] > times[k] + EARLY:
            return f"{key} of {which} touch at {times[k]}, and are listed for {found.time[rows[key]]}", gap
    index = {(int(a), int(b), int(c)): k for k, (a, (b, c)) in enumerate(zip(kinds, ids, strict=True))}
    if not rows.keys() <= index.keys():
        return f"features of {which} are listed that do not exist", gap
    for key, row in rows.items():
        both = np.concatenate([places(data[k], found.time[[row]]) for k in which], axis=1)[0]
        one = near._replace(pairs=type(near.pairs)(*(part[[index[key]]] for part in near.pairs)))
        distance = float(_distances(both, one)[0])
        if distance > allowed and not (not is_turning and near.least[index[key]] <= allowed):
            return f"{key} of {which} are listed for a time when they are {distance} apart", gap
        if is_turning and abs(found.gap[row] - (distance - thick)) > case["tolerance"] + 1e-6 * numbers:
            return f"the gap of {key} of {which} is {distance - thick}, and {found.gap[row]} is told", gap
    return None, gap


def _distances(both: Any, near: Approach) -> Any:
    return distances_of_points(both[near.pairs.vertices], near.pairs.kinds == 1)


def _alone_fault(case: dict[str, Any], things: Any, found: Any, first: Any) -> str | None:
    """Each pair by itself has the rows that it has in the list."""
    data = case["things"]
    is_thin, is_one_step = not any(own["thickness"] for own in data), _is_one_step(data)
    ask = {"min_separation": case["separation"]}
    for i, j in combinations(range(len(data)), 2):
        if not (_is_straight(data[i]) and _is_straight(data[j]) and is_thin):
            continue
        alone = fc.contacts(things[i], things[j], **ask)
        fault = _rows_fault(found, alone, (found.thing_ids == (i, j)).all(axis=1), is_one_step)
        if fault:
            return f"{fault}, of things {i} and {j}"
    return None


class _Rows:
    """Some rows of a list."""

    def __init__(self, found: Any, mask: Any) -> None:
        self.kind, self.ids_a, self.ids_b = found.kind[mask], found.ids_a[mask], found.ids_b[mask]
        self.time = found.time[mask]


def _is_one_step(data: Any) -> bool:
    return all(len(own["times"]) <= 2 for own in data)


def _rows_fault(found: Any, alone: Any, mask: Any, is_one_step: bool) -> str | None:
    """The same bytes; of frames at other times, which round places in between, all rows, and none later."""
    if not is_one_step:
        rows, own = (
            dict(zip(zip(f.kind, f.ids_a, f.ids_b, strict=True), f.time, strict=True))
            for f in (_Rows(found, mask), alone)
        )
        if not own.keys() <= rows.keys():
            return "a pair by itself has rows that are missing in a list"
        is_late = any(rows[key] > time + 1e-9 for key, time in own.items())
        return "a pair is later in a list than by itself" if is_late else None
    for name in ("kind", "ids_a", "ids_b", "time", "time_upper", "gap"):
        if getattr(found, name)[mask].tobytes() != getattr(alone, name).tobytes():
            return f"a pair by itself has another {name} than in a list"
    return None


def _solid_fault(case: dict[str, Any], things: Any, first: Any) -> str | None:
    """With solid=True what is inside at the start touches then; all else is as without."""
    data = case["things"]
    if not all(_is_closed(own["faces"]) for own in data):
        return None
    ask = {"min_separation": case["separation"], "tolerance": case["tolerance"]}
    solid = fc.first_contact(things, solid=True, **ask)
    start = [places(own, np.zeros(1))[0] for own in data]
    is_inside = False
    for i, j in combinations(range(len(data)), 2):
        for one, other in ((i, j), (j, i)):
            windings = _windings(start[one][:1], start[other][np.reshape(data[other]["faces"], (-1, 3))])
            is_inside |= bool(np.abs(windings[0]) > 0.5)
    if is_inside and solid.time != 0.0:
        return f"what is inside at the start touches at {solid.time} only, with solid=True"
    if not is_inside and solid.time != first.time and solid.time != 0.0:
        return f"the first contact is at {first.time}, and with solid=True at {solid.time}"
    if not is_inside and solid.time == 0.0 < first.time:
        return "nothing is inside at the start, nor touches, and with solid=True something does"
    return None


def _windings(points: Any, triangles: Any) -> Any:
    """Solid angles of triangles, as parts of the sphere, seen from points."""
    a, b, c = (triangles[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(x, axis=2) for x in (a, b, c))
    above = np.einsum("pti,pti->pt", a, np.cross(b, c))
    below = la * lb * lc + (a * b).sum(2) * lc + (b * c).sum(2) * la + (c * a).sum(2) * lb
    return np.arctan2(above, below).sum(axis=1) / (2.0 * np.pi)


def _sifted_fault(case: dict[str, Any], things: Any) -> str | None:
    """Lists that are sifted, of what goes straight, by names; each pair by itself, and each thing alone."""
    data = case["things"]
    kept = [k for k in range(len(data)) if _is_straight(data[k])]
    if any(own["thickness"] for own in data) or len(kept) < 2:
        return None
    some, is_one_step = {f"thing {k}": things[k] for k in kept}, _is_one_step([data[k] for k in kept])
    base = {"min_separation": case["separation"]}
    groups = [case["groups"][k] for k in kept]
    for options in (
        {},
        {"only_closing": True},
        {"ignore_near": case["near"]},
        {"groups": groups, "ignore_groups": case["ignored"]},
    ):
        if "only_closing" in options and not is_one_step:
            continue  # where places are rounded, more is proven to be no nearer than the rounding
        found = fc.contacts(some, self_contact=True, **base, **options)
        for i, j in combinations(range(len(kept)), 2):
            own = dict(options)
            own.pop("ignore_near", None)
            if "groups" in own:
                own["groups"] = [groups[i], groups[j]]
            alone = fc.contacts(things[kept[i]], things[kept[j]], **base, **own)
            fault = _rows_fault(found, alone, (found.thing_ids == (i, j)).all(axis=1), is_one_step)
            if fault:
                return f"{fault}, with {sorted(options)}"
        for i, k in enumerate(kept):
            if "frames" not in data[k]:
                continue
            own = dict(options) | ({"groups": groups[i]} if "groups" in options else {})
            fault = _rows_fault(
                found, fc.contacts(things[k], **base, **own), (found.thing_ids == i).all(axis=1), is_one_step
            )
            if fault:
                return f"{fault}, with {sorted(options)}, of a thing and itself"
        step = fc.safe_step(some, self_contact=True, **base, **options)
        if is_one_step and abs(step - found.time.min(initial=1.0)) > 1e-8:
            return f"the safe step is {step}, and the first of the list {found.time.min(initial=1.0)}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer things, motions that rest, and rounder numbers."""
    for k in range(len(case["things"])):
        if len(case["things"]) > 2:
            yield case | {name: case[name][:k] + case[name][k + 1 :] for name in ("things", "groups")}
        motion = case["things"][k].get("motion")
        for name in ("acceleration", "velocity", "turn", "center") if motion else ():
            if any(motion[name]):
                other = case["things"][k] | {"motion": motion | {name: [0.0] * 3}}
                yield case | {"things": [*case["things"][:k], other, *case["things"][k + 1 :]]}
    for own in fewer_and_rounder({"things": case["things"]}):
        yield case | own
