"""Two plain things over their motions: how near they come, or how deep they get, bracketed.

What never touches is bracketed by `clearance`. What does, and has an inside, is looked at in halves: of
convex shapes and points the signed distances themselves, of meshes those of the hulls that hold them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.gradients import of_poses
from firstcontact.answers.near_results import NearPaths
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.motions.end_slopes import faded, slopes_at_ends
from firstcontact.motions.poses_then import poses_then
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    VELOCITY,
    RigidMotion,
)
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.deforming_clearance import thing_then
from firstcontact.queries.kinds.field_first import as_field
from firstcontact.queries.kinds.least_signed import LeastSigned
from firstcontact.queries.kinds.near_resting import wanted
from firstcontact.queries.kinds.resting import rested
from firstcontact.queries.kinds.signed_pair import Signed, held, nothing_near, signed_pair
from firstcontact.queries.look_up import answered_at_length, is_thick, row_for
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.compound import as_compound, moving_parts
from firstcontact.shapes.mesh import as_mesh, is_empty
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

Rows = NDArray[np.intp]

# How well the least is known unless told otherwise, as a part of the smaller thing.
NEARLY = 1e-2

# What rounding may do to a bound, as a part of all lengths.
LARGER = 2.0**-40

BATCH = "near of what deforms over a motion takes one motion of the other thing; {name} has a batch of {n}"


def near_over_motions(a: Moving, b: Moving, ask: Ask) -> NearPaths:
    """Find the least distance over one motion, or over each of a batch."""
    one, other = _settled("a", a), _settled("b", b)
    for name, thing, beside in (("a", one, other), ("b", other, one)):
        if beside.kind is Kind.DEFORMING and thing.motion.is_batch:
            raise ValueError(BATCH.format(name=name, n=len(thing.motion)))
    n = length_of(one, other)
    tolerance = NEARLY * _smaller(one, other) if ask.tolerance is None else ask.tolerance
    within = wanted(ask)
    lower, time = least_of(one, other, n, within, tolerance)
    rows = np.flatnonzero(lower <= within)
    signed = signed_then(one, other, rows, time[rows])
    lower = np.minimum(lower[rows], signed.distance)
    is_near = lower <= within
    rows, signed, lower, times = rows[is_near], signed.chosen(is_near), lower[is_near], time[rows][is_near]
    starts = np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)
    gradient = _gradients(one, other, rows, times, signed)
    names = ["a"] * len(rows), ["b"] * len(rows)
    return NearPaths(starts, *names, *signed, gradient, lower, times)


def _settled(name: str, thing: Moving) -> Moving:
    """A thing; what could deform, and rests, as the rigid body that it is."""
    is_mesh = thing.kind in (Kind.MESH, Kind.DEFORMING) and thing.motion.is_resting
    return Moving(*rested("near", name, thing)) if is_mesh else thing


def length_of(a: Moving, b: Moving) -> int:
    """How many motions there are."""
    if Kind.DEFORMING in (a.kind, b.kind):
        return 1
    return common_length(a.rigid, b.rigid, "motions")


def _smaller(a: Moving, b: Moving) -> float:
    """Size of the smaller of two things; of points, of the larger."""
    sizes = sorted(2.0 * _half(_bounds(thing)) for thing in (a, b))
    return sizes[0] or sizes[1]


def _bounds(thing: Moving) -> Array:
    if thing.kind is not Kind.DEFORMING:
        return shape_of(thing).bounds
    places = thing.vertices(0.0)
    return np.stack([places.min(axis=0), places.max(axis=0)]) if len(places) else np.zeros((2, 3))


def _half(bounds: Array) -> float:
    """Half of the diagonal of a box; of an empty one, nothing."""
    size = bounds[1] - bounds[0]
    return 0.5 * float(np.linalg.norm(size)) if (size >= 0.0).all() else 0.0


def least_of(a: Moving, b: Moving, n: int, within: float, tolerance: float) -> tuple[Array, Array]:
    """What no distance of n motions is less than, and when they are nearest, as far as is seen."""
    if _is_nothing(a) or _is_nothing(b):
        return np.full(n, np.inf), np.zeros(n)
    lower, time, distance = _apart(a, b, n, Ask(tolerance=tolerance))
    begun = signed_then(a, b, np.arange(n), np.zeros(n), within=0.0)
    starts = np.flatnonzero((begun.distance <= 0.0) & (distance > 0.0))
    lower[starts], time[starts] = 0.0, 0.0
    rows = np.flatnonzero(lower <= 0.0)
    if len(rows) == 0 or not _have_depths(a, b):
        return lower, time
    ways = _Moves(*(_chosen(thing, rows) for thing in (a, b)))
    tolerance = max(tolerance, 4.0 * ways.hidden)
    least = LeastSigned(ways, len(rows), tolerance, tolerance)
    least.best, least.when = np.minimum(distance[rows], begun.distance[rows]), time[rows]
    least.run(ways.breaks)
    lower[rows], time[rows] = np.minimum(least.lower, least.best), least.when
    return lower, time


def _is_nothing(thing: Moving) -> bool:
    return thing.kind is not Kind.FIELD and is_empty(thing.shape)


def _apart(a: Moving, b: Moving, n: int, ask: Ask) -> tuple[Array, Array, Array]:
    """Least distances of surfaces, proven and seen, and when: (lower, time, distance)."""
    row = row_for("clearance", a, b)
    if not row.refusal:
        found: Clearance = answered_at_length("clearance", a, b, row.only(ask))
        columns = found.distance_lower, found.time, found.distance
        lower, time, distance = (np.array(np.atleast_1d(x), np.float64) for x in columns)
        return lower, time, distance
    lower, time, distance = np.full(n, np.inf), np.zeros(n), np.full(n, np.inf)
    for one in moving_parts(a):
        for other in moving_parts(b):
            if not _is_nothing(one) and not _is_nothing(other):
                own = _apart(one, other, n, ask)
                lower = np.minimum(lower, own[0])
                is_nearer = own[2] < distance
                time[is_nearer], distance[is_nearer] = own[1][is_nearer], own[2][is_nearer]
    return lower, time, distance


def _have_depths(a: Moving, b: Moving) -> bool:
    """Can two things be nearer than 0? Not where one has no inside, but for points."""
    if (is_thick(a) and a.kind is not Kind.COMPOUND) or (is_thick(b) and b.kind is not Kind.COMPOUND):
        return False
    shapes = [part for thing in (a, b) for part in _shapes_of(thing.shape)]
    if any(isinstance(shape, Points) for shape in shapes):
        return True
    return all(any(map(_has_inside, _shapes_of(thing.shape))) for thing in (a, b))


def _shapes_of(shape: Movable) -> list[Movable]:
    """The parts of a compound, or a shape itself."""
    return [part.shape for part in as_compound(shape).parts] if shape.kind is Kind.COMPOUND else [shape]


def _has_inside(shape: Movable) -> bool:
    """Has a shape an inside? Fields count as surfaces but for points."""
    if shape.kind is Kind.MESH:
        return not shape.is_cloud and is_closed(as_mesh(shape))
    return shape.kind is not Kind.FIELD


def _chosen(thing: Moving, rows: Rows) -> Moving:
    if thing.kind is Kind.DEFORMING or len(thing.rigid) == 1:
        return thing
    return Moving(thing.shape, thing.rigid.chosen(rows, True))


class _Moves:
    """Two things on their ways, by rows: their `Ways`."""

    def __init__(self, a: Moving, b: Moving) -> None:
        self.things = a, b
        times = [x.deforms.times if x.kind is Kind.DEFORMING else x.rigid.times for x in (a, b)]
        self.breaks = np.unique(np.concatenate(times))
        is_points = isinstance(a.shape, Points) or isinstance(b.shape, Points)
        self.are_held = not is_points and not all(_is_convex(x) for x in (a, b))
        fields = [as_field(x.shape).tolerance for x in (a, b) if x.kind is Kind.FIELD]
        self.hidden = 2.0 * sum(fields)

    def looked(self, rows: Rows, times: Array) -> tuple[Array, Array]:
        """Measure both, and what holds them."""
        a, b = self.things
        if not self.are_held:
            distance = signed_then(a, b, rows, times).distance
            return distance, distance
        own = signed_then(a, b, rows, times, is_deep=False).distance
        outer = signed_then(a, b, rows, times, is_held=True).distance
        return np.where(own > 0.0, own, np.minimum(outer, 0.0)), outer

    def reached(self, rows: Rows, starts: Array, ends: Array) -> Array:
        """Half of the way that points may go, what they deviate, and what rounding may hide."""
        one, other = (_going(thing, rows, starts, ends) for thing in self.things)
        way = np.linalg.norm(one[0] - other[0], axis=1) + one[1] + other[1]
        found: Array = 0.5 * way * (ends - starts) * (1.0 + LARGER)
        return found + 2.0 * (one[2] + other[2]) + LARGER * (one[3] + other[3]) + self.hidden

    def touching(self, rows: Rows) -> Array:
        """There are no paddings."""
        return np.zeros(len(rows))


def _is_convex(thing: Moving) -> bool:
    """Is a thing, or each of its parts, convex?"""
    return all(shape.kind is Kind.CONVEX for shape in _shapes_of(thing.shape))


def _going(thing: Moving, rows: Rows, starts: Array, ends: Array) -> tuple[Array, Array, Array, Array]:
    """How a thing goes within stretches: velocities (s, 3) of a center, speeds of other points besides that.

    And how far it may deviate from there, and the size of what is rounded.
    """
    if thing.kind is Kind.DEFORMING:
        return _bending(thing, 0.5 * (starts + ends))
    pieces = _pieces(thing.rigid, rows, starts, ends)
    bounds, velocity = shape_of(thing).bounds, pieces[:, VELOCITY:AXIS]
    away = np.linalg.norm(bounds.mean(axis=0) - pieces[:, CENTER:END_TIME], axis=1) + _half(bounds)
    passed = np.abs(ends - pieces[:, BASE_TIME])
    size = np.abs(pieces[:, POSITION:VELOCITY]).sum(axis=1) + passed * np.abs(velocity).sum(axis=1)
    return velocity, pieces[:, RATE] * away, pieces[:, DEVIATION], size + away


def _pieces(motion: RigidMotion, rows: Rows, starts: Array, ends: Array) -> Array:
    """Rows of motions for stretches without a bend, (s, N_COLUMNS)."""
    own = np.zeros(len(rows), np.intp) if len(motion) == 1 else rows
    if motion.law is not None:
        found: Array = motion.law.rows(own, starts, ends)
        return found
    last = len(motion.times) - 1
    k = np.minimum(np.searchsorted(motion.times, 0.5 * (starts + ends), side="right"), last) - 1
    pieces: Array = motion.pieces[own, k]
    return pieces


def _bending(thing: Moving, times: Array) -> tuple[Array, Array, Array, Array]:
    """As `_going`, of what deforms, at times between two frames."""
    found = np.zeros((3, len(times)))
    velocities, (others, deviations, sizes) = np.zeros((len(times), 3)), found
    for k, t in enumerate(times.tolist()):
        step = thing.deforms if not hasattr(thing.deforms, "step_at") else thing.deforms.step_at(t)
        start, end = getattr(step, "start", 0.0), getattr(step, "end", 1.0)
        both: Any = getattr(step, "deformation", step)
        speeds = (both.vertices_t1 - both.vertices_t0) / (end - start)
        velocities[k] = speeds.mean(axis=0)
        others[k] = np.linalg.norm(speeds - velocities[k], axis=1).max()
        sizes[k] = np.abs(both.frames).max() * 3.0
    return velocities, others, deviations, sizes


def signed_then(
    a: Moving,
    b: Moving,
    rows: Rows,
    times: Array,
    within: float = np.inf,
    is_deep: bool = True,
    is_held: bool = False,
) -> Signed:
    """Measure two things on their ways in rows (s,), each at its own time (s,); or what holds them."""
    if Kind.DEFORMING in (a.kind, b.kind):
        found = nothing_near(len(rows))
        for k, t in enumerate(times.tolist()):
            both = [thing_then(thing, t) for thing in (a, b)]
            one, other = map(held, both) if is_held else both
            found.put(slice(k, k + 1), signed_pair(one, other, within, is_deep))
        return found
    one, other = (
        shape_of(thing).at(poses_then(_chosen(thing, rows).rigid, times))
        for thing in ((held(a), held(b)) if is_held else (a, b))
    )
    return signed_pair(one, other, within, is_deep)


def _gradients(a: Moving, b: Moving, rows: Rows, times: Array, signed: Signed) -> Array:
    """Gradients (m, 2, 2, 6) with respect to both ends, of a and of b."""
    deforms = [thing.kind is Kind.DEFORMING for thing in (a, b)]
    origins = np.stack(
        [
            np.zeros((len(rows), 3)) if is_bent else poses_then(_chosen(thing, rows).rigid, times)[:, :3, 3]
            for thing, is_bent in zip((a, b), deforms, strict=True)
        ]
    )
    then = of_poses(np.stack([signed.points_a, signed.points_b]), signed.normals, origins)
    own = [
        faded(times, then[:, k]) if is_bent else slopes_at_ends(thing.rigid, rows, times, then[:, k])
        for k, (thing, is_bent) in enumerate(zip((a, b), deforms, strict=True))
    ]
    return np.stack(own, axis=2)
