"""Queries about deforming meshes, posed to the search."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.progress import shown
from firstcontact.answers.answer import about, named
from firstcontact.answers.contact_results import Contacts, ContactStats, FirstContact, no_contact
from firstcontact.deformable.cloud_features import named_elements
from firstcontact.deformable.contact_list import Search, Wanted, all_contacts, first_contacts
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.first_so_far import MOST_FIRST
from firstcontact.deformable.problem import Problem, pose_problem
from firstcontact.deformable.rows import Rows, contact_rows
from firstcontact.deformable.settle import take
from firstcontact.deformable.simultaneous import first_of_simultaneous, simultaneous
from firstcontact.deformable.touching.pierced import Pierced
from firstcontact.deformable.touching.pierced_rows import with_pierced
from firstcontact.errors import too_many
from firstcontact.queries.batches import single
from firstcontact.queries.pair_filters import left_out_for
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# Width to which times are narrowed down in a search for the first; what it finds is narrowed down further.
COARSE = 1e-9

# Unless some stages are to be left out.
_ALL_OF_IT = Culling()

# What a search goes through, and its progress is counted in.
TRIANGLE_PAIRS = "triangle pairs"


def as_culling(culling: Any) -> Culling:
    """Accept a `Culling`, or None for all of it."""
    if culling is not None and not isinstance(culling, Culling):
        raise TypeError(f"culling must be a firstcontact.Culling; received {type(culling).__name__}")
    return culling or _ALL_OF_IT


class Several(NamedTuple):
    """A list of things that are asked about at once, and which of them about themselves, too."""

    things: tuple[Moving, ...]
    is_asked: tuple[bool, ...]


def every_contact(a: Moving | Several, b: Moving | None, ask: Ask) -> Contacts:
    """All contacts of a step; more than `ask.max_contacts` are an error."""
    problem, most = _problem(a, b, ask), ask.max_contacts
    began = perf_counter()
    if ask.executor is None:
        with shown(ask.progress, TRIANGLE_PAIRS) as report:
            search = all_contacts(problem, _wanted(problem, ask, ask.time_tolerance), report, most)
    else:
        from firstcontact.queries.spread.spread_contacts import (
            far_contacts,  # loads what most have no use for
        )

        assert isinstance(a, Moving)  # a list knows no workers
        search = far_contacts([a] if b is None else [a, b], problem, ask)
    return listed_contacts(problem, search, most, began)


def listed_contacts(problem: Problem, search: Search, most: int, began: float) -> Contacts:
    """What was found, as a list; more than so many are an error."""
    if search.is_truncated or len(search.pierced.edges) > most:
        raise too_many("contacts", "max_contacts", most)
    rows = _rows(problem, search.found, search.pierced)
    return Contacts(*rows, stats=stats_of(problem, search, perf_counter() - began))


def first_of(a: Moving | Several, b: Moving | None, ask: Ask) -> FirstContact:
    """First contact of a step."""
    return _first_and_rows(a, b, ask)[0]


def first_listed(a: Moving, b: Moving | None, ask: Ask) -> Contacts:
    """All that touches at the first contact of a step, with its times and status."""
    first, rows = _first_and_rows(a, b, ask)
    n = len(rows.time)
    of_all = {
        "time": np.full(n, first.time),
        "time_upper": np.full(n, first.time_upper),
        "status": np.full(n, first.status, np.int8),
    }
    return Contacts(*rows._replace(**of_all), stats=ContactStats())


def _first_and_rows(a: Moving | Several, b: Moving | None, ask: Ask) -> tuple[FirstContact, Rows]:
    """First contact of a step, and all that is known of what touches then."""
    problem = _problem(a, b, ask)
    began = perf_counter()
    with shown(ask.progress, TRIANGLE_PAIRS) as report:
        search = first_contacts(problem, _wanted(problem, ask, COARSE), False, report)
    return first_found(problem, search, ask.exact, began)


def first_found(problem: Problem, search: Search, exact: bool, began: float) -> tuple[FirstContact, Rows]:
    """First of what was found, and all that is known of what touches then."""
    pierced = search.pierced
    latest = 0.0 if len(pierced.edges) else 1.0
    first = simultaneous(problem, search, exact)
    stats = stats_of(problem, search, perf_counter() - began)
    rows = _rows(problem, take(first, first.time <= latest), pierced)
    if len(rows.time) == 0:
        return no_contact(stats), rows
    found = FirstContact(
        Status.CONTACT_AT_START if len(pierced.edges) else Status(int(rows.status[0])),
        min(float(rows.time[0]), search.left_out),
        float(rows.time_upper.min()),
        rows.points,
        rows.normals,
        np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32),
        stats,
        is_truncated=search.is_truncated or len(pierced.edges) > MOST_FIRST,
        _thing_ids=rows.thing_ids,
    )
    return found, rows


def first_time(a: Moving | Several, b: Moving | None, ask: Ask) -> float:
    """Time of the first contact of a step, 1 where there is none."""
    problem = _problem(a, b, ask)
    with shown(ask.progress, TRIANGLE_PAIRS) as report:
        search = first_contacts(problem, _wanted(problem, ask, COARSE), True, report)
    return time_found(problem, search, ask.exact)


def time_found(problem: Problem, search: Search, exact: bool) -> float:
    """Time of the first of what was found, 1 where there is none."""
    if len(search.pierced.edges):
        return 0.0
    return min(first_of_simultaneous(problem, search, exact), search.left_out, 1.0)


def first_of_still(a: Moving, b: None, ask: Ask) -> FirstContact:
    """First contact with itself of a mesh that does not deform: it touches as it does at the start."""
    vertices = single(a, "a").vertices(0.0)
    thing = a.surface.deforming(vertices, vertices)
    return about(first_of(thing, b, ask), named([thing]))


def _rows(problem: Problem, found: FeaturesFound, pierced: Pierced) -> Rows:
    """Describe what touches, and what passes through at the start."""
    return named_elements(with_pierced(contact_rows(problem, found), problem, pierced), problem)


def _problem(a: Moving | Several, b: Moving | None, ask: Ask) -> Problem:
    things = a.things if isinstance(a, Several) else [a] if b is None else [a, b]
    left_out = left_out_for(things, ask)
    is_asked = a.is_asked if isinstance(a, Several) else None
    problem = pose_problem(things, ask.min_separation, as_culling(ask.culling), is_asked=is_asked)
    return problem._replace(only_closing=ask.only_closing, left_out=left_out)


def _wanted(problem: Problem, ask: Ask, time_tolerance: float) -> Wanted:
    """What a search is asked: also what is pierced, unless nothing has faces, or the caller knows of none."""
    has_faces = not all(mesh.is_cloud for mesh in problem.meshes)
    return Wanted(time_tolerance, ask.exact, has_faces and not ask.assume_free_start)


def stats_of(problem: Problem, search: Search, seconds: float) -> ContactStats:
    """Counters and times of a search."""
    settling = search.seconds_settling
    times = {"bounds": problem.seconds, "search": seconds - settling, "settling": settling}
    return ContactStats(
        **search.tally,
        trees=tuple(map(str, problem.actions)),
        seconds=times | {"total": problem.seconds + seconds},
    )
