"""Contacts along many paths, by either method."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.goal import Options, nearness
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.inside_at_start import find_inside
from firstcontact.articulated.paths.joint_curves import JointCurves, joints_of, rows_in
from firstcontact.articulated.paths.path_advancement import advance
from firstcontact.articulated.paths.path_resting import is_at_rest, touch_at_rest
from firstcontact.articulated.paths.path_sifting import cut, n_starts, sift, sift_starts, tightest_start
from firstcontact.articulated.paths.path_subdivision import subdivide
from firstcontact.articulated.paths.path_types import (
    N_COUNTS,
    SUBDIVISION,
    Hit,
    Interval,
    PathGoal,
    PathPiece,
    PathsFound,
    Work,
    make_work,
    no_paths,
)
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_table import IS_CLOSED, MeshTable
from firstcontact.motions.rigid_motion import DEVIATION

# `WorldRows`, and joints that are searched along their polynomials.
Along = tuple[Geometries, Ids, Ids, Array, Array, Array, JointCurves | None]

# Paths from which several threads are worth their start.
WORTH_A_THREAD = 8


def search_paths(world: WorldMotions, options: Options) -> PathsFound:
    """Look for a contact along each path."""
    n = len(world.rows)
    found = no_paths(n)
    if len(world.pairs) == 0:
        return found

    def task(first: int, last: int) -> None:
        work = make_work(world.sizes, world.meshes, 0)
        _search(world, options, work, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


def record_path(world: WorldMotions, options: Options, i: int) -> Array:
    """Search one path once more; return the records of the proof, (k, N_RECORD), up to a contact."""
    one = world.part(i, i + 1)
    room = 1 << 12
    while True:
        work = make_work(world.sizes, world.meshes, room)
        if len(world.pairs) > 0:
            _search(one, options, work, no_paths(1), 0, 1)
        n = int(work.n_records[0])
        if n <= room:
            return work.records[:n].copy()
        room = n


def _search(
    world: WorldMotions, options: Options, work: Work, found: PathsFound, first: int, last: int
) -> None:
    motion = (
        world.geometries,
        world.parents,
        world.pairs,
        world.rows,
        world.times,
        world.roundings,
    )
    along = *motion, world.curves
    # Who subdivides has no clocks, and is compiled without the other method.
    clocks = None if options.method == SUBDIVISION else np.empty((2, len(world.pairs)))
    _search_range(world.meshes, along, options, work, clocks, found, (first, last))
    if world.meshes is not None and world.meshes.extents[:, IS_CLOSED].any():
        find_inside(world.meshes, motion, options, work, found, (first, last), world.curves is None)


def note_inside(world: WorldMotions, options: Options, found: PathsFound) -> None:
    """Note pairs one of which is inside the other, a closed mesh, when a path starts."""
    if len(world.pairs) > 0 and world.meshes is not None and world.meshes.extents[:, IS_CLOSED].any():
        motion = (world.geometries, world.parents, world.pairs, world.rows, world.times, world.roundings)
        work = make_work(world.sizes, world.meshes, 0)
        find_inside(world.meshes, motion, options, work, found, (0, len(world.rows)), False)


@driver
def _search_range(
    meshes: MeshTable | None,
    motion: Along,
    options: Options,
    work: Work,
    clocks: Array | None,
    found: PathsFound,
    part: tuple[int, int],
) -> None:
    room = np.empty(motion[3].shape[2:])
    for i in range(part[0], part[1]):
        hit = search_path(meshes, motion, options, work, clocks, room, i)
        if hit.pair >= 0:
            found.pairs[i], found.times[i] = hit.pair, hit.time
        for k in range(N_COUNTS):  # a row at once would compile the words of an error about shapes: 2 s
            found.counts[i, k] = work.counts[k]


@kernel
def search_path(
    meshes: MeshTable | None,
    motion: Along,
    options: Options,
    work: Work,
    clocks: Array | None,
    room: Array,
    i: int,
) -> Hit:
    """Look for a contact along one path, piece by piece; room (n_frames, 26) is for rows along curves."""
    shapes, parents, pairs, rows, times, roundings, curves = motion
    work.shape_states[:] = np.nan
    work.guides[:] = 0.0
    work.counts[:] = 0
    hit = Hit(-1, np.inf, False)
    for k in range(rows.shape[1]):
        margin, target, tolerance = nearness(options, roundings[i], deviation_of_rows(rows[i, k]))
        goal = PathGoal(times[k], times[k + 1], margin, target, 0.25 * tolerance, options.is_first)
        own = rows_in(curves, rows[i, k], room)
        piece = PathPiece(shapes, parents, pairs, own, joints_of(curves, i, times[k]))
        hit = search_piece(piece, meshes, goal, work, clocks)
        if hit.pair >= 0:
            break
    return hit


@kernel
def deviation_of_rows(rows: Array) -> float:
    """How far frames that move by rows (n_frames, N_COLUMNS) can be from there.

    Of two obstacles no pair is looked at. Where joints deviate, the first row has what any pair may be off.
    """
    deviation = 0.0
    for f in range(len(rows)):
        deviation = max(deviation, rows[f, DEVIATION])
    return deviation


@kernel
def search_piece(
    piece: PathPiece, meshes: MeshTable | None, goal: PathGoal, work: Work, clocks: Array | None
) -> Hit:
    """Look for contacts of all pairs between two times: cut them into intervals, and search one by one.

    For the first contact, in this order. For any, all are looked at as wholes; then the tightest is first.
    """
    if is_at_rest(piece):
        return touch_at_rest(piece, meshes, goal, work)
    n_pairs, n, hit = len(piece.pairs), n_starts(piece, goal, work), Hit(-1, np.inf, False)
    end = n_pairs
    if not goal.is_first:
        end, hit = sift_starts(piece, meshes, goal, work, n)
    for i in range(n if hit.pair < 0 else 0):
        if goal.is_first:
            span = cut(goal, i, n)
            sifted = sift(piece, meshes, goal, work, span, (0, n_pairs, n_pairs))
            interval, hit = Interval(span[0], span[1], n_pairs, sifted.end), sifted.hit
        else:
            interval = tightest_start(work, n, end)
        if clocks is None:
            hit = subdivide(piece, meshes, goal, work, interval, hit)
        else:
            hit = advance(piece, meshes, goal, work, clocks, interval, hit)
        if hit.pair >= 0:
            return hit
    return hit
