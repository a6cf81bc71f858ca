"""One robot among obstacles at rest, in short: as `convexes`, once a question about both was asked at length.

What was made ready for that question is kept with the robot. All that is unusual, or wrong, is left to who
is asked at length: batches, splines, obstacles that move, fields, other methods.
"""

from typing import Any

import numpy as np

from firstcontact.advancement.ask import USUAL, WITH_ITSELF, Ask
from firstcontact.articulated.paths.ready_worlds import ready_world
from firstcontact.articulated.paths.single_path import (
    LEFT,
    NO_BASE,
    find_contact,
    find_contact_of_convexes,
)
from firstcontact.articulated.paths.world_motions import default_tolerance
from firstcontact.queries.in_short.convexes import Things

# Options that the search takes here; the others are for who is asked at length.
SEARCHED = frozenset(("self_contact", "tolerance", "min_separation"))


def intersects_of_robot(_: Any, __: None, b: Any, ___: None, things: Things, ask: Ask) -> bool | None:
    """Does anything touch, in one configuration?"""
    if ask is not USUAL and ask is not WITH_ITSELF:
        return None
    time = _found("intersects", things[0], b, ask, 0.0, (False, True))
    return None if time is None else time < np.inf


def free_of_robot(_: Any, __: None, b: Any, ___: None, things: Things, ask: Ask) -> bool | None:
    """Is one path free?"""
    time = _found("is_free", things[0], b, ask, ask.tolerance, (False, False))
    return None if time is None else time == np.inf


def time_of_robot(_: Any, __: None, b: Any, ___: None, things: Things, ask: Ask) -> float | None:
    """How far along one path does it go?"""
    time = _found("safe_step", things[0], b, ask, ask.tolerance, (True, False))
    return None if time is None else min(time, 1.0)


def _found(
    verb: str, robot: Any, b: Any, ask: Ask, tolerance: float | None, how: tuple[bool, bool]
) -> float | None:
    """When there is a contact: the first, or any; or at an instant. None where that is left to others."""
    motion = robot.motion
    if motion.is_batch or motion.law is not None or (b is None and not ask.self_contact):
        return None
    if ask is not USUAL and ask is not WITH_ITSELF and not SEARCHED.issuperset(ask.given()):
        return None
    near = default_tolerance(robot) if tolerance is None else tolerance
    ready = ready_world(robot, b, (verb, 0.25 * near, ask.self_contact))
    if ready is None or ready.world is None:
        return None
    numbers, links, meshes = ready.world
    way = motion.configurations, motion.times, NO_BASE if motion.bases is None else motion.bases
    asked = near, ask.min_separation, *how
    if meshes is None:
        time = find_contact_of_convexes(numbers, links, way, asked)
    else:
        time = find_contact(numbers, links, meshes, way, asked)
    return None if time == LEFT else time
