"""Queries about meshes that deform, in one step or in several: one step after the other.

A step starts where the one before it ended free, so only the first is asked what touches at its start. The
answer is that of the first step with a contact, by the clock of the whole motion, times rounded to the safe
side. Where two meshes have frames at different times, places of the one at a frame of the other are rounded:
what comes as near as that counts as contact, and is no proof of one.
"""

from collections import Counter
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import Contacts, ContactStats, FirstContact, no_contact
from firstcontact.deformable.common_steps import CommonStep, are_in_steps, common_steps
from firstcontact.deformable.feature_names import Names, order_of
from firstcontact.errors import too_many
from firstcontact.motions.step_times import times_above, times_below
from firstcontact.queries.kinds.deforming import Several, every_contact, first_of, first_time
from firstcontact.queries.kinds.solid_start import AB, first_of_solids, step_of_solids
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# What undoes the rounding of a sum of lengths, upwards.
UP = 1.0 + 4.0 * UNIT_ROUNDOFF


def first_in_steps(a: Moving | Several, b: Moving | None, ask: Ask) -> FirstContact:
    """First contact of all steps."""
    things = _things(a, b)
    if ask.solid:
        return first_of_solids(things, AB, ask, partial(first_in_steps, a, b))
    if not are_in_steps(things):
        return first_of(a, b, ask)
    stats = []
    for step in common_steps(things):
        found = first_of(*_asked_in(step, a), _asked(step, ask))
        stats.append(found.stats)
        if found:
            return _first_in_whole(found, step, _summed(stats))
    return no_contact(_summed(stats))


def step_in_steps(a: Moving | Several, b: Moving | None, ask: Ask) -> float:
    """Time of the first contact of all steps, 1 where there is none."""
    things = _things(a, b)
    if ask.solid:
        return step_of_solids(things, AB, ask, partial(step_in_steps, a, b))
    if not are_in_steps(things):
        return first_time(a, b, ask)
    for step in common_steps(things):
        part = first_time(*_asked_in(step, a), _asked(step, ask))
        if part < 1.0:  # what touches at the very end touches at the start of the next, too
            return float(times_below(step.start, step.end, np.array(part)))
    return 1.0


def contacts_in_steps(a: Moving | Several, b: Moving | None, ask: Ask) -> Contacts:
    """All contacts of all steps: each pair of features once, with its first time."""
    things = _things(a, b)
    if not are_in_steps(things):
        return every_contact(a, b, ask)
    known = None
    for step in common_steps(things):
        found = all_in_whole(every_contact(*_asked_in(step, a), _asked(step, ask)), step)
        known = found if known is None else joined(known, found)
        if len(known) > ask.max_contacts:
            raise too_many("contacts", "max_contacts", ask.max_contacts)
    assert known is not None  # there are two frames or more
    return known


def contacts_far(verb: str, a: Moving, b: Moving | None, ask: Ask) -> Contacts:
    """All contacts of all steps, each step split among workers."""
    return contacts_in_steps(a, b, ask)


def _things(a: Moving | Several, b: Moving | None) -> tuple[Moving, ...]:
    if isinstance(a, Several):
        return a.things
    return (a,) if b is None else (a, b)


def _asked_in(step: CommonStep, a: Moving | Several) -> tuple[Moving | Several, Moving | None]:
    """What is asked about in a step, as it is in the whole motion."""
    if isinstance(a, Several):
        return a._replace(things=step.things), None
    return step.things[0], step.things[1] if len(step.things) > 1 else None


def _asked(step: CommonStep, ask: Ask) -> Ask:
    """What is asked of a step: with what rounding may hide, and without the start of all but the first."""
    separation = (ask.min_separation + step.rounding) * UP if step.rounding > 0.0 else ask.min_separation
    is_free = ask.assume_free_start or step.start > 0.0
    return ask._replace(min_separation=separation, assume_free_start=is_free)


def _first_in_whole(found: FirstContact, step: CommonStep, stats: ContactStats) -> FirstContact:
    """The first contact of a step, by the clock of the whole motion."""
    time = float(times_below(step.start, step.end, np.array(found.time)))
    upper = float(times_above(step.start, step.end, np.array(found.time_upper)))
    is_later = found.status == Status.CONTACT_AT_START and step.start > 0.0
    return replace(
        found,
        status=Status.CONTACT if is_later else found.status,
        time=time,
        time_upper=upper if step.rounding == 0.0 else np.inf,
        stats=stats,
    )


def all_in_whole(found: Contacts, step: CommonStep) -> Contacts:
    """All contacts of a step, by the clock of the whole motion."""
    is_proven = (found.status == Status.CONTACT) | (found.status == Status.CONTACT_AT_START)
    uppers = times_above(step.start, step.end, found.time_upper)
    status = found.status
    if step.start > 0.0:
        status = np.where(status == Status.CONTACT_AT_START, np.int8(Status.CONTACT), status)
    return replace(
        found,
        time=times_below(step.start, step.end, found.time),
        time_upper=np.where(is_proven & (step.rounding == 0.0), uppers, 1.0),
        closing_speed=found.closing_speed / (step.end - step.start),
        velocities=found.velocities / (step.end - step.start),
        status=status,
    )


def joined(known: Contacts, later: Contacts) -> Contacts:
    """Contacts of some steps and of the next one; those of the same features are there once, as before."""
    is_new = ~np.isin(_keys(later), _keys(known))
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(known, name), getattr(later, name)[is_new]])
        for name in (item.name for item in fields(Contacts))
        if isinstance(getattr(known, name), np.ndarray)
    }
    names = Names(*(columns[name] for name in Names._fields))
    order = order_of(columns["time"], names)
    columns = {name: column[order] for name, column in columns.items()}
    return replace(known, **columns, stats=_summed([known.stats, later.stats]))


def _keys(found: Contacts) -> NDArray[np.void]:
    """One item for each pair of features."""
    ids = np.stack([found.kind.astype(np.int32), *found.thing_ids.T, found.ids_a, found.ids_b], axis=1)
    return np.ascontiguousarray(ids).view(np.dtype((np.void, ids.shape[1] * ids.itemsize))).reshape(-1)


def _summed(stats: list[Any]) -> ContactStats:
    """Counters and times of several searches, and what was done to the trees for the last."""
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for one in stats:
        own = {item.name: getattr(one, item.name) for item in fields(ContactStats)}
        seconds.update(own.pop("seconds"))
        own.pop("trees")
        counts.update(own)
    return ContactStats(**counts, trees=stats[-1].trees, seconds=dict(seconds))
