"""How one shape of a robot moves, as a rigid body: a `Trajectory`, for searches that know no chains.

Over a stretch every frame of the chain moves in its parent's by a row of constant velocities, but for a slip,
in place and in angle. By such rows the shape has a state in the middle of the stretch, and its second
derivatives are bounded: let the frames turn at rates w_1, w_2, ... in their parents, O_f be the sum of the
first f of them, and u_f the place of frame f in its parent's, which changes at v_f. The angular velocity,
the sum of what each parent carries, changes by at most A_k, the sum of O_(f-1) w_f; and the place, the sum of
what each parent turns, by the sum of ``(O_(f-1)^2 + A_(f-1)) |u_f| + 2 O_(f-1) |v_f|``.

Slips add up as in `joint_deviations`: a slip in angle moves the shape by that times all that is beyond.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.kinematic_tree import HELD, SLIDING, Frames, KinematicTree
from firstcontact.articulated.paths.frame_rows import frame_rows, write_joint
from firstcontact.articulated.paths.settled_rows import PER_JOINT
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    DEVIATION,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    axis_of,
    pose_at,
    position_of,
    rotation_of,
    velocity_of,
)
from firstcontact.motions.trajectories.joint_spline import chord_deviation
from firstcontact.motions.trajectories.polynomials import derivative, piece_at
from firstcontact.motions.trajectories.smooth_rows import UP, Bends, State, write_smooth_row
from firstcontact.plain import once
from firstcontact.scalar.mat3 import mat_mul, mat_vec
from firstcontact.scalar.vec3 import add, cross, norm, scale

# Columns of what a frame may slip from its row over a stretch: its place, and its turn.
PLACE, ANGLE = 0, 1
N_SLIP = 2

_STILL = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class LinkTrajectory:
    """How a shape of a robot moves along n paths.

    Attributes
    ----------
    tree : of the robot
    motion : of its joints
    chain : (k,) int32, the frames that carry the shape, the first one first
    pose : (N_COLUMNS,) where the shape is in the last of them, in the columns of a row
    """

    tree: KinematicTree
    motion: JointMotion
    chain: Ids
    pose: Array

    @property
    def is_batch(self) -> bool:
        """Are there several paths?"""
        return self.motion.is_batch

    def __len__(self) -> int:
        return len(self.motion)

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS) of a shape that reaches (m,) from its origin."""
        law = self.motion.law
        moves = np.zeros((len(which), len(self.chain), N_COLUMNS))
        slips = np.zeros((len(which), len(self.chain), N_SLIP))
        stretches = np.stack([starts, ends], axis=1)
        if law is None:
            _take_rows(self._rows, self.motion.times.copy(), self.chain, which, stretches, (moves, slips))
        else:
            curves = law.breaks, law.coefficients
            _chord_rows(curves, self.tree.frames, self.chain, which, stretches, (moves, slips))
            if self.motion.bases is not None and len(self.chain) > 0:  # the first frame is the base
                moves[:, 0] = self._rows[which, 0, 0]
        _join_rows(moves, slips, self.pose, stretches, reaches, rows)

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4), to rounding."""
        n = len(self)
        rows, times = np.zeros((n, N_COLUMNS)), np.full(n, float(t))
        self.write_rows(np.arange(n), times, times, np.zeros(n), rows)
        poses = np.zeros((n, 4, 4))
        poses[:, :3, :3] = rows[:, ROTATION:POSITION].reshape(n, 3, 3)
        poses[:, :3, 3], poses[:, 3, 3] = rows[:, POSITION:VELOCITY], 1.0
        return poses

    @once
    def _rows(self) -> Array:
        return frame_rows(self.tree, self.motion)


def link_trajectory(tree: KinematicTree, motion: JointMotion, frame: int, pose: Array) -> LinkTrajectory:
    """Follow a shape with a pose (4, 4) in one of a robot's frames."""
    chain: list[int] = []
    while frame >= 0:
        chain.insert(0, frame)
        frame = int(tree.parents[frame])
    row = np.zeros(N_COLUMNS)
    row[ROTATION:POSITION], row[POSITION:VELOCITY] = pose[:3, :3].reshape(9), pose[:3, 3]
    return LinkTrajectory(tree, motion, np.array(chain, np.int32), row)


@driver
def _take_rows(
    rows: Array,
    times: Array,
    chain: Ids,
    which: NDArray[np.intp],
    stretches: Array,
    found: tuple[Array, Array],
) -> None:
    """Take rows of frames that go straight between times: those in the middle of each stretch."""
    moves, slips = found
    for i in range(len(which)):
        start, end = stretches[i, 0], stretches[i, 1]
        k = piece_at(times, 0.5 * start + 0.5 * end)
        first, last = piece_at(times, start), piece_at(times, end)
        for c in range(len(chain)):
            row = rows[which[i], k, chain[c]]
            moves[i, c] = row
            for other in range(first, last + 1):
                shared = min(end, times[other + 1]) - max(start, times[other])
                if other != k and shared > 0.0:
                    _add_slip(row, rows[which[i], other, chain[c]], shared, slips[i, c])


@kernel
def _add_slip(row: Array, other: Array, length: float, slip: Array) -> None:
    """Add how far a frame gets from one row while it goes by another for some time."""
    place, angle = 0.0, 0.0
    for k in range(3):
        apart = other[VELOCITY + k] - row[VELOCITY + k]
        turned = other[RATE] * other[AXIS + k] - row[RATE] * row[AXIS + k]
        place, angle = place + apart * apart, angle + turned * turned
    slip[PLACE] += sqrt(place) * length * UP
    slip[ANGLE] += sqrt(angle) * length * UP


@driver
def _chord_rows(
    curves: tuple[Array, Array],
    frames: Frames,
    chain: Ids,
    which: NDArray[np.intp],
    stretches: Array,
    found: tuple[Array, Array],
) -> None:
    """Write rows of joints along the chords of their polynomials."""
    breaks, (moves, slips) = curves[0], found
    for i in range(len(which)):
        start, end = stretches[i, 0], stretches[i, 1]
        first, last = piece_at(breaks, start), piece_at(breaks, end)
        own, span = curves[1][which[i]], end - start if end > start else 1.0
        earliest = first - 1 if first > 0 and breaks[first] == start else first
        for c in range(len(chain)):
            f = int(np.int64(chain[c]))
            if frames.kinds[f] == HELD:
                continue
            column, factor, shift = frames.columns[f], frames.drives[f, 0], frames.drives[f, 1]
            value, _ = derivative(own[first], 0, column, start - breaks[first])
            then, _ = derivative(own[last], 0, column, end - breaks[last])
            write_joint(frames, f, factor * value + shift, factor * (then - value) / span, moves[i, c])
            moves[i, c, BASE_TIME] = start
            off = abs(factor) * chord_deviation(breaks, own, (earliest, last), (start, end), column)
            slips[i, c, PLACE if frames.kinds[f] == SLIDING else ANGLE] = off


@driver
def _join_rows(
    moves: Array, slips: Array, pose: Array, stretches: Array, reaches: Array, rows: Array
) -> None:
    """Join how frames move in each other: pieces of the shape that the last one carries."""
    for i in range(len(rows)):
        start, end = stretches[i, 0], stretches[i, 1]
        middle = min(max(0.5 * start + 0.5 * end, start), end)
        times = start, end, middle
        state, bends, slip = _state_of(moves[i], slips[i], pose, times, reaches[i])
        write_smooth_row(state, bends, times, reaches[i], rows[i])
        rows[i, DEVIATION] = (rows[i, DEVIATION] + slip) * UP


@kernel
def _state_of(
    moves: Array, slips: Array, pose: Array, times: tuple[float, float, float], reach: float
) -> tuple[State, Bends, float]:
    """State of a shape in the middle of a stretch, bounds of its accelerations, and how far it may slip."""
    away, nowhere = max(times[2] - times[0], times[1] - times[2]) * UP, (0.0, 0.0, 0.0)
    turn, place, velocity, spin = _STILL, nowhere, nowhere, nowhere
    rates, angular, linear = 0.0, 0.0, 0.0  # as above: O, A, and the acceleration of the place
    size, speeds, turned, slip, angles = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(len(moves) + 1):
        row = moves[c] if c < len(moves) else pose
        own, at = pose_at(row, times[2]) if c < len(moves) else (rotation_of(row), position_of(row))
        speed, rate = norm(velocity_of(row)), row[RATE]
        length = norm(at) + speed * away
        linear += (rates * rates + angular) * length + 2.0 * rates * speed
        angular += rates * rate
        arm = mat_vec(turn, at)
        place = add(place, arm)
        velocity = add(velocity, add(cross(spin, arm), mat_vec(turn, velocity_of(row))))
        spin = add(spin, scale(rate, mat_vec(turn, axis_of(row))))
        turn = mat_mul(turn, own)
        slip += angles * length
        if c < len(moves):
            slip += slips[c, PLACE]
            angles += slips[c, ANGLE]
        passed = abs(times[2] - row[BASE_TIME]) if c < len(moves) else 0.0
        rates, speeds, turned = rates + rate, speeds + speed, turned + rate * passed
        size += length + speed * passed
    slip += angles * reach
    error = PER_JOINT * (len(moves) + 1) * (1.0 + rates * away + turned)
    errors = error, error * size, error * (speeds + rates * size), error * rates
    state = State(turn, place, velocity, spin, errors[0], errors[1], errors[2], errors[3])
    return state, Bends(linear * UP * UP, angular * UP * UP), slip * UP
