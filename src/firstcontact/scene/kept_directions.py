"""Directions that kept two bodies apart in the step before: most often they do so again, and prove it.

Along a direction that stays where it is, the gap of two convex shapes is known at both ends of a step from
their farthest points. A point that turns leaves the straight line between its places at the ends, along any
direction, by no more than an eighth of the angle squared times its distance from the axis. So the gap stays
above the lesser one of both ends, less that of both bodies. A direction is a guess: what it proves holds
wherever it came from, and where it proves nothing the pair is searched as ever.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Keys
from firstcontact.motions.rigid_paths import Pose
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.scene.pose_pairs import end_pose, start_pose
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# Rounding of a gap, in units of all lengths that it is computed from: four times that of a search, which
# takes its motions from the same poses, themselves rounded.
ROUNDED = 1024.0 * UNIT_ROUNDOFF

# Rounding allows for vectors of length one, or so; the tables of hulls have no place for those with NaN.
MOST_SQUARED = 1.001


class Directions(NamedTuple):
    """Directions by pairs of rows.

    keys : (k,) int64, ascending
    directions : (k, 3), unit vectors from the first body to the second, in the frame of the second
    """

    keys: Keys
    directions: Array


NO_DIRECTIONS = Directions(np.empty(0, np.int64), np.empty((0, 3)))


class Guesses:
    """The directions of the last pairs that were searched: whichever these are, they do no harm."""

    def __init__(self) -> None:
        self.directions = NO_DIRECTIONS


class Posed(NamedTuple):
    """A convex body that goes from pose to pose.

    origin, center : what its points are counted from, and what it turns about, as it is described
    bend : no point leaves its straight way by more
    """

    shape: Convex
    origin: Vec3
    center: Vec3
    poses: Array
    bend: float


@kernel
def are_kept_apart(
    a: Posed, b: Posed, pool: Array, direction: Vec3, min_separation: float, tolerance: float
) -> bool:
    """Is it certain that two bodies stay farther apart than a search takes for contact?

    direction : a unit vector in the frame of b, as a guess; what is none, as NaN, proves nothing
    """
    if not dot(direction, direction) <= MOST_SQUARED:
        return False
    (turn_a, place_a), (turn_b, place_b) = start_pose(a.poses), start_pose(b.poses)
    (last_a, goal_a), (last_b, goal_b) = end_pose(a.poses), end_pose(b.poses)
    d = mat_vec(turn_b, direction)
    size = 2.0 * (a.shape.reach + b.shape.reach) + norm(a.origin) + norm(b.origin)
    size += a.shape.radius + b.shape.radius + norm(a.center) + norm(b.center)
    for k in range(3):
        size += abs(place_a[k]) + abs(place_b[k]) + abs(goal_a[k]) + abs(goal_b[k])
    rounding = ROUNDED * size + SHORTEST
    near = min_separation + max(0.5 * tolerance, FLOOR * rounding) + rounding + a.bend + b.bend
    near += a.shape.radius + b.shape.radius
    if not _gap((turn_a, place_a), (turn_b, place_b), a, b, pool, d) > near:
        return False
    return _gap((last_a, goal_a), (last_b, goal_b), a, b, pool, d) > near


@kernel
def _gap(pose_a: Pose, pose_b: Pose, a: Posed, b: Posed, pool: Array, d: Vec3) -> float:
    """Gap of two cores along a direction of the world, from a to b."""
    e, f = mat_vec(transposed(pose_a[0]), d), mat_vec(transposed(pose_b[0]), scale(-1.0, d))
    x, y = add(a.origin, support(a.shape, pool, e)), add(b.origin, support(b.shape, pool, f))
    return dot(d, sub(pose_b[1], pose_a[1])) - dot(f, y) - dot(e, x)
