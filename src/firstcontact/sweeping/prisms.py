"""Elements over slices of time: each is within the hull of where it is when the slice begins and ends.

Take a corner i of an element to go straight from a_i to b_i, and D_i = b_i - a_i. A point of the hull,
sum(p_i a_i) + sum(q_i b_i) with s = sum(q_i), is near to where the point of the element with the weights
w_i = p_i + q_i is at the part s of the slice: off by sum((q_i - s w_i) D_i). The factors add up to zero, and
their magnitudes to 2 s (1 - s), a half at most: so that is no more than a quarter of the largest distance
between two of the D_i, the twist. Corners that do not go straight are off by a deviation, by which the hull
is grown: it contains the element then, and is nowhere farther from it than the twist and twice the deviation.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array

# Numbers of a prism: three corners, three coordinates each, at both ends of a slice.
N_NUMBERS = 18

# Rounding of a place along a straight way, in units of its coordinates.
BETWEEN = 2.0**-50

# A factor that undoes the roundings of the sums here.
UP = 1.0 + 2.0**-40


class Prisms(NamedTuple):
    """Hulls of elements at both ends of slices of time, with radii around them.

    corners : (n, N_NUMBERS)
    radii : (n,) with what the elements deviate
    slack : no point of a prism is farther from the sweep
    """

    corners: Array
    radii: Array
    slack: float


class Slices(NamedTuple):
    """Slices of time: poses (k, 4, 4) at both ends, and how far the body is from straight ways, (k,)."""

    starts: Array
    ends: Array
    deviations: Array


def moved_prisms(slices: Slices, corners: Array, radii: Array, excess: float) -> Prisms:
    """Prisms of elements (m, 3, 3) with radii (m,), which may be off by an excess, over all slices."""
    starts, ends = (_placed(poses, corners) for poses in (slices.starts, slices.ends))
    return straight_prisms(starts, ends, radii, slices.deviations, excess)


def straight_prisms(starts: Array, ends: Array, radii: Array, deviations: Array, excess: float) -> Prisms:
    """Prisms of elements that go from places (k, m, 3, 3) to others, but for deviations (k,)."""
    ways = ends - starts
    apart = [np.linalg.norm(ways[:, :, i] - ways[:, :, j], axis=-1) for i, j in ((0, 1), (1, 2), (2, 0))]
    twists = 0.25 * np.maximum(np.maximum(apart[0], apart[1]), apart[2])
    slack = (twists + 2.0 * deviations[:, np.newaxis]).max(initial=0.0) + excess
    grown = radii + (deviations[:, np.newaxis] + excess)
    both = np.concatenate([starts, ends], axis=2).reshape(-1, N_NUMBERS)
    return Prisms(both, grown.reshape(-1) * UP, float(slack) * UP)


def joined_prisms(parts: list[Prisms]) -> Prisms:
    """All prisms of some."""
    corners = np.concatenate([np.empty((0, N_NUMBERS)), *(part.corners for part in parts)])
    radii = np.concatenate([np.empty(0), *(part.radii for part in parts)])
    return Prisms(corners, radii, max((part.slack for part in parts), default=0.0))


def bounds_of(prisms: Prisms) -> Array:
    """Boxes around prisms, (n, 6), radii included."""
    corners, radii = prisms.corners.reshape(-1, 6, 3), prisms.radii[:, np.newaxis]
    lower, upper = corners.min(axis=1) - radii, corners.max(axis=1) + radii
    return np.concatenate([np.nextafter(lower, -np.inf), np.nextafter(upper, np.inf)], axis=1)


def longest_sides(corners: Array) -> Array:
    """Longest side of each element (m, 3, 3)."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
    found: Array = sides.max(axis=1, initial=0.0)
    return found


def split_elements(corners: Array, radii: Array, longest: float) -> tuple[Array, Array]:
    """Cut elements (m, 3, 3) in halves, across their longest sides, until none is longer."""
    done: list[tuple[Array, Array]] = []
    while len(corners) > 0:
        is_long = longest_sides(corners) > longest
        done.append((corners[~is_long], radii[~is_long]))
        corners, radii = _halves(corners[is_long]), np.repeat(radii[is_long], 2)
    return (
        np.concatenate([np.empty((0, 3, 3)), *(part[0] for part in done)]),
        np.concatenate([np.empty(0), *(part[1] for part in done)]),
    )


def _halves(corners: Array) -> Array:
    """Both halves of each element; a segment, whose second and third corner are one, has two segments."""
    n = np.arange(len(corners))
    first = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2).argmax(axis=1)
    a, b, c = (corners[n, (first + k) % 3] for k in range(3))
    middle = a + 0.5 * (b - a)
    with_a, with_b = ((c == end).all(axis=1, keepdims=True) for end in (a, b))
    one = np.stack([a, middle, np.where(with_b, middle, c)], axis=1)
    other = np.stack([middle, b, np.where(with_a, middle, c)], axis=1)
    both: Array = np.stack([one, other], axis=1).reshape(-1, 3, 3)
    return both


def _placed(poses: Array, corners: Array) -> Array:
    """Places of elements (m, 3, 3) in poses (k, 4, 4): (k, m, 3, 3)."""
    flat = corners.reshape(-1, 3)
    placed = np.einsum("kij,nj->kni", poses[:, :3, :3], flat) + poses[:, np.newaxis, :3, 3]
    found: Array = placed.reshape(len(poses), *corners.shape)
    return found
