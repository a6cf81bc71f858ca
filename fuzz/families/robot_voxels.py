"""Robots among voxels, of which they may begin inside, or which a link may hold.

The referee is a robot among as many boxes: every cell an obstacle of its own, a convex shape. Who is told to
be free, in contact, or so near must be the same, to the tolerance.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from robot_cases import robot_case, robot_in, simpler_robots
from shrinking import fewer_and_rounder

# Of all lengths: what rounding may do to a distance, many joints along.
ROUNDING = 1e-10

SECONDS_A_CASE = 30


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A robot, its path, and cells: large ones, which hold links, or small ones, which links hold."""
    n, reach = int(rng.integers(1, 40)), int(rng.integers(1, 6))
    return robot_case(rng) | {
        "obstacles": [],
        "cells": rng.integers(-reach, reach, (n, 3)).tolist(),
        "part": float(rng.choice([0.05, 0.2, 0.5, 2.0])),
        "shift": rng.uniform(-1, 1, 3).tolist(),
        "separation": float(rng.choice([0.0, 0.0, 0.05])),
        "on_grid": bool(rng.random() < 0.3),
    }


def check(case: dict[str, Any]) -> str | None:
    """Compare voxels with as many boxes, along the path and where it begins."""
    robot, _ = robot_in(case)
    unit = max(float(np.ptp(part.shape.bounds, axis=0).max()) for part in robot.parts)
    if robot.dof == 0 or not case["cells"] or unit == 0.0:
        return None
    size, shift = case["part"] * unit, np.round(case["shift"]) if case["on_grid"] else case["shift"]
    grid = fc.Voxels(np.array(case["cells"], int), size, size * np.asarray(shift))
    cube = fc.Box(np.full(3, grid.size))
    boxes = {f"{i}": cube.at((np.eye(3), grid.corner(cell + 0.5))) for i, cell in enumerate(grid.cells)}
    q = [np.array([x for values in one for x in values]) for one in case["q"]]
    return _moving(case, robot.moving(*q), (grid, boxes), unit) or _resting(
        robot.at(q[0]), (grid, boxes), unit
    )


def _moving(case: dict[str, Any], path: Any, things: Any, unit: float) -> str | None:
    options = {
        "method": case["method"],
        "tolerance": case["tolerance"],
        "min_separation": case["separation"] * unit,
    }
    found, truth = (fc.first_contact(path, thing, **options) for thing in things)
    free, all_free = (fc.is_free(path, thing, **options) for thing in things)
    for names, one, other in (("cells", found, truth), ("boxes", truth, found)):
        if one.time > other.time_upper:
            return f"among {names} a contact at {other.time_upper} or before is told at {one.time}"
    certain = min(found.time_upper, truth.time_upper)
    if (free or all_free) and certain < np.inf:
        return f"a path is free, and a contact on it is certain at {certain}"
    near, all_near = (fc.clearance(path, thing) for thing in things)
    slack = ROUNDING * (unit + float(np.abs(things[0].bounds).max()))
    if near.distance_lower > all_near.distance + slack or all_near.distance_lower > near.distance + slack:
        return f"cells are {near.distance_lower} to {near.distance} away, boxes {all_near.distance}"
    return None


def _resting(robot: Any, things: Any, unit: float) -> str | None:
    found, truth = (fc.distance(robot, thing).distance for thing in things)
    slack = ROUNDING * (unit + float(np.abs(things[0].bounds).max()))
    if abs(found - truth) > slack:
        return f"cells are {found} away, and boxes {truth}"
    touches = fc.intersects(robot, things[0])
    if touches and truth > slack:
        return f"cells touch that are {truth} away"
    if not touches and truth == 0.0 and found > 0.0:
        return "cells do not touch, and boxes do"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer cells; fewer links."""
    for fewer in fewer_and_rounder({"cells": case["cells"]}):
        yield case | fewer
    yield from simpler_robots(case)
