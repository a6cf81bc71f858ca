"""Polygons and polylines: sides, distances, rays, edges that meet, contacts of what moves on lines or turns.

The referees: rational arithmetic by brute force (`tests/oracles/plane.py`) for sides, distances of points,
rays and edges that meet, also at many times of a deformation; dense samples of all distances for what turns.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.plane import exactly, meet, ray_hits, side, squared_distance
from shrinking import fewer_and_rounder
from things import scale_in

# What rounding may do to distances, in units of all numbers.
ROUNDING = 1e-12
N_TIMES = 17


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two curves, which may be closed, and how one of them goes; half of all on a grid."""
    is_grid, scale = bool(rng.random() < 0.5), float(scale_in(rng))
    a, b = (_points(rng, is_grid) for _ in range(2))
    way = rng.integers(-3, 4, a.shape) if is_grid else rng.normal(size=a.shape)
    return {
        "a": (scale * a).tolist(),
        "b": (scale * b).tolist(),
        "after": (scale * (a + way * (rng.random() < 0.8))).tolist(),
        "closed": rng.integers(0, 2, 2).astype(bool).tolist(),
        "turn": float(rng.uniform(-4, 4)) * bool(rng.random() < 0.7),
        "velocity": (scale * 4 * rng.normal(size=2)).tolist(),
    }


def _points(rng: np.random.Generator, is_grid: bool) -> np.ndarray:
    n = int(rng.integers(1, 7))
    return rng.integers(-3, 4, (n, 2)) / 2.0 if is_grid else rng.uniform(-2, 2, (n, 2))


def check(case: dict[str, Any]) -> str | None:
    """Ask for all, and compare."""
    a, b = (_shape(case[name], closed) for name, closed in zip("ab", case["closed"], strict=True))
    fault = _at_an_instant(a, b) or _points_of(a, b) or _rays_at(a, b)
    return fault or _deforming(a, b, case) or _turning(a, b, case)


def _shape(points: list[list[float]], closed: bool) -> Any:
    """A polygon where these points make one, else a curve."""
    try:
        return fc.Polygon(points) if closed else fc.Polyline(points)
    except ValueError:
        return fc.Polyline(points, closed=closed)


def _edges(shape: Any, points: np.ndarray) -> list[Any]:
    exact = exactly(points)
    return [(exact[i], exact[j]) for i, j in shape.edges.tolist()]


def _size(*arrays: Any) -> float:
    return max(float(np.abs(array).max()) for array in map(np.asarray, arrays)) + 1e-300


def _at_an_instant(a: Any, b: Any) -> str | None:
    own, other = _edges(a, a.vertices), _edges(b, b.vertices)
    truth = [(i, j) for i, p in enumerate(own) for j, q in enumerate(other) if meet(*p, *q)]
    found = fc.intersections(a, b)
    if list(zip(found.faces_a.tolist(), found.faces_b.tolist(), strict=True)) != truth:
        return "other edges meet than in rational numbers"
    squares = [squared_distance(x, *q) for p in own for x in p for q in other]
    squares += [squared_distance(x, *p) for q in other for x in q for p in own]
    least = 0.0 if truth or _is_in(a, b) or _is_in(b, a) else float(min(squares)) ** 0.5
    told = fc.distance(a, b)
    if abs(told.distance - least) > ROUNDING * _size(a.vertices, b.vertices):
        return f"the distance is {told.distance}, and in rational numbers {least}"
    if bool(fc.intersects(a, b)) != (told.distance == 0.0) or (least == 0.0 and told.distance > 0.0):
        return "a common point is told of by one query and not by the other"
    return _near_each_other(a, b, told.distance)


def _near_each_other(a: Any, b: Any, apart: float) -> str | None:
    size = _size(a.vertices, b.vertices)
    found = fc.near(a, b, within=4.0 * size)
    own = max(float(found.distance[0]), 0.0) if len(found) == 1 else np.inf
    if abs(own - apart) > ROUNDING * size or (own == 0.0) != (apart == 0.0):
        return "near things are at another distance"
    depth, way = max(-float(found.distance[0]), 0.0), found.normals[0]
    if abs(float(np.hypot(*way)) - 1.0) > ROUNDING:  # also of what is no number
        return None if np.isnan(way).all() else "the way out is no unit vector"
    gap = float((found.points_b[0] - found.points_a[0]) @ way)
    if abs(gap - found.distance[0]) > 1e-8 * size:
        return "near points are not at the distance along the normal"
    if depth > 0.0 and fc.intersects(a, b.at((0.0, (depth + 1e-7 * size) * way))):
        return "the way out leads not out"
    return None


def _is_in(a: Any, b: Any) -> bool:
    """Is a point of a polygon's edges in another?"""
    if not isinstance(b, fc.Polygon):
        return False
    return any(side(p, [exactly(ring) for ring in b.rings]) >= 0 for p in exactly(a.vertices))


def _points_of(a: Any, b: Any) -> str | None:
    if not isinstance(a, fc.Polygon):
        return None
    points = np.concatenate([b.vertices, a.vertices, a.vertices[a.edges].mean(axis=1)])
    inside, rings = fc.contains(a, points), [exactly(ring) for ring in a.rings]
    for p, told in zip(exactly(points), inside.tolist(), strict=True):
        if side(p, rings) not in (0, 1 if told else -1):
            return "a point is on the other side"
    return None


def _rays_at(a: Any, b: Any) -> str | None:
    """Rays at a from every point of b, to points, through middles of edges, and along axes."""
    ends = a.vertices[a.edges]
    targets = np.concatenate([a.vertices, ends.mean(axis=1)])
    origins = np.repeat(b.vertices, len(targets) + 2, axis=0)
    ways = [np.concatenate([targets - p, [[1.0, 0.0], [0.0, -1.0]]]) for p in b.vertices]
    ways = np.concatenate(ways)
    is_ray = ways.any(axis=1)
    origins, ways = origins[is_ray], ways[is_ray]
    found, first = fc.ray_cast(a, origins, ways, hits="all"), fc.ray_cast(a, origins, ways)
    edges = _edges(a, a.vertices)
    for i, (o, d) in enumerate(zip(exactly(origins), exactly(ways), strict=True)):
        own = slice(*found.offsets[i : i + 2])
        told = dict(zip(found.faces[own].tolist(), found.time[own].tolist(), strict=True))
        truth = {k: t for t, k in ray_hits(o, d, edges)}
        if told.keys() != truth.keys():
            return "a ray meets other edges than in rational numbers"
        if any(abs(told[k] - float(t)) > ROUNDING * float(t) for k, t in truth.items()):
            return "the time of a ray is off"
        if first.time[i] != min(told.values(), default=np.inf):
            return "the first hit of a ray is not the first of all"
    return None


def _deforming(a: Any, b: Any, case: dict[str, Any]) -> str | None:
    after = np.array(case["after"])[: a.n_vertices]  # of a polygon, whose first point may be repeated
    thing = a.deforming(a.vertices, after)
    first, rows = fc.first_contact(thing, b), fc.contacts(thing, b)
    times = dict(zip(zip(rows.ids_a.tolist(), rows.ids_b.tolist(), strict=True), rows.time, strict=True))
    other = _edges(b, b.vertices)
    for k in range(N_TIMES):
        t = k / (N_TIMES - 1)  # a multiple of 2**-4: places are exact but for the last digits
        points = [
            tuple(x + (y - x) * k / (N_TIMES - 1) for x, y in zip(p, q, strict=True))
            for p, q in zip(exactly(a.vertices), exactly(after), strict=True)
        ]
        for i, (u, v) in enumerate(a.edges.tolist()):
            for j, q in enumerate(other):
                if not meet(points[u], points[v], *q):
                    continue
                if (i, j) not in times:
                    return "edges that meet on the way are not listed"
                if times[i, j] > t or first.time > t:
                    return "a contact is told too late"
    if len(rows) and not np.allclose(np.linalg.norm(rows.normals, axis=1), 1):
        return "a normal is no unit vector"
    return None


def _turning(a: Any, b: Any, case: dict[str, Any]) -> str | None:
    thing = a.moving(np.eye(3), velocity=case["velocity"], angular_velocity=case["turn"])
    found, size = fc.first_contact(thing, b), _size(a.vertices, b.vertices, case["velocity"])
    for t in np.linspace(0, 1, N_TIMES):
        gap = fc.distance(a.at(thing.pose(t)), b).distance  # which is looked at above
        if t < found.time and gap == 0.0 and not _only_touches(a, thing.vertices(t), b, size):
            return "the first contact of what turns is told too late"
    if found.time_upper <= 1.0 and _only_touches(a, thing.vertices(found.time_upper), b, size):
        return "a contact is said to be proven by a time at which there is none"
    scene, tolerance = fc.Scene(a=thing, b=b), 1e-6 * size
    if scene.safe_step(tolerance=tolerance) != fc.safe_step(thing, b, tolerance=tolerance):
        return "a scene of two has another first contact"
    if not found.time <= found.time_upper:
        return "a contact is said to be proven before it is"
    return None


def _only_touches(a: Any, points: np.ndarray, b: Any, size: float) -> bool:
    """Is it apart but for what rounding may do?"""
    if _is_in(a.placed(points), b) or _is_in(b, a.placed(points)):
        return False
    own, other = _edges(a, points), _edges(b, b.vertices)
    return not any(meet(*p, *q) for p in own for q in other) or size == 0.0


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Rounder numbers."""
    yield from fewer_and_rounder(case)
