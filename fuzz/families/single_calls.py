"""A question about single things gets the very bits of the same question about a batch of one.

Single things are answered in short, by compiled code of their own, and batches are not: each is the other's
referee, for distances, contacts, of solids too, penetrations, first contacts, safe steps, free ways, rays and
points. First contacts of meshes, which list all that touches, are held against the search that is asked at
length; so are those with a field. A tracker, pose after pose, agrees to rounding. What is refused is refused
in the same words.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.advancement.ask import Ask
from firstcontact.queries.look_up import answer_at_length
from shrinking import fewer_and_rounder
from things import pose_in, pose_of, scale_in, scaled, shape_in, shape_of, size_of


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes of any size, two poses of each, and a ray."""
    factor = scale_in(rng)
    return {
        "shapes": [scaled(shape_in(rng), factor), scaled(shape_in(rng), factor)],
        "poses": [scaled(pose_in(rng), factor) for _ in range(4)],
        "ray": rng.integers(-2, 3, 3).tolist() + rng.normal(size=3).tolist(),
        "factor": factor,
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask about single things, and about batches of one."""
    a, b = (shape_of(data) for data in case["shapes"])
    poses = [_matrix(pose) for pose in case["poses"]]
    alone = a.at(poses[0]), b.at(poses[1])
    batch = a.at(poses[0][np.newaxis]), b.at(poses[1])
    found, many = fc.distance(*alone), fc.distance(*batch)
    for name in ("distance", "points_a", "points_b", "faces"):
        if not _is_same(getattr(found, name), getattr(many, name)[0]):
            return f"{name} of {found!r} is {getattr(found, name)}, of a batch {getattr(many, name)[0]}"
    if fc.intersects(*alone) != fc.intersects(*batch)[0]:
        return f"intersects is {fc.intersects(*alone)}, of a batch {fc.intersects(*batch)[0]}"
    fault = _tracker_fault(case, a, b, poses) or _first_fault(case, a, b, poses)
    fault = fault or _ray_fault(case, a, poses[0]) or _point_fault(case, a, poses[0])
    fault = fault or _solid_fault(alone, batch) or _field_fault(case, a, b, poses)
    if fault or isinstance(a, fc.Mesh) or isinstance(b, fc.Mesh):
        return fault
    return _convex_fault(a, b, poses, batch)


def _tracker_fault(case: dict[str, Any], a: Any, b: Any, poses: list[Any]) -> str | None:
    """Ask a tracker about poses that lie far apart, near, and where it was before."""
    tracker = fc.Tracker(a, b)
    near = poses[0].copy()
    near[:3, 3] += 1e-3 * case["factor"]
    places = sum(float(np.abs(pose[:3, 3]).sum()) for pose in poses)
    slack = 1e-12 * (sum(map(size_of, case["shapes"])) + places)
    for here in (poses[0], near, poses[2], poses[3], poses[0]):
        found, truth = tracker.distance(here, poses[1]), fc.distance(a.at(here), b.at(poses[1]))
        if found.distance != truth.distance and not abs(found.distance - truth.distance) <= slack:
            return f"a tracker says {found.distance}, a distance {truth.distance}"
        touches = tracker.intersects(here, poses[1])
        if touches != fc.intersects(a.at(here), b.at(poses[1])) and not truth.distance <= slack:
            return f"a tracker says {touches} at a distance of {truth.distance}"
        if touches is False and truth.distance == 0.0 and not found.distance <= slack:
            return f"a tracker misses a contact, and says {found.distance}"
    return None


def _first_fault(case: dict[str, Any], a: Any, b: Any, poses: list[Any]) -> str | None:
    """Ask for first contacts with and without options, of one piece and of two."""
    ways = a.moving(poses[0], poses[2]), a.along(np.stack([poses[0], poses[2], poses[3]]))
    other = b.moving(poses[1], poses[3])
    for way in ways:
        for options in ({}, {"min_separation": 0.1 * case["factor"], "tolerance": 1e-3 * case["factor"]}):
            found = fc.first_contact(way, other, **options)
            long = answer_at_length("first_contact", way, other, Ask.checked(**options))
            for name in ("status", "time", "time_upper", "points", "normals", "features", "is_truncated"):
                if not _is_same(getattr(found, name), getattr(long, name)):
                    return f"{name} of {found!r} is not {getattr(long, name)}, as at length"
            if fc.safe_step(way, other, **options) != min(long.time, 1.0):
                return f"a safe step is {fc.safe_step(way, other, **options)}, the contact at {long.time}"
            if fc.is_free(way, other, **options) != (not long):
                return f"a way is free: {fc.is_free(way, other, **options)}, the contact {long!r}"
    return None


def _point_fault(case: dict[str, Any], shape: Any, pose: Any) -> str | None:
    """Measure points alone, and in two batches of poses."""
    points = case["factor"] * np.array([case["ray"][:3], case["ray"][3:]], float)
    found = fc.signed_distance(shape.at(pose), points)
    many = fc.signed_distance(shape.at(pose[np.newaxis]), points)
    for name in ("distance", "points", "faces", "normals"):
        if not _is_same(getattr(found, name), getattr(many, name)[0]):
            return f"{name} of points is {getattr(found, name)}, of a batch {getattr(many, name)[0]}"
    inside = fc.contains(shape.at(pose), points)
    for k, point in enumerate(points):
        one = fc.signed_distance(shape.at(pose), point.copy())
        for name in ("distance", "points", "faces", "normals"):
            if not _is_same(getattr(one, name), getattr(found, name)[k]):
                return f"{name} of one point is {getattr(one, name)}, of many {getattr(found, name)[k]}"
        if fc.contains(shape.at(pose), point.copy()) != inside[k]:
            return f"contains is {not inside[k]} of one point, and not of many"
    return None


def _solid_fault(alone: tuple[Any, Any], batch: tuple[Any, Any]) -> str | None:
    """Ask about solids; what is open is refused, and what has no faces is nowhere."""
    for ask in (fc.distance, fc.intersects):
        found = [_told(ask, things) for things in (alone, batch)]
        if isinstance(found[0], str) or isinstance(found[1], str):
            if found[0] != found[1]:
                return f"of solids one says {found[0]!r}, a batch {found[1]!r}"
            continue
        names = ("distance", "points_a", "points_b", "faces") if ask is fc.distance else ("real",)
        for name in names:
            one, many = (getattr(answer, name) for answer in found)
            if not _is_same(one, many[0]):
                return f"{name} of solids is {one}, of a batch {many[0]}"
    return None


def _told(ask: Any, things: tuple[Any, Any]) -> Any:
    try:
        return ask(*things, solid=True)
    except ValueError as fault:
        return str(fault)


def _field_fault(case: dict[str, Any], a: Any, b: Any, poses: list[Any]) -> str | None:
    """Let a field stand for the second shape, where that is convex; one in eight is."""
    if isinstance(a, fc.Mesh) or isinstance(b, fc.Mesh) or case["ray"][0] != 2:
        return None
    size = float(np.ptp(b.bounds, axis=0).max())
    field, point = fc.DistanceField.of(b, 0.02 * size, max_cells=200_000), np.array(case["ray"][3:])
    point = case["factor"] * point
    if not _is_same(field(point), field(point[np.newaxis])[0]):
        return f"a field is {field(point)} at one point, {field(point[np.newaxis])[0]} at one of many"
    if not _is_same(field.gradient(point), field.gradient(point[np.newaxis])[0]):
        return "the gradient of a field at one point is not that at one of many"
    found, many = fc.distance(a.at(poses[0]), field), fc.distance(a.at(poses[0][np.newaxis]), field)
    for name in ("distance", "points_a", "points_b", "faces"):
        if not _is_same(getattr(found, name), getattr(many, name)[0]):
            return f"{name} of a field is {getattr(found, name)}, of a batch {getattr(many, name)[0]}"
    way = a.moving(poses[0], poses[2])
    first, long = fc.first_contact(way, field), answer_at_length("first_contact", way, field, Ask.checked())
    for name in ("status", "time", "time_upper", "points", "normals", "features"):
        if not _is_same(getattr(first, name), getattr(long, name)):
            return f"{name} of {first!r} with a field is not {getattr(long, name)}, as at length"
    return None


def _convex_fault(a: Any, b: Any, poses: list[Any], batch: tuple[Any, Any]) -> str | None:
    deep, deeps = fc.penetration(a.at(poses[0]), b.at(poses[1])), fc.penetration(*batch)
    for name in ("depth", "direction", "points_a", "points_b", "is_overlapping"):
        if not _is_same(getattr(deep, name), getattr(deeps, name)[0]):
            return f"{name} of {deep!r} is {getattr(deep, name)}, of a batch {getattr(deeps, name)[0]}"
    other = b.moving(poses[1], poses[3])
    first = fc.first_contact(a.moving(poses[0], poses[2]), other)
    firsts = fc.first_contacts(a.moving(poses[0][np.newaxis], poses[2]), other)
    for name in ("status", "time", "time_upper"):
        if not _is_same(getattr(first, name), getattr(firsts, name)[0]):
            return f"{name} of {first!r} is not {getattr(firsts, name)[0]}, as of a batch"
    if first and not (_is_same(first.points, firsts.points) and _is_same(first.normals, firsts.normals)):
        return f"{first!r} is elsewhere than {firsts.points}, {firsts.normals}, as of a batch"
    return None


def _ray_fault(case: dict[str, Any], shape: Any, pose: Any) -> str | None:
    origin, direction = case["factor"] * np.array(case["ray"][:3], float), np.array(case["ray"][3:], float)
    if not direction.any():
        return None
    found, many = (fc.ray_cast(shape.at(pose), rays, direction) for rays in (origin, origin[np.newaxis]))
    for name in ("hit", "time", "points", "normals", "faces"):
        if not _is_same(getattr(found, name), getattr(many, name)[0]):
            return f"{name} of {found!r} is {getattr(found, name)}, of a batch {getattr(many, name)[0]}"
    return None


def _matrix(data: dict[str, Any]) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = pose_of(data)
    return matrix


def _is_same(one: Any, other: Any) -> bool:
    return np.asarray(one, np.float64).tobytes() == np.asarray(other, np.float64).tobytes()


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer faces, rounder numbers."""
    yield from (
        variant
        for variant in fewer_and_rounder(case)
        if len(variant["shapes"]) == 2 and len(variant["poses"]) == 4 and len(variant["ray"]) == 6
    )
