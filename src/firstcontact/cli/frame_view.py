"""The frames of an animation as there is to see of them, with the contacts of each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.frames import MeshFrame
from firstcontact.viz.view import COLORS, Moment, ShownBody, View


def frame_view(frames: Sequence[MeshFrame], title: str) -> View:
    """Read the frames, find the contacts of each step, and gather both; all must have the same faces."""
    meshes = alike_meshes(frames)
    first = meshes[0]
    places = np.stack([mesh.vertices for mesh in meshes])
    moments = tuple(_moments(first, places))
    n = len(places)
    faces, rest = np.asarray(first.faces, np.int64), np.eye(4)[np.newaxis]
    times = np.arange(n, dtype=np.float64)
    body = ShownBody(title, title, COLORS[0], places[0], faces, times, rest, places if n > 1 else None)
    stop = moments[0].time if moments else None
    n_contacts = sum(len(moment.points) for moment in moments)
    counts = {
        "frames": n,
        "triangles": first.n_faces,
        "steps with contact": len(moments),
        "contacts": n_contacts,
    }
    panel = (("frames", tuple((name, f"{count:,}") for name, count in counts.items())),)
    return View(title, (body,), moments, panel, stop, (0.0, float(max(n - 1, 1))), "frame")


def alike_meshes(frames: Sequence[MeshFrame]) -> list[fc.Mesh]:
    """Read frames, which must have the same faces."""
    meshes = [_mesh(frame) for frame in frames]
    first = meshes[0]
    for frame, mesh in zip(frames, meshes, strict=True):
        if mesh.n_vertices != first.n_vertices or not np.array_equal(mesh.faces, first.faces):
            raise CommandError(f"{frame.name} has other vertices or faces than {frames[0].name}")
    return meshes


def _mesh(frame: MeshFrame) -> fc.Mesh:
    try:
        return frame.read()
    except (fc.MeshFileError, OSError) as error:
        raise CommandError.of(error) from None


def _moments(mesh: fc.Mesh, places: NDArray[np.float64]) -> Iterator[Moment]:
    """Contacts of each step that has any, from its first one to its end."""
    from tqdm import tqdm

    for step in tqdm(range(len(places) - 1), desc="checking", unit="step", disable=None):
        found: Any = fc.contacts(mesh.deforming(places[step], places[step + 1]))
        if len(found):
            label = f"{len(found):,} contact{'s' * (len(found) > 1)} in step {step}"
            time = step + float(found.time[0])
            yield Moment(time, step + 1.0, found.points, found.normals, label=label)
