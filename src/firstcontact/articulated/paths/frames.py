"""Where the frames of a forest are at a time, how they move, and how far what hangs on them can travel.

Each frame moves in its parent's with a constant velocity and rate of turn: a joint, or the rigid motion of an
obstacle. A point of it has the velocity that all joints below it add up to. For the bounds: docs/robots.md.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.motions.rigid_motion import RATE, axis_of, center_of, pose_at, velocity_of
from firstcontact.motions.rigid_motion import VELOCITY as WAY
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, norm, scale, sub

# Columns of the state of a frame, all in the world: orientation, place of its origin, angular velocity,
# velocity of its origin; of its joint alone: a point of the axis, its direction, rate of turn, and speed, and
# by how much these two can change per unit of time: 0 but for joints along curves.
TURN, PLACE, SPIN, VELOCITY, PIVOT, AXIS, OWN_RATE, OWN_SPEED = 0, 9, 12, 15, 18, 21, 24, 25
RATE_BEND, SPEED_BEND = 26, 27
N_STATE = 28

WORLD_TURN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NOUGHT = (0.0, 0.0, 0.0)


class Twist(NamedTuple):
    """How a frame moves, as seen from another: angular velocity, and velocity of a point."""

    spin: Vec3
    velocity: Vec3


class Reach(NamedTuple):
    """Bounds of how fast the points of a thing get, and of how fast their velocities change."""

    speed: float
    bend: float


@kernel
def place_frames(rows: Array, parents: Ids, t: float, states: Array) -> None:
    """Write the state of each frame at a time, but for its bends; rows (n_frames, 26)."""
    for f in range(len(parents)):
        row, state, parent = rows[f], states[f], int(np.int64(parents[f]))
        turn, place, spin, velocity = WORLD_TURN, NOUGHT, NOUGHT, NOUGHT
        if parent >= 0:
            turn, place = turn_of(states, parent), vector_of(states, parent, PLACE)
            spin, velocity = vector_of(states, parent, SPIN), vector_of(states, parent, VELOCITY)
        own, center = pose_at(row, t)
        arm = mat_vec(turn, center)
        pivot = add(place, arm)
        own_velocity, axis = mat_vec(turn, velocity_of(row)), mat_vec(turn, axis_of(row))
        velocity = add(add(velocity, cross(spin, arm)), own_velocity)
        spin, turn = add(spin, scale(row[RATE], axis)), mat_mul(turn, own)
        # From the point that it turns about to its origin.
        lever = mat_vec(turn, scale(-1.0, center_of(row)))
        _write_turn(state, turn)
        _write(state, PLACE, add(pivot, lever))
        _write(state, SPIN, spin)
        _write(state, VELOCITY, add(velocity, cross(spin, lever)))
        _write(state, PIVOT, pivot)
        _write(state, AXIS, axis)
        state[OWN_RATE], state[OWN_SPEED] = row[RATE], norm(own_velocity)


@kernel
def do_rest(rows: Array) -> bool:
    """Does no frame move? Rows (n_frames, 26)."""
    for f in range(len(rows)):
        way = abs(rows[f, WAY]) + abs(rows[f, WAY + 1]) + abs(rows[f, WAY + 2])
        if rows[f, RATE] != 0.0 or way != 0.0:
            return False
    return True


@kernel
def turn_of(states: Array, f: int) -> Mat3:
    """Orientation of a frame; of the world for -1."""
    if f < 0:
        return WORLD_TURN
    s = states[f]
    return (
        *(s[TURN], s[TURN + 1], s[TURN + 2]),
        *(s[TURN + 3], s[TURN + 4], s[TURN + 5]),
        *(s[TURN + 6], s[TURN + 7], s[TURN + 8]),
    )


@kernel
def vector_of(states: Array, f: int, column: int) -> Vec3:
    """One of the vectors of a frame's state; zero for the world, -1."""
    if f < 0:
        return NOUGHT
    s = states[f]
    return s[column], s[column + 1], s[column + 2]


@kernel
def twist_at(states: Array, f: int, base: int, point: Vec3) -> Twist:
    """How the point of a frame that is at a place moves, as seen from a base; -1 is the world."""
    spin, velocity = vector_of(states, f, SPIN), vector_of(states, f, VELOCITY)
    velocity = add(velocity, cross(spin, sub(point, vector_of(states, f, PLACE))))
    if base < 0:
        return Twist(spin, velocity)
    base_spin = vector_of(states, base, SPIN)
    arm = sub(point, vector_of(states, base, PLACE))
    carried = add(vector_of(states, base, VELOCITY), cross(base_spin, arm))
    return Twist(sub(spin, base_spin), sub(velocity, carried))


@kernel
def reach_of(states: Array, parents: Ids, f: int, base: int, center: Vec3, radius: float, s: float) -> Reach:
    """Bounds for a ball that hangs on a frame, as seen from a base below it, over a time s either way.

    From the last joint to the first: each turns all that comes after it, whose own travel takes it farther
    from the joint's axis. A rate that changes takes its points along by that much more, and faster.
    """
    speed, bend, joint = 0.0, 0.0, f
    while joint != base:
        state = states[joint]
        rate = state[OWN_RATE] + s * state[RATE_BEND]
        arm = sub(center, (state[PIVOT], state[PIVOT + 1], state[PIVOT + 2]))
        away = norm(cross(arm, (state[AXIS], state[AXIS + 1], state[AXIS + 2]))) + radius + s * speed
        own = rate * away + (state[OWN_SPEED] + s * state[SPEED_BEND])
        bend += rate * rate * away + 2.0 * rate * speed + (state[RATE_BEND] * away + state[SPEED_BEND])
        speed += own
        joint = int(np.int64(parents[joint]))
    return Reach(speed, bend)


@kernel
def _write(state: Array, column: int, vector: Vec3) -> None:
    state[column], state[column + 1], state[column + 2] = vector


@kernel
def _write_turn(state: Array, turn: Mat3) -> None:
    for i in range(9):
        state[TURN + i] = turn[i]
