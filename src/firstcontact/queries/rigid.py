"""Queries about rigid bodies, posed to the search."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from firstcontact._validate import as_choice, as_count, as_flag, as_length
from firstcontact.advancement.arrival import Found
from firstcontact.advancement.goal import Options
from firstcontact.answers.contact_results import AdvancementStats, FirstContact, FirstContacts, no_contact
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.proximity.touching.closest_contacts import closest_contacts, piece_at
from firstcontact.proximity.touching.inside import contained
from firstcontact.proximity.touching.touching_places import touching
from firstcontact.queries.kinds import common_length, rigid_motion, single
from firstcontact.rigid.first_times import METHODS, first_times
from firstcontact.rigid.proof import proven_times
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

T = TypeVar("T")

# Default tolerance, as a part of the smaller body's size. Ten times smaller costs 1 % more steps.
RELATIVE_TOLERANCE = 1e-6

DEFAULT_METHOD = "c2a"

# Default limit of steps: seconds of work, and far beyond what any pair of meshes was seen to need.
MAX_ITERATIONS = 1 << 22

# Motions between two updates of a progress bar.
PROGRESS_EVERY = 256


class RigidAsk(NamedTuple):
    """What is asked about rigid bodies, checked."""

    tolerance: float | None
    min_separation: float
    method: str
    max_iterations: int | None
    solid: bool
    progress: bool

    @classmethod
    def checked(
        cls,
        tolerance: float | None,
        min_separation: float,
        method: str | None,
        max_iterations: int | None,
        solid: bool,
        progress: bool,
    ) -> "RigidAsk":
        """Check every option."""
        return cls(
            None if tolerance is None else as_length("tolerance", tolerance),
            as_length("min_separation", min_separation),
            DEFAULT_METHOD if method is None else as_choice("method", method, tuple(METHODS)),
            None if max_iterations is None else as_count("max_iterations", max_iterations),
            as_flag("solid", solid),
            as_flag("progress", progress),
        )

    def options(self, size_a: float, size_b: float) -> Options:
        """What the search takes, for things of these sizes."""
        tolerance = default_tolerance(size_a, size_b) if self.tolerance is None else self.tolerance
        max_iterations = self.max_iterations or MAX_ITERATIONS
        return Options(tolerance, self.min_separation, max_iterations, METHODS[self.method])


class Pair(NamedTuple):
    """Two bodies and their motions."""

    shapes: tuple[Mesh, Mesh]
    bodies: tuple[Body, Body]
    rows: tuple[Array, Array]
    options: Options


def rigid_first(a: Moving, b: Moving, ask: RigidAsk) -> FirstContact:
    """First contact of two rigid bodies, with all that touches then."""
    began = perf_counter()
    pair = _posed(single(a, "a"), single(b, "b"), ask)
    found = _found(pair, ask)
    status, time = Status(int(found.status[0])), float(found.time[0])
    if status == Status.SEPARATED:
        return no_contact(advancement_stats(found.counts[0].tolist(), began))
    upper = proven_times(*pair.bodies, *pair.rows, found, pair.options)
    row_a, row_b = (piece_at(rows, 0, time) for rows in pair.rows)
    near = pair.options.min_separation + pair.options.tolerance
    touches = touching(*pair.shapes, row_a, row_b, time, near, tolerance=pair.options.tolerance)
    features = np.column_stack([touches.kind, touches.ids]).astype(np.int32)
    stats = advancement_stats(found.counts[0].tolist(), began)
    return FirstContact(
        status,
        time,
        float(upper[0]),
        touches.points,
        touches.normals,
        features,
        stats,
        is_truncated=touches.is_truncated,
    )


def rigid_firsts(a: Moving, b: Moving, ask: RigidAsk) -> FirstContacts:
    """First contacts of a batch of motions."""
    began = perf_counter()
    pair = _posed(a, b, ask)
    found = _found(pair, ask)
    upper = proven_times(*pair.bodies, *pair.rows, found, pair.options)
    contact = closest_contacts(*pair.shapes, *pair.rows, found.time, found.triangles)
    features = np.column_stack([contact.kind, contact.ids]).astype(np.int32)
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), began)
    return FirstContacts(found.status, found.time, upper, contact.points, contact.normals, features, stats)


def rigid_time(a: Moving, b: Moving, ask: RigidAsk) -> float:
    """Time of the first contact, 1 where there is none."""
    found = _found(_posed(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def default_tolerance(size_a: float, size_b: float) -> float:
    """Tolerance for things of these sizes; what has none is a point."""
    smaller, larger = sorted((size_a, size_b))
    return RELATIVE_TOLERANCE * (smaller or larger)


def _posed(a: Moving, b: Moving, ask: RigidAsk) -> Pair:
    """Make bodies and motions ready for the search."""
    motions = rigid_motion(a), rigid_motion(b)
    common_length(*motions, "motions")
    if ask.solid:
        check_closed(a.surface, "a")
        check_closed(b.surface, "b")
    bodies = body_of(a.surface), body_of(b.surface)
    options = ask.options(2.0 * bodies[0].reach, 2.0 * bodies[1].reach)
    return Pair((a.surface, b.surface), bodies, (motions[0].rows(), motions[1].rows()), options)


def _found(pair: Pair, ask: RigidAsk) -> Found:
    """Search, in parts where progress is shown; what is inside another body is in contact from the start."""
    found = _in_parts(pair) if ask.progress else first_times(*pair.bodies, *pair.rows, pair.options)
    if ask.solid:
        starts = [np.ascontiguousarray(rows[:, 0]) for rows in pair.rows]
        is_inside = contained(*pair.shapes, *starts) & (found.time > 0.0)
        found.status[is_inside], found.time[is_inside] = Status.CONTACT_AT_START, 0.0
        found.triangles[is_inside] = -1
    return found


def _in_parts(pair: Pair) -> Found:
    def part(span: slice) -> Found:
        rows_a, rows_b = (rows if len(rows) == 1 else rows[span] for rows in pair.rows)
        return first_times(*pair.bodies, rows_a, rows_b, pair.options)

    parts = in_parts(part, max(len(rows) for rows in pair.rows))
    return Found._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def in_parts(search: Callable[[slice], T], n: int) -> list[T]:
    """Search n motions part by part, and show how far it is."""
    from tqdm import tqdm

    parts = []
    with tqdm(total=n, desc="searching", unit=" motions") as bar:
        for first in range(0, max(n, 1), PROGRESS_EVERY):
            parts.append(search(slice(first, min(first + PROGRESS_EVERY, n))))
            bar.update(min(PROGRESS_EVERY, n - first))
    return parts


def advancement_stats(counts: Any, began: float) -> AdvancementStats:
    """Counters of a search, and the time since it began."""
    iterations, front_nodes, volume_tests, triangle_tests = counts
    return AdvancementStats(iterations, front_nodes, volume_tests, triangle_tests, perf_counter() - began)
