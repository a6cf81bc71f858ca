"""Queries about deforming meshes, posed to the search."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

import numpy as np

from firstcontact._validate import as_flag
from firstcontact.deformable.contact_list import Report, Search, all_contacts, first_contacts, silent
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.first_times import simultaneous
from firstcontact.deformable.problem import Problem, pose_problem
from firstcontact.deformable.rows import contact_rows
from firstcontact.queries.contact_results import Contacts, ContactStats, FirstContact, no_contact
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# Width to which times are narrowed down in a search for the first; what it finds is narrowed down further.
COARSE = 1e-9


def as_culling(culling: Culling | None) -> Culling:
    """Accept a `Culling`, or None for all of it."""
    if culling is not None and not isinstance(culling, Culling):
        raise TypeError(f"culling must be a firstcontact.Culling; received {type(culling).__name__}")
    return culling or Culling()


def every_contact(problem: Problem, time_tolerance: float, exact: bool, progress: bool) -> Contacts:
    """All contacts of a step."""
    began = perf_counter()
    with shown(progress) as report:
        search = all_contacts(problem, time_tolerance, exact, report)
    stats = stats_of(problem, search, perf_counter() - began)
    return Contacts(*contact_rows(problem, search.found), stats=stats)


def first_of(
    things: Sequence[Moving], min_separation: float, culling: Culling, exact: bool, progress: bool
) -> FirstContact:
    """First contact of a step."""
    problem = pose_problem(things, min_separation, culling)
    began = perf_counter()
    with shown(progress) as report:
        search = first_contacts(problem, COARSE, exact, False, report)
    first = simultaneous(problem, search, exact)
    stats = stats_of(problem, search, perf_counter() - began)
    if len(first.time) == 0:
        return no_contact(stats)
    rows = contact_rows(problem, first)
    features = np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32)
    return FirstContact(
        Status(int(rows.status[0])),
        float(rows.time[0]),
        float(rows.time_upper.min()),
        rows.points,
        rows.normals,
        features,
        stats,
    )


def first_time(
    things: Sequence[Moving], min_separation: float, culling: Culling, exact: bool, progress: bool
) -> float:
    """Time of the first contact of a step, 1 where there is none."""
    problem = pose_problem(things, min_separation, culling)
    with shown(progress) as report:
        search = first_contacts(problem, COARSE, exact, True, report)
    first = simultaneous(problem, search, exact)
    return float(np.min(first.time, initial=1.0))


@contextmanager
def shown(is_wanted: bool) -> Iterator[Report]:
    """A report that shows pairs of triangles and contacts so far, or nothing."""
    if not as_flag("progress", is_wanted):
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
