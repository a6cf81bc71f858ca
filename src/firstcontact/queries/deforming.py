"""Queries about deforming meshes, posed to the search."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact._validate import as_flag, as_length
from firstcontact.answers.contact_results import Contacts, ContactStats, FirstContact, no_contact
from firstcontact.deformable.contact_list import (
    MOST_FIRST,
    Report,
    Search,
    all_contacts,
    first_contacts,
    silent,
)
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.pierced import Pierced, nothing_pierced, pierced_at_start
from firstcontact.deformable.pierced_rows import with_pierced
from firstcontact.deformable.problem import Problem, pose_problem
from firstcontact.deformable.rows import contact_rows
from firstcontact.deformable.settle import take
from firstcontact.deformable.simultaneous import simultaneous
from firstcontact.errors import too_many
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# Width to which times are narrowed down in a search for the first; what it finds is narrowed down further.
COARSE = 1e-9


def as_culling(culling: Culling | None) -> Culling:
    """Accept a `Culling`, or None for all of it."""
    if culling is not None and not isinstance(culling, Culling):
        raise TypeError(f"culling must be a firstcontact.Culling; received {type(culling).__name__}")
    return culling or Culling()


class DeformingAsk(NamedTuple):
    """What is asked about deforming meshes, checked.

    assume_free_start : the meshes do not overlap at the start; it is not looked at
    """

    min_separation: float
    culling: Culling
    exact: bool
    assume_free_start: bool
    progress: bool

    @classmethod
    def checked(
        cls,
        min_separation: float,
        culling: Culling | None,
        exact: bool,
        assume_free_start: bool,
        progress: bool,
    ) -> "DeformingAsk":
        """Check all options."""
        return cls(
            as_length("min_separation", min_separation),
            as_culling(culling),
            as_flag("exact", exact),
            as_flag("assume_free_start", assume_free_start),
            as_flag("progress", progress),
        )


def every_contact(things: Sequence[Moving], ask: DeformingAsk, time_tolerance: float, most: int) -> Contacts:
    """All contacts of a step; more than `most` are an error."""
    problem = pose_problem(things, ask.min_separation, ask.culling)
    began = perf_counter()
    pierced = _pierced(problem, ask, most=most)
    with shown(ask.progress) as report:
        search = all_contacts(problem, time_tolerance, ask.exact, report, max(most - len(pierced.edges), 0))
    if search.is_truncated or len(pierced.edges) > most:
        raise too_many("contacts", "max_contacts", most)
    rows = with_pierced(contact_rows(problem, search.found), problem, pierced)
    return Contacts(*rows, stats=stats_of(problem, search, perf_counter() - began))


def first_of(things: Sequence[Moving], ask: DeformingAsk) -> FirstContact:
    """First contact of a step."""
    problem = pose_problem(things, ask.min_separation, ask.culling)
    began = perf_counter()
    pierced = _pierced(problem, ask, most=MOST_FIRST)
    latest = 0.0 if len(pierced.edges) else 1.0
    with shown(ask.progress) as report:
        search = first_contacts(problem, COARSE, ask.exact, False, report, latest)
    first = simultaneous(problem, search, ask.exact)
    stats = stats_of(problem, search, perf_counter() - began)
    rows = with_pierced(contact_rows(problem, take(first, first.time <= latest)), problem, pierced)
    if len(rows.time) == 0:
        return no_contact(stats)
    features = np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32)
    return FirstContact(
        Status.CONTACT_AT_START if len(pierced.edges) else Status(int(rows.status[0])),
        min(float(rows.time[0]), search.left_out),
        float(rows.time_upper.min()),
        rows.points,
        rows.normals,
        features,
        stats,
        is_truncated=search.is_truncated or len(pierced.edges) > MOST_FIRST,
    )


def first_time(things: Sequence[Moving], ask: DeformingAsk) -> float:
    """Time of the first contact of a step, 1 where there is none."""
    problem = pose_problem(things, ask.min_separation, ask.culling)
    with shown(ask.progress) as report:
        search = first_contacts(problem, COARSE, ask.exact, True, report)
    first = simultaneous(problem, search, ask.exact)
    time = float(np.min(first.time, initial=min(search.left_out, 1.0)))
    # Where features touch at the start there is no need to look for what has passed through.
    return 0.0 if time > 0.0 and len(_pierced(problem, ask, any_will_do=True).edges) else time


def _pierced(
    problem: Problem, ask: DeformingAsk, any_will_do: bool = False, most: int = MOST_FIRST
) -> Pierced:
    """Edges that pass through faces at the start, unless the caller knows that there are none."""
    return nothing_pierced() if ask.assume_free_start else pierced_at_start(problem, any_will_do, most)


@contextmanager
def shown(is_wanted: bool) -> Iterator[Report]:
    """A report that shows pairs of triangles and contacts so far, or nothing."""
    if not is_wanted:
        yield silent
        return
    from tqdm import tqdm

    with tqdm(desc="searching", unit=" triangle pairs", unit_scale=True) as bar:

        def report(n_pairs: int, n_contacts: int) -> None:
            bar.set_postfix(contacts=n_contacts, refresh=False)
            bar.update(n_pairs - bar.n)

        yield report


def stats_of(problem: Problem, search: Search, seconds: float) -> ContactStats:
    """Counters and times of a search."""
    settling = search.seconds_settling
    times = {"bounds": problem.seconds, "search": seconds - settling, "settling": settling}
    return ContactStats(
        **search.tally,
        trees=tuple(str(tree.action) for tree in problem.trees),
        seconds=times | {"total": problem.seconds + seconds},
    )
