"""Wavefront OBJ: the positions and faces of the file, exactly as it numbers them."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def read_obj(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read the `v` and `f` lines of all groups; polygons become fans, in the file's order.

    General readers split the vertices at texture seams and reorder the faces by group and material, which
    renumbers both. Here row `i` of the vertices is the file's `v` line `i`.

    Returns
    -------
    vertices : (n, 3)
    faces : (m, 3)

    Raises
    ------
    ValueError
        With the number of the line that cannot be read.
    """
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    # Undecodable bytes can only stand in names and comments of a sound file: keep them out of the way.
    text = path.read_text(encoding="utf-8", errors="replace").replace("\\\r\n", "  ").replace("\\\n", "  ")
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.partition("#")[0].split()
        try:
            if words and words[0] == "v":
                x, y, z = words[1:4]
                vertices.append((float(x), float(y), float(z)))
            elif words and words[0] == "f":
                faces += _fan([_row(word, len(vertices)) for word in words[1:]])
        except ValueError:
            raise ValueError(f"line {number} cannot be read: {line.strip()[:60]}") from None
    return np.array(vertices).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)


def _row(word: str, n_vertices: int) -> int:
    """Turn a corner such as `7`, `7/1/2` or `-1` (the latest vertex) into a row of the vertices."""
    number = int(word.partition("/")[0])
    row = number - 1 if number > 0 else n_vertices + number
    if number == 0 or row < 0:
        raise ValueError
    return row


def _fan(rows: list[int]) -> list[tuple[int, int, int]]:
    if len(rows) < 3:
        raise ValueError
    return [(rows[0], rows[i], rows[i + 1]) for i in range(1, len(rows) - 1)]
