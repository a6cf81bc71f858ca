"""Gaps between shapes, and how much of them their motion can close, for the check of a proof.

All for k intervals at a time; in each of them a pair was measured at one moment.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Flags
from firstcontact.articulated.proof.proof_chains import CarriedReach, Cast, Moments, apply, moments, reach
from firstcontact.articulated.proof.proof_shapes import Extent, apart, support
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

Ids = NDArray[np.int64]

# Rounding of a gap, in units of the lengths that add up to it: of each carrier, a rotation and two products
# of matrices; of each radian that it turns; of the shape itself, and of the travel that its gap must cover.
PER_CARRIER = 32.0 * UNIT_ROUNDOFF
PER_RADIAN = 4.0 * UNIT_ROUNDOFF
OF_A_SHAPE = 128.0 * UNIT_ROUNDOFF


# How far what deviates from its whole piece may be from there, and how much farther it may go, at the most.
WHOLE_WAYS = 8.0


class ProofSide(NamedTuple):
    """One shape of each pair, at the moment of its measurement.

    bodies : (k,) numbers
    poses : (k, 4, 4) in the world
    middles : (k, 3) of the boxes around the shapes, in the world
    radii : (k,) of the balls around them
    reach : how they move, as seen from what carries both
    """

    bodies: Ids
    poses: Array
    middles: Array
    radii: Array
    reach: CarriedReach

    def chosen(self, ids: Ids) -> "ProofSide":
        """Some of them."""
        moving = CarriedReach(*(x[ids] for x in self.reach))
        return ProofSide(self.bodies[ids], self.poses[ids], self.middles[ids], self.radii[ids], moving)


class Case(NamedTuple):
    """What there is to check.

    extents : of all bodies
    a, b : the two of each pair
    back, on : (k,) times from the measurement back to the start of the interval, and on to its end
    errors : (k,) what rounding, and a deviation from pieces of motion, may do to a gap and a travel
    """

    extents: list[Extent]
    a: ProofSide
    b: ProofSide
    back: Array
    on: Array
    errors: Array

    def chosen(self, ids: Ids) -> "Case":
        """Some of the intervals."""
        rest = self.back[ids], self.on[ids], self.errors[ids]
        return Case(self.extents, self.a.chosen(ids), self.b.chosen(ids), *rest)


class Bound(NamedTuple):
    """Gaps (k,), and the travels (k,) that they must cover."""

    gaps: Array
    travels: Array


def case_of(cast: Cast, pairs: Ids, at: Array, times: Array) -> Case:
    """Place the shapes of pairs (k, 2), measured at times (k,) of intervals (k, 2), and see how they move."""
    back, on = at - times[:, 0], times[:, 1] - at
    when, ids = np.unique(np.column_stack([at, times]), axis=0, return_inverse=True)
    found, which = moments(cast, *when.T), ids.reshape(-1)
    span, (a, b), chains = np.maximum(back, on), pairs.T, cast.chains
    # What carries both does not matter to how they move as seen from each other.
    one = _side(cast, found, which, a, chains[a] & ~chains[b], span)
    other = _side(cast, found, which, b, chains[b] & ~chains[a], span)
    own = _roundings(cast)
    errors = (own[a] + own[b]) * (1.0 + span * (one.reach.rates + other.reach.rates))
    errors += np.einsum("kc,ck->k", chains[a] ^ chains[b], found.deviations[:, which])
    return Case([body.extent for body in cast.bodies], one, other, back, on, errors)


def _side(cast: Cast, found: Moments, at: Ids, bodies: Ids, carriers: Flags, span: Array) -> ProofSide:
    poses, middles, radii = np.empty((len(at), 4, 4)), np.empty((len(at), 3)), np.empty(len(at))
    for i in np.unique(bodies):
        body, ids = cast.bodies[i], np.flatnonzero(bodies == i)
        poses[ids] = found.poses[body.carrier, at[ids]] @ body.pose if body.carrier >= 0 else body.pose
        middles[ids] = poses[ids, :3, :3] @ body.extent.middle + poses[ids, :3, 3]
        radii[ids] = body.extent.radius
    return ProofSide(bodies, poses, middles, radii, reach(found, at, carriers, (middles, radii), span))


def _roundings(cast: Cast) -> Array:
    """Bound what rounding may do to the place of any point of each body."""
    lengths, turns, depths = np.zeros((3, len(cast.carriers) + 1))  # the last is the world
    for c, (parent, origin, course) in enumerate(cast.carriers):
        spans = np.diff(course.times)
        ways = np.linalg.norm(course.velocities, axis=1) * spans
        ways += np.linalg.norm(course.pivots, axis=1)
        ways += np.linalg.norm(course.starts[:, :3, 3] - course.pivots, axis=1)
        if course.law is not None:
            whole = course.law.rows(np.zeros(1, np.intp), np.zeros(1), np.ones(1))
            ways += WHOLE_WAYS * whole[:, DEVIATION]
        if course.path is not None:
            ways += WHOLE_WAYS * course.path.size
        lengths[c] = lengths[parent] + np.linalg.norm(origin[:3, 3]) + ways.max()
        turns[c] = turns[parent] + (np.linalg.norm(course.spins, axis=1) * spans).max()
        turns[c] += 0.0 if course.path is None else course.path.size
        depths[c] = depths[parent] + 1.0
    found = np.empty(len(cast.bodies))
    for i, body in enumerate(cast.bodies):
        size = np.linalg.norm(body.pose[:3, 3]) + np.linalg.norm(np.abs(body.extent.shape.bounds).max(axis=0))
        c = body.carrier
        part = OF_A_SHAPE + PER_CARRIER * depths[c] + PER_RADIAN * turns[c]
        found[i] = part * (lengths[c] + size) + SHORTEST
    return found


def any_bound(case: Case) -> Bound:
    """Gaps between the ball around a shape and the box around the other; travels along any direction."""
    a, b, span = case.a, case.b, np.maximum(case.back, case.on)
    gaps = np.maximum(_from_boxes(case, a, b), _from_boxes(case, b, a))
    now = np.linalg.norm(a.reach.velocities - b.reach.velocities, axis=1)
    for side in (a, b):
        now += side.radii * np.linalg.norm(side.reach.spins, axis=1)
    bent = 0.5 * span * span * (a.reach.bends + b.reach.bends)
    return Bound(gaps, np.minimum(span * now + bent, span * (a.reach.speeds + b.reach.speeds)))


def _from_boxes(case: Case, a: ProofSide, b: ProofSide) -> Array:
    """Distances of the balls around one shape each from the boxes around others."""
    halves = np.array([extent.half for extent in case.extents]).reshape(-1, 3)[b.bodies]
    seen = apply(b.poses[:, :3, :3].swapaxes(1, 2), a.middles - b.middles)
    distances: Array = np.linalg.norm(np.maximum(np.abs(seen) - halves, 0.0), axis=1) - a.radii
    return distances


def directed_bound(case: Case, directions: Array) -> Bound:
    """Gaps and travels along directions (k, 3) from a to b, of any length but 0."""
    a, b = case.a, case.b
    n = directions / np.linalg.norm(directions, axis=1)[:, np.newaxis]
    between = np.einsum("ij,ij->i", n, b.poses[:, :3, 3] - a.poses[:, :3, 3])
    gaps = between - _support(case, a, n) - _support(case, b, -n)
    # A point at r from the middle has the velocity n . (spin x r) = r . (n x spin) along n, besides its own.
    closing = np.einsum("ij,ij->i", n, a.reach.velocities - b.reach.velocities)
    c, d = np.cross(n, a.reach.spins), -np.cross(n, b.reach.spins)
    bends = 0.5 * (a.reach.bends + b.reach.bends)
    travels = np.full(len(n), -np.inf)
    for sign, span in ((1.0, case.on), (-1.0, case.back)):
        speeds = sign * closing + _spread(case, a, sign * c) + _spread(case, b, sign * d)
        travels = np.where(span > 0.0, np.maximum(travels, span * speeds + span * span * bends), travels)
    return Bound(gaps, travels)


def bound_along(case: Case, directions: Array) -> Bound:
    """Gaps and travels along directions (k, 3), or along any where it is 0."""
    found, ids = any_bound(case), np.flatnonzero(directions.any(axis=1))
    along = directed_bound(case.chosen(ids), directions[ids])
    # However far they travel along a direction, it is no farther than along any.
    found.gaps[ids], found.travels[ids] = along.gaps, np.minimum(found.travels[ids], along.travels)
    return found


def _spread(case: Case, side: ProofSide, directions: Array) -> Array:
    """How far shapes reach along directions (k, 3) from the middles of their boxes, times the lengths."""
    from_origin = np.einsum("ij,ij->i", directions, side.middles - side.poses[:, :3, 3])
    spread: Array = _support(case, side, directions) - from_origin
    return spread


def _support(case: Case, side: ProofSide, directions: Array) -> Array:
    """How far shapes reach along directions (k, 3) of the world, from where their frames are."""
    found, own = np.empty(len(directions)), apply(side.poses[:, :3, :3].swapaxes(1, 2), directions)
    for i in np.unique(side.bodies):
        ids = np.flatnonzero(side.bodies == i)
        found[ids] = support(case.extents[i], own[ids])
    return found


def measured_bound(case: Case, limit: float) -> tuple[Bound, Array]:
    """Measure the shapes, the same two in all intervals; directions (k, 3) are 0 where any is meant.

    limit : a mesh whose hull bulges by no more than this counts as its hull
    """
    one, other = case.extents[case.a.bodies[0]], case.extents[case.b.bodies[0]]
    found = apart(one.shape, other.shape, case.a.poses, case.b.poses, limit)
    bound = bound_along(case, found.directions)
    return Bound(np.maximum(bound.gaps, found.distances), bound.travels), found.directions
