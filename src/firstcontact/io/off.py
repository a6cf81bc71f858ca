"""OFF: a line for each vertex and each face."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.numerals import reals, shown, wholes
from firstcontact.io.polygons import triangles

Line = tuple[int, list[bytes]]

# Texture, colours and normals may follow a position; 4 and n are other dimensions. Counts may follow at once.
_HEADER = re.compile(rb"(ST)?(C)?(N)?(4)?(n)?OFF(?=\d|\Z)(.*)", re.DOTALL)
_NUMBERS_OF_COLOR = (0, 1, 3, 4)


def read_off(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read all vertices and faces; polygons become triangles, in the file's order; colours are not read.

    Raises
    ------
    ValueError
        With the number of the line that cannot be read, or what is too little or too much.
    """
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    parts = [line.partition(b"#")[0].split() for line in content.splitlines()]
    lines = [(number, words) for number, words in enumerate(parts, start=1) if words]
    lengths, lines = _header(lines)
    (n_vertices, n_faces), lines = _counts(lines)
    if len(lines) != n_vertices + n_faces:
        rule = f"{n_vertices} vertices and {n_faces} faces need a line each"
        raise ValueError(f"{rule}; it has {len(lines)} after its counts")
    positions = [_position(line, lengths) for line in lines[:n_vertices]]
    polygons = [_polygon(line) for line in lines[n_vertices:]]
    vertices = np.array(positions).reshape(-1, 3)
    counts = [len(polygon) for polygon in polygons]
    return vertices, triangles(vertices, counts, [row for polygon in polygons for row in polygon])


def _header(lines: list[Line]) -> tuple[tuple[int, ...], list[Line]]:
    """Read the keyword: how many numbers a vertex may have, and what is left of the lines."""
    number, words = lines[0] if lines else (1, [b""])
    found = _HEADER.match(words[0])
    if found is None:
        raise ValueError(f"it must begin with OFF; line {number} is {shown(b' '.join(words))!r}")
    texture, color, normal, homogeneous, dimensional, rest = found.groups()
    keyword = shown(words[0].removesuffix(rest))
    if homogeneous or dimensional:
        raise ValueError(f"it is of the kind {keyword}, whose vertices are not points in space")
    if words[1:2] == [b"BINARY"]:
        raise ValueError(f"it is of the kind {keyword} BINARY, which is not read: save it as text")
    more = 3 * bool(normal) + 2 * bool(texture)
    lengths = (6 + more, 7 + more) if color else (3 + more,)
    left = [word for word in (rest, *words[1:]) if word]
    return lengths, [(number, left), *lines[1:]] if left else lines[1:]


def _counts(lines: list[Line]) -> tuple[tuple[int, int], list[Line]]:
    """Read the numbers of vertices and faces; that of edges is often wrong, and means nothing."""
    number, words = lines[0] if lines else (1, [])
    try:
        n_vertices, n_faces, *n_edges = wholes(words)
        if len(n_edges) > 1 or min(n_vertices, n_faces) < 0:
            raise ValueError
    except ValueError:
        rule = "there must be the numbers of vertices, faces and edges"
        raise ValueError(f"at line {number} {rule}; received {shown(b' '.join(words))!r}") from None
    return (n_vertices, n_faces), lines[1:]


def _position(line: Line, lengths: tuple[int, ...]) -> list[float]:
    number, words = line
    try:
        if len(words) not in lengths:
            raise ValueError
        return reals(words[:3])
    except ValueError:
        rule = f"line {number} must be a vertex of {' or '.join(map(str, lengths))} numbers"
        raise ValueError(f"{rule}; received {shown(b' '.join(words))!r}") from None


def _polygon(line: Line) -> list[int]:
    number, words = line
    try:
        (n_corners,) = wholes(words[:1])
        if n_corners < 3 or len(words) - 1 - n_corners not in _NUMBERS_OF_COLOR:
            raise ValueError
        return wholes(words[1 : 1 + n_corners])
    except ValueError:
        rule = f"line {number} must be a face: how many corners, three or more, which, and perhaps a colour"
        raise ValueError(f"{rule}; received {shown(b' '.join(words))!r}") from None
