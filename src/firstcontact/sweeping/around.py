"""Capsules around things: line-swept spheres, which stand for links in the survey's tessellation."""

import numpy as np

from firstcontact.arrays import Array
from firstcontact.sweeping.elements import Elements

# Places on the axis of a capsule from which the thing in it is measured.
N_PLACES = 65

UP = 1.0 + 2.0**-40


def capsule_around(elements: Elements) -> tuple[Elements, float]:
    """A capsule that holds all elements, as one segment with a radius, and how far it goes beyond them."""
    corners = elements.vertices[elements.faces].reshape(-1, 3)
    radii = np.repeat(elements.radii, 3) + elements.excess
    middle, axis = _axis_of(corners)
    along = (corners - middle) @ axis
    across = np.linalg.norm(corners - middle - along[:, np.newaxis] * axis, axis=1)
    radius = float((across + radii).max()) * UP
    # A corner that is a from the axis, with a ball of radius r, is in a cap whose centre is no farther along
    # than its own place and sqrt((R - r)^2 - a^2).
    spare = np.sqrt(np.maximum((radius - radii) ** 2 - across**2, 0.0))
    low, high = float((along + spare).min()), float((along - spare).max())
    if low > high:  # one ball holds all: its centre may be anywhere between
        low = high = 0.5 * (low + high)
    ends = middle + np.array([[low], [high]]) * axis
    radius = max(radius, float((_from_segment(corners, ends) + radii).max()) * UP)
    places = ends[0] + np.linspace(0.0, 1.0, N_PLACES)[:, np.newaxis] * (ends[1] - ends[0])
    nearest = max(float(np.linalg.norm(corners - place, axis=1).min()) for place in places)
    beyond = radius + nearest + 0.5 * (high - low) / (N_PLACES - 1)
    one = Elements(ends, np.array([[0, 1, 1]], np.int32), np.array([radius]), 0.0, None)
    return one, beyond * UP


def _axis_of(corners: Array) -> tuple[Array, Array]:
    """Middle of points, and the direction in which they spread most."""
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    _, _, ways = np.linalg.svd(corners - middle, full_matrices=False)
    axis = ways[0] if np.linalg.norm(ways[0]) > 0.0 else np.array([0.0, 0.0, 1.0])
    return middle, axis


def _from_segment(points: Array, ends: Array) -> Array:
    """How far points (n, 3) are from a segment."""
    way = ends[1] - ends[0]
    squared = float(way @ way)
    part = np.clip((points - ends[0]) @ way / squared, 0.0, 1.0) if squared > 0.0 else np.zeros(len(points))
    found: Array = np.linalg.norm(points - ends[0] - part[:, np.newaxis] * way, axis=1)
    return found
