"""Segments joined to curves."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array


def joined_curves(segments: Array) -> list[Array]:
    """Join segments (n, 2, 3) to polylines (k, 3); the first point of a loop is its last, too.

    Polylines end where one or more than two segments meet.
    """
    points, ids = np.unique(segments.reshape(-1, 3) + 0.0, axis=0, return_inverse=True)
    links = np.sort(ids.reshape(-1, 2), axis=1)
    links = np.unique(links[links[:, 0] != links[:, 1]], axis=0)
    return [points[line] for line in _lines(len(points), links)]


def _lines(n: int, links: NDArray[np.intp]) -> list[list[int]]:
    """Walk along links, (m, 2), between n points; each once. From ends and forks first, then around loops."""
    degrees = np.bincount(links.reshape(-1), minlength=n)
    ways: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for way, (i, j) in enumerate(links.tolist()):
        ways[i].append((way, j))
        ways[j].append((way, i))
    is_left, is_passed = [True] * len(links), (degrees == 2).tolist()
    lines = []
    for start in np.argsort(degrees == 2, kind="stable").tolist():
        for first, end in ways[start]:
            if not is_left[first]:
                continue
            is_left[first], line = False, [start, end]
            while is_passed[line[-1]] and line[-1] != start:
                way, there = next(step for step in ways[line[-1]] if is_left[step[0]])
                is_left[way] = False
                line.append(there)
            lines.append(line)
    return lines
