"""Robots on straight paths among obstacles that are fields: is what is called free ever not?

The referee is that of the family `robots`, and looks at the shapes that the fields were made of: links where
plain kinematics say, at so many instants that what lies between cannot hide a contact. Never late, never
missed; the clearance's bracket meets the one among the shapes themselves; distances are never more.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.robot_path import first_of, straight
from robot_cases import moving_in, pairs_in, robot_case, robot_in, simpler_robots

SECONDS_A_CASE = 60.0

FINEST, MOST_CELLS = 1e-3, 60_000


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A robot, its path and obstacles; how well fields know these, in units of their sizes."""
    case = robot_case(rng)
    while not case["obstacles"]:
        case = robot_case(rng)
    return case | {"self_contact": False, "of_size": float(rng.choice([0.02, 0.1])), "method": "subdivision"}


def check(case: dict[str, Any]) -> str | None:
    """Ask about fields, and look at the shapes that they are of."""
    robot, model = robot_in(case)
    q0, q1 = (np.array([x for values in one for x in values]) for one in case["q"])
    shapes = {f"thing {i}": moving_in(thing) for i, thing in enumerate(case["obstacles"])}
    if robot.dof == 0:
        return None
    try:
        fields = {name: _field_of(thing, case["of_size"]) for name, thing in shapes.items()}
    except ValueError as error:
        return None if "max_cells" in str(error) or "field" in str(error) else f"refused: {error}"
    moving, options = robot.moving(q0, q1), {"tolerance": case["tolerance"]}
    found = fc.first_contact(moving, fields, **options)
    free = fc.is_free(moving, fields, **options)
    many = fc.first_contacts(robot.moving([q0, q1], [q1, q0]), fields, **options)
    if many.time[0] != found.time:
        return f"alone at {found.time}, in a batch at {many.time[0]}"
    if free != (found.time == np.inf):
        return f"is_free is {free}, and the first contact at {found.time}"
    until = min(found.time, 1.0)
    truth, _ = first_of(pairs_in(case, robot, model, straight(q0, q1), shapes), 1, 0.0, until, FINEST)
    witness = float(truth.witness[0])
    if witness <= until and until > 0.0 and witness < np.inf:
        return f"the time is {found.time}, and a contact at {witness}"
    return _near_fault(robot, (q0, q1), fields, shapes)


def _field_of(thing: Any, of_size: float) -> Any:
    """An obstacle as a field, in the same motion."""
    size = float(np.ptp(thing.shape.bounds, axis=0).max())
    field = fc.DistanceField.of(thing.shape, of_size * size, margin=0.5 * size, max_cells=MOST_CELLS)
    return fc.Moving(field, thing.motion)


def _near_fault(robot: Any, ends: tuple[Any, Any], fields: Any, shapes: Any) -> str | None:
    """Compare distances at the start, and clearances, with those among the shapes."""
    start = {name: fc.Moving(x.shape, x.shape.at(x.pose(0.0)).motion) for name, x in fields.items()}
    real = {name: fc.Moving(x.shape, x.shape.at(x.pose(0.0)).motion) for name, x in shapes.items()}
    told, truth = (float(fc.distance(robot.at(ends[0]), things).distance) for things in (start, real))
    if told > truth * (1 + 1e-9):
        return f"the distance is {told}, and in truth {truth}"
    near, least = (fc.clearance(robot.moving(*ends), things) for things in (fields, shapes))
    if near.distance_lower > least.distance * (1 + 1e-9):
        return f"the clearance is at least {near.distance_lower}, and in truth {least.distance}"
    if near.distance < least.distance_lower * (1 - 1e-9):
        return f"the clearance is at most {near.distance}, and in truth {least.distance_lower}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer obstacles, links without children left out, rounder numbers."""
    yield from (one for one in simpler_robots(case) if one["obstacles"])
