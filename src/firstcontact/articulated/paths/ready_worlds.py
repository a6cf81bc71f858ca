"""Kept worlds that are ready for one call of compiled code, and how they are told by what a user gives."""

from operator import is_
from typing import Any, NamedTuple

import numpy as np

from firstcontact._turns import Turns
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of, tree_of
from firstcontact.articulated.paths.kept_worlds import KEPT, N_KEPT, Given, KeptWorld
from firstcontact.articulated.paths.single_path import SingleWorld, single_world
from firstcontact.articulated.paths.world_motions import base_step
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# Under this name a robot has them.
READY = "ready worlds"

_KEEPING = Turns("what is ready for robots")


class ReadyWorld(NamedTuple):
    """A world in arrays; None where what is in it needs another search.

    question, has_base : what was asked, limit and self-contact included; whether the robot's root was placed
    given : the obstacles
    """

    question: tuple[str, float, bool]
    has_base: bool
    given: Given
    world: SingleWorld | None


def ready_world(robot: Moving, obstacles: Any, question: tuple[str, float, bool]) -> ReadyWorld | None:
    """Find a world that was made ready for a question about the same robot and obstacles.

    Or make one ready that was kept: who asks once, or about other obstacles each time, need not wait for it.
    """
    kept, has_base = robot_of(robot).settings, joint_motion(robot).bases is not None
    for one in kept.get(READY, ()):
        if one.question == question and one.has_base is has_base and _is_given(one.given, obstacles):
            found: ReadyWorld = one
            return found
    for world in reversed(kept.get(KEPT, ())):
        key = question[2], has_base, question[1]
        if world.key[:3] == key and _is_given(world.given, obstacles):
            return _made_ready(robot, world, question)
    return None


def _is_given(given: Given, obstacles: Any) -> bool:
    """Are these the obstacles that were given before, unchanged?"""
    if given.scene is not None:
        return obstacles is given.scene and obstacles.revision == given.revision
    things, kind = given.things, type(obstacles)
    if kind is dict:
        is_same = len(obstacles) == len(things) and all(map(is_, obstacles.values(), things.values()))
        return is_same and list(obstacles) == list(things)
    if kind is list or kind is tuple:
        is_same = len(obstacles) == len(things) and all(map(is_, obstacles, things.values()))
        return is_same and list(map(str, range(len(obstacles)))) == list(things)
    if obstacles is None:
        return not things
    return len(things) == 1 and things.get("world") is obstacles


def _made_ready(robot: Moving, kept: KeptWorld, question: tuple[str, float, bool]) -> ReadyWorld:
    """Pack a world, and keep it, in the place of the oldest."""
    has_base, settings, shapes = joint_motion(robot).bases is not None, robot_of(robot).settings, kept.shapes
    is_plain = not shapes.movers and not any(thing.kind is Kind.FIELD for thing in kept.named.values())
    packed = None
    if is_plain and len(shapes.pairs) > 0 and len(shapes.parents) > 0:
        origin, step = np.frombuffer(kept.key[3]), base_step(robot) if has_base else 0.0
        packed = single_world(shapes, tree_of(robot), kept.reach, origin, step)
    ready = ReadyWorld(question, has_base, kept.given, packed)

    def keep() -> None:
        others = settings.get(READY, ())
        settings[READY] = (*others[max(len(others) + 1 - N_KEPT, 0) :], ready)

    _KEEPING.take(keep)
    return ready
