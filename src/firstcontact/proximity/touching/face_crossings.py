"""All pairs of faces that meet at an instant, of two meshes or of one with itself. Decided exactly.

Trees of boxes find the pairs that may; what two triangles share is named (narrowphase/triangles/crossing.py).
Of one mesh alone, faces with a common corner always share that, and faces with a common edge share that:
they count where they share more.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_threads
from firstcontact.arrays import Array, Ids
from firstcontact.bounds.swept_bounds import swept_bounds
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.placed_traversal import PlacedPairing, next_placed_pairs, shared_subtrees
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.shares import NO_LIMIT, PAIRS, Shares, shared
from firstcontact.hierarchy.traversal import N_COUNTS, NODE_TESTS, Pairing, next_pairs
from firstcontact.hierarchy.tree import Tree
from firstcontact.narrowphase.triangles.crossing import MOST_POINTS
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE
from firstcontact.proximity.touching.face_pairs import (
    FACE_A,
    FACE_B,
    N_COLUMNS,
    Placed,
    list_crossings,
    list_own_crossings,
    settled,
)
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Room for the pairs that a thread finds in one run, and loads of pairs of a run.
ROOM = 1 << 14
LOADS = 1 << 12

# What boxes are widened by, in units of how far from zero anything is, in its own frame or placed: a vertex
# that is placed is rounded (4 u), so are the relative place (9 u) and the box around a turned box (9 u), and
# two rotations are not quite such (96 u each: three times what an entry of R^T R - I may be); and room.
ROUNDING = 256.0 * UNIT_ROUNDOFF


class FaceTree(NamedTuple):
    """The tree over the faces of a mesh, the boxes of its nodes, and how far from zero they reach.

    vertices, faces : those of the mesh, in arrays of the kind that all others are, which can be written to
    """

    tree: Tree
    bounds: Array
    reach: float
    vertices: Array
    faces: Ids


class Team(NamedTuple):
    """One row a thread: what its last run found, (ROOM, N_COLUMNS), and how many rows that are.

    n_tested : pairs of faces that were looked at, in all runs
    """

    found: Ids
    n_found: NDArray[np.int64]
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


@OnceForEachMesh
def face_tree(mesh: Mesh) -> FaceTree:
    """The tree over the faces of a mesh, in the frame of the mesh."""
    boxes = swept_bounds(mesh.vertices, mesh.vertices, mesh.faces)
    tree = build_tree(boxes)
    reach = float(np.abs(mesh.vertices).sum(axis=1).max(initial=0.0))
    return FaceTree(tree, refit(tree, boxes), reach, mesh.vertices.copy(), mesh.faces.copy())


def placed(mesh: Mesh, pose: Array, joined: Ids | None = None) -> Placed:
    """A mesh in a pose; `joined` are its faces with one number for vertices at one place."""
    tree = face_tree(mesh)
    return Placed(tree.vertices, tree.faces, pose.copy(), tree.faces if joined is None else joined)


def crossings_of_two(a: Mesh, b: Mesh, poses: tuple[Array, Array]) -> Crossings:
    """List the pairs of faces of two meshes that meet in their poses."""
    if a.n_faces == 0 or b.n_faces == 0:
        return NONE
    tree_a, tree_b = face_tree(a), face_tree(b)
    turn_a, turn_b = poses[0][:3, :3], poses[1][:3, :3]
    offset = turn_b.T @ (poses[0][:3, 3] - poses[1][:3, 3])
    place = np.concatenate([turn_b.T @ turn_a, offset[:, np.newaxis]], axis=1)
    pairing = PlacedPairing(
        tree_a.tree.children,
        tree_a.bounds,
        tree_b.tree.children,
        tree_b.bounds,
        place,
        _margin(tree_a, poses[0]) + _margin(tree_b, poses[1]),
    )
    sides = placed(a, poses[0]), placed(b, poses[1])
    work = shared_subtrees(pairing, (tree_a.tree.depth, tree_b.tree.depth))
    found, n_tested = gathered(
        *sides, work, lambda team, thread: _list_placed(*sides, pairing, work, team, thread)
    )
    n_boxes = int(work.counts[:, NODE_TESTS].sum())  # of which one is turned each time
    return Crossings(ordered(found), n_boxes, n_tested, n_boxes)


def crossings_of_one(mesh: Mesh, pose: Array, joined: Ids, any_will_do: bool = False) -> Crossings:
    """List the pairs of faces of a mesh that meet elsewhere than in what they have in common.

    With `any_will_do`, at least one if there is any.
    """
    tree = face_tree(mesh)
    margin = _margin(tree, pose)
    bounds = tree.bounds + margin * np.repeat([-1.0, 1.0], 3)
    children, is_quiet = tree.tree.children, np.zeros(len(bounds), np.bool_)
    pairing = Pairing(children, bounds, children, bounds, 0, True, True, is_quiet)
    side, work = placed(mesh, pose, joined), shared(pairing, (tree.tree.depth, tree.tree.depth), N_COUNTS)
    found, n_tested = gathered(
        side, side, work, lambda team, thread: _list_own(side, pairing, work, team, thread), any_will_do
    )
    return Crossings(ordered(found), int(work.counts[:, NODE_TESTS].sum()), n_tested, 0)


def _margin(tree: FaceTree, pose: Array) -> float:
    # Besides, what is so short that its digits are lost: places of denormal numbers are off by themselves.
    return ROUNDING * (tree.reach + float(np.abs(pose[:3, 3]).sum())) + SHORTEST


def gathered(
    a: Placed, b: Placed, work: Shares, run: Callable[[Team, int], None], any_will_do: bool = False
) -> tuple[Ids, int]:
    """Let threads list pairs until none is left, or, if any will do, until there is one.

    Returns them in no order, and how many were looked at.
    """
    n = len(work.tops)
    team = Team(np.empty((n, ROOM, N_COLUMNS), np.int32), np.zeros(n, np.int64), np.zeros(n, np.int64))
    rows, n_rows = [np.empty((0, N_COLUMNS), np.int32)], 0
    while work.tops.any() and not (any_will_do and n_rows > 0):
        on_threads(lambda thread: run(team, thread), n)
        for thread, count in enumerate(team.n_found.tolist()):
            rows.append(settled(a, b, team.found[thread, :count]))
            n_rows += len(rows[-1])
    return np.concatenate(rows), int(team.n_tested.sum())


def ordered(found: Ids) -> Ids:
    """Sort rows by their faces."""
    return found[np.lexsort((found[:, FACE_B], found[:, FACE_A]))]


@driver
def _list_placed(a: Placed, b: Placed, pairing: PlacedPairing, work: Shares, team: Team, thread: int) -> None:
    """Do a part of a thread's share of the pairs of two meshes."""
    found = team.found[thread]
    stack, top, counts = work.stacks[thread], work.tops[thread], work.counts[thread]
    pairs, room, points = np.empty((PAIRS, 2), np.int32), np.empty(ROOM_SIZE), np.empty(MOST_POINTS, np.int32)
    budget, n = LOADS, 0
    while budget > 0 and top > 0 and n + PAIRS <= len(found):
        budget -= 1
        n_pairs, top = next_placed_pairs(pairing, stack, top, pairs, counts)
        n = list_crossings(a, b, pairs[:n_pairs], found, n, room, points)
        team.n_tested[thread] += n_pairs
    work.tops[thread], team.n_found[thread] = top, n


@driver
def _list_own(side: Placed, pairing: Pairing, work: Shares, team: Team, thread: int) -> None:
    """Do a part of a thread's share of the pairs of one mesh."""
    found = team.found[thread]
    stack, top, counts = work.stacks[thread], work.tops[thread], work.counts[thread]
    pairs, room, points = np.empty((PAIRS, 2), np.int32), np.empty(ROOM_SIZE), np.empty(MOST_POINTS, np.int32)
    no_limit, budget, n = int(np.int64(NO_LIMIT)), LOADS, 0
    while budget > 0 and top > 0 and n + PAIRS <= len(found):
        budget -= 1
        n_pairs, top = next_pairs(pairing, stack, top, no_limit, pairs, counts)
        n = list_own_crossings(side, pairs[:n_pairs], found, n, room, points)
        team.n_tested[thread] += n_pairs
    work.tops[thread], team.n_found[thread] = top, n
