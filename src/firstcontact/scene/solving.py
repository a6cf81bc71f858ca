"""First contacts of pairs of bodies: as many as can be at once, others one by one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_flag, as_length
from firstcontact.advancement.refining import Motions, first_refined
from firstcontact.answers.contact_results import Contacts, FirstContact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.law import Which
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.queries.contacts import contacts
from firstcontact.queries.convex import first_times_and_normals
from firstcontact.queries.first_contact import first_contact, first_contacts
from firstcontact.queries.rigid import MAX_ITERATIONS, RELATIVE_TOLERANCE
from firstcontact.rigid.convex_first import ConvexFound
from firstcontact.rigid.request import Options
from firstcontact.scene.bodies import CONVEX, MESH, Bodies
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

Pairs = NDArray[np.int32]
Numbers = NDArray[np.int64]

# Pairs that are searched together first; as many again as so far, each time.
FIRST_CHUNK = 64

# But no more than this: 100 MB.
LAST_CHUNK = 1 << 18


class Ask(NamedTuple):
    """What is asked about a scene, checked."""

    tolerance: float | None
    min_separation: float
    assume_free_start: bool = False

    @classmethod
    def checked(
        cls, tolerance: float | None, min_separation: float, assume_free_start: bool = False
    ) -> "Ask":
        """Check all options."""
        return cls(
            None if tolerance is None else as_length("tolerance", tolerance),
            as_length("min_separation", min_separation),
            as_flag("assume_free_start", assume_free_start),
        )

    def margins(self, sizes: Array) -> Array:
        """By how much to widen what bodies of these sizes sweep, so that no contact of two is lost."""
        tolerance = RELATIVE_TOLERANCE * sizes if self.tolerance is None else self.tolerance
        return np.broadcast_to(0.5 * (self.min_separation + tolerance), sizes.shape).copy()

    def tolerances(self, sizes: Array) -> Array:
        """Tolerances for pairs with sizes (m, 2): as for `first_contact`, but rounded down to powers of two.

        So a scene of bodies of any sizes has a few of them.
        """
        if self.tolerance is not None:
            return np.full(len(sizes), self.tolerance)
        smaller, larger = sizes.min(axis=1), sizes.max(axis=1)
        mantissas, exponents = np.frexp(RELATIVE_TOLERANCE * np.where(smaller > 0.0, smaller, larger))
        return np.ldexp(np.where(mantissas > 0.0, 0.5, 0.0), exponents)


class Solved(NamedTuple):
    """First contacts of m pairs: status (m,) int8, time (m,), a point and the normal there (m, 3)."""

    status: NDArray[np.int8]
    time: Array
    points: Array
    normals: Array

    def taken(self, which: Any) -> "Solved":
        """Some of them, by their numbers or by a mask."""
        return Solved._make(array[which] for array in self)


class Earliest(NamedTuple):
    """The earliest of some pairs: its number, -1 for none; the time; and how many were searched."""

    number: int
    time: float
    n_solved: int


def no_pairs_solved(m: int) -> Solved:
    """Room for the first contacts of m pairs, none of which is in contact."""
    nowhere = np.full((m, 3), np.nan)
    return Solved(np.full(m, Status.SEPARATED, np.int8), np.full(m, np.inf), nowhere, nowhere.copy())


def together(parts: list[Solved]) -> Solved:
    """Put first contacts one behind the other."""
    return Solved._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def solve(bodies: Bodies, pairs: Pairs, ask: Ask) -> Solved:
    """Find the first contact of each pair of rows (m, 2)."""
    solved = no_pairs_solved(len(pairs))
    tolerances = ask.tolerances(bodies.columns.sizes[pairs])
    ways = _ways(bodies, pairs)
    for tolerance in np.unique(tolerances[ways == CONVEX]).tolist():
        which = np.flatnonzero((ways == CONVEX) & (tolerances == tolerance))
        _write(solved, which, _solve_convex(bodies, pairs[which], tolerance, ask.min_separation))
    for which in _alike(bodies, pairs, tolerances, np.flatnonzero(ways == MESH)):
        _write(solved, which, _solve_alike(bodies, pairs[which], float(tolerances[which[0]]), ask))
    for k in np.flatnonzero(ways > MESH).tolist():
        hit = first_of_pair(bodies, int(pairs[k, 0]), int(pairs[k, 1]), ask)
        solved.status[k], solved.time[k] = hit.status, hit.time
        if len(hit.points) > 0:
            solved.points[k], solved.normals[k] = hit.points[0], hit.normals[0]
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
        ways = _ways(bodies, pairs[chunk])
        singles = (np.array([k]) for k in chunk[ways > MESH].tolist())
        for part in (chunk[ways == CONVEX], chunk[ways == MESH], *singles):
            due = part[bounds[part] < best.time]
            if len(due) > 0:
                time = solve(bodies, pairs[due], ask).time
                n_solved, k = n_solved + len(due), int(np.argmin(time))
                if time[k] < best.time:
                    best = Earliest(int(due[k]), float(time[k]), 0)
    return best._replace(n_solved=n_solved)


def first_of_pair(bodies: Bodies, i: int, j: int, ask: Ask) -> FirstContact:
    """First contact of two rows, in all detail; of a row with itself, where it deforms."""
    a, b = bodies.thing(i), bodies.thing(j)
    tolerance = float(ask.tolerances(bodies.columns.sizes[[[i, j]]])[0])
    with _named(bodies, i, j):
        return first_contact(
            a,
            None if i == j else b,
            tolerance=tolerance,
            min_separation=ask.min_separation,
            assume_free_start=ask.assume_free_start and _is_deforming_pair(a, b),
        )


def detail_of_pair(bodies: Bodies, i: int, j: int, ask: Ask) -> FirstContact | Contacts:
    """All contacts of two rows where they are meshes that deform or rest; else the first."""
    things = [bodies.thing(i), bodies.thing(j)]
    if any(isinstance(thing.motion, Deformation) for thing in things) and all(map(_is_on_lines, things)):
        return contacts(
            things[0],
            None if i == j else things[1],
            min_separation=ask.min_separation,
            assume_free_start=ask.assume_free_start,
        )
    return first_of_pair(bodies, i, j, ask)


def _is_deforming_pair(a: Moving, b: Moving) -> bool:
    """Are these meshes, one of which deforms? Others are always looked at as they are at the start."""
    is_deforming = any(isinstance(thing.motion, Deformation) for thing in (a, b))
    return is_deforming and all(isinstance(thing.shape, Mesh) for thing in (a, b))


def _is_on_lines(thing: Moving) -> bool:
    """Is this a mesh whose vertices move on straight lines, or rest?"""
    return isinstance(thing.motion, Deformation) or (
        isinstance(thing.shape, Mesh) and thing.motion.is_resting
    )


@contextmanager
def _named(bodies: Bodies, i: int, j: int) -> Iterator[None]:
    """Say in errors which pair they are about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{bodies.names[i]!r} and {bodies.names[j]!r}: {error}") from error


def _ways(bodies: Bodies, pairs: Pairs) -> NDArray[np.int8]:
    """How to solve pairs, (m,): CONVEX, all at once; MESH, those of the same shapes; others, one by one."""
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
        found = first_contacts(a, b, tolerance=tolerance, min_separation=ask.min_separation)
    return Solved(found.status, found.time, found.points, found.normals)


def _solve_convex(bodies: Bodies, pairs: Pairs, tolerance: float, min_separation: float) -> Solved:
    """First contacts of convex shapes, all in one batch."""
    table, motions = bodies.table(), bodies.columns.rows[: bodies.n_rows, np.newaxis]
    shape_ids, rows = bodies.columns.shape_ids, np.ascontiguousarray(pairs.T)
    options = Options(tolerance, min_separation, MAX_ITERATIONS)

    def search(rows_a: Array, rows_b: Array, which: Which) -> ConvexFound:
        own_ids = np.arange(len(rows_a), dtype=np.int32)
        a = Side(table, rows_a, shape_ids[rows[0][which]], own_ids)
        b = Side(table, rows_b, shape_ids[rows[1][which]], own_ids)
        return first_times_and_normals(a, b, options)

    if bodies.columns.rows[pairs, DEVIATION].any():
        found = first_refined(Motions(*map(bodies.motions, rows)), tolerance, search)
    else:
        a, b = (Side(table, motions, shape_ids[row_ids], row_ids) for row_ids in rows)
        found = first_times_and_normals(a, b, options)
    return Solved(found.status, found.time, found.points.mean(axis=1), found.normals)


def _write(solved: Solved, which: Numbers, found: Solved) -> None:
    solved.status[which], solved.time[which] = found.status, found.time
    solved.points[which], solved.normals[which] = found.points, found.normals
