"""Points of sweeps, and how far places are from them, by looking at many times: no code of the sweeps."""

import numpy as np

import firstcontact as fc
from firstcontact.shapes.mesh import is_empty


def swept_points(moving, rng, n_times, n_points, links=None):
    """Random points (n_times * n_points, 3) of things at random times, the start and the end among them."""
    times = np.concatenate([[0.0, 1.0], rng.random(max(n_times - 2, 0))])
    return np.concatenate([_points_at(moving, float(t), rng, n_points, links) for t in times])


def bodies_at(moving, t, links=None):
    """Shapes at a time, each with its pose."""
    shape, motion = moving.shape, moving.motion
    if isinstance(shape, fc.Robot):
        poses = shape.link_poses(motion.configuration(t))
        return [(p.shape, poses[p.link] @ p.pose) for p in shape.parts if links is None or p.link in links]
    if hasattr(motion, "frames"):
        if isinstance(shape, fc.Points):
            return [(fc.Points(moving.vertices(t), shape.radius), np.eye(4))]
        if isinstance(shape, fc.Strands):
            return [(fc.Strands(moving.vertices(t), shape.counts, shape.radius), np.eye(4))]
        return [(fc.Mesh(moving.vertices(t), shape.faces), np.eye(4))]
    if isinstance(shape, fc.Compound):
        return [(part.shape, moving.pose(t) @ part.pose) for part in shape.parts]
    return [(shape, moving.pose(t))]


def _points_at(moving, t, rng, n, links):
    bodies = bodies_at(moving, t, links)
    found = []
    for shape, pose in bodies:
        local = points_of(shape, rng, n // len(bodies))
        found.append(local @ pose[:3, :3].T + pose[:3, 3])
    return np.concatenate(found)


def points_of(shape, rng, n):
    """Random points of a shape: of its surface, and inside where it is convex."""
    if is_empty(shape):
        return np.empty((0, 3))
    if isinstance(shape, fc.Points | fc.Strands):
        which = rng.integers(shape.n_faces, size=n)
        a, b = shape.vertices[shape.faces[which, 0]], shape.vertices[shape.faces[which, 1]]
        ways = rng.normal(size=(n, 3))
        ways *= shape.radii[which, None] / np.linalg.norm(ways, axis=1, keepdims=True)
        return a + rng.random((n, 1)) * (b - a) + ways
    surface = shape if isinstance(shape, fc.Mesh) else shape.mesh  # of a round shape, its corners are on it
    weights = rng.dirichlet([0.5] * 3, size=n)
    points = np.einsum(
        "ij,ijk->ik", weights, surface.vertices[surface.faces[rng.integers(surface.n_faces, size=n)]]
    )
    points[: n // 4] = surface.vertices[rng.choice(np.unique(surface.faces), size=n // 4)]
    if not isinstance(shape, fc.Mesh | fc.Voxels):
        parts = rng.random((n - n // 2, 1))
        points[n // 2 :] = shape.centroid + parts * (points[n // 2 :] - shape.centroid)
    return points


def sampled_distances(moving, places, n_times, links=None, is_surface=False):
    """How far places (n, 3) are from a thing at some times: not less than from its sweep.

    Negative inside; of a surface, which may be open and have no inside, never.
    """
    looks = [_distances_then(moving, t, places, links, is_surface) for t in np.linspace(0.0, 1.0, n_times)]
    return np.min(looks, axis=0)


def least_distances(moving, places, near, *, enough=-np.inf, is_surface=False, n_looks=33):
    """How far places (n, 3) are from a sweep: no farther than said, and no more than `near` less.

    What is seen to be within `enough` may be nearer than said by any length.

    A distance changes no faster than the thing goes. Stretches of time in which that could make it less than
    was seen are halved, until none is left. Speeds are those that were seen, and a quarter more.
    """
    speed = 1.25 * _highest_speed(moving, 8 * n_looks)
    times = np.linspace(0.0, 1.0, n_looks)
    seen = np.array([_distances_then(moving, t, places, None, is_surface) for t in times])
    best = seen.min(axis=0)
    which, ends = np.meshgrid(np.arange(len(places)), np.arange(n_looks - 1))
    which, k = which.reshape(-1), ends.reshape(-1)
    spans = np.stack([times[k], times[k + 1], seen[k, which], seen[k + 1, which]])
    while True:
        begin, end, first, last = spans
        kept = 0.5 * (first + last - speed * (end - begin)) < best[which] - near
        kept &= best[which] > enough
        if not kept.any():
            return best
        which, (begin, end, first, last) = which[kept], spans[:, kept]
        middles = 0.5 * (begin + end)
        values = np.empty(len(which))
        for t in np.unique(middles):
            own = np.flatnonzero(middles == t)
            values[own] = _distances_then(moving, t, places[which[own]], None, is_surface)
        np.minimum.at(best, which, values)
        halves = np.stack([begin, middles, first, values]), np.stack([middles, end, values, last])
        which, spans = np.concatenate([which, which]), np.concatenate(halves, axis=1)


def _highest_speed(moving, n_times):
    """How fast the corners of boxes around shapes go, or vertices of what deforms, as seen at many times."""
    before, most = None, 0.0
    for t in np.linspace(0.0, 1.0, n_times + 1):
        marks = [_marks(shape) @ pose[:3, :3].T + pose[:3, 3] for shape, pose in bodies_at(moving, t)]
        now = np.concatenate(marks)
        most = most if before is None else max(most, np.linalg.norm(now - before, axis=1).max(initial=0.0))
        before = now
    return most * n_times


def _marks(shape):
    if hasattr(shape, "vertices"):
        return shape.vertices
    return np.array([[shape.bounds[k >> i & 1, i] for i in range(3)] for k in range(8)])


def _distances_then(moving, t, places, links, is_surface):
    """How far places are from a thing at a time."""
    found = np.full(len(places), np.inf)
    for shape, pose in bodies_at(moving, float(t), links):
        distance = fc.signed_distance(shape.at(pose), places).distance
        found = np.minimum(found, np.abs(distance) if is_surface else distance)
    return found


def is_closed_manifold(faces):
    """Is each edge that of two faces, in opposite directions?"""
    sides = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there = {tuple(side) for side in sides.tolist()}
    return len(there) == len(sides) and all((b, a) in there for a, b in there)
