"""Boxes that go straight, and hold a body through its whole motion.

A body that moves is held by a box of fixed size whose own motion is straight: its corridor. It tells where
the body may be over the step, and, with that of another body, when the two may first meet.

The box goes with the body's origin, from its place at the start straight to that at the end. Seen from there,
a body point at r from the axis of a turn by an angle is at f(s) - (a linear function of s), s from 0 to 1. At
k + 1 evenly spaced s it is in boxes that are known; in between f leaves the straight line between its
neighbours by at most its second derivative over 8 k^2, which along a unit vector e is

    (angle / k)^2 / 8  |e x axis|  distance from the axis.

Where a body deviates from its piece of motion, the box is that much wider.

What turns by more than half a turn leaves that line far: its box goes with the point it turns about instead,
where all that matters is the orientation. After a full turn there are no new ones.
"""

from math import ceil, cos, pi, sin, sqrt

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import distance_from_axis
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    VELOCITY,
    axis_of,
    center_of,
    rotation_of,
)
from firstcontact.motions.rotation import axis_rotation_by, turned_away_by
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, norm, scale, sub
from firstcontact.shapes.convex import (
    HALF,
    HULL,
    N_COLUMNS,
    ORIGIN,
    REACH,
    Convex,
    convex_at,
    origin_at,
)
from firstcontact.shapes.convex import KIND as SHAPE_KIND
from firstcontact.shapes.cores import half_extent

# Columns of an array of corridors.
START = 0  # three: where the box's own point is at the start
WAY = 3  # three: how far it goes
LOWER = 6  # three: lower ends of the box, seen from there
UPPER = 9  # three
BALL = 12  # no point of the body is ever farther from there
BEND = 13  # no point of a body that turns leaves its straight way, along any direction, by more
N_CORRIDOR = 14

# Angle between two looks at what turns, in radians: boxes are too wide by less than a hundredth of the body.
LOOK = 0.25

# Rounding of any place of a body, in units of all lengths it is computed from: some 60 operations, rotations
# being orthogonal to 32 u.
PLACED = 256.0 * UNIT_ROUNDOFF

# The same where the end is told by its pose: rotations that are orthogonal to 32 u, and what is made of both,
# differ by some 200 u more.
AT_ENDS = 4.0 * PLACED

# Sine of the largest angle of one look, rounded down.
SMALL_SINE = 0.2474

# Sums of the box's ends and places, in units of their magnitudes.
SUMMED = 4.0 * UNIT_ROUNDOFF

# Bodies from which a thread is worth its start.
WORTH_A_THREAD = 4096


def corridors(shapes: Array, rows: Array) -> Array:
    """Corridors (n, N_CORRIDOR) of bodies: n rows of `bound_record`, and the motion of each, (n, 26)."""
    found = np.empty((len(rows), N_CORRIDOR))

    def task(first: int, last: int) -> None:
        _write_corridors(shapes, rows, found, first, last)

    on_ranges(task, len(rows), WORTH_A_THREAD)
    return found


def bound_record(points: Array) -> Array:
    """Row of a table of shapes, (N_COLUMNS,), that stands for points (n, 3) as far as bounds go."""
    lower, upper = points.min(axis=0), points.max(axis=0)
    record = np.zeros(N_COLUMNS)
    origin = 0.5 * lower + 0.5 * upper
    local = np.abs(points - origin)
    record[SHAPE_KIND], record[ORIGIN:] = HULL, origin
    record[HALF : HALF + 3] = local.max(axis=0)
    record[REACH] = np.sqrt(np.einsum("ij,ij->i", local, local).max())
    return record


def corridor_of_points(points_t0: Array, points_t1: Array) -> Array:
    """Corridor (N_CORRIDOR,) of one or more points (n, 3) that go straight, each on its own line."""
    boxes = np.array([[p.min(axis=0), p.max(axis=0)] for p in (points_t0, points_t1)])
    middles = 0.5 * boxes[:, 0] + 0.5 * boxes[:, 1]
    lower, upper = (boxes[:, 0] - middles).min(axis=0), (boxes[:, 1] - middles).max(axis=0)
    return _corridor(middles[0], middles[1] - middles[0], lower, upper)


def corridor_of_box(box: Array) -> Array:
    """Corridor (N_CORRIDOR,) of all that stays in a box, (6,)."""
    middle = 0.5 * box[:3] + 0.5 * box[3:]
    return _corridor(middle, np.zeros(3), box[:3] - middle, box[3:] - middle)


def _corridor(start: Array, way: Array, lower: Array, upper: Array) -> Array:
    size = np.abs(start).max() + np.abs(way).max() + np.abs(lower).max() + np.abs(upper).max()
    wide = PLACED * size + SHORTEST
    lower, upper = lower - wide, upper + wide
    return np.concatenate([start, way, lower, upper, [_farthest_corner(lower, upper), np.inf]])


def _farthest_corner(lower: Array, upper: Array) -> float:
    return float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper)))) * (1.0 + PLACED)


def swept_boxes(held: Array, margins: Array) -> Array:
    """Boxes (n, 6), lower and upper ends, of all that corridors (n, N_CORRIDOR) pass, and a margin around."""
    boxes = np.empty((len(held), 6))
    _write_boxes(held, margins, boxes)
    return boxes


@driver
def _write_boxes(held: Array, margins: Array, boxes: Array) -> None:
    for i in range(len(held)):
        for k in range(3):
            start, way = held[i, START + k], held[i, WAY + k]
            lower, upper = held[i, LOWER + k] - margins[i], held[i, UPPER + k] + margins[i]
            wide = SUMMED * (abs(start) + abs(way) + abs(lower) + abs(upper))
            boxes[i, k] = start + min(way, 0.0) + lower - wide
            boxes[i, 3 + k] = start + max(way, 0.0) + upper + wide


@driver
def _write_corridors(shapes: Array, rows: Array, found: Array, first: int, last: int) -> None:
    for i in range(first, last):
        write_corridor(convex_at(shapes, i), origin_at(shapes, i), rows[i], found[i])


@kernel
def write_corridor(shape: Convex, origin: Vec3, row: Array, found: Array) -> None:
    """Write the corridor of a shape that is counted from a point of it, over a piece of motion."""
    rotation, axis = rotation_of(row), axis_of(row)
    arm = mat_vec(rotation, sub(origin, center_of(row)))
    span = row[END_TIME] - row[BASE_TIME]
    angle = row[RATE] * span
    is_with_center = angle > pi
    turn = min(angle, 2.0 * pi)
    half_sine, half_cosine = sin(0.5 * turn), cos(0.5 * turn)
    chord = turned_away_by(axis, half_sine, half_cosine, arm)
    n_looks = max(ceil(turn / LOOK), 1)
    for k in range(3):
        found[LOWER + k], found[UPPER + k] = np.inf, -np.inf
    _widen(shape, rotation, arm if is_with_center else (0.0, 0.0, 0.0), found)
    for look in range(1, n_looks + 1 if turn > 0.0 else 1):
        # The last look is at the end of the chord, where both are known: a third of the time of small turns.
        s, sine, cosine = 1.0, half_sine, half_cosine
        if look < n_looks:
            s = look / n_looks
            sine, cosine = sin(0.5 * s * turn), cos(0.5 * s * turn)
        away = turned_away_by(axis, sine, cosine, arm)
        seen = add(arm, away) if is_with_center else sub(away, scale(s, chord))
        _widen(shape, mat_mul(axis_rotation_by(axis, sine, cosine), rotation), seen, found)
    far = distance_from_axis(arm, axis)
    bend = 0.125 * (turn / n_looks) ** 2 * (far + shape.reach)
    size = norm(arm) + shape.reach
    way = span * (abs(row[VELOCITY]) + abs(row[VELOCITY + 1]) + abs(row[VELOCITY + 2]))
    rounding = shape.radius + way + (1.0 + turn) * size
    for k in range(3):
        rounding += abs(row[POSITION + k]) + abs(row[CENTER + k]) + abs(origin[k])
    rounding = PLACED * rounding + SHORTEST + row[DEVIATION]
    for k in range(3):
        found[START + k] = row[POSITION + k] + (0.0 if is_with_center else arm[k])
        found[WAY + k] = span * row[VELOCITY + k] + (0.0 if is_with_center else chord[k])
        # What is left of a unit axis beside this component: 1 - axis[k]^2 would round it away.
        across = sqrt(axis[(k + 1) % 3] ** 2 + axis[(k + 2) % 3] ** 2)
        wide = bend * across + shape.radius + rounding
        found[LOWER + k] -= wide
        found[UPPER + k] += wide
    # The origin leaves its chord as any point does.
    drift = norm(arm) if is_with_center else 0.125 * turn * turn * far
    found[BALL] = min(drift + shape.reach + shape.radius + rounding, _far_corner(found))
    found[BEND] = 0.125 * angle * angle * (far + shape.reach)


@kernel
def write_corridor_between(
    shape: Convex,
    origin: Vec3,
    center: Vec3,
    start: tuple[Mat3, Vec3],
    end: tuple[Mat3, Vec3],
    found: Array,
) -> bool:
    """Write the corridor of a shape between two poses of its center, without a look at the turn's angle.

    It is that of `write_corridor` but for rounding. False, and nothing is written, of more than a small turn.
    """
    # The vector along the axis as long as the sine of the angle; a large angle may have a small one, too.
    m = mat_mul(end[0], transposed(start[0]))
    v = 0.5 * (m[7] - m[5]), 0.5 * (m[2] - m[6]), 0.5 * (m[3] - m[1])
    sine = norm(v)
    if not (sine <= SMALL_SINE and m[0] + m[4] + m[8] > 2.0):
        return False
    square = sine * sine
    stretch = 1.0 + square * (1.0 / 6.0 + 0.08 * square)  # no less than angle / sine: arcsin, term by term
    lever = sub(origin, center)
    arm, end_arm, way = mat_vec(start[0], lever), mat_vec(end[0], lever), sub(end[1], start[1])
    far, size = norm(cross(arm, v)), norm(arm) + shape.reach  # from the axis, times the sine
    rounding = shape.radius + abs(way[0]) + abs(way[1]) + abs(way[2]) + 2.0 * size
    for k in range(3):
        rounding += abs(start[1][k]) + abs(center[k]) + abs(origin[k])
    rounding = AT_ENDS * rounding + SHORTEST
    bend = 0.125 * stretch * stretch * (far + sine * shape.reach)
    for k in range(3):
        r, s = start[0], end[0]
        half = half_extent(shape, r[3 * k], r[3 * k + 1], r[3 * k + 2])
        half = max(half, half_extent(shape, s[3 * k], s[3 * k + 1], s[3 * k + 2]))
        across = sqrt(v[(k + 1) % 3] ** 2 + v[(k + 2) % 3] ** 2)
        wide = half + bend * across + shape.radius + rounding
        found[START + k], found[WAY + k] = start[1][k] + arm[k], way[k] + (end_arm[k] - arm[k])
        found[LOWER + k], found[UPPER + k] = -wide, wide
    drift = 0.125 * stretch * stretch * sine * far
    found[BALL] = min(drift + shape.reach + shape.radius + rounding, _far_corner(found))
    found[BEND] = bend * sine
    return True


@kernel
def _far_corner(found: Array) -> float:
    x = max(-found[LOWER], found[UPPER])
    y = max(-found[LOWER + 1], found[UPPER + 1])
    z = max(-found[LOWER + 2], found[UPPER + 2])
    return norm((x, y, z)) * (1.0 + PLACED)


@kernel
def _widen(shape: Convex, turned: Mat3, seen: Vec3, found: Array) -> None:
    """Take in the box of the core in an orientation, its origin being seen there."""
    for k in range(3):
        half = half_extent(shape, turned[3 * k], turned[3 * k + 1], turned[3 * k + 2])
        found[LOWER + k] = min(found[LOWER + k], seen[k] - half)
        found[UPPER + k] = max(found[UPPER + k], seen[k] + half)
