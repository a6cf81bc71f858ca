"""Long walks of scenes of all kinds: everything that a scene can be asked, beside each pair by itself.

Convex shapes, meshes, sheets that deform, clouds, compounds, voxels, half-spaces and crowds arrive, leave,
move, rest, are ignored one by one and in groups. Four scenes, one of each broad phase, walk side by side;
after each step all are asked one thing, on one thread or two. Pairs by themselves are the referee, or a scene
made anew, to the last bit.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import numba
import numpy as np

import firstcontact as fc
from things import cloud_in, convex_in, mesh_in, motion_in, moving_of, scale_in, scaled, shape_of

SECONDS_A_CASE = 60.0
HOW = ("auto", "sweep", "tree", "image")
ASKED = ("contacts", "first", "of", "near", "clearance", "rays", "features", "pairs", "free")
# What deforms is searched as one, or pair by pair, by how many there are: times agree to that.
MOST, OF_SLABS = 1e-9, 1e-3


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Steps, each with edits and a question."""
    n, at_rest = int(rng.integers(2, 12)), bool(rng.random() < 0.3)
    spread = float(rng.choice([0.0, 1.0, 2.0, 4.0]))
    bodies = [_body(rng, spread, at_rest) for _ in range(n)]
    steps = []
    for _ in range(int(rng.integers(4, 25))):
        edits = []
        for _ in range(int(rng.integers(0, 4))):
            what = str(
                rng.choice(["change", "change", "leave", "arrive", "ignore", "consider", "group", "move"])
            )
            some = rng.integers(0, 1 << 30, 3).tolist()
            edits.append([what, some, _body(rng, spread, at_rest)])
        asked = str(rng.choice(ASKED))
        steps.append(
            {
                "edits": edits,
                "ask": asked,
                "seed": int(rng.integers(1 << 30)),
                "threads": int(rng.integers(1, 3)),
            }
        )
    factor = scale_in(rng)
    return {
        "bodies": [scaled(body, factor) for body in bodies],
        "steps": [
            step | {"edits": [[*edit[:2], scaled(edit[2], factor)] for edit in step["edits"]]}
            for step in steps
        ],
        "min_separation": factor * float(rng.choice([0.0, 0.0, 0.1])),
        "tolerance": 1e-6 * factor,
        "scale": factor,
    }


def _body(rng: np.random.Generator, spread: float, at_rest: bool) -> dict[str, Any]:
    what = int(rng.integers(12))
    motion = motion_in(rng)
    motion["place"] = (np.array(motion["place"]) * 0.25 * spread).tolist()
    if at_rest or rng.random() < 0.3:
        motion |= {"velocity": [0.0] * 3, "turn": [0.0] * 3}
    shape = convex_in(rng) if what < 5 else cloud_in(rng) if what == 5 else mesh_in(rng)
    sort = {6: "compound", 7: "voxels", 8: "deforming", 9: "half"}.get(what, "plain")
    if sort == "half":
        motion["turn"] = [0.0] * 3
    if sort == "deforming" and at_rest:
        sort = "plain"
    bent = rng.normal(size=3) * rng.choice([0.0, 0.5])
    return {"shape": shape, "motion": motion, "sort": sort, "bent": bent.tolist()}


def check(case: dict[str, Any]) -> str | None:
    """Walk, and compare after each step."""
    things = {f"b{k}": thing for k, thing in enumerate(map(_thing, case["bodies"]))}
    scenes = [fc.Scene(things, broad_phase=how) for how in HOW]
    ignored: dict[frozenset[str], bool] = {}
    for step, data in enumerate(case["steps"]):
        for k, (what, some, body) in enumerate(data["edits"]):
            _edit(scenes, things, ignored, (what, some, body, f"s{step} {k}"))
        if scenes[0].names != list(things):
            return "other bodies are there than have come"
        before = numba.get_num_threads()
        try:
            numba.set_num_threads(min(data["threads"], numba.config.NUMBA_NUM_THREADS))
            fault = ASK[data["ask"]](scenes, things, ignored, case | data)
        finally:
            numba.set_num_threads(before)
        if fault:
            return f"asked {data['ask']}: {fault}"
    return None


def _thing(body: dict[str, Any]) -> Any:
    shape, motion = shape_of(body["shape"]), body["motion"]
    size = float(np.max(np.abs(body["motion"]["place"]), initial=1.0))
    if body["sort"] == "half":
        way = np.array(motion["rotation"])[:, 2]
        return fc.HalfSpace(way, float(way @ motion["place"])).at(np.eye(4))
    if body["sort"] == "compound":
        return moving_of(fc.Compound([shape, shape.at((np.eye(3), [size, 0.0, 0.0]))]), motion)
    if body["sort"] == "voxels":
        rng = np.random.default_rng(int(1e6 * abs(motion["place"][0]) / size))
        return moving_of(fc.Voxels(rng.random((3, 3, 3)) < 0.4, 0.3 * size), motion)
    if body["sort"] == "deforming" and isinstance(shape, fc.Mesh):
        start = shape.vertices + np.array(motion["place"])
        bend = np.outer(np.cos(7.0 * np.arange(len(start))), body["bent"]) * size
        return shape.deforming(start, start + np.array(motion["velocity"]) + bend)
    return moving_of(shape, motion)


def _edit(scenes: list[Any], things: dict[str, Any], ignored: dict[frozenset[str], bool], edit: Any) -> None:
    what, some, body, new = edit
    names = list(things)
    chosen = sorted({names[i % len(names)] for i in some}) if names else []
    if what == "arrive":
        things[new] = _thing(body)
        for scene in scenes:
            scene.add(new, things[new])
    elif what == "leave" and chosen:
        for scene in scenes:
            scene.remove(*chosen)
        for name in chosen:
            del things[name]
        for pair in [pair for pair in ignored if pair & set(chosen)]:
            del ignored[pair]
    elif what == "change" and chosen:
        things[chosen[0]] = _thing(body)
        for scene in scenes:
            scene.update({chosen[0]: things[chosen[0]]})
    elif what == "move" and chosen:
        rigid = [
            name
            for name in chosen
            if not hasattr(things[name].motion, "frames") and not _is_half(things[name])
        ]
        start = np.array(body["motion"]["rotation"]), np.array(body["motion"]["place"])
        for scene in scenes if rigid else []:
            scene.move(
                rigid, (start[0], np.tile(start[1], (len(rigid), 1))), velocity=body["motion"]["velocity"]
            )
        for name in rigid:
            things[name] = things[name].shape.moving(start, velocity=body["motion"]["velocity"])
    elif what in ("ignore", "consider") and len(chosen) > 1:
        for scene in scenes:
            getattr(scene, what)(*chosen[:2])
        ignored[frozenset(chosen[:2])] = what == "ignore"
    elif what == "group" and len(chosen) > 1:
        for scene in scenes:
            scene.ignore_group(*chosen)
        ignored |= {frozenset(pair): True for pair in combinations(chosen, 2)}


def _is_half(thing: Any) -> bool:
    return isinstance(thing.shape, fc.HalfSpace)


def _options(case: dict[str, Any]) -> dict[str, float]:
    return {name: case[name] for name in ("min_separation", "tolerance")}


def _pairs(things: dict[str, Any], ignored: dict[frozenset[str], bool]) -> list[tuple[str, str]]:
    return [
        pair
        for pair in combinations(things, 2)
        if ignored.get(frozenset(pair)) is not True and not all(_is_half(things[name]) for name in pair)
    ]


def _truth(things: Any, ignored: Any, options: dict[str, float]) -> dict[frozenset[str], float]:
    found = {}
    alone = [(name,) for name, thing in things.items() if hasattr(thing.motion, "frames")]
    for names in (*_pairs(things, ignored), *alone):
        first = fc.first_contact(*(things[name] for name in names), **options)
        if first:
            found[frozenset(names)] = first.time
    return found


def _most(things: Any, names: Iterable[str]) -> float:
    """By how much times of these may differ: a half-space is a slab in a scene, to the tolerance."""
    return OF_SLABS if any(_is_half(things[name]) for name in names) else MOST


def _contacts(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    truth = _truth(things, ignored, _options(case))
    for scene in scenes:
        found = scene.contacts(**_options(case))
        told = {frozenset(names): t for names, t in zip(found.names, found.time.tolist(), strict=True)}
        if told.keys() != truth.keys():
            odd = sorted(sorted(pair) for pair in told.keys() ^ truth.keys())[0]
            kinds = sorted(type(things[name].shape).__name__ for name in odd)
            return f"of {kinds} a contact is told by the scene or by the pair alone"
        if any(abs(told[pair] - truth[pair]) > _most(things, pair) for pair in told):
            return "times are others than those of pairs alone"
        manifold = found.manifold()
        if set(manifold.contact_ids.tolist()) != set(range(len(found))):
            return "a contact has no points"
        if not np.array_equal(manifold.rows_in(manifold) >= 0, np.ones(len(manifold), bool)):
            return "a point is not found again in its own manifold"
    return None


def _first(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    truth = min(_truth(things, ignored, _options(case)).values(), default=np.inf)
    for scene in scenes:
        found = scene.first_contact(**_options(case))
        step = scene.safe_step(**_options(case))
        if found.time != truth and abs(found.time - truth) > _most(things, things):
            return "the first contact is at another time than of pairs alone"
        if step != min(found.time, 1.0):
            return "the safe step is not the first contact"
    return None


def _of(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    rng = np.random.default_rng(case["seed"])
    some = [name for name in things if rng.random() < 0.3]
    truth = _truth(things, ignored, _options(case))
    times = [t for pair, t in truth.items() if pair & set(some)]
    for scene in scenes:
        found = scene.first_contact(**_options(case), of=some)
        least = min(times, default=np.inf)
        if found.time != least and abs(found.time - least) > _most(things, things):
            return "the first contact of some is at another time than of pairs alone"
    return None


def _near(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    if any(not thing.motion.is_resting for thing in things.values()):
        return None
    within, truth = 0.5 * case["scale"], {}
    for a, b in _pairs(things, ignored):
        try:
            alone = fc.near(things[a], things[b], within=within)
        except (TypeError, ValueError) as error:
            return _refused(scenes, within, str(error))
        if len(alone):
            truth[a, b] = float(alone.distance.min())
    for scene in scenes:
        found = scene.near(within=within)
        told = dict(zip(zip(found.a, found.b, strict=True), found.distance.tolist(), strict=True))
        if told.keys() != truth.keys():
            return "other pairs are near than by themselves"
        if any(told[pair] != truth[pair] for pair in told):
            return "a pair is at another distance than by itself"
    return None


def _refused(scenes: list[Any], within: float, sentence: str) -> str | None:
    """What a pair is refused for, the scene may refuse too, where it is looked at."""
    for scene in scenes:
        try:
            scene.near(within=within)
        except (TypeError, ValueError):
            continue
    return None


def _clearance(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    if any(
        hasattr(thing.motion, "frames") or isinstance(thing.shape, fc.Compound) for thing in things.values()
    ):
        return None  # which may be refused, two by two
    found = [scene.clearance() for scene in scenes]
    if len({(one.distance, one.time, one.distance_lower) for one in found}) != 1:
        return "broad phases tell different clearances"
    truth = [fc.clearance(things[a], things[b]) for a, b in _pairs(things, ignored)]
    least = min((one.distance for one in truth), default=np.inf)
    lower = min((one.distance_lower for one in truth), default=np.inf)
    if found[0].distance_lower > least or found[0].distance < lower:
        return "the clearance is not that of pairs alone"
    return None


def _rays(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    rng, scale = np.random.default_rng(case["seed"]), case["scale"]
    starts, ways = scale * rng.normal(size=(9, 3)) * 3, rng.normal(size=(9, 3))
    ways[:4] = -starts[:4] / scale
    ways[4:6] = np.eye(3)[:2]
    at = float(rng.choice([0.0, 0.5, 1.0]))
    least = np.full(9, np.inf)
    for thing in things.values():
        if hasattr(thing.motion, "frames"):
            still = thing.shape.placed(thing.vertices(at)).at(np.eye(4))
        else:
            still = thing.shape.at(thing.pose(at))
        least = np.minimum(least, fc.ray_cast(still, starts, ways).time)
    for scene in scenes:
        found = scene.ray_cast(starts, ways, at=at)
        if not np.array_equal(found.hits.time, least):
            return "rays meet something at another time than one by one"
    return None


def _features(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    def keys(found: Any, names: Any) -> set[tuple[Any, ...]]:
        rows = zip(names, found.kind.tolist(), found.ids_a.tolist(), found.ids_b.tolist(), strict=True)
        return {(*pair, kind, i, j) for pair, kind, i, j in rows}

    told = [scene.feature_contacts(**_options(case)) for scene in scenes]
    first = keys(told[0].contacts, told[0].names)
    if any(keys(one.contacts, one.names) != first for one in told):
        return "broad phases tell different contacts of features"
    if any(ignored.get(frozenset(pair)) is True for pair in told[0].names):
        return "features of what is ignored are told"
    return None


def _listed(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    truth = _truth(things, ignored, _options(case))
    of_boxes = [scene.pairs(**_options(case)) for scene in scenes]
    if any(set(map(frozenset, one)) != set(map(frozenset, of_boxes[0])) for one in of_boxes[:3]):
        return "broad phases tell different pairs"
    for pairs in of_boxes:
        if not {pair for pair in truth if len(pair) > 1} <= set(map(frozenset, pairs)):
            return "a pair that touches is not among those that may"
    return None


def _free(scenes: list[Any], things: Any, ignored: Any, case: Any) -> str | None:
    copies = [fc.Scene(things, broad_phase=how) for how in HOW]
    for copy in copies:
        for pair, is_ignored in ignored.items():
            (copy.ignore if is_ignored else copy.consider)(*pair)
    for scene, copy in zip(scenes, copies, strict=True):
        one, other = (each.contacts(**_options(case)) for each in (scene, copy))
        if one.time.tobytes() != other.time.tobytes() or one.names != other.names:
            return "a scene made anew tells other bytes"
        if one.points.tobytes() != other.points.tobytes() or one.normals.tobytes() != other.normals.tobytes():
            return "a scene made anew tells other points"
    return None


ASK = {
    "contacts": _contacts,
    "first": _first,
    "of": _of,
    "near": _near,
    "clearance": _clearance,
    "rays": _rays,
    "features": _features,
    "pairs": _listed,
    "free": _free,
}


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer steps, fewer edits, fewer bodies."""
    for key in ("steps", "bodies"):
        size = max(len(case[key]) // 2, 1)
        while size > 0:
            yield from (
                case | {key: case[key][:i] + case[key][i + size :]} for i in range(0, len(case[key]), size)
            )
            size //= 2
    for i, step in enumerate(case["steps"]):
        for k in range(len(step["edits"])):
            fewer = step | {"edits": step["edits"][:k] + step["edits"][k + 1 :]}
            yield case | {"steps": [*case["steps"][:i], fewer, *case["steps"][i + 1 :]]}
