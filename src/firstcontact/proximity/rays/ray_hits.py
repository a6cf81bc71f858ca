"""Rays, and where they meet something: what all casts have in common."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.errors import too_many
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, sub

# All hits listed unless told otherwise: 64 bytes each.
MOST_HITS = 10_000_000

# Shorter directions lose digits as they are turned.
SHORTEST_DIRECTION = 2.0**-1000

# What is wanted of each ray. All hits are counted before there is room for them.
FIRST, ANY, COUNT, ALL = range(4)

# Rays from which several threads are worth their start.
WORTH_A_THREAD = 512

# Times beyond this are this: infinity is for rays that meet nothing.
LARGEST = float(np.finfo(np.float64).max)


class Rays(NamedTuple):
    """Rays in the world, and the pose of what they are cast at.

    origins, directions : (n, 3), or (1, 3) for all
    rotation, position : of the body's frame
    min_time, max_time : hits earlier or later than these do not count
    """

    origins: Array
    directions: Array
    rotation: Mat3
    position: Vec3
    min_time: float
    max_time: float


class Hits(NamedTuple):
    """What n rays meet; of ray i the rows [starts[i], starts[i + 1]), of which there is one unless all count.

    starts : (n + 1,) int64
    times : (k,), inf where nothing is met
    faces : (k,) int32, -1 where there is none
    points, normals : (k, 3) in the world, in the plane (k, 2), NaN where nothing is met
    """

    starts: NDArray[np.int64]
    times: Array
    faces: Ids
    points: Array
    normals: Array


Cast = Callable[[Hits, int, int, int], None]


def collect(cast: Cast, n: int, wanted: int, most: int, has_points: bool = True, dimension: int = 3) -> Hits:
    """Cast n rays with ``cast(hits, wanted, first, last)``, on all threads where that is worth it.

    More than `most` hits, where all are wanted, are an error. Room for points and normals is made on wish.
    """
    if wanted != ALL:
        return _run(cast, _room(np.arange(n + 1), has_points, dimension), wanted)
    counted = _run(cast, _room(np.zeros(n + 1, np.int64)), COUNT)
    starts = np.cumsum(counted.starts)
    if starts[-1] > most:
        raise too_many("hits", "max_hits", most)
    return _run(cast, _room(starts, has_points, dimension), ALL)


def _run(cast: Cast, hits: Hits, wanted: int) -> Hits:
    def task(first: int, last: int) -> None:
        cast(hits, wanted, first, last)

    on_ranges(task, len(hits.starts) - 1, WORTH_A_THREAD)
    return hits


def _room(starts: NDArray[np.int64], has_points: bool = True, dimension: int = 3) -> Hits:
    k = int(starts[-1])
    points, normals = np.empty((2, k if has_points else 0, dimension))
    return Hits(starts, np.empty(k), np.empty(k, np.int32), points, normals)


def missed(n: int, wanted: int, dimension: int = 3) -> Hits:
    """Give what n rays meet where there is nothing."""
    hits = _room(np.zeros(n + 1, np.int64) if wanted == ALL else np.arange(n + 1), True, dimension)
    for array in (hits.points, hits.normals):
        array.fill(np.nan)
    hits.times.fill(np.inf)
    hits.faces.fill(-1)
    return hits


@driver
def first_short(directions: Array) -> int:
    """Which is the first direction that is zero, or shorter than directions may be? -1 where none is."""
    for i in range(len(directions)):
        longest = 0.0
        for k in range(directions.shape[1]):
            longest = max(longest, abs(directions[i, k]))
        if longest < SHORTEST_DIRECTION:
            return i
    return -1


@kernel
def vector_at(vectors: Array, i: int) -> Vec3:
    """Vector of ray i: one may go for all."""
    k = min(i, len(vectors) - 1)
    return vectors[k, 0], vectors[k, 1], vectors[k, 2]


@kernel
def in_body(rotation: Mat3, position: Vec3, o: Vec3, d: Vec3) -> tuple[Vec3, Vec3]:
    """Origin and direction of a ray in the world, as seen in the body's frame; exact in the identity pose."""
    back = transposed(rotation)
    return mat_vec(back, sub(o, position)), mat_vec(back, d)


@kernel
def write_miss(hits: Hits, row: int) -> None:
    """Say that a ray meets nothing."""
    hits.times[row], hits.faces[row] = np.inf, -1
    for k in range(3):
        hits.points[row, k] = hits.normals[row, k] = np.nan


@kernel
def write_hit(hits: Hits, row: int, rays: Rays, i: int, time: float, normal: Vec3) -> None:
    """Say where, in the world, ray i meets something that has this normal in the body's frame."""
    o, d, n = vector_at(rays.origins, i), vector_at(rays.directions, i), mat_vec(rays.rotation, normal)
    hits.times[row] = time
    for k in range(3):
        hits.points[row, k], hits.normals[row, k] = o[k] + time * d[k], n[k]
