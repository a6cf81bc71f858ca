"""Wavefront OBJ: the positions and faces of the file, exactly as it numbers them."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.numerals import shown
from firstcontact.io.polygons import triangles

# What is left out unless it is asked for: faces, points and lines; looks and names.
_LEFT_OUT = {
    *(b"f", b"l", b"p", b"vt", b"vn", b"vp", b"o", b"g", b"s", b"mg", b"usemtl", b"mtllib"),
    *(b"usemap", b"maplib", b"bevel", b"c_interp", b"d_interp", b"lod", b"shadow_obj", b"trace_obj"),
}
_FREE_FORM = {
    *(b"cstype", b"deg", b"bmat", b"step", b"curv", b"curv2", b"surf", b"parm", b"trim", b"hole", b"scrv"),
    *(b"sp", b"end", b"con", b"ctech", b"stech", b"bzp", b"bsp", b"cdc", b"cdp", b"res"),
}
# A line at once, which is faster than word by word. Of a number of vertices 64 bits hold 18 digits and more.
_NUMBER = rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_POSITION = re.compile(rb"\s*v(?:\s+" + _NUMBER + rb")+\s*")
_ROWS = re.compile(rb"\s*[fl](?:\s+[+-]?[0-9]{1,18}(?:/(?:[+-]?[0-9]+)?){0,2})+\s*")
# Positions, then a weight or a colour or both.
_NUMBERS_OF_V = (3, 4, 6, 7)


def read_obj(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read the `v` and `f` lines of all groups; polygons become triangles, in the file's order.

    General readers split the vertices at texture seams and reorder the faces by group and material, which
    renumbers both. Here row `i` of the vertices is the file's `v` line `i`.

    Returns
    -------
    vertices : (n, 3)
    faces : (m, 3)

    Raises
    ------
    ValueError
        With the number of the line that cannot be read, or says what is not read here.
    """
    vertices, counts, corners = _rows_of(path, b"f", least=3)
    return vertices, triangles(vertices, counts, corners)


def read_obj_lines(path: Path) -> tuple[NDArray[np.float64], list[int]]:
    """Read the `l` lines of all groups: the positions along each, one after the other, and how many.

    Raises
    ------
    ValueError
        With the number of the line that cannot be read, or a line through a vertex that is not there.
    """
    vertices, counts, rows = _rows_of(path, b"l", least=2)
    if rows and max(rows) >= len(vertices):
        raise ValueError(f"its lines are of vertices up to {max(rows) + 1}, and it has {len(vertices)}")
    return vertices[rows], counts


def _rows_of(path: Path, wanted: bytes, least: int) -> tuple[NDArray[np.float64], list[int], list[int]]:
    """Read all positions, and of each line that begins with a keyword its rows of them, `least` or more."""
    positions: list[list[float]] = []
    counts: list[int] = []
    corners: list[int] = []
    for number, line in _lines(path.read_bytes().removeprefix(b"\xef\xbb\xbf")):
        keyword = (line.split(maxsplit=1) or [b""])[0]
        try:
            if keyword == b"v":
                positions.append(_position(line))
            elif keyword == wanted:
                rows = _rows(line, len(positions), least)
                corners += rows
                counts.append(len(rows))
            elif keyword and keyword not in _LEFT_OUT:
                raise ValueError(_unread(keyword))
        except ValueError as error:
            reason = str(error) or f"cannot be read: {shown(line)}"
            raise ValueError(f"line {number} {reason}") from None
    return np.array(positions).reshape(-1, 3), counts, corners


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the lines without comments, those that end in a backslash joined to the next."""
    held, first = b"", 0
    for number, line in enumerate(content.splitlines(), start=1):
        text, mark, _ = line.partition(b"#")
        first = first or number
        if text.endswith(b"\\") and not mark:  # a comment ends with its line
            held += text[:-1] + b" "
            continue
        yield first, held + text
        held, first = b"", 0
    if held:
        yield first, held


def _position(line: bytes) -> list[float]:
    if not _POSITION.fullmatch(line):
        raise ValueError
    numbers = [float(word) for word in line.split()[1:]]
    if len(numbers) not in _NUMBERS_OF_V:
        raise ValueError
    if len(numbers) == 4 and numbers[3] != 1.0:
        raise ValueError(f"has the weight {numbers[3]:g}, which is for curves and not for faces")
    return numbers[:3]


def _rows(line: bytes, n_vertices: int, least: int) -> list[int]:
    """Turn corners such as `7`, `7/1/2` or `-1` (the latest vertex) into rows of the vertices."""
    if not _ROWS.fullmatch(line):
        raise ValueError
    numbers = [int(word.partition(b"/")[0]) for word in line.split()[1:]]
    rows = [number - 1 if number > 0 else n_vertices + number for number in numbers]
    if len(rows) < least or 0 in numbers or min(rows) < 0:
        raise ValueError
    return rows


def _unread(keyword: bytes) -> str:
    name = shown(keyword)
    if keyword in _FREE_FORM:
        return f"has {name!r}: curves and free-form surfaces are not read"
    return f"begins with {name!r}, which is none of the keywords that are read"
