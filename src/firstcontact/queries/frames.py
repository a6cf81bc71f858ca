"""Frames of a sequence, as they travel: names of files that are read where they are solved, or places.

Both count as rows of a batch by their steps: from a frame to the next one.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from firstcontact._validate import as_path, as_positions, as_several, shown
from firstcontact.arrays import Array
from firstcontact.io.load import load
from firstcontact.shapes.mesh import Mesh
from firstcontact.spreading.batch import is_read_in_parts


@dataclass(frozen=True)
class FileFrames:
    """Mesh files, one a frame.

    paths : from the root, so that they are the same wherever they are read
    stamps : size and time of change of each, None unless answers about them are kept: others are other frames
    first : number of the first
    """

    paths: tuple[str, ...]
    stamps: tuple[tuple[int, int], ...] | None = None
    first: int = 0

    def __len__(self) -> int:
        return len(self.paths)

    def chosen(self, span: slice, is_batch: bool) -> Self:
        """Frames of some steps."""
        own = slice(span.start, span.stop + 1)
        stamps = None if self.stamps is None else self.stamps[own]
        return replace(self, paths=self.paths[own], stamps=stamps, first=self.first + span.start)

    def name(self, k: int) -> str:
        """What a frame is called."""
        return self.paths[k]

    def read(self, k: int) -> Mesh:
        """Read a frame."""
        return load(self.paths[k])

    def stamped(self) -> Self:
        """Know the frames by their sizes and times of change, too."""
        return replace(self, stamps=tuple(map(_stamp, self.paths)))


@dataclass(frozen=True)
class PlacedFrames:
    """Places of all vertices, (k, n, 3), which may be in a file or of Dask; `first` is the first's number."""

    places: Any
    first: int = 0

    def __len__(self) -> int:
        return len(self.places)

    def chosen(self, span: slice, is_batch: bool) -> Self:
        """Frames of some steps."""
        part = np.array(self.places[span.start : span.stop + 1], order="C")
        return replace(self, places=part, first=self.first + span.start)

    def name(self, k: int) -> str:
        """What a frame is called."""
        return f"frame {self.first + k}"

    def read(self, k: int) -> Array:
        """Give the places of a frame."""
        places: Array = np.asarray(self.places[k])
        return places


Frames = FileFrames | PlacedFrames


def as_frames(frames: Any, mesh: Mesh | None) -> Frames:
    """Accept paths of mesh files, or with a mesh the places of its vertices in each frame."""
    if mesh is None:
        if isinstance(frames, str | os.PathLike) or _is_array(frames):
            rule = "frames must be paths of mesh files, one each, or with a mesh places of its vertices"
            raise TypeError(f"{rule}; received {shown(frames)}")
        paths = [as_path("a frame", frame) for frame in as_several("frames", frames)]
        return FileFrames(tuple(str(path.absolute()) for path in paths))
    places = frames if is_read_in_parts(frames) else _stacked(frames, mesh.n_vertices)
    if np.ndim(places) != 3 or places.shape[1:] != (mesh.n_vertices, 3):
        rule = f"frames must have shape (k, {mesh.n_vertices}, 3), as the mesh has vertices"
        raise ValueError(f"{rule}; received {np.shape(places)}")
    return PlacedFrames(places)


def _stacked(frames: Any, n_vertices: int) -> Any:
    """Join frames; what is wrong with one by itself is told when its step is worked on."""
    if isinstance(frames, np.ndarray) and frames.ndim == 3:
        return frames
    several: Sequence[Any] = as_several("frames", frames)
    if not several:
        return np.empty((0, n_vertices, 3))
    return np.stack([as_positions(f"frame {k}", frame, n_vertices) for k, frame in enumerate(several)])


def _is_array(frames: Any) -> bool:
    return isinstance(frames, np.ndarray) and frames.dtype.kind in "fiub"


def _stamp(path: str) -> tuple[int, int]:
    """Size and time of change of a file; nothing of one that is not there."""
    try:
        found = Path(path).stat()
    except OSError:
        return -1, -1
    return found.st_size, found.st_mtime_ns
