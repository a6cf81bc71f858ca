"""The steps of a sequence of frames, checked one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.cli.texts.frames import MeshFrame
from firstcontact.cli.warmup import warm_up_mesh
from firstcontact.errors import MeshFileError

Columns = dict[str, NDArray[Any]]

_SHARED = ("kind", "ids_a", "ids_b", "time", "time_upper", "points", "normals", "status")


class SequenceStep(NamedTuple):
    """From one frame to the next: what was found, or why nothing was looked for."""

    number: int
    frames: tuple[str, str]
    problem: str  # empty where the step was checked
    n_contacts: int
    first_time: float  # infinite where there is no contact
    seconds: float
    columns: Columns  # of the contacts, one row each


class Question(NamedTuple):
    """What to ask about each step."""

    only_first: bool
    min_separation: float


class _Pose(NamedTuple):
    """A frame that was read: the mesh that lends its faces, and the places of the vertices."""

    mesh: fc.Mesh
    vertices: NDArray[np.float64]


def checked_steps(
    frames: Sequence[MeshFrame], question: Question, tell: Callable[[str], None]
) -> Iterator[SequenceStep]:
    """Check every step; what is wrong with frames is told, and costs only the steps that involve them."""
    query = fc.first_contact if question.only_first else fc.contacts
    poses = _poses(frames, tell)
    for number, ((frame, pose), (next_frame, next_pose)) in enumerate(
        pairwise(zip(frames, poses, strict=True))
    ):
        names = frame.name, next_frame.name
        problem, columns, seconds = "", no_contacts(), 0.0
        if pose is None or next_pose is None:
            problem = f"{names[0] if pose is None else names[1]} cannot be read"
        elif pose.mesh is not next_pose.mesh:
            problem = _mismatch(names, pose.mesh, next_pose.mesh)
            tell(f"{problem}: step {number} is skipped")
        else:
            moving = pose.mesh.deforming(pose.vertices, next_pose.vertices)
            warm_up_mesh(query, pose.mesh.n_faces, question.min_separation)
            began = time.perf_counter()
            columns = columns_of(query(moving, min_separation=question.min_separation))
            seconds = time.perf_counter() - began
        first_time = float(np.min(columns["time"], initial=np.inf))
        yield SequenceStep(number, names, problem, len(columns["time"]), first_time, seconds, columns)


def columns_of(found: fc.Contacts | fc.FirstContact) -> Columns:
    """Name the arrays of an answer, one row a contact."""
    if isinstance(found, fc.Contacts):
        return {name: getattr(found, name) for name in (*_SHARED, "closing_speed", "vertex_ids", "weights")}
    n = len(found.features)
    kind, ids_a, ids_b = np.ascontiguousarray(found.features.T)
    times = np.full(n, found.time), np.full(n, found.time_upper)
    status = np.full(n, found.status, np.int8)
    rows = (kind.astype(np.int8), ids_a, ids_b, *times, found.points, found.normals, status)
    return dict(zip(_SHARED, rows, strict=True))


def no_contacts() -> Columns:
    """Give columns without rows."""
    nothing = np.empty((0, 3))
    ids = np.empty((0, 3), np.int32)
    none = fc.FirstContact(fc.Status.SEPARATED, np.inf, np.inf, nothing, nothing, ids, fc.ContactStats())
    return columns_of(none)


def _poses(frames: Sequence[MeshFrame], tell: Callable[[str], None]) -> Iterator[_Pose | None]:
    """Read the frames; those with the same faces share one mesh, which keeps what depends on these."""
    mesh: fc.Mesh | None = None
    for frame in frames:
        try:
            read = frame.read()
        except (MeshFileError, OSError) as error:
            tell(f"{error}: steps from and to it are skipped")
            yield None
            continue
        if mesh is None or not _is_same(mesh, read):
            mesh = read
        yield _Pose(mesh, read.vertices)


def _is_same(a: fc.Mesh, b: fc.Mesh) -> bool:
    return a.n_vertices == b.n_vertices and np.array_equal(a.faces, b.faces)


def _mismatch(names: tuple[str, str], a: fc.Mesh, b: fc.Mesh) -> str:
    if a.n_vertices != b.n_vertices:
        return f"{names[1]} has {b.n_vertices} vertices, {names[0]} has {a.n_vertices}"
    return f"{names[1]} has other faces than {names[0]}"
