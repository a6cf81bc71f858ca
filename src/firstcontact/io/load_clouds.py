"""Files of points and of strands."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_path
from firstcontact.errors import MeshFileError
from firstcontact.io.columns import read_npy, read_text
from firstcontact.io.load import read_file
from firstcontact.io.obj import read_obj_lines
from firstcontact.io.ply import read_ply
from firstcontact.io.stored_arrays import MOST_BYTES, NPZ, read_arrays, write_arrays
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.strands import Strands


def load_points(path: str | os.PathLike[str], radius: ArrayLike = 0.0) -> Points:
    r"""Load points from a PLY file without faces, columns of text (.xyz, .txt, .csv) or an array (.npy).

    Columns are x, y and z first, unless a first line of names says where they are; others are not read. What
    is damaged, has no points or a number that is not finite is refused in a `MeshFileError`.

    Parameters
    ----------
    path : the file; its extension tells the format
    radius : a number, 0 or more, or one for each point

    Examples
    --------
    >>> import firstcontact as fc
    >>> file = getfixture("tmp_path") / "scan.csv"
    >>> _ = file.write_text("intensity,x,y,z\n7,0,0,1\n9,0,2,0\n")
    >>> fc.load_points(file, radius=0.5)
    Points(2 points, radius 0.5, from [-0.5, -0.5, -0.5] to [0.5, 2.5, 1.5])
    >>> _ = file.write_text("")
    >>> fc.load_points(file)
    Traceback (most recent call last):
    firstcontact.errors.MeshFileError: ...scan.csv has no points
    """
    points = read_file("a file of points", path, tuple(_READERS), _points)
    if points.n_vertices == 0:
        raise MeshFileError(f"{as_path('path', path)} has no points")
    return Points(points.positions, radius)


def _points(file: Path) -> Points:
    return Points(_READERS[file.suffix.lower()](file))


def _ply_points(path: Path) -> NDArray[np.float64]:
    vertices, faces = read_ply(path)
    if len(faces) > 0:
        raise ValueError("it has faces: load reads meshes")
    return vertices


_READERS = {".ply": _ply_points, ".xyz": read_text, ".txt": read_text, ".csv": read_text, ".npy": read_npy}


def load_strands(path: str | os.PathLike[str], radius: ArrayLike | None = None) -> Strands:
    r"""Load strands from the `l` lines of an OBJ file, each of which is one, or what `Strands.save` wrote.

    A vertex in two lines is a point of both strands. Faces, points and looks are not read. What is damaged,
    has no strands or a number that is not finite is refused in a `MeshFileError`.

    Parameters
    ----------
    path : the file, which ends in .obj or .npz
    radius : a number, 0 or more, or one for each point of all strands; unless given, that of the file, or 0

    Examples
    --------
    >>> import firstcontact as fc
    >>> file = getfixture("tmp_path") / "rope.obj"
    >>> _ = file.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\nl 1 3\n")
    >>> fc.load_strands(file).counts.tolist()
    [3, 2]
    >>> _ = file.write_text("v 0 0 0\n")
    >>> fc.load_strands(file)
    Traceback (most recent call last):
    firstcontact.errors.MeshFileError: ...rope.obj has no lines
    """
    strands = read_file("a file of strands", path, (".obj", NPZ), _strands)
    if strands.n_strands == 0:
        raise MeshFileError(f"{as_path('path', path)} has no lines")
    return Strands(strands.positions, strands.counts, strands.radius if radius is None else radius)


def save_strands(strands: Strands, file: str | os.PathLike[str]) -> None:
    """Write strands, whole or not at all."""
    write_arrays(file, positions=strands.positions, counts=strands.counts, radius=strands.radius)


def _strands(file: Path) -> Strands:
    if file.suffix.lower() != NPZ:
        return Strands(*read_obj_lines(file))
    arrays = read_arrays(file, ("positions", "counts"), MOST_BYTES, may_have=("radius",))
    return Strands(arrays["positions"], arrays["counts"], arrays.get("radius", 0.0))
