"""Rays and points at a robot in one configuration: as at a compound of all its shapes."""

from typing import Any

from firstcontact.advancement.ask import Ask
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of
from firstcontact.proximity.rays.ray_hits import Hits
from firstcontact.queries.kinds.compound_alone import points_at_compound, rays_at_compound
from firstcontact.queries.ray_cast import RayBatch
from firstcontact.queries.signed_distance import PointBatch
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.moving import Moving


def rays_at_robot(thing: Moving, batch: RayBatch, ask: Ask) -> Hits:
    """Cast rays at a robot."""
    return rays_at_compound(_standing("ray_cast", thing), batch, ask)


def points_at_robot(thing: Moving, batch: PointBatch, ask: Ask) -> Any:
    """Measure points against a robot."""
    return points_at_compound(_standing("signed_distance", thing), batch, ask)


def _standing(verb: str, thing: Moving) -> Moving:
    """A robot at rest, in one configuration, as a compound."""
    motion = joint_motion(thing)
    if not motion.is_resting:
        raise ValueError(f"{verb} is for one instant, and the robot moves: use robot.at(q)")
    if motion.is_batch:
        raise ValueError(f"{verb} takes one configuration of a robot; received a batch of {len(motion)}")
    return as_moving(robot_of(thing).compound(motion.configuration(0.0), base=motion.base))
