"""What is asked of paths, room to work in, and what is found: what both methods share."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.frames import N_STATE, place_frames
from firstcontact.articulated.paths.joint_curves import CurvedJoints, write_joints
from firstcontact.articulated.paths.shape_states import N_SHAPE_STATE
from firstcontact.bodies.mesh_table import MeshTable, stack_for_two
from firstcontact.bodies.wide_body import NodeStack
from firstcontact.proximity.distance.closest_pair import N_COUNTS as N_MESH_COUNTS
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3

METHODS = {"subdivision": 0, "advancement": 1}
SUBDIVISION, ADVANCEMENT = METHODS.values()

# What rounding may do to a distance that is less by a padding, in units of the padding.
PADDED = 8.0 * UNIT_ROUNDOFF

# Halvings of an interval, at the most: a double has no more digits.
MAX_DEPTH = 64

# Intervals that a path is cut into before anything is known, at the most.
MAX_STARTS = 128

# What is counted: times at which the frames were placed, pairs looked at, gaps and mesh distances computed.
PLACED, LOOKED_AT, GAPS, MESH_GAPS = range(4)
N_COUNTS = 4

# Columns of a record of a proof: the pair, when the interval begins and ends, a time of it, the gap at that
# time less the margin, the travel that it covers, and the direction of both; zeros where they have none.
PAIR, BEGIN, END, SEEN_AT, GAP, TRAVEL, DIRECTION = range(7)
N_RECORD = 9


# The records of `Work`, and how many there would be: to hand over all of that for each pair takes longest.
Records = tuple[Array, NDArray[np.int64]]

# Shapes, parents of frames, pairs, rows of all paths (n, k, frames, 26), times (k + 1,), roundings (n,).
WorldRows = tuple[Geometries, Ids, Ids, Array, Array, Array]


class PathsFound(NamedTuple):
    """Contacts of n paths: pair, -1 where there is none, time (n,), and counts (n, N_COUNTS)."""

    pairs: Ids
    times: Array
    counts: NDArray[np.int64]


class PathGoal(NamedTuple):
    """What is looked for along a piece of a path.

    start, end : times between which
    margin : distance that counts as contact, and that rounding may hide
    target : distance at which a pair counts as in contact
    step : travel over which a contact is not placed more exactly
    is_first : whether the first contact is asked for; else any will do
    """

    start: float
    end: float
    margin: float
    target: float
    step: float
    is_first: bool


class Interval(NamedTuple):
    """A part of a piece, and where the list of pairs that are not settled for it begins and ends."""

    start: float
    end: float
    first: int
    last: int


class PathPiece(NamedTuple):
    """Shapes on a forest of frames, the pairs of them, and how the frames move between two times.

    joints : those that go along curves, by which rows are written for each time; None where there are none
    """

    shapes: Geometries
    parents: Ids
    pairs: Ids
    rows: Array
    joints: CurvedJoints | None


class Starts(NamedTuple):
    """Intervals that were looked at as wholes.

    spans : (n, 2) when they begin and end
    extents : (n, 2) int64, where the list of pairs that they left begins and ends
    ratios : (n,) how nearly all is settled
    """

    spans: Array
    extents: NDArray[np.int64]
    ratios: Array


class Work(NamedTuple):
    """Room to work in.

    states, shape_states, guides : of frames, shapes and pairs
    lists : pairs that are not settled, list after list
    starts : those that a piece was cut into
    stack : for the trees of meshes
    bounds, extents : intervals that wait: from when to when, and where their lists begin and end
    counts, mesh_counts : (N_COUNTS,), and of the search through trees of meshes
    records : (k, N_RECORD), as many as there is room for
    n_records : (1,) how many there would be, if there is room for any
    """

    states: Array
    shape_states: Array
    guides: Array
    lists: Ids
    starts: Starts
    stack: NodeStack
    bounds: Array
    extents: NDArray[np.int64]
    counts: NDArray[np.int64]
    mesh_counts: NDArray[np.int64]
    records: Array
    n_records: NDArray[np.int64]


class Hit(NamedTuple):
    """A pair in contact, -1 for none, and when; `is_placed`: there is none before, and it is that close."""

    pair: int
    time: float
    is_placed: bool


class Sifted(NamedTuple):
    """What an interval leaves: the end of the list of pairs, one in contact, how nearly all are settled."""

    end: int
    hit: Hit
    ratio: float


def no_paths(n: int) -> PathsFound:
    """Nothing found, yet, of n paths."""
    return PathsFound(np.full(n, -1, np.int32), np.full(n, np.inf), np.zeros((n, N_COUNTS), np.int64))


def make_work(sizes: tuple[int, int, int], meshes: MeshTable | None, n_records: int) -> Work:
    """Make room for so many frames, shapes and pairs, and for meshes."""
    n_frames, n_shapes, n_pairs = sizes
    return Work(
        np.zeros((n_frames, N_STATE)),
        np.full((n_shapes, N_SHAPE_STATE), np.nan),
        np.zeros((n_pairs, 3)),
        np.empty(n_pairs * (MAX_DEPTH + MAX_STARTS + 2), np.int32),
        Starts(np.empty((MAX_STARTS, 2)), np.empty((MAX_STARTS, 2), np.int64), np.empty(MAX_STARTS)),
        stack_for_two(meshes),
        np.empty((MAX_DEPTH + MAX_STARTS + 2, 2)),
        np.empty((MAX_DEPTH + MAX_STARTS + 2, 2), np.int64),
        np.zeros(N_COUNTS, np.int64),
        np.zeros(N_MESH_COUNTS, np.int64),
        np.empty((n_records, N_RECORD)),
        np.zeros(1, np.int64),
    )


@kernel
def goal_for(goal: PathGoal, padding: float) -> PathGoal:
    """What is looked for of a pair that its padding brings nearer."""
    if padding == 0.0:
        return goal
    margin = goal.margin + (1.0 + PADDED) * padding
    target = max(goal.target + padding, margin)
    return PathGoal(goal.start, goal.end, margin, target, goal.step, goal.is_first)


@kernel
def place_piece(piece: PathPiece, n: int, t: float, span: float, states: Array) -> None:
    """Write the states of the first n frames at a time; bends hold over a span around it."""
    write_joints(piece.joints, piece.rows, n, t, span, states)
    place_frames(piece.rows[:n], piece.parents[:n], t, states)


@kernel
def keep_record(
    kept: Records, p: int, span: tuple[float, float], t: float, gap: float, travel: float, n: Vec3
) -> None:
    """Keep the proof, by what was seen at t, that a pair is apart throughout an interval."""
    records, n_records = kept
    if len(records) == 0:  # nobody asks for it
        return
    k = n_records[0]
    if k < len(records):
        record = records[k]
        record[PAIR], record[BEGIN], record[END], record[SEEN_AT] = p, span[0], span[1], t
        record[GAP], record[TRAVEL] = gap, travel
        record[DIRECTION], record[DIRECTION + 1], record[DIRECTION + 2] = n
    n_records[0] = k + 1
