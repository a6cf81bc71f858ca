"""Where shapes are at a time, and how they move: what the pairs of a time have in common."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.frames import PLACE, SPIN, reach_of, turn_of, twist_at, vector_of
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, sub

# Columns of a shape's state, all in the world: orientation, origin, the middle of its box, its angular
# velocity, the velocity of that middle, and the bounds of `Reach`.
TURN, ORIGIN, MIDDLE, SPIN_OF, VELOCITY_OF, SPEED, BEND, STAMP = 0, 9, 12, 15, 18, 21, 22, 23
N_SHAPE_STATE = 24

# Columns of an attachment: where the origin of a shape is in its frame (a rotation and a position); the
# middle of the box around it, half the sides, and the radius of the ball around it, as seen from there; the
# frame; how far inside, about, the mesh is whose outline it is.
FIXED_TURN, FIXED_PLACE, BOX_MIDDLE, BOX_HALF, BALL, FRAME, HOLLOW = 0, 9, 12, 15, 18, 19, 20
N_ATTACHMENT = 21


class Approach(NamedTuple):
    """How two shapes move, as seen from a frame that carries both.

    velocity : of the middle of a less that of b
    spin_a, spin_b : angular velocities
    speed : no two points approach each other faster
    bend : nor does the velocity at which they do change by more per unit of time
    """

    velocity: Vec3
    spin_a: Vec3
    spin_b: Vec3
    speed: float
    bend: float


@kernel
def place_shape(
    states: Array, parents: Ids, attachments: Array, i: int, span: float, shape_states: Array
) -> None:
    """Write the state of a shape; its bounds hold over a time of `span` either way."""
    x, state = attachments[i], shape_states[i]
    f, middle = int(x[FRAME]), place_still(states, attachments, i, shape_states)
    twist = twist_at(states, f, -1, middle)
    reach = reach_of(states, parents, f, -1, middle, x[BALL], span)
    for k in range(3):
        state[SPIN_OF + k], state[VELOCITY_OF + k] = twist.spin[k], twist.velocity[k]
    state[SPEED], state[BEND] = reach.speed, reach.bend


@kernel
def place_still(states: Array, attachments: Array, i: int, shape_states: Array) -> Vec3:
    """Write where a shape is, but not how it moves; return the middle of its box."""
    x, state = attachments[i], shape_states[i]
    f = int(x[FRAME])
    turn = turn_of(states, f)
    own = x[FIXED_PLACE], x[FIXED_PLACE + 1], x[FIXED_PLACE + 2]
    origin = add(vector_of(states, f, PLACE), mat_vec(turn, own))
    turn = mat_mul(turn, _fixed_turn(x))
    middle = add(origin, mat_vec(turn, (x[BOX_MIDDLE], x[BOX_MIDDLE + 1], x[BOX_MIDDLE + 2])))
    for k in range(9):
        state[TURN + k] = turn[k]
    for k in range(3):
        state[ORIGIN + k], state[MIDDLE + k] = origin[k], middle[k]
    return middle


@kernel
def _fixed_turn(x: Array) -> Mat3:
    """Orientation of a shape in its frame."""
    return (
        *(x[FIXED_TURN], x[FIXED_TURN + 1], x[FIXED_TURN + 2]),
        *(x[FIXED_TURN + 3], x[FIXED_TURN + 4], x[FIXED_TURN + 5]),
        *(x[FIXED_TURN + 6], x[FIXED_TURN + 7], x[FIXED_TURN + 8]),
    )


@kernel
def turn_at(shape_states: Array, i: int) -> Mat3:
    """Orientation of a shape."""
    s = shape_states[i]
    return (
        *(s[TURN], s[TURN + 1], s[TURN + 2]),
        *(s[TURN + 3], s[TURN + 4], s[TURN + 5]),
        *(s[TURN + 6], s[TURN + 7], s[TURN + 8]),
    )


@kernel
def vector_at(shape_states: Array, i: int, column: int) -> Vec3:
    """One of the vectors of a shape state."""
    s = shape_states[i]
    return s[column], s[column + 1], s[column + 2]


@kernel
def ball_gap(shape_states: Array, attachments: Array, a: int, b: int) -> float:
    """Lower bound of the distance of two shapes: of the ball around one from the box around the other."""
    e = sub(vector_at(shape_states, a, MIDDLE), vector_at(shape_states, b, MIDDLE))
    one = _box_distance(turn_at(shape_states, b), attachments[b], e) - attachments[a, BALL]
    other = _box_distance(turn_at(shape_states, a), attachments[a], e) - attachments[b, BALL]
    gap: float = max(one, other)
    return gap


@kernel
def _box_distance(turn: Mat3, box: Array, e: Vec3) -> float:
    """Distance of a point, seen from the middle of a box, from the box."""
    x = max(abs(turn[0] * e[0] + turn[3] * e[1] + turn[6] * e[2]) - box[BOX_HALF], 0.0)
    y = max(abs(turn[1] * e[0] + turn[4] * e[1] + turn[7] * e[2]) - box[BOX_HALF + 1], 0.0)
    z = max(abs(turn[2] * e[0] + turn[5] * e[1] + turn[8] * e[2]) - box[BOX_HALF + 2], 0.0)
    return norm((x, y, z))


@kernel
def approach_of(
    states: Array, parents: Ids, attachments: Array, shape_states: Array, pair: Ids, span: float
) -> Approach:
    """How the shapes of a pair (a, b, base) move; the bounds hold over a time of `span` either way."""
    a, b, base = int(np.int64(pair[0])), int(np.int64(pair[1])), int(np.int64(pair[2]))
    spin_a, spin_b = vector_at(shape_states, a, SPIN_OF), vector_at(shape_states, b, SPIN_OF)
    velocity = sub(vector_at(shape_states, a, VELOCITY_OF), vector_at(shape_states, b, VELOCITY_OF))
    if base < 0:
        speed, bend = (
            shape_states[a, SPEED] + shape_states[b, SPEED],
            shape_states[a, BEND] + shape_states[b, BEND],
        )
        return Approach(velocity, spin_a, spin_b, speed, bend)
    middle_a, middle_b = vector_at(shape_states, a, MIDDLE), vector_at(shape_states, b, MIDDLE)
    spin = vector_of(states, base, SPIN)
    velocity = sub(velocity, cross(spin, sub(middle_a, middle_b)))
    one = reach_of(states, parents, int(attachments[a, FRAME]), base, middle_a, attachments[a, BALL], span)
    other = reach_of(states, parents, int(attachments[b, FRAME]), base, middle_b, attachments[b, BALL], span)
    return Approach(
        velocity, sub(spin_a, spin), sub(spin_b, spin), one.speed + other.speed, one.bend + other.bend
    )


@kernel
def spread(turn: Mat3, box: Array, spin: Vec3, n: Vec3) -> float:
    """How much faster along n a point of a turning shape can be than the middle of its box, either way."""
    c = cross(n, spin)
    x = abs(turn[0] * c[0] + turn[3] * c[1] + turn[6] * c[2]) * box[BOX_HALF]
    y = abs(turn[1] * c[0] + turn[4] * c[1] + turn[7] * c[2]) * box[BOX_HALF + 1]
    z = abs(turn[2] * c[0] + turn[5] * c[1] + turn[8] * c[2]) * box[BOX_HALF + 2]
    most: float = x + y + z
    return most


@kernel
def any_speed(approach: Approach, ball_a: float, ball_b: float) -> float:
    """Bound the speed, now, at which points of the two approach each other along any direction."""
    return norm(approach.velocity) + ball_a * norm(approach.spin_a) + ball_b * norm(approach.spin_b)


@kernel
def speed_along(
    approach: Approach, shape_states: Array, attachments: Array, pair: Ids, n: Vec3
) -> tuple[float, float]:
    """Rate at which a gap along n, from a to b, closes now: of the middles, and how much more of others."""
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    more = spread(turn_at(shape_states, a), attachments[a], approach.spin_a, n)
    return dot(n, approach.velocity), more + spread(
        turn_at(shape_states, b), attachments[b], approach.spin_b, n
    )
