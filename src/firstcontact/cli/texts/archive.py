"""Arrays from .npz files."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.cli.command_error import CommandError


def read_archive(file: Path, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    """Read these arrays of a file; all of them must be there."""
    if not file.is_file():
        raise CommandError(f"there is no file {file}")
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            present = archive.files
            arrays = {name: archive[name] for name in names if name in present}
    except Exception:  # a damaged archive raises anything from zipfile, zlib and numpy
        raise CommandError(f"{file} is not an .npz file that can be read") from None
    if len(arrays) < len(names):
        has = ", ".join(present) or "none"
        raise CommandError(f"{file} must hold the arrays {' and '.join(names)}; it has {has}")
    return arrays
