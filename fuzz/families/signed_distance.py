"""Points at meshes and convex shapes; the referees are all faces in fractions, solid angles, and conditions.

The distance of a mesh is the least of all faces, by rational numbers; the side is the one that its faces wind
around, by solid angles in extended precision, where that is clear. On a convex shape, the closest point is on
the surface, the normal leads from it to the point, and no corner of its mesh is closer.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.point_meshes import exact_distances, winding_numbers
from shrinking import fewer_and_rounder
from things import grid_in, scale_in, scaled, shape_in, shape_of

# Of the sizes: what a distance may be off by; closer to the surface, the referee cannot tell the side.
ROUNDING, HIDDEN = 1e-14, 1e-8

# Winding numbers this close to a half may be on either side of it.
CLOSE = 1e-6


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A shape and some points: on a grid, on and beside corners and edges, anywhere, and far away."""
    shape, points = shape_in(rng), []
    corners = np.reshape(shape.get("vertices", shape.get("points", [[0.0, 0.0, 0.0]])), (-1, 3))
    for _ in range(int(rng.integers(1, 6))):
        kind = int(rng.integers(5))
        point = grid_in(rng, (3,), 3) if kind == 0 else rng.uniform(-3, 3, 3)
        if kind >= 2 and len(corners):
            p, q = corners[rng.integers(len(corners), size=2)]
            point = p + rng.choice([0.0, 0.25, 0.5]) * (q - p)
            point = point + (kind == 3) * 10.0 ** rng.uniform(-14, 0) * rng.normal(size=3)
            point = point + (kind == 4) * 10.0 ** rng.uniform(0, 8) * rng.normal(size=3)
        points.append(np.asarray(point, float).tolist())
    return scaled({"shape": shape, "points": points}, scale_in(rng))


def check(case: dict[str, Any]) -> str | None:
    """Measure them one by one and all at once."""
    shape, points = shape_of(case["shape"]), np.reshape(case["points"], (-1, 3)).astype(float)
    if len(points) == 0:
        return None
    found = fc.signed_distance(shape, points)
    for i, point in enumerate(points):
        one = fc.signed_distance(shape, point)
        if one.distance != found.distance[i] or not np.array_equal(
            one.points, found.points[i], equal_nan=True
        ):
            return f"alone {one.distance}, in a batch {found.distance[i]}"
    is_clear = np.abs(found.distance) > HIDDEN * _sizes(shape, points)
    if np.any(is_clear & (fc.contains(shape, points) != (found.distance < 0.0))):
        return "contains differs from the sign"
    if isinstance(shape, fc.Mesh):
        return _mesh_fault(shape, points, found)
    return _convex_fault(shape, points, found)


def _mesh_fault(mesh: fc.Mesh, points: np.ndarray, found: fc.SignedDistances) -> str | None:
    if mesh.n_faces == 0:
        return None if np.all(found.distance == np.inf) else "a mesh without faces is not infinitely far"
    truth = exact_distances(points, mesh.vertices, mesh.faces).min(axis=1)
    sizes = _sizes(mesh, points)
    error = np.abs(np.asarray(np.abs(found.distance) - truth, float))
    if np.any(error > ROUNDING * sizes):
        return f"the distance is off by {(error / sizes).max()} of the size"
    if found.sign == "pseudonormal" or np.all(truth > HIDDEN * sizes):
        winding = np.abs(winding_numbers(points, mesh.vertices, mesh.faces))
        is_clear = (truth > HIDDEN * sizes) & (np.abs(winding - 0.5) > CLOSE)
        if np.any(is_clear & ((found.distance < 0.0) != (winding > 0.5))) and not isinstance(
            mesh, fc.HeightField
        ):
            return f"the side is wrong by {found.sign}"
    return _normal_fault(found)


def _convex_fault(shape: Any, points: np.ndarray, found: fc.SignedDistances) -> str | None:
    sizes = _sizes(shape, points)
    led = found.points + np.asarray(found.distance)[:, None] * found.normals
    if np.any(np.linalg.norm(led - points, axis=1) > 1e-12 * sizes):
        return "the normal does not lead from the closest point to the point"
    again = np.abs(fc.signed_distance(shape, found.points).distance)
    if np.any(again > ROUNDING * sizes):
        return "the closest point is not on the surface"
    corners = shape.mesh.vertices
    least = np.linalg.norm(points[:, None] - corners, axis=2).min(axis=1)
    if np.any(np.abs(found.distance) > least + 1e-12 * sizes):
        return "a corner of the mesh is closer"
    return _normal_fault(found)


def _normal_fault(found: fc.SignedDistances) -> str | None:
    off = np.abs(np.linalg.norm(found.normals, axis=-1) - 1.0)
    return None if np.all(off < 1e-9) else "a normal is not of length one"


def _sizes(shape: Any, points: np.ndarray) -> np.ndarray:
    """Sizes that rounding is relative to; of an empty shape, any."""
    if not np.all(np.isfinite(shape.bounds)):
        return np.ones(len(points))
    low, high = shape.bounds
    away = np.abs(points - 0.5 * (low + high)).max(axis=1)
    return away + float(np.max(high - low)) + 1e-280


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer points, faces and digits."""
    yield from fewer_and_rounder(case)
