"""Seeded families of elementary queries, each rich in near misses and in true degenerate contacts.

A family is a list of variants; a variant maps (rng, n, kind) to `start` and `end`, both (n, 4, 3).
"""

import numpy as np

SIDES = {"vf": ((0,), (1, 2, 3)), "ee": ((0, 1), (2, 3))}
COARSE = 2.0**-3
FINE = 2.0**-20


def generate(family, kind, n, seed):
    """Return (start, end) of n queries; the same for the same arguments."""
    variants = FAMILIES[family]
    rng = np.random.default_rng([seed, list(FAMILIES).index(family), list(SIDES).index(kind)])
    sizes = [len(part) for part in np.array_split(np.arange(n), len(variants))]
    parts = [variant(rng, size, kind) for variant, size in zip(variants, sizes, strict=True)]
    order = rng.permutation(n)
    start = np.concatenate([part[0] for part in parts])[order]
    end = np.concatenate([part[1] for part in parts])[order]
    return start, end


def dyadic(rng, n, step, reach=2.0):
    """Points whose coordinates are multiples of a power of two: sums and small products are exact."""
    count = round(reach / step)
    return rng.integers(-count, count + 1, (n, 4, 3)) * step


def integers(rng, n):
    return dyadic(rng, n, 1.0)


def meeting(rng, n, kind):
    """Four points whose two sides meet, up to rounding, in a random place: inside, on edges, at corners."""
    points = rng.uniform(-1.0, 1.0, (n, 4, 3))
    first, second = SIDES[kind]
    place_a = np.einsum("nk,nkx->nx", weights(rng, n, len(first)), points[:, first])
    place_b = np.einsum("nk,nkx->nx", weights(rng, n, len(second)), points[:, second])
    points[:, first] += (place_b - place_a)[:, None]
    return points


def touching(rng, n, kind):
    """Exact contacts: integer corners, weights in quarters."""
    points = integers(rng, n)
    first, second = SIDES[kind]
    places = []
    for side in (first, second):
        corners = rng.integers(0, len(side), (n, 4))
        quarters = np.stack([(corners == k).sum(axis=1) for k in range(len(side))], axis=1) * 0.25
        places.append(np.einsum("nk,nkx->nx", quarters, points[:, side]))
    points[:, first] += (places[1] - places[0])[:, None]
    return points


def weights(rng, n, k):
    """Barycentric weights: half of the rows strictly inside, half with some corners left out."""
    raw = rng.uniform(0.05, 1.0, (n, k)) * (rng.random((n, k)) > 0.5 * rng.integers(0, 2, (n, 1)))
    raw[raw.sum(axis=1) == 0.0, 0] = 1.0
    return raw / raw.sum(axis=1, keepdims=True)


def through(rng, points, velocity):
    """Straight motions that reach `points` at a random time."""
    time = rng.uniform(0.0, 1.0, (len(points), 1, 1))
    return points - time * velocity, points + (1.0 - time) * velocity


def nudged(rng, points):
    """Move points by nothing, by one rounding, or by a small amount."""
    size = rng.choice([0.0, 2.0**-53, 2.0**-40, 2.0**-12], (len(points), 1, 1))
    return points + size * rng.uniform(-1.0, 1.0, points.shape)


def uniform(rng, n, kind):
    return rng.uniform(-1.0, 1.0, (n, 4, 3)), rng.uniform(-1.0, 1.0, (n, 4, 3))


def aimed(rng, n, kind):
    """Motions through a contact, or barely beside it."""
    start, end = through(rng, meeting(rng, n, kind), rng.uniform(-1.0, 1.0, (n, 4, 3)))
    return nudged(rng, start), end


def aimed_slowly(rng, n, kind):
    speed = 10.0 ** rng.uniform(-16.0, -2.0, (n, 1, 1))
    return through(rng, meeting(rng, n, kind), speed * rng.uniform(-1.0, 1.0, (n, 4, 3)))


def standing(rng, n, kind):
    """No motion at all; in contact exactly, nearly or not."""
    points = np.where(rng.random((n, 1, 1)) < 0.5, touching(rng, n, kind), nudged(rng, meeting(rng, n, kind)))
    return points, points.copy()


def moving_by_one_rounding(rng, n, kind):
    """In contact at the start; some coordinates end at the next float."""
    start = touching(rng, n, kind)
    toward = np.where(rng.random((n, 4, 3)) < 0.2, rng.choice([-np.inf, np.inf], (n, 4, 3)), start)
    return start, np.nextafter(start, toward)


def in_plane(step):
    """Always coplanar in a tilted plane, which may itself be carried along; all coordinates exact."""

    def variant(rng, n, kind):
        axes = rng.integers(-3, 4, (n, 2, 3)).astype(float)
        carry = rng.integers(-2, 3, (n, 1, 3)) * (rng.random((n, 1, 1)) < 0.5)
        start = dyadic(rng, n, step)[:, :, :2] @ axes
        end = dyadic(rng, n, step)[:, :, :2] @ axes
        return start, end + carry

    return variant


def plane_then_lifted(rng, n, kind):
    """Coplanar at the start, and one coordinate off by one rounding at the end."""
    start, end = in_plane(COARSE)(rng, n, kind)
    return start, np.where(rng.random(end.shape) < 0.1, np.nextafter(end, np.inf), end)


def spinning_plane(rng, n, kind):
    """Coplanar at both ends, in different planes: the points cross in between."""
    start = dyadic(rng, n, COARSE)[:, :, :2] @ rng.integers(-2, 3, (n, 2, 3)).astype(float)
    end = dyadic(rng, n, COARSE)[:, :, :2] @ rng.integers(-2, 3, (n, 2, 3)).astype(float)
    return start, end


def _parallel_points(rng, n, direction):
    """Points 0, 1 and points 2, 3 differ by multiples of one direction; some of them share the line."""
    points = integers(rng, n)
    points[:, 1] = points[:, 0] + direction * rng.integers(-2, 3, (n, 1))
    on_line = rng.random((n, 1)) < 0.5
    line_point = points[:, 0] + direction * rng.integers(-3, 4, (n, 1)) * COARSE
    points[:, 2] = np.where(on_line, line_point, points[:, 2])
    points[:, 3] = points[:, 2] + direction * rng.integers(-2, 3, (n, 1))
    return points


def always_parallel(rng, n, kind):
    direction = rng.integers(-2, 3, (n, 3)).astype(float)
    return _parallel_points(rng, n, direction), _parallel_points(rng, n, direction)


def parallel_at_ends(rng, n, kind):
    start = _parallel_points(rng, n, rng.integers(-2, 3, (n, 3)).astype(float))
    end = _parallel_points(rng, n, rng.integers(-2, 3, (n, 3)).astype(float))
    return start, end


def nearly_parallel(rng, n, kind):
    start, end = always_parallel(rng, n, kind)
    return nudged(rng, start), nudged(rng, end)


def always_collinear(rng, n, kind):
    """All on one line that may be carried along."""
    direction = rng.integers(-2, 3, (n, 1, 3)).astype(float)
    carry = rng.integers(-1, 2, (n, 1, 3)) * (rng.random((n, 1, 1)) < 0.5)
    return dyadic(rng, n, COARSE)[:, :, :1] * direction, dyadic(rng, n, COARSE)[:, :, :1] * direction + carry


def _with_equal_pair(rng, points):
    """Copy one random point onto another."""
    rows = np.arange(len(points))
    source, target = rng.integers(0, 4, (2, len(points)))
    points[rows, target] = points[rows, source]
    return points


def shared_at_start(rng, n, kind):
    start, end = uniform(rng, n, kind)
    return _with_equal_pair(rng, start), end


def shared_at_end(rng, n, kind):
    start, end = uniform(rng, n, kind)
    return start, _with_equal_pair(rng, end)


def shared_always(rng, n, kind):
    both = _with_equal_pair(rng, np.concatenate(uniform(rng, n, kind), axis=2))
    return both[:, :, :3].copy(), both[:, :, 3:].copy()


def shared_halfway(rng, n, kind):
    """Two points coincide exactly at a dyadic time and nowhere else."""
    middle = _with_equal_pair(rng, dyadic(rng, n, COARSE))
    velocity = dyadic(rng, n, COARSE)
    return middle - 0.25 * velocity, middle + 0.75 * velocity


def all_equal(rng, n, kind):
    """One point for all four at the start, at the end or at both."""
    start, end = integers(rng, n), integers(rng, n)
    where = rng.integers(0, 3, (n, 1, 1))
    start = np.where(where != 1, start[:, :1], start)
    return start, np.where(where != 0, end[:, :1], end)


def slivers(rng, n, kind):
    """Contacts of a side squeezed towards a line or a point."""
    points = meeting(rng, n, kind)
    squeeze = 10.0 ** rng.uniform(-17.0, -2.0, (n, 1))
    points[:, 3] = points[:, 2] + squeeze * (points[:, 3] - points[:, 2])
    return through(rng, nudged(rng, points), rng.uniform(-1.0, 1.0, (n, 4, 3)))


def needle(rng, n, kind):
    """The last point almost on the line of the two before it, at both ends."""
    start, end = aimed(rng, n, kind)
    for points in (start, end):
        along = rng.uniform(-0.5, 1.5, (n, 1))
        points[:, 3] = points[:, 1] + along * (points[:, 2] - points[:, 1])
    return start, end


def collapsing(rng, n, kind):
    """A side of exact coordinates that loses its extent at one end, or turns inside out on the way."""
    start, end = dyadic(rng, n, COARSE), dyadic(rng, n, COARSE)
    end[:, 3] = end[:, 2] + (start[:, 2] - start[:, 3]) * rng.integers(0, 3, (n, 1))
    return start, end


def far(variant):
    """About 1e6 from the origin: the coordinates lose twenty bits."""

    def moved(rng, n, kind):
        start, end = variant(rng, n, kind)
        offset = 1e6 * rng.uniform(-1.0, 1.0, (n, 1, 3))
        return start + offset, end + offset

    return moved


def far_on_grid(rng, n, kind):
    offset = rng.integers(-(2**20), 2**20 + 1, (n, 1, 3)).astype(float)
    return integers(rng, n) + offset, integers(rng, n) + offset


def tiny(variant, scale):
    def shrunk(rng, n, kind):
        start, end = variant(rng, n, kind)
        return start * scale, end * scale

    return shrunk


def grid(rng, n, kind):
    return integers(rng, n), integers(rng, n)


def grid_partly_still(rng, n, kind):
    start = integers(rng, n)
    return start, np.where(rng.random((n, 4, 1)) < 0.6, start, integers(rng, n))


def touching_at_start(rng, n, kind):
    return touching(rng, n, kind), dyadic(rng, n, COARSE)


def touching_at_end(rng, n, kind):
    return dyadic(rng, n, COARSE), touching(rng, n, kind)


def touching_parting(rng, n, kind):
    """In contact at one end, and leaving it straight away: one side stands, the other is carried."""
    points = touching(rng, n, kind)
    carried = points.copy()
    carried[:, SIDES[kind][0]] += rng.integers(-2, 3, (n, 1, 3))
    swap = rng.random((n, 1, 1)) < 0.5
    return np.where(swap, points, carried), np.where(swap, carried, points)


def almost_touching(rng, n, kind):
    """An exact contact at one end, spoiled by one rounding in some coordinates."""
    start, end = touching_parting(rng, n, kind)
    spoiled = np.nextafter(start, rng.choice([-np.inf, np.inf], start.shape))
    return np.where(rng.random(start.shape) < 0.15, spoiled, start), end


FAMILIES = {
    "uniform": [uniform, aimed],
    "tiny-motion": [aimed_slowly, standing, moving_by_one_rounding],
    "coplanar-sliding": [in_plane(COARSE), in_plane(1.0), in_plane(FINE), plane_then_lifted, spinning_plane],
    "parallel-edges": [always_parallel, parallel_at_ends, nearly_parallel, always_collinear],
    "shared-points": [shared_at_start, shared_at_end, shared_always, shared_halfway, all_equal],
    "slivers": [slivers, needle, collapsing],
    "far": [far(aimed), far(in_plane(1.0)), far(touching_parting), far_on_grid],
    "tiny": [tiny(aimed, 1e-9), tiny(uniform, 1e-9), tiny(grid, 2.0**-30), tiny(in_plane(COARSE), 1e-9)],
    "grid": [grid, grid_partly_still],
    "touching-ends": [touching_at_start, touching_at_end, touching_parting, almost_touching],
}
