"""Hulls that are flat but for some digits, needles, tiny, huge, far from their own origins or the world's.

The referee is a slab: in extended precision, all points of both hulls are on their sides of the planes
through the points that are told as closest, so that nothing is nearer; and each point is between the corners
of the feature that is told. The mesh of a hull reaches as far as its points, in any direction.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import pose_in, pose_of

Array = NDArray[Any]

# What rounding may do, in units of all numbers: to places, and to how well a feature holds its point.
ROUNDING, HELD = 2.0**-46, 1e-6

# Directions in which a mesh is held against its points.
DIRECTIONS = np.random.default_rng(0).normal(size=(200, 3))


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two hulls near each other, and a few poses: some a hair further, or twice the same."""
    size = float(2.0 ** rng.integers(-100, 100)) if rng.random() < 0.3 else 1.0
    ratio = 1.0 if rng.random() < 0.7 else float(2.0 ** rng.integers(-20, 20))
    poses = [pose_in(rng)]
    for step in (10.0 ** rng.uniform(-12, 0), 0.0, 1.0):
        place = np.asarray(poses[0]["place"]) + step * rng.normal(size=3)
        poses.append({"rotation": poses[0]["rotation"], "place": place.tolist()})
    return {
        "shapes": [_points_in(rng), (ratio * np.array(_points_in(rng))).tolist()],
        "away": (rng.choice([0.0, 1e3, 1e6]) * rng.normal(size=3)).tolist(),
        "world": (rng.choice([0.0, 0.0, 1e5]) * rng.normal(size=3)).tolist(),
        "size": size,
        "poses": poses,
    }


def _points_in(rng: np.random.Generator) -> list[Any]:
    points = rng.normal(size=(int(rng.integers(2, 16)), 3))
    n_thin = int(rng.integers(0, 3))
    points[:, :n_thin] *= 10.0 ** -rng.integers(3, 17)
    if rng.random() < 0.3:
        points = np.concatenate([points, points + 10.0 ** -rng.integers(8, 17) * rng.normal(size=(1, 3))])
    return list(points.tolist())


def check(case: dict[str, Any]) -> str | None:
    """Ask by every way, and look at what is told."""
    size, away = case["size"], np.array(case["away"])
    shapes = [
        fc.ConvexHull(size * (np.array(case["shapes"][0]) + away), flat=True),
        fc.ConvexHull(size * np.array(case["shapes"][1]), flat=True),
    ]
    for shape in shapes:
        reach = np.abs(shape.points).max()
        lost = (shape.points @ DIRECTIONS.T).max(axis=0) - (shape.mesh.vertices @ DIRECTIONS.T).max(axis=0)
        if lost.max() > 4.0 * ROUNDING * reach + 1e-11 * np.ptp(shape.points, axis=0).max():
            return f"the mesh of a hull is {lost.max()} short of its points"
    trackers = [fc.Tracker(*shapes, method=method) for method in ("voronoi", "gjk")]
    there = np.eye(4)
    there[:3, 3] = size * np.array(case["world"])
    for data in case["poses"]:
        rotation, place = pose_of(data)
        here = np.eye(4)
        here[:3, :3], here[:3, 3] = rotation, size * (place - rotation @ away + case["world"])
        standing = [shape.at(pose) for shape, pose in zip(shapes, (here, there), strict=True)]
        sides = [_placed(thing) for thing in standing]
        found = [tracker.distance(here, there) for tracker in trackers] + [fc.distance(*standing)]
        numbers = max(np.abs(x).max() for x in (*sides, *(shape.points for shape in shapes), here[:3, 3]))
        for near in found:
            fault = _fault(near, sides, float(numbers))
            if fault:
                return fault
        gaps = [near.distance for near in found]
        if np.ptp(gaps) > ROUNDING * numbers + 1e-12 * max(gaps):
            return f"trackers and the plain function say {gaps}"
        for method in ("sat", "gjk", "lp"):
            if fc.intersects(*standing, method=method) and min(gaps) > 2.0 * ROUNDING * numbers:
                return f"by {method} hulls touch that are {min(gaps)} apart"
    return None


def _placed(thing: Any) -> Array:
    pose = thing.rigid.pose(0.0).astype(np.longdouble)
    placed: Array = thing.shape.points.astype(np.longdouble) @ pose[:3, :3].T + pose[:3, 3]
    return placed


def _fault(near: fc.Distance, sides: list[Array], numbers: float) -> str | None:
    """Is nothing nearer than what is told, and does each feature hold its point?"""
    gap, slack = float(near.distance), ROUNDING * numbers
    if gap <= 1e3 * slack:
        return None
    way = (near.points_b - near.points_a).astype(np.longdouble)
    length = np.sqrt(way @ way)
    apart = float((sides[1] @ way).min() / length - (sides[0] @ way).max() / length)
    # The direction is off by what rounding does to the points, over their distance.
    blur = slack * (1.0 + numbers / gap)
    if abs(float(length) - gap) > slack or gap - apart > blur + 1e-9 * gap:
        return f"a distance of {gap} is told, of points that are {length} apart, in a slab of {apart}"
    for feature, point in zip(near.features, (near.points_a, near.points_b), strict=True):
        off = _off(feature.points, point)
        if off > HELD * (np.ptp(feature.points, axis=0).max() + gap) + 64.0 * blur:
            return f"a {feature.kind} is {off} from the closest point that it is told for"
    return None


def _off(corners: Array, point: Array) -> float:
    """How far a point is from what lies between corners."""
    own, goal = (corners - corners[0]).T, point - corners[0]
    size = max(np.abs(own).max(), np.abs(goal).max())
    if size == 0.0:
        return 0.0
    weights = np.full(len(corners), 1e3)
    return float(size * nnls(np.vstack([own / size, weights]), np.append(goal / size, 1e3))[1])


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer poses, points and digits."""
    yield from fewer_and_rounder(case)
