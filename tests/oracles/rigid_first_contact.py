"""When do triangle soups, each moving rigidly, come within a distance? Every pair of triangles, step by step.

Poses are those of the formula, x(t) = g0 + (t - tb) v + Rot(axis, rate (t - tb)) R0 (x - center), in extended
precision and in the world's frame. A pair is looked at, at one time after the other. Its closest points are
a witness that it is as near as that. The direction n between them proves how far apart the pair is: no corner
of one reaches beyond the other's. Along n, a corner that turns goes as A cos(phi + rate s) does: how far it
gets within a time s is known, and no point of a triangle gets farther than its corners. The pair goes on by a
time in which both together cannot use up what is between them: no contact is skipped.
"""

from typing import NamedTuple

import numpy as np

from oracles.closest_triangles import Real, closest_points, cross, dot, norm, over

# Times tried for a step, in units of the one that the top speed allows.
STRETCHES = np.array([256.0, 64.0, 16.0, 8.0, 4.0, 2.0, 1.5, 1.0], Real)

# A step is shortened by this part of it: far more than is lost to rounding, far less than matters.
SHORTENED = 1 - Real(2.0**-40)

# The direction between the centers serves where it proves this part of their distance.
PLAIN = 0.25

MAX_STEPS = 20_000

TURN = 2 * np.arccos(Real(-1))


class Soups(NamedTuple):
    """Two soups of triangles, (n, 3, 3) and (m, 3, 3), and q motions of each: rows (q, k, 26), (q, l, 26)."""

    triangles_a: np.ndarray
    triangles_b: np.ndarray
    rows_a: np.ndarray
    rows_b: np.ndarray


class Scan(NamedTuple):
    """What a scan found for each motion: times, infinite where there are none.

    free_until : before, the distance is larger than `lower`
    witness : here it is at most `upper`
    """

    free_until: np.ndarray
    witness: np.ndarray


class Limits(NamedTuple):
    """What is looked for in each motion: a distance between `lower` and `upper`, up to the time `until`."""

    lower: np.ndarray
    upper: np.ndarray
    until: np.ndarray

    def only(self, chosen):
        return Limits(*(x[chosen] for x in self))


class Jobs(NamedTuple):
    """Pairs of triangles on their way: the motion, the triangles, the time; all (n,)."""

    motion: np.ndarray
    a: np.ndarray
    b: np.ndarray
    t: np.ndarray

    def only(self, chosen):
        return Jobs(*(x[chosen] for x in self))


class Side(NamedTuple):
    """Triangles of one body at an instant, (3, 3, n), how it moves, (3, n), and until when it does, (n,)."""

    corners: np.ndarray
    velocity: np.ndarray
    axis: np.ndarray
    pivot: np.ndarray
    rate: np.ndarray
    end: np.ndarray


def scan(many, lower, upper, until=1.0):
    """Follow all motions of many `Soups`, one list after the other, to the first distance up to `upper`.

    None up to `lower` is skipped. The wider the two are apart, the sooner an end is found. All limits are
    one for all motions, or an array.
    """
    soups, jobs = _joined(many)
    n_motions = len(soups.rows_a)
    limits = Limits(*(np.broadcast_to(np.asarray(x, Real), n_motions) for x in (lower, upper, until)))
    free, witness = np.full(n_motions, np.inf, Real), np.full(n_motions, np.inf, Real)
    for _ in range(MAX_STEPS):
        jobs = jobs.only(jobs.t <= np.minimum(limits.until, witness)[jobs.motion])
        if len(jobs.t) == 0:
            break
        jobs, is_touching = _advanced(soups, jobs, limits)
        np.minimum.at(witness, jobs.motion[is_touching], jobs.t[is_touching])
        jobs = jobs.only(~is_touching)
    np.minimum.at(free, jobs.motion, jobs.t)  # those that have not come to an end
    return Scan(np.minimum(free, witness), witness)


def distances_at(many, times):
    """Distance of the two soups in each motion, at a time of its own or one for all."""
    soups, jobs = _joined(many)
    times = np.broadcast_to(np.asarray(times, Real), len(soups.rows_a))
    a, b = _sides(soups, jobs._replace(t=times[jobs.motion]))
    p, q = closest_points(a.corners, b.corners)
    least = np.full(len(times), np.inf, Real)
    np.minimum.at(least, jobs.motion, norm(q - p))
    return least


def side_at(rows, triangles, t):
    """Place triangles (n, 3, 3), each by a row of (n, 26) and at a time of its own."""
    rows = np.asarray(rows, Real).T
    axis = rows[15:18] * over(Real(1), norm(rows[15:18]))
    passed = t - rows[19]
    pivot = rows[9:12] + passed * rows[12:15]
    arms = np.asarray(triangles, Real).transpose(2, 1, 0) - rows[20:23, None]
    r = rows[0:9].reshape(3, 3, 1, -1)
    arms = r[:, 0] * arms[0] + r[:, 1] * arms[1] + r[:, 2] * arms[2]
    arms = _turned(np.broadcast_to(axis[:, None], arms.shape), rows[18] * passed, arms)
    return Side(pivot[:, None] + arms, rows[12:15], axis, pivot, rows[18], rows[23])


def _turned(axis, angle, x):
    """Turn vectors about unit axes (Rodrigues)."""
    across = cross(axis, x)
    return x + np.sin(angle) * across + 2 * np.sin(angle / 2) ** 2 * cross(axis, across)


def _joined(many):
    """All soups as one, and the pairs of triangles of each motion."""
    jobs, before = [], np.zeros((3, 1), int)
    for soups in many:
        counts = len(soups.rows_a), len(soups.triangles_a), len(soups.triangles_b)
        jobs.append(before + np.indices(counts).reshape(3, -1))
        before = before + np.reshape(counts, (3, 1))
    motion, a, b = np.concatenate(jobs, axis=1)
    triangles_a, triangles_b, rows_a, rows_b = zip(*many, strict=True)
    soups = Soups(np.concatenate(triangles_a), np.concatenate(triangles_b), _padded(rows_a), _padded(rows_b))
    return soups, Jobs(motion, a, b, np.zeros(len(motion), Real))


def _padded(rows):
    """Repeat the last pieces of motions until all have as many."""
    k = max(part.shape[1] for part in rows)
    return np.concatenate([part[:, np.minimum(np.arange(k), part.shape[1] - 1)] for part in rows])


def _sides(soups, jobs):
    sides = []
    for rows, triangles in (
        (soups.rows_a, soups.triangles_a[jobs.a]),
        (soups.rows_b, soups.triangles_b[jobs.b]),
    ):
        # Of two pieces that meet at the time, the later one.
        piece = (rows[jobs.motion, :-1, 23] <= jobs.t[:, None]).sum(axis=1)
        sides.append(side_at(rows[jobs.motion, piece], triangles, jobs.t))
    return sides


def _advanced(soups, jobs, limits):
    """One step of each pair; those that touch stay where they are, for those at the end time is infinite."""
    a, b = _sides(soups, jobs)
    w = b.corners.mean(axis=1) - a.corners.mean(axis=1)
    n = w * over(Real(1), norm(w))
    lower, until = limits.lower[jobs.motion], limits.until[jobs.motion]
    is_touching = np.zeros(len(jobs.t), bool)
    near = np.flatnonzero(~(_gap(a, b, n) - lower > PLAIN * norm(w)))
    if len(near) > 0:
        p, q = closest_points(a.corners[..., near], b.corners[..., near])
        distance = norm(q - p)
        is_touching[near] = distance <= limits.upper[jobs.motion[near]]
        n[:, near] = _separating(a.corners[..., near], b.corners[..., near], q - p)
    ends = np.minimum(np.minimum(a.end, b.end), until)
    step = _step(a, b, n, lower, ends - jobs.t)
    after = np.where(ends < until, ends, np.inf)  # at the end of a piece the next one begins
    t = np.where(step < np.inf, jobs.t + SHORTENED * step, after)
    return jobs._replace(t=np.where(is_touching, jobs.t, t)), is_touching


def _gap(a, b, n):
    return dot(b.corners, n[:, None]).min(axis=0) - dot(a.corners, n[:, None]).max(axis=0)


def _separating(a, b, e):
    """The unit vector along which triangles are seen to be the farthest apart: near e, the way between them.

    Of points so near to each other that e is mostly rounding, the features have a better one: the normals of
    faces, what is normal to two edges, and e made normal to one.
    """
    sides_a, sides_b = np.roll(a, -1, axis=1) - a, np.roll(b, -1, axis=1) - b
    pairs = [(x, y) for x in range(3) for y in range(3)]
    normals = [cross(sides_a[:, x], sides_b[:, y]) for x, y in pairs]
    normals += [cross(sides[:, 0], sides[:, 1]) for sides in (sides_a, sides_b)]
    for sides in (sides_a, sides_b):
        normals += [
            e - over(dot(e, sides[:, x]), dot(sides[:, x], sides[:, x])) * sides[:, x] for x in range(3)
        ]
    n = np.stack([*normals, e], axis=1)
    n = n * over(Real(1), norm(n)) * np.where(dot(n, e[:, None]) < 0, -1, 1)
    gaps = dot(b[:, :, None], n[:, None]).min(axis=0) - dot(a[:, :, None], n[:, None]).max(axis=0)
    best = np.argmax(np.where(dot(n, n) > 0, gaps, -np.inf), axis=0)
    return np.take_along_axis(n, np.broadcast_to(best, (3, 1, len(best))), axis=1)[:, 0]


def _step(a, b, n, lower, left):
    """Times in which triangles stay farther apart than `lower` along n; infinite if for all that is left."""
    speed = dot(n, a.velocity - b.velocity)
    ways = _Way(a, n), _Way(b, -n)
    gap, closing = _gap(a, b, n) - lower, speed + ways[0].speed + ways[1].speed
    allowed = np.maximum(gap, 0) * over(Real(1), closing)
    allowed = np.where(closing > 0, allowed, np.where(gap > 0, np.inf, 0))
    times = np.concatenate([left[None], np.minimum(STRETCHES[:, None] * allowed, left)])
    lasts = ways[0].highest(times) + ways[1].highest(times) + np.maximum(speed, 0) * times < -lower
    lasts[0] |= allowed > left
    lasts[-1] |= allowed > 0
    step = np.take_along_axis(times, np.argmax(lasts, axis=0)[None], axis=0)[0]
    return np.where(lasts[0], np.inf, np.where(lasts.any(axis=0), step, 0))


class _Way:
    """The corners' way along n as their body turns: a cosine each."""

    def __init__(self, side, n):
        arms, n = side.corners - side.pivot[:, None], n[:, None]
        axis = np.broadcast_to(side.axis[:, None], arms.shape)
        across = cross(axis, arms)
        now, soon = dot(cross(across, axis), n), dot(across, n)
        self.heights, self.rate = dot(side.corners, n), side.rate
        self.amplitude, self.phase = np.sqrt(now * now + soon * soon), np.arctan2(-soon, now)
        self.speed = (self.rate * self.amplitude).max(axis=0)

    def highest(self, times):
        """How far any corner gets within times (m, n)."""
        phase = self.phase + self.rate * times[:, None]
        # The crest of a wave is where its phase is a whole number of turns.
        is_crossed = np.floor(phase / TURN) > np.floor(self.phase / TURN)
        crest = np.where(is_crossed, 1, np.maximum(np.cos(phase), np.cos(self.phase)))
        return (self.heights + self.amplitude * (crest - np.cos(self.phase))).max(axis=1)
