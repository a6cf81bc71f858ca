"""How far points are from the nearest of many prisms: a tree of boxes, and the distance of hulls (GJK)."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import LANE, LINKS, WIDTH, Singles, bits_of, push_nearest
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.box_blocks import box_blocks, lane_blocks
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_convex_convex
from firstcontact.scalar.vec3 import Vec3, sub
from firstcontact.shapes.convex import HULL, POINT, Convex
from firstcontact.sweeping.prisms import N_NUMBERS, Prisms, bounds_of

# Points that are looked at one after the other, each from what was nearest to the last: what is found, to a
# step, depends on where that begins, and so must not depend on the number of threads. Blocks from which
# another thread is worth its start.
BLOCK, WORTH_A_THREAD = 64, 2

# Prisms around a point that are looked at for one that holds it deeply enough.
MOST_AROUND = 4

# What a distance in singles may be off by: parts of it, and of the size of the tree.
SINGLE = 2.0**-24
RELATIVE, ABSOLUTE = 16.0 * SINGLE, 16.0 * SINGLE

LOW_HALF = (1 << 32) - 1
SAME_WAY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NO_SIZE = (0.0, 0.0, 0.0)


class PrismTree(NamedTuple):
    """Prisms in a tree of boxes, as `PointBody` has triangles.

    blocks, links : (m, BLOCK_ROWS, WIDTH) float32, and the same memory as int32
    pool : the corners of all prisms, N_NUMBERS each, in the order of the leaves
    radii : (n,)
    reach : no corner is farther from the origin
    """

    blocks: Singles
    links: Ids
    pool: Array
    radii: Array
    reach: float
    middle: Vec3
    factor: float
    depth: int


class Band(NamedTuple):
    """Distances that matter: a search ends at the lower one, and looks no farther than the upper one.

    step : what is nearer by less than that need not be looked for
    """

    low: float
    high: float
    step: float


def prism_tree(prisms: Prisms) -> PrismTree:
    """Build the tree of some prisms, one or more."""
    tree = box_blocks(bounds_of(prisms), 1)
    order = tree.leaves[:, 0]
    blocks = lane_blocks(tree)
    corners = prisms.corners[order]
    reach = float(np.sqrt((corners.reshape(-1, 3) ** 2).sum(axis=1).max()))
    return PrismTree(
        blocks,
        blocks.view(np.int32),
        corners.reshape(-1),
        prisms.radii[order],
        reach,
        tree.middle,
        tree.factor,
        tree.depth,
    )


def distances_to_prisms(tree: PrismTree, points: Array, band: Band) -> Array:
    """How far points (n, 3) are from the nearest prism; no more than the upper end of a band.

    To rounding, not less than the truth, and no more than a step above it. Negative where a ball of that
    radius is in one prism.
    """
    values = np.empty(len(points))

    def task(first: int, last: int) -> None:
        _measure_blocks(tree, points, band, values, first, last)

    on_ranges(task, -(-len(points) // BLOCK), WORTH_A_THREAD)
    return values


@driver
def _measure_blocks(tree: PrismTree, points: Array, band: Band, values: Array, first: int, last: int) -> None:
    """Measure the points of the blocks [first, last), each point from what was nearest to the one before."""
    blocks, links, pool, radii = tree.blocks, tree.links, tree.pool, tree.radii
    stack = np.empty((WIDTH - 1) * tree.depth + 1 + WIDTH, np.int64)
    near, way = 0, (1.0, 0.0, 0.0)
    for i in range(first * BLOCK, min(last * BLOCK, len(points))):
        if i % BLOCK == 0:
            near, way = 0, (1.0, 0.0, 0.0)
        p = points[i, 0], points[i, 1], points[i, 2]
        best, found = _measure(pool, radii, near, tree.reach, p, way)
        way, n_around = found, 0
        best = min(best, band.high)
        x, y, z = tree.factor * p[0], tree.factor * p[1], tree.factor * p[2]
        x, y, z = sub((x, y, z), tree.middle)
        q = np.float32(x), np.float32(y), np.float32(z)
        limit = _limit(tree.factor * max(best - band.step, 0.0))
        bits = bits_of(limit) | LANE
        n = push_nearest(blocks, 0, q, limit, stack, 0) if best > band.low else 0
        while n > 0:
            n -= 1
            key = stack[n] >> 32
            if key > bits:
                continue
            child = links[stack[n] & LOW_HALF, LINKS, key & LANE]
            if child >= 0:
                n = push_nearest(blocks, child, q, limit, stack, n)
                continue
            other = ~child
            if _gap_along(pool, other, p, way) - radii[other] >= best - band.step:
                continue
            value, direction = _measure(pool, radii, other, tree.reach, p, way)
            if value < best:
                best, way, near = value, direction, int(other)
                limit = _limit(tree.factor * max(best - band.step, 0.0))
                bits = bits_of(limit) | LANE
            if best <= band.low:
                break
            if best <= 0.0:
                n_around += 1
                if n_around == MOST_AROUND:
                    break
        values[i] = best


@kernel
def _limit(distance: float) -> np.float32:
    """Square of how far away, in singles, what may be nearer can be."""
    farthest = distance * (1.0 + RELATIVE) + ABSOLUTE
    return np.float32(farthest * farthest)


@kernel
def _gap_along(pool: Array, prism: int, p: Vec3, n: Vec3) -> float:
    """How far all of a prism is from a point along a unit vector."""
    first, least = N_NUMBERS * prism, np.inf
    for i in range(first, first + N_NUMBERS, 3):
        along = n[0] * (pool[i] - p[0]) + n[1] * (pool[i + 1] - p[1]) + n[2] * (pool[i + 2] - p[2])
        least = min(least, along)
    return least


@kernel
def _measure(pool: Array, radii: Array, prism: int, reach: float, p: Vec3, guess: Vec3) -> tuple[float, Vec3]:
    """How far a point is from a prism, at least, and the direction there."""
    point = Convex(POINT, NO_SIZE, 0.0, 0.0, 0, 0, 0)
    hull = Convex(HULL, NO_SIZE, 0.0, reach, N_NUMBERS * prism, N_NUMBERS // 3, 0)
    found = closest_convex_convex(point, hull, pool, pool, RelativePose(SAME_WAY, p), guess, EXACT)
    core = found.gap if found.gap > 0.0 else min(found.distance, 0.0)
    return core - radii[prism], found.direction
