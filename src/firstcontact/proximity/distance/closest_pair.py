"""The closest pair of triangles of two bodies at one instant.

Depth first through both trees, the nearer children first. Before that, a greedy descent to the triangles
under the nearest centers finds a distance that is close to the least: a quarter more volumes are measured
than if the least were known at the start, and without it two thirds more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import CENTER, RADIUS, REACH, volume_of
from firstcontact.bounds.swept_sphere_gap import placed
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import on_surfaces
from firstcontact.narrowphase.elementary.separation_advancement import rejected
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.narrowphase.triangles.triangle_separation import separation_triangle_triangle, shadow_gap
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Triangle, Vec3, add, dot, norm, scale, sub

Pairs = NDArray[np.int64]

# What is counted.
VOLUME_TESTS, TRIANGLE_TESTS = range(2)
N_COUNTS = 2


class DistanceGoal(NamedTuple):
    """What a search looks for.

    within : pairs at this distance or farther do not matter
    enough : a pair at this distance or nearer will do; if positive, so will one that is not proven farther
    rounding : bound of the error of a measured distance
    """

    within: float
    enough: float
    rounding: float


class ClosestPair(NamedTuple):
    """A pair of triangles, their distance and closest points, in the frame of b; -1 where there is none."""

    distance: float
    point_a: Vec3
    point_b: Vec3
    triangle_a: int
    triangle_b: int


@kernel
def closest_pair(
    a: WideBody, b: WideBody, place: Placement, goal: DistanceGoal, stack: NodeStack, counts: Pairs
) -> ClosestPair:
    """Find the closest triangles of two bodies that have some; the distance is least to two roundings."""
    volumes_a, triangles_a, blocks_of_a = a.volumes, a.triangles, a.blocks_of
    volumes_b, triangles_b, blocks_of_b = b.volumes, b.triangles, b.blocks_of
    nodes_a, blocks_a, nodes_b, blocks_b = a.nodes, a.blocks, b.nodes, b.blocks
    back = transposed(place.rotation)
    offset_back = scale(-1.0, mat_vec(back, place.offset))
    gaps, pairs, measured, _ = stack
    best = ClosestPair(goal.within, place.offset, place.offset, -1, -1)
    # The bodies are as far apart as the spheres around them; but first look at what is likely to be close.
    gaps[0], pairs[0], n = norm(place.offset) - a.reach - b.reach, 0, 1
    if goal.within == INFINITY:
        gaps[1], pairs[1], n = -INFINITY, _descent(a, b, place), 2
    while n > 0 and best.distance > goal.enough:
        n -= 1
        # Whoever is dropped is nearer than the best by two roundings at most, and never in contact.
        limit = max(best.distance - goal.rounding, 2.0 * goal.rounding)
        if gaps[n] >= limit:
            continue
        i, j = pairs[n] >> HALF, pairs[n] & LOWER
        block_a, block_b = blocks_of_a[i], blocks_of_b[j]
        if block_a < 0 and block_b < 0:
            counts[TRIANGLE_TESTS] += 1
            found = measured_pair(triangles_a, ~block_a, triangles_b, ~block_b, place, goal.enough)
            if found[0] < best.distance:
                best = ClosestPair(found[0], found[1], found[2], ~block_a, ~block_b)
            continue
        counts[VOLUME_TESTS] += WIDTH
        first = n
        if block_b < 0 or (block_a >= 0 and volumes_a[i, REACH] > volumes_b[j, REACH]):
            measure_block(placed(volume_of(volumes_b, j), back, offset_back), blocks_a[block_a], measured)
            for k in range(WIDTH):
                if measured[k] < limit:
                    n = pushed(gaps, pairs, first, n, measured[k], (nodes_a[block_a, k] << HALF) | j)
        else:
            one = placed(volume_of(volumes_a, i), place.rotation, place.offset)
            measure_block(one, blocks_b[block_b], measured)
            for k in range(WIDTH):
                if measured[k] < limit:
                    n = pushed(gaps, pairs, first, n, measured[k], (i << HALF) | nodes_b[block_b, k])
    return best


@kernel
def pushed(gaps: Array, pairs: Pairs, first: int, n: int, gap: float, pair: int) -> int:
    """Put a pair on the stack, the nearest of those from `first` on last; return how many there are then."""
    i = n
    while i > first and gaps[i - 1] < gap:
        gaps[i], pairs[i] = gaps[i - 1], pairs[i - 1]
        i -= 1
    gaps[i], pairs[i] = gap, pair
    return n + 1


@kernel
def measured_pair(
    triangles_a: Array, i: int, triangles_b: Array, j: int, place: Placement, enough: float
) -> tuple[float, Vec3, Vec3]:
    """Distance and closest points of triangles of two bodies with their radii, as seen from b.

    It is 0 where they overlap, and `enough`, if positive, where no more is proven.
    """
    a, b = placed_triangle(place, triangle_of(triangles_a, i)), triangle_of(triangles_b, j)
    radius_a, radius_b = radius_of(triangles_a, i), radius_of(triangles_b, j)
    radii = radius_a + radius_b
    distance, p, q = measured_triangles(a, b, enough + radii if enough > 0.0 else 0.0)
    if radii > 0.0:
        p, q = on_surfaces(p, q, (1.0, 0.0, 0.0), radius_a, radius_b)
    return max(distance - radii, 0.0), p, q


@kernel
def measured_triangles(a: Triangle, b: Triangle, enough: float) -> tuple[float, Vec3, Vec3]:
    """Distance and closest points of two triangles; `enough`, if positive, where no more is proven."""
    p, q = closest_triangle_triangle(a, b)
    e = sub(q, p)
    distance = norm(e)
    if enough > 0.0 and distance > enough and not shadow_gap(a, b, e) > enough:
        # Points that nearly meet have hardly a direction, faces and edges have.
        distance = min(distance, max(max(separation_triangle_triangle(a, b), _gap_across(a, b, e)), enough))
    return distance, p, q


@kernel
def _gap_across(a: Triangle, b: Triangle, e: Vec3) -> float:
    """Widest gap that is shown across a side, near a vector: of segments in a plane there is no other."""
    widest = -INFINITY
    for i in range(3):
        side_a, side_b = sub(a[(i + 1) % 3], a[i]), sub(b[(i + 1) % 3], b[i])
        widest = max(widest, shadow_gap(a, b, rejected(e, side_a)))
        widest = max(widest, shadow_gap(a, b, rejected(e, side_b)))
    return widest


@kernel
def _descent(a: WideBody, b: WideBody, place: Placement) -> int:
    """Go down both trees to the nearest center each time; return the pair of leaves."""
    back = transposed(place.rotation)
    i = j = int(np.int64(0))  # not plain zeros: functions are compiled for a constant argument apart
    while True:
        block_a, block_b = a.blocks_of[i], b.blocks_of[j]
        if block_a < 0 and block_b < 0:
            return (i << HALF) | j
        if block_b < 0 or (block_a >= 0 and a.volumes[i, REACH] > b.volumes[j, REACH]):
            center = mat_vec(back, sub(volume_of(b.volumes, j).center, place.offset))
            i = int(a.nodes[block_a, _nearest(center, a.blocks[block_a])])
        else:
            center = add(place.offset, mat_vec(place.rotation, volume_of(a.volumes, i).center))
            j = int(b.nodes[block_b, _nearest(center, b.blocks[block_b])])


@kernel
def _nearest(center: Vec3, block: Array) -> int:
    """Which volume of a block (15, n) has its center nearest to a point?"""
    nearest, least = 0, INFINITY
    for k in range(WIDTH):
        e = sub((block[CENTER, k], block[CENTER + 1, k], block[CENTER + 2, k]), center)
        if block[RADIUS, k] >= 0.0 and dot(e, e) < least:
            nearest, least = k, dot(e, e)
    return nearest
