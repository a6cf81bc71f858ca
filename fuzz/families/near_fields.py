"""Contacts with fields of meshes; the referee is brute force over all faces in long doubles.

Every point within the distance asked for is listed, none in the box that is farther by two tolerances, and
its distance is within the tolerance. A penalty's forces are minus the derivatives of its energies.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.point_meshes import distances_to_faces, winding_numbers
from shrinking import fewer_and_rounder
from things import is_empty, mesh_in, scale_in, scaled, shape_of

SECONDS_A_CASE = 60.0

N_POINTS = 300


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A mesh, a tolerance and a distance as parts of its size, and a seed of points."""
    own = {"part": float(rng.choice([0.05, 0.1, 0.2])), "within": float(rng.normal() * 0.2)}
    return scaled({"shape": mesh_in(rng)}, scale_in(rng)) | own | {"seed": int(rng.integers(1 << 30))}


def check(case: dict[str, Any]) -> str | None:
    """Compare what is listed with the distances to all faces."""
    if is_empty(case["shape"]):
        return None
    mesh = shape_of(case["shape"])
    size = float(np.ptp(mesh.vertices[mesh.faces.reshape(-1)], axis=0).max())
    if not size > 0.0:
        return None
    try:
        field = fc.DistanceField.of(mesh, case["part"] * size, max_cells=200_000)
    except ValueError:
        return None  # the family `distance_fields` looks at what is refused
    rng, within = np.random.default_rng(case["seed"]), case["within"] * size
    lower, upper = field.box
    points = lower + (upper - lower) * rng.uniform(-0.5, 1.5, (N_POINTS, 3))
    truth = distances_to_faces(points, mesh.vertices, mesh.faces).min(axis=1).astype(float)
    if field.is_signed:
        winding = winding_numbers(points, mesh.vertices, mesh.faces)
        truth = np.where(np.abs(winding) > 0.5, -truth, truth)
    found, slack = fc.contacts(points, field, within=within), 1e-9 * size
    is_listed = np.isin(np.arange(len(points)), found.vertex_ids)
    if not is_listed[truth < within - slack].all():
        return "a point within the distance is not listed"
    is_in = ((points >= lower) & (points <= upper)).all(axis=1)
    if is_listed[is_in & (truth > within + 2 * field.tolerance + slack)].any():
        return "a point that is far away is listed"
    off = np.abs(found.distance - truth[found.vertex_ids])[is_in[found.vertex_ids]]
    if off.max(initial=0.0) > field.tolerance + slack:
        return "a distance is off by more than the tolerance"
    return _forces(found, field, within, size)


def _forces(found: fc.FieldContacts, field: fc.DistanceField, within: float, size: float) -> str | None:
    """Compare forces with differences of energies, but for points that have a border of cells so near."""
    step, pushed = 1e-6 * size, found.penalty(1.0)
    n_wrong = 0
    for axis in np.eye(3):
        ends = [fc.contacts(found.points + way * step * axis, field, within=within + size) for way in (1, -1)]
        if any(len(end) != len(found) for end in ends):
            return "a point that was near is not listed a step further"
        ahead, behind = (0.5 * np.maximum(within - end.distance, 0.0) ** 2 for end in ends)
        force = -(ahead - behind) / (2 * step)
        n_wrong += np.count_nonzero(np.abs(force - pushed.forces @ axis) > 1e-3 * size)
    return "forces are not the derivatives of energies" if n_wrong > 3 + 0.05 * 3 * len(found) else None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give simpler meshes."""
    for shape in fewer_and_rounder(case["shape"]):
        yield case | {"shape": shape}
