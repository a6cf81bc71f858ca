"""One path of a robot, on a base or not, gets the answers of the same question about a batch of one.

Questions about one robot among things at rest are answered in short from the second time on, batches are not:
each is the other's referee, with links and obstacles that may touch, paddings, several pieces, and robots
among the obstacles, whose own links count. No certificate holds in which less than nothing is proven.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import firstcontact as fc
from robot_cases import moving_in, robot_case, robot_in, simpler_robots

ASKED = 3  # times: at length, made ready, in short


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A robot, obstacles that mostly rest, a base, and what may touch what."""
    case = robot_case(rng)
    for obstacle in case["obstacles"]:
        if rng.random() < 0.7:
            obstacle["motion"] |= {"velocity": [0.0] * 3, "turn": [0.0] * 3}
    turn = rng.normal(size=4) if rng.random() < 0.7 else np.array([0.0, 0.0, 0.0, 1.0])
    place = rng.uniform(-1, 1, 3) * rng.choice([0.0, 1.0, 1e4])
    case["base"] = [*place.tolist(), *turn.tolist()] if rng.random() < 0.5 else None
    links = [f"l{i}" for i in range(len(case["links"]))]
    names = [*links, *(f"thing {i}" for i in range(len(case["obstacles"])))]
    case["allow"] = [str(rng.choice(links)), str(rng.choice(names))] if rng.random() < 0.5 else None
    case["pad"] = [str(rng.choice(names)), float(rng.choice([0.0, 0.1]))] if rng.random() < 0.5 else None
    case["twin"] = bool(rng.random() < 0.2)
    case["form"] = str(rng.choice(["dict", "list", "scene"]))
    return case


def check(case: dict[str, Any]) -> str | None:
    """Ask about one, some times, and about a batch of one."""
    robot, _ = robot_in(case)
    if case["allow"] and case["allow"][0] != case["allow"][1]:
        robot = robot.allow(*case["allow"])
    if case["pad"]:
        robot = robot.pad(case["pad"][0], by=case["pad"][1])
    q0, q1 = (np.array([x for values in one for x in values]) for one in case["q"])
    obstacles: Any = {f"thing {i}": moving_in(thing) for i, thing in enumerate(case["obstacles"])}
    if case["twin"]:
        obstacles["twin"] = robot.at(q1, base=[2.0, 0.0, 0.0])
    elif case["form"] == "scene":
        obstacles = fc.Scene(obstacles)
    elif case["form"] == "list":
        obstacles = list(obstacles.values())
    options = {"self_contact": case["self_contact"]}
    base = None if case["base"] is None else np.array(case["base"])
    many = None if base is None else base[np.newaxis]
    ways = robot.moving(q0, q1, base=base), robot.at(q0, base=base), robot.along([q0, q1, q0], base=base)
    batches = robot.moving(q0[np.newaxis], q1, base=many), robot.at(q0[np.newaxis], base=many), None
    for way, batch in zip(ways, batches, strict=True):
        fault = _fault(way, batch, obstacles, options)
        if fault:
            return fault
    proof = fc.first_contact(ways[0], obstacles, **options).certificate
    for wrong in ({"min_separation": -1.0}, {"end": -1.0}, {"solid": False}):
        if replace(proof, **wrong).verify():
            return "a proof of less than nothing holds"
    return None


def _fault(way: Any, batch: Any, obstacles: Any, options: dict[str, Any]) -> str | None:
    known: dict[str, Any] = {}
    if batch is not None:
        known = {"is_free": bool(fc.is_free(batch, obstacles, **options)[0])}
        known["safe_step"] = min(float(fc.first_contacts(batch, obstacles, **options).time[0]), 1.0)
    if way.motion.is_resting and batch is not None:
        known["intersects"] = bool(fc.intersects(batch, obstacles, **options)[0])
    verbs = ("is_free", "safe_step", *(["intersects"] if way.motion.is_resting else []))
    for verb in verbs:
        for k in range(ASKED):
            found = getattr(fc, verb)(way, obstacles, **options)
            if known.setdefault(verb, found) != found:
                return f"{verb} is {found} the {k + 1}. time, and {known[verb]} of a batch or before"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """As other robots; and on no base, with no rules."""
    for name in ("base", "allow", "pad"):
        if case[name] is not None:
            yield case | {name: None}
    for one in simpler_robots(case):
        n = len(one["links"])
        names = [one["allow"][0], one["allow"][1]] if one["allow"] else []
        if all(not name.startswith("l") or int(name[1:]) < n for name in names):
            yield one
