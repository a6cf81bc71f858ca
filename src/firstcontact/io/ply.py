"""PLY: elements of any kind, of which vertices, faces and strips of triangles are the surface."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.ply_header import Element, read_header
from firstcontact.io.ply_rows import NO_LISTS, BinaryBody, IntegerLists, TextBody
from firstcontact.io.polygons import triangles
from firstcontact.io.strips import strip_triangles

_POSITION = ("x", "y", "z")
_VERTEX, _FACE, _STRIPS = "vertex", "face", "tristrips"
_CORNERS = ("vertex_indices", "vertex_index")
_RESTART = -1  # in strips: another one begins


def read_ply(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read the positions of all vertices, all faces, and the triangles of all strips after these.

    Polygons become triangles, in the file's order. Normals, colours and textures are not read.

    Raises
    ------
    ValueError
        The header cannot be read, what follows is not what it says, or there are surfaces of another kind.
    """
    content = path.read_bytes()
    header = read_header(content)
    wanted = {element.name: _wanted(element) for element in header.elements}
    body = (
        TextBody(content[header.size :]) if header.is_text else BinaryBody(content, header.size, header.order)
    )
    vertices = np.empty((0, 3))
    lists = {_FACE: NO_LISTS, _STRIPS: NO_LISTS}
    for element in header.elements:
        rows = body.read(element, wanted[element.name])
        if element.name == _VERTEX:
            vertices = rows.columns
        elif element.name in lists:
            lists[element.name] = rows.lists
    body.check_end()
    polygons = triangles(vertices, *lists[_FACE])
    return vertices, np.concatenate([polygons, *_cut(lists[_STRIPS])])


def _wanted(element: Element) -> tuple[str, ...]:
    """Say which properties of an element are the surface; those it should have must be there."""
    kinds = {kind.name: kind for kind in element.properties}
    if element.name == _VERTEX:
        for name in _POSITION:
            if name not in kinds or kinds[name].count_type:
                raise ValueError(f"its vertices have no number {name!r}")
        return _POSITION
    corners = [name for name in _CORNERS if name in kinds]
    if element.name not in (_FACE, _STRIPS):
        if corners and element.n_rows:
            raise ValueError(f"it has surfaces of the kind {element.name!r}, which are not read")
        return ()
    if not element.n_rows:
        return ()
    if len(corners) != 1 or not kinds[corners[0]].count_type or kinds[corners[0]].type[0] == "f":
        raise ValueError(
            f"its element {element.name!r} must have one list of integers {' or '.join(_CORNERS)}"
        )
    return (corners[0],)


def _cut(strips: IntegerLists) -> Iterator[NDArray[np.int64]]:
    ends = np.cumsum(strips.counts)
    for strip in np.split(strips.values, ends[:-1]) if len(ends) else ():
        breaks = np.flatnonzero(strip == _RESTART)
        for part in np.split(strip, breaks):
            yield strip_triangles(part[part != _RESTART])
