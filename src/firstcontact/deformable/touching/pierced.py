"""Edges that pass through faces at the start: meshes that overlap already.

Features of such meshes need not meet at any later time, so that the search for contacts cannot find them. Of
two triangles that overlap, features touch, or an edge of one passes through the other.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Flags, Ids
from firstcontact.bounds.swept_bounds import swept_bounds
from firstcontact.deformable.left_out import are_pierced_left_out
from firstcontact.deformable.problem import Problem, feature_options, quiet_nodes
from firstcontact.deformable.search import Crew, crew, run
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.forest import refit_forest
from firstcontact.hierarchy.shares import NO_LIMIT
from firstcontact.hierarchy.traversal import NO_ENDS, Pairing
from firstcontact.scalar.exact_vectors import exact_cross, exact_dot, exact_sub
from firstcontact.scalar.integer_polynomial import scaled_integers

# Loads of pairs of a run.
LOADS = 1 << 12


class Pierced(NamedTuple):
    """Edges that pass through faces, numbered as in a joined surface: (n,) int32 each, ascending."""

    edges: Ids
    faces: Ids


# None of them, as pairs and as lists.
NO_PAIRS: Ids = np.empty((0, 2), np.int32)
NOTHING_PIERCED = Pierced(np.empty(0, np.int32), np.empty(0, np.int32))


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
    team = crew(pairing, problem.forest.depth, part)
    request = feature_options(problem, 1.0, 0.0)._replace(seeks_features=False, seeks_pierced=True)
    found = NO_PAIRS
    while team.tops.any() and not (any_will_do and len(found)):
        run(problem.surface, pairing, request, team, LOADS)
        found = np.concatenate([found, pierced_in_run(problem, team)])
        if len(found) > most:
            found = once_each(found, problem)
        if len(found) > most:
            break
    return in_order(once_each(found, problem))


def pierced_in_run(problem: Problem, team: Crew) -> Ids:
    """Edges and faces (n, 2) that threads have found in their last run, but for those that do not pass."""
    if not team.n_pierced.any():
        return NO_PAIRS
    parts = []
    for thread, count in enumerate(team.n_pierced.tolist()):
        ids, is_sure = team.pierced_ids[thread, :count], team.is_sure[thread, :count]
        parts.append(ids[is_sure | _is_pierced_exactly(problem.surface, ids, is_sure)])
    return _asked_for(problem, np.concatenate(parts))


def _asked_for(problem: Problem, ids: Ids) -> Ids:
    """Leave out edges and faces that are not asked for."""
    if problem.left_out is None:
        return ids
    edges, faces = problem.surface.edges[ids[:, 0]], problem.surface.faces[ids[:, 1]]
    return ids[~are_pierced_left_out(problem.left_out, edges, faces)]


def joined_pierced(edges: Ids, faces: Ids, problem: Problem) -> Pierced:
    """Put together what was found in parts of a front."""
    return in_order(once_each(np.stack([edges, faces], axis=1), problem))


def in_order(found: Ids) -> Pierced:
    """Edges and faces (n, 2), one by one, in their order."""
    if len(found) == 0:
        return NOTHING_PIERCED
    found = found[np.lexsort((found[:, 1], found[:, 0]))]
    return Pierced(found[:, 0].copy(), found[:, 1].copy())


def once_each(ids: Ids, problem: Problem) -> Ids:
    """Leave out what was met by several pairs of triangles."""
    return ids if problem.culling.representatives else np.unique(ids, axis=0)


def pairing_at_start(problem: Problem) -> Pairing:
    """The trees of the search, with boxes around the faces as they are at the start."""
    surface, quiet = problem.surface, problem.pairing.quiet
    boxes = swept_bounds(surface.vertices_t0, surface.vertices_t0, surface.faces)
    bounds = refit_forest(problem.forest, boxes)
    if any(problem.is_asked) and not problem.is_touch:
        # Smooth regions may come within the separation of themselves, but an edge cannot pass through them.
        quiet = quiet_nodes(problem, surface._replace(vertices_t1=surface.vertices_t0), is_still=True)
    return problem.pairing._replace(bounds=bounds, is_bounded=True, quiet=quiet, ends=NO_ENDS)


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
