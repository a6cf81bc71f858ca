"""Convex parts: ten meshes taken apart by CoACD, and what queries gain by that.

Nine third-party meshes and a CAD piece made here, each to a tolerance of a twentieth of its longest side. The
deviation is proven, of solids: how far the parts stick out of the mesh, and it of them, in hundredths of the
longest side. Then each is asked against itself, in random poses about as far apart as it is long, and on ways
from twice as far that go past the other: microseconds of the processor a pose, of `distance`, `intersects`
and `first_contacts` in a batch on one thread, of the mesh and of its parts.
"""

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numba
import numpy as np

import firstcontact as fc
from points.posed import Ask, Poses, in_turns, random_poses
from report.section import Part, Run, SkippedError, Table
from rigid.models import cad_piece

TOLERANCE, MAX_SECONDS, ROUNDS = 0.05, 300.0, 3
QUICK = "jack", "hammer"

Shape = fc.Mesh | fc.Compound


def parts(run: Run) -> Part:
    """Meshes, and what they are as parts."""
    if not (run.data / "meshes").exists():
        raise SkippedError("the third-party meshes are missing")
    heads = ("mesh", "faces", "parts", "sticks out", "left out", "seconds")
    columns = [f"{ask}, {of}" for ask in ASKED for of in ("mesh", "parts")]
    lines: list[tuple[str, ...]] = [(*heads, *columns)]
    figures, notes = [], []
    numba.set_num_threads(1)
    for name, mesh in _meshes(run.data / "meshes", run.quick):
        try:
            found = measured(mesh)
        except (ValueError, TimeoutError) as error:
            notes.append(f"{name}: {error}")
            continue
        figures.append((name, *found))
        numbers = (*found.deviation, found.seconds, *found.asked)
        lines.append((name, f"{found.n_faces}", f"{found.n_parts}", *(f"{x:.1f}" for x in numbers)))
    note = "deviation in hundredths of the longest side; queries in microseconds a pose, of a batch"
    table = Table("Meshes as convex parts", lines, note=note)
    return Part(tables=(table,), notes=tuple(notes), figures=figures)


class Measured(NamedTuple):
    """A mesh and its parts: how far these stick out, and it of them; seconds that took; and queries."""

    n_faces: int
    n_parts: int
    deviation: tuple[float, float]
    seconds: float
    asked: list[float]


def measured(mesh: fc.Mesh) -> Measured:
    """Take a mesh apart, and ask about it and its parts in turns."""
    size = float(np.ptp(mesh.corners, axis=0).max())
    began = perf_counter()
    whole = mesh.convex_parts(TOLERANCE * size, max_seconds=MAX_SECONDS)
    seconds, poses = perf_counter() - began, random_poses(size, 100, 0.6, 1.2)
    asked = [x for ask in ASKED.values() for x in in_turns(ask, ROUNDS, (mesh, poses), (whole, poses))]
    assert whole.deviation is not None
    out, left = (100.0 * x / size for x in (whole.deviation.parts_to_mesh, whole.deviation.mesh_to_parts))
    return Measured(mesh.n_faces, len(whole.parts), (out, left), seconds, asked)


def _meshes(folder: Path, quick: bool) -> list[tuple[str, fc.Mesh]]:
    files = [path for path in sorted(folder.glob("*.obj")) if not quick or path.stem in QUICK]
    return [*((path.stem, fc.load(path)) for path in files), ("CAD piece", fc.Mesh(*cad_piece()))]


def _distance(shape: Shape, poses: Poses) -> None:
    fc.distance(shape.at(np.eye(4)), shape.at(poses))


def _intersects(shape: Shape, poses: Poses) -> None:
    fc.intersects(shape.at(np.eye(4)), shape.at(poses))


def _first_contacts(shape: Shape, poses: Poses) -> None:
    """From twice as far away past the other, with half a turn."""
    starts = poses.copy()
    starts[:, :3, 3] *= 2.0
    turn = np.pi * starts[:, :3, 0]
    fc.first_contacts(shape.moving(starts, velocity=-1.5 * starts[:, :3, 3], angular_velocity=turn), shape)


ASKED: dict[str, Ask] = {
    "distance": _distance,
    "intersects": _intersects,
    "first contact": _first_contacts,
}
