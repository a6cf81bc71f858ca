"""All pairs of faces that meet at an instant, of two meshes or of one with itself. Decided exactly.

Trees of boxes find the pairs that may; what two triangles share is named (narrowphase/triangles/crossing.py).
Of one mesh alone, faces with a common corner always share that, and faces with a common edge share that:
they count where they share more.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_threads
from firstcontact.arrays import Array, Ids
from firstcontact.bounds.swept_bounds import swept_bounds
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.placed_traversal import PlacedPairing, next_placed_pairs, shared_subtrees
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.shares import NO_LIMIT, PAIRS, Shares, shared
from firstcontact.hierarchy.traversal import N_COUNTS, Pairing, next_pairs
from firstcontact.hierarchy.tree import Tree
from firstcontact.narrowphase.triangles.crossing import MOST_POINTS, N_FEATURES, OPEN, common_points
from firstcontact.narrowphase.triangles.crossing_exact import common_points_exactly
from firstcontact.narrowphase.triangles.crossing_point import crossing_point
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE, volume_sign
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Triangle, Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Room for the pairs that a thread finds in one run, and loads of pairs of a run.
ROOM = 1 << 14
LOADS = 1 << 12

# Columns of what is found: both faces, the two ends of what they share, -1 for none, and how many points.
FACE_A, FACE_B, FIRST, SECOND, N_POINTS, N_COLUMNS = 0, 1, 2, 3, 4, 5

NO_POINT = -1

# What boxes are widened by, in units of how far from zero anything is, in its own frame or placed: a vertex
# that is placed is rounded (4 u), so are the relative place (9 u), what is left of a rotation and its inverse
# (8 u), and the box around a turned box (9 u); and room.
ROUNDING = 64.0 * UNIT_ROUNDOFF


# A pose, row by row.
Numbers = tuple[tuple[float, float, float, float], ...]


class Placed(NamedTuple):
    """A mesh where it is: vertices (v, 3), faces (m, 3), and the pose, (4, 4).

    places : the faces once more, with one number for vertices at one place
    """

    vertices: Array
    faces: Ids
    pose: Array
    places: Ids


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
    """One row a thread: what its last run found, (ROOM, N_COLUMNS), and how many rows that are."""

    found: Ids
    n_found: NDArray[np.int64]


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


def crossings_of_two(a: Mesh, b: Mesh, poses: tuple[Array, Array]) -> Ids:
    """List the pairs of faces of two meshes that meet in their poses, (n, N_COLUMNS), ascending."""
    if a.n_faces == 0 or b.n_faces == 0:
        return np.empty((0, N_COLUMNS), np.int32)
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
    return _ordered(
        _gathered(*sides, work, lambda team, thread: _list_placed(*sides, pairing, work, team, thread))
    )


def crossings_of_one(mesh: Mesh, pose: Array, joined: Ids, any_will_do: bool = False) -> Ids:
    """List the pairs of faces of a mesh that meet elsewhere than in what they have in common.

    With `any_will_do`, at least one if there is any.
    """
    tree = face_tree(mesh)
    margin = _margin(tree, pose)
    bounds = tree.bounds + margin * np.repeat([-1.0, 1.0], 3)
    children, is_quiet = tree.tree.children, np.zeros(len(bounds), np.bool_)
    pairing = Pairing(children, bounds, children, bounds, 0, True, True, is_quiet)
    side, work = placed(mesh, pose, joined), shared(pairing, (tree.tree.depth, tree.tree.depth), N_COUNTS)
    found = _gathered(
        side, side, work, lambda team, thread: _list_own(side, pairing, work, team, thread), any_will_do
    )
    is_swapped = found[:, FACE_A] > found[:, FACE_B]
    ends = found[:, FIRST : SECOND + 1]
    turned = np.where(ends == NO_POINT, NO_POINT, N_FEATURES * (ends % N_FEATURES) + ends // N_FEATURES)
    found[is_swapped, FIRST : SECOND + 1] = turned[is_swapped]
    found[:, : FACE_B + 1] = np.sort(found[:, : FACE_B + 1], axis=1)
    return _ordered(found)


def _margin(tree: FaceTree, pose: Array) -> float:
    return ROUNDING * (tree.reach + float(np.abs(pose[:3, 3]).sum()))


def segments_of(a: Placed, b: Placed, rows: Ids) -> Array:
    """Ends of what pairs of faces share, (n, 2, 3); twice the same for a point, NaN for an area."""
    segments = np.empty((len(rows), 2, 3))
    _write_segments(a, b, np.ascontiguousarray(rows), segments)
    return segments


def _gathered(
    a: Placed, b: Placed, work: Shares, run: Callable[[Team, int], None], any_will_do: bool = False
) -> Ids:
    """Let threads list pairs until none is left, or, if any will do, until there is one."""
    n = len(work.tops)
    team = Team(np.empty((n, ROOM, N_COLUMNS), np.int32), np.zeros(n, np.int64))
    rows, n_rows = [np.empty((0, N_COLUMNS), np.int32)], 0
    while work.tops.any() and not (any_will_do and n_rows > 0):
        on_threads(lambda thread: run(team, thread), n)
        for thread, count in enumerate(team.n_found.tolist()):
            rows.append(_settled(a, b, team.found[thread, :count]))
            n_rows += len(rows[-1])
    return np.concatenate(rows)


def _ordered(found: Ids) -> Ids:
    return found[np.lexsort((found[:, FACE_B], found[:, FACE_A]))]


def _settled(a: Placed, b: Placed, found: Ids) -> Ids:
    """Decide, in rational numbers, the pairs that compiled code could not; they are few."""
    found, is_kept = found.copy(), np.ones(len(found), np.bool_)
    for row in np.flatnonzero(found[:, N_POINTS] == OPEN).tolist():
        f, g = found[row, : FACE_B + 1].tolist()
        corners = np.stack([_corners_of(a, np.array([f]))[0], _corners_of(b, np.array([g]))[0]])
        ends = common_points_exactly(corners)
        n, common = len(ends), set()
        if a is b:
            same = np.argwhere(a.places[f][:, np.newaxis] == a.places[g]).tolist()
            common = {N_FEATURES * i + j for i, j in same}
        is_kept[row] = n > 2 or not {*ends} <= common
        found[row, FIRST:] = ends[0] if n in (1, 2) else NO_POINT, ends[1] if n == 2 else NO_POINT, n
    return found[is_kept]


def _corners_of(side: Placed, faces: Ids) -> Array:
    """Corners of faces where they are placed, (n, 3, 3): to the last digit as compiled code has them."""
    x, y, z = np.moveaxis(side.vertices[side.faces[faces]], -1, 0)[..., np.newaxis]
    columns = side.pose[:3].T
    corners: Array = x * columns[0] + y * columns[1] + z * columns[2] + columns[3]
    return corners


@driver
def _list_placed(a: Placed, b: Placed, pairing: PlacedPairing, work: Shares, team: Team, thread: int) -> None:
    """Do a part of a thread's share of the pairs of two meshes."""
    # Plain arrays: to hand a tuple of arrays to a function for each pair takes several times longer.
    vertices_a, faces_a, pose_a = a.vertices, a.faces, _numbers(a.pose)
    vertices_b, faces_b, pose_b = b.vertices, b.faces, _numbers(b.pose)
    found, stack, top = team.found[thread], work.stacks[thread], work.tops[thread]
    pairs, room, points = np.empty((PAIRS, 2), np.int32), np.empty(ROOM_SIZE), np.empty(MOST_POINTS, np.int32)
    budget, n = LOADS, 0
    while budget > 0 and top > 0 and n + PAIRS <= len(found):
        budget -= 1
        n_pairs, top = next_placed_pairs(pairing, stack, top, pairs)
        for k in range(n_pairs):
            f, g = pairs[k, 0], pairs[k, 1]
            one, other = _face(vertices_a, faces_a, pose_a, f), _face(vertices_b, faces_b, pose_b, g)
            n_points = 0 if _have_gap(one, other) else common_points(one, other, room, points)
            if n_points != 0:
                _write(found, n, f, g, points, n_points)
                n += 1
    work.tops[thread], team.n_found[thread] = top, n


@driver
def _list_own(side: Placed, pairing: Pairing, work: Shares, team: Team, thread: int) -> None:
    """Do a part of a thread's share of the pairs of one mesh."""
    vertices, faces, pose, places = side.vertices, side.faces, _numbers(side.pose), side.places
    found = team.found[thread]
    stack, top, counts = work.stacks[thread], work.tops[thread], work.counts[thread]
    pairs, room, points = np.empty((PAIRS, 2), np.int32), np.empty(ROOM_SIZE), np.empty(MOST_POINTS, np.int32)
    no_limit, budget, n = int(np.int64(NO_LIMIT)), LOADS, 0
    while budget > 0 and top > 0 and n + PAIRS <= len(found):
        budget -= 1
        n_pairs, top = next_pairs(pairing, stack, top, no_limit, pairs, counts)
        for k in range(n_pairs):
            f, g = pairs[k, 0], pairs[k, 1]
            one, other = _face(vertices, faces, pose, f), _face(vertices, faces, pose, g)
            if _share_a_corner(places, f, g) and (
                _is_beside(one, other, places, f, g, room) or _is_beside(other, one, places, g, f, room)
            ):
                continue
            n_points = common_points(one, other, room, points)
            if n_points == OPEN or (n_points > 0 and not _are_common(places, f, g, points, n_points)):
                _write(found, n, f, g, points, n_points)
                n += 1
    work.tops[thread], team.n_found[thread] = top, n


@driver
def _write_segments(a: Placed, b: Placed, rows: Ids, segments: Array) -> None:
    vertices_a, faces_a, pose_a = a.vertices, a.faces, _numbers(a.pose)
    vertices_b, faces_b, pose_b = b.vertices, b.faces, _numbers(b.pose)
    for k in range(len(rows)):
        f, g = rows[k, FACE_A], rows[k, FACE_B]
        one, other = _face(vertices_a, faces_a, pose_a, f), _face(vertices_b, faces_b, pose_b, g)
        for end in range(2):
            point = rows[k, FIRST + end]
            if point == NO_POINT:
                point = rows[k, FIRST]
            place = (np.nan, np.nan, np.nan) if point == NO_POINT else crossing_point(one, other, point)
            segments[k, end, 0], segments[k, end, 1], segments[k, end, 2] = place


@kernel
def _write(found: Ids, n: int, f: int, g: int, points: Ids, n_points: int) -> None:
    found[n, FACE_A], found[n, FACE_B], found[n, N_POINTS] = f, g, n_points
    found[n, FIRST] = points[0] if 1 <= n_points <= 2 else NO_POINT
    found[n, SECOND] = points[1] if n_points == 2 else NO_POINT


@kernel
def _numbers(pose: Array) -> Numbers:
    x, y, z = pose[0], pose[1], pose[2]
    return (x[0], x[1], x[2], x[3]), (y[0], y[1], y[2], y[3]), (z[0], z[1], z[2], z[3])


@kernel
def _face(vertices: Array, faces: Ids, pose: Numbers, f: int) -> Triangle:
    return (
        _corner(vertices, pose, faces[f, 0]),
        _corner(vertices, pose, faces[f, 1]),
        _corner(vertices, pose, faces[f, 2]),
    )


@kernel
def _corner(vertices: Array, pose: Numbers, i: int) -> Vec3:
    x, y, z = vertices[i, 0], vertices[i, 1], vertices[i, 2]
    u, v, w = pose
    return (
        x * u[0] + y * u[1] + z * u[2] + u[3],
        x * v[0] + y * v[1] + z * v[2] + v[3],
        x * w[0] + y * w[1] + z * w[2] + w[3],
    )


@kernel
def _have_gap(a: Triangle, b: Triangle) -> bool:
    """Are the boxes around two triangles apart?"""
    is_apart = False
    for k in range(3):
        is_apart |= max(max(a[0][k], a[1][k]), a[2][k]) < min(min(b[0][k], b[1][k]), b[2][k])
        is_apart |= min(min(a[0][k], a[1][k]), a[2][k]) > max(max(b[0][k], b[1][k]), b[2][k])
    return is_apart


@kernel
def _share_a_corner(places: Ids, f: int, g: int) -> bool:
    """Have two faces a corner in common?"""
    is_found = False
    for i in range(3):
        for j in range(3):
            is_found |= places[f, i] == places[g, j]
    return is_found


@kernel
def _is_beside(one: Triangle, other: Triangle, places: Ids, f: int, g: int, room: Array) -> bool:
    """Is all of face f, but for the corners that it shares with g, on one side of g's plane? Most are."""
    sign = 0
    for i in range(3):
        v = places[f, i]
        if v == places[g, 0] or v == places[g, 1] or v == places[g, 2]:
            continue
        this = volume_sign(other[0], other[1], other[2], one[i], room)
        if abs(this) != 1 or this == -sign:
            return False
        sign = this
    return sign != 0


@kernel
def _are_common(places: Ids, f: int, g: int, points: Ids, n: int) -> bool:
    """Are all common points of two faces corners that they share? Not where they are one face twice."""
    if n > 2:
        return False
    for k in range(n):
        i, j = points[k] // N_FEATURES, points[k] % N_FEATURES
        if i > 2 or j > 2 or places[f, i] != places[g, j]:
            return False
    return True
