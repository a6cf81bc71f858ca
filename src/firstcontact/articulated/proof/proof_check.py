"""Check the proof that a path is free: see docs/robots.md for why it is one.

Nothing of the search is used: neither its tables nor its kernels. A direction along which two shapes are
apart is taken from the proof as a hint: what it is worth is worked out here.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.articulated.proof.proof_bounds import any_bound, case_of
from firstcontact.articulated.proof.proof_chains import Cast, cast_of
from firstcontact.articulated.proof.proof_form import malformed
from firstcontact.articulated.proof.proof_intervals import NO_BULGE, limits_of, proven
from firstcontact.articulated.proof.proof_rules import Claims, allowed_by, claims_of
from firstcontact.articulated.proof.proof_shapes import is_inside
from firstcontact.shapes.movable import Kind

if TYPE_CHECKING:
    from firstcontact.articulated.proof.certificate import Certificate

Ids = NDArray[np.int64]


def fault_of(proof: "Certificate") -> str | None:
    """Say what a proof fails at; None where it holds."""
    fault = malformed(proof)
    if fault is not None:
        return fault
    if proof.end == 0.0:  # in contact from the start: nothing is claimed
        return None
    cast = cast_of(proof.things)
    if tuple(body.name for body in cast.bodies) != proof.bodies:
        return "it is about other shapes"
    claims = claims_of(proof.things, cast)
    return (
        _misruled(proof, claims)
        or _uncovered(proof, claims)
        or _misplaced(proof, cast)
        or _enclosed(proof, cast, claims)
        or _unproven(proof, cast, claims)
    )


def _misruled(proof: "Certificate", claims: Claims) -> str | None:
    """Say where the proof allows or pads other pairs than the robot does."""
    if proof.allowed != allowed_by(proof.things):
        return "it allows other pairs than the robot does"
    if not _are_ids(proof.pairs, len(proof.bodies)):
        return "it names a shape or a pair that there is not"
    if len(proof.paddings) != len(proof.pairs):
        return "it has other paddings than pairs"
    for pair, padding in zip(proof.pairs.tolist(), proof.paddings.tolist(), strict=True):
        one, other = sorted(pair)
        if padding != claims.get((one, other), padding):
            names = f"{proof.bodies[one]!r} and {proof.bodies[other]!r}"
            return f"it pads {names} by {padding}, and the robot by {claims[one, other]}"
    return None


def _uncovered(proof: "Certificate", claims: Claims) -> str | None:
    """Name a pair that has no interval at some time."""
    k, n = proof.intervals, len(proof.bodies)
    if not _are_ids(k.pairs, len(proof.pairs)):
        return "it names a shape or a pair that there is not"
    pairs = np.sort(proof.pairs[k.pairs], axis=1)
    keys = pairs[:, 0].astype(np.int64) * n + pairs[:, 1]
    order = np.lexsort((k.times[:, 0], keys))
    keys, times = keys[order], k.times[order]
    for a, b in sorted(claims):
        first, last = np.searchsorted(keys, [a * n + b, a * n + b + 1])
        if not _covers(times[first:last], proof.end):
            return f"{proof.bodies[a]!r} and {proof.bodies[b]!r} are not proven to be apart at all times"
    return None


def _are_ids(ids: Any, n: int) -> bool:
    return bool(((ids >= 0) & (ids < n)).all())


def _covers(times: Array, end: float) -> bool:
    """Do intervals (k, 2), in the order of their starts, have all times from 0 to an end in them?"""
    if len(times) == 0:
        return False
    reached = np.maximum.accumulate(times[:, 1])
    return bool(times[0, 0] <= 0.0 and (times[1:, 0] <= reached[:-1]).all() and reached[-1] >= end)


def _misplaced(proof: "Certificate", cast: Cast) -> str | None:
    """Name an interval that is none, or in which a motion changes."""
    k, knots = proof.intervals, cast.times
    starts, ends = k.times.T
    last = knots[np.clip(np.searchsorted(knots, starts, side="right"), 1, len(knots) - 1)]
    is_good = (starts >= 0.0) & (starts <= k.at) & (k.at <= ends) & (ends <= last)
    if not is_good.all():
        return f"interval {int(np.argmin(is_good))} is none in which all motions go on as they began"
    return None


def _unproven(proof: "Certificate", cast: Cast, claims: Claims) -> str | None:
    """Name an interval whose gap does not cover the travel, or of which more is said than is true."""
    k = proof.intervals
    paddings = np.array([claims.get((min(pair), max(pair)), 0.0) for pair in proof.pairs.tolist()])
    holds = proven(cast, proof.pairs, k, limits_of(proof.min_separation, proof.tolerance, paddings))
    if holds.all():
        return None
    i = int(np.argmin(holds))
    one, other = proof.names[int(k.pairs[i])]
    return f"interval {i}: the gap between {one!r} and {other!r} does not cover their travel, as is said"


def _enclosed(proof: "Certificate", cast: Cast, claims: Claims) -> str | None:
    """Name a pair one of which is inside the other, a closed mesh, at the start, if that is a solid."""
    if not proof.solid:
        return None
    pairs = np.array(sorted(claims), np.int64).reshape(-1, 2)
    shapes = [body.extent.shape for body in cast.bodies]
    pairs = np.array([pair for pair in pairs if any(shapes[i].kind is Kind.MESH for i in pair)])
    if len(pairs) == 0:
        return None
    case = case_of(cast, pairs, np.zeros(len(pairs)), np.zeros((len(pairs), 2)))
    for i in np.flatnonzero(any_bound(case).gaps <= 0.0):
        a, b = case.a.bodies[i], case.b.bodies[i]
        pose_a, pose_b = case.a.poses[i], case.b.poses[i]
        one, other = shapes[a], shapes[b]
        # A mesh that is its hull, too: what is inside may be proven clear of its surface.
        if is_inside(one, other, pose_a, pose_b, NO_BULGE) or is_inside(other, one, pose_b, pose_a, NO_BULGE):
            return f"{proof.bodies[a]!r} and {proof.bodies[b]!r} are not apart at the start: one is inside"
    return None
