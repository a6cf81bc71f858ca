"""A mesh taken apart into convex hulls."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact._validate import as_size
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.errors import MissingExtraError
from firstcontact.queries.decomposing.parts_deviation import parts_deviation
from firstcontact.shapes.compound import Compound, Deviation, standing_for
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import Mesh

PROCESS = Path(__file__).with_name("coacd_process.py")

# The finest that CoACD is asked for, as a part of the mesh's longest side: much below it hardly ends.
FINEST = 0.005

# How often parts are sought, at half as much each time, while they deviate by more than the tolerance.
TRIES = 3


class Deviating(NamedTuple):
    """Hulls, and how far they are from the mesh."""

    hulls: list[ConvexShape]
    deviation: Deviation


def convex_parts(mesh: Mesh, tolerance: float, max_seconds: float) -> Compound:
    """Take a mesh apart; `Mesh.convex_parts` says what comes of it."""
    wanted, seconds = as_size("tolerance", tolerance), as_size("max_seconds", max_seconds)
    size = _checked_size(mesh)
    if wanted < FINEST * size:
        least = FINEST * size
        raise ValueError(f"tolerance must be {least:.4g} or more, {FINEST:g} of the mesh's longest side")
    if find_spec("coacd") is None:
        raise MissingExtraError.of("coacd", "parts")
    end, best = perf_counter() + seconds, _deviating(mesh, wanted, wanted, seconds)
    for k in range(1, TRIES):
        aim, left = wanted * 0.5**k, end - perf_counter()
        if best.deviation.largest <= wanted or aim < FINEST * size or left <= 0.0:
            break
        try:
            finer = _deviating(mesh, aim, wanted, left)
        except TimeoutError:
            break
        best = min(best, finer, key=lambda one: one.deviation.largest)
    return standing_for(*best)


def _checked_size(mesh: Mesh) -> float:
    """The longest side of the box around a mesh, which must be closed, and have an inside."""
    if mesh.is_cloud:
        raise TypeError(f"convex_parts is of meshes, and a {type(mesh).__name__} is none")
    if mesh.is_thick:
        raise TypeError("convex_parts knows no thickness, and the mesh has one: take one without")
    if mesh.n_faces == 0:
        raise ValueError("convex_parts needs a mesh with an inside; this one has no faces")
    check_closed(mesh, "the mesh", "convex_parts")
    if ConvexHull(mesh.corners, flat=True).is_flat:
        raise ValueError("convex_parts needs a mesh with an inside; all corners of this one lie in a plane")
    return float(np.ptp(mesh.corners, axis=0).max())


def _deviating(mesh: Mesh, aim: float, tolerance: float, seconds: float) -> Deviating:
    """Hulls that CoACD finds at some threshold."""
    corners = mesh.corners
    middle, size = 0.5 * (corners.min(axis=0) + corners.max(axis=0)), float(np.ptp(corners, axis=0).max())
    used, faces = np.unique(mesh.faces, return_inverse=True)
    local = Mesh((mesh.vertices[used] - middle) / size, faces.reshape(-1, 3))
    hulls: list[ConvexShape] = [
        ConvexHull(points * size + middle, flat=True) for points in _by_coacd(local, aim / size, seconds)
    ]
    return Deviating(hulls, parts_deviation(mesh, hulls, tolerance))


def _by_coacd(mesh: Mesh, threshold: float, seconds: float) -> list[Array]:
    """Points of the parts that CoACD finds, each (n, 3); `TimeoutError` where that takes longer."""
    with TemporaryDirectory() as folder:
        given, found = Path(folder) / "given.npz", Path(folder) / "found.npz"
        np.savez(given, vertices=mesh.vertices, faces=mesh.faces, threshold=threshold)
        command = [sys.executable, str(PROCESS), str(given), str(found)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            rule = f"CoACD was not done within max_seconds, {seconds:.4g}"
            raise TimeoutError(f"{rule}: a larger tolerance takes less") from None
        if done.returncode != 0 or not found.exists():
            raise ValueError(f"CoACD failed for this mesh, with exit status {done.returncode}")
        with np.load(found) as file:
            points, counts = file["points"], file["counts"]
    if len(counts) == 0 or not np.isfinite(points).all():
        raise ValueError("CoACD found no parts of this mesh")
    return np.split(points, np.cumsum(counts)[:-1])
