"""The least distance of a rigid body and a field over their motions.

First contacts at a separation prove that it is kept, or tell a time at which the two are about that near. How
far apart they are then is bounded by a point of the body.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.arrival import N_COUNTS
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.nearest import RELATIVE
from firstcontact.answers.clearance_results import Clearance
from firstcontact.arrays import Array
from firstcontact.fields.field_values import field_values
from firstcontact.motions.poses_then import poses_then
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.field_contacts import PLACING
from firstcontact.queries.kinds.field_first import as_field, field_found, pose_body_and_field
from firstcontact.queries.kinds.rigid import advancement_stats
from firstcontact.queries.kinds.rigid_clearance import RigidMeasurer, measured_then
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status

NOT_FAR = (
    "clearance needs fields that are exact outside, and `is_exact` of {name} says otherwise: "
    "nobody knows how far the surface is; use first_contact with a min_separation"
)

# Times at which to look before anything is known.
LOOKS = np.linspace(0.0, 1.0, 17)

# Where to look around the nearest time, in widths one after the other, as long as that is nearer still.
BESIDE, WIDTHS = np.linspace(-0.875, 0.875, 15), (2.0**-4, 2.0**-7, 2.0**-10)

# To know a separation better than by this part of the fields' tolerances would gain little; and what is seen
# is more than what can be proven by about so many of them.
OF_FIELD, SEEN = 0.25, 2.5


class Least(NamedTuple):
    """Bounds of the least distance, when the upper one was seen, whether the search had to end; counts."""

    upper: float
    lower: float
    time: float
    is_exhausted: bool
    counts: Array


class Look(NamedTuple):
    """How two things are looked at.

    first_at : status and time of the first contact at a separation; it adds to counts
    uppers : bounds from above of how far they are apart at times
    is_still : whether neither moves
    sizes : of both
    """

    first_at: Callable[[Ask, Array], tuple[int, float]]
    uppers: Callable[[Array], Array]
    is_still: bool
    sizes: list[float]


def _look_at(a: Moving, b: Moving) -> Look:
    """How a rigid body and a field are looked at."""
    sizes = [2.0 * shape_of(thing).farthest for thing in (a, b)]
    is_still = a.rigid.is_resting and b.rigid.is_resting
    return Look(partial(_first_at, a, b), partial(uppers_of, a, b), is_still, sizes)


def field_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Least distance of a body and a field, or of two fields, of one motion or a batch."""
    began = perf_counter()
    n = common_length(a.rigid, b.rigid, "motions")
    check_far(a, "a")
    check_far(b, "b")
    found = [least_to_field(one_row(a, k), one_row(b, k), ask) for k in range(n)]
    upper, lower, time = (np.array([row[i] for row in found], float) for i in range(3))
    there = measured_then(a, b, time, False)
    points = np.stack([there.points_a, there.points_b], axis=1)
    status = np.where(lower > 0.0, Status.SEPARATED, Status.UNDECIDED).astype(np.int8)
    status[upper == 0.0] = Status.CONTACT
    status[[row.is_exhausted for row in found]] = Status.MAX_ITERATIONS
    counts = np.array([row.counts for row in found], np.int64).reshape(n, N_COUNTS)
    measurer = RigidMeasurer(False)
    if a.rigid.is_batch or b.rigid.is_batch:
        stats = advancement_stats(np.ascontiguousarray(counts.T), perf_counter() - began)
        return Clearance(upper, lower, time, points, there.faces, status, stats, measurer)
    stats = advancement_stats(counts[0].tolist(), perf_counter() - began)
    numbers = float(upper[0]), float(lower[0]), float(time[0])
    return Clearance(*numbers, points[0], there.faces[0], Status(int(status[0])), stats, measurer)


def check_far(thing: Moving, name: str) -> None:
    """Refuse a field that does not tell how far its shape is."""
    if thing.kind is Kind.FIELD and not as_field(thing.shape).is_exact[0]:
        raise ValueError(NOT_FAR.format(name=name))


def one_row(thing: Moving, k: int) -> Moving:
    """One motion of a batch."""
    return Moving(thing.shape, thing.rigid.chosen(slice(k, k + 1), False))


def least_to_field(a: Moving, b: Moving, ask: Ask, limit: float = np.inf, look: Look | None = None) -> Least:
    """Find how near a single body and a field come; or that they keep a limit, where they do.

    What was seen where they are nearest is all but proven: a little less than that is tried, ever less where
    it is not kept, and then what is not known is halved.
    """
    counts, known, high = np.zeros(N_COUNTS), 0.0, np.inf
    if is_empty(a.shape) or is_empty(b.shape):
        return Least(np.inf, np.inf, 0.0, False, counts)
    look = look or _look_at(a, b)
    size_a, size_b = look.sizes
    part, length = (RELATIVE if ask.tolerance is None else 0.0), ask.tolerance_for(size_a, size_b)
    tolerance = sum(as_field(thing.shape).tolerance for thing in (a, b) if thing.kind is Kind.FIELD)
    if limit < np.inf and look.first_at(Ask(length, limit), counts)[0] == Status.SEPARATED:
        return Least(np.inf, limit, 0.0, False, counts)
    upper, time = _nearest_seen(look, LOOKS)
    tried = 0  # since something nearer was seen
    while upper > 0.0:
        wanted = max(part * upper, length, OF_FIELD * tolerance)
        high = min(high, upper)
        step = (wanted + SEEN * tolerance) * 2.0**tried
        level = max(known + 0.5 * (high - known), high - step if known == 0.0 else 0.0)
        if high - known <= wanted or level <= known:
            break
        status, then = look.first_at(Ask(0.25 * wanted, level, max_iterations=ask.max_iterations), counts)
        if status == Status.MAX_ITERATIONS:
            return Least(upper, known, time, True, counts)
        if status == Status.SEPARATED:
            known = level
            if level >= upper - (wanted + SEEN * tolerance):
                break
            continue
        there, then = _nearest_seen(look, np.array([then]), upper)
        high, tried = level, tried + 1
        if there < upper:
            upper, time, tried = there, then, 0
    return Least(upper, min(known, upper), time, False, counts)


def _first_at(a: Moving, b: Moving, ask: Ask, counts: Array) -> tuple[int, float]:
    """Status and time of the first contact at a separation."""
    found = field_found(pose_body_and_field(a, b, ask), ask)
    counts += found.counts[0]
    return int(found.status[0]), float(found.time[0])


def _nearest_seen(look: Look, times: Array, known: float = np.inf) -> tuple[float, float]:
    """Bound the least distance from above, by what is seen at times and, ever closer, around the nearest."""
    seen = look.uppers(times)
    upper, time = float(seen.min()), float(times[np.argmin(seen)])
    for width in WIDTHS if 0.0 < upper < known and not look.is_still else ():
        around = np.clip(time + width * BESIDE, 0.0, 1.0)
        seen = look.uppers(around)
        if not seen.min() < upper:
            break
        upper, time = float(seen.min()), float(around[np.argmin(seen)])
    return upper, time


def uppers_of(a: Moving, b: Moving, times: Array) -> Array:
    """Bounds from above of how far two are apart at times, by the point of the body that seems nearest."""
    there = measured_then(a, b, times, False)
    thing, other, points = (a, b, there.points_a) if b.kind is Kind.FIELD else (b, a, there.points_b)
    if thing.kind is Kind.MESH:  # a search that had to end may have come to no face: any point will do then
        mesh, is_lost = thing.surface, there.faces[:, 0 if thing is a else 1] < 0
        poses = poses_then(thing.rigid, times[is_lost])
        points[is_lost] = poses[:, :3, :3] @ mesh.vertices[mesh.faces[0, 0]] + poses[:, :3, 3]
    found = _farthest(other, points, times)
    if thing.kind is Kind.FIELD:  # the point is near its shape
        found += np.maximum(_farthest(thing, points, times), 0.0)
    return np.maximum(found, 0.0)


def _farthest(thing: Moving, points: Array, times: Array) -> Array:
    """How far points (n, 3) of the world are at most from the shape of a field, each at its own time."""
    field, poses = as_field(thing.shape), poses_then(thing.rigid, times)
    own = np.einsum("nji,nj->ni", poses[:, :3, :3], points - poses[:, :3, 3])
    largest = max(float(np.abs(part).max(initial=0.0)) for part in (points, own, poses[:, :3, 3]))
    values = field_values(field.octree, np.ascontiguousarray(own))
    is_beyond = ((own < field.box[0]) | (own > field.box[1])).any(axis=1)
    # From beyond, by way of the box around the shape.
    inner = np.clip(own[is_beyond], *field.bounds)
    beyond = np.linalg.norm(own[is_beyond] - inner, axis=1)
    values[is_beyond] = beyond + np.maximum(field_values(field.octree, np.ascontiguousarray(inner)), 0.0)
    far: Array = values + field.tolerance
    return far + 2.0 * PLACING * largest
