"""The least distance of what deforms and a field: as of a rigid body, looked at frame by frame."""

from collections.abc import Mapping
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.articulated.proof.certificate import Certificate
from firstcontact.queries.batches import single
from firstcontact.queries.kinds.deforming_clearance import NO_CERTIFICATE, thing_then
from firstcontact.queries.kinds.field_clearance import Look, check_far, least_to_field, uppers_of
from firstcontact.queries.kinds.field_first import as_field
from firstcontact.queries.kinds.field_resting import field_distance
from firstcontact.queries.kinds.field_steps import stepped_first
from firstcontact.queries.kinds.mixed import size_at_start
from firstcontact.queries.kinds.rigid import advancement_stats
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status


class SteppedMeasurer(NamedTuple):
    """Measures what deforms and a field at times: a `Measurer`."""

    def distances(self, things: Mapping[str, Moving], times: Array) -> Array:
        """Distances at times (m,)."""
        return np.array([_measured(things["a"], things["b"], t).distance for t in times.tolist()])

    def certificate(self, things: Mapping[str, Moving], kept: float) -> Certificate:
        """There is none."""
        raise ValueError(NO_CERTIFICATE)


def stepped_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Least distance of what deforms and a field; which is which does not matter."""
    began = perf_counter()
    for thing, name in ((a, "a"), (b, "b")):
        check_far(single(thing, name), name)
    sizes = [_size(thing) for thing in (a, b)]

    def first_at(own: Ask, counts: Array) -> tuple[int, float]:
        found = stepped_first(a, b, own)
        counts[0] += int(getattr(found.stats, "iterations", 0))
        return int(found.status), found.time

    def uppers(times: Array) -> Array:
        still = np.zeros(1)
        return np.concatenate([uppers_of(thing_then(a, t), thing_then(b, t), still) for t in times.tolist()])

    is_still = a.motion.is_resting and b.motion.is_resting
    least = least_to_field(a, b, ask, look=Look(first_at, uppers, is_still, sizes))
    there = _measured(a, b, least.time)
    status = Status.SEPARATED if least.lower > 0.0 else Status.UNDECIDED
    status = Status.CONTACT if least.upper == 0.0 else status
    status = Status.MAX_ITERATIONS if least.is_exhausted else status
    stats = advancement_stats(least.counts.astype(np.int64).tolist(), perf_counter() - began)
    points = np.stack([there.points_a, there.points_b])
    return Clearance(
        least.upper, least.lower, least.time, points, there.faces, status, stats, SteppedMeasurer()
    )


def _measured(a: Moving, b: Moving, t: float) -> Distance:
    return field_distance(thing_then(a, t), thing_then(b, t), Ask())


def _size(thing: Moving) -> float:
    return size_at_start(thing) if thing.kind is Kind.DEFORMING else 2.0 * as_field(thing.shape).farthest
