"""Distance fields of meshes and convex shapes; the referee is brute force over all faces in long doubles.

Everywhere in its box a field is within its tolerance of the distance, outside it is a bound of it, and a mesh
that passes through itself is refused, or has its distances but for the sign where it passes by little.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.point_meshes import distances_to_faces, winding_numbers
from shrinking import fewer_and_rounder
from things import is_empty, mesh_in, scale_in, scaled, shape_of, size_of

SECONDS_A_CASE = 60.0

N_POINTS = 400


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A mesh, a tolerance as a part of its size, and a seed of points."""
    mesh = mesh_in(rng)
    part = float(rng.choice([0.05, 0.1, 0.2]))
    return scaled({"shape": mesh}, scale_in(rng)) | {"part": part, "seed": int(rng.integers(1 << 30))}


def check(case: dict[str, Any]) -> str | None:
    """Compare a field with the distances to all faces."""
    data = case["shape"]
    if is_empty(data):
        return None
    mesh, size = shape_of(data), size_of(data)
    corners = mesh.vertices[mesh.faces.reshape(-1)]
    size = float(np.ptp(corners, axis=0).max()) or size
    if not size > 0.0:
        return None
    try:
        field = fc.DistanceField.of(mesh, case["part"] * size, max_cells=200_000)
    except ValueError as error:
        known = "bound a solid", "max_cells", "tolerance", "must be"
        return None if any(words in str(error) for words in known) else f"refused: {error}"
    rng = np.random.default_rng(case["seed"])
    lower, upper = field.box
    points = rng.uniform(lower, upper, (N_POINTS, 3))
    unsigned = distances_to_faces(points, mesh.vertices, mesh.faces).min(axis=1).astype(float)
    values, slack = field(points), 1e-9 * size
    if np.abs(np.abs(values) - unsigned).max() > field.tolerance + slack:
        return "a field is off by more than its tolerance"
    if field.is_signed:
        winding = winding_numbers(points, mesh.vertices, mesh.faces)
        truth = np.where(np.abs(winding) > 0.5, -unsigned, unsigned)
        if np.abs(values - truth).max() > field.tolerance + slack:
            return "a field has the wrong sign"
    far = lower + (upper - lower) * rng.uniform(-2, 3, (N_POINTS, 3))
    truth = distances_to_faces(far, mesh.vertices, mesh.faces).min(axis=1).astype(float)
    is_out = ((far < lower) | (far > upper)).any(axis=1)
    if (field(far[is_out]) - field.tolerance > truth[is_out] + slack).any():
        return "a field is too large outside its box"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give simpler meshes."""
    for shape in fewer_and_rounder(case["shape"]):
        yield case | {"shape": shape}
