"""How far spheres stick out of the shape that they cover: proven.

The signed distance changes by no more than one goes, so a sphere whose center is at f sticks out by f plus
its radius, at most. Where a point of it is found that is about as far, that is it; boxes tell the others.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.queries.decomposing.covered import Covered, nearest_of
from firstcontact.queries.decomposing.farthest_in_boxes import (
    NEARNESS,
    Boxes,
    Measured,
    farthest_in_boxes,
    whole_box,
)
from firstcontact.queries.signed_distance import signed_distance
from firstcontact.shapes.cloud import Points


class Spheres(NamedTuple):
    """Centers (n, 3) and radii (n,)."""

    centers: Array
    radii: Array


def spheres_deviation(things: list[Covered], spheres: Spheres, slack: float) -> float:
    """Bound how far points of spheres, one or more, are from the things that they cover."""
    near = nearest_of(things, spheres.centers)
    bounds = np.maximum(near.distances + spheres.radii, 0.0) + slack
    least = max(
        float(nearest_of(things, _outermost(spheres, near.points, near.distances)).distances.max()), 0.0
    )
    is_loose = bounds > (1.0 + NEARNESS) * least + slack
    if not is_loose.any():
        return float(bounds.max())
    loose = Spheres(spheres.centers[is_loose], spheres.radii[is_loose])
    known = float(bounds[~is_loose].max(initial=least))
    return min(float(bounds.max()), max(known, _by_boxes(things, loose, float(bounds.max()))))


def _outermost(spheres: Spheres, nearest: Array, distances: Array) -> Array:
    """A point of each sphere that is likely to stick out most: away from the shape, or out of it."""
    away = (spheres.centers - nearest) * np.where(distances < 0.0, -1.0, 1.0)[:, np.newaxis]
    length = np.linalg.norm(away, axis=1)
    unit = np.where(
        (length > 0.0)[:, np.newaxis],
        away / np.where(length > 0.0, length, 1.0)[:, np.newaxis],
        [1.0, 0.0, 0.0],
    )
    return spheres.centers + spheres.radii[:, np.newaxis] * unit


def _by_boxes(things: list[Covered], spheres: Spheres, bound: float) -> float:
    """The same by boxes around all spheres."""
    reach = spheres.radii[:, np.newaxis]
    whole, slack = whole_box(np.concatenate([spheres.centers - reach, spheres.centers + reach]), 0)
    cloud = Points(*spheres)

    def measure(boxes: Boxes, r: float) -> Measured:
        own = np.asarray(signed_distance(cloud, boxes.middles).distance)
        return Measured(own, nearest_of(things, boxes.middles).distances, boxes.may_be_nearest)

    return farthest_in_boxes(measure, whole, 0.5 * bound, slack)
