"""How deep are convex shapes in each other? The shortest way that takes them apart, with two bounds of it.

Along any direction, the shapes come apart once one has gone as far as their shadows overlap: that is an upper
bound. Of polytopes the least overlap is along the normal of a face of either, or normal to an edge of each:
`hull_depth` tries all. For others, the difference of the shapes is filled by a polytope that grows where
its surface is nearest to the origin: the least distance of its faces is a lower bound.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from oracles.closest_triangles import Real, cross, dot, norm, over
from oracles.convex_cores import Core, core_of, placed, shadow_gap, size_of, support
from oracles.convex_distance import bracketed

# Hulls of at most this many points have all their triples and pairs tried, whatever is a face or an edge.
SMALL = 10

# Rounds of growth, and faces that grow in each.
N_ROUNDS, N_GROWING = 60, 24

# Rounding of the polytope's faces, in doubles, in units of the size of the difference.
FACE_ROUNDING = 64 * np.finfo(float).eps


class Depth(NamedTuple):
    """Bounds of a depth, 0 where the shapes are apart, and the way (3,) on which b leaves a by `upper`."""

    lower: float
    upper: float
    direction: np.ndarray


def penetration(shape_a, pose_a, shape_b, pose_b):
    """The depth of two shapes of the library, or `Core`s; a pose is a rotation and a place."""
    cores = [s if isinstance(s, Core) else core_of(s) for s in (shape_a, shape_b)]
    a, b = (placed([core], [pose[0]], [pose[1]]) for core, pose in zip(cores, (pose_a, pose_b), strict=True))
    apart, radii = bracketed(a, b), a.radius[0] + b.radius[0]
    if apart.gap[0] + radii > 0:  # the cores are apart: the balls alone overlap
        direction = (apart.direction / norm(apart.direction))[:, 0]
        upper = max(float(-apart.gap[0]), 0.0)
        lower = float(radii - norm(apart.point_b - apart.point_a)[0])
        return Depth(min(max(lower, 0.0), upper), upper, direction.astype(float))
    if any(np.any(core.semiaxes) for core in cores):
        depth = _grown(a, b, sum(size_of(core) for core in cores))
    else:
        depth = hull_depth(a, b)
    return depth


def hull_depth(a, b):
    """The depth of two polytopes, each perhaps with a ball about it, as one pair of `Cores`."""
    edges, normals = [], []
    for cores in (a, b):
        points = cores.points[..., 0]
        faces = _faces(points.T.astype(float))
        pairs = np.array(sorted({pair for face in faces for pair in combinations(sorted(face), 2)}))
        world = (cores.rotation[..., 0][:, :, None] * points[None]).sum(axis=1)
        edges.append(world[:, pairs[:, 1]] - world[:, pairs[:, 0]])
        first = world[:, faces[:, 0]]
        normals.append(_normal_to(world[:, faces[:, 1]] - first, world[:, faces[:, 2]] - first))
    # A difference without faces, of points or segments, has a normal in some plane of the coordinates.
    others = np.eye(3, dtype=Real)
    normals += [_normal_to(side[:, :, None], others[:, None]).reshape(3, -1) for side in edges]
    crossed = _normal_to(edges[0][:, :, None], edges[1][:, None]).reshape(3, -1)
    return _least(a, b, np.concatenate([*normals, others, crossed], axis=1))


def _faces(points):
    """Triples that hold all faces of a hull; of one that is flat, or small, all triples."""
    n = len(points)
    if n > SMALL:
        try:
            return ConvexHull(points).simplices
        except QhullError:
            pass
    if n < 3:
        return np.array([[0, n - 1, n - 1]])
    return np.array(list(combinations(range(n), 3)))


def _normal_to(x, y):
    """Unit vectors normal to two each; where these are almost parallel, what rounding does is put right."""
    x, y = np.broadcast_arrays(x, y)
    n, upright = cross(x, y), y - over(dot(x, y), dot(x, x)) * x
    n = n * over(Real(1), norm(n))
    for _ in range(2):
        for side in (x, upright):
            n = n - over(dot(n, side), dot(side, side)) * side
    return n * over(Real(1), norm(n))


def _least(a, b, directions):
    """The least overlap along many directions (3, m) and their opposites."""
    directions = directions[:, norm(directions) > 0]
    best = Depth(np.inf, np.inf, np.zeros(3))
    for part in np.array_split(directions, directions.shape[1] // 4096 + 1, axis=1):
        both = np.concatenate([part, -part], axis=1)
        overlaps = -gaps_along(a, b, both)
        i = np.argmin(overlaps)
        if overlaps[i] < best.upper:
            best = Depth(float(overlaps[i]), float(overlaps[i]), both[:, i].astype(float))
    return best


def gaps_along(a, b, directions):
    """Gaps between the shadows of one pair of `Cores` along many directions (3, m)."""
    every = np.zeros(directions.shape[1], int)
    return shadow_gap(a.only(every), b.only(every), directions)


def differences_along(a, b, directions):
    """Points of a - b, without the balls, that are farthest along directions (3, m)."""
    every = np.zeros(directions.shape[1], int)
    many_a, many_b = a.only(every), b.only(every)
    return a.origin - b.origin + support(many_a, directions) - support(many_b, -directions)


def _grown(a, b, size):
    """Fill the difference of two cores that overlap by a polytope, where it is nearest to the origin."""
    radii = float(a.radius[0] + b.radius[0])
    directions = np.array([x for x in np.ndindex(3, 3, 3) if x != (1, 1, 1)]).T - 1.0
    own = np.concatenate([a.rotation[..., 0], b.rotation[..., 0]], axis=1)
    directions = np.concatenate([directions, own, -own], axis=1).astype(Real)
    best = _least(a, b, directions)
    corners = differences_along(a, b, directions).T.astype(float)
    lower = 0.0
    try:
        hull = ConvexHull(corners / size, incremental=True)
        for _ in range(N_ROUNDS):
            nearest = np.argsort(-hull.equations[:, 3])[:N_GROWING]
            lower = -size * hull.equations[nearest[0], 3] + radii
            directions = hull.equations[nearest, :3].T.astype(Real)
            best = min(best, _least(a, b, directions), key=lambda found: found.upper)
            if best.upper - lower <= 1e-13 * size:
                break
            hull.add_points(differences_along(a, b, directions).T.astype(float) / size)
    except QhullError:
        lower = radii  # flat but for rounding
    return best._replace(lower=max(min(lower - FACE_ROUNDING * size, best.upper), 0.0))
