"""Several things asked about at once, in one search.

Things whose vertices go straight are one problem, as two of them are. Those that move rigidly, on curved
paths, are sought for contacts with each other and with all others in a second search, stretch by stretch; and
the two lists, which have no pair of things in common, are put together.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from firstcontact._validate import as_name
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import shown
from firstcontact.answers.answer import about
from firstcontact.answers.contact_results import Contacts, ContactStats, FirstContact, no_contact
from firstcontact.arrays import Ids
from firstcontact.deformable.first_so_far import MOST_FIRST
from firstcontact.deformable.rows import contact_rows
from firstcontact.deformable.touching.pierced import pierced_at_start
from firstcontact.deformable.touching.pierced_rows import with_pierced
from firstcontact.deformable.with_rigid.course import Course, nothing_found
from firstcontact.deformable.with_rigid.rigid_pieces import MAX_ITERATIONS, first_on_course
from firstcontact.errors import too_many
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.kinds.deforming import TRIANGLE_PAIRS, Several, as_culling
from firstcontact.queries.kinds.deforming_steps import (
    contacts_in_steps,
    first_in_steps,
    joined,
    step_in_steps,
)
from firstcontact.queries.kinds.mixed import contacts_of_bodies, first_of_encounter, size_at_start
from firstcontact.queries.kinds.solid_start import first_of_solids, step_of_solids
from firstcontact.queries.pair_filters import seeks_itself
from firstcontact.queries.refusals import NO_THING
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

ONLY_MESHES = (
    "a list is of meshes, and thing {name} is a {what}: use its mesh, or ask about it and each other"
)
NOT_OF_BODIES = (
    "a list takes {option} where all in it rests or deforms, and thing {name} moves rigidly: ask about that "
    "and each other"
)
NO_BATCH = "things in a list have one motion each, and thing {name} has a batch of them"


class Listed(NamedTuple):
    """A list of things, checked.

    names, things : of each; one that rests rigidly goes straight, too
    straight : those that go straight, and which of them are asked about themselves
    places : where these are in the list
    """

    names: tuple[str, ...]
    things: tuple[Moving, ...]
    straight: Several
    places: Ids

    @property
    def has_bodies(self) -> bool:
        """Does any of them move rigidly?"""
        return len(self.places) < len(self.things)

    @property
    def has_straight(self) -> bool:
        """Is there anything to ask about those that go straight?"""
        return len(self.places) > 1 or any(self.straight.is_asked)

    @property
    def titles(self) -> list[str]:
        """What each is called where it is refused."""
        return [f"thing {name}" for name in self.names]

    @property
    def by_name(self) -> dict[str, Moving]:
        """What an answer is about."""
        return dict(zip(self.names, self.things, strict=True))


def several_contacts(a: Any, b: None, ask: Ask) -> Contacts:
    """All contacts of things in a list."""
    listed = _listed(a, ask)
    straight, own = listed.straight, ask
    if not listed.has_straight:
        straight, own = (
            Several((as_moving(Mesh([], [])),), (False,)),
            ask._replace(groups=None, ignore_groups=None),
        )
    found = _in_list(contacts_in_steps(straight, b, own), listed)
    if listed.has_bodies:
        found = joined(found, contacts_of_bodies(listed.things, _tolerance(listed, ask), ask))
        if len(found) > ask.max_contacts:
            raise too_many("contacts", "max_contacts", ask.max_contacts)
    return about(found, listed.by_name)


def several_first(a: Any, b: None, ask: Ask) -> FirstContact:
    """First contact of things in a list."""
    listed = _listed(a, ask)
    return about(_first(listed, ask), listed.by_name)


def several_step(a: Any, b: None, ask: Ask) -> float:
    """Time of the first contact of things in a list, 1 where there is none."""
    return _step(_listed(a, ask), ask)


def _step(listed: Listed, ask: Ask) -> float:
    """The safe step."""
    if ask.solid:
        return step_of_solids(listed.things, listed.titles, ask, partial(_step, listed))
    if listed.has_bodies:
        return min(_first(listed, ask).time, 1.0)
    return step_in_steps(listed.straight, None, ask) if listed.has_straight else 1.0


def several_are_free(a: Any, b: None, ask: Ask) -> bool:
    """Does nothing in a list touch anything on its way?"""
    return not _first(_listed(a, ask), ask)


def _first(listed: Listed, ask: Ask) -> FirstContact:
    """The earlier of two contacts: of what goes straight, and of what moves rigidly."""
    if ask.solid:
        return first_of_solids(listed.things, listed.titles, ask, partial(_first, listed))
    first = no_contact(ContactStats())
    if listed.has_straight:
        first = first_in_steps(listed.straight, None, ask)
        if first:  # what does not touch is equal to the same answer about a thing by itself
            first = replace(first, _thing_ids=_places_of(first.thing_ids, listed))
    if not listed.has_bodies:
        return first
    other = _first_of_bodies(listed, ask, first.time)
    earlier = other if other.time < first.time else first
    return replace(earlier, time_upper=min(first.time_upper, other.time_upper))


def _first_of_bodies(listed: Listed, ask: Ask, until: float) -> FirstContact:
    """First contact of things that move rigidly with each other and with all others, up to a time."""
    options = Options(_tolerance(listed, ask), ask.min_separation, ask.max_iterations or MAX_ITERATIONS)
    with shown(ask.progress, TRIANGLE_PAIRS) as report:
        course = Course(listed.things, as_culling(ask.culling), report)
        if not ask.assume_free_start:
            at_start = _crossing_at_start(course)
            if at_start is not None:
                return at_start
        return first_of_encounter(first_on_course(course, options, until))


def _crossing_at_start(course: Course) -> FirstContact | None:
    """What passes through at the start: features of surfaces that cross already need not meet later."""
    problem = course.problem
    pierced = pierced_at_start(problem, most=MOST_FIRST)
    if len(pierced.edges) == 0:
        return None
    rows = with_pierced(contact_rows(problem, nothing_found()), problem, pierced)
    return FirstContact(
        Status.CONTACT_AT_START,
        0.0,
        0.0,
        rows.points,
        rows.normals,
        np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32),
        ContactStats(),
        is_truncated=len(pierced.edges) > MOST_FIRST,
        _thing_ids=rows.thing_ids,
    )


def _tolerance(listed: Listed, ask: Ask) -> float:
    """The tolerance of all pairs: that of the smallest two."""
    sizes = [size for size in map(size_at_start, listed.things) if size > 0.0]
    return ask.tolerance_for(min(sizes, default=0.0), max(sizes, default=0.0))


def _listed(given: Any, ask: Ask) -> Listed:
    """Check a list of things, or things by their names; what has no name is called by its place."""
    if isinstance(given, Mapping):
        names, things = tuple(as_name("a name", name) for name in given), tuple(given.values())
    elif isinstance(given, list | tuple):
        names, things = tuple(map(str, range(len(given)))), tuple(given)
    else:
        raise TypeError(NO_THING.format(what=type(given).__name__))
    checked = tuple(_checked(name, thing) for name, thing in zip(names, things, strict=True))
    is_asked = [seeks_itself(thing, ask) for thing in checked]
    straight = [_as_straight(thing) for thing in checked]
    places = [k for k, thing in enumerate(straight) if thing.kind is Kind.DEFORMING]
    several = Several(tuple(straight[k] for k in places), tuple(is_asked[k] for k in places))
    listed = Listed(names, tuple(straight), several, np.array(places, np.int32))
    _refuse_of_bodies(listed, ask)
    return listed


def _refuse_of_bodies(listed: Listed, ask: Ask) -> None:
    """Refuse what bodies that move rigidly do not know: groups, and what closes."""
    for option in ("only_closing", "groups") if listed.has_bodies else ():
        if option in ask.given():
            moving = next(k for k in range(len(listed.things)) if k not in listed.places)
            raise TypeError(NOT_OF_BODIES.format(option=option, name=listed.names[moving]))


def _checked(name: str, given: Any) -> Moving:
    thing = as_moving(given)
    if thing.kind not in (Kind.MESH, Kind.DEFORMING) or thing.shape.is_cloud:
        raise TypeError(ONLY_MESHES.format(name=name, what=type(thing.shape).__name__))
    if thing.motion.is_batch:
        raise ValueError(NO_BATCH.format(name=name))
    return thing


def _as_straight(thing: Moving) -> Moving:
    """What rests deforms by nothing; what moves rigidly stays what it is."""
    if thing.kind is Kind.DEFORMING or not thing.motion.is_resting:
        return thing
    places = thing.vertices(0.0)
    return Moving(thing.shape, Deformation(places, places))


def _places_of(thing_ids: Ids, listed: Listed) -> Ids:
    """Places in the list of things that go straight, by their places among those."""
    return listed.places[thing_ids] if len(listed.places) else thing_ids


def _in_list(found: Contacts, listed: Listed) -> Contacts:
    return replace(found, thing_ids=_places_of(found.thing_ids, listed))
