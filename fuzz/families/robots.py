"""Robots on straight paths among obstacles, and with themselves: is what is called free ever not?

The referee puts links where plain kinematics in extended precision say, and looks at so many instants that
what lies between cannot hide a contact. Never late, never missed, within the tolerance at the time.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.robot_path import distances, first_of, straight
from robot_cases import extent_of, moving_in, pairs_in, robot_case, robot_in, simpler_robots

FINEST = 1e-3


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A tree of a few links, some obstacles at rest or moving, and a path."""
    return robot_case(rng)


def check(case: dict[str, Any]) -> str | None:
    """Ask for the first contact and whether the path is free; follow it."""
    robot, model = robot_in(case)
    q0, q1 = (np.array([x for values in one for x in values]) for one in case["q"])
    obstacles = {f"thing {i}": moving_in(thing) for i, thing in enumerate(case["obstacles"])}
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
    return _fault(case, found, free, pairs_in(case, robot, model, straight(q0, q1), obstacles))


def _fault(case: dict[str, Any], found: Any, free: bool, pairs: list[Any]) -> str | None:
    rounding = 1e-11 * extent_of(pairs)
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


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer obstacles, links without children left out, rounder numbers."""
    yield from simpler_robots(case)
