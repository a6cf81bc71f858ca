"""A question about one configuration or path of a robot gets the same answer however often it was asked.

What was prepared for obstacles is kept with the robot, and single questions are answered from it in short.
The referee is a robot made anew, which has nothing kept, asked about a batch of one where that can be.
Obstacles of all kinds, alone, in lists, by name and in scenes, which change between questions; bases, rules,
options, and other verbs that were asked before.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

import firstcontact as fc
from robot_cases import robot_case, robot_in, simpler_robots
from shrinking import fewer_and_rounder
from things import cloud_in, convex_in, grid_in, pose_in, pose_of, shape_in, shape_of

Data = dict[str, Any]

SECONDS_A_CASE = 60.0

HOLDERS = ("alone", "list", "tuple", "dict", "scene")
KINDS = ("shape", "shape", "shape", "compound", "voxels", "half", "cloud", "robot", "moving", "field")

BEFORE = ("distance", "first_contact", "near", "penetration", "clearance")
STEPS = ("move", "reshape", "remove", "add", "path", "rule", "none")

# So often is a question asked of the same robot: at length, as it is made ready, and from what is ready.
TIMES_ASKED = 3


def make(rng: np.random.Generator) -> Data:
    """A robot, obstacles of several kinds, and what to do one after the other."""
    case, holder = robot_case(rng), str(rng.choice(HOLDERS))
    kinds = [kind for kind in KINDS if kind != "robot" or holder != "scene"]
    things = [_thing_in(rng, kinds) for _ in range(int(rng.integers(1, 4)))]
    steps = [_step_in(rng, kinds) for _ in range(int(rng.integers(2, 6)))]
    options: Data = {}
    if rng.random() < 0.3:
        options["tolerance"] = float(rng.choice([1e-6, 1e-3, 0.1]))
    if rng.random() < 0.3:
        options["min_separation"] = float(rng.choice([0.05, 0.3]))
    return case | {
        "obstacles": [],
        "things": things,
        "steps": steps,
        "options": options,
        "rules": [str(rule) for rule in rng.choice(["allow", "pad"], int(rng.integers(0, 2)))],
        "before": str(rng.choice(["", *BEFORE])),
        "holder": holder,
        "base": pose_in(rng, 2.0) if rng.random() < 0.3 else None,
    }


def _thing_in(rng: np.random.Generator, kinds: list[str]) -> Data:
    kind = str(rng.choice(kinds))
    thing: Data = {"sort": kind, "pose": pose_in(rng, 2.0), "to": pose_in(rng, 2.0)}
    if kind in ("compound", "robot"):
        make_one = shape_in if kind == "compound" else convex_in
        return thing | {"parts": [{"shape": make_one(rng), "pose": pose_in(rng, 1.0)} for _ in "ab"]}
    if kind == "voxels":
        cells = np.unique(rng.integers(-1, 2, (int(rng.integers(1, 8)), 3)), axis=0)
        return thing | {"cells": cells.tolist(), "size": 0.4}
    if kind == "half":
        return thing | {"normal": rng.normal(size=3).tolist(), "offset": float(grid_in(rng, (1,))[0])}
    return thing | {"shape": cloud_in(rng) if kind == "cloud" else shape_in(rng)}


def _step_in(rng: np.random.Generator, kinds: list[str]) -> Data:
    numbers = {"which": int(rng.integers(3)), "seed": int(rng.integers(2**31))}
    return numbers | {"do": str(rng.choice(STEPS)), "thing": _thing_in(rng, kinds)}


def thing_of(data: Data) -> Any:
    """The obstacle that is described."""
    kind, pose = data["sort"], pose_of(data["pose"])
    if kind in ("compound", "robot"):
        parts = [shape_of(one["shape"]).at(pose_of(one["pose"])) for one in data["parts"]]
        if kind == "compound":
            return fc.Compound(parts).at(pose)
        joint = fc.Joint("turn", "revolute", "0", "1", axis=[0, 0, 1])
        return fc.Robot({f"{i}": part for i, part in enumerate(parts)}, [joint]).at([0.5])
    if kind == "voxels":
        return fc.Voxels(np.reshape(data["cells"], (-1, 3)).astype(int), data["size"]).at(pose)
    if kind == "half":
        return fc.HalfSpace(data["normal"], data["offset"])
    if kind == "field":
        return fc.DistanceField.of(fc.Sphere(0.7), 0.1).at(pose)
    shape = shape_of(data["shape"])
    return shape.moving(pose, pose_of(data["to"])) if kind == "moving" else shape.at(pose)


def check(case: Data) -> str | None:
    """Ask, change something, and ask again."""
    things = {f"thing {i}": thing_of(one) for i, one in enumerate(case["things"])}
    rules: list[Any] = [(rule, _named(case, 0)) for rule in case["rules"]]
    robot, q = _robot(case, rules), [np.array([x for values in one for x in values]) for one in case["q"]]
    if robot.dof == 0:
        return None
    held = _held(case["holder"], things)
    if case["before"]:
        _asked_before(case, robot, q, held)
    for number, step in enumerate([{"do": "none"}, *case["steps"]]):
        robot, held = _changed(case, robot, held, things, rules, step)
        if step["do"] == "path":
            q = [np.random.default_rng(step["seed"]).normal(size=robot.dof) for _ in "ab"]
        fault = _fault(case, robot, rules, q, held, things)
        if fault:
            return f"after {number} changes, {step['do']} the last: {fault}"
    return None


def _asked_before(case: Data, robot: Any, q: Any, held: Any) -> None:
    """Ask something else at first, by which a world is kept; what is refused is."""
    verb, standing = case["before"], case["before"] in ("distance", "penetration", "near")
    given = {"within": 1.0} if verb == "near" else {}
    posed = robot.at(q[0]) if standing else robot.moving(q[0], q[1])
    with suppress(ValueError, TypeError):
        getattr(fc, verb)(posed, held, self_contact=case["self_contact"], **given)


def _robot(case: Data, rules: Any = ()) -> fc.Robot:
    robot: fc.Robot = robot_in(case)[0]
    for rule, name in rules:
        robot = _ruled(robot, rule, name)
    return robot


def _ruled(robot: fc.Robot, rule: str, name: str) -> fc.Robot:
    ruled: fc.Robot = robot.allow("l1", name) if rule == "allow" else robot.pad(name, by=0.1)
    return ruled


def _named(case: Data, number: int) -> str:
    """How an obstacle is called, by how they are held."""
    if case["holder"] in ("list", "tuple"):
        return f"{number}"
    return "world" if case["holder"] == "alone" else f"thing {number}"


def _held(holder: str, things: Data) -> Any:
    if holder == "alone":
        return next(iter(things.values()), None)
    if holder in ("list", "tuple"):
        return (list if holder == "list" else tuple)(things.values())
    return fc.Scene(things) if holder == "scene" else dict(things)


def _changed(case: Data, robot: Any, held: Any, things: Any, rules: Any, step: Data) -> tuple[Any, Any]:
    """Change what is held, in its own place where that can be, and `things` alike; or what may touch."""
    do, names = step["do"], list(things)
    if do == "rule":
        rules.append(("allow" if step["seed"] % 2 else "pad", _named(case, 0)))
        return _ruled(robot, *rules[-1]), held
    if do not in ("move", "reshape", "remove", "add") or not names:
        return robot, held
    name, other = names[step["which"] % len(names)], thing_of(step["thing"])
    shape = things[name].shape if isinstance(things[name], fc.Moving) else things[name]
    if do == "move" and not isinstance(shape, fc.Robot | fc.HalfSpace):
        other = shape.at(pose_of(step["thing"]["pose"]))
    elif do == "add":
        name = f"more {step['seed']}"
    if case["holder"] == "scene":
        if do == "remove":
            held.remove(name)
        elif do == "add":
            held.add(name, other)
        else:
            held.update({name: other})
    if do == "remove":
        del things[name]
    else:
        things[name] = other
    if case["holder"] == "dict":
        held.clear()
        held.update(things)
    elif case["holder"] == "list":
        held[:] = things.values()
    return robot, held if case["holder"] in ("scene", "dict", "list") else _held(case["holder"], things)


def _fault(case: Any, robot: Any, rules: Any, q: Any, held: Any, things: Any) -> str | None:
    fresh = _held(case["holder"], things)
    base = {} if case["base"] is None else {"base": pose_of(case["base"])}
    own = {"self_contact": case["self_contact"]}
    options = case["options"] | own
    asked: list[tuple[str, Any, Any]] = [
        ("intersects", own, lambda r, many: r.at(q[0][None] if many else q[0], **base)),
        ("is_free", options, lambda r, many: r.moving(q[0][None] if many else q[0], q[1], **base)),
        ("is_free", options, lambda r, _: r.along([q[0], q[0], q[1]], **base)),
        ("safe_step", options, lambda r, _: r.moving(q[1], q[0], **base)),
    ]
    for verb, given, pose in asked:
        truth = _told(verb, pose(_robot(case, rules), True), fresh, given)
        for number in range(TIMES_ASKED):
            found = _told(verb, pose(robot, False), held, given)
            if found != truth:
                return f"{verb} is {found}, asked {number} times before; anew {truth}"
    return None


def _told(verb: str, robot: Any, obstacles: Any, options: Any) -> Any:
    try:
        found = getattr(fc, verb)(robot, obstacles, **options)
    except (ValueError, TypeError) as fault:
        return str(fault)
    return np.asarray(found).reshape(-1).tolist()


def smaller(case: Data) -> Iterator[Data]:
    """Fewer changes, obstacles and links, rounder numbers."""
    for k in range(len(case["steps"])):
        yield case | {"steps": case["steps"][:k] + case["steps"][k + 1 :]}
    for k in range(len(case["things"]) if len(case["things"]) > 1 else 0):
        yield case | {"things": case["things"][:k] + case["things"][k + 1 :]}
    yield from simpler_robots(case)
    yield from (one for one in fewer_and_rounder(case) if len(one["q"]) == 2)
