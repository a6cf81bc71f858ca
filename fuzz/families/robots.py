"""Robots on straight paths among obstacles, and with themselves: is what is called free ever not?

The referee puts links where plain kinematics in extended precision say, and looks at so many instants that
what lies between cannot hide a contact. Never late, never missed, within the tolerance at the time.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.robot_path import Model, distances, first_of, part_of, parts_of, reach_of, straight
from shrinking import rounder
from things import convex_in, mesh_in, motion_in, moving_of, pose_in, pose_of, scale_in, scaled, shape_of

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating")
FINEST = 1e-3
METHODS = ("subdivision", "advancement")


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A tree of a few links, some obstacles at rest or moving, and a path."""
    n = int(rng.integers(1, 4))
    kinds = [str(rng.choice(KINDS, p=[0.4, 0.15, 0.25, 0.1, 0.1])) for _ in range(n)]
    joints = []
    for i, kind in enumerate(kinds):
        axis = rng.integers(-1, 2, 3).astype(float) if rng.random() < 0.5 else rng.normal(size=3)
        axis = axis if np.any(axis) else np.array([0.0, 0.0, 1.0])
        origin = pose_in(rng, 1.0)
        joints.append(
            {"kind": kind, "parent": int(rng.integers(0, i + 1)), "axis": axis.tolist(), "origin": origin}
        )
    links = [{"shape": _shape(rng), "pose": pose_in(rng, 0.5)} for _ in range(n + 1)]
    obstacles = [{"shape": _shape(rng), "motion": motion_in(rng)} for _ in range(int(rng.integers(0, 3)))]
    for obstacle in obstacles:
        if rng.random() < 0.6:
            obstacle["motion"] |= {"velocity": [0.0] * 3, "turn": [0.0] * 3}
    q = [[_values(kind, rng) for kind in kinds] for _ in range(2)]
    case = {"joints": joints, "links": links, "obstacles": obstacles, "q": q}
    case["self_contact"] = bool(rng.random() < 0.5) or not obstacles
    case["method"] = str(rng.choice(METHODS))
    case["tolerance"] = float(rng.choice([1e-6, 1e-3]))
    return case if rng.random() < 0.8 else _scaled(case, scale_in(rng))


def _shape(rng: np.random.Generator) -> dict[str, Any]:
    shape = mesh_in(rng) if rng.random() < 0.2 else convex_in(rng)
    while shape["kind"] == "mesh" and not shape["faces"]:
        shape = mesh_in(rng)
    return scaled(shape, 0.5)


def _values(kind: str, rng: np.random.Generator) -> list[float]:
    if kind == "fixed":
        return []
    if kind == "floating":
        return [*rng.uniform(-1, 1, 3).tolist(), *rng.normal(size=4).tolist()]
    return [float(rng.choice([0.0, 0.5, rng.uniform(-3, 3)]))]


def _scaled(case: dict[str, Any], factor: float) -> dict[str, Any]:
    """All lengths times a factor, those in configurations too."""
    q = [
        [
            [x * factor if joint["kind"] == "prismatic" or (joint["kind"] == "floating" and i < 3) else x
             for i, x in enumerate(values)]
            for values, joint in zip(one, case["joints"], strict=True)
        ]
        for one in case["q"]
    ]  # fmt: skip
    joints = [joint | {"origin": scaled(joint["origin"], factor)} for joint in case["joints"]]
    parts = {name: scaled(case[name], factor) for name in ("links", "obstacles", "tolerance")}
    return case | parts | {"joints": joints, "q": q}


def check(case: dict[str, Any]) -> str | None:
    """Ask for the first contact and whether the path is free; follow it."""
    robot, model = _robot(case)
    q0, q1 = (np.array([x for values in one for x in values]) for one in case["q"])
    obstacles = {f"thing {i}": _moving(thing) for i, thing in enumerate(case["obstacles"])}
    if robot.dof == 0 or not (obstacles or robot.self_pairs):
        return None
    options = {name: case[name] for name in ("self_contact", "method", "tolerance")}
    moving = robot.moving(q0, q1)
    found, free = fc.first_contact(moving, obstacles, **options), fc.is_free(moving, obstacles, **options)
    many = fc.first_contacts(robot.moving([q0, q1], [q1, q0]), obstacles, **options)
    if many.time[0] != found.time:
        return f"alone at {found.time}, in a batch at {many.time[0]}"
    if free and found.time_upper < np.inf:
        return f"is_free is True, and a contact is proven at {found.time_upper}"
    return _fault(case, found, free, _pairs(case, robot, model, straight(q0, q1), obstacles))


def _robot(case: dict[str, Any]) -> tuple[Any, Model]:
    joints = [
        fc.Joint(
            f"j{i}",
            joint["kind"],
            f"l{joint['parent']}",
            f"l{i + 1}",
            pose_of(joint["origin"]),
            joint["axis"],
        )
        for i, joint in enumerate(case["joints"])
    ]
    shapes = {
        f"l{i}": (shape_of(link["shape"]), pose_of(link["pose"])) for i, link in enumerate(case["links"])
    }
    robot = fc.Robot({name: shape.at(pose) for name, (shape, pose) in shapes.items()}, joints)
    return robot, Model({name: [(shape, _matrix(pose))] for name, (shape, pose) in shapes.items()}, joints)


def _matrix(pose: tuple[Any, Any]) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = pose
    return matrix


def _moving(thing: dict[str, Any]) -> Any:
    shape, motion = shape_of(thing["shape"]), thing["motion"]
    is_moving = any(motion["velocity"]) or any(motion["turn"])
    return moving_of(shape, motion) if is_moving else shape.at(pose_of(motion))


def _pairs(case: dict[str, Any], robot: Any, model: Model, path: Any, obstacles: dict[str, Any]) -> list[Any]:
    """What must not touch what."""
    parts = parts_of(model, path)
    pairs = [(part, part_of(name, thing)) for part in parts for name, thing in obstacles.items()]
    if case["self_contact"]:
        named = {part.name: part for part in parts}
        pairs += [(named[a], named[b]) for a, b in robot.self_pairs]
    return pairs


def _fault(case: dict[str, Any], found: Any, free: bool, pairs: list[Any]) -> str | None:
    rounding = 1e-11 * _extent(pairs)
    until = min(found.time, 1.0)
    truth, _ = first_of(pairs, 1, 0.0, 1.0 if free else until, FINEST)
    witness = float(truth.witness[0])
    if free and witness <= 1.0:
        return f"is_free is True, and a contact at {witness}"
    if witness <= until and until > 0.0 and witness < np.inf:
        return f"the time is {found.time}, and a contact at {witness}"
    if found:
        which, t = np.zeros(1, int), np.array([found.time])
        names = {found.a, found.b}
        least = min(
            (distances(a, b, which, t)[0] for a, b in pairs if {a.name, b.name} == names), default=np.inf
        )
        if least > case["tolerance"] + 100 * rounding:
            return f"{sorted(map(str, names))} are {least} apart at the time {found.time}"
    return None


def _extent(pairs: list[Any]) -> float:
    times, which = np.array([0.0, 1.0]), np.zeros(2, int)
    parts = [part for pair in pairs for part in pair]
    places = [
        float(np.abs(part.place(which, times)[:, :3, 3]).max()) + reach_of(part.shape) for part in parts
    ]
    return max(places, default=0.0)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer obstacles, links without children left out, rounder numbers."""
    for i in range(len(case["obstacles"])):
        yield case | {"obstacles": case["obstacles"][:i] + case["obstacles"][i + 1 :]}
    if len(case["joints"]) > 1:
        q = [one[:-1] for one in case["q"]]
        yield case | {"joints": case["joints"][:-1], "links": case["links"][:-1], "q": q}
    yield from rounder(case)
