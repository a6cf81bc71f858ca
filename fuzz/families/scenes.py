"""A scene that changes; the referee asks about every two bodies by themselves, in a scene made anew too.

Bodies of all kinds, fields among them, arrive, leave, move and are ignored; after each change the list of
contacts, the first of them and the safe step are those of the pairs asked one by one. Only of fields, what is
not certain may be left out: the scene sees that boxes stay apart where a field tells a contact too early.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from shrinking import rounder
from things import convex_in, mesh_in, motion_in, moving_of, scale_in, scaled, shape_of


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A list of edits, and a broad phase."""
    edits, names = [], []
    for _ in range(int(rng.integers(3, 9))):
        kind = str(
            rng.choice(
                ["add", "add", "update", "remove", "move", "step", "ignore", "consider", "ignore_group"]
            )
        )
        if kind == "add" or len(names) < 2:
            names.append(f"b{len(edits)}")
            edits.append(["add", names[-1], _body(rng)])
        elif kind == "update":
            edits.append([kind, str(rng.choice(names)), _body(rng)])
        elif kind == "remove":
            edits.append([kind, names.pop(int(rng.integers(len(names))))])
        elif kind == "move":
            edits.append([kind, str(rng.choice(names)), motion_in(rng)])
        elif kind == "step":
            edits.append([kind, str(rng.integers(1 << 30))])
        else:
            edits.append([kind, *map(str, rng.choice(names, 2, replace=False))])
    broad_phase = str(rng.choice(["auto", "sweep", "tree", "image"]))
    separation = float(rng.choice([0.0, 0.0, 0.2]))
    factor = scale_in(rng)
    edits = [[x if isinstance(x, str) else scaled(x, factor) for x in edit] for edit in edits]
    lengths = {"min_separation": separation * factor, "tolerance": 1e-6 * factor}
    return {"broad_phase": broad_phase, "edits": edits} | lengths


def _body(rng: np.random.Generator) -> dict[str, Any]:
    shape = mesh_in(rng) if rng.random() < 0.5 else convex_in(rng)
    body = {"shape": shape, "motion": motion_in(rng)}
    if shape["kind"] == "mesh" and rng.random() < 0.5:
        start = np.reshape(shape["vertices"], (-1, 3)) + rng.integers(-3, 4, 3) / 2
        end = start + rng.integers(-3, 4, 3) / 2 + rng.choice([0.0, 0.2]) * rng.normal(size=start.shape)
        return body | {"start": start.tolist(), "end": end.tolist()}
    return body | {"is_field": True} if rng.random() < 0.2 else body


def check(case: dict[str, Any]) -> str | None:
    """Go through the edits, and compare after each."""
    scene = fc.Scene(broad_phase=case["broad_phase"])
    bodies: dict[str, Any] = {}
    ignored: dict[frozenset[str], bool] = {}
    for kind, *rest in case["edits"]:
        _edit(scene, bodies, ignored, kind, rest)
        fault = _compared(scene, bodies, ignored, case)
        if fault:
            return f"after {kind}: {fault}"
    return None


def _edit(
    scene: Any, bodies: dict[str, Any], ignored: dict[frozenset[str], bool], kind: str, rest: Any
) -> None:
    """Change the scene, and what the referee knows of it."""
    name = rest[0]
    if kind in ("add", "update"):
        if (kind == "add") == (name in bodies):
            return
        thing = _thing(rest[1])
        getattr(scene, kind)({name: thing})
        bodies[name] = thing
    elif name in bodies and kind == "remove":
        scene.remove(name)
        del bodies[name]
        for pair in [pair for pair in ignored if name in pair]:
            del ignored[pair]
    elif name in bodies and kind == "move":
        motion = rest[1]
        if isinstance(bodies[name].shape, fc.Mesh) and hasattr(bodies[name].motion, "vertices_t0"):
            return
        start = (np.array([motion["rotation"]]), np.array([motion["place"]]))
        velocity, turn = np.array([motion["velocity"]]), np.array([motion["turn"]])
        scene.move([name], start, velocity=velocity, angular_velocity=turn)
        bodies[name] = scene[name]
    elif kind == "step":
        _step(scene, bodies, int(name))
    elif set(rest) <= set(bodies):
        getattr(scene, kind)(*rest)
        ignored[frozenset(rest)] = kind != "consider"  # what is said last counts


def _step(scene: Any, bodies: dict[str, Any], seed: int) -> None:
    """Let all bodies go on from pose to pose at once, where none deforms; a turn is small, or any."""
    rng, things = np.random.default_rng(seed), scene.things
    if not things or any(hasattr(thing.motion, "vertices_t0") for thing in things.values()):
        return
    starts = np.stack([thing.pose(1.0) for thing in things.values()])
    turns = Rotation.from_rotvec(rng.choice([0.0, 0.1, 0.3, 3.0]) * rng.normal(size=(len(starts), 3)))
    ends, ways = starts.copy(), starts[:, :3, 3] - starts[:, :3, 3].mean(axis=0)
    ends[:, :3, :3] = turns.as_matrix() @ starts[:, :3, :3]
    ends[:, :3, 3] -= rng.uniform(0.0, 1.5, (len(starts), 1)) * ways
    scene.move(scene.ids, starts, ends)
    bodies.update(scene.things)


def _thing(data: dict[str, Any]) -> Any:
    shape = shape_of(data["shape"])
    if "start" in data:
        return shape.deforming(*(np.reshape(data[end], (-1, 3)) for end in ("start", "end")))
    return moving_of(_sampled(shape) if "is_field" in data else shape, data["motion"])


def _sampled(shape: Any) -> Any:
    """A coarse field of a shape, if it has one; else the shape."""
    try:
        return fc.DistanceField.of(shape, 0.1 * float(np.ptp(shape.bounds, axis=0).max()), max_cells=20_000)
    except ValueError:  # too many cells, no size, or nothing
        return shape


def _compared(scene: Any, bodies: dict[str, Any], ignored: Any, case: dict[str, Any]) -> str | None:
    options = {name: case[name] for name in ("min_separation", "tolerance")}
    truth: dict[frozenset[str], float] = {}
    early: set[frozenset[str]] = set()
    alone = [(name,) for name, thing in bodies.items() if hasattr(thing.motion, "vertices_t0")]
    for names in (*combinations(bodies, 2), *alone):
        if ignored.get(frozenset(names)) is not True:
            found = fc.first_contact(*(bodies[name] for name in names), **options)
            if found:
                truth[frozenset(names)] = found.time
                if np.isinf(found.time_upper) and any(_is_field(bodies[name]) for name in names):
                    early.add(frozenset(names))
    listed = scene.contacts(**options)
    times = {frozenset(names): time for names, time in zip(listed.names, listed.time.tolist(), strict=True)}
    for pair in early - times.keys():
        del truth[pair]
    if times.keys() != truth.keys():
        odd = [sorted(pair) for pair in times.keys() ^ truth.keys()]
        return f"the scene has {len(times)} pairs in contact, asked one by one {len(truth)}; {odd[0]} differs"
    for pair, time in times.items():
        if time != truth[pair]:
            return f"{sorted(pair)} touch at {time} in the scene, at {truth[pair]} by themselves"
    first = min(truth.values(), default=np.inf)
    if scene.first_contact(**options).time != first or scene.safe_step(**options) != min(first, 1.0):
        return f"the first contact is at {scene.first_contact(**options).time}, and not at {first}"
    return None


def _is_field(thing: Any) -> bool:
    return isinstance(thing.shape, fc.DistanceField)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer edits, no separation, rounder numbers."""
    for i in range(len(case["edits"])):
        yield case | {"edits": case["edits"][:i] + case["edits"][i + 1 :]}
    if case["min_separation"]:
        yield case | {"min_separation": 0.0}
    for i, edit in enumerate(case["edits"]):
        for variant in rounder(edit[-1]) if isinstance(edit[-1], dict) else ():
            yield case | {"edits": [*case["edits"][:i], [*edit[:-1], variant], *case["edits"][i + 1 :]]}
