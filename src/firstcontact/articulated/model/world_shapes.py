"""Robots and obstacles as compiled code sees them: shapes that hang on a forest of frames."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.kinematic_tree import KinematicTree
from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.model.world_pairs import pairs_of
from firstcontact.articulated.paths.shape_states import (
    BALL,
    BOX_HALF,
    BOX_MIDDLE,
    FIXED_PLACE,
    FIXED_TURN,
    FRAME,
    HOLLOW,
    N_ATTACHMENT,
)
from firstcontact.bodies.convex_mesh_volume import bounding_volumes
from firstcontact.bodies.mesh_table import MeshTable, PackedTable, packed_table, unpacked_table
from firstcontact.bodies.outline import outline_of
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.shapes.convex import ORIGIN, RADIUS, REACH, ConvexTable, joined
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import Mesh, as_mesh, is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, shape_of


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
    attachments : (m, N_ATTACHMENT) where each hangs, and the box and the ball around it: see shape_states.py
    meshes : (m,) int32, number of the mesh; -1 where the shape is all there is
    paddings : (n_pairs,) how much nearer each pair of them counts as being
    """

    records: Array
    pool: Array
    volumes: Array
    attachments: Array
    meshes: Ids
    paddings: Array


class Actor(NamedTuple):
    """A robot or an obstacle: its name, the first of its frames, its pieces."""

    thing: Moving
    name: str
    first_frame: int
    pieces: list[int]


class Things(NamedTuple):
    """A robot, obstacles by their names, and whether the robot's links must not touch each other either.

    name : of what is in the robot's place, in the proof of two rigid bodies
    """

    robot: Moving
    obstacles: dict[str, Moving]
    self_contact: bool
    name: str = ""


class WorldShapes(NamedTuple):
    """All that takes part, but for how it moves; as in `WorldMotions`.

    movers : obstacles that do not stand still
    packed : the arrays of `meshes`
    """

    pieces: list[Piece]
    geometries: Geometries
    meshes: MeshTable | None
    parents: Ids
    pairs: Ids
    actors: list[Actor]
    movers: list[Actor]
    packed: PackedTable | None = None


def world_shapes_of(things: Things, limit: float, origin: Array) -> WorldShapes:
    """Gather shapes, and the pairs of them that can touch; places are counted from an origin.

    Meshes are convex, and solid, where they bulge by no more than a limit.
    """
    pieces: list[Piece] = []
    parents: list[int] = []
    named = [("", things.robot), *things.obstacles.items()]
    actors = [_enter(name, thing, pieces, parents) for name, thing in named]
    ids = np.array(parents, np.int32)
    pairs, paddings = pairs_of(actors, pieces, ids, things.self_contact)
    movers = [actor for actor in actors[1:] if not is_still(actor.thing)]
    geometries, packed = _geometries(pieces, limit, origin)
    meshes = unpacked_table(packed) if packed else None
    geometries = geometries._replace(paddings=paddings)
    return WorldShapes(pieces, geometries, meshes, ids, pairs, actors, movers, packed)


def robot_of(thing: Moving) -> Robot:
    """The robot that moves."""
    if not isinstance(thing.shape, Robot):
        raise TypeError(f"a {type(thing.shape).__name__} is no robot")
    return thing.shape


def joint_motion(thing: Moving) -> JointMotion:
    """The motion of a robot."""
    if not isinstance(thing.motion, JointMotion):
        raise TypeError(f"a {type(thing.shape).__name__} has no joints")
    return thing.motion


def tree_of(thing: Moving) -> KinematicTree:
    """Frames of a robot that moves, on one for its base where that does not stand at the origin."""
    return robot_of(thing).tree_on(joint_motion(thing))


def _enter(name: str, thing: Moving, pieces: list[Piece], parents: list[int]) -> Actor:
    """Give a thing frames and pieces."""
    first_frame, first_piece = len(parents), len(pieces)
    if thing.kind is Kind.ROBOT:
        robot = robot_of(thing)
        tree, prefix = tree_of(thing), f"{name}/" if name else ""
        parents.extend(int(parent) + first_frame if parent >= 0 else -1 for parent in tree.parents)
        for part in robot.parts:
            frame = tree.link_frames[part.link]
            pose = tree.link_offsets[part.link] @ part.pose
            where = frame + first_frame if frame >= 0 else -1
            pieces.append(Piece(prefix + part.link, part.shape, where, pose))
    else:
        if thing.kind is Kind.DEFORMING:
            raise TypeError(f"obstacle {name!r} deforms: a robot's obstacles must be rigid")
        # Searches along paths know no fields: who poses the question asks about them by themselves.
        if thing.kind is not Kind.FIELD and not is_empty(thing.shape):
            _enter_rigid(name, thing, pieces, parents)
    return Actor(thing, name, first_frame, list(range(first_piece, len(pieces))))


def is_still(thing: Moving) -> bool:
    """Does an obstacle stand in one place?"""
    return thing.kind is not Kind.ROBOT and thing.motion.is_resting and not thing.motion.is_batch


def _enter_rigid(name: str, thing: Moving, pieces: list[Piece], parents: list[int]) -> None:
    pose = thing.rigid.pose(0.0) if is_still(thing) else np.eye(4)
    pieces.append(Piece(name, shape_of(thing), -1 if is_still(thing) else len(parents), pose))
    if not is_still(thing):
        parents.append(-1)


def _geometries(
    pieces: Sequence[Piece], limit: float, origin: Array
) -> tuple[Geometries, PackedTable | None]:
    """Tables of all shapes; meshes that bulge by more than a limit are there as such, too."""
    tables, attachments = [], np.zeros((len(pieces), N_ATTACHMENT))
    meshes: list[Mesh] = []
    mesh_ids, known = np.full(len(pieces), -1, np.int32), dict[int, int]()
    for i, piece in enumerate(pieces):
        tables.append(_table(piece.shape))
        write_attachment(attachments[i], piece, tables[i].records[0], origin)
        if piece.shape.kind is Kind.MESH and outline_of(as_mesh(piece.shape)).bulge > limit:
            if id(piece.shape) not in known:
                known[id(piece.shape)] = len(meshes)
                meshes.append(as_mesh(piece.shape))
            mesh_ids[i] = known[id(piece.shape)]
    table = joined(tables) if tables else ConvexTable(np.empty((0, ORIGIN + 3)), np.empty(0))
    found = Geometries(table.records, table.pool, bounding_volumes(table), attachments, mesh_ids, np.empty(0))
    return found, packed_table(meshes) if meshes else None


def _table(shape: Shape) -> ConvexTable:
    return table_of(shape) if shape.kind is Kind.CONVEX else outline_of(as_mesh(shape)).table


def write_attachment(row: Array, piece: Piece, record: Array, origin: Array) -> None:
    """Write where a shape hangs, and the box and the ball around it."""
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
    row[HOLLOW] = outline_of(as_mesh(piece.shape)).hollow if piece.shape.kind is Kind.MESH else 0.0
