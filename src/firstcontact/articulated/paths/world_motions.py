"""A robot, what it may touch, and how all of it moves."""

from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.ask import RELATIVE_TOLERANCE
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.kinematic_tree import KinematicTree
from firstcontact.articulated.model.world_shapes import (
    Geometries,
    Piece,
    Things,
    WorldShapes,
    joint_motion,
    robot_of,
    tree_of,
)
from firstcontact.articulated.paths.frame_rows import frame_rows
from firstcontact.articulated.paths.joint_curves import JointCurves, roundings_of_values
from firstcontact.articulated.paths.joint_deviations import levers_of, write_deviations
from firstcontact.articulated.paths.kept_worlds import Setting, kept_world
from firstcontact.articulated.paths.settled_rows import settle_paths
from firstcontact.bodies.mesh_table import MeshTable
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_motion import N_COLUMNS, POSITION, VELOCITY, RigidMotion
from firstcontact.motions.trajectories.joint_spline import JointSpline
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# Bases within so many times the size of a robot's largest part share what is made ready for them.
NEAR_BASES = 1024.0


class WorldMotions(NamedTuple):
    """All that takes part, and how it moves.

    pieces : shapes with their names
    geometries : the same for compiled code
    meshes : those that are not convex; None where there are none
    parents : (n_frames,) int32
    pairs : (n_pairs, 3) int32, two shapes and the last frame that carries both, -1 for the world
    rows : (n, k, n_frames, 26) how each frame moves in its parent's, along each of n paths
    times : (k + 1,)
    roundings : (n,) bounds of what rounding may do to any distance at any time
    laws : obstacles that deviate from their rows: how they truly move, by their frames
    origin : (3,) from where places are counted in `geometries` and `rows`: near the robot
    is_batch : whether a batch was asked for
    things : all this as it was given
    robots : robots whose joints deviate from their rows: how they truly move, by their first frames
    levers : (n, n_frames) how far what a frame carries is from its origin, at most, where a robot deviates
    curves : joints that are searched along their polynomials, so that nothing deviates; rows are straight
        lines between the ends of these then, right there alone
    """

    pieces: list[Piece]
    geometries: Geometries
    meshes: MeshTable | None
    parents: Ids
    pairs: Ids
    rows: Array
    times: Array
    roundings: Array
    laws: dict[int, RigidMotion]
    origin: Array
    is_batch: bool
    things: Things
    robots: dict[int, tuple[KinematicTree, JointMotion]]
    levers: Array
    curves: JointCurves | None = None

    @property
    def deviates(self) -> bool:
        """Does anything deviate from its rows, or what else a search knows of it?"""
        return bool(self.laws or self.robots) and self.curves is None

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of frames, shapes and pairs."""
        return len(self.parents), len(self.pieces), len(self.pairs)

    def part(self, first: int | None, last: int | None) -> "WorldMotions":
        """Some of the paths."""
        if not first and last == len(self.rows):
            return self
        laws = {frame: motion.chosen(slice(first, last), True) for frame, motion in self.laws.items()}
        span = slice(first, last)
        robots = {frame: (tree, motion.chosen(span, True)) for frame, (tree, motion) in self.robots.items()}
        curves = self.curves and self.curves._replace(coefficients=self.curves.coefficients[span])
        part = self._replace(laws=laws, robots=robots, levers=self.levers[span], curves=curves)
        return part._replace(rows=self.rows[span], roundings=self.roundings[span])

    def refined(self, i: int, times: Array) -> "WorldMotions":
        """One of the paths, from a time on, in finer pieces between times (k + 1,)."""
        which = np.minimum(np.searchsorted(self.times, times[:-1], side="right"), len(self.times) - 1) - 1
        one, roundings = self.part(i, i + 1), np.empty(1)
        rows = one.rows[:, which]
        for frame, motion in one.laws.items():
            rows[0, :, frame] = motion.refined(np.zeros(1, np.intp), times[np.newaxis])[0]
            rows[0, :, frame, POSITION:VELOCITY] -= self.origin
        for frame, (tree, joints) in one.robots.items():
            own = frame_rows(tree, joints.refined(times))
            own[:, :, tree.parents < 0, POSITION:VELOCITY] -= self.origin
            rows[:, :, frame : frame + own.shape[2]] = own
        if one.robots:
            write_deviations(one._replace(rows=rows), times)
        settle_paths(rows, self.parents, self.geometries.attachments, np.zeros(3), roundings)
        return one._replace(rows=rows, times=times, roundings=one.roundings + roundings, curves=None)


def world_of(
    robot: Moving, obstacles: Any, self_contact: bool, tolerance: float | None, along_curves: bool = False
) -> WorldMotions:
    """Gather a robot, obstacles of any kind, and the pairs of them that can touch.

    along_curves : whether joints are to be searched along their polynomials, where nothing else deviates
    """
    own, tree, origin = joint_motion(robot), tree_of(robot), _origin_of(robot)
    limit = 0.25 * (default_tolerance(robot) if tolerance is None else tolerance)
    things, world_shapes = kept_world(robot, obstacles, self_contact, Setting(limit, origin))
    laws, robots = _laws(world_shapes), _robots(own, tree, world_shapes)
    law, curves = own.law, None
    if along_curves and law is not None and len(robots) == 1 and not laws:
        own = own.refined(law.breaks)
        curves = JointCurves(law.breaks, law.coefficients, tree.frames, world_shapes.parents, origin)
    rows, times, is_batch = _all_rows(own, frame_rows(tree, own), world_shapes)
    roundings = np.empty(len(rows))
    settle_paths(rows, world_shapes.parents, world_shapes.geometries.attachments, origin, roundings)
    levers = np.zeros((len(rows), len(world_shapes.parents)))
    world = WorldMotions(
        *world_shapes[:5], rows, times, roundings, laws, origin, is_batch, things, robots, levers
    )
    if curves is not None:
        return _curved(world, curves)
    if not robots:
        return world
    world = world._replace(levers=levers_of(world))
    write_deviations(world, times)
    return world


def _origin_of(robot: Moving) -> Array:
    """A place near a robot, from where all places are counted; near bases have the same one."""
    motion, origins = joint_motion(robot), robot_of(robot).tree.frames.origins
    if motion.bases is None:
        return origins[0, POSITION:].copy() if len(origins) > 0 else np.zeros(3)
    if len(motion.bases) == 0:
        return np.zeros(3)
    step = base_step(robot)
    place: Array = np.round(motion.bases[0, :3, 3] / step) * step
    return place


def base_step(robot: Moving) -> float:
    """How far apart the places are from which those near a robot's base are counted."""
    return NEAR_BASES * max(robot_of(robot).part_size, SHORTEST)


def in_chords(world: WorldMotions, tolerance: float) -> WorldMotions:
    """The same world with joints that go straight between times, and deviate: as for a certificate."""
    if world.curves is None:
        return world
    things = world.things
    return world_of(things.robot, things.obstacles, things.self_contact, tolerance)


def _curved(world: WorldMotions, curves: JointCurves) -> WorldMotions:
    """A world whose robot is searched along its polynomials."""
    n = len(world.rows)
    if len(curves.coefficients) < n:  # one path among a batch of obstacles
        many = np.ascontiguousarray(np.broadcast_to(curves.coefficients, (n, *curves.coefficients.shape[1:])))
        curves = curves._replace(coefficients=many)
    # The bound of rounding is that of all lengths, times this at the least.
    sizes = world.roundings / (2.0 * MEASURED)
    law = JointSpline(curves.breaks, curves.coefficients)
    more = roundings_of_values(law, curves.frames, sizes)
    return world._replace(roundings=world.roundings + more, curves=curves)


def _robots(
    own: JointMotion, tree: KinematicTree, world_shapes: WorldShapes
) -> dict[int, tuple[KinematicTree, JointMotion]]:
    """Robots whose joints go along splines."""
    found = {0: (tree, own)} if own.law is not None else {}
    for actor in world_shapes.movers:
        if actor.thing.kind is Kind.ROBOT and joint_motion(actor.thing).law is not None:
            found[actor.first_frame] = tree_of(actor.thing), joint_motion(actor.thing)
    return found


def _laws(world_shapes: WorldShapes) -> dict[int, RigidMotion]:
    others = [actor for actor in world_shapes.movers if actor.pieces and actor.thing.kind is not Kind.ROBOT]
    motions = {actor.first_frame: actor.thing.rigid for actor in others}
    return {frame: motion for frame, motion in motions.items() if motion.law is not None}


def default_tolerance(robot: Moving) -> float:
    """A millionth of the robot's largest part's size."""
    return RELATIVE_TOLERANCE * robot_of(robot).part_size


def _all_rows(own: JointMotion, rows: Array, world_shapes: WorldShapes) -> tuple[Array, Array, bool]:
    """Motions of all frames, in pieces in which none of them changes; `rows` are those of the robot."""
    others = [actor for actor in world_shapes.movers if actor.pieces]
    motions: list[Any] = [own, *(actor.thing.motion for actor in others)]
    fields = [actor.thing.motion for actor in world_shapes.movers if actor.thing.kind is Kind.FIELD]
    sizes = {len(motion) for motion in [*motions, *fields] if motion.is_batch}
    if len(sizes) > 1:
        raise ValueError(f"batches must have the same length; received {sorted(sizes)}")
    is_batch, n = bool(sizes), sizes.pop() if sizes else 1
    if not others:
        whole = rows if len(rows) == n else np.repeat(rows, n, axis=0)
        return whole, own.times.copy(), is_batch  # an array that can be written to is another type
    times = np.unique(np.concatenate([motion.times for motion in motions]))
    found = np.zeros((n, len(times) - 1, len(world_shapes.parents), N_COLUMNS))
    for actor, motion in zip([world_shapes.actors[0], *others], motions, strict=True):
        which = np.searchsorted(motion.times, times[:-1], side="right") - 1
        if motion is own and motion.law is None:
            found[:, :, : rows.shape[2]] = rows[:, which]
        elif actor.thing.kind is Kind.ROBOT:
            one = frame_rows(tree_of(actor.thing), motion.refined(times))
            chosen = one[:, which] if motion.law is None else one
            found[:, :, actor.first_frame : actor.first_frame + one.shape[2]] = chosen
        else:
            rows_of = motion.rows()[:, which] if motion.law is None else _law_rows(motion, times)
            found[:, :, actor.first_frame] = rows_of
    return found, times, is_batch


def _law_rows(motion: RigidMotion, times: Array) -> Array:
    """Pieces (n, k, N_COLUMNS) between times (k + 1,) of what deviates from them."""
    return motion.refined(np.arange(len(motion)), np.tile(times, (len(motion), 1)))
