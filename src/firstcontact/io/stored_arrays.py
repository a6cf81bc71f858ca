"""Arrays in .npz files, from whom ever they come."""

import os
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_path
from firstcontact._whole_file import whole_file
from firstcontact.io.file_name import file_name

NPZ = ".npz"

# The most that the arrays of a file may have, unpacked, where nothing else limits them.
MOST_BYTES = 1 << 30


def write_arrays(file: str | os.PathLike[str], **arrays: Any) -> None:
    """Write arrays to a file that ends in .npz, whole or not at all."""
    path = as_path("file", file)
    if path.suffix.lower() != NPZ:
        raise ValueError(f"file must end in {NPZ}; received {file_name(path)}")
    with whole_file(path) as stream:
        np.savez_compressed(stream, **arrays)


def read_arrays(
    path: Path, names: tuple[str, ...], most_bytes: int, may_have: tuple[str, ...] = ()
) -> dict[str, NDArray[Any]]:
    """Read these arrays, which must be there, and others, which may; what is none of them is not read."""
    with ZipFile(path) as archive:
        size = sum(item.file_size for item in archive.infolist())
        # Others unpack all that they are given, whatever size they say.
        if any(item.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for item in archive.infolist()):
            raise ValueError("it is packed in another way than save does")
    if size > most_bytes:
        raise ValueError(f"it holds {size:,} bytes; {most_bytes:,} can be read")
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        if not set(names) <= set(arrays.files):
            raise ValueError(f"it must hold the arrays {', '.join(names)}; it has {', '.join(arrays.files)}")
        found = {name: arrays[name] for name in (*names, *may_have) if name in arrays.files}
    for name, array in found.items():
        if not isinstance(array, np.ndarray):  # numpy gives what is no array as bytes
            raise ValueError(f"{name} is no array")
    return found
