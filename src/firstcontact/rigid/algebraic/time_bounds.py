"""Boxes that hold triangles of moving bodies over stretches of time, and the pairs of them that overlap.

A vertex at r from the center that a body turns about is off the chord from where it is at s to where it is at
e by at most (e - s)^2 / 8 times its largest acceleration, r (W^2 + |W'|). Where a quaternion q goes straight,
its direction turns by k / |q|^2, where k = |q0| |q1| sin(their angle), and the body twice as fast; and |q|^2
is convex. Rounding is far below `SLACK` of all coordinates.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.rigid.algebraic.exact_motion import Numbers

Pairs = NDArray[np.int64]

# Rounding of places, in units of all coordinates they are computed from, and more: some fifty operations.
SLACK = 2.0**-42

# Children of a group of triangles.
BRANCHES = 4


class MovingFaces(NamedTuple):
    """Triangles of a moving body, in an order in which neighbours are near each other.

    corners : (m, 3, 3) less the center
    order : (m,) numbers of the faces
    """

    corners: Array
    order: NDArray[np.int64]
    numbers: Numbers

    @property
    def n_levels(self) -> int:
        """How many levels of groups there are, from single triangles to all of them."""
        levels, n = 1, len(self.order)
        while n > 1:
            levels, n = levels + 1, -(-n // BRANCHES)
        return levels


def moving_faces(vertices: Array, faces: NDArray[np.int32], numbers: Numbers) -> MovingFaces:
    """Sort the faces of a body by where they are, along a curve through cells of space."""
    corners = vertices[faces] - np.array(numbers.lengths[6:9])
    middles = corners.mean(axis=1)
    lowest, widths = middles.min(axis=0), np.ptp(middles, axis=0)
    cells = ((middles - lowest) / np.where(widths > 0.0, widths, 1.0) * 1023.0).astype(np.int64)
    bits = np.arange(10)
    codes = sum((((cells[:, c, np.newaxis] >> bits) & 1) << (3 * bits + c)).sum(axis=1) for c in range(3))
    order = np.argsort(codes, kind="stable")
    return MovingFaces(corners[order], order, numbers)


def face_boxes(faces: MovingFaces, start: float, end: float) -> tuple[Array, Array]:
    """Lower and upper corners (m, 3) of boxes that hold each face from a start to an end."""
    places = np.stack([_places(faces, t) for t in (start, end)])
    reach = np.linalg.norm(faces.corners, axis=2).max(axis=1)
    margin = 0.125 * (end - start) ** 2 * reach * _bend(faces.numbers, start, end)
    margin += SLACK * (reach + np.abs(faces.numbers.lengths[:9]).sum())
    lower = places.min(axis=(0, 2)) - margin[:, np.newaxis]
    upper = places.max(axis=(0, 2)) + margin[:, np.newaxis]
    return lower, upper


def _places(faces: MovingFaces, t: float) -> Array:
    """Corners (m, 3, 3) at a time, to rounding."""
    turn, lengths = np.array(faces.numbers.turn), np.array(faces.numbers.lengths)
    if not faces.numbers.is_turning:
        still: Array = faces.corners @ turn.reshape(3, 3).T + (lengths[:3] + t * lengths[3:6])
        return still
    x, y, z, w = (1.0 - t) * turn[:4] + t * turn[4:]
    n = x * x + y * y + z * z + w * w
    matrix = np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w + y * y - x * x - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w + z * z - x * x - y * y],
        ]
    )
    turned: Array = faces.corners @ (matrix / n).T + ((1.0 - t) * lengths[:3] + t * lengths[3:6])
    return turned


def _bend(numbers: Numbers, start: float, end: float) -> float:
    """Bound the acceleration of points at a distance of 1 from what they turn about."""
    if not numbers.is_turning:
        return 0.0
    one, other = np.array(numbers.turn[:4]), np.array(numbers.turn[4:])
    way = other - one
    apart = other - one * (one @ other) / (one @ one)
    k = float(np.linalg.norm(apart) * np.linalg.norm(one)) + 1e-14
    nearest = float(np.clip(-(one @ way) / max(way @ way, 1e-300), start, end))
    least = float(np.square(one + nearest * way).sum()) * (1.0 - 1e-12)
    growth = 2.0 * max(abs(float((one + t * way) @ way)) for t in (start, end))
    spin, change = 2.0 * k / least, 2.0 * k * (growth + 1e-14) / least**2
    return (spin * spin + change) * (1.0 + 1e-9)


def level_boxes(boxes: tuple[Array, Array], n_levels: int) -> list[tuple[Array, Array]]:
    """Boxes of groups: of one face each, of four of these, and so on."""
    levels = [boxes]
    for _ in range(1, n_levels):
        lower, upper = levels[-1]
        starts = np.arange(0, len(lower), BRANCHES)
        levels.append((np.minimum.reduceat(lower, starts), np.maximum.reduceat(upper, starts)))
    return levels


def overlapping(boxes: list[tuple[Array, Array]], others: list[tuple[Array, Array]], pairs: Pairs) -> Pairs:
    """Pairs (k, 4) of levels and groups, of those given, whose boxes have a common point."""
    kept, levels = [], pairs[:, 0] * len(others) + pairs[:, 1]
    for level in np.unique(levels).tolist():
        own = pairs[levels == level]
        (lower, upper), (lower_b, upper_b) = boxes[level // len(others)], others[level % len(others)]
        a, b = own[:, 2], own[:, 3]
        is_common = (lower[a] <= upper_b[b]).all(axis=1) & (lower_b[b] <= upper[a]).all(axis=1)
        kept.append(own[is_common])
    return np.concatenate(kept) if kept else pairs


def children_of(pairs: Pairs, n_a: int, n_b: int) -> Pairs:
    """Pairs one level below, of all children of the one with all of the other; faces stay as they are."""
    found = pairs
    for side, n in ((0, n_a), (1, n_b)):
        is_group = found[:, side] > 0
        groups, rest = found[is_group], found[~is_group]
        below = np.repeat(groups, BRANCHES, axis=0)
        below[:, side] -= 1
        below[:, 2 + side] = below[:, 2 + side] * BRANCHES + np.tile(np.arange(BRANCHES), len(groups))
        sizes = -(-n // BRANCHES ** below[:, side])
        found = np.concatenate([rest, below[below[:, 2 + side] < sizes]])
    return found
