"""The frames of an animation: mesh files, a folder of them, or one archive that holds them all."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact._validate import as_faces
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.archive import read_archive
from firstcontact.cli.texts.shape_text import is_stored_shape
from firstcontact.errors import MeshFileError

FRAMES_HELP = "mesh files in order, a folder of them, or one .npz file"

_NAMES = ("vertices", "faces")
_MESHES = (".obj", ".ply", ".stl", ".off", ".glb", ".gltf", ".dae", ".step", ".stp")


class MeshFrame(NamedTuple):
    """A frame's name, and how to read it: gives a mesh, or raises `MeshFileError` or `OSError`."""

    name: str
    read: Callable[[], fc.Mesh]


class Animation(NamedTuple):
    """Frames as `fc.sequence` takes them: paths, or places of vertices and a mesh of their faces.

    names : of the frames
    archive : its name; "" where the frames are files of their own
    """

    names: list[str]
    frames: Any
    mesh: fc.Mesh | None = None
    archive: str = ""


def animation_of(files: Sequence[Path]) -> Animation:
    """Find the frames; mesh files are read later, one by one, so that a damaged one costs only itself."""
    files = [frame for file in files for frame in (_frames_in(file) if file.is_dir() else [file])]
    archives = [file for file in files if file.suffix.lower() == ".npz"]
    if not archives:
        return Animation([str(file) for file in files], files)
    if len(files) > 1:
        raise CommandError(f"{archives[0]} is a whole sequence: it must be given alone")
    vertices, faces = _arrays_of(archives[0])
    names = [f"{archives[0]}[{i}]" for i in range(len(vertices))]
    lender = fc.Mesh(np.zeros(vertices.shape[1:]), faces)  # of its faces: any frame may be damaged
    return Animation(names, vertices, lender, str(archives[0]))


def is_frames(file: Path) -> bool:
    """Tell whether a file is a folder of frames, or an archive that should hold them all."""
    return file.is_dir() or (file.suffix.lower() == ".npz" and not is_stored_shape(file))


def frames_of(files: Sequence[Path]) -> list[MeshFrame]:
    """Find the frames, each to be read by itself."""
    names, frames, mesh, _ = animation_of(files)
    if mesh is None:
        return [MeshFrame(name, partial(fc.load, file)) for name, file in zip(names, frames, strict=True)]
    pairs = zip(names, frames, strict=True)
    return [MeshFrame(name, partial(_frame, name, places, mesh.faces)) for name, places in pairs]


def _frames_in(folder: Path) -> list[Path]:
    """Mesh files of a folder, in the order of the numbers in their names: 2 before 10."""

    def in_order(file: Path) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", file.name)]

    try:
        files = [file for file in folder.iterdir() if file.suffix.lower() in _MESHES]
    except OSError as error:
        raise CommandError.of(error) from None
    if not files:
        raise CommandError(f"the folder {folder} has no mesh files ({', '.join(_MESHES)})")
    return sorted(files, key=in_order)


def _arrays_of(archive: Path) -> tuple[NDArray[Any], NDArray[np.int32]]:
    arrays = read_archive(archive, _NAMES)
    vertices = arrays["vertices"]
    if vertices.ndim != 3 or vertices.shape[2] != 3:
        raise CommandError(f"{archive}: vertices must have shape (k, n, 3); received {vertices.shape}")
    try:
        return vertices, as_faces(arrays["faces"], vertices.shape[1])
    except (TypeError, ValueError) as error:
        raise CommandError(f"{archive}: {error}") from None


def _frame(name: str, vertices: NDArray[Any], faces: NDArray[np.int32]) -> fc.Mesh:
    try:
        return fc.Mesh(vertices, faces)
    except (TypeError, ValueError) as error:
        raise MeshFileError(f"{name} cannot be read: {error}") from None
