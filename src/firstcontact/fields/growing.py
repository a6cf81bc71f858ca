"""Growing the octree of a field, on all threads."""

from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from firstcontact._jit import PARTS_A_THREAD, on_threads, thread_count
from firstcontact.fields.cells import DONE, IS_FULL, IS_TANGLED, Grown, Task, grow_roots, room_for
from firstcontact.fields.octree import Octree

# Leaves that there is room for at first in a part of the work; it grows fourfold.
FIRST_ROOM = 4096


class TangledError(ValueError):
    """A closed surface that passes through itself."""


class Part(NamedTuple):
    """Cubes of the grid from first on, with all that grew in them; links as if they were alone."""

    first: int
    n_roots: int
    grown: Grown


class Quota:
    """How many cells there may be in all; shared by threads."""

    def __init__(self, max_cells: int) -> None:
        self.max_cells = max_cells
        self._used = 0
        self._lock = Lock()

    def take(self, n: int) -> None:
        """Count cells; too many of them raise a `ValueError`."""
        with self._lock:
            self._used += n
            if self._used > self.max_cells:
                raise ValueError(
                    f"the field needs more than max_cells={self.max_cells} cells: "
                    "allow more, or a larger tolerance"
                )


def grown_octree(task: Task, max_cells: int, tell: Callable[[int], Any]) -> Octree:
    """Cover the grid of a task by cells, each proven; tell how many cubes are done, time after time."""
    n_roots = int(np.prod(task.grid.shape))
    n_threads = min(thread_count(), n_roots)
    n_parts = min(PARTS_A_THREAD * n_threads, n_roots)
    ends = [n_roots * i // n_parts for i in range(n_parts + 1)]
    quota, parts = Quota(max_cells), [list[Part]() for _ in range(n_parts)]

    def share(thread: int) -> None:
        room = room_for(len(task.source.surface.triangles))
        for i in range(thread, n_parts, n_threads):
            parts[i] = _grow_part(task, room, ends[i], ends[i + 1], quota)
            tell(ends[i + 1] - ends[i])

    on_threads(share, n_threads)
    return _joined(task, [part for some in parts for part in some], n_roots)


def _grow_part(task: Task, room: Any, first: int, last: int, quota: Quota) -> list[Part]:
    """Cover cubes first to last; where the room is too small, go on with more of it."""
    parts, n_leaves = [], FIRST_ROOM
    while first < last:
        n = last - first
        counts = np.array([n, 0])
        links = np.empty(n + n_leaves * 8 // 7 + 8, np.int32)
        grown = Grown(links, np.empty((n_leaves, 8), np.float32), counts)
        outcome, end = grow_roots(task, room, grown, first, last)
        if outcome not in (DONE, IS_FULL):
            _refuse(outcome, task)
        if end > first:
            quota.take(int(counts[1]))
            kept = Grown(links[: counts[0]].copy(), grown.values[: counts[1]].copy(), counts)
            parts.append(Part(first, n, kept))
        else:
            n_leaves *= 4
            if n_leaves > 8 * quota.max_cells:
                quota.take(n_leaves)
        first = end
    return parts


def _refuse(outcome: int, task: Task) -> None:
    if outcome == IS_TANGLED:
        raise TangledError("the mesh passes through itself: which side is inside is not one question then")
    raise ValueError(
        f"a tolerance of {task.allowed.tolerance:.3g} needs cells of less than 1/65536 of "
        f"{task.grid.width:.3g}: allow a larger one"
    )


def _joined(task: Task, parts: list[Part], n_roots: int) -> Octree:
    """Put parts together: the cubes of the grid first, then what grew in each part."""
    links = np.empty(n_roots + sum(len(part.grown.links) - part.n_roots for part in parts), np.int32)
    n_nodes, n_leaves, after = n_roots, 0, [part.first for part in parts[1:]] + [n_roots]
    for part, end in zip(parts, after, strict=True):
        own, n = part.grown.links, part.n_roots
        moved = np.where(own >= 0, own + (n_nodes - n), own - n_leaves).astype(np.int32)
        links[part.first : end] = moved[: end - part.first]
        links[n_nodes : n_nodes + len(own) - n] = moved[n:]
        n_nodes, n_leaves = n_nodes + len(own) - n, n_leaves + len(part.grown.values)
    values = np.concatenate([part.grown.values for part in parts])
    return Octree(task.grid, links, values)
