"""What the answers of the convex benchmark are held against: brackets that are proven by planes and points.

- Distance: any two points of the shapes bound it from above, any plane between them from below. Where to look
  is taken from coal at a tight tolerance; the bounds themselves are worked out here.
- Penetration: a polytope grown inside of the difference of the two shapes, by Qhull. Its closest face bounds
  the depth from below, the shapes' reach along that face's normal from above.
- First contact: steps of the least time in which the distance can vanish, then a proven overlap after them.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from convex.cases import BOX, CAPSULE, CYLINDER, ELLIPSOID, SPHERE, Case, Solid, radius, reach
from deformable.surfaces import Points
from rigid.motions import poses_at, velocities

_GJK_TOLERANCES = (1e-13, 1e-10, 1e-8, 1e-6)  # asked of coal, one after the other
_NARROW = 1e-9  # width at which the bracket of a distance is narrow enough, for shapes of a size of 1
_DEEP_ENOUGH = 1e-8  # width at which the bracket of a depth is narrow enough, likewise
_FACES_A_ROUND = 12  # closest faces of the inner polytope that are pushed outwards at once
_N_ROUNDS = 60
_TOUCHING = 1e-8  # distance that counts as contact when times are bracketed
_N_STEPS = 2_000


class Bracket(NamedTuple):
    """The truth lies between the two, (n,) each; infinite times: no contact."""

    low: Points
    high: Points


def off_by(bracket: Bracket, answers: Points) -> Points:
    """How far answers lie outside of their brackets, (n,); infinite: a contact missed, or seen in vain."""
    low, high = bracket
    is_free = np.isinf(low)
    with np.errstate(invalid="ignore"):
        outside = np.maximum(np.maximum(low - answers, answers - high), 0.0)
    outside[is_free] = np.where(np.isinf(answers[is_free]), 0.0, np.inf)
    outside[np.isnan(answers)] = np.inf
    return outside


class _Coal(NamedTuple):
    """coal's functor of a pair, and requests of several tolerances: the tightest fails on some cylinders."""

    case: Case
    call: Any
    requests: list[Any]
    alive: Any

    def bracket(self, pose: Points) -> tuple[float, float]:
        """Bounds on the distance, the first two that are close to each other; both negative in overlap."""
        low, high = -np.inf, np.inf
        for request in self.requests:
            bounds = self._bounds(pose, request)
            low, high = max(low, bounds[0]), min(high, bounds[1])
            if low > 0.0 and high - low < _NARROW:
                break
        return low, high

    def _bounds(self, pose: Points, request: Any) -> tuple[float, float]:
        import coal

        (a, b), turn, place = self.case[:2], pose[:3, :3], pose[:3, 3]
        found = coal.DistanceResult()
        gap = self.call(coal.Transform3s(turn.copy(), place.copy()), coal.Transform3s(), request, found)
        if gap <= 0.0:
            return gap, np.inf
        on_a, on_b = np.array(found.getNearestPoint1()), np.array(found.getNearestPoint2())
        span = float(np.linalg.norm(on_a - on_b))
        normal = (on_a - on_b)[None] / span
        low = float(normal[0] @ place - reach(b, normal)[0] - reach(a, -normal @ turn)[0])
        outside = _outside(a, ((on_a - place) @ turn)[None]) + _outside(b, on_b[None])
        return low, span + float(outside[0])


def _coal(case: Case) -> _Coal:
    import coal

    from convex.peers import coal_shape

    alive, requests = (coal_shape(case.a), coal_shape(case.b)), []
    for tolerance in _GJK_TOLERANCES:
        request = coal.DistanceRequest()
        request.gjk_tolerance, request.gjk_max_iterations = tolerance, 1000
        requests.append(request)
    return _Coal(case, coal.ComputeDistance(*alive), requests, alive)


def distances(case: Case, n: int) -> Bracket:
    """Brackets of the distances of the first poses that are apart."""
    near = _coal(case)
    found = np.array([near.bracket(pose) for pose in case.apart[:n]])
    return Bracket(found[:, 0], found[:, 1])


@cache
def _planes(points: bytes) -> Points:
    """Of the faces of a hull; found once a hull."""
    return ConvexHull(np.frombuffer(points).reshape(-1, 3)).equations


def _outside(solid: Solid, points: Points) -> Points:
    """A bound on how far points (n, 3) are from a solid, by a shrink towards its origin; 0 inside."""
    x, y, z = np.abs(points).T
    size = solid.sizes
    if len(solid.points):
        planes = _planes(solid.points.tobytes())
        scale = (points @ (planes[:, :3] / -planes[:, 3:]).T).max(axis=-1)
    elif solid.kind == BOX:
        scale = np.max(np.abs(points) / size, axis=-1)
    elif solid.kind == CYLINDER:
        scale = np.maximum(np.hypot(x, y) / size[0], 2.0 * z / size[1])
    elif solid.kind == CAPSULE:
        return np.maximum(np.sqrt(x * x + y * y + np.maximum(z - 0.5 * size[1], 0.0) ** 2) - size[0], 0.0)
    else:
        scale = np.linalg.norm(points / (size if solid.kind == ELLIPSOID else size[0]), axis=-1)
    return np.maximum(scale - 1.0, 0.0) * np.linalg.norm(points, axis=-1)


def depths(case: Case, n: int) -> Bracket:
    """Brackets of the depths of the first poses that overlap."""
    found = np.array([_depth(case, pose) for pose in case.overlapping[:n]])
    return Bracket(found[:, 0], found[:, 1])


def _depth(case: Case, pose: Points) -> tuple[float, float]:
    """The least shift of A that ends an overlap: the distance from 0 to the boundary of all b - a."""
    points, low, high = _difference(case, pose, _first_directions()), 0.0, np.inf
    for _ in range(_N_ROUNDS):
        planes = ConvexHull(points).equations
        closest = planes[np.argsort(-planes[:, 3])[:_FACES_A_ROUND]]
        low = max(0.0, -float(planes[:, 3].max()))
        added = _difference(case, pose, closest[:, :3])
        high = min(high, float((added * closest[:, :3]).sum(axis=-1).min()))
        if high - low < _DEEP_ENOUGH:
            break
        points = np.concatenate([points, added])
    return low, high


def _overlaps(case: Case, pose: Points) -> bool:
    """Is 0 inside of a polytope within all b - a? No where that is not found out."""
    points = _difference(case, pose, _first_directions())
    for _ in range(_N_ROUNDS):
        planes = ConvexHull(points).equations
        outside = planes[np.argsort(-planes[:, 3])[:_FACES_A_ROUND]]
        if outside[0, 3] < 0.0:
            return True
        added = _difference(case, pose, outside[:, :3])
        if (added * outside[:, :3]).sum(axis=-1).min() <= 0.0:
            return False
        points = np.concatenate([points, added])
    return False


@cache
def _first_directions() -> Points:
    drawn = np.random.default_rng(0).normal(size=(60, 3))
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


def _difference(case: Case, pose: Points, directions: Points) -> Points:
    """Farthest points (n, 3) of all b - a along directions."""
    turn, place = pose[:3, :3], pose[:3, 3]
    return _farthest(case.b, directions) - (_farthest(case.a, -directions @ turn) @ turn.T + place)


def _farthest(solid: Solid, directions: Points) -> Points:
    if len(solid.points):
        return solid.points[(directions @ solid.points.T).argmax(axis=-1)]
    size, signs = solid.sizes, np.where(directions < 0.0, -1.0, 1.0)
    unit = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    if solid.kind == BOX:
        return signs * size
    if solid.kind == SPHERE:
        return unit * size[0]
    if solid.kind == ELLIPSOID:
        return unit * np.square(size) / np.linalg.norm(unit * size, axis=-1, keepdims=True)
    end = signs * (0.0, 0.0, 0.5 * size[1])
    if solid.kind == CAPSULE:
        return end + unit * size[0]
    flat = directions * (1.0, 1.0, 0.0)
    length = np.linalg.norm(flat, axis=-1, keepdims=True)
    return end + size[0] * flat / np.where(length > 0.0, length, 1.0)


def times(case: Case, ends: Points, n: int) -> Bracket:
    """Brackets of the times of first contact of the first motions."""
    near, speeds = _coal(case), _speeds(case, ends)
    found = np.array([_time(near, case.starts[i], ends[i], speeds[i]) for i in range(min(n, len(ends)))])
    return Bracket(found[:, 0], found[:, 1])


def _speeds(case: Case, ends: Points) -> Points:
    """A bound on the speed of A's points."""
    linear, _, angle = velocities(case.starts, ends, np.zeros(3))
    return np.linalg.norm(linear, axis=-1) + radius(case.a) * np.abs(angle)


def _time(near: _Coal, start: Points, end: Points, speed: float) -> tuple[float, float]:
    def at(time: float) -> Points:
        return poses_at(start[None], end[None], np.zeros(3), np.array([time]))[0]

    low = 0.0
    for _ in range(_N_STEPS):
        away = near.bracket(at(low))[0]
        if away <= _TOUCHING:
            break
        low += away / speed
        if low > 1.0:
            return np.inf, np.inf
    high, step = min(low + _TOUCHING, 1.0), _TOUCHING
    while high < 1.0 and not _overlaps(near.case, at(high)):
        high, step = min(low + 4.0 * step, 1.0), 4.0 * step
    return low, high
