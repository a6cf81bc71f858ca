"""Cases of robots on straight paths among obstacles, which several families share."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.robot_path import Model, part_of, parts_of, reach_of
from shrinking import rounder
from things import convex_in, mesh_in, motion_in, moving_of, pose_in, pose_of, scale_in, scaled, shape_of

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating")
METHODS = ("subdivision", "advancement")


def robot_case(rng: np.random.Generator) -> dict[str, Any]:
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


def robot_in(case: dict[str, Any]) -> tuple[Any, Model]:
    """The robot of a case, and the same for the referee."""
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


def moving_in(thing: dict[str, Any]) -> Any:
    """An obstacle of a case."""
    shape, motion = shape_of(thing["shape"]), thing["motion"]
    is_moving = any(motion["velocity"]) or any(motion["turn"])
    return moving_of(shape, motion) if is_moving else shape.at(pose_of(motion))


def pairs_in(
    case: dict[str, Any], robot: Any, model: Model, path: Any, obstacles: dict[str, Any]
) -> list[Any]:
    """What must not touch what, as the referee has it."""
    parts = parts_of(model, path)
    pairs = [(part, part_of(name, thing)) for part in parts for name, thing in obstacles.items()]
    if case["self_contact"]:
        named = {part.name: part for part in parts}
        pairs += [(named[a], named[b]) for a, b in robot.self_pairs]
    return pairs


def extent_of(pairs: list[Any]) -> float:
    """How large all coordinates are."""
    times, which = np.array([0.0, 1.0]), np.zeros(2, int)
    parts = [part for pair in pairs for part in pair]
    places = [
        float(np.abs(part.place(which, times)[:, :3, 3]).max()) + reach_of(part.shape) for part in parts
    ]
    return max(places, default=0.0)


def simpler_robots(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer obstacles, links without children left out, rounder numbers."""
    for i in range(len(case["obstacles"])):
        yield case | {"obstacles": case["obstacles"][:i] + case["obstacles"][i + 1 :]}
    if len(case["joints"]) > 1:
        q = [one[:-1] for one in case["q"]]
        yield case | {"joints": case["joints"][:-1], "links": case["links"][:-1], "q": q}
    yield from rounder(case)
