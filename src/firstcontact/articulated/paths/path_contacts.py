"""Contacts along many paths, by either method."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.inside_at_start import find_enclosed
from firstcontact.articulated.paths.path_advancement import advance
from firstcontact.articulated.paths.path_request import METHODS, Asked, PathsFound, no_paths
from firstcontact.articulated.paths.path_subdivision import (
    N_COUNTS,
    Course,
    Limits,
    Work,
    make_work,
    subdivide,
)
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_table import IS_CLOSED, MeshTable
from firstcontact.motions.rigid_motion import DEVIATION

# Tolerances are at least this many times what rounding may hide.
FLOOR = 64.0

# Paths from which several threads are worth their start.
WORTH_A_THREAD = 8


def search_paths(world: WorldMotions, asked: Asked) -> PathsFound:
    """Look for a contact along each path."""
    n = len(world.rows)
    found = no_paths(n)
    if len(world.pairs) == 0:
        return found

    def task(first: int, last: int) -> None:
        work = make_work(len(world.parents), len(world.pieces), len(world.pairs), 0)
        _search(world, asked, work, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


def record_path(world: WorldMotions, asked: Asked, i: int) -> Array:
    """Search one path once more; return the records of the proof, (k, N_RECORD), up to a contact."""
    one = world.part(i, i + 1)
    room = 1 << 12
    while True:
        work = make_work(len(world.parents), len(world.pieces), len(world.pairs), room)
        if len(world.pairs) > 0:
            _search(one, asked, work, no_paths(1), 0, 1)
        n = int(work.n_records[0])
        if n <= room:
            return work.records[:n].copy()
        room = n


def _search(world: WorldMotions, asked: Asked, work: Work, found: PathsFound, first: int, last: int) -> None:
    motion = world.parents, world.pairs, world.rows, world.times, world.roundings
    if asked.method == METHODS["subdivision"]:
        _subdivide_range(world.geometries, world.meshes, motion, asked, work, found, (first, last))
    else:
        _advance_range(world.geometries, world.meshes, motion, asked, work, found, (first, last))
    if world.meshes is not None and world.meshes.extents[:, IS_CLOSED].any():
        find_enclosed(world.geometries, world.meshes, motion, asked, work, found, (first, last))


@driver
def _subdivide_range(
    shapes: Geometries,
    meshes: MeshTable | None,
    motion: tuple[Ids, Ids, Array, Array, Array],
    asked: Asked,
    work: Work,
    found: PathsFound,
    span: tuple[int, int],
) -> None:
    parents, pairs, rows, times, roundings = motion
    for i in range(span[0], span[1]):
        work.shape_states[:] = np.nan
        work.guides[:] = 0.0
        work.counts[:] = 0
        for k in range(rows.shape[1]):
            course = Course(shapes, parents, pairs, rows[i, k], times[k], times[k + 1])
            limits = limits_of(asked, roundings[i], rows[i, k])
            hit = subdivide(course, meshes, limits, work)
            if hit.pair >= 0:
                found.pairs[i], found.times[i] = hit.pair, hit.time
                break
        for k in range(N_COUNTS):  # a row at once would compile the words of an error about shapes: 2 s
            found.counts[i, k] = work.counts[k]


@driver
def _advance_range(
    shapes: Geometries,
    meshes: MeshTable | None,
    motion: tuple[Ids, Ids, Array, Array, Array],
    asked: Asked,
    work: Work,
    found: PathsFound,
    span: tuple[int, int],
) -> None:
    parents, pairs, rows, times, roundings = motion
    for i in range(span[0], span[1]):
        work.shape_states[:] = np.nan
        work.guides[:] = 0.0
        work.counts[:] = 0
        for k in range(rows.shape[1]):
            course = Course(shapes, parents, pairs, rows[i, k], times[k], times[k + 1])
            limits = limits_of(asked, roundings[i], rows[i, k])
            hit = advance(course, meshes, limits, work)
            if hit.pair >= 0:
                found.pairs[i], found.times[i] = hit.pair, hit.time
                break
        for k in range(N_COUNTS):  # a row at once would compile the words of an error about shapes: 2 s
            found.counts[i, k] = work.counts[k]


@kernel
def limits_of(asked: Asked, rounding: float, rows: Array) -> Limits:
    """Distances that decide, while frames move by rows (n_frames, N_COLUMNS)."""
    tolerance, deviation = max(asked.tolerance, FLOOR * rounding), 0.0
    for f in range(len(rows)):  # joints have none, and of two obstacles no pair is looked at
        deviation = max(deviation, rows[f, DEVIATION])
    margin, target = asked.min_separation + rounding, asked.min_separation + 0.5 * tolerance
    return Limits(margin + deviation, target + deviation, 0.25 * tolerance, asked.is_first)
