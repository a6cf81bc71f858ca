"""Rays at meshes and convex shapes; the referees are rational numbers for triangles, distances for the rest.

A ray that goes through a triangle meets it at its time; one that misses all triangles clearly meets none; no
ray passes between triangles that share an edge. On a convex shape, the point that is met is on it, and no
point of the ray before is inside.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_cores import Core
from oracles.convex_distance import distances
from pieces import is_round, pieces_of
from shrinking import fewer_and_rounder
from things import grid_in, scale_in, scaled, shape_in, shape_of, size_of

# Barycentric weights beyond this are inside, or outside, for sure.
CLEAR = Fraction(1, 10**9)

N_SAMPLES = 24


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A shape and some rays: along axes, to corners and edges, from anywhere, from inside and the surface."""
    shape, rays = shape_in(rng), []
    corners = np.reshape(shape.get("vertices", shape.get("points", [[0.0, 0.0, 0.0]])), (-1, 3))
    for _ in range(int(rng.integers(1, 6))):
        origin = grid_in(rng, (3,), 3) if rng.random() < 0.5 else rng.uniform(-3, 3, 3)
        kind = rng.integers(4)
        direction = rng.normal(size=3) if kind == 0 else rng.integers(-1, 2, 3).astype(float)
        if kind >= 2 and len(corners):
            p, q = corners[rng.integers(len(corners), size=2)]
            direction = (p if kind == 2 else (p + q) / 2) - origin
        if not np.any(direction):
            direction = np.array([1.0, 0.0, 0.0])
        rays.append([origin.tolist(), (direction * rng.choice([1.0, 1e-3, 1e3])).tolist()])
    return scaled({"shape": shape, "rays": rays}, scale_in(rng))


def check(case: dict[str, Any]) -> str | None:
    """Cast them one by one and all at once."""
    shape = shape_of(case["shape"])
    if not case["rays"]:
        return None
    origins, directions = (np.array(x, float) for x in zip(*case["rays"], strict=True))
    found, every = (
        fc.ray_cast(shape, origins, directions),
        fc.ray_cast(shape, origins, directions, hits="all"),
    )
    some = fc.ray_cast(shape, origins, directions, hits="any")
    line = fc.ray_cast(shape, origins, directions, hits="all", min_time=-np.inf)
    for i, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        one = fc.ray_cast(shape, origin, direction)
        times = every.time[every.offsets[i] : every.offsets[i + 1]]
        if one.time != found.time[i] or some.hit[i] != found.hit[i]:
            return f"alone at {one.time}, in a batch at {found.time[i]}, any {some.hit[i]}"
        if found.time[i] != min(times, default=np.inf) or np.any(np.diff(times) < 0.0):
            return f"the first hit is at {found.time[i]}, all are at {times.tolist()}"
        times_of_line = line.time[line.offsets[i] : line.offsets[i + 1]]
        if not np.isin(times[times > _slack(case, origin, direction, np.inf)], times_of_line).all():
            return f"a ray meets at {times.tolist()}, its line at {times_of_line.tolist()}"
        is_mesh = case["shape"]["kind"] == "mesh"
        fault = (_mesh_fault if is_mesh else _convex_fault)(case, shape, origin, direction, float(one.time))
        if fault:
            return f"{case['shape']['kind']}: {fault}"
    return None


def _mesh_fault(case: dict[str, Any], shape: Any, origin: Any, direction: Any, time: float) -> str | None:
    met, possible = [], []
    for triangle in shape.vertices[shape.faces]:
        at, least = _crossing(origin, direction, triangle)
        if at is not None and least > CLEAR:
            met.append(at)
        if at is not None and least >= -CLEAR:
            possible.append(at)
    slack = _slack(case, origin, direction, time)
    for at in met:
        if at > slack and time > float(at) + slack:
            return f"a triangle is met at {float(at)}, the first hit is at {time}"
    is_near = any(abs(float(at) - time) <= slack for at in possible)
    if time < np.inf and not is_near and not _has_flat(origin, direction, shape):
        return f"a hit at {time}, where no triangle is"
    return None


def _slack(case: dict[str, Any], origin: Any, direction: Any, time: float) -> float:
    """What rounding may do to a time: the way there and the sizes, in units of the direction."""
    length = float(np.linalg.norm(direction))
    way = time * length if time < np.inf else 0.0
    return 1e-7 * (size_of(case["shape"]) + float(np.linalg.norm(origin)) + way) / length


def _crossing(origin: Any, direction: Any, triangle: Any) -> tuple[Fraction | None, Fraction]:
    """When a ray crosses the plane of a triangle, and the least of its weights there; None if never."""
    o, d, a, b, c = ([Fraction(float(x)) for x in point] for point in (origin, direction, *triangle))
    u, v = _minus(b, a), _minus(c, a)
    normal = _cross(u, v)
    along = _dot(normal, d)
    if along == 0:
        return None, Fraction(-1)
    t = _dot(normal, _minus(a, o)) / along
    p = _minus([x + t * y for x, y in zip(o, d, strict=True)], a)
    whole = _dot(normal, normal)
    second, third = _dot(_cross(p, v), normal) / whole, _dot(_cross(u, p), normal) / whole
    return (t if t >= 0 else None), min(second, third, 1 - second - third)


def _has_flat(origin: Any, direction: Any, shape: Any) -> bool:
    """Is there a triangle that the ray all but lies in, or one that is all but a line?"""
    corners = shape.vertices[shape.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.abs(corners - corners[:, :1]).max(axis=(1, 2))
    is_thin = np.linalg.norm(normals, axis=1) < 1e-6 * sizes**2
    slopes = np.abs(normals @ direction) / np.linalg.norm(direction)
    return bool(np.any(is_thin | (slopes < 1e-6 * sizes**2)))


def _convex_fault(case: dict[str, Any], shape: Any, origin: Any, direction: Any, time: float) -> str | None:
    slack = (
        _slack(case, origin, direction, time)
        * np.linalg.norm(direction)
        * (10 if is_round(case["shape"]) else 1)
    )
    reach = np.linalg.norm(origin) + 2 * size_of(case["shape"])
    far = min(time, float(reach / np.linalg.norm(direction)))
    times = far * np.linspace(0, 1, N_SAMPLES)
    if time < np.inf:
        times[-1] = time
    points = origin + times[:, None] * direction
    core, here = pieces_of(case["shape"])[0], [(np.eye(3), np.zeros(3))] * len(points)
    dots = [Core(point[None], np.zeros(3), 0.0) for point in points]
    found = distances([core] * len(points), here, dots, here)
    if time < np.inf and float(found.lower[-1]) > slack:
        return f"the point that is met at {time} is {float(found.lower[-1])} away"
    starts_outside = float(found.lower[0]) > slack
    if starts_outside and np.any(found.upper[:-1] == 0.0) and _is_deep(core, points[:-1], found, slack):
        return (
            f"the first hit is at {time}, and the ray is inside at {times[:-1][found.upper[:-1] == 0.0][0]}"
        )
    return None


def _is_deep(core: Any, points: Any, found: Any, slack: float) -> bool:
    """Is one of the points inside by more than rounding: are its neighbours along all axes too?"""
    for point in points[found.upper[:-1] == 0.0]:
        near = [point + slack * step for step in (*np.eye(3), *-np.eye(3))]
        here = [(np.eye(3), np.zeros(3))] * len(near)
        dots = [Core(p[None], np.zeros(3), 0.0) for p in near]
        if np.all(distances([core] * len(near), here, dots, here).upper == 0.0):
            return True
    return False


def _minus(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
    return [x - y for x, y in zip(p, q, strict=True)]


def _dot(p: list[Fraction], q: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(p, q, strict=True)), Fraction(0))


def _cross(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One ray alone; fewer faces; rounder numbers."""
    if len(case["rays"]) > 1:
        for ray in case["rays"]:
            yield case | {"rays": [ray]}
    yield from (
        variant for variant in fewer_and_rounder(case) if all(np.any(ray[1]) for ray in variant["rays"])
    )
