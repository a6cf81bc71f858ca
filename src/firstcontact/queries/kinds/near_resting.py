"""Two plain things near each other, at an instant, or over their motions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.gradients import of_poses
from firstcontact.answers.near_results import NearPairs
from firstcontact.arrays import Array
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.signed_pair import Signed, signed_pair, still
from firstcontact.shapes.moving import Moving


def near_of_two(a: Moving, b: Moving, ask: Ask) -> NearPairs:
    """Measure two things, in one pose each or a batch; one pair a row, or none."""
    if ask.tolerance is not None or not (a.motion.is_resting and b.motion.is_resting):
        from firstcontact.queries.kinds.near_moving import near_over_motions  # which has more to load

        return near_over_motions(a, b, ask)
    within = wanted(ask)
    one, other = still("a", a), still("b", b)
    n = common_length(one.rigid, other.rigid, "poses")
    found = signed_pair(one, other, within)
    rows = np.flatnonzero(found.distance <= within)
    signed = found.chosen(rows)
    origins = np.stack([origins_of(thing, n)[rows] for thing in (one, other)])
    return near_pairs(
        rows, n, (["a"] * len(rows), ["b"] * len(rows)), signed, pose_gradients(signed, origins)
    )


def wanted(ask: Ask) -> float:
    """How far things may be apart; `near` always has it."""
    return np.inf if ask.within is None else ask.within


def origins_of(thing: Moving, n: int) -> Array:
    """Where the origin of a body is in each of n poses."""
    found: Array = np.broadcast_to(thing.rigid.pose(0.0), (n, 4, 4))[:, :3, 3]
    return found


def pose_gradients(signed: Signed, origins: Array) -> Array:
    """Gradients (m, 2, 6) with respect to the poses of a and b, of which origins are (2, m, 3)."""
    return of_poses(np.stack([signed.points_a, signed.points_b]), signed.normals, origins)


def near_pairs(
    rows: NDArray[Any], n: int, names: tuple[list[str], list[str]], signed: Signed, gradient: Array
) -> NearPairs:
    """Put the answer together, of pairs in rows that increase."""
    starts = np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)
    return NearPairs(starts, *names, *signed, gradient)
