"""How deep a robot is in what it may not touch: the deepest of all pairs, each by the queries of bodies."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.robot_results import RobotPenetration
from firstcontact.arrays import Array
from firstcontact.articulated.paths.posed import piece_pose
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.queries.kinds.resting import resting_intersects
from firstcontact.queries.kinds.robot import pair_names, posed_paths, robot_things
from firstcontact.queries.kinds.robot_fields import field_names, solid_shape
from firstcontact.queries.look_up import answer
from firstcontact.queries.refusals import NO_CLOUD, NO_DEPTH
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# A ball around a shape is larger by this part of all lengths: far more than rounding.
LARGER = 2.0**-40

VECTORS = "direction", "points_a", "points_b"

NO_SOLID = "penetration is of solids, and {name!r} is a mesh with open edges, or hollow by its thickness"


class Deepest(NamedTuple):
    """How deep a pair is: its number, -1 for none, the depth, the way out, and the deepest points."""

    pair: int
    depth: float
    direction: Array
    points_a: Array
    points_b: Array
    is_overlapping: bool


def robot_penetration(a: Moving, b: object, ask: Ask) -> RobotPenetration:
    """Measure the deepest pair in each configuration."""
    if not a.motion.is_resting:
        raise ValueError("penetration is for one instant, and a moves: use a.at(q)")
    world = posed_paths(a, b, ask._replace(tolerance=0.0), is_first=False).world
    for name in field_names(world):
        raise TypeError(NO_DEPTH.format(verb="penetration", name=f"obstacle {name!r}"))
    found = [_deepest(world, i) for i in range(len(world.rows))]
    names = [pair_names(world, one.pair) for one in found]
    known: dict[str, Any] = found[0]._asdict() if found else {}
    if world.is_batch:
        vectors: dict[str, Any] = {
            name: np.array([getattr(one, name) for one in found]).reshape(-1, 3) for name in VECTORS
        }
        known = vectors | {"depth": np.array([one.depth for one in found], np.float64)}
        known["is_overlapping"] = np.array([one.is_overlapping for one in found], np.bool_)
        known |= {"a": [x for x, _ in names], "b": [y for _, y in names]}
    else:
        known |= {"a": names[0][0], "b": names[0][1]}
    known.pop("pair", None)
    return about(RobotPenetration(**known), robot_things(world.things))


def _deepest(world: WorldMotions, i: int) -> Deepest:
    """The deepest pair of one configuration; of several as deep, the first."""
    nothing = np.full(3, np.nan)
    best = Deepest(-1, 0.0, nothing, nothing, nothing, False)
    poses = [piece_pose(world, i, k, 0.0) for k in range(len(world.pieces))]
    for pair in _near(world, poses).tolist():
        one = _measured(world, poses, pair)
        if one.is_overlapping and (one.depth > best.depth or best.pair < 0):
            best = one
    return best


def _near(world: WorldMotions, poses: list[Array]) -> NDArray[np.intp]:
    """Pairs the balls around which, with their paddings, meet."""
    if len(world.pairs) == 0:
        return np.empty(0, np.intp)
    boxes = np.array([piece.shape.bounds for piece in world.pieces])
    middles, radii = boxes.mean(axis=1), 0.5 * np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)
    placed = np.array(poses)
    centers = np.einsum("kij,kj->ki", placed[:, :3, :3], middles) + placed[:, :3, 3]
    a, b = world.pairs[:, 0], world.pairs[:, 1]
    away = np.linalg.norm(centers[a] - centers[b], axis=1)
    slack = LARGER * (np.abs(centers[a]).sum(axis=1) + np.abs(centers[b]).sum(axis=1) + radii[a] + radii[b])
    return np.flatnonzero(away <= radii[a] + radii[b] + world.geometries.paddings + slack)


def _measured(world: WorldMotions, poses: list[Array], pair: int) -> Deepest:
    """How deep one pair is; its padding is depth, all of it that no distance takes up."""
    one, other = (solid_shape(world, k).at(poses[k]) for k in world.pairs[pair, :2].tolist())
    padding = float(world.geometries.paddings[pair])
    are_closed = all(is_closed(x.surface) for x in (one, other) if x.kind is Kind.MESH)
    if not resting_intersects(one, other, Ask(solid=are_closed)):
        return _apart(one, other, pair, padding)
    for k, thing in zip(world.pairs[pair, :2].tolist(), (one, other), strict=True):
        _check_solid(thing, world.pieces[k].name)
    found: Penetration = answer("penetration", one, other)
    points_a = found.points_a + padding * found.direction
    depth = float(found.depth) + padding
    return Deepest(pair, depth, found.direction, points_a, found.points_b, bool(found.is_overlapping))


def _apart(one: Moving, other: Moving, pair: int, padding: float) -> Deepest:
    nothing = np.full(3, np.nan)
    if padding > 0.0:
        near = answer("distance", one, other)
        if 0.0 < near.distance <= padding:
            way = (near.points_b - near.points_a) / near.distance
            points_a = near.points_a + padding * way
            return Deepest(pair, padding - near.distance, way, points_a, near.points_b, True)
    return Deepest(-1, 0.0, nothing, nothing, nothing, False)


def _check_solid(thing: Moving, name: str) -> None:
    """Raise a sentence where something that touches is no solid."""
    if thing.kind is not Kind.MESH:
        return
    if thing.shape.is_cloud:
        raise TypeError(NO_CLOUD.format(verb="penetration", name=repr(name), what=type(thing.shape).__name__))
    if thing.shape.is_thick or not is_closed(thing.surface):
        raise ValueError(NO_SOLID.format(name=name))
