"""Edges that pass through faces at the start: meshes that overlap already.

Features of such meshes need not meet at any later time, so that the search for contacts cannot find them. Of
two triangles that overlap, features touch, or an edge of one passes through the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_threads
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bounds.swept_bounds import swept_bounds
from firstcontact.deformable.left_out import are_pierced_left_out
from firstcontact.deformable.problem import Problem, parts_of_faces, quiet_nodes
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.shares import NO_LIMIT, PAIRS, Shares, shared
from firstcontact.hierarchy.traversal import N_COUNTS, Pairing, next_pairs
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE, is_pierced
from firstcontact.scalar.exact_vectors import exact_cross, exact_dot, exact_sub
from firstcontact.scalar.integer_polynomial import scaled_integers
from firstcontact.scalar.vec3 import Triangle, Vec3

# Edges at most of a pair of triangles that can pass through the other.
MOST_EDGES = 6

# Room for what a thread finds in one run: it stops while there is room for one more load of pairs.
ROOM = 1 << 14

# Loads of pairs of a run.
LOADS = 1 << 12


class Pierced(NamedTuple):
    """Edges that pass through faces, numbered as in a joined surface: (n,) int32 each, ascending."""

    edges: Ids
    faces: Ids


def nothing_pierced() -> Pierced:
    """No edges that pass through faces."""
    return Pierced(np.empty(0, np.int32), np.empty(0, np.int32))


class Team(NamedTuple):
    """One row a thread: edges and faces found in the last run, whether that is sure, and how many."""

    ids: Ids
    is_sure: Flags
    n_found: NDArray[np.int64]


def pierced_at_start(
    problem: Problem,
    any_will_do: bool = False,
    most: int = NO_LIMIT,
    pairing: Pairing | None = None,
    part: Ids | None = None,
) -> Pierced:
    """List the edges that pass through faces at the start; with `any_will_do`, at least one if there is any.

    Exact. Each edge and face once; those that share a vertex only touch there, and are left out. Where there
    are more than `most`, some more than that are listed, and not all. With a part of the front of the
    traversal of `pairing_at_start`, those that come from there.
    """
    pairing = pairing_at_start(problem) if pairing is None else pairing
    work = shared(pairing, problem.depths, N_COUNTS, part)
    n = len(work.tops)
    team = Team(np.empty((n, ROOM, 2), np.int32), np.empty((n, ROOM), np.bool_), np.zeros(n, np.int64))
    rows = [np.empty((0, 2), np.int32)]
    while work.tops.any() and not (any_will_do and len(rows[-1]) > 0):
        on_threads(lambda thread: _list_thread(problem.surface, pairing, work, team, thread), n)
        for thread, count in enumerate(team.n_found.tolist()):
            ids, is_sure = team.ids[thread, :count], team.is_sure[thread, :count]
            rows.append(
                _asked_for(problem, ids[is_sure | _is_pierced_exactly(problem.surface, ids, is_sure)])
            )
        rows = [np.concatenate(rows)]
        if len(rows[0]) > most:
            rows = [_each_once(rows[0], problem)]
        if len(rows[0]) > most:
            break
    return _in_order(_each_once(rows[0], problem))


def _asked_for(problem: Problem, ids: Ids) -> Ids:
    """Leave out edges and faces that are not asked for."""
    if problem.left_out is None:
        return ids
    edges, faces = problem.surface.edges[ids[:, 0]], problem.surface.faces[ids[:, 1]]
    return ids[~are_pierced_left_out(problem.left_out, edges, faces)]


def joined_pierced(edges: Ids, faces: Ids, problem: Problem) -> Pierced:
    """Put together what was found in parts of a front."""
    return _in_order(_each_once(np.stack([edges, faces], axis=1), problem))


def _in_order(found: Ids) -> Pierced:
    found = found[np.lexsort((found[:, 1], found[:, 0]))]
    return Pierced(found[:, 0].copy(), found[:, 1].copy())


def _each_once(ids: Ids, problem: Problem) -> Ids:
    """Leave out what was met by several pairs of triangles."""
    return ids if problem.culling.representatives else np.unique(ids, axis=0)


def pairing_at_start(problem: Problem) -> Pairing:
    """The trees of the search, with boxes around the faces as they are at the start."""
    surface, trees = problem.surface, problem.trees
    boxes = swept_bounds(surface.vertices_t0, surface.vertices_t0, surface.faces)
    parts = parts_of_faces(boxes, problem.offsets, len(trees))
    bounds = [refit(tree.tree, part) for tree, part in zip(trees, parts, strict=True)]
    is_quiet = problem.pairing.is_quiet
    if problem.is_self and not problem.is_touch and not problem.meshes[0].is_cloud:
        # Smooth regions may come within the separation of themselves, but an edge cannot pass through them.
        still = surface._replace(vertices_t1=surface.vertices_t0)
        is_quiet = quiet_nodes(problem.meshes[0], trees[0], still, problem.culling)
    return problem.pairing._replace(
        bounds_a=bounds[0], bounds_b=bounds[-1], is_bounded=True, is_quiet=is_quiet
    )


def _is_pierced_exactly(surface: Surface, ids: Ids, is_known: Flags) -> Flags:
    """Decide, in integers, the pairs that compiled code could not; they are few."""
    is_pierced = np.zeros(len(ids), np.bool_)
    for row in np.flatnonzero(~is_known).tolist():
        corners = np.concatenate([surface.edges[ids[row, 0]], surface.faces[ids[row, 1]]])
        numbers = scaled_integers(surface.vertices_t0[corners].reshape(-1).tolist())
        p, q, *t = (tuple(numbers[3 * i : 3 * i + 3]) for i in range(5))
        ends = {_sign(t[0], t[1], t[2], end) for end in (p, q)}
        around = {_sign(p, q, t[i], t[(i + 1) % 3]) for i in range(3)}
        is_pierced[row] = ends == {-1, 1} and around in ({-1}, {1})
    return is_pierced


def _sign(*points: tuple[int, ...]) -> int:
    """Sign of the volume that four points of integers span."""
    x, y, z = (exact_sub(point, points[3]) for point in points[:3])
    volume = exact_dot(x, exact_cross(y, z))
    return (volume > 0) - (volume < 0)


@driver
def _list_thread(surface: Surface, pairing: Pairing, work: Shares, team: Team, thread: int) -> None:
    """Do a part of a thread's share of the work."""
    ids, is_sure = team.ids[thread], team.is_sure[thread]
    stack, top, counts = work.stacks[thread], work.tops[thread], work.counts[thread]
    pairs, room = np.empty((PAIRS, 2), np.int32), np.empty(ROOM_SIZE)
    no_limit, budget, n = int(np.int64(NO_LIMIT)), LOADS, 0
    while budget > 0 and top > 0 and n + PAIRS * MOST_EDGES <= len(ids):
        budget -= 1
        n_pairs, top = next_pairs(pairing, stack, top, no_limit, pairs, counts)
        for k in range(n_pairs):
            for side in range(2):
                n = _list_edges(surface, pairs[k, side], pairs[k, 1 - side], room, ids, is_sure, n)
    work.tops[thread], team.n_found[thread] = top, n


@kernel
def _list_edges(surface: Surface, f: int, g: int, room: Array, ids: Ids, is_sure: Flags, n: int) -> int:
    """List the edges that face f stands for and that pass through face g; return how many there are then."""
    vertices, faces, owned = surface.vertices_t0, surface.faces, surface.owned
    a, b, c = faces[g, 0], faces[g, 1], faces[g, 2]
    face: Triangle = _place(vertices, a), _place(vertices, b), _place(vertices, c)
    for i in range(3):
        p, q = faces[f, i], faces[f, (i + 1) % 3]
        is_apart = (p != a) & (p != b) & (p != c) & (q != a) & (q != b) & (q != c)
        if is_apart and owned[f] >> (3 + i) & 1 and _is_beside(vertices, p, q, face):
            found = is_pierced(_place(vertices, p), _place(vertices, q), face, room)
            if found != OUTSIDE:
                ids[n, 0], ids[n, 1], is_sure[n] = surface.face_edges[f, i], g, found == INSIDE
                n += 1
    return n


@kernel
def _is_beside(vertices: Array, p: int, q: int, face: Triangle) -> bool:
    """Do the boxes around an edge and a face overlap? Most neighbours in a mesh differ by that already."""
    is_apart = False
    for k in range(3):
        low, high = min(vertices[p, k], vertices[q, k]), max(vertices[p, k], vertices[q, k])
        is_apart |= min(min(face[0][k], face[1][k]), face[2][k]) > high
        is_apart |= max(max(face[0][k], face[1][k]), face[2][k]) < low
    return not is_apart


@kernel
def _place(vertices: Array, i: int) -> Vec3:
    return vertices[i, 0], vertices[i, 1], vertices[i, 2]
