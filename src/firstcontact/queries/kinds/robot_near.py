"""All pairs of a robot's links, and of links and obstacles, within a distance, at an instant."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.near_results import NearPairs
from firstcontact.arrays import Array
from firstcontact.articulated.model.jacobians import along, frame_twists
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of, tree_of
from firstcontact.articulated.paths.piece_poses import frame_poses, piece_poses
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.rigid_motion import END_TIME, N_COLUMNS, POSITION, ROTATION, VELOCITY
from firstcontact.proximity.distance.convex_distance import convex_distances
from firstcontact.proximity.distance.listed_distance import ListedPairs, ShapeTable, listed_distances
from firstcontact.proximity.penetration.convex_penetration import convex_penetrations
from firstcontact.queries.kinds.near_resting import near_pairs, wanted
from firstcontact.queries.kinds.robot import pair_names, posed_paths, robot_things
from firstcontact.queries.kinds.robot_fields import field_pairs, field_placed, solid_shape
from firstcontact.queries.kinds.signed_pair import (
    Signed,
    hull_of,
    is_open,
    nothing_near,
    signed_pair,
    unit_ways,
)
from firstcontact.shapes.convex import ConvexTable
from firstcontact.shapes.moving import Moving

Rows = NDArray[np.intp]

# A ball or an outline is larger by this part of all lengths: far more than rounding.
LARGER = 2.0**-40


class Standing(NamedTuple):
    """A world at m instants, each of a path and a time: poses of frames (m, f, 4, 4) and of pieces."""

    world: WorldMotions
    paths: Rows
    frames: Array
    poses: Array


class Found(NamedTuple):
    """Pairs near each other: instants (k,), numbers of pairs (k,), and how far they are apart."""

    rows: Rows
    pairs: Rows
    signed: Signed


def robot_near(a: Moving, b: object, ask: Ask) -> NearPairs:
    """Measure all pairs in each configuration, or over whole paths."""
    world = posed_paths(a, b, ask._replace(tolerance=0.0, within=None), is_first=False).world
    is_still = all(thing.motion.is_resting for thing in (a, *world.things.obstacles.values()))
    if not is_still or ask.tolerance is not None:
        from firstcontact.queries.kinds.robot_near_paths import robot_near_paths  # which has more to load

        return robot_near_paths(a, b, ask)
    n = len(world.rows)
    standing = standing_at(world, np.arange(n), np.zeros(n))
    within = wanted(ask)
    near = near_ones(standing, within)
    near = _in_order([near, *_near_fields(standing, within)])
    configurations = joint_motion(a).configurations[:, 0]
    gradient = gradients(standing, near, np.broadcast_to(configurations, (n, configurations.shape[1])))
    names = [pair_names(world, pair) for pair in near.pairs.tolist()]
    sides = [str(one) for one, _ in names], [str(other) for _, other in names]
    return about(near_pairs(near.rows, n, sides, near.signed, gradient), robot_things(world.things))


def standing_at(world: WorldMotions, paths: Rows, times: Array) -> Standing:
    """Place everything, on paths (m,) at times (m,)."""
    frames = frame_poses(world, paths, times)
    return Standing(world, paths, frames, piece_poses(world, frames))


def near_ones(standing: Standing, within: float) -> Found:
    """Find all pairs of shapes within a distance, in order of the instants."""
    rows, pairs = _near_balls(standing, within)
    signed, _ = measured(standing, rows, pairs, within)
    surely_apart(standing, rows, signed)
    is_near = signed.distance <= within
    return Found(rows[is_near], pairs[is_near], signed.chosen(is_near))


def surely_apart(standing: Standing, rows: Rows, signed: Signed) -> None:
    """Let what rounding may hide be in contact, as it is to all searches."""
    roundings = standing.world.roundings[standing.paths[rows]]
    signed.distance[(signed.distance > 0.0) & (signed.distance <= roundings)] = 0.0


def _near_balls(standing: Standing, within: float) -> tuple[Rows, Rows]:
    """Instants and pairs, the balls around which are that near, with their paddings."""
    world = standing.world
    if len(world.pairs) == 0:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    boxes = np.array([piece.shape.bounds for piece in world.pieces])
    middles, radii = boxes.mean(axis=1), 0.5 * np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)
    centers = np.einsum("mkij,kj->mki", standing.poses[..., :3, :3], middles) + standing.poses[..., :3, 3]
    a, b = world.pairs[:, 0], world.pairs[:, 1]
    apart = np.linalg.norm(centers[:, a] - centers[:, b], axis=2)
    reach = radii[a] + radii[b]
    slack = LARGER * (np.abs(centers[:, a]).sum(axis=2) + np.abs(centers[:, b]).sum(axis=2) + reach)
    rows, pairs = np.nonzero(apart <= reach + world.geometries.paddings + within + slack)
    return rows, pairs


def measured(
    standing: Standing, rows: Rows, pairs: Rows, within: float, is_deep: bool = True
) -> tuple[Signed, Array]:
    """Measure pairs (k,) at instants (k,), less their paddings; inf where farther than `within`.

    And outlines of meshes, which hold them: no pair is deeper than these. Unless `is_deep`, the depths of
    meshes that overlap are those of their outlines.
    """
    world = standing.world
    paddings, meshes = world.geometries.paddings[pairs], world.geometries.meshes
    sides = _sides(standing, rows, pairs)
    signed = _of_outlines(sides)
    _put_convex_depths(signed, sides, np.flatnonzero(signed.distance == 0.0))
    outlines = Signed(*(column.copy() for column in signed))
    slack = LARGER * (np.abs(signed.points_a).sum(axis=1) + np.abs(signed.points_b).sum(axis=1))
    is_near = signed.distance <= within + paddings + slack
    is_mesh = (meshes[world.pairs[pairs, 0]] >= 0) | (meshes[world.pairs[pairs, 1]] >= 0)
    signed.distance[~is_near] = np.inf
    # Where outlines are apart, more than rounding can hide, nothing touches, and nobody is in anybody.
    is_clear = outlines.distance > slack + world.roundings[standing.paths[rows]]
    clear = np.flatnonzero(is_near & is_mesh & is_clear)
    signed.put(clear, _of_meshes(world, sides, clear, within + paddings[clear]))
    doubtful = is_near & is_mesh & ~is_clear
    for pair in np.unique(pairs[doubtful]).tolist():
        those = np.flatnonzero((pairs == pair) & doubtful)
        one, other = (
            solid_shape(world, k).at(standing.poses[rows[those], k]) for k in world.pairs[pair, :2].tolist()
        )
        signed.put(those, signed_pair(one, other, within + float(paddings[those[0]]), is_deep))
        if is_deep:
            _put_open_depths(standing, rows, signed, pair, those)
    # Whoever parts what holds them parts them.
    deeper = is_mesh & (signed.distance <= 0.0) & (outlines.distance < 0.0)
    deeper &= (signed.distance < outlines.distance) if is_deep else True
    signed.put(deeper, outlines.chosen(deeper))
    signed.distance[:] -= paddings
    return signed, outlines.distance - paddings


def _sides(standing: Standing, rows: Rows, pairs: Rows) -> tuple[Side, Side]:
    """Convex shapes, or the outlines of meshes, of pairs (k,) at instants (k,)."""
    world, k = standing.world, standing.poses.shape[1]
    table = ConvexTable(world.geometries.records, world.geometries.pool)
    motions = np.zeros((standing.poses.shape[0] * k, 1, N_COLUMNS))
    motions[:, 0, ROTATION:POSITION] = standing.poses[..., :3, :3].reshape(-1, 9)
    motions[:, 0, POSITION:VELOCITY] = standing.poses[..., :3, 3].reshape(-1, 3)
    motions[:, 0, END_TIME] = 1.0
    one, other = (
        Side(table, motions, np.ascontiguousarray(ids, np.int32), (rows * k + ids).astype(np.int32))
        for ids in (world.pairs[pairs, 0], world.pairs[pairs, 1])
    )
    return one, other


def _of_outlines(sides: tuple[Side, Side]) -> Signed:
    """How far convex shapes, or the outlines of meshes, are apart."""
    found = convex_distances(*sides)
    ways = unit_ways(found.points_a, found.points_b)
    ways[found.distance == 0.0] = np.nan
    return Signed(found.distance, found.points_a, found.points_b, ways)


def _of_meshes(world: WorldMotions, sides: tuple[Side, Side], which: Rows, within: Array) -> Signed:
    """How far pairs are apart of which one is a mesh or both, and that do not touch; inf where farther."""
    if len(which) == 0 or world.meshes is None:
        return nothing_near(len(which))
    shapes = world.geometries
    table = ShapeTable(shapes.records, shapes.pool, shapes.volumes, shapes.meshes, world.meshes)
    one, other = (side.chosen(which) for side in sides)
    shape_ids = np.stack([one.shape_ids, other.shape_ids], axis=1)
    row_ids = np.stack([one.row_ids, other.row_ids], axis=1)
    found = listed_distances(table, ListedPairs(shape_ids, row_ids, one.rows, within))
    points = np.ascontiguousarray(found.points[:, 0]), np.ascontiguousarray(found.points[:, 1])
    return Signed(found.distance, *points, unit_ways(*points))


def _put_convex_depths(signed: Signed, sides: tuple[Side, Side], which: Rows) -> None:
    """Write how deep convex shapes are in each other."""
    if len(which) == 0:
        return
    deep = convex_penetrations(*(side.chosen(which) for side in sides))
    is_deep = deep.is_overlapping
    found = Signed(0.0 - deep.depth, deep.points_a, deep.points_b, deep.direction)
    signed.put(which[is_deep], found.chosen(is_deep))


def _put_open_depths(standing: Standing, rows: Rows, signed: Signed, pair: int, those: Rows) -> None:
    """Let hulls tell how deep links are that have no inside, in rows in which they touch."""
    world, n_links = standing.world, len(robot_of(standing.world.things.robot).parts)
    ids = world.pairs[pair, :2].tolist()
    touching = those[signed.distance[those] == 0.0]
    shapes = [solid_shape(world, k) for k in ids]
    are_open = [k < n_links and is_open(shape) for k, shape in zip(ids, shapes, strict=True)]
    if len(touching) == 0 or not any(are_open):
        return
    held = [hull_of(x) if is_hull else x for x, is_hull in zip(shapes, are_open, strict=True)]
    one, other = (x.at(standing.poses[rows[touching], k]) for x, k in zip(held, ids, strict=True))
    found = signed_pair(one, other)
    is_deep = found.distance < 0.0
    signed.put(touching[is_deep], found.chosen(is_deep))


def _near_fields(standing: Standing, within: float) -> list[Found]:
    """Shapes of the robot and fields that are within a distance."""
    world, found = standing.world, list[Found]()
    rows = np.arange(len(standing.paths))
    for number, pair in enumerate(field_pairs(world), len(world.pairs)):
        poses = [field_placed(world, pair, int(i), 0.0).rigid.pose(0.0) for i in standing.paths]
        field = world.things.obstacles[pair.name].shape
        there: Moving = field.at(np.array(poses).reshape(-1, 4, 4))  # type: ignore[attr-defined]
        link = solid_shape(world, pair.piece).at(standing.poses[:, pair.piece])
        signed = signed_pair(link, there, within + pair.padding)
        signed.distance[:] -= pair.padding
        is_near = signed.distance <= within
        found.append(Found(rows[is_near], np.full(is_near.sum(), number), signed.chosen(is_near)))
    return found


def _in_order(parts: list[Found]) -> Found:
    """Put pairs in the order of their instants."""
    if len(parts) == 1:
        return parts[0]
    rows, pairs = (np.concatenate([part[k] for part in parts]) for k in range(2))
    columns = zip(*(part.signed for part in parts), strict=True)
    order = np.argsort(rows, kind="stable")
    signed = Signed(*(np.concatenate(column)[order] for column in columns))
    return Found(rows[order], pairs[order], signed)


def gradients(standing: Standing, near: Found, configurations: Array) -> Array:
    """Gradients (k, dof) of distances with respect to the robot's configurations (m, dof)."""
    world = standing.world
    tree = tree_of(world.things.robot)
    own = standing.frames[:, : len(tree.parents)]
    twists = frame_twists(tree, own, configurations)
    found = np.zeros((len(near.rows), tree.dof))
    for sign, points, frames in zip(
        (-1.0, 1.0), near.signed[1:3], _frames_of(world, near.pairs), strict=True
    ):
        found += sign * along(twists, frames, near.rows, points, near.signed.normals)
    found[np.isnan(near.signed.normals[:, 0])] = np.nan
    return found


def _frames_of(world: WorldMotions, pairs: Rows) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Frames of both shapes of pairs (k,), -1 for what stands still; of fields, too."""
    frames = np.array([piece.frame for piece in world.pieces], np.int32)
    at_fields = np.array([pair.piece for pair in field_pairs(world)], np.int64)
    ids = np.empty((len(pairs), 2), np.int64)
    is_field = pairs >= len(world.pairs)
    ids[~is_field] = world.pairs[pairs[~is_field], :2]
    ids[is_field, 0] = at_fields[pairs[is_field] - len(world.pairs)] if len(at_fields) else 0
    if len(frames) == 0:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    ids[is_field, 1] = 0
    one, other = frames[ids[:, 0]], frames[ids[:, 1]]
    return one, np.where(is_field, -1, other).astype(np.int32)
