"""Depths of vertices in another solid, and in their own; the referee is brute force in long doubles.

Of two closed meshes: which vertices are inside by winding numbers, and how far from all faces. Of both as one
mesh: the same vertices, no depth below that in the other, and every way out ends where neither mesh is.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.point_meshes import distances_to_faces, winding_numbers
from shrinking import fewer_and_rounder

SECONDS_A_CASE = 60.0


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two closed meshes with rough surfaces, some of them with corners on a grid, so that they touch."""
    on_grid = bool(rng.random() < 0.3)
    things = []
    for _ in range(2):
        mesh = _mesh(rng)
        vertices = mesh.vertices * rng.uniform(0.6, 1.0, (mesh.n_vertices, 1)) + rng.normal(size=3) * 0.5
        if on_grid:
            vertices = np.round(vertices * 8) / 8
        things.append({"vertices": vertices.tolist(), "faces": mesh.faces.tolist()})
    return {"a": things[0], "b": things[1]}


def _mesh(rng: np.random.Generator) -> fc.Mesh:
    """A box, or the hull of some points on a sphere."""
    if rng.random() < 0.2:
        return fc.Box(rng.uniform(0.5, 2.0, 3)).mesh
    points = rng.normal(size=(int(rng.integers(6, 60)), 3))
    return fc.ConvexHull(points / np.linalg.norm(points, axis=1, keepdims=True)).mesh


def check(case: dict[str, Any]) -> str | None:
    """Ask about both, and about both as one."""
    a, b = (fc.Mesh(thing["vertices"], thing["faces"]) for thing in (case["a"], case["b"]))
    try:
        found = fc.depths(a, b)
    except ValueError as error:
        return None if "closed" in str(error) else f"refused: {error}"
    for one, other, is_of_b in ((a, b, False), (b, a, True)):
        if one.n_faces == 0 or other.n_faces == 0:
            continue
        rows = found.is_of_b == is_of_b
        truth = distances_to_faces(one.vertices, other.vertices, other.faces).min(axis=1).astype(float)
        winding = np.abs(winding_numbers(one.vertices, other.vertices, other.faces)).astype(float)
        is_listed = np.isin(np.arange(one.n_vertices), found.vertex_ids[rows])
        is_clear = truth > 1e-9
        if (is_listed != (winding > 0.5))[is_clear].any():
            return "a vertex is on the wrong side"
        if np.abs(found.depth[rows] - truth[found.vertex_ids[rows]]).max(initial=0.0) > 1e-12:
            return "a depth is wrong"
    return _as_one(a, b, found)


def _as_one(a: fc.Mesh, b: fc.Mesh, two: fc.Depths) -> str | None:
    """Both as one mesh, where neither passes through itself and they only cross."""
    if any(len(fc.contacts(mesh)) > 0 for mesh in (a, b)):
        return None
    faces = np.concatenate([a.faces, b.faces + a.n_vertices])
    one = fc.depths(fc.Mesh(np.concatenate([a.vertices, b.vertices]), faces))
    gaps = [fc.signed_distance(x, y.vertices).distance for x, y in ((a, b), (b, a))]
    if np.abs(np.concatenate(gaps)).min(initial=np.inf) < 1e-6:  # they touch: either may be before the other
        return None
    if _volume(a) * _volume(b) <= 0.0:  # one of them looks inwards, and is no part but a hole
        return None
    ids = two.vertex_ids + np.where(two.is_of_b, a.n_vertices, 0)
    if not np.array_equal(ids, one.vertex_ids):
        return "a mesh of two parts has other vertices inside it than two meshes"
    if (one.depth < two.depth - 1e-9).any():
        return "a way out of both is shorter than that out of one"
    ends = [fc.signed_distance(mesh, one.surface_points).distance for mesh in (a, b)]
    if len(one) and np.abs(np.minimum(*ends)).max() > 1e-9:
        return "a way out does not end outside"
    return None


def _volume(mesh: fc.Mesh) -> float:
    x, y, z = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return float(np.einsum("ij,ij->", x, np.cross(y, z)))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give rounder vertices."""
    for name in ("a", "b"):
        for thing in fewer_and_rounder(case[name]):
            yield case | {name: thing}
