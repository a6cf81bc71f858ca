"""How often a vertex meets its face in [0, 1]: all the contacts, not the first one alone.

Plain numpy in floating point, for generic data: the times at which the four points are coplanar are the roots
of a cubic, one at most in each interval where the cubic is monotone; a root is a contact if the vertex is
inside the face then. What is decided by less than `NEAR` (a root next to 0, to 1 or to another root, a vertex
next to the face's border) is called ambiguous.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NEAR = 1e-9
_BISECTIONS = 56  # halvings of an interval within [0, 1] that end below the spacing of doubles near 1


class ContactCounts(NamedTuple):
    """For each query: its number of contacts, 0 to 3, and whether rounding may have changed it."""

    contacts: NDArray[np.int64]
    is_ambiguous: NDArray[np.bool_]


def count_contacts(start: Array, end: Array) -> ContactCounts:
    """Count the contacts of vertex-face queries; start and end have the shape (n, 4, 3)."""
    cubic = _coplanarity(start, end)
    turns = _turning_points(cubic)
    at_turns = _value(cubic, turns)
    is_near = (np.abs(at_turns) < NEAR * np.abs(cubic).max(axis=0)).any(axis=0)
    contacts = np.zeros(len(start), np.int64)
    for i in range(3):
        has_root = (at_turns[i] < 0) != (at_turns[i + 1] < 0)
        rows = np.flatnonzero(has_root)
        times = _bisect(cubic[:, rows], turns[i, rows], turns[i + 1, rows])
        margin = _inside_margin(start[rows], end[rows], times)
        contacts[rows] += margin >= 0
        is_near[rows] |= np.abs(margin) < NEAR
    return ContactCounts(contacts, is_near)


def _coplanarity(start: Array, end: Array) -> Array:
    """Coefficients (4, n), constant first, of the determinant of the vertex and two edges of the face."""
    p0, u0, v0 = (start[:, i] - start[:, 1] for i in (0, 2, 3))
    p1, u1, v1 = (end[:, i] - end[:, 1] - x for i, x in ((0, p0), (2, u0), (3, v0)))
    normal = np.cross(u0, v0), np.cross(u0, v1) + np.cross(u1, v0), np.cross(u1, v1)
    fixed = [np.einsum("ij,ij->i", p0, part) for part in normal]
    moving = [np.einsum("ij,ij->i", p1, part) for part in normal]
    return np.stack([fixed[0], fixed[1] + moving[0], fixed[2] + moving[1], moving[2]])


def _value(cubic: Array, time: Array) -> Array:
    return ((cubic[3] * time + cubic[2]) * time + cubic[1]) * time + cubic[0]


def _turning_points(cubic: Array) -> Array:
    """Times (4, n), ascending, 0 first and 1 last, between which a cubic is monotone."""
    a, b, c = 3 * cubic[3], cubic[2], cubic[1]  # the derivative is a t^2 + 2 b t + c
    with np.errstate(invalid="ignore", divide="ignore"):
        far = -(b + np.copysign(np.sqrt(b * b - a * c), b))
        inner = np.stack([far / a, c / far])
    inner = np.sort(np.clip(np.nan_to_num(inner, nan=0.0), 0.0, 1.0), axis=0)
    return np.concatenate([np.zeros_like(inner[:1]), inner, np.ones_like(inner[:1])])


def _bisect(cubic: Array, low: Array, high: Array) -> Array:
    is_low_negative = _value(cubic, low) < 0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        is_left = (_value(cubic, middle) < 0) == is_low_negative
        low, high = np.where(is_left, middle, low), np.where(is_left, high, middle)
    return 0.5 * (low + high)


def _inside_margin(start: Array, end: Array, time: Array) -> Array:
    """Least barycentric coordinate of the vertex in its face at a time: negative outside."""
    t = time[:, None, None]
    points = (1 - t) * start + t * end
    p, u, v = (points[:, i] - points[:, 1] for i in (0, 2, 3))
    normal = np.cross(u, v)
    area = np.einsum("ij,ij->i", normal, normal)
    second = np.einsum("ij,ij->i", np.cross(p, v), normal) / area
    third = np.einsum("ij,ij->i", np.cross(u, p), normal) / area
    return np.minimum(np.minimum(second, third), 1 - second - third)
