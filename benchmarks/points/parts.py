"""Convex parts: ten meshes taken apart by CoACD, and what queries gain by that.

Nine third-party meshes and a knot made here, each to a tolerance of a twentieth of its longest side. The
deviation is proven, of solids: how far the parts stick out of the mesh, and it of them, in hundredths of the
longest side. Then each is asked against itself, in random poses about as far apart as it is long:
microseconds of the processor a pose, of `distance` and `intersects` in a batch on one thread, of the mesh and
of its parts.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import numba
import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from report.section import Part, Run, SkippedError, Table
from rigid.models import torus_knot

TOLERANCE, MAX_SECONDS, ROUNDS = 0.05, 60.0, 3
QUICK = "jack", "hammer"

Poses = NDArray[np.float64]
Shape = fc.Mesh | fc.Compound


def parts(run: Run) -> Part:
    """Meshes, and what they are as parts."""
    if not (run.data / "meshes").exists():
        raise SkippedError("the third-party meshes are missing")
    heads = ("mesh", "faces", "parts", "sticks out", "left out", "seconds")
    lines: list[tuple[str, ...]] = [(*heads, "distance, mesh", "parts", "intersects, mesh", "parts")]
    figures, notes = [], []
    numba.set_num_threads(1)
    for name, mesh in _meshes(run.data / "meshes", run.quick):
        size = float(np.ptp(mesh.corners, axis=0).max())
        began = perf_counter()
        try:
            whole = mesh.convex_parts(TOLERANCE * size, max_seconds=MAX_SECONDS)
        except (ValueError, TimeoutError) as error:
            notes.append(f"{name}: {error}")
            continue
        seconds, poses = perf_counter() - began, _poses(size, 100)
        asked = [
            _microseconds(ask, shape, poses) for ask in (_distance, _intersects) for shape in (mesh, whole)
        ]
        assert whole.deviation is not None
        out, left = 100.0 * whole.deviation.parts_to_mesh / size, 100.0 * whole.deviation.mesh_to_parts / size
        row = (name, f"{mesh.n_faces}", f"{len(whole.parts)}", f"{out:.1f}", f"{left:.1f}", f"{seconds:.1f}")
        lines.append((*row, *(f"{one:.1f}" for one in asked)))
        figures.append((name, mesh.n_faces, len(whole.parts), out, left, seconds, asked))
    note = "deviation in hundredths of the longest side; queries in microseconds a pose, of a batch"
    table = Table("Meshes as convex parts", lines, note=note)
    return Part(tables=(table,), notes=tuple(notes), figures=figures)


def _meshes(folder: Path, quick: bool) -> list[tuple[str, fc.Mesh]]:
    files = [path for path in sorted(folder.glob("*.obj")) if not quick or path.stem in QUICK]
    return [*((path.stem, fc.load(path)) for path in files), ("torus knot", fc.Mesh(*torus_knot()))]


def _poses(size: float, n: int) -> Poses:
    """Random turns (n, 4, 4), each as far away as the size, more or less."""
    rng = np.random.default_rng(0)
    turns, _ = np.linalg.qr(rng.normal(size=(n, 3, 3)))
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = turns * np.linalg.det(turns)[:, np.newaxis, np.newaxis]
    ways = rng.normal(size=(n, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    poses[:, :3, 3] = size * rng.uniform(0.6, 1.2, (n, 1)) * ways
    return poses


def _distance(shape: Shape, poses: Poses) -> None:
    fc.distance(shape.at(np.eye(4)), shape.at(poses))


def _intersects(shape: Shape, poses: Poses) -> None:
    fc.intersects(shape.at(np.eye(4)), shape.at(poses))


def _microseconds(ask: Callable[[Shape, Poses], None], shape: Shape, poses: Poses) -> float:
    """Least time a pose, of some rounds, after one that does not count."""
    ask(shape, poses)
    took = []
    for _ in range(ROUNDS):
        began = process_time()
        ask(shape, poses)
        took.append(process_time() - began)
    return 1e6 * min(took) / len(poses)
