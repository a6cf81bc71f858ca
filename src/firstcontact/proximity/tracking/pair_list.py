"""Pairs of triangles that were near each other in a pose, kept for the poses after it.

All pairs closer than some distance are listed; every other pair is farther apart. After no point has gone
farther than a way, no pair is nearer by more than that: so only a few of the list need to be measured, and as
long as the least of them is below what all others have left, it is the least of all.
"""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bodies.mesh_body import Body
from firstcontact.motions.relative_motion import Placement
from firstcontact.proximity.distance.closest_pair import ClosestPair, measured_pair
from firstcontact.proximity.touching.near_pairs import Instant, collect_pairs
from firstcontact.scalar.vec3 import norm, sub

# Pairs in a list at the most.
MOST_PAIRS = 128

# How far beyond the least distance a list goes, in units of the last way: it lasts for half as many steps. To
# make one takes as long as a few searches.
BEYOND_BY = 32.0

# Searches after which a list is tried again where the last try found too many pairs, at the most.
LONGEST_REST = 64.0

# A bit more than the root of a half.
STRETCH = 0.70711

# Columns of a list, in an array of numbers, from wherever it starts.
N_PAIRS = 0  # 0 for no list
BEYOND = 1  # all other pairs were farther apart than this
REST = 2  # searches to wait before the next list, and how many that were the last time
LAST_REST = 3
ROTATION = 4  # nine: where a was then, as seen from b
OFFSET = 13  # three
PAIRS = 16  # for each: two triangles, and how far apart they were
N_LIST = PAIRS + 3 * MOST_PAIRS


@kernel
def way_from(place: Placement, reach: float, numbers: Array, first: int) -> float:
    """No point of a body of this reach has gone farther since it was where twelve numbers say."""
    # A point x of a is at R x + o: it has gone |dR x + do| <= |dR| |x| + |do|. The difference of rotations
    # stretches two axes alike, by 2 sin(angle / 2), and one by nothing: its norm is that of Frobenius over
    # the root of two.
    turned = 0.0
    for i in range(9):
        turned += (place.rotation[i] - numbers[first + i]) ** 2
    o = numbers[first + 9], numbers[first + 10], numbers[first + 11]
    way: float = STRETCH * np.sqrt(turned) * reach + norm(sub(place.offset, o))
    return way


@kernel
def write_place(place: Placement, numbers: Array, first: int) -> None:
    """Write where a is, in twelve numbers."""
    for i in range(9):
        numbers[first + i] = place.rotation[i]
    for i in range(3):
        numbers[first + 9 + i] = place.offset[i]


@kernel
def closest_listed(a: Body, b: Body, place: Placement, rounding: float, known: Array) -> ClosestPair:
    """Find the closest pair by the list alone; -1 where that cannot be told, or there is none."""
    best = ClosestPair(INFINITY, place.offset, place.offset, -1, -1)
    way = way_from(place, a.reach, known, ROTATION) + 4.0 * rounding
    for k in range(int(known[N_PAIRS])):
        at = PAIRS + 3 * k
        if known[at + 2] - way >= best.distance:
            continue
        p, q = int(known[at]), int(known[at + 1])
        distance, x, y = measured_pair(a.triangles, p, b.triangles, q, place, 0.0)
        if distance < best.distance:
            best = ClosestPair(distance, x, y, p, q)
    if not best.distance < known[BEYOND] - way:
        return ClosestPair(INFINITY, place.offset, place.offset, -1, -1)
    return best


@kernel
def list_pairs(a: Body, b: Body, now: Instant, least: float, way: float, known: Array) -> None:
    """Make a new list for bodies that are this far apart, and have gone that way since the last time."""
    known[N_PAIRS] = 0.0
    if known[REST] > 0.0 or not way > 0.0:
        known[REST] = max(known[REST] - 1.0, 0.0)
        return
    pairs, distances = np.empty((MOST_PAIRS, 2), np.int32), np.empty(MOST_PAIRS)
    beyond = least + BEYOND_BY * way
    n, is_truncated = collect_pairs(a, b, now, beyond, pairs, distances)
    if is_truncated:
        known[LAST_REST] = min(2.0 * known[LAST_REST] + 1.0, LONGEST_REST)
        known[REST] = known[LAST_REST]
        return
    known[N_PAIRS], known[BEYOND], known[LAST_REST] = n, beyond, 0.0
    write_place(now.place, known, ROTATION)
    _write_pairs(pairs, distances, n, known)


@kernel
def _write_pairs(pairs: Ids, distances: Array, n: int, known: Array) -> None:
    """Write n pairs, the nearest first: most others are then not worth a look."""
    nearest = 0
    for k in range(n):
        if distances[k] < distances[nearest]:
            nearest = k
    for k in range(n):
        other = nearest if k == 0 else (0 if k == nearest else k)
        at = PAIRS + 3 * k
        known[at], known[at + 1], known[at + 2] = pairs[other, 0], pairs[other, 1], distances[other]
