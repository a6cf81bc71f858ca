"""First contacts of pairs of bodies: as many as can be at once, others one by one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.refining import Motions, first_refined
from firstcontact.answers.contact_results import Contacts, FirstContact
from firstcontact.arrays import Array
from firstcontact.bodies.body_table import BodyTable
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.law import Which
from firstcontact.motions.law_table import law_tables
from firstcontact.motions.plane_poses import lifted_points
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.proximity.penetration.convex_penetration import convex_penetrations
from firstcontact.queries.kinds.convex import first_times_and_normals, followed_times_and_normals
from firstcontact.queries.kinds.rigid import MAX_ITERATIONS
from firstcontact.queries.look_up import answer, answer_about, row_for
from firstcontact.rigid.first_times import BEST_FIRST
from firstcontact.rigid.many_meshes import MeshPairs, many_first_times
from firstcontact.scene import deforming_pairs
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_rows import CONVEX, DEFORMED, FIELD, MESH, PLANAR
from firstcontact.scene.convex_frame import first_times
from firstcontact.scene.deforming_pairs import go_straight, solve_together
from firstcontact.scene.solved import Solved, no_pairs_solved

Pairs = NDArray[np.int32]
Numbers = NDArray[np.int64]

# Pairs that are searched together first; as many again as so far, each time.
FIRST_CHUNK = 64

# But no more than this: 100 MB.
LAST_CHUNK = 1 << 18


class Earliest(NamedTuple):
    """The earliest of some pairs: its number, -1 for none; the time; and how many were searched."""

    number: int
    time: float
    n_solved: int


def solve(bodies: Bodies, pairs: Pairs, ask: Ask) -> Solved:
    """Find the first contact of each pair of rows (m, 2)."""
    solved = no_pairs_solved(len(pairs))
    tolerances = ask.tolerances(bodies.columns.sizes[pairs])
    ways = _ways(bodies, pairs)
    for tolerance in np.unique(tolerances[ways == CONVEX]).tolist():
        which = np.flatnonzero((ways == CONVEX) & (tolerances == tolerance))
        _write(solved, which, _solve_convex(bodies, pairs[which], tolerance, ask.min_separation))
    meshes = np.flatnonzero(ways == MESH)
    is_small = _are_small(bodies, pairs[meshes])
    small = meshes[is_small]
    if len(small) > 0:
        _write(solved, small, _solve_small(bodies, pairs[small], tolerances[small], ask.min_separation))
    is_left, planar = ways > MESH, ways == PLANAR
    alike = np.concatenate([meshes[~is_small], np.flatnonzero(planar)])
    for which in _alike(bodies, pairs, tolerances, alike):
        _write(solved, which, _solve_alike(bodies, pairs[which], float(tolerances[which[0]]), ask))
    for k in _left_of_deforming(bodies, pairs, ask, solved, np.flatnonzero(is_left & ~planar)).tolist():
        hit = first_of_pair(bodies, int(pairs[k, 0]), int(pairs[k, 1]), ask)
        solved.status[k], solved.time[k] = hit.status, hit.time
        if len(hit.points) > 0:
            solved.points[k], solved.normals[k] = map(lifted_points, (hit.points[0], hit.normals[0]))
    return solved


def earliest(bodies: Bodies, pairs: Pairs, bounds: Array, ask: Ask, known: float = np.inf) -> Earliest:
    """Find the earliest contact of pairs whose times have these lower bounds, if it is before one known.

    By ascending bounds, until the next one is no earlier than the earliest contact so far. Which of several
    contacts at the same time it is depends on nothing but the pairs.
    """
    order = np.argsort(bounds, kind="stable")
    best, n_solved, at = Earliest(-1, known, 0), 0, 0
    while at < len(order) and bounds[order[at]] < best.time:
        chunk = order[at : at + min(max(FIRST_CHUNK, at), LAST_CHUNK)]
        at += len(chunk)
        time, n = first_times(bodies, np.ascontiguousarray(pairs[chunk]), bounds[chunk], ask, best.time)
        n_solved, k, others = n_solved + n, int(time.argmin()), None
        if time[k] != time[k]:  # NaN comes before all numbers
            others = np.isnan(time)
            k = int(np.where(others, np.inf, time).argmin())
        if time[k] < best.time:
            best = Earliest(int(chunk[k]), float(time[k]), 0)
        if others is not None:
            best, n = _earliest_of_others(bodies, pairs, bounds, ask, chunk[others], best)
            n_solved += n
    return best._replace(n_solved=n_solved)


def _earliest_of_others(
    bodies: Bodies, pairs: Pairs, bounds: Array, ask: Ask, which: NDArray[np.intp], best: Earliest
) -> tuple[Earliest, int]:
    """The earliest of some pairs that are not plain, or the best so far; how many were searched."""
    ways, n = _ways(bodies, pairs[which]), 0
    is_together = np.isin(ways, (CONVEX, MESH, PLANAR))
    singles = (np.array([k]) for k in which[~is_together].tolist())
    for part in (*(which[ways == way] for way in (CONVEX, MESH, PLANAR)), *singles):
        due = part[bounds[part] < best.time]
        if len(due) > 0:
            time = solve(bodies, pairs[due], ask).time
            n, k = n + len(due), int(np.argmin(time))
            if time[k] < best.time:
                best = Earliest(int(due[k]), float(time[k]), 0)
    return best, n


def first_of_pair(bodies: Bodies, i: int, j: int, ask: Ask) -> FirstContact:
    """First contact of two rows, in all detail; of a row with itself, where it deforms."""
    a, b = bodies.thing(i), None if i == j else bodies.thing(j)
    tolerance = float(ask.tolerances(bodies.columns.sizes[[[i, j]]])[0])
    with _named(bodies, i, j):
        own = row_for("first_contact", a, b).only(ask._replace(tolerance=tolerance))
        found: FirstContact = answer_about("first_contact", a, b, own)
    return found


def detail_of_pair(bodies: Bodies, i: int, j: int, ask: Ask) -> FirstContact | Contacts:
    """All contacts of two rows where one deforms, and the other too or rests; else the first.

    No field hides them, and no curved path, by which times would go by a tolerance.
    """
    a, b = bodies.thing(i), None if i == j else bodies.thing(j)
    row = row_for("contacts", a, b)
    kinds = bodies.columns.kinds[[i, j]]
    is_exact = "exact" in row.takes
    if row.refusal or not is_exact or not np.isin(kinds, DEFORMED).any() or FIELD in kinds:
        return first_of_pair(bodies, i, j, ask)
    found: Contacts = answer_about("contacts", a, b, row.only(ask))
    return found


@contextmanager
def _named(bodies: Bodies, i: int, j: int) -> Iterator[None]:
    """Say in errors which pair they are about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{bodies.names[i]!r} and {bodies.names[j]!r}: {error}") from error


def _ways(bodies: Bodies, pairs: Pairs) -> NDArray[np.int8]:
    """How to solve pairs: CONVEX, all at once; MESH, PLANAR, those of the same shapes; others, one by one."""
    ways: NDArray[np.int8] = bodies.columns.kinds[pairs].max(axis=1, initial=CONVEX)
    return ways


def _alike(bodies: Bodies, pairs: Pairs, tolerances: Array, which: Numbers) -> list[Numbers]:
    """Part numbers of pairs into those of the same shapes and tolerances."""
    if len(which) == 0:
        return []
    shapes = bodies.columns.shape_ids[pairs[which]]
    keys = np.column_stack([shapes, np.frexp(tolerances[which])[1]])
    _, group = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(group.reshape(-1), kind="stable")
    return np.split(which[order], np.flatnonzero(np.diff(group.reshape(-1)[order])) + 1)


def _solve_alike(bodies: Bodies, pairs: Pairs, tolerance: float, ask: Ask) -> Solved:
    """First contacts of pairs of the same two shapes, which move rigidly in one piece."""
    a, b = (bodies.batch(rows) for rows in np.ascontiguousarray(pairs.T))
    with _named(bodies, int(pairs[0, 0]), int(pairs[0, 1])):
        found = answer("first_contacts", a, b, Ask(tolerance, ask.min_separation))
    return Solved(found.status, found.time, lifted_points(found.points), lifted_points(found.normals))


def _left_of_deforming(bodies: Bodies, pairs: Pairs, ask: Ask, solved: Solved, which: Numbers) -> Numbers:
    """Solve pairs of what deforms as one problem, where they are many; return the numbers of all others."""
    straight = which[go_straight(bodies, pairs[which])]
    if len(straight) < deforming_pairs.MANY:
        return which
    found = solve_together(bodies, pairs[straight], ask)
    if found is None:
        return which
    _write(solved, straight, found)
    return np.setdiff1d(which, straight)


def _are_small(bodies: Bodies, pairs: Pairs) -> NDArray[np.bool_]:
    """Which pairs, (m,), are of two small meshes that do not deviate from their pieces?"""
    numbers = bodies.columns.shape_ids[pairs]
    if len(pairs) == 0 or bodies.meshes().table is None:
        return np.zeros(len(pairs), np.bool_)
    is_placed = bodies.meshes().places[np.maximum(~numbers, 0)] >= 0
    deviates = bodies.columns.rows[pairs, DEVIATION] != 0.0
    is_small: NDArray[np.bool_] = ((numbers < 0) & is_placed & ~deviates).all(axis=1)
    return is_small


def _solve_small(bodies: Bodies, pairs: Pairs, tolerances: Array, min_separation: float) -> Solved:
    """First contacts of small meshes, whichever they are, all in one batch."""
    places, table = bodies.meshes()
    rows_a, rows_b = (bodies.columns.rows[rows, np.newaxis] for rows in pairs.T)
    numbers = np.ascontiguousarray(places[~bodies.columns.shape_ids[pairs]])
    asked = MeshPairs(cast(BodyTable, table), numbers, rows_a, rows_b, tolerances)
    found, contacts = many_first_times(asked, Options(0.0, min_separation, MAX_ITERATIONS, BEST_FIRST))
    return Solved(found.status, found.time, contacts.points, contacts.normals)


def _solve_convex(bodies: Bodies, pairs: Pairs, tolerance: float, min_separation: float) -> Solved:
    """First contacts of convex shapes, all in one batch."""
    table, motions = bodies.table(), bodies.columns.rows[: bodies.n_rows, np.newaxis]
    shape_ids, rows = bodies.columns.shape_ids, np.ascontiguousarray(pairs.T)
    options = Options(tolerance, min_separation, MAX_ITERATIONS)

    def search(rows_a: Array, rows_b: Array, which: Which) -> Found:
        own_ids = np.arange(len(rows_a), dtype=np.int32)
        a = Side(table, rows_a, shape_ids[rows[0][which]], own_ids)
        b = Side(table, rows_b, shape_ids[rows[1][which]], own_ids)
        return first_times_and_normals(a, b, options)

    if bodies.columns.rows[pairs, DEVIATION].any():
        along = Motions(*map(bodies.motions, rows))
        tables, own_ids = law_tables(*along), np.arange(len(pairs), dtype=np.int32)
        if tables is None:
            found = first_refined(along, tolerance, search)
        else:
            sides = zip(along.rows, rows, strict=True)
            a, b = (Side(table, own, shape_ids[row_ids], own_ids) for own, row_ids in sides)
            found = followed_times_and_normals(a, b, along, tables, options)
    else:
        a, b = (Side(table, motions, shape_ids[row_ids], row_ids) for row_ids in rows)
        found = first_times_and_normals(a, b, options)
    return Solved(found.status, found.time, found.points.mean(axis=1), found.normals)


def normals_out(bodies: Bodies, pairs: Pairs, normals: Array, which: NDArray[np.bool_]) -> Array:
    """Normals (m, 3), some of them those along which convex bodies that overlap at the start part soonest."""
    found, rows = normals.copy(), np.ascontiguousarray(pairs[which].T)
    if rows.shape[1] > 0:
        table, motions = bodies.table(), bodies.columns.rows[: bodies.n_rows, np.newaxis]
        shape_ids = bodies.columns.shape_ids
        deep = convex_penetrations(*(Side(table, motions, shape_ids[own], own) for own in rows))
        found[np.flatnonzero(which)[deep.is_overlapping]] = deep.direction[deep.is_overlapping]
    return found


def _write(solved: Solved, which: Numbers, found: Solved) -> None:
    solved.status[which], solved.time[which] = found.status, found.time
    solved.points[which], solved.normals[which] = found.points, found.normals
