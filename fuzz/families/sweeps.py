"""What moving things pass through: random points of theirs at random times must be inside of the mesh.

The referee places points of the thing by poses alone, and tells sides by winding numbers. The mesh must be
closed, each edge with two faces in opposite directions, and no farther from the thing, as seen at many times,
than is told, and than the thing goes between two looks. A mesh inside of the sweep has no vertex outside.
"""

from typing import Any

import numpy as np

import firstcontact as fc
from courses import courses_case, on_course
from oracles.swept_points import is_closed_manifold, sampled_distances, swept_points
from things import is_empty, shape_of, size_of

SECONDS_A_CASE = 120.0

N_LOOKS = 65


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A shape on a course, a tolerance as a part of its size, and what is asked."""
    case = courses_case(rng)
    kind = str(rng.choice(["outer", "inner", "capsules"], p=[0.7, 0.15, 0.15]))
    part, seed = float(rng.choice([0.5, 0.25, 0.125])), int(rng.integers(1 << 30))
    return {"a": case["a"], "course": case["course_a"], "kind": kind, "part": part, "seed": seed}


def check(case: dict[str, Any]) -> str | None:
    """Sweep, and look at points."""
    shape = shape_of(case["a"])
    moving, rng = on_course(shape, case["course"]), np.random.default_rng(case["seed"])
    tolerance = case["part"] * (size_of(case["a"]) or 1.0)
    try:
        found = _swept(moving, tolerance, case["kind"])
    except ValueError as refusal:
        words = "allow a larger tolerance", "tolerance must be at least", "inner=True needs closed meshes"
        return None if any(word in str(refusal) for word in words) else f"refused: {refusal}"
    if is_empty(case["a"]):
        return None if len(found.faces) == 0 else "something is swept by nothing"
    if len(found.faces) and not is_closed_manifold(found.faces):
        return f"the {case['kind']} mesh is not closed"
    way = _farthest_way(moving)
    if case["kind"] == "inner":
        some = found.vertices[rng.permutation(len(found.vertices))[:200]]
        out = sampled_distances(moving, some, N_LOOKS).max(initial=-np.inf)
        return None if out <= way else "a vertex of the inner mesh is outside of the sweep"
    points = swept_points(moving, rng, 20, 50)
    if not fc.contains(found.mesh, points).all():
        return f"a point of the sweep is outside of the mesh: {case['kind']}"
    some = found.vertices[rng.permutation(len(found.vertices))[:200]]
    far = sampled_distances(moving, some, N_LOOKS, is_surface=isinstance(shape, fc.Mesh))
    if far.max() > found.outer_error + way:
        return f"the mesh is farther from the sweep than it says: {case['kind']}"
    if case["kind"] == "outer" and found.outer_error > tolerance:
        return "the error is more than the tolerance"
    return None


def _swept(moving: Any, tolerance: float, kind: str) -> Any:
    limits = {"max_cells": 1 << 18}
    if kind == "inner":
        return fc.swept_volume(moving, tolerance, inner=True, **limits)
    return fc.swept_volume(
        moving, tolerance, method="capsules" if kind == "capsules" else "elements", **limits
    )


def _farthest_way(moving: Any) -> float:
    """How far a corner of the box around a shape goes between two looks, about: a half more than was seen."""
    lower, upper = moving.shape.bounds
    corners = np.array([[(lower, upper)[k >> i & 1][i] for i in range(3)] for k in range(8)])
    poses = np.array([moving.pose(float(t)) for t in np.linspace(0.0, 1.0, 4 * N_LOOKS - 3)])
    placed = np.einsum("kij,nj->kni", poses[:, :3, :3], corners) + poses[:, np.newaxis, :3, 3]
    steps = np.linalg.norm(np.diff(placed, axis=0), axis=2).max()
    return float(6.0 * steps)
