"""Mesh files."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from firstcontact._validate import as_path
from firstcontact.errors import MeshFileError
from firstcontact.io.collada import check_collada, read_collada
from firstcontact.io.file_name import file_name
from firstcontact.io.gltf import read_glb, read_gltf
from firstcontact.io.obj import read_obj
from firstcontact.io.off import read_off
from firstcontact.io.ply import read_ply
from firstcontact.io.step import check_extra, read_step
from firstcontact.io.stl import read_stl
from firstcontact.shapes.mesh import Mesh

_READERS = {
    ".obj": read_obj,
    ".ply": read_ply,
    ".stl": read_stl,
    ".off": read_off,
    ".glb": read_glb,
    ".gltf": read_gltf,
    ".dae": read_collada,
    ".step": read_step,
    ".stp": read_step,
}
STEP, COLLADA = (".step", ".stp"), (".dae",)
FORMATS = tuple(_READERS)

Shape = TypeVar("Shape")


def load(path: str | os.PathLike[str]) -> Mesh:
    """Load a triangle mesh from an OBJ, PLY, STL, OFF, GLB, GLTF, COLLADA or STEP file.

    The mesh is what the file says: nothing is merged, split, dropped or repaired, and vertices and faces keep
    the file's order. What cannot be read in full is refused by name, never read in part.

    Several parts become one mesh, part after part, at each place where the file puts them. Polygons become
    triangles, in place, that cover what they enclose. An STL file has no shared vertices, so its mesh has
    three for each face. Looks, points, lines and animations are not read. A STEP file, which needs the extra
    `cad`, becomes triangles within 0.01 of its units and 0.2 radians, in meters and single precision. A
    COLLADA file (.dae), which needs the extra `robots`, is read in meters, without its up-axis, as in ROS.

    Parameters
    ----------
    path : the file; its extension tells the format

    Raises
    ------
    FileNotFoundError
        There is no such file.
    MeshFileError
        The extension is unknown, the file is damaged, has what is not read, or has no faces.
    """
    suffix = as_path("path", path).suffix.lower()
    if suffix in STEP:
        check_extra()
    elif suffix in COLLADA:
        check_collada()
    mesh = read_file("a mesh file", path, FORMATS, lambda file: Mesh(*_READERS[file.suffix.lower()](file)))
    if mesh.n_faces == 0:
        raise MeshFileError(f"{as_path('path', path)} has no faces")
    return mesh


def read_file(
    what: str, path: str | os.PathLike[str], formats: Sequence[str], read: Callable[[Path], Shape]
) -> Shape:
    """Read a file of one of some formats; whatever is wrong with it is told in a sentence."""
    file = as_path("path", path)
    if file.suffix.lower() not in formats:
        raise MeshFileError(f"{what} must end in one of {', '.join(formats)}; received {file_name(file)}")
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file_name(file)}")
    with file.open("rb"):  # a file that may not be read is the system's error, not the format's
        pass
    try:
        return read(file)
    except Exception as error:  # readers raise anything at all on damaged files
        raise MeshFileError(f"{file_name(file)} cannot be read: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """Shorten an error to one line; the messages of most errors need their name to be understood."""
    line = (str(error).splitlines() or [""])[0]
    return line if line and isinstance(error, ValueError) else f"{type(error).__name__} {line}".strip()
