"""The pair of a scene that comes nearest: pairs by the distance of the boxes that they sweep."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.clearance_results import Clearance
from firstcontact.arrays import Array
from firstcontact.queries.look_up import answer_about
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.crowd import kept_pairs
from firstcontact.scene.filters import Filters
from firstcontact.shapes.mesh import is_empty

Pairs = NDArray[np.int32]

# Pairs whose boxes are compared at a time.
CHUNK = 1 << 20

# Rounding of a distance of boxes, in units of their coordinates.
ROUNDED = 16.0 * UNIT_ROUNDOFF


class NearestPair(NamedTuple):
    """Two rows, -1 for none; their clearance; what all pairs keep; pairs that there are, and were asked."""

    i: int
    j: int
    clearance: Clearance | None
    lower: float
    n_pairs: int
    n_asked: int


def nearest_pair(bodies: Bodies, boxes: Array, filters: Filters, ask: Ask) -> NearestPair:
    """Find the least distance of any two bodies over the step.

    boxes : (n_rows, 6) that they sweep

    A pair is asked about as long as the boxes of both are nearer than the least distance so far: all others
    keep more than that.
    """
    pairs, gaps = _near(boxes, _rows_there(bodies), bodies, filters, None)
    best = NearestPair(-1, -1, None, np.inf, len(pairs), 0)
    for n_asked, k in enumerate(np.argsort(gaps, kind="stable").tolist()):
        if best.clearance is not None and gaps[k] >= best.clearance.distance:
            break
        i, j = pairs[k].tolist()
        found: Clearance = answer_about("clearance", bodies.thing(i), bodies.thing(j), ask)
        lower = min(best.lower, float(found.distance_lower))
        is_nearer = best.clearance is None or found.distance < best.clearance.distance
        best = NearestPair(i, j, found, lower, len(pairs), n_asked + 1) if is_nearer else best
        best = best._replace(lower=lower, n_asked=n_asked + 1)
    return best


def pairs_within(bodies: Bodies, boxes: Array, filters: Filters, within: float) -> Pairs:
    """Pairs (m, 2) of rows whose boxes are within a distance, in order."""
    pairs, _ = _near(boxes, _rows_there(bodies), bodies, filters, within)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _rows_there(bodies: Bodies) -> Pairs:
    """Rows of bodies that are there, and have points."""
    is_there = bodies.columns.is_there[: bodies.n_rows].copy()
    for row in np.flatnonzero(is_there).tolist():
        is_there[row] = not is_empty(bodies.shapes[row])
    return np.flatnonzero(is_there).astype(np.int32)


def _near(
    boxes: Array, rows: Pairs, bodies: Bodies, filters: Filters, within: float | None
) -> tuple[Pairs, Array]:
    """Pairs within a distance, or those that may be the nearest; how far apart their boxes are at least."""
    found, limit = [(np.empty((0, 2), np.int32), np.empty(0))], np.inf if within is None else within
    for pairs in _all_pairs(rows):
        kept = kept_pairs(pairs, bodies.columns.ids, filters)
        if len(kept) == 0:
            continue
        one, other = boxes[kept[:, 0]], boxes[kept[:, 1]]
        between = np.maximum(other[:, :3] - one[:, 3:], one[:, :3] - other[:, 3:])
        across = np.maximum(other[:, 3:] - one[:, :3], one[:, 3:] - other[:, :3])
        rounding = ROUNDED * (np.abs(one) + np.abs(other)).sum(axis=1)
        gaps = np.linalg.norm(np.maximum(between, 0.0), axis=1) - rounding
        # No two points of two boxes are farther apart than their farthest corners.
        if within is None:
            limit = min(limit, float((np.linalg.norm(across, axis=1) + rounding).min()))
        found.append((kept[gaps <= limit], gaps[gaps <= limit]))
    pairs, gaps = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return pairs[gaps <= limit], gaps[gaps <= limit]


def _all_pairs(rows: Pairs) -> Iterator[Pairs]:
    """Every two of some rows, the earlier one first, in parts."""
    step = max(CHUNK // max(len(rows), 1), 1)
    for first in range(0, len(rows), step):
        some = np.arange(first, min(first + step, len(rows)))
        i, j = np.meshgrid(some, np.arange(len(rows)), indexing="ij")
        is_pair = i < j
        yield np.column_stack([rows[i[is_pair]], rows[j[is_pair]]])
