"""Mesh files."""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.errors import MeshFileError
from firstcontact.io.obj import read_obj
from firstcontact.shapes.mesh import Mesh

FORMATS = (".obj", ".ply", ".stl", ".off", ".glb", ".gltf")


def load(path: str | os.PathLike[str]) -> Mesh:
    """Load a triangle mesh from an OBJ, PLY, STL, OFF, GLB or GLTF file.

    Vertices and faces keep the file's order; nothing is merged, split, dropped or repaired. Several parts
    become one mesh, part after part, at each place where the file puts them. Polygons become triangles: fans
    in place in an OBJ file, after all triangles in PLY and OFF files. An STL file has no shared vertices, so
    its mesh has three for each face. Materials and textures are not read.

    Parameters
    ----------
    path : the file; its extension tells the format

    Raises
    ------
    FileNotFoundError
        There is no such file.
    MeshFileError
        The extension is unknown, the file cannot be read as what it claims to be, or it has no faces.
    """
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        raise MeshFileError(f"a mesh file must end in one of {', '.join(FORMATS)}; received {file}")
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    with file.open("rb"):  # a file that may not be read is the system's error, not the format's
        pass
    try:
        mesh = Mesh(*_read(file))
    except Exception as error:  # readers raise anything at all on damaged files
        raise MeshFileError(f"{file} cannot be read: {_reason(error)}") from None
    if mesh.n_faces == 0:
        raise MeshFileError(f"{file} has no faces")
    return mesh


def _read(file: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return read_obj(file) if file.suffix.lower() == ".obj" else _read_with_trimesh(file)


def _read_with_trimesh(file: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    import trimesh

    vertices: list[NDArray[np.float64]] = [np.empty((0, 3))]
    faces: list[NDArray[np.int64]] = [np.empty((0, 3), dtype=np.int64)]
    n_vertices = 0
    with _quiet():
        scene = trimesh.load_scene(file, process=False, skip_materials=True, fix_texture=False)
        for transform, name in _placements(scene):
            part = scene.geometry[name]
            if isinstance(part, trimesh.Trimesh):
                vertices.append(trimesh.transform_points(part.vertices, transform))
                faces.append(np.asarray(part.faces) + n_vertices)
                n_vertices += len(part.vertices)
    return np.concatenate(vertices), np.concatenate(faces)


def _placements(scene: Any) -> list[tuple[NDArray[np.float64], str]]:
    """List where each part stands: the parts as in the file, the places of one part in turn."""
    ranks = {name: rank for rank, name in enumerate(scene.geometry)}
    # The reader walks the tree of nodes from the last branch to the first.
    placements = [scene.graph[node] for node in reversed(scene.graph.nodes_geometry)]
    return sorted(placements, key=lambda placement: ranks[placement[1]])


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the reader's remarks on materials and textures from the user, who did not ask for them."""
    logger = logging.getLogger("trimesh")
    was_disabled = logger.disabled
    logger.disabled = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled = was_disabled


def _reason(error: Exception) -> str:
    """Shorten an error to one line; the messages of most errors need their name to be understood."""
    line = (str(error).splitlines() or [""])[0]
    return line if line and isinstance(error, ValueError) else f"{type(error).__name__} {line}".strip()
