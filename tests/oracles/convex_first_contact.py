"""When do convex shapes, each moving rigidly, come within a distance? Step by step, and none too long.

At an instant, two bounds of the distance are known, and a direction n along which the lower one is seen. A
time s later, the shadow of a turning core on n has not grown by more than any of these: s times the highest
speed now of any of its points along n, and half s^2 times the greatest acceleration; s times the highest
speed that any point ever has; the way to the rim of the cylinder that all of its turns stay in. Balls about
cores do not turn. The pair goes on by a time in which the two shadows cannot meet: no contact is skipped.
"""

import numpy as np

from oracles.closest_triangles import Real, cross, dot, norm, over
from oracles.convex_cores import moved_to, support
from oracles.convex_distance import Goal, bracketed
from oracles.rigid_first_contact import Limits, Scan

# A step is shortened by this part of it: far more than is lost to rounding, far less than matters.
SHORTENED = 1 - Real(2.0**-40)

# Bounds of a distance may differ by this part of what is left: closer ones cost more than they gain.
COARSE = 0.05

MAX_STEPS = 20_000

# A step this short gets nowhere: the bounds of the distance are no closer than rounding lets them be.
NOWHERE = Real(2.0**-60)


def scan(a, b, rows, lower, upper, until=1.0):
    """Follow the motions of `Cores`, whatever their poses, to the first distance up to `upper`.

    None up to `lower` is skipped. rows : of a and of b, (n, k, 26) each. All limits are one, or arrays.
    """
    n = len(a.radius)
    limits = Limits(*(np.broadcast_to(np.asarray(x, Real), n) for x in (lower, upper, until)))
    free, witness = np.full(n, np.inf, Real), np.full(n, np.inf, Real)
    t, running, directions = np.zeros(n, Real), np.arange(n), None
    for _ in range(MAX_STEPS):
        goes_on = t <= limits.until[running]
        running, t = running[goes_on], t[goes_on]
        directions = None if directions is None else directions[:, goes_on]
        if len(running) == 0:
            break
        here = moved_to(a.only(running), rows[0][running], t), moved_to(b.only(running), rows[1][running], t)
        now = limits.only(running)
        found = bracketed(
            here[0].cores, here[1].cores, Goal(COARSE, now.lower, now.upper - now.lower), directions
        )
        is_touching = found.upper <= now.upper
        witness[running[is_touching]] = t[is_touching]
        after = _after(here, found, now, t)
        is_stuck = ~is_touching & (after - t < NOWHERE)
        free[running[is_stuck]] = t[is_stuck]
        t, directions = np.where(is_touching | is_stuck, np.inf, after), found.direction
    free[running] = t  # those that have not come to an end
    return Scan(np.minimum(free, witness), witness)


def distances_at(a, b, rows, t):
    """Bounds of the distance of `Cores` in each motion, at a time of its own or one for all."""
    t = np.broadcast_to(np.asarray(t, Real), len(a.radius))
    return bracketed(moved_to(a, rows[0], t).cores, moved_to(b, rows[1], t).cores)


def _after(here, found, limits, t):
    """Times at which to look again; infinite where nothing is left."""
    a, b = here
    ends = np.minimum(np.minimum(a.end, b.end), limits.until)
    n = found.direction * over(Real(1), norm(found.direction))
    step = SHORTENED * _step(a, b, n, found.gap - limits.lower)
    after = np.where(ends < limits.until, ends, np.inf)  # at the end of a piece the next one begins
    return np.where(t + step > ends, after, t + step)


def _step(a, b, n, gap):
    """Times in which two shadows on n, a gap apart, cannot meet."""
    ways = _Way(a, n), _Way(b, -n)
    closing = dot(a.velocity - b.velocity, n)
    soon = closing + ways[0].speed_now + ways[1].speed_now
    curved = _until_curved(gap, soon, ways[0].acceleration + ways[1].acceleration)
    straight = _until(gap, closing + ways[0].speed_ever + ways[1].speed_ever)
    around = gap - ways[0].way_to_rim - ways[1].way_to_rim
    return np.maximum(np.maximum(curved, straight), np.where(around > 0, _until(around, closing), 0))


def _until(gap, closing):
    """How long a gap lasts that closes at a constant speed."""
    return np.where(closing > 0, over(np.maximum(gap, 0), closing), np.where(gap > 0, np.inf, 0))


def _until_curved(gap, closing, acceleration):
    """The positive root of gap = closing s + acceleration s^2 / 2."""
    gap = np.maximum(gap, 0)
    root = np.sqrt(closing * closing + 2 * acceleration * gap)
    slow = over(root - closing, acceleration)
    root = np.where(closing > 0, over(2 * gap, closing + root), slow)
    return np.where(acceleration > 0, root, _until(gap, closing))


class _Way:
    """What a turn can do to the shadow of a core on n: speeds, acceleration, the way to the rim."""

    def __init__(self, moved, n):
        cores, axis = moved.cores, moved.axis
        lever = cores.origin - moved.pivot
        across = cross(n, axis)
        self.speed_now = moved.rate * dot(across, support(cores, across) + lever)
        tilt, outermost = norm(across), self._outermost(moved, lever)
        self.speed_ever = moved.rate * tilt * outermost
        self.acceleration = moved.rate**2 * tilt * outermost
        along = dot(n, axis) * axis
        rim = dot(along, support(cores, along) + lever) + tilt * outermost
        self.way_to_rim = np.where(moved.rate > 0, rim - dot(n, support(cores, n) + lever), 0)

    def _outermost(self, moved, lever):
        """No point of the core is farther from the axis."""
        r, p = moved.cores.rotation[:, :, None], moved.cores.points
        arms = lever[:, None] + r[:, 0] * p[0] + r[:, 1] * p[1] + r[:, 2] * p[2]
        axis = np.broadcast_to(moved.axis[:, None], arms.shape)
        return norm(cross(axis, arms)).max(axis=0) + moved.cores.semiaxes.max(axis=0) + moved.cores.apex
