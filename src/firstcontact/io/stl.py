"""STL, in its two forms."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_HEADER, _FACE = 84, 50  # bytes before the faces, and of each
_BINARY = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_NUMBER = rb"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s+"
_CORNER = rb"vertex\s+" + 3 * _NUMBER
_FACET = re.compile(
    # Normals are often none: what they are made of does not matter.
    rb"\s*facet\s+normal\s+(?:\S+\s+){3}outer\s+loop\s+" + 3 * _CORNER + rb"endloop\s+endfacet(?=\s)",
    re.IGNORECASE,
)
_SOLID = re.compile(rb"\s*solid(?:[ \t][^\r\n]*)?(?=[\r\n])", re.IGNORECASE)
_NOTHING = re.compile(rb"\s*\Z")
_END = re.compile(rb"\s*endsolid(?:[ \t][^\r\n]*)?(?=[\r\n]|\Z)", re.IGNORECASE)


def read_stl(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read all facets of all solids, with three vertices for each; normals are not read.

    A file is binary if its size is that of the number of facets in it; many of these begin with "solid" too.

    Raises
    ------
    ValueError
        The file is neither, or ends too early or too late.
    """
    content = path.read_bytes()
    n_faces = int.from_bytes(content[_HEADER - 4 : _HEADER], "little")
    if len(content) >= _HEADER and len(content) == _HEADER + n_faces * _FACE:
        vertices = np.frombuffer(content, _BINARY, n_faces, _HEADER)["corners"].astype(np.float64)
    elif _SOLID.match(content):
        vertices = np.array(_corners(content))
    elif len(content) >= _HEADER:
        rule = f"{n_faces} faces take {_HEADER + n_faces * _FACE} bytes"
        raise ValueError(
            f"it is no text, and says that it has {n_faces} faces: {rule}, it has {len(content)}"
        )
    else:
        raise ValueError(f"it is no text, and {len(content)} bytes are less than the header of a binary file")
    return vertices.reshape(-1, 3), np.arange(vertices.size // 3).reshape(-1, 3)


def _corners(content: bytes) -> list[float]:
    """Read the text: solid after solid, each with its facets, and nothing between them."""
    numbers: list[float] = []
    place = 0
    while not (place and _NOTHING.match(content, place)):
        place = _after(_SOLID, content, place, "solid")
        while found := _FACET.match(content, place):
            numbers += map(float, found.groups())
            place = found.end()
        place = _after(_END, content, place, "facet of three vertices, or endsolid")
    return numbers


def _after(pattern: re.Pattern[bytes], content: bytes, place: int, expected: str) -> int:
    found = pattern.match(content, place)
    if found is None:
        rest = content[place:]
        line = content.count(b"\n", 0, place + len(rest) - len(rest.lstrip())) + 1
        raise ValueError(f"at line {line} there must be a {expected}")
    return found.end()
