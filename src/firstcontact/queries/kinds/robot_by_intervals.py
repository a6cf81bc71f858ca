"""Robots by intervals of time: every shape goes as a rigid body of its own, along the chain that carries it.

Pairs are looked at one after the other, each over all paths that are left. A shape moves in pieces with a
deviation, since frames that turn in others do not turn at a constant rate: finer ones where that decides.
"""

from functools import partial
from typing import cast

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.answers.contact_results import AdvancementStats, FirstContacts
from firstcontact.articulated.model.world_shapes import joint_motion, tree_of
from firstcontact.articulated.paths.link_trajectory import link_trajectory
from firstcontact.articulated.paths.path_types import LOOKED_AT, N_COUNTS, PLACED, PathsFound
from firstcontact.articulated.paths.refined_paths import inside_pairs
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.motions.smooth import motion_following
from firstcontact.queries.kinds.rigid import INTERVAL
from firstcontact.queries.kinds.robot_fields import solid_shape
from firstcontact.queries.look_up import answer
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving


def paths_by_intervals(world: WorldMotions, options: Options) -> PathsFound:
    """Find contacts of all paths: the first ones, or any, where no first one is asked for."""
    pairs = inside_pairs(world).astype(np.int32)
    found = PathsFound(pairs, np.where(pairs >= 0, 0.0, np.inf), np.zeros((len(pairs), N_COUNTS), np.int64))
    for number, (i, j) in enumerate(world.pairs[:, :2].tolist()):
        paths = np.flatnonzero(found.times > 0.0 if options.is_first else found.pairs < 0)
        if len(paths) == 0:
            break
        moves = (_along(world, k) for k in (i, j))
        a, b = (Moving(thing.shape, thing.rigid.chosen(paths, True)) for thing in moves)
        separation = options.min_separation + float(world.geometries.paddings[number])
        ask = Ask(options.tolerance, separation, INTERVAL)
        firsts: FirstContacts = answer("first_contacts", a, b, ask)
        stats = cast("AdvancementStats", firsts.stats)
        # Two that stand still are asked about once, for all paths.
        times, looks = (np.broadcast_to(x, len(paths)) for x in (firsts.time, stats.iterations))
        found.counts[paths, LOOKED_AT] += 1
        found.counts[paths, PLACED] += looks
        is_earlier = times < found.times[paths]
        found.times[paths[is_earlier]] = times[is_earlier]
        found.pairs[paths[is_earlier]] = number
    return found


def _along(world: WorldMotions, k: int) -> Moving:
    """A shape of the world as it moves along all paths."""
    piece, shape = world.pieces[k], solid_shape(world, k)
    if piece.frame < 0:
        return shape.at(piece.pose)
    first = 0
    for thing in (world.things.robot, *world.things.obstacles.values()):
        n_frames = _n_frames(thing)
        if piece.frame < first + n_frames:
            break
        first += n_frames
    if thing.kind is not Kind.ROBOT:
        return Moving(shape, thing.rigid)
    follow = partial(link_trajectory, tree_of(thing), joint_motion(thing))
    return Moving(shape, motion_following(follow(piece.frame - first, piece.pose), shape.reach))


def _n_frames(thing: Moving) -> int:
    """How many frames a thing has in the world."""
    if thing.kind is Kind.ROBOT:
        return len(tree_of(thing).parents)
    if thing.kind is Kind.FIELD or is_empty(thing.shape):
        return 0
    return 0 if thing.rigid.is_resting and not thing.rigid.is_batch else 1
