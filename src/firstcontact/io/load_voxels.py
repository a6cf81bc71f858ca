"""Files of voxels."""

import os
from pathlib import Path

import numpy as np

from firstcontact._validate import as_path
from firstcontact._whole_file import whole_file
from firstcontact.io.file_name import file_name
from firstcontact.io.load import read_file
from firstcontact.io.octomap import MIDDLE, MOST_CELLS, bt_bytes, read_bt
from firstcontact.io.stored_arrays import read_arrays, write_arrays
from firstcontact.shapes.voxels import Voxels

FORMATS = (".bt", ".npz")

# The arrays of an archive, and the most bytes that they may have, unpacked.
NAMES = ("cells", "size", "origin")
MOST_BYTES = 3 * 8 * MOST_CELLS + (1 << 16)


def load_voxels(path: str | os.PathLike[str]) -> Voxels:
    """Load voxels from a binary file of OctoMap (.bt), or one that `Voxels.save` wrote (.npz, .bt).

    Of an OctoMap the occupied cells are read: what is free and what is unknown are not told apart. What is
    damaged, or has more than 16,777,216 cells, is refused in a `MeshFileError`.

    Parameters
    ----------
    path : the file; its extension tells the format

    Examples
    --------
    >>> import firstcontact as fc
    >>> file = getfixture("tmp_path") / "room.bt"
    >>> fc.Voxels([[0, 0, 0], [-3, 5, 1]], size=0.1).save(file)
    >>> fc.load_voxels(file)
    Voxels(2 cells of 0.1, from [-0.3, 0, 0] to [0.1, 0.6, 0.2])
    >>> _ = file.write_bytes(b"no tree")
    >>> fc.load_voxels(file)
    Traceback (most recent call last):
    firstcontact.errors.MeshFileError: ...room.bt cannot be read: it must begin with '# Octomap...
    """
    return read_file("a file of voxels", path, FORMATS, lambda file: _READERS[file.suffix.lower()](file))


def save_voxels(voxels: Voxels, file: str | os.PathLike[str]) -> None:
    """Write voxels, whole or not at all."""
    path = as_path("file", file)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"file must end in one of {', '.join(FORMATS)}; received {file_name(path)}")
    if suffix != ".bt":
        write_arrays(path, cells=voxels.cells, size=np.float64(voxels.size), origin=voxels.origin)
        return
    content = _bt_of(voxels)
    with whole_file(path) as stream:
        stream.write(content)


def _bt_of(voxels: Voxels) -> bytes:
    shift = np.rint(voxels.origin / voxels.size)
    if not np.array_equal(shift * voxels.size, voxels.origin):
        raise ValueError(f"a .bt file begins at 0, 0, 0, and this grid at {voxels.origin}: write .npz")
    cells = voxels.cells + shift.astype(np.int64)
    if len(cells) and (cells.min() < -MIDDLE or cells.max() >= MIDDLE):
        raise ValueError(f"a .bt file has cells from {-MIDDLE} to {MIDDLE - 1} along each axis: write .npz")
    return bt_bytes(cells, voxels.size)


def _read_bt(path: Path) -> Voxels:
    return Voxels(*read_bt(path))


def _read_npz(path: Path) -> Voxels:
    cells, width, origin = read_arrays(path, NAMES, MOST_BYTES).values()
    if cells.dtype.kind not in "iu" or width.shape != ():
        raise ValueError("its arrays are not those of voxels")
    return Voxels(cells, float(width), origin)


_READERS = {".bt": _read_bt, ".npz": _read_npz}
