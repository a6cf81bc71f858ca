"""All pairs of faces that meet at an instant, of two meshes or of one with itself. Decided exactly.

Trees of boxes find the pairs that may; what two triangles share is named (narrowphase/triangles/crossing.py).
Of one mesh alone, faces with a common corner always share that, and faces with a common edge share that:
they count where they share more.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_threads
from firstcontact._lanes import WIDTH
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.face_blocks import face_blocks
from firstcontact.hierarchy.block_traversal import (
    BOX_TESTS,
    BOX_UPDATES,
    N_COUNTS,
    BlockPairing,
    Seen,
    block_stack_size,
    next_leaf_pairs,
    push_roots,
)
from firstcontact.hierarchy.box_blocks import BoxBlocks
from firstcontact.hierarchy.shares import Shares, dealt
from firstcontact.proximity.touching.face_leaves import leaf_room, list_leaf_crossings
from firstcontact.proximity.touching.face_pairs import FACE_A, FACE_B, N_COLUMNS, Placed, Standing, settled
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Loads of a run: of the first, which one thread does, since most are done with it; and of others.
FIRST_LOADS, LOADS = 1 << 7, 1 << 14

# Pairs of leaves of a load, and room for the pairs of faces that a thread finds in one run: some loads.
LEAF_PAIRS = 64
ROOM = 4 * WIDTH * WIDTH * LEAF_PAIRS

# What boxes are widened by, in units of how far from zero anything is, in its own frame or placed: a vertex
# that is placed is rounded (4 u), so are boxes into their units (2 u each), the relative place (12 u) and the
# box around a turned box (9 u), and two rotations are not quite such (96 u each: three times what an entry of
# R^T R - I may be); and room.
ROUNDING = 256.0 * UNIT_ROUNDOFF


class Vertices(NamedTuple):
    """Those of a mesh and its faces, in arrays of the kind that all others are, which can be written to.

    reach : how far from zero they are
    """

    vertices: Array
    faces: Ids
    reach: float


class Team(NamedTuple):
    """One row a thread: what its last run found, (ROOM, N_COLUMNS), and how many rows that are.

    n_boxes, n_tested : pairs of boxes around faces, and pairs of faces, that were looked at in it
    """

    found: Ids
    n_found: NDArray[np.int64]
    n_boxes: NDArray[np.int64]
    n_tested: NDArray[np.int64]


class Crossings(NamedTuple):
    """Pairs of faces that meet, (n, N_COLUMNS), ascending, and what was done to find them.

    volume_tests, triangle_tests, volume_updates : pairs of bounding volumes compared, pairs of faces looked
        at, and volumes seen from another frame
    """

    rows: Ids
    volume_tests: int
    triangle_tests: int
    volume_updates: int


NONE = Crossings(np.empty((0, N_COLUMNS), np.int32), 0, 0, 0)

# Lists pairs: what is left to do, where to, how many loads, and which thread.
Lister = Callable[[Shares, Team, int, int], None]


@OnceForEachMesh
def vertices_of(mesh: Mesh) -> Vertices:
    """Vertices and faces of a mesh."""
    reach = float(np.abs(mesh.vertices).sum(axis=1).max(initial=0.0))
    return Vertices(mesh.vertices.copy(), mesh.faces.copy(), reach)


def standing(mesh: Mesh, pose: Array) -> Standing:
    """A mesh in a pose, for what its faces share with others."""
    vertices, faces, _ = vertices_of(mesh)
    return Standing(vertices, faces, pose.copy())


def placed(mesh: Mesh, pose: Array, leaves: Ids, joined: Ids | None = None) -> Placed:
    """A mesh in a pose, and leaves of its faces; `joined` has one number for vertices at one place."""
    vertices, faces, _ = vertices_of(mesh)
    return Placed(vertices, faces, pose.copy(), faces if joined is None else joined, leaves)


def crossings_of_two(a: Mesh, b: Mesh, poses: tuple[Array, Array]) -> Crossings:
    """List the pairs of faces of two meshes that meet in their poses."""
    if a.n_faces == 0 or b.n_faces == 0:
        return NONE
    tree_a, tree_b = face_blocks(a), face_blocks(b)
    margin = _margin(a, poses[0]) + _margin(b, poses[1])
    pairing = BlockPairing(
        tree_a.boxes,
        tree_a.children,
        tree_b.boxes,
        tree_b.children,
        _seen(tree_a, poses[0], tree_b, poses[1], margin),
        _seen(tree_b, poses[1], tree_a, poses[0], margin),
        False,
    )
    sides = placed(a, poses[0], tree_a.leaves), placed(b, poses[1], tree_b.leaves)
    return _found(*sides, pairing, block_stack_size(tree_a, tree_b), False)


def crossings_of_one(mesh: Mesh, pose: Array, joined: Ids, any_will_do: bool = False) -> Crossings:
    """List the pairs of faces of a mesh that meet elsewhere than in what they have in common.

    With `any_will_do`, at least one if there is any.
    """
    if mesh.n_faces == 0:
        return NONE
    tree, here = face_blocks(mesh), np.eye(4)
    seen = _seen(tree, here, tree, here, 2.0 * _margin(mesh, pose))
    pairing = BlockPairing(tree.boxes, tree.children, tree.boxes, tree.children, seen, seen, True)
    side = placed(mesh, pose, tree.leaves, joined)
    return _found(side, side, pairing, block_stack_size(tree, tree), any_will_do)


def _margin(mesh: Mesh, pose: Array) -> float:
    # Besides, what is so short that its digits are lost: places of denormal numbers are off by themselves.
    return ROUNDING * (vertices_of(mesh).reach + float(np.abs(pose[:3, 3]).sum())) + SHORTEST


def _seen(tree: BoxBlocks, pose: Array, other: BoxBlocks, place: Array, margin: float) -> Seen:
    """How a tree in a pose is seen from another in its place: boxes are scaled, about a middle."""
    turn, ratio = place[:3, :3].T, other.factor / tree.factor
    rotation = turn @ pose[:3, :3]
    offset = turn @ (pose[:3, 3] - place[:3, 3]) * other.factor
    x, y, z = (ratio * (rotation @ np.array(tree.middle)) + offset - np.array(other.middle)).tolist()
    # Boxes are compared at twice their size.
    return Seen(cast("Mat3", tuple(rotation.ravel().tolist())), (x, y, z), ratio, 2.0 * margin * other.factor)


def _found(a: Placed, b: Placed, pairing: BlockPairing, room: int, any_will_do: bool) -> Crossings:
    work = Shares(np.empty((1, room, 2), np.int32), np.zeros(1, np.int64), np.zeros((1, N_COUNTS), np.int64))
    work.tops[0] = push_roots(pairing, work.stacks[0], work.counts[0])

    def run(work: Shares, team: Team, loads: int, thread: int) -> None:
        _list_faces(a, b, pairing, work, team, loads, thread)

    rows, (n_boxes, n_tested), counts = gathered(a, b, work, run, any_will_do)
    return Crossings(ordered(rows), int(counts[BOX_TESTS]) + n_boxes, n_tested, int(counts[BOX_UPDATES]))


def gathered(
    a: Placed, b: Placed, work: Shares, run: Lister, any_will_do: bool = False
) -> tuple[Ids, tuple[int, int], NDArray[np.int64]]:
    """Let threads list pairs until none is left, or, if any will do, until there is one.

    What is left is dealt out anew after each run. Returns pairs in no order, how many boxes around faces and
    how many faces were looked at, and what the traversal has counted.
    """
    rows, n_rows, n_boxes, n_tested = [np.empty((0, N_COLUMNS), np.int32)], 0, 0, 0
    counts, loads, room = np.zeros(work.counts.shape[1], np.int64), FIRST_LOADS, work.stacks.shape[1]
    while work.tops.any() and not (any_will_do and n_rows > 0):
        n = len(work.tops)
        team = Team(np.empty((n, ROOM, N_COLUMNS), np.int32), *np.zeros((3, n), np.int64))
        on_threads(partial(run, work, team, loads), n)
        for thread, count in enumerate(team.n_found.tolist()):
            rows.append(settled(a, b, team.found[thread, :count]))
            n_rows += len(rows[-1])
        n_boxes, n_tested = n_boxes + int(team.n_boxes.sum()), n_tested + int(team.n_tested.sum())
        counts += work.counts.sum(axis=0)
        if work.tops.any():
            work, loads = dealt(work, room), LOADS
    return np.concatenate(rows), (n_boxes, n_tested), counts


def ordered(found: Ids) -> Ids:
    """Sort rows by their faces."""
    # One number for both, which is sorted in half the time of two.
    keys = found[:, FACE_A].astype(np.int64) << 32 | found[:, FACE_B]
    return found[np.argsort(keys)]


@driver
def _list_faces(
    a: Placed, b: Placed, pairing: BlockPairing, work: Shares, team: Team, loads: int, thread: int
) -> None:
    """Do a part of a thread's share of the pairs of two meshes, or of one."""
    found, n = team.found[thread], 0
    stack, top, counts = work.stacks[thread], work.tops[thread], work.counts[thread]
    pairs, room = np.empty((LEAF_PAIRS, 2), np.int32), leaf_room()
    while loads > 0 and top > 0 and n + WIDTH * WIDTH * LEAF_PAIRS <= len(found):
        loads -= 1
        n_pairs, top = next_leaf_pairs(pairing, stack, top, pairs, counts)
        n, n_boxes, n_faces = list_leaf_crossings(a, b, pairing.is_self, pairs[:n_pairs], found, n, room)
        team.n_boxes[thread] += n_boxes
        team.n_tested[thread] += n_faces
    work.tops[thread], team.n_found[thread] = top, n
