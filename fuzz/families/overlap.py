"""`distance` and `intersects` of two shapes of any kind, in one pose each and in batches.

The referees: the distances of all pairs of triangles and cores in extended precision, in exact arithmetic
where that leaves it open; winding numbers tell what is inside. `distance` is 0 wherever `intersects`, with
the same `solid`, is True, and nowhere else; swapped and in a batch, the answers are the same.
"""

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_distance import distances
from pieces import extent_of, is_round, pairs_of, pieces_of, vertices_at
from shrinking import fewer_and_rounder
from things import is_empty, pose_in, pose_of, scale_in, scaled, shape_in, shape_of

HAS_SOLID = "solid" in inspect.signature(fc.distance).parameters


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, a few poses of one and one of the other; at times one is inside the other, or equal."""
    a, b, scale = shape_in(rng), shape_in(rng), scale_in(rng)
    if rng.random() < 0.1:
        b = a
    if rng.random() < 0.2:
        a = scaled(a, float(rng.choice([0.1, 0.01, 10.0])))
    reach = float(rng.choice([1.0, 2.0, 4.0]))
    poses = [pose_in(rng, reach) for _ in range(int(rng.integers(1, 4)))]
    case = {"a": a, "b": b, "poses": poses, "pose_b": pose_in(rng, 1.0)}
    if rng.random() < 0.1:  # far from the origin, together
        away = rng.choice([1e3, 1e6]) * rng.integers(-1, 2, 3)
        for pose in (*poses, case["pose_b"]):
            pose["place"] = (np.array(pose["place"]) + away).tolist()
    return scaled(case, scale)


def check(case: dict[str, Any]) -> str | None:
    """Ask all ways, and compare."""
    a, b = shape_of(case["a"]), shape_of(case["b"])
    poses, other = [pose_of(pose) for pose in case["poses"]], pose_of(case["pose_b"])
    if not poses:
        return None
    batch = tuple(np.array(part) for part in zip(*poses, strict=True))
    many, met = fc.distance(a.at(batch), b.at(other)), fc.intersects(a.at(batch), b.at(other))
    for i, pose in enumerate(poses):
        x, y = a.at(pose), b.at(other)
        one, touches = fc.distance(x, y), fc.intersects(x, y)
        if one.distance != many.distance[i] or touches != met[i]:
            return f"alone {one.distance}, {touches}; in a batch {many.distance[i]}, {met[i]}"
        fault = _surface_fault(case, i, (x, y), one, touches) or _solid_fault(case, i, (x, y), one)
        if fault:
            return fault
    return None


def _surface_fault(
    case: dict[str, Any], i: int, pair: tuple[Any, Any], one: Any, touches: bool
) -> str | None:
    kinds = "-".join(sorted({case["a"]["kind"], case["b"]["kind"]}))
    if is_empty(case["a"]) or is_empty(case["b"]):
        is_right = one.distance == np.inf and not touches
        return None if is_right else f"a mesh without faces is at {one.distance}, intersects {touches}"
    if touches != (one.distance == 0.0):
        return f"{kinds}: intersects is {touches}, and the distance is {one.distance}"
    slack = _slack(case, i)
    back = fc.distance(*pair[::-1]).distance
    if abs(back - one.distance) > slack:
        return f"{kinds}: the distance is {one.distance}, and {back} with a and b swapped"
    lower, upper = _truth(case, i)
    if not lower - slack <= one.distance <= upper + slack:
        return f"{kinds}: the distance is {one.distance}, and not {lower} to {upper}"
    if upper == 0.0 and not touches:
        return f"{kinds}: intersects is False where they overlap"
    if lower > slack and touches:
        return f"{kinds}: intersects is True at a distance of {lower}"
    between = float(np.linalg.norm(one.points_a - one.points_b))
    if abs(between - one.distance) > slack:
        return f"{kinds}: the closest points are {between} apart, and the distance is {one.distance}"
    return None


def _slack(case: dict[str, Any], i: int) -> float:
    places = [case["poses"][i]["place"], case["pose_b"]["place"]]
    part = 2e-8 if is_round(case["a"]) or is_round(case["b"]) else 1e-9
    return part * extent_of(case["a"], case["b"], places)


def _truth(case: dict[str, Any], i: int) -> tuple[float, float]:
    """Bounds of the distance."""
    a, b = pairs_of(pieces_of(case["a"]), pieces_of(case["b"]))
    poses = [pose_of(case["poses"][i])] * len(a), [pose_of(case["pose_b"])] * len(a)
    found = distances(a, poses[0], b, poses[1])
    return float(found.lower.min()), float(found.upper.min())


def _solid_fault(case: dict[str, Any], i: int, pair: tuple[Any, Any], one: Any) -> str | None:
    """What is inside a closed mesh touches it, if the inside counts."""
    if not all(_is_solid(case[name]) for name in "ab") or one.distance <= _slack(case, i):
        return None
    inside, outside = _is_inside(case, i)
    touches = fc.intersects(*pair, solid=True)
    if (inside and not touches) or (outside and touches):
        return (
            f"intersects with solid=True is {touches} where one is {'in' if inside else 'out'}side the other"
        )
    if HAS_SOLID and (fc.distance(*pair, solid=True).distance == 0.0) != touches:
        return f"with solid=True intersects is {touches}, and the distance is not the like"
    return None


def _is_solid(data: dict[str, Any]) -> bool:
    """Is it convex, or a mesh all of whose edges have one face on each side?"""
    if data["kind"] != "mesh":
        return True
    sides = [(face[i], face[(i + 1) % 3]) for face in data["faces"] for i in range(3)]
    ways = set(sides)
    return len(ways) == len(sides) > 0 and all(p != q and (q, p) in ways for p, q in ways)


def _is_inside(case: dict[str, Any], i: int) -> tuple[bool, bool]:
    """Whether a part of one is inside the other for sure, and whether all of it is outside."""
    sides = [(case["a"], case["poses"][i]), (case["b"], case["pose_b"])]
    turns = [0.0]
    for (mesh, pose), (other, at) in (sides, sides[::-1]):
        if mesh["kind"] == "mesh":
            turns += [_winding(vertices_at(mesh, pose), point) for point in _inner(other, at)]
    return max(turns) > 0.9, max(turns) < 0.1


def _inner(data: dict[str, Any], pose: dict[str, Any]) -> Any:
    """Points of each part of a shape, at a pose."""
    if data["kind"] in ("mesh", "points", "strands"):
        return vertices_at(data, pose).reshape(-1, 3)
    return [_middle(data, pose)]


def _middle(data: dict[str, Any], pose: dict[str, Any]) -> Any:
    if data["kind"] == "rounded":
        return _middle(data["within"], pose)
    rotation, place = pose_of(pose)
    return place + (rotation @ np.mean(data["points"], axis=0) if data["kind"] == "hull" else 0.0)


def _winding(triangles: Any, point: Any) -> float:
    """How often, without its sign, a closed mesh winds around a point: by solid angles."""
    x, y, z = (triangles[:, k] - point for k in range(3))
    a, b, c = (np.sqrt((v * v).sum(axis=1)) for v in (x, y, z))
    flat = a * b * c + (x * y).sum(axis=1) * c + (y * z).sum(axis=1) * a + (z * x).sum(axis=1) * b
    return abs(float(np.arctan2((x * np.cross(y, z)).sum(axis=1), flat).sum())) / (2 * np.pi)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer poses, straight ones, fewer faces, rounder numbers."""
    straight = {"rotation": np.eye(3).tolist()}
    for i, pose in enumerate(case["poses"]):
        if len(case["poses"]) > 1:
            yield case | {"poses": [pose]}
        yield case | {"poses": [*case["poses"][:i], pose | straight, *case["poses"][i + 1 :]]}
    yield case | {"pose_b": case["pose_b"] | straight}
    yield case | {"pose_b": {"place": [0.0, 0.0, 0.0]} | straight}
    yield from fewer_and_rounder(case)
