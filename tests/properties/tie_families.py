"""Families of queries full of ties: what vanishes in them vanishes exactly, or by a rounding error only."""

import numpy as np

EDGES = np.array([[[0, 0], [1, 0]], [[0, 0], [0, 1]], [[0, 0], [1, 1]]])
FACES = np.array([[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]])


def grid(rng, n, is_edge_edge):
    """Small integers for everything."""
    return rng.integers(-2, 3, (2, n, 4, 3)).astype(float)


def resting(rng, n, is_edge_edge):
    """The first side moves off, or through the other, from where it rests on it, or close by."""
    start, end = grid(rng, n, is_edge_edge)
    start[..., 2] = 0.0
    return start, end


def landing(rng, n, is_edge_edge):
    """The same in reverse: contact at the end, if it is not before."""
    start, end = resting(rng, n, is_edge_edge)
    return end, start


def flat(rng, n, is_edge_edge):
    """All motion in one plane."""
    points = grid(rng, n, is_edge_edge)
    points[..., 2] = 0.0
    return points


def tilted(rng, n, is_edge_edge):
    """All motion in a plane that no axis is normal to."""
    points = flat(rng, n, is_edge_edge)
    points[..., 2] = points @ [2.0, -1.0, 0.0]
    return points


def turning(rng, n, is_edge_edge):
    """Always coplanar, in a plane that turns."""
    start, end = flat(rng, n, is_edge_edge)
    end = end[..., [0, 2, 1]] * rng.choice([0.5, 1.0, 2.0])
    end[..., 0] = start[..., 0] + rng.integers(-1, 2, (n, 1))
    return start, end


def on_a_line(rng, n, is_edge_edge):
    """All motion on one line."""
    return grid(rng, n, is_edge_edge)[..., :1] * rng.choice([-1.0, 1.0, 0.0, 3.0], (n, 1, 3))


def parallel(rng, n, is_edge_edge):
    """Edges that stay parallel, or a face that stays a segment; they pass each other in a plane, or not."""
    direction, offset = rng.integers(-2, 3, (2, n, 3))
    along, beside = rng.integers(-2, 3, (2, 2, n, 4, 1))
    if is_edge_edge:
        beside[:, :, [1, 3]] = beside[:, :, [0, 2]]
    else:
        beside[:, :, 1:] = beside[:, :, 3:]
    points = along * direction[:, None] + beside * offset[:, None]
    points[0, :, 0] += rng.integers(0, 2, (n, 1)) * rng.integers(0, 2, (n, 3))
    return points.astype(float)


def degenerate(rng, n, is_edge_edge):
    """Points that coincide, at one end or at both."""
    points = grid(rng, n, is_edge_edge)
    for which in range(2):
        a, b = rng.integers(0, 4, (2, n))
        rows = np.flatnonzero(rng.random(n) < 0.6)
        points[which, rows, a[rows]] = points[which, rows, b[rows]]
    return points


def layers(rng, n, is_edge_edge, heights=(0.1, -0.1), slide=(0.0, 0.0)):
    """A grid that comes down on another, aligned with it; their unit is not a sum of powers of two."""
    cell = rng.integers(0, 9, (n, 1, 2))
    shift = rng.integers(-1, 2, (n, 1, 2))
    if is_edge_edge:
        upper, lower = (EDGES[ids] for ids in rng.integers(0, 3, (2, n)))
    else:
        upper, lower = np.zeros((n, 1, 2)), FACES[rng.integers(0, 2, n)]
    flat_points = np.concatenate([cell + shift + upper, cell + lower], axis=1) * 0.1
    n_upper = upper.shape[1]
    points = np.zeros((2, n, 4, 3))
    points[..., :2] = flat_points
    for end, height in enumerate(heights):
        points[end, :, :n_upper, 2] = height
        points[end, :, :n_upper, :2] += (end - 0.5) * np.array(slide)
    return points


def crossing_layers(rng, n, is_edge_edge):
    """Layers that cross at a time that is no double."""
    return layers(rng, n, is_edge_edge, heights=(0.3, -0.1))


def sliding_layers(rng, n, is_edge_edge):
    """Layers that slide over each other in one plane."""
    return layers(rng, n, is_edge_edge, heights=(0.0, 0.0), slide=(0.3, 0.1 * rng.integers(0, 3)))


def slanting_layers(rng, n, is_edge_edge):
    """Layers that come down at a slant."""
    return layers(rng, n, is_edge_edge, slide=(0.2, 0.0))


FAMILIES = {
    family.__name__: family
    for family in (
        grid,
        resting,
        landing,
        flat,
        tilted,
        turning,
        on_a_line,
        parallel,
        degenerate,
        layers,
        crossing_layers,
        sliding_layers,
        slanting_layers,
    )
}


def disguised(rng, points):
    """Permute axes; then scale, or move far away, which turns some ties into near ties."""
    points = np.asarray(points, dtype=float)[..., rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
    n = points.shape[1]
    scale = rng.choice([1.0, 0.1, 3.0, 2.0**-100, 2.0**-236, 2.0**147], (1, n, 1, 1))
    offset = np.round(rng.normal(0.0, 1e3, (1, n, 1, 3)) * 2.0**20) / 2.0**20
    rough = rng.normal(0.0, 1e3, (1, n, 1, 3))
    kind = rng.integers(0, 4, (1, n, 1, 1))
    moved = np.where(kind == 1, points + offset, np.where(kind == 2, points + rough, points * scale))
    return np.ascontiguousarray(moved[0]), np.ascontiguousarray(moved[1])
