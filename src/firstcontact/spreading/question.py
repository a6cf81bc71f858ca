"""The question that answers in a folder are about: they must be about the same one, and unchanged."""

import json
import pickle
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from firstcontact._whole_file import write_whole
from firstcontact.spreading.batch import Batch, part_of
from firstcontact.spreading.chunks import Span
from firstcontact.spreading.joining import Stripped

QUESTION = "question.json"

# Rows that are hashed at a time.
HASHED = 1 << 16


class Question:
    """A question about a batch, and the folder that has answers to it.

    Parameters
    ----------
    folder : is made if it is not there
    batch, nothing : the question, and the answer about no rows of it
    """

    def __init__(self, folder: Path, batch: Batch, nothing: Stripped) -> None:
        self.folder = folder
        self._text = {"rows": batch.n, "answer": nothing.kind.__name__, "digest": _digest(batch)}

    def is_begun(self, own: set[str]) -> bool:
        """Are there answers to it? Answers to another one are refused, and files that are not our own."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise ValueError(f"{self.folder} must be a folder, and is a file") from None
        path = self.folder / QUESTION
        if not path.exists():
            if {file.name for file in self.folder.iterdir()} - own:
                raise ValueError(f"{self.folder} must be empty, or have answers to this question")
            return False
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise self.changed(f"{QUESTION} is not what was written") from None
        if found != self._text:
            raise ValueError(f"{self.folder} has answers to another question: give another folder")
        return True

    def begin(self) -> None:
        """Say that answers to it are there; without it, nothing was begun."""
        write_whole(self.folder / QUESTION, json.dumps(self._text))

    def file(self, name: str) -> Path:
        """The file of a column."""
        return self.folder / f"{name or 'answer'}.npy"

    def column(self, name: str, like: Any, shape: tuple[int, ...], mode: Any) -> Any:
        """Open the file of a column, which must have this shape."""
        file = self.file(name)
        try:
            found = np.load(file, mmap_mode=mode, allow_pickle=False)
        except Exception:  # a damaged header makes NumPy raise anything at all
            raise self.changed(f"{file.name} cannot be read") from None
        if found.shape != shape or found.dtype != like.dtype:
            raise self.changed(f"{file.name} is not what was written")
        return found

    def changed(self, what: str) -> ValueError:
        """Make the error that says that a folder is not as it was left."""
        return ValueError(
            f"{self.folder} was changed since answers were written there, {what}: give another folder"
        )


def gaps(spans: list[Span], n: int) -> list[Span]:
    """Rows of n that no span has, as spans, in their order."""
    found, end = [], 0
    for first, last in sorted((*spans, (n, n))):
        if first > end:
            found.append((end, first))
        end = max(end, last)
    return found


def _digest(batch: Batch) -> str:
    """Hash a question, with all its rows."""
    digest = blake2b(written(batch.whole), digest_size=16)
    for first in range(0, batch.n, HASHED):
        digest.update(written(part_of(batch.rows, first, min(first + HASHED, batch.n))))
    return digest.hexdigest()


def written(thing: Any) -> bytes:
    """Write a thing down, the same in every process."""
    stream = BytesIO()
    _Ordered(stream, pickle.HIGHEST_PROTOCOL).dump(thing)
    return stream.getvalue()


class _Ordered(pickle.Pickler):
    """Writes the same thing in the same way in every process: sets, which have no order, in one."""

    def persistent_id(self, obj: Any) -> Any:
        """Give the members of a set in order; None for all else."""
        return sorted(map(written, obj)) if isinstance(obj, set | frozenset) else None
