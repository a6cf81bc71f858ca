"""Worlds that are kept with a robot: a planner asks about the same obstacles again and again.

Of obstacles that are those of before but for a few, only these are prepared.
"""

from collections.abc import Mapping
from itertools import starmap
from operator import is_not
from typing import Any, NamedTuple

from firstcontact._turns import Turns
from firstcontact.arrays import Array
from firstcontact.articulated.model.world_shapes import (
    Things,
    WorldShapes,
    joint_motion,
    robot_of,
    world_shapes_of,
)
from firstcontact.articulated.paths.changed_world import Room, changed_world, room_in
from firstcontact.articulated.paths.robot_reach import bounded_obstacles, robot_reach
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape

N_KEPT = 4
_KEEPING = Turns("what is kept with robots")

# Under this name a robot has them.
KEPT = "worlds"


class Setting(NamedTuple):
    """What a world is made with: how far meshes that are convex may bulge, and where places count from."""

    limit: float
    origin: Array


class Given(NamedTuple):
    """Obstacles as they were given, at one moment.

    things : by name
    scene, revision, seen : where they are of a scene, that and what it was like; else None
    is_frozen : whether they are what nobody can change
    """

    things: dict[str, Any]
    scene: Any
    revision: Any
    seen: Any
    is_frozen: bool


class KeptWorld(NamedTuple):
    """A world that was made: what it was made of, how far the robot may reach in it, room for changes."""

    key: tuple[Any, ...]
    given: Given
    named: dict[str, Moving]
    shapes: WorldShapes
    reach: float
    room: Room


def kept_world(
    robot: Moving, obstacles: Any, self_contact: bool, setting: Setting
) -> tuple[Things, WorldShapes]:
    """Make a world, or find or change one that was made of such obstacles before."""
    kept = robot_of(robot).settings
    has_base = joint_motion(robot).bases is not None
    key = self_contact, has_base, setting.limit, setting.origin.tobytes()
    known = [one for one in kept.get(KEPT, ()) if one.key == key and _is_within(robot, one)]
    for one in reversed(known):
        found = _found(one, obstacles, setting)
        if found is not None:
            if found is not one:
                _keep(kept, found, one)
            return Things(robot, found.named, self_contact), found.shapes
    given = _given(obstacles)
    named, reach = bounded_obstacles(robot, {name: as_moving(x) for name, x in given.things.items()})
    things = Things(robot, named, self_contact)
    shapes = world_shapes_of(things, setting.limit, setting.origin)
    if given.is_frozen:
        _keep(kept, KeptWorld(key, given, named, shapes, reach, room_in(shapes)), None)
    return things, shapes


def named_obstacles(obstacles: Any) -> dict[str, Moving]:
    """Obstacles by their names; a lone one is the world, and those of a list go by their places."""
    return {name: as_moving(thing) for name, thing in _given(obstacles).things.items()}


def _is_within(robot: Moving, one: KeptWorld) -> bool:
    return one.reach == float("inf") or robot_reach(robot) <= one.reach


def _given(obstacles: Any) -> Given:
    """What there is now; a lone thing is the world, things of a list go by their places."""
    if hasattr(obstacles, "changed_since"):  # a scene
        revision = obstacles.revision  # before it is looked at: what changes in between is seen next time
        seen, things, _ = obstacles.changed_since(None)
        return Given(things, obstacles, revision, seen, True)
    named = _named(obstacles)
    return Given(named, None, None, None, all(isinstance(x, Moving | Movable) for x in named.values()))


def _named(obstacles: Any) -> dict[str, Any]:
    if obstacles is None:
        return {}
    if isinstance(obstacles, Moving | Movable) or hasattr(obstacles, "faces"):
        return {"world": obstacles}
    if isinstance(obstacles, Mapping):
        return dict(obstacles)
    if isinstance(obstacles, list | tuple):
        return {str(k): thing for k, thing in enumerate(obstacles)}
    what = type(obstacles).__name__
    rule = "a shape, moving or not, a robot, several of them in a list or by name, or a Scene"
    raise TypeError(f"obstacles must be {rule}; received {what}")


def _found(one: KeptWorld, obstacles: Any, setting: Setting) -> KeptWorld | None:
    """A world that was made of these obstacles, or of most of them, and is changed; None if of others."""
    before = one.given
    if hasattr(obstacles, "changed_since"):
        if before.scene is not obstacles:
            return None
        revision = obstacles.revision
        if revision == before.revision:
            return one
        seen, things, are_same = obstacles.changed_since(before.seen)
        if not are_same:
            return None
        given = Given(before.things, obstacles, revision, seen, True)
    else:
        named = _named(obstacles)
        if before.scene is not None or list(named) != list(before.things):
            return None
        is_other = starmap(is_not, zip(named.values(), before.things.values(), strict=True))
        things = {name: named[name] for name, is_new in zip(named, is_other, strict=True) if is_new}
        if not all(isinstance(thing, Moving | Shape) for thing in things.values()):
            return None
        given = Given(named, None, None, None, True)
    if not things:
        return one._replace(given=given) if given.scene is not None else one
    moving = {name: as_moving(thing) for name, thing in things.items()}
    changed = changed_world(one.shapes, moving, setting, one.room)
    return changed and one._replace(given=given, named=one.named | moving, shapes=changed)


def _keep(kept: dict[Any, Any], world: KeptWorld, instead: KeptWorld | None) -> None:
    """Keep a world, in the place of another or of the oldest."""

    def keep() -> None:
        others = [one for one in kept.get(KEPT, ()) if one is not instead]
        kept[KEPT] = (*others[max(len(others) + 1 - N_KEPT, 0) :], world)

    _KEEPING.take(keep)
