"""Queries about what deforms and a field, from frame to frame.

Every step has a clock of its own, from 0 to 1. The pieces of the field's motion are told by that clock, and
are so short that they deviate little.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.refining import Motions
from firstcontact.answers.contact_results import AdvancementStats, FirstContact, no_contact
from firstcontact.arrays import Array
from firstcontact.deformable.common_steps import CommonStep, are_in_steps, common_steps
from firstcontact.deformable.with_rigid.convex_deforming_in_steps import rows_in_step
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import END_TIME, POSITION, START_TIME, VELOCITY, RigidMotion
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.motions.step_times import times_above, times_below
from firstcontact.motions.stepped_deformation import DeformationStep
from firstcontact.queries.batches import single
from firstcontact.queries.kinds.field_first import MAX_ITERATIONS, as_field, field_first, field_time
from firstcontact.queries.kinds.mixed import size_at_start
from firstcontact.queries.kinds.rigid_intervals import rows_of_one
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status


class LinesAndField(NamedTuple):
    """What deforms, and a field; whether the field is what the user calls a; and how near is near enough."""

    thing: Moving
    other: Moving
    is_swapped: bool
    tolerance: float

    @classmethod
    def of(cls, a: Moving, b: Moving, ask: Ask) -> "LinesAndField":
        """Tell which is which."""
        is_swapped = b.kind is not Kind.FIELD
        thing, other = (b, a) if is_swapped else (a, b)
        size = 2.0 * as_field(other.shape).farthest
        return cls(thing, other, is_swapped, ask.tolerance_for(size_at_start(thing), size))

    def steps(self) -> Iterator[CommonStep]:
        """Give one step after the other: what deforms, and the field, by its clock."""
        field = as_field(self.other.shape)
        motions = Motions(motion_at_origin(), self.other.rigid)
        if motions.are_exact and not are_in_steps((self.thing,)):
            yield CommonStep(0.0, 1.0, (self.thing, self.other), 0.0)
            return
        _, rows = rows_of_one(motions, 0, self.tolerance + 0.5 * field.tolerance)
        for step in common_steps((self.thing,)):
            deformation = step.things[0].deformation
            own = rows_in_step(rows, DeformationStep(step.start, step.end, deformation), field.reach)
            yield step._replace(things=(step.things[0], Moving(self.other.shape, _motion_by(own))))

    def ordered(self, step: CommonStep) -> tuple[Moving, Moving]:
        """Both as the user calls them, over a step."""
        thing, other = step.things
        return (other, thing) if self.is_swapped else (thing, other)


def _motion_by(rows: Array) -> RigidMotion:
    """A motion of which these are the pieces, (k, 26): what they deviate by stays with them."""
    times = np.append(rows[:, START_TIME], rows[-1, END_TIME])
    return RigidMotion(rows[np.newaxis], rows[np.newaxis, :, POSITION:VELOCITY], times, False)


def stepped_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of what deforms and a field; which is which does not matter."""
    pair = _single_pair(a, b, ask)
    if isinstance(pair.thing.motion, Deformation):
        return field_first(a, b, ask)
    stats: list[Any] = []
    for step in pair.steps():
        found = field_first(*pair.ordered(step), _asked(pair, ask, stats))
        stats.append(found.stats)
        if found:
            return _in_whole(found, step, _summed(stats))
    return no_contact(_summed(stats))


def stepped_time(a: Moving, b: Moving, ask: Ask) -> float:
    """Time of that, 1 where there is none."""
    pair = _single_pair(a, b, ask)
    if isinstance(pair.thing.motion, Deformation):
        return field_time(a, b, ask)
    return min(stepped_first(a, b, ask).time, 1.0)


def _single_pair(a: Moving, b: Moving, ask: Ask) -> LinesAndField:
    return LinesAndField.of(single(a, "a"), single(b, "b"), ask)


def _asked(pair: LinesAndField, ask: Ask, stats: list[Any]) -> Ask:
    """What is asked of the next step: with the iterations that are left."""
    usual = MAX_ITERATIONS + 4 * pair.thing.surface.n_faces
    used = sum(one.iterations for one in stats)
    left = max((ask.max_iterations or usual) - used, 1)
    return ask._replace(tolerance=pair.tolerance, max_iterations=left)


def _in_whole(found: FirstContact, step: CommonStep, stats: AdvancementStats) -> FirstContact:
    """The first contact of a step, by the clock of the whole motion."""
    time = float(times_below(step.start, step.end, np.array(found.time)))
    upper = float(times_above(step.start, step.end, np.array(found.time_upper)))
    is_later = found.status == Status.CONTACT_AT_START and step.start > 0.0
    status = Status.CONTACT if is_later else found.status
    return replace(found, status=status, time=time, time_upper=upper, stats=stats)


def _summed(stats: list[Any]) -> AdvancementStats:
    """Counters of several searches."""
    names = "iterations", "front_nodes", "volume_tests", "triangle_tests", "seconds"
    return AdvancementStats(*(sum(getattr(one, name) for one in stats) for name in names))
