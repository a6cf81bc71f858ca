"""Robots and obstacles as compiled code sees them: shapes that hang on a forest of frames."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.articulated.kinematic_tree import frame_rows
from firstcontact.articulated.mesh_table import MeshTable, mesh_table
from firstcontact.articulated.outline import outline_of
from firstcontact.articulated.robot import Robot
from firstcontact.articulated.spots import (
    BALL,
    BOX_HALF,
    BOX_MIDDLE,
    FIXED_PLACE,
    FIXED_TURN,
    FRAME,
    HOLLOW,
    N_FIXTURE,
)
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_motion import (
    AXIS,
    CENTER,
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    START_TIME,
    VELOCITY,
    RigidMotion,
)
from firstcontact.proximity.convex_mesh_volume import bounding_volumes
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.shapes.convex import ORIGIN, RADIUS, REACH, ConvexTable, joined
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape

Array = NDArray[np.float64]
Ids = NDArray[np.int32]


# Rounding that each joint adds, in units of the lengths involved.
PER_JOINT = 64.0 * UNIT_ROUNDOFF

# And what it does to a place that is counted from another, in units of the coordinates of both.
ON_SHIFT = 4.0 * UNIT_ROUNDOFF


class Piece(NamedTuple):
    """A shape that hangs on a frame, -1 for the world, in a pose (4, 4); and what it is a part of."""

    name: str
    shape: Shape
    frame: int
    pose: Array


class Geometries(NamedTuple):
    """Shapes for compiled code; those of meshes are outlines.

    records, pool : as in `ConvexTable`
    volumes : (m, 16) what holds each shape
    fixtures : (m, N_FIXTURE) where each hangs, and the box and the ball around it: see spots.py
    meshes : (m,) int32, number of the mesh; -1 where the shape is all there is
    """

    records: Array
    pool: Array
    volumes: Array
    fixtures: Array
    meshes: Ids


class Arena(NamedTuple):
    """All that takes part, and how it moves.

    pieces : shapes with their names
    geometries : the same for compiled code
    meshes : those that are not convex; None where there are none
    parents : (n_frames,) int32
    pairs : (n_pairs, 3) int32, two shapes and the last frame that carries both, -1 for the world
    rows : (n, k, n_frames, 24) how each frame moves in its parent's, along each of n paths
    times : (k + 1,)
    roundings : (n,) bounds of what rounding may do to any distance at any time
    origin : (3,) from where places are counted in `geometries` and `rows`: near the robot
    is_batch : whether a batch was asked for
    """

    pieces: list[Piece]
    geometries: Geometries
    meshes: MeshTable | None
    parents: Ids
    pairs: Ids
    rows: Array
    times: Array
    roundings: Array
    origin: Array
    is_batch: bool

    def part(self, first: int, last: int) -> "Arena":
        """Some of the paths."""
        return self._replace(rows=self.rows[first:last], roundings=self.roundings[first:last])


class Actor(NamedTuple):
    """A robot or an obstacle with a name, the first of its frames, and its pieces."""

    thing: Moving
    name: str
    first_frame: int
    pieces: list[int]


def arena_of(robot: Moving, obstacles: Any, self_contact: bool, tolerance: float | None) -> Arena:
    """Gather a robot, obstacles of any kind, and the pairs of them that can touch."""
    things = [("", robot), *_obstacles(obstacles).items()]
    pieces: list[Piece] = []
    parents: list[int] = []
    actors = [_enter(name, thing, pieces, parents) for name, thing in things]
    limit = 0.25 * (default_tolerance(actors[0].thing) if tolerance is None else tolerance)
    ids = np.array(parents, np.int32)
    pairs = _pairs(actors, pieces, ids, self_contact)
    rows, times, is_batch = _rows(actors, len(parents))
    origin = _origin(pieces, ids, rows)
    far = np.abs(origin).sum() + np.abs(rows[:, :, ids < 0, POSITION:VELOCITY]).max(
        axis=(1, 2, 3), initial=0.0
    )
    rows[:, :, ids < 0, POSITION:VELOCITY] -= origin
    geometries, meshes = _geometries(pieces, limit, origin)
    roundings = _roundings(geometries, ids, rows) + ON_SHIFT * far
    return Arena(pieces, geometries, meshes, ids, pairs, rows, times, roundings, origin, is_batch)


def default_tolerance(robot: Moving) -> float:
    """A millionth of the robot's largest part's size."""
    parts = _robot(robot).parts
    sizes = [float(np.linalg.norm(part.shape.bounds[1] - part.shape.bounds[0])) for part in parts]
    return 1e-6 * max(sizes, default=0.0)


def _robot(thing: Moving) -> Robot:
    robot: Any = thing.shape
    if not isinstance(robot, Robot):
        raise TypeError("not a robot")
    return robot


def is_robot(thing: Any) -> bool:
    """Is this a robot in a configuration, or on its way?"""
    return isinstance(thing, Moving) and isinstance(thing.motion, JointMotion)


def _obstacles(obstacles: Any) -> dict[str, Moving]:
    """Obstacles by their names; a lone one is the world."""
    if obstacles is None:
        return {}
    if isinstance(obstacles, Moving | Shape) or hasattr(obstacles, "faces"):
        named: dict[str, Any] = {"world": obstacles}
    elif isinstance(obstacles, Mapping) or (
        hasattr(obstacles, "names") and hasattr(obstacles, "__getitem__")
    ):
        named = {name: obstacles[name] for name in obstacles}
    else:
        what = type(obstacles).__name__
        raise TypeError(f"obstacles must be a shape, moving or not, a robot or a Scene; received {what}")
    return {name: as_moving(thing) for name, thing in named.items()}


def _enter(name: str, thing: Moving, pieces: list[Piece], parents: list[int]) -> Actor:
    """Give a thing frames and pieces."""
    first_frame, first_piece = len(parents), len(pieces)
    if is_robot(thing):
        robot = _robot(thing)
        tree, prefix = robot.tree, f"{name}/" if name else ""
        parents.extend(int(parent) + first_frame if parent >= 0 else -1 for parent in tree.parents)
        for part in robot.parts:
            frame = tree.link_frames[part.link]
            pose = tree.link_offsets[part.link] @ part.pose
            where = frame + first_frame if frame >= 0 else -1
            pieces.append(Piece(prefix + part.link, part.shape, where, pose))
    else:
        if isinstance(thing.motion, Deformation):
            raise TypeError(f"obstacle {name!r} deforms: a robot's obstacles must be rigid")
        if not (isinstance(thing.shape, Mesh) and thing.shape.n_faces == 0):
            _enter_rigid(name, thing, pieces, parents)
    return Actor(thing, name, first_frame, list(range(first_piece, len(pieces))))


def _enter_rigid(name: str, thing: Moving, pieces: list[Piece], parents: list[int]) -> None:
    motion = thing.motion
    is_still = isinstance(motion, RigidMotion) and motion.is_resting and not motion.is_batch
    pose = motion.pose(0.0) if is_still and isinstance(motion, RigidMotion) else np.eye(4)
    pieces.append(Piece(name, thing.shape, -1 if is_still else len(parents), pose))
    if not is_still:
        parents.append(-1)


def _origin(pieces: Sequence[Piece], parents: Ids, rows: Array) -> Array:
    """A place near the robot: what is far away costs digits."""
    if len(parents) > 0 and rows.size > 0:
        return rows[0, 0, 0, POSITION:VELOCITY].copy()
    return pieces[0].pose[:3, 3].copy() if pieces else np.zeros(3)


def _geometries(pieces: Sequence[Piece], limit: float, origin: Array) -> tuple[Geometries, MeshTable | None]:
    """Tables of all shapes; meshes that bulge by more than a limit are there as such, too."""
    tables, fixtures = [], np.zeros((len(pieces), N_FIXTURE))
    meshes: list[Mesh] = []
    mesh_ids, known = np.full(len(pieces), -1, np.int32), dict[int, int]()
    for i, piece in enumerate(pieces):
        tables.append(_table(piece.shape))
        _write_fixture(fixtures[i], piece, tables[i].records[0], origin)
        if isinstance(piece.shape, Mesh) and outline_of(piece.shape).bulge > limit:
            if id(piece.shape) not in known:
                known[id(piece.shape)] = len(meshes)
                meshes.append(piece.shape)
            mesh_ids[i] = known[id(piece.shape)]
    table = joined(tables) if tables else ConvexTable(np.empty((0, ORIGIN + 3)), np.empty(0))
    found = Geometries(table.records, table.pool, bounding_volumes(table), fixtures, mesh_ids)
    return found, mesh_table(meshes) if meshes else None


def _table(shape: Shape) -> ConvexTable:
    return shape.table if isinstance(shape, ConvexShape) else outline_of(shape).table  # type: ignore[arg-type]


def _write_fixture(row: Array, piece: Piece, record: Array, origin: Array) -> None:
    turn, place = piece.pose[:3, :3], piece.pose[:3, 3] - (origin if piece.frame < 0 else 0.0)
    row[FIXED_TURN:FIXED_PLACE] = turn.reshape(-1)
    row[FIXED_PLACE:BOX_MIDDLE] = turn @ record[ORIGIN:] + place
    lower, upper = piece.shape.bounds - record[ORIGIN:]
    row[BOX_MIDDLE:BOX_HALF] = 0.5 * (lower + upper)
    # The rounding of all this is far below what is taken off every gap.
    row[BOX_HALF:BALL] = 0.5 * (upper - lower)
    ball, middle = np.linalg.norm(row[BOX_HALF:BALL]), np.linalg.norm(row[BOX_MIDDLE:BOX_HALF])
    row[BALL] = min(float(ball), record[REACH] + record[RADIUS] + float(middle))
    row[FRAME] = piece.frame
    row[HOLLOW] = outline_of(piece.shape).hollow if isinstance(piece.shape, Mesh) else 0.0


def _pairs(actors: Sequence[Actor], pieces: Sequence[Piece], parents: Ids, self_contact: bool) -> Ids:
    """Pairs of pieces that can touch, those far along the chain first: they go farthest."""
    pairs: list[tuple[int, int]] = []
    for one in actors[1:]:
        pairs.extend(product(reversed(actors[0].pieces), one.pieces))
    if self_contact:
        pairs.extend(_self_pairs(actors[0], pieces))
    found = [(a, b, _common(pieces[a].frame, pieces[b].frame, parents)) for a, b in pairs]
    # Two that nothing moves between touch always or never: that is for the start to tell.
    return np.array(found, np.int32).reshape(-1, 3)


def _self_pairs(actor: Actor, pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    of_link: dict[str, list[int]] = {}
    for i in actor.pieces:
        of_link.setdefault(pieces[i].name, []).append(i)
    links = reversed(_robot(actor.thing).self_pairs)
    return [pair for a, b in links for pair in product(of_link[b], of_link[a])]


def _common(a: int, b: int, parents: Ids) -> int:
    """The last frame that carries two others."""
    while a != b:
        if a > b:
            a = int(parents[a])
        else:
            b = int(parents[b])
    return a


def _rows(actors: Sequence[Actor], n_frames: int) -> tuple[Array, Array, bool]:
    """Motions of all frames, in pieces in which none of them changes."""
    motions: list[Any] = [actor.thing.motion for actor in actors]
    sizes = {len(motion) for motion in motions if motion.is_batch}
    if len(sizes) > 1:
        raise ValueError(f"batches must have the same length; received {sorted(sizes)}")
    n = sizes.pop() if sizes else 1
    times = np.unique(np.concatenate([motion.times for motion in motions]))
    rows = np.zeros((n, len(times) - 1, n_frames, N_COLUMNS))
    for actor, motion in zip(actors, motions, strict=True):
        which = np.searchsorted(motion.times, times[:-1], side="right") - 1
        if isinstance(motion, JointMotion):
            own = frame_rows(_robot(actor.thing).tree, motion)
            rows[:, :, actor.first_frame : actor.first_frame + own.shape[2]] = own[:, which]
        elif actor.pieces and (motion.is_batch or not motion.is_resting):
            rows[:, :, actor.first_frame] = motion.rows()[:, which]
    return rows, times, any(motion.is_batch for motion in motions)


def _roundings(shapes: Geometries, parents: Ids, rows: Array) -> Array:
    """Bound what rounding may do along each path: see docs/robots.md."""
    spans = rows[..., END_TIME] - rows[..., START_TIME]
    lengths = np.abs(rows[..., POSITION:VELOCITY]).sum(axis=-1) + np.abs(rows[..., CENTER:END_TIME]).sum(
        axis=-1
    )
    lengths += np.abs(rows[..., VELOCITY:AXIS]).sum(axis=-1) * spans
    turns, depths = rows[..., RATE] * spans, np.ones(len(parents))
    for f, parent in enumerate(parents.tolist()):
        if parent >= 0:
            lengths[..., f] += lengths[..., parent]
            turns[..., f] += turns[..., parent]
            depths[f] += depths[parent]
    own = np.abs(shapes.fixtures[:, FIXED_PLACE:BALL]).sum(axis=1)
    size = lengths.max(axis=(1, 2), initial=0.0) + own.max(initial=0.0)
    turned = 1.0 + turns.max(axis=(1, 2), initial=0.0)
    errors: Array = 2.0 * (MEASURED + PER_JOINT * depths.max(initial=0.0)) * turned * size + SHORTEST
    return errors
