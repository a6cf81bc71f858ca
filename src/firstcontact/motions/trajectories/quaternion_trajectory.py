"""Motions from pose to pose in which a point goes straight, and so does the quaternion, whatever its length.

With quaternions p and q of the two rotations, their signs such that p . q >= 0, the body is turned by that of
s p + t q, where s = 1 - t, whatever its length, which is never below 1 / sqrt(2). It turns by the shortest
way about one axis, fastest in the middle. All coordinates are fractions of polynomials of t: so it can be
bounded as any formula is, and decided by algebra.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.poses import as_poses
from firstcontact.motions.rigid_paths import as_point, common_length
from firstcontact.motions.trajectories.formula_trajectory import FormulaTrajectory, cells_of
from firstcontact.scalar.formula import place_of, taken_down
from firstcontact.scalar.formula_codes import Operation
from firstcontact.scalar.jets import Tape

# Numbers of one motion: quaternions (x, y, z, w) and places of the center at both ends, and the center.
QUATERNIONS, PLACES, CENTER, N_NUMBERS = 0, 8, 14, 17

# What stands for the first of them in a formula that is taken down once: no number that it has itself.
STAND_IN = 0.25


@dataclass(frozen=True, eq=False, repr=False)
class QuaternionTrajectory(FormulaTrajectory):
    """Trajectories of n frames; `numbers`, (n, N_NUMBERS), are what they are by definition."""

    numbers: Array

    def __repr__(self) -> str:
        count = f"{len(self)} motions, " if self.is_batch else ""
        return f"motion({count}by quaternions)"


def quaternion_path(start: Any, end: Any, center: Any) -> QuaternionTrajectory:
    """Go from pose to pose: a body point (3,) straight, turned by quaternions between those at both ends."""
    starts, ends = as_poses("start", start), as_poses("end", end)
    point = as_point(center)
    n, is_batch = common_length(
        start=(starts.rotations, starts.is_batch), end=(ends.rotations, ends.is_batch)
    )
    one, other = quaternions_of(starts.rotations), quaternions_of(ends.rotations)
    is_far = (one * other).sum(axis=1) < 0.0
    other = np.where(is_far[:, np.newaxis], -other, other)
    places = [pose.rotations @ point + pose.translations for pose in (starts, ends)]
    parts = (one, other, *places, point[np.newaxis])
    numbers = np.concatenate([np.broadcast_to(part, (n, part.shape[1])) for part in parts], axis=1)
    tape, outputs, which = _formula(bool(point.any()))
    constants = np.where(which >= 0, numbers[:, which], tape.constants)
    cells, _ = cells_of(tape, constants, outputs)  # bounded, since no quaternion is near 0
    return QuaternionTrajectory(tape, constants, outputs, cells, is_batch, numbers)


def quaternions_of(rotations: Array) -> Array:
    """Unit quaternions (x, y, z, w) of rotations (n, 3, 3), to rounding.

    Four times the products of their components are sums of entries; the row of the largest square is used.
    """
    (a, b, c), (d, e, f), (g, h, i) = np.moveaxis(rotations, 0, -1)
    products = np.array(
        [
            [1 + a - e - i, b + d, c + g, h - f],
            [b + d, 1 - a + e - i, f + h, c - g],
            [c + g, f + h, 1 - a - e + i, d - b],
            [h - f, c - g, d - b, 1 + a + e + i],
        ]
    )
    largest = np.einsum("kkn->kn", products).argmax(axis=0)
    rows = products[largest, :, np.arange(len(rotations))]
    found: Array = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


@cache
def _formula(has_center: bool) -> tuple[Tape, NDArray[np.int32], NDArray[np.intp]]:
    """Take the formula down once: its tape, the places of its results, and whose number each constant is.

    Without a center, which is 0 then, it is half as long.
    """
    numbers = STAND_IN + np.arange(N_NUMBERS)
    one, other = numbers[QUATERNIONS : QUATERNIONS + 4], numbers[QUATERNIONS + 4 : PLACES]
    begin, finish, center = numbers[PLACES : PLACES + 3], numbers[PLACES + 3 : CENTER], numbers[CENTER:]

    def path(t: Any) -> Any:
        rest = 1.0 - t
        x, y, z, w = turn = rest * one + t * other
        place = rest * begin + t * finish
        if has_center:
            # R c = c + 2 (w v x c + v x (v x c)) / |q|^2, with q = (v, w).
            across = np.cross(turn[:3], center)
            swing = w * across + np.cross(turn[:3], across)
            place = place - (center + 2.0 / (x * x + y * y + z * z + w * w) * swing)
        return [*place, *turn]

    given, notes = taken_down(path)
    tape, outputs = notes.tape([place_of(notes, value) for value in given])
    whose = tape.constants - STAND_IN
    is_stand_in = (tape.codes == Operation.CONSTANT) & (whose == np.round(whose))
    return tape, outputs, np.where(is_stand_in, whose, -1.0).astype(np.intp)
