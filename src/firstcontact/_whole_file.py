"""Files that are written whole, or not at all."""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write to: in the end all of it is there, or, after a fault, what was there before.

    A device or a pipe, which cannot be replaced, takes what comes. Faults of the system name the file.
    """
    target = Path(os.path.realpath(path))  # not the link, but what it leads to
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                yield stream
        else:
            yield from _replaced(target)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replaced(target: Path) -> Iterator[BinaryIO]:
    partial = target.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with partial.open("xb") as stream:
            yield stream
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def write_whole(path: Path, text: str) -> Path:
    """Write a text; half of a surrogate pair, as names of files may have, as its number."""
    with whole_file(path) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))
    return path
