"""The closest pair in each configuration."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.frames import place_frames
from firstcontact.articulated.paths.pair_gap import convex_gap, mesh_distance
from firstcontact.articulated.paths.path_types import Work, make_work
from firstcontact.articulated.paths.shape_states import ball_gap, place_shape
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_table import MeshTable
from firstcontact.narrowphase.convex.gjk import EXACT
from firstcontact.proximity.distance.closest_pair import DistanceGoal

# Configurations from which several threads are worth their start.
WORTH_A_THREAD = 16


def nearest_pairs(world: WorldMotions) -> Ids:
    """Number of the closest pair at t = 0, (n,); -1 where there is none."""
    n = len(world.rows)
    found = np.full(n, -1, np.int32)
    if len(world.pairs) == 0:
        return found

    def task(first: int, last: int) -> None:
        work = make_work(world.sizes, world.meshes, 0)
        motion = world.parents, world.pairs, world.rows
        _find_range(world.geometries, world.meshes, motion, world.roundings, work, found, (first, last))

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _find_range(
    shapes: Geometries,
    meshes: MeshTable | None,
    motion: tuple[Ids, Ids, Array],
    roundings: Array,
    work: Work,
    found: Ids,
    span: tuple[int, int],
) -> None:
    parents, pairs, rows = motion
    gaps = np.empty(len(pairs))
    for i in range(span[0], span[1]):
        place_frames(rows[i, 0], parents, 0.0, work.states)
        for k in range(len(shapes.attachments)):
            place_shape(work.states, parents, shapes.attachments, k, 0.0, work.shape_states)
        for p in range(len(pairs)):
            a, b = int(np.int64(pairs[p, 0])), int(np.int64(pairs[p, 1]))
            gaps[p] = ball_gap(work.shape_states, shapes.attachments, a, b) - shapes.paddings[p]
        # The likely closest first: what is proven farther need not be measured.
        best, nearest, rounding = np.inf, 0, roundings[i]
        for p in range(len(pairs)):
            nearest = p if gaps[p] < gaps[nearest] else nearest
        for k in range(-1, len(pairs)):
            p = nearest if k < 0 else k
            if gaps[p] - rounding <= best and k != nearest:
                distance = padded_distance(shapes, meshes, work, (pairs, p), best, rounding)
                if distance < best or found[i] < 0:
                    best, found[i] = distance, p


@kernel
def padded_distance(
    shapes: Geometries,
    meshes: MeshTable | None,
    work: Work,
    pair: tuple[Ids, int],
    best: float,
    rounding: float,
) -> float:
    """Distance of one of some pairs, by its number, less its padding; `best` where it is no less."""
    pairs, p = pair
    padding = shapes.paddings[p]
    distance = pair_distance(shapes, meshes, work, pairs[p], best + padding, rounding)
    return distance - padding if distance < best + padding else best


@kernel
def pair_distance(
    shapes: Geometries, meshes: MeshTable | None, work: Work, pair: Ids, best: float, rounding: float
) -> float:
    """Distance of a pair; `best` where it is no less."""
    work.guides[0] = 0.0
    gap = convex_gap(shapes.records, shapes.pool, work.shape_states, pair, work.guides[0], EXACT)
    distance = max(gap.most, 0.0)
    if meshes is not None and (shapes.meshes[pair[0]] >= 0 or shapes.meshes[pair[1]] >= 0):
        if gap.least - rounding > best:
            return best
        goal = DistanceGoal(best, 0.0, rounding)
        states, stack = work.shape_states, work.stack
        distance = mesh_distance(shapes, meshes, states, pair, goal, stack, work.mesh_counts)
    return distance
