"""Columns of an answer in files, which are written to in parts and read as arrays.

They are written to as files are, not as mapped memory: a full disk is an error then, which can be told, and
not the end of the process.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy


def make_column(file: Path, dtype: Any, shape: tuple[int, ...]) -> None:
    """Make the file of a column, of zeros: those that nobody has written yet take no room."""
    header = {"descr": npy.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape}
    with file.open("wb") as stream:
        npy.write_array_header_1_0(stream, header)
        stream.truncate(stream.tell() + int(np.prod(shape)) * np.dtype(dtype).itemsize)


def write_rows(file: Path, column: Any, first: int, rows: Any) -> None:
    """Write rows of a column, from the first of them on, and wait until they are there.

    column : the file as a mapped array, which shows them then
    """
    part = np.ascontiguousarray(rows, column.dtype)
    if part.shape[1:] != column.shape[1:]:
        raise ValueError(f"rows of {file.name} must have shape {column.shape[1:]}; received {part.shape[1:]}")
    try:
        with file.open("r+b") as stream:
            stream.seek(column.offset + first * column.strides[0])
            stream.write(part.tobytes())
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
