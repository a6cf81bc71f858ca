"""When robots touch something, or themselves, and when they are free again: straight, in legs and on splines.

The referee puts links where plain kinematics in extended precision say, at many times, most of them near the
ends that are told. Outside of all intervals nothing touches; between the inner ends something does, but for
`doubt`; ends are in their order, the first begins where `first_contact` says, and the least distance agrees.
Alone as in a batch. A spline is told as the straight lines that it is made of.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.interpolate import PPoly

import firstcontact as fc
from oracles.robot_path import distances, through
from robot_cases import extent_of, moving_in, pairs_in, robot_case, robot_in, simpler_robots
from spans import fault_of_ends, fault_of_spans

EVENLY = np.linspace(0.0, 1.0, 65)
CLOSER = np.concatenate([[0.0], 2.0 ** -np.arange(8.0, 40.0, 6.0)])
MOST_ENDS = 16


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A robot, obstacles, and a way there, sometimes back again, or along a spline that is straight."""
    return robot_case(rng) | {"way": str(rng.choice(["straight", "and back", "spline"], p=[0.5, 0.25, 0.25]))}


def check(case: dict[str, Any]) -> str | None:
    """Ask, and measure at many times."""
    robot, model = robot_in(case)
    q0, q1 = (np.array([x for values in one for x in values]) for one in case["q"])
    obstacles = {f"thing {i}": moving_in(thing) for i, thing in enumerate(case["obstacles"])}
    if robot.dof == 0 or not (obstacles or robot.self_pairs):
        return None
    has_floating = any(joint["kind"] == "floating" for joint in case["joints"])
    way = "straight" if has_floating and case["way"] == "spline" else case["way"]
    points = [q0, q1, q0] if way == "and back" else [q0, q1]
    options = {name: case[name] for name in ("self_contact", "tolerance")}
    moving = robot.along(points)
    if way == "spline":
        moving = robot.along(PPoly(np.stack([0 * q0, q1 - q0, q0])[:, np.newaxis], [0.0, 1.0]))
    found = fc.contact_intervals(moving, obstacles, **options)
    ends = np.concatenate([found.touch, found.part]).ravel()[:MOST_ENDS]
    near = (ends[:, None] + np.concatenate([-CLOSER, CLOSER])).ravel()
    middles = found.part[:, 0] / 2 + found.touch[:, 1] / 2
    times = np.unique(np.clip(np.concatenate([EVENLY, near, middles]), 0.0, 1.0))
    pairs = pairs_in(case, robot, model, through(points), obstacles)
    which = np.zeros(len(times), int)
    seen = np.min([distances(a, b, which, times) for a, b in pairs], axis=0, initial=np.inf)
    rounding = 1e-11 * extent_of(pairs)
    fault = fault_of_ends(found) or fault_of_spans(found, times, (seen, seen), rounding)
    fault = fault or _told_otherwise(moving, obstacles, options, found)
    return fault and f"{way}: {fault}"


def _told_otherwise(moving: Any, obstacles: Any, options: dict[str, Any], found: Any) -> str | None:
    """Do the first contact and the least distance say the same?"""
    first = fc.first_contact(moving, obstacles, **options)
    if bool(first) != bool(len(found)):
        return f"{found!r}, and the first contact is {first!r}"
    if first.time_upper < found.touch[:1, 0].max(initial=-np.inf):
        return (
            f"a contact is proven at {first.time_upper}, and the first interval begins at {found.touch[0, 0]}"
        )
    near = fc.clearance(moving, obstacles, self_contact=options["self_contact"])
    if near.distance_lower > 0.0 and found.is_proven.any():
        return f"apart by {near.distance_lower}, and in contact at {found.touch[found.is_proven][0]}"
    is_told = ((found.touch[:, 0] <= near.time) & (near.time <= found.part[:, 1])).any()
    return f"at no distance at {near.time}, in no interval" if near.distance == 0.0 and not is_told else None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Straight; fewer obstacles, links without children left out, rounder numbers."""
    if case["way"] != "straight":
        yield case | {"way": "straight"}
    yield from simpler_robots(case)
