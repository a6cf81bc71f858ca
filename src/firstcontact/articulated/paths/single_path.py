"""One path of a robot among things at rest, in one call of compiled code: a world in arrays, and its search.

The same functions look for contacts of batches (`path_contacts`), so the answers are the same. What else a
world may hold is left to those: obstacles that move, robots among them, fields, and joints along splines.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.goal import NO_LIMIT, Options
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.articulated.model.kinematic_tree import Frames, KinematicTree
from firstcontact.articulated.model.world_shapes import Geometries, WorldShapes
from firstcontact.articulated.paths.frame_rows import write_rows
from firstcontact.articulated.paths.frames import N_STATE, do_rest
from firstcontact.articulated.paths.inside_at_start import pair_inside
from firstcontact.articulated.paths.path_contacts import search_path
from firstcontact.articulated.paths.path_types import (
    MAX_DEPTH,
    MAX_STARTS,
    N_COUNTS,
    N_RECORD,
    SUBDIVISION,
    Starts,
    Work,
    WorldRows,
)
from firstcontact.articulated.paths.settled_rows import settle
from firstcontact.articulated.paths.shape_states import FRAME, N_ATTACHMENT, N_SHAPE_STATE
from firstcontact.bodies.mesh_table import IS_CLOSED, MeshTable, stack_in, table_in
from firstcontact.bounds.swept_sphere import N_COLUMNS as N_VOLUME
from firstcontact.motions.origin_range import UP
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    END_TIME,
    N_COLUMNS,
    POSITION,
    ROTATION,
    VELOCITY,
)
from firstcontact.proximity.distance.closest_pair import N_COUNTS as N_MESH_COUNTS
from firstcontact.scalar.vec3 import norm
from firstcontact.shapes.convex import N_COLUMNS as N_RECORD_OF_SHAPE

# Numbers before the arrays: how many frames, shapes and pairs, and numbers of the pool; beyond which reach of
# the robot the world is another; the origin that places count from, and the step between such origins, 0
# where there is but one.
N_FRAMES, N_SHAPES, N_PAIRS, N_POOL, REACH, ORIGIN, STEP = 0, 1, 2, 3, 4, 5, 8
HEAD = 9

# In the place of a time: this world does not answer.
LEFT = -1.0

# What the search is told of where the robot's root stands, where that is the origin of the world.
NO_BASE = np.empty((0, 4, 4))
NO_BASE.flags.writeable = False


class SingleWorld(NamedTuple):
    """A robot and things at rest, as compiled code takes them.

    numbers : the head; records, pool, volumes, attachments and paddings of `Geometries`; drives, origins and
        axes of `Frames`; (n_shapes,) how far each shape of the robot gets from its frame, -inf of others
    links : parents, pairs, meshes; kinds and columns of `Frames`
    meshes : the arrays of a `PackedTable`, or None
    """

    numbers: Array
    links: Ids
    meshes: tuple[Array, Ids, Keys] | None


def single_world(
    shapes: WorldShapes, tree: KinematicTree, reach: float, origin: Array, step: float
) -> SingleWorld:
    """Pack a world in which nothing but the robot, the first of its actors, moves."""
    known, frames, packed = shapes.geometries, tree.frames, shapes.packed
    head = np.zeros(HEAD)
    head[: REACH + 1] = len(shapes.parents), len(shapes.pieces), len(shapes.pairs), len(known.pool), reach
    head[ORIGIN:STEP], head[STEP] = origin, step
    ways = np.full(len(shapes.pieces), -np.inf)
    for k in shapes.actors[0].pieces:
        piece = shapes.pieces[k]
        ways[k] = float(np.linalg.norm(piece.pose[:3, 3])) + piece.shape.reach
    own = known.records, known.pool, known.volumes, known.attachments, known.paddings
    floats = head, *own, frames.drives, frames.origins, frames.axes, ways
    whole = shapes.parents, shapes.pairs, known.meshes, frames.kinds, frames.columns
    return SingleWorld(
        np.concatenate([array.reshape(-1) for array in floats]),
        np.concatenate([array.reshape(-1).astype(np.int32) for array in whole]),
        None if packed is None else (packed.numbers, packed.links, packed.extents),
    )


@driver
def find_contact(
    numbers: Array,
    links: Ids,
    packed: tuple[Array, Ids, Keys],
    way: tuple[Array, Array, Array],
    asked: tuple[float, float, bool, bool],
) -> float:
    """Look for a contact along one path: when it is, `inf` for none, or `LEFT`.

    way : configurations (1, k + 1, dof), times (k + 1,), where the root stands: (1, 4, 4) or `NO_BASE`
    asked : tolerance, least separation, whether the first contact is asked for, or an instant
    """
    return _find(numbers, links, table_in(packed[0], packed[1], packed[2]), way, asked)


@driver
def find_contact_of_convexes(
    numbers: Array, links: Ids, way: tuple[Array, Array, Array], asked: tuple[float, float, bool, bool]
) -> float:
    """Look for a contact where no shape is a mesh: the search is compiled without what they take."""
    return _find(numbers, links, None, way, asked)


@kernel
def _find(
    numbers: Array,
    links: Ids,
    meshes: MeshTable | None,
    way: tuple[Array, Array, Array],
    asked: tuple[float, float, bool, bool],
) -> float:
    """Look for a contact along one path, as `find_contact` says."""
    values, times, base = way
    if asked[3] and not _is_resting(values):
        return LEFT
    shapes, parents, pairs, frames = _world_in(numbers, links)
    rows = np.zeros((1, len(times) - 1, len(parents), N_COLUMNS))
    write_rows(frames, values, times, rows)
    if len(base) > 0 and not _put(base, numbers, rows):
        return LEFT
    if numbers[REACH] < np.inf and _reach(numbers, shapes, parents, rows) > numbers[REACH]:
        return LEFT
    roundings = np.empty(1)
    settle(rows, parents, shapes.attachments, numbers[ORIGIN:STEP], roundings)
    work = _room(len(parents), len(shapes.meshes), len(pairs), meshes)
    options = Options(asked[0], asked[1], NO_LIMIT, SUBDIVISION, asked[2])
    own_times = times.copy()  # can be written to, as those of batches: else the search were compiled twice
    motion = (shapes, parents, pairs, rows, own_times, roundings)
    along = (shapes, parents, pairs, rows, own_times, roundings, None)
    hit = search_path(meshes, along, options, work, None, np.empty((0, 0)), 0)
    time = hit.time if hit.pair >= 0 else np.inf
    is_open = time > times[0] and (hit.pair < 0 or asked[2]) and not do_rest(rows[0, 0])
    return times[0] if is_open and _begins_inside(meshes, motion, work) else time


@kernel
def _world_in(numbers: Array, links: Ids) -> tuple[Geometries, Ids, Ids, Frames]:
    """Read shapes, the parents of frames, pairs, and the joints."""
    n_frames, n, n_pairs = int(numbers[N_FRAMES]), int(numbers[N_SHAPES]), int(numbers[N_PAIRS])
    pool = HEAD + n * N_RECORD_OF_SHAPE
    volumes = pool + int(numbers[N_POOL])
    attachments = volumes + n * N_VOLUME
    paddings = attachments + n * N_ATTACHMENT
    drives = paddings + n_pairs
    origins = drives + 2 * n_frames
    axes = origins + 12 * n_frames
    meshes = n_frames + 3 * n_pairs
    kinds, columns = np.empty(n_frames, np.int64), np.empty(n_frames, np.int64)
    for f in range(n_frames):
        kinds[f], columns[f] = links[meshes + n + f], links[meshes + n + n_frames + f]
    shapes = Geometries(
        numbers[HEAD:pool].reshape(n, N_RECORD_OF_SHAPE),
        numbers[pool:volumes],
        numbers[volumes:attachments].reshape(n, N_VOLUME),
        numbers[attachments:paddings].reshape(n, N_ATTACHMENT),
        links[meshes : meshes + n],
        numbers[paddings:drives],
    )
    frames = Frames(
        kinds,
        columns,
        numbers[drives:origins].reshape(n_frames, 2),
        numbers[origins:axes].reshape(n_frames, 12),
        numbers[axes : axes + 3 * n_frames].reshape(n_frames, 3),
    )
    return shapes, links[:n_frames], links[n_frames:meshes].reshape(n_pairs, 3), frames


@kernel
def _is_resting(values: Array) -> bool:
    for k in range(1, values.shape[1]):
        for c in range(values.shape[2]):
            if values[0, k, c] != values[0, 0, c]:
                return False
    return True


@kernel
def _put(base: Array, numbers: Array, rows: Array) -> bool:
    """Let the first frame stand where the root does; False where places count from elsewhere then."""
    for c in range(3):
        step = numbers[STEP]
        if np.rint(base[0, c, 3] / step) * step != numbers[ORIGIN + c]:
            return False
    for k in range(rows.shape[1]):
        row = rows[0, k, 0]
        for c in range(3):
            for d in range(3):
                row[ROTATION + 3 * c + d] = base[0, c, d]
            row[POSITION + c] = base[0, c, 3]
    return True


@kernel
def _reach(numbers: Array, shapes: Geometries, parents: Ids, rows: Array) -> float:
    """How far from the origin of the world the robot may get, as `robot_reach` says."""
    n_frames, n = len(parents), len(shapes.meshes)
    lengths, ways, most = np.zeros(n_frames), len(numbers) - n, 0.0
    for f in range(n_frames):
        for k in range(rows.shape[1]):
            row = rows[0, k, f]
            place = norm((row[POSITION], row[POSITION + 1], row[POSITION + 2]))
            speed = norm((row[VELOCITY], row[VELOCITY + 1], row[VELOCITY + 2]))
            lengths[f] = max(lengths[f], place + speed * (row[END_TIME] - row[BASE_TIME]))
        if parents[f] >= 0:
            lengths[f] += lengths[parents[f]]
    for i in range(n):
        frame = int(shapes.attachments[i, FRAME])
        most = max(most, numbers[ways + i] + (lengths[frame] if frame >= 0 else 0.0))
    return UP * most


@kernel
def _begins_inside(meshes: MeshTable | None, motion: WorldRows, work: Work) -> bool:
    """Is something inside a closed mesh when the path starts?"""
    if meshes is None:
        return False
    n_closed = 0
    for m in range(len(meshes.extents)):
        n_closed += meshes.extents[m, IS_CLOSED]
    return n_closed > 0 and pair_inside(meshes, motion, work, 0) >= 0


@kernel
def _room(n_frames: int, n_shapes: int, n_pairs: int, meshes: MeshTable | None) -> Work:
    """Room to work in, as `make_work` gives it, for no records."""
    return Work(
        np.zeros((n_frames, N_STATE)),
        np.empty((n_shapes, N_SHAPE_STATE)),
        np.empty((n_pairs, 3)),
        np.empty(n_pairs * (MAX_DEPTH + MAX_STARTS + 2), np.int32),
        Starts(np.empty((MAX_STARTS, 2)), np.empty((MAX_STARTS, 2), np.int64), np.empty(MAX_STARTS)),
        stack_in(meshes),
        np.empty((MAX_DEPTH + MAX_STARTS + 2, 2)),
        np.empty((MAX_DEPTH + MAX_STARTS + 2, 2), np.int64),
        np.empty(N_COUNTS, np.int64),
        np.zeros(N_MESH_COUNTS, np.int64),
        np.empty((0, N_RECORD)),
        np.zeros(1, np.int64),
    )
