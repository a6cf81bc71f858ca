"""What this library's fields are like: their worst errors, how they grow, and contacts with them."""

from time import process_time
from typing import Any, NamedTuple

import numba
import numpy as np

import firstcontact as fc
from fields.cases import ball, clouds
from fields.field_workers import box_points
from fields.workers import least


class Worst(NamedTuple):
    """The largest error of a field, beside its tolerance, and at how many points it was looked for."""

    name: str
    n_faces: int
    tolerance: float
    n_cells: int
    n_points: int
    anywhere: float
    near: float


class Grown(NamedTuple):
    """Seconds of the processor, on one thread: a field of a ring, and a value of it."""

    n_points: int
    n_faces: int
    per_size: int
    n_cells: int
    build: float
    value: float


class Contacts(NamedTuple):
    """How many points, or vertices, are within a distance by a field and by the mesh, and seconds."""

    what: str
    n_points: int
    n_by_field: int
    n_by_mesh: int
    by_field: float
    by_mesh: float


def size_of(mesh: fc.Mesh) -> float:
    """The largest size of a mesh."""
    return float(np.ptp(mesh.vertices[mesh.faces.reshape(-1)], axis=0).max())


def worst_error(name: str, mesh: fc.Mesh, per_size: int, n_points: int) -> Worst:
    """Look for the worst error: half of the points anywhere in the box, half near the surface."""
    field = fc.DistanceField.of(mesh, size_of(mesh) / per_size)
    errors = []
    for points in (box_points(field.box, n_points // 2), clouds(mesh, n_points // 2)[1].points):
        truth = fc.signed_distance(mesh, points).distance
        told = field(np.ascontiguousarray(points))
        errors.append(float(np.abs(told - (truth if field.is_signed else np.abs(truth))).max()))
    return Worst(name, mesh.n_faces, field.tolerance, field.n_cells, 2 * (n_points // 2), *errors)


def grown(n_points: int, n_faces: int, per_size: int, repeats: int = 5) -> Grown:
    """Make a field of a ring, to a part of its size, and read it."""
    numba.set_num_threads(1)
    mesh = ball(n_faces)
    began = process_time()
    field = fc.DistanceField.of(mesh, size_of(mesh) / per_size)
    build = process_time() - began
    points = box_points(field.box, n_points)
    field(points[:1])
    value = least(field, points, repeats, process_time)
    return Grown(n_points, mesh.n_faces, per_size, field.n_cells, build, value)


def contacts(n_faces: int, n_points: int, per_size: int, repeats: int = 3) -> list[Contacts]:
    """Ask which points, and which vertices of a second ring, are near a ring: of its field, and of itself."""
    numba.set_num_threads(1)
    mesh = ball(n_faces)
    field = fc.DistanceField.of(mesh, size_of(mesh) / per_size)
    within = 2.0 * field.tolerance
    anywhere, other = box_points(mesh.bounds, n_points), ball(2 * n_points)
    here = other.at((np.eye(3), [0.9, 0.3, 0.1]))
    places = other.vertices + np.array([0.9, 0.3, 0.1])
    found = []
    for what, asked, points in (
        ("points anywhere in its box", anywhere, anywhere),
        ("vertices of another ring", here, places),
    ):

        def of_field(_: np.ndarray, asked: Any = asked) -> Any:
            return fc.contacts(asked, field, within=within)

        def of_mesh(points: np.ndarray) -> np.ndarray:
            return np.flatnonzero(fc.signed_distance(mesh, points).distance <= within)

        n_found = len(of_field(points)), len(of_mesh(points))
        seconds = [least(ask, points, repeats, process_time) for ask in (of_field, of_mesh)]
        found.append(Contacts(what, len(points), *n_found, *seconds))
    return found
