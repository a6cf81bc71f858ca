"""How far apart are convex shapes? Many pairs at once, with a proof: two bounds of each distance.

Where the shapes are disjoint, the point v of the difference b - a nearest to the origin is looked for in
simplices, all faces of which are tried. Whatever is found, it is a difference of two points of the shapes, so
the distance is at most |v|; and for any direction n at all, the gap between the shadows of the shapes on n is
at least what the distance is. Only these two bounds are claimed: the search may fail to bring them together,
but cannot be wrong. Polytopes for which it fails are solved in exact arithmetic.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from oracles.closest_triangles import Real, cross, dot, norm, over
from oracles.convex_cores import Core, core_of, placed, shadow_gap, size_of, support
from oracles.convex_exact import exact_hull_distance_squared, placed_exactly, root

# Bounds this near to each other, relative to them, are as good as equal.
TIGHT = Real(1e-16)

# Rounding of a bound in units of the shapes' sizes and the offset between them: some 50 operations.
ROUNDING = 64 * np.finfo(Real).eps

# Lengths that differ by this, relative to them, may be the same.
SAME = 16 * np.finfo(Real).eps

MAX_ITERATIONS = 400

# Iterations that bring neither v nor a better direction before a search ends.
PATIENCE = 12

EDGES, FACES = list(combinations(range(4), 2)), list(combinations(range(4), 3))


class Bracket(NamedTuple):
    """Proven bounds (n,) of distances, 0 and 0 where shapes overlap for sure, and of the points that show it.

    direction : (3, n) from a to b, along which the lower bound is seen; not of unit length
    point_a, point_b : (3, n) points of the cores, without the balls, counted from the origin of a
    gap : (n,) that between the shadows on the direction, as `lower` where it is positive
    """

    lower: np.ndarray
    upper: np.ndarray
    direction: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    gap: np.ndarray


class Found(NamedTuple):
    """The state of a search: corners (3, 4, n) of the simplex, on a and of b - a; v; the best direction."""

    on_a: np.ndarray
    corners: np.ndarray
    point_a: np.ndarray
    v: np.ndarray
    direction: np.ndarray
    gap: np.ndarray

    def only(self, chosen):
        return Found(*(x[..., chosen] for x in self))


def distances(shapes_a, poses_a, shapes_b, poses_b):
    """Bounds of the distances of shapes of the library, or `Core`s; a pose is a rotation and a place."""
    cores_a, cores_b = ([s if isinstance(s, Core) else core_of(s) for s in x] for x in (shapes_a, shapes_b))
    a, b = placed(cores_a, *zip(*poses_a, strict=True)), placed(cores_b, *zip(*poses_b, strict=True))
    bracket = bracketed(a, b)
    loose = bracket.upper - bracket.lower > 1e-13 * bracket.upper + 16 * rounding(cores_a, cores_b, a, b)
    lower, upper = bracket.lower.copy(), bracket.upper.copy()
    for i in np.flatnonzero(loose):
        if not (np.any(cores_a[i].semiaxes) or np.any(cores_b[i].semiaxes)):
            lower[i] = upper[i] = _exact(cores_a[i], poses_a[i], cores_b[i], poses_b[i])
    return bracket._replace(lower=lower, upper=upper)


def rounding(cores_a, cores_b, a, b):
    """What rounding may do to the bounds."""
    sizes = np.array([size_of(x) + size_of(y) for x, y in zip(cores_a, cores_b, strict=True)], Real)
    return ROUNDING * (sizes + norm(b.origin - a.origin))


def _exact(core_a, pose_a, core_b, pose_b):
    places = placed_exactly(core_a.points, *pose_a), placed_exactly(core_b.points, *pose_b)
    found = root(exact_hull_distance_squared(*places))
    whole = found.numerator << 80
    distance = Real(whole // found.denominator) / Real(2) ** 80 if found > 1 else _small(found)
    return np.maximum(distance - Real(core_a.radius) - Real(core_b.radius), 0)


def _small(x):
    """A Fraction of at most one in extended precision: scaled up, rounded to whole numbers, scaled down."""
    scale = 0
    while 0 < x < 2**70:
        x, scale = x * 2**64, scale + 64
    high, low = divmod(int(x), 2**53)
    return (Real(high) * Real(2) ** 53 + Real(low)) / Real(2) ** scale


class Goal(NamedTuple):
    """Bounds may differ by a part of what the distance is above `least`, and by that part of `width`."""

    part: float
    least: np.ndarray
    width: np.ndarray


def bracketed(a, b, goal=None, start=None):
    """Bounds of the distances of `Cores`; the search ends where they are as near as the goal has it."""
    offset = b.origin - a.origin
    nothing = np.zeros(offset.shape[1], Real)
    goal = Goal(0.0, nothing, nothing) if goal is None else goal
    found = _started(a, b, offset, start)
    radii = a.radius + b.radius
    running, stalled = np.arange(offset.shape[1]), np.zeros(offset.shape[1], int)
    state, is_open = found, np.ones(offset.shape[1], bool)
    for _ in range(MAX_ITERATIONS):
        if len(running) == 0:
            break
        before, gap = norm(state.v), state.gap
        state = _iterated(a.only(running), b.only(running), offset[:, running], state)
        now = norm(state.v)
        stalled = np.where((now < before) | (state.gap > gap), 0, stalled + 1)
        for whole, part in zip(found, state, strict=True):
            whole[..., running] = part
        above = np.maximum(now - radii[running], 0)
        allowed = goal.part * np.maximum(above - goal.least[running], goal.width[running]) + TIGHT * now
        is_open[running] = (now - state.gap > allowed) & (now > 0)
        goes_on = is_open[running] & (stalled < PATIENCE)
        running, stalled, state = running[goes_on], stalled[goes_on], state.only(goes_on)
    if is_open.any():
        polished = _polished(*(x.only(is_open) for x in (a, b)), offset[:, is_open], found.only(is_open))
        for whole, part in zip(found, polished, strict=True):
            whole[..., is_open] = part
    lower, upper = np.maximum(found.gap - radii, 0), np.maximum(norm(found.v) - radii, 0)
    extent = norm(offset) + norm(support(a, offset)) + norm(support(b, offset)) + radii
    assert np.all(lower - upper <= ROUNDING * extent), "the bounds contradict each other"
    return Bracket(
        np.minimum(lower, upper),  # they may have been rounded past each other
        upper,
        found.direction,
        found.point_a,
        found.point_a + found.v,
        found.gap - radii,
    )


def _started(a, b, offset, start):
    d = offset if start is None else start
    d = np.where(norm(d) > 0, d, np.array([[1], [0], [0]], Real))
    p = support(a, d)
    w = offset + support(b, -d) - p
    corners, on_a = np.repeat(w[:, None], 4, axis=1), np.repeat(p[:, None], 4, axis=1)
    return Found(on_a, corners, p.copy(), w.copy(), d.copy(), over(dot(w, d), norm(d)))


def _iterated(a, b, offset, state):
    """Look back along the simplex's normal; bring in what is there; find the point nearest to the origin."""
    d = _normal(state)
    p = support(a, d)
    w = offset + support(b, -d) - p
    state = _noted(state, d, over(dot(w, d), norm(d)))
    on_a, corners = state.on_a.copy(), state.corners.copy()
    on_a[:, 3], corners[:, 3] = p, w
    weights = _nearest_weights(corners)
    # Corners of no weight make way: the last place stays free for the next one.
    order = np.argsort(weights == 0, axis=0, kind="stable")
    weights = np.take_along_axis(weights, order, axis=0)
    on_a, corners = (np.take_along_axis(x, np.broadcast_to(order, x.shape), axis=1) for x in (on_a, corners))
    is_used = weights != 0
    on_a, corners = (np.where(is_used, x, x[:, :1]) for x in (on_a, corners))
    v = (weights * corners).sum(axis=1)
    is_inside = is_used[3] & (state.gap <= 0)  # of a tetrahedron, and no direction has seen a gap
    v = np.where(is_inside, 0, v)
    better = norm(v) <= norm(state.v) * (1 + SAME)
    return state._replace(
        on_a=on_a,
        corners=corners,
        point_a=np.where(better, (weights * on_a).sum(axis=1), state.point_a),
        v=np.where(better, v, state.v),
    )


def _noted(state, d, gap):
    """Keep the best direction."""
    is_better = (gap > state.gap) & (norm(d) > 0)
    return state._replace(
        direction=np.where(is_better, d, state.direction), gap=np.where(is_better, gap, state.gap)
    )


def _normal(state):
    """Along v, or normal to the simplex: what is the less rounded.

    Close to the origin v is mostly rounding, and of a slender triangle the normal is.
    """
    c, v = state.corners, state.v
    first, second = c[:, 1] - c[:, 0], c[:, 2] - c[:, 0]
    across = cross(first, second)
    extent = norm(c).max(axis=0)
    is_edge = norm(first) > 0
    is_face = norm(across) * extent > norm(first) * norm(second) * norm(v)
    upright = v - over(dot(v, first), dot(first, first)) * first
    upright = upright - over(dot(upright, first), dot(first, first)) * first
    d = np.where(is_edge & (norm(upright) > 0), upright, v)
    d = np.where(is_face, np.where(dot(across, v) < 0, -1, 1) * across, d)
    d = d * over(Real(1), np.abs(d).max(axis=0))
    return np.where(norm(d) > 0, d, v)


def _nearest_weights(corners):
    """Weights (4, n) of the point nearest to the origin: of all faces of the simplex, the nearest foot."""
    n = corners.shape[2]
    candidates = [np.zeros((4, n), Real) for _ in range(4)]
    for i in range(4):
        candidates[i][i] = 1
    candidates += [_edge_foot(corners, edge) for edge in EDGES]
    candidates += [_face_foot(corners, face) for face in FACES]
    weights = np.stack([*candidates, _inside(corners)])
    is_real = (weights >= 0).all(axis=1) & (weights.sum(axis=1) > 0)
    weights = over(weights, weights.sum(axis=1)[:, None])
    v = (weights[None] * corners[:, None]).sum(axis=2)
    lengths = np.where(is_real, dot(v, v), np.inf)
    lengths[14] = np.where(is_real[14], -1, np.inf)
    # Of faces that rounding cannot tell apart, the largest: the way to the foot may be better than its length
    # shows.
    is_nearest = lengths <= lengths.min(axis=0) * (1 + SAME)
    best = len(lengths) - 1 - np.argmax(is_nearest[::-1], axis=0)
    return np.take_along_axis(weights, np.broadcast_to(best, (1, 4, n)), axis=0)[0]


def _edge_foot(c, edge):
    i, j = edge
    side, weights = c[:, j] - c[:, i], np.zeros((4, c.shape[2]), Real)
    weights[j] = over(-dot(c[:, i], side), dot(side, side))
    weights[i] = 1 - weights[j]
    return weights


def _face_foot(c, face):
    weights = np.zeros((4, c.shape[2]), Real)
    i, j, k = face
    normal = cross(c[:, j] - c[:, i], c[:, k] - c[:, i])
    for x, y, z in ((i, j, k), (j, k, i), (k, i, j)):
        # The area of the triangle that the foot makes with the side opposite to x; the nearer end counts.
        nearer = np.where(dot(c[:, y], c[:, y]) < dot(c[:, z], c[:, z]), c[:, y], c[:, z])
        weights[x] = dot(cross(c[:, z] - c[:, y], -nearer), normal)
    return weights


def _inside(c):
    """Weights of the origin, if it is inside of the tetrahedron, and not by rounding."""
    weights, errors = np.zeros((2, 4, c.shape[2]), Real)
    for i, (x, y, z) in enumerate(((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))):
        # The volume that the origin makes with the face opposite to i, seen from its nearest corner.
        errors[i] = np.inf
        for p, q, r in ((x, y, z), (y, z, x), (z, x, y)):
            first, second = c[:, q] - c[:, p], c[:, r] - c[:, p]
            error = 16 * np.finfo(Real).eps * norm(c[:, p]) * norm(first) * norm(second)
            is_better = error < errors[i]
            weights[i] = np.where(is_better, dot(c[:, p], cross(first, second)), weights[i])
            errors[i] = np.where(is_better, error, errors[i])
    weights = np.where(weights.sum(axis=0) < 0, -weights, weights)
    return np.where((weights > errors).all(axis=0), weights, -1)


def _polished(a, b, offset, found):
    """Try all normals of the last simplex, both ways, as directions."""
    c = found.corners
    tried = [found.v]
    for i, j, k in FACES:
        normal = cross(c[:, j] - c[:, i], c[:, k] - c[:, i])
        tried += [normal, -normal]
    for i, j in EDGES:
        side = c[:, j] - c[:, i]
        tried.append(found.v - over(dot(found.v, side), dot(side, side)) * side)
    radii = a.radius + b.radius
    for normal in tried:
        d = normal * over(Real(1), np.abs(normal).max(axis=0))
        found = _noted(found, d, np.where(norm(d) > 0, shadow_gap(a, b, d, offset) + radii, -np.inf))
    return found
