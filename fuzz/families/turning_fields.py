"""Bodies that turn many times within a step at fields of fields, which may turn, too; rays at them.

The referee is formulas of balls and boxes in the field's frame, at points of the body and at many times: none
of these is in the shape before the time that is told, and by `time_upper` one is. At the start, the distance
is no more than that of a point of the body and a point of the shape; every point of the body that is near is
in the list of contacts; and a ray is at no surface before it is told to be.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from things import BOX_FACES, Array, Data, Rng, moving_of, pose_in

SECONDS_A_CASE = 60.0

MOST_CELLS, MOST_STEPS, N_TIMES, N_RAYS, N_STEPS = 60_000, 100_000, 3000, 40, 2000

RULES = ("union", "intersection", "difference")

# What may be refused: too many cells, and what is empty, leaves the box or is not exact.
KNOWN = "max_cells", "empty", "more margin", "leaves nothing", "needs a field that is exact"

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def make(rng: Rng) -> dict[str, Any]:
    """Shapes, operations, a body, motions of both that turn from not at all to a hundred times, a scale."""
    steps = [{"name": str(rng.choice(RULES)), "shape": _shape(rng)} for _ in range(int(rng.integers(0, 3)))]
    if rng.random() < 0.4:
        steps.append({"name": "offset", "distance": float(rng.choice([0.1, -0.05]))})
    body = {"kind": str(rng.choice(["sphere", "box", "capsule", "mesh", "deforming"]))}
    body["size"] = float(rng.choice([0.02, 0.2, 0.6]))
    motions = {"motion": _motion(rng, 2.5), "turned": _motion(rng, 0.0)}
    if body["kind"] == "deforming" or rng.random() < 0.5:
        motions["turned"] |= {"velocity": [0.0] * 3, "turn": [0.0] * 3}
    own = {"tolerance": float(rng.choice([0.05, 0.1])), "scale": float(rng.choice([1.0, 1.0, 1e-9, 2.0**80]))}
    own["separation"] = float(rng.choice([0.0, 0.0, 0.1]))
    return (
        {"first": _shape(rng), "steps": steps, "body": body, "seed": int(rng.integers(1 << 30))}
        | own
        | motions
    )


def _shape(rng: Rng) -> Data:
    """A ball, or a box with its middle elsewhere."""
    if rng.random() < 0.4:
        return {"kind": "sphere", "half": [float(rng.choice([0.3, 0.7]))], "middle": [0.0] * 3}
    middle = rng.choice([0.0, 0.25, 0.3, 0.5]) * rng.choice([-1, 0, 1], 3)
    return {"kind": "box", "half": rng.choice([0.1, 0.3, 0.6], 3).tolist(), "middle": middle.tolist()}


def _motion(rng: Rng, reach: float) -> Data:
    """From somewhere about towards the middle, turning about a place of its own or about the far end."""
    pose = pose_in(rng, 1.0)
    place = rng.normal(size=3)
    place *= reach * rng.choice([0.6, 1.0]) / np.linalg.norm(place)
    rate = float(rng.choice([0.0, 3.0, 60.0, 600.0], p=[0.25, 0.25, 0.35, 0.15]))
    axis = rng.normal(size=3) if rng.random() < 0.6 else rng.choice([-1.0, 0.0, 1.0], 3)
    velocity = (0.3 * rng.normal(size=3) - place) * rng.choice([0.0, 0.5, 1.0])
    center = rng.normal(size=3) * rng.choice([0.0, 0.3, 1.5])
    turn = rate * axis / max(float(np.linalg.norm(axis)), 1e-3)
    numbers = {"place": place, "velocity": velocity, "turn": turn, "center": center}
    return pose | {name: np.asarray(value).tolist() for name, value in numbers.items()}


def check(case: dict[str, Any]) -> str | None:
    """Make the field, ask about it, and look at points of the body."""
    try:
        field = _field(case)
    except ValueError as error:
        return None if any(words in str(error) for words in KNOWN) else f"refused: {error}"
    rng = np.random.default_rng(case["seed"])
    return (
        _contact_fault(case, field, rng) or _resting_fault(case, field, rng) or _ray_fault(case, field, rng)
    )


def _made(data: Data, case: dict[str, Any]) -> Any:
    scale, half = case["scale"], np.array(data["half"])
    shape: Any = fc.Sphere(float(half[0]) * scale)
    if data["kind"] == "box":
        shape = fc.Mesh((2 * half * CORNERS + data["middle"]) * scale, BOX_FACES)
    tolerance = case["tolerance"] * scale
    return fc.DistanceField.of(shape, tolerance, margin=1.0 * scale, max_cells=MOST_CELLS)


def _field(case: dict[str, Any]) -> Any:
    field = _made(case["first"], case)
    for step in case["steps"]:
        if step["name"] == "offset":
            field = field.offset(step["distance"] * case["scale"])
            continue
        field = getattr(field, step["name"])(_made(step["shape"], case), max_cells=MOST_CELLS)
    return field


def _truth(case: dict[str, Any], points: Array) -> Array:
    """What the field is of, at points of its frame, both in units of the scale."""
    found = _distance(case["first"], points)
    for step in case["steps"]:
        if step["name"] == "offset":
            found = found - step["distance"]
            continue
        other = _distance(step["shape"], points)
        if step["name"] == "union":
            found = np.minimum(found, other)
        else:
            found = np.maximum(found, other if step["name"] == "intersection" else -other)
    return np.asarray(found)


def _distance(data: Data, points: Array) -> Array:
    away = np.abs(points - np.array(data["middle"]))
    if data["kind"] == "sphere":
        return np.asarray(np.linalg.norm(away, axis=-1) - data["half"][0])
    over = away - np.array(data["half"])
    return np.asarray(np.linalg.norm(over.clip(0.0), axis=-1) + over.max(axis=-1).clip(None, 0.0))


def _body(case: dict[str, Any]) -> tuple[Any, Array]:
    """A body, and points of it, in units of the scale, close to each other but for a mesh of one size."""
    kind, size, scale = case["body"]["kind"], case["body"]["size"], case["scale"]
    rng = np.random.default_rng(case["seed"] + 1)
    ball = rng.normal(size=(60, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, np.newaxis]
    if kind == "sphere":
        return fc.Sphere(size * scale), np.concatenate([[np.zeros(3)], 0.5 * size * ball[:20], size * ball])
    if kind == "capsule":
        up = np.array([0.0, 0.0, size]) * rng.choice([-1, 1], (60, 1))
        return fc.Capsule(0.5 * size * scale, 2 * size * scale), 0.5 * size * ball + up
    points = np.concatenate([CORNERS, rng.uniform(-0.5, 0.5, (40, 3))])
    if kind == "box":
        return fc.Box(np.array([2.0, 1.0, 0.5]) * size * scale), points * np.array([2.0, 1.0, 0.5]) * size
    corners = CORNERS * np.array([2.0, 1.0, 0.5]) * size
    weights = rng.dirichlet([1, 1, 1], 60)
    on = np.einsum("ni,nij->nj", weights, corners[np.array(BOX_FACES)[rng.integers(0, 12, 60)]])
    return fc.Mesh(corners * scale, BOX_FACES), np.concatenate([corners, on])


def _places(motion: Data, points: Array, times: Array) -> Array:
    """Where points of a body are, (times, points, 3)."""
    rotation, place = np.array(motion["rotation"]), np.array(motion["place"])
    center, turn = np.array(motion["center"]), np.array(motion["turn"])
    rate = float(np.linalg.norm(turn))
    axis = turn / rate if rate else np.array([0.0, 0.0, 1.0])
    own = (points - center) @ rotation.T
    angle = (rate * times)[:, np.newaxis, np.newaxis]
    along = (own @ axis)[:, np.newaxis] * axis
    turned = along + np.cos(angle) * (own - along) + np.sin(angle) * np.cross(axis, own)
    moved = rotation @ center + place + times[:, np.newaxis] * np.array(motion["velocity"])
    return np.asarray(turned + moved[:, np.newaxis])


def _seen(motion: Data, places: Array, times: Array) -> Array:
    """The same places, (times, points, 3), as seen from something in a motion."""
    frame = _places(motion, np.concatenate([np.zeros((1, 3)), np.eye(3)]), times)
    axes = frame[:, 1:] - frame[:, :1]
    return np.asarray((places - frame[:, :1]) @ axes.transpose(0, 2, 1))


def _scaled(motion: Data, scale: float) -> Data:
    lengths = {name: (np.array(motion[name]) * scale).tolist() for name in ("place", "velocity", "center")}
    return motion | lengths


def _contact_fault(case: dict[str, Any], field: Any, rng: Rng) -> str | None:
    scale, separation, kind = case["scale"], case["separation"], case["body"]["kind"]
    times = np.sort(np.concatenate([np.linspace(0.0, 1.0, N_TIMES), rng.random(200)]))
    moving, places = _moving(case, times, rng)
    standing = moving_of(field, _scaled(case["turned"], scale))
    found = fc.first_contact(moving, standing, min_separation=separation * scale, max_iterations=MOST_STEPS)
    deep = _truth(case, _seen(case["turned"], places, times)).min(axis=1)
    late = times[(deep < (separation if field.is_exact[0] else 0.0) - 1e-9) & (times < found.time)]
    if len(late) > 0:
        return f"{kind}: told at {found.time}, and in contact at {late[0]}"
    return _certain_fault(case, field, float(found.time_upper)) if kind == "sphere" else None


def _moving(case: dict[str, Any], times: Array, rng: Rng) -> tuple[Any, Array]:
    """The body in its motion, or on straight lines between its ends; and where points of it are."""
    (body, points), scale, motion = _body(case), case["scale"], case["motion"]
    if case["body"]["kind"] != "deforming":
        return moving_of(body, _scaled(motion, scale)), _places(motion, points, times)
    ends = _places(motion, np.asarray(body.vertices) / scale, np.array([0.0, 1.0]))
    weights, which = rng.dirichlet([1, 1, 1], 60), np.array(BOX_FACES)[rng.integers(0, 12, 60)]
    first, last = (np.concatenate([end, np.einsum("ni,nij->nj", weights, end[which])]) for end in ends)
    moving = fc.Mesh(ends[0] * scale, BOX_FACES).deforming(ends[0] * scale, ends[1] * scale)
    return moving, first + times[:, np.newaxis, np.newaxis] * (last - first)


def _certain_fault(case: dict[str, Any], field: Any, time: float) -> str | None:
    """By the upper time a ball is within the separation; where the field is not exact, it is in the shape."""
    if not np.isfinite(time):
        return None
    size, at = case["body"]["size"], np.array([time])
    ball = np.random.default_rng(0).uniform(-1.0, 1.0, (6000, 3))
    points = size * ball[np.linalg.norm(ball, axis=1) <= 1.0] if not field.is_exact[0] else np.zeros((1, 3))
    near = _truth(case, _seen(case["turned"], _places(case["motion"], points, at), at)).min()
    allowed = case["separation"] + size + 1e-7 if field.is_exact[0] else 0.2 * size
    return f"sphere: certain by {time}, and apart then" if near > allowed else None


def _resting_fault(case: dict[str, Any], field: Any, rng: Rng) -> str | None:
    body, points = _body(case)
    scale, start = case["scale"], np.zeros(1)
    poses = []
    for name in ("motion", "turned"):
        frame = _places(case[name], np.concatenate([np.zeros((1, 3)), np.eye(3)]), start)[0]
        poses.append(((frame[1:] - frame[0]).T, frame[0] * scale))
    placed, standing = body.at(poses[0]), field.at(poses[1])
    world = _places(case["motion"], points, start)
    own = _seen(case["turned"], world, start)[0]
    lower, upper = field.bounds / scale
    inside = rng.uniform(lower, upper, (400, 3))
    inside = inside[_truth(case, inside) <= 0.0]
    found = float(fc.distance(placed, standing).distance) / scale
    apart = np.linalg.norm(own[:, np.newaxis] - inside, axis=2).min(initial=np.inf)
    if found > apart + 1e-7:
        return f"{case['body']['kind']}: the distance is {found}, and in truth at most {apart}"
    if apart == 0.0 and not fc.intersects(placed, standing):
        return "no contact, and a point is in the shape"
    near, within = fc.contacts(world[0] * scale, standing, within=0.05 * scale), 0.05
    truth = _truth(case, own)
    wanted = np.flatnonzero(truth < (within if field.is_exact[0] else 0.0) - 1e-7)
    if not np.isin(wanted, near.vertex_ids).all():
        return "a point within the distance is not in the list"
    told = fc.signed_distance(standing, world[0] * scale).distance / scale
    is_in = ((own >= field.box[0] / scale) & (own <= field.box[1] / scale)).all(axis=1)
    if (np.abs(told - truth)[is_in] > field.tolerance / scale * (1 + 1e-6) + 1e-9).any():
        return "a distance of a point is off by more than the tolerance"
    return None


def _ray_fault(case: dict[str, Any], field: Any, rng: Rng) -> str | None:
    """Rays from outside and from inside: at the first change of sign there is a surface."""
    origins = rng.normal(size=(N_RAYS, 3)) * rng.choice([0.2, 1.5], (N_RAYS, 1))
    ways = 0.3 * rng.normal(size=(N_RAYS, 3)) - origins
    hits = fc.ray_cast(field, origins * case["scale"], ways * case["scale"])
    s = np.linspace(0.0, 2.0, N_STEPS)
    is_in = _truth(case, origins[:, np.newaxis] + s[:, np.newaxis] * ways[:, np.newaxis]) < -1e-9
    for k in range(N_RAYS):
        change = np.flatnonzero(is_in[k] != is_in[k, 0])
        if len(change) > 0 and hits.time[k] > s[change[0]] + 1e-9:
            return f"a ray is told to meet the surface at {hits.time[k]}, and does by {s[change[0]]}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer steps, no scale, fewer turns."""
    for i in range(len(case["steps"])):
        yield case | {"steps": case["steps"][:i] + case["steps"][i + 1 :]}
    if case["scale"] != 1.0:
        yield case | {"scale": 1.0}
    for name in ("motion", "turned"):
        if any(case[name]["turn"]):
            yield case | {name: case[name] | {"turn": [0.0] * 3}}
