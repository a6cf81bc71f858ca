"""Fields among a robot's obstacles: every shape of the robot goes as a rigid body of its own.

A pair of a shape and a field has a number as other pairs have, after all of them. Closed meshes are solid: a
part of a field's shape that is inside one at the start is in contact then, and what begins outside has to
come through the surface, and is found there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import N_COUNTS
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.articulated.model.contact_rules import pair_rules
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of, tree_of
from firstcontact.articulated.paths.link_trajectory import link_trajectory
from firstcontact.articulated.paths.path_types import PathsFound
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.motions.poses_then import poses_then
from firstcontact.motions.smooth import motion_following
from firstcontact.queries.kinds.field_clearance import Least, check_far, least_to_field, one_row
from firstcontact.queries.kinds.field_first import as_field, field_found, pose_body_and_field
from firstcontact.queries.kinds.rigid_clearance import measured_then
from firstcontact.queries.kinds.signed_pair import hull_of
from firstcontact.rigid.fields.enclosed_field import may_enclose
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, shape_of

# What is inside a closed mesh is at no distance.
NOTHING_LEFT = Least(0.0, 0.0, 0.0, False, np.zeros(N_COUNTS))


class FieldPair(NamedTuple):
    """A shape of the robot, by its number among the pieces, the name of a field, and how they are padded."""

    piece: int
    name: str
    padding: float


class Near(NamedTuple):
    """How near n paths come to fields: bounds of the distance, when, and the pair's number; -1 for none."""

    upper: Array
    lower: Array
    time: Array
    pair: NDArray[np.intp]


def field_pairs(world: WorldMotions) -> list[FieldPair]:
    """All pairs of a shape of the robot and a field that may not touch."""
    names = field_names(world)
    if not names:
        return []
    robot = robot_of(world.things.robot)
    links = [part.link for part in robot.parts]
    found = pair_rules(robot.rules, links, names, np.zeros(len(names)))
    return [
        FieldPair(i, name, float(found.paddings[i, k]))
        for k, name in enumerate(names)
        for i in range(len(links) - 1, -1, -1)
        if not found.may_touch[i, k]
    ]


def field_names(world: WorldMotions) -> list[str]:
    """Names of the obstacles that are fields."""
    return [name for name, thing in world.things.obstacles.items() if thing.kind is Kind.FIELD]


def solid_shape(world: WorldMotions, k: int) -> Shape:
    """A shape of the world as the searches have it: a mesh that is as good as convex is its hull."""
    shape = world.pieces[k].shape
    if shape.kind is not Kind.MESH or world.geometries.meshes[k] >= 0:
        return shape
    return hull_of(shape)


def firsts_with_fields(world: WorldMotions, options: Options, found: PathsFound) -> PathsFound:
    """Note contacts with fields that are earlier than what was found; any, where no first one is asked for.

    A search that has to give up has a contact where it ended.
    """
    for number, pair in enumerate(field_pairs(world), len(world.pairs)):
        paths = np.flatnonzero(found.times > 0.0 if options.is_first else found.pairs < 0)
        if len(paths) == 0:
            break
        link, field = _both(world, pair, paths)
        ask = Ask(options.tolerance, options.min_separation + pair.padding)
        times = field_found(pose_body_and_field(link, field, ask), ask).time
        times = np.where(_are_inside(link, field, len(paths)), 0.0, times)
        is_earlier = times < found.times[paths]
        found.times[paths[is_earlier]] = times[is_earlier]
        found.pairs[paths[is_earlier]] = number
    return found


def nearest_to_fields(world: WorldMotions, ask: Ask, known: Array) -> Near:
    """Find how near paths come to fields, unless that is farther than what is known of them."""
    n = len(known)
    near = Near(known.copy(), np.full(n, np.inf), np.zeros(n), np.full(n, -1, np.intp))
    for number, pair in enumerate(field_pairs(world), len(world.pairs)):
        check_far(world.things.obstacles[pair.name], pair.name)
        paths = np.flatnonzero(near.upper > 0.0)
        if len(paths) == 0:
            break
        link, field = _both(world, pair, paths)
        is_inside = _are_inside(link, field, len(paths))
        for k, path in enumerate(paths.tolist()):
            one, other = one_row(link, k), one_row(field, k)
            known_here = float(near.upper[path]) + pair.padding
            least = NOTHING_LEFT if is_inside[k] else least_to_field(one, other, ask, known_here)
            lower, upper = (max(x - pair.padding, 0.0) for x in (least.lower, least.upper))
            near.lower[path] = min(near.lower[path], lower)
            if least.upper < known_here:
                near.upper[path], near.time[path], near.pair[path] = upper, least.time, number
    return near


def measured_field(world: WorldMotions, pair: FieldPair, paths: NDArray[np.intp], times: Array) -> Distance:
    """Distances of a shape of the robot and a field on some paths, each at its own time."""
    link, field = _both(world, pair, paths)
    return measured_then(link, field, times, False)


def field_placed(world: WorldMotions, pair: FieldPair, path: int, t: float) -> Moving:
    """A field as it is at a time of a path."""
    thing = world.things.obstacles[pair.name]
    pose = thing.pose(t)
    return shape_of(thing).at(pose[path] if thing.motion.is_batch else pose)


def _both(world: WorldMotions, pair: FieldPair, paths: NDArray[np.intp]) -> tuple[Moving, Moving]:
    """A shape of the robot, and a field, as they move on some paths."""
    robot, field = world.things.robot, world.things.obstacles[pair.name]
    piece, shape, joints = world.pieces[pair.piece], solid_shape(world, pair.piece), joint_motion(robot)
    if piece.frame < 0:
        link = shape.at(piece.pose)
    else:
        way = link_trajectory(tree_of(robot), joints, piece.frame, piece.pose)
        link = Moving(shape, motion_following(way, shape.reach))
    one, other = (Moving(x.shape, x.rigid.chosen(paths, True)) for x in (link, field))
    return one, other


def _are_inside(link: Moving, field: Moving, n: int) -> NDArray[np.bool_]:
    """Which of n fields have a part that is inside a closed mesh at the start?"""
    is_inside = np.zeros(n, np.bool_)
    if link.kind is not Kind.MESH or link.shape.is_cloud or not is_closed(link.surface):
        return is_inside
    shape, starts = as_field(field.shape), np.zeros(n)
    poses = np.linalg.inv(poses_then(link.rigid, starts)) @ poses_then(field.rigid, starts)
    for k in range(n):
        is_inside[k] = may_enclose(link.surface, shape, poses[k])
    return is_inside
