"""Trackers that walk from feature to feature give the distance of the hulls in exact rational arithmetic.

Two polytopes, many of them flat, doubled, on a lattice or rounded, go through poses in small steps, leaps and
steps that align them exactly. The referee finds the least distance of the differences of their corners, as
fractions; features are held against it, too: they are as far apart as the bodies. Whether the two touch is
asked by separating axes, GJK and linear programming: never "no" where fractions say that they do.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_exact import exact_hull_distance_squared, placed_exactly, root
from shrinking import fewer_and_rounder
from things import QUARTERS, grid_in, pose_in


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two polytopes, and a few poses of the first."""
    poses = []
    for _ in range(2):
        start = pose_in(rng)
        poses.append(start)
        for _ in range(3):
            place = np.asarray(start["place"]) + 10.0 ** rng.uniform(-8, -1) * rng.normal(size=3)
            poses.append({"rotation": start["rotation"], "place": place.tolist()})
    poses.append({"rotation": QUARTERS[rng.integers(3)].tolist(), "place": grid_in(rng, (3,), 3).tolist()})
    return {"shapes": [_shape_in(rng), _shape_in(rng)], "poses": poses}


def _shape_in(rng: np.random.Generator) -> dict[str, Any]:
    kind = str(rng.choice(["box", "hull", "lattice", "flat", "segment", "thin"]))
    n = int(rng.integers(4, 16))
    points = grid_in(rng, (n, 3), 1) if kind == "lattice" else rng.normal(size=(n, 3))
    if kind == "flat":
        points[:, int(rng.integers(3))] = 0.0
    if kind == "segment":
        points = points[:2]
    if kind == "thin":
        points[:, 0] *= 10.0 ** -rng.integers(3, 14)
    if kind == "box":
        points = np.abs(grid_in(rng, (1, 3), 1)) + 0.5
    radius = 0.25 if rng.random() < 0.2 else 0.0
    return {"is_box": kind == "box", "points": points.tolist(), "radius": radius}


def _shape_of(data: dict[str, Any]) -> tuple[fc.Box | fc.ConvexHull, fc.Rounded | fc.Box | fc.ConvexHull]:
    """The polytope, and the same with its radius."""
    core = fc.Box(data["points"][0]) if data["is_box"] else fc.ConvexHull(data["points"], flat=True)
    return core, fc.Rounded(core, data["radius"]) if data["radius"] else core


def check(case: dict[str, Any]) -> str | None:
    """Walk through all poses."""
    (core_a, a), (core_b, b) = (_shape_of(data) for data in case["shapes"])
    tracker, radius = fc.Tracker(a, b, method="voronoi"), sum(data["radius"] for data in case["shapes"])
    corners = [_corners(core) for core in (core_a, core_b)]
    other = placed_exactly(corners[1], np.eye(3), np.zeros(3))
    for pose in case["poses"]:
        rotation, place = np.array(pose["rotation"]), np.array(pose["place"])
        here = np.eye(4)
        here[:3, :3], here[:3, 3] = rotation, place
        here[:3, :3] = fc.Sphere(1).at((rotation, place)).motion.pose(0.0)[:3, :3]
        truth = root(exact_hull_distance_squared(placed_exactly(corners[0], here[:3, :3], place), other))
        slack = 1e-12 * (4.0 + float(np.abs(place).sum()) + float(np.abs(corners[0]).max()))
        near = tracker.distance(here)
        if abs(Fraction(near.distance) - max(truth - Fraction(radius), 0)) > slack:
            return f"a walk says {near.distance}, fractions {float(truth) - radius}"
        fault = _features_fault(near, corners, radius, slack) or _method_fault(
            a.at(here), b, truth - Fraction(radius), slack
        )
        if fault:
            return fault
    return None


def _method_fault(a: Any, b: Any, gap: Any, slack: float) -> str | None:
    """Ask whether they touch, by each method."""
    for method in ("sat", "gjk", "lp"):
        touches = fc.intersects(a, b, method=method)
        if (touches and gap > slack) or (not touches and gap <= 0):
            return f"by {method} they touch: {touches}, at a distance of {float(gap)}"
    return None


def _corners(core: fc.Box | fc.ConvexHull) -> Any:
    return core.mesh.vertices if isinstance(core, fc.Box) else core.points


def _features_fault(near: fc.Distance, corners: list[Any], radius: float, slack: float) -> str | None:
    one, other = near.features
    if (one is None) is not (near.distance == 0.0) or (other is None) is not (near.distance == 0.0):
        return f"features are {one} and {other} at a distance of {near.distance}"
    if one is None or other is None:
        return None
    sides = [placed_exactly(feature.points, np.eye(3), np.zeros(3)) for feature in (one, other)]
    apart = float(root(exact_hull_distance_squared(*sides))) - radius
    # What is parallel but for rounding counts as parallel, and the direction is known the less well the
    # smaller the gap is: the features may be that much farther.
    size = 4.0 + float(max(np.abs(side).max() for side in corners))
    allowed = slack + 2.0**-46 * size * (1.0 + size / (near.distance + radius))
    if abs(apart - near.distance) > allowed:
        return f"features are {apart} apart, bodies {near.distance}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer poses, points and digits."""
    yield from fewer_and_rounder(case)
