"""Trees of spheres: they cover shapes and compounds of them, and stick out no farther than is said.

Points of a shape are made without the library's distances: weighed means of the corners of faces, of corners
of convex shapes and of ends of strands. How far points of spheres are from it, `distance` tells, which knows
no cells and no spheres; inside of closed meshes, `contains`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import cloud_in, convex_in, mesh_in, pose_in, pose_of, shape_of

METHODS = ("octree", "grid", "medial", "least-squares")

# Of all lengths: what rounding may do to a distance.
ROUNDING = 1e-9

SECONDS_A_CASE = 30


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A shape, or two as one, a method, and some levels."""
    kinds = (convex_in, mesh_in, cloud_in)
    shapes = [kinds[rng.integers(3)](rng) for _ in range(1 if rng.random() < 0.7 else 2)]
    return {
        "shapes": shapes,
        "poses": [pose_in(rng) for _ in shapes],
        "method": str(rng.choice(METHODS)),
        "levels": int(rng.integers(1, 4)),
        "seed": int(rng.integers(1 << 30)),
    }


def check(case: dict[str, Any]) -> str | None:
    """Look for a point that is not covered, and for one that is too far out."""
    rng = np.random.default_rng(case["seed"])
    shapes = [shape_of(data) for data in case["shapes"]]
    whole = shapes[0] if len(shapes) == 1 else _joined(shapes, case["poses"])
    tree = whole.sphere_tree(case["levels"], method=case["method"])
    points = _points_of(whole, rng)
    away = np.linalg.norm(tree.centers[:, np.newaxis] - points, axis=2)
    held = away <= tree.radii[:, np.newaxis]
    for level in range(tree.n_levels):
        rows = tree.rows(level)
        if level > 0:
            held[rows] &= held[tree.parents[rows]]
        if not held[rows].any(axis=0).all():
            return "a point of the shape is in no sphere of a level whose parents hold it"
        out, size = _farthest(whole, tree.as_points(level), rng), float(np.abs(whole.bounds).max(initial=0.0))
        if tree.counts[level] and out > tree.deviation[level] + ROUNDING * size:
            return f"a point of a sphere is {out} away, and the deviation {tree.deviation[level]}"
    return None


def _joined(shapes: list[Any], poses: list[Any]) -> fc.Compound:
    return fc.Compound([shape.at(pose_of(pose)) for shape, pose in zip(shapes, poses, strict=True)])


def _points_of(shape: Any, rng: np.random.Generator) -> np.ndarray:
    """Points of a shape."""
    if isinstance(shape, fc.Compound):
        parts = [_points_of(part.shape, rng) @ part.pose[:3, :3].T + part.pose[:3, 3] for part in shape.parts]
        return np.concatenate(parts)
    mesh = shape if isinstance(shape, fc.Mesh) else shape.mesh
    corners = mesh.vertices[mesh.faces]
    weights = rng.dirichlet(np.full(3, 0.5), (5, len(corners)))
    found = np.einsum("ijk,jkl->ijl", weights, corners).reshape(-1, 3)
    if isinstance(shape, fc.Mesh) or len(found) == 0:
        return found
    return np.concatenate([found, rng.dirichlet(np.full(len(found), 0.1), 50) @ found])


def _farthest(shape: Any, cloud: fc.Points, rng: np.random.Generator) -> float:
    """How far a point of some balls is from a shape, as a solid or an open mesh."""
    units = rng.normal(size=(12, 3))
    units *= rng.choice([1.0, 0.5], (12, 1)) / np.linalg.norm(units, axis=1, keepdims=True)
    points = (cloud.positions[:, np.newaxis] + cloud.radius[:, np.newaxis, np.newaxis] * units).reshape(-1, 3)
    if len(points) == 0:
        return 0.0
    spots = fc.Points([[0.0] * 3]).at((np.tile(np.eye(3), (len(points), 1, 1)), points))
    things = shape.parts if isinstance(shape, fc.Compound) else [(shape, np.eye(4))]
    away = np.full(len(points), np.inf)
    for part, pose in things:
        own = fc.distance(spots, part.at(pose)).distance
        is_solid = isinstance(part, fc.Mesh) and not part.is_cloud and part.report().is_closed
        inside = fc.contains(part.at(pose), points) if is_solid else np.zeros(len(points), bool)
        away = np.minimum(away, np.where(inside, 0.0, own))
    return float(away.max())


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer and rounder numbers."""
    return fewer_and_rounder(case)
