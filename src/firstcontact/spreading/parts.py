"""Answers of unequal rows that are kept in a folder: in parts, and in columns once all are there."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from firstcontact._whole_file import whole_file, write_whole
from firstcontact.spreading.batch import Batch
from firstcontact.spreading.chunks import Span
from firstcontact.spreading.column_file import make_column, write_rows
from firstcontact.spreading.joining import OFFSETS, Stripped
from firstcontact.spreading.question import Question, gaps

WHOLE, SPAN = "whole.json", "span"

# Rows that are summed at a time.
SUMMED = 1 << 18

_PART = re.compile(r"part-(\d+)-(\d+)\.npz")


class InParts:
    """Keeps answers of which each row has any number of numbers: arrays by `offsets`, and lists of text.

    A part that is there stays: a run that was interrupted goes on where it stopped. When all are there, each
    column becomes a file, and the parts go.

    Parameters
    ----------
    folder : is made if it is not there
    batch, nothing : the question, and the answer about no rows of it
    """

    def __init__(self, folder: Path, batch: Batch, nothing: Stripped) -> None:
        self._folder, self._n, self._nothing = folder, batch.n, nothing
        self._question = Question(folder, batch, nothing)
        if not self._question.is_begun(set()):
            self._question.begin()
        self._parts = self._found()

    def missing(self) -> list[Span]:
        """Rows that nothing is kept of."""
        return [] if (self._folder / WHOLE).exists() else gaps(list(self._parts), self._n)

    def put(self, span: Span, answer: Stripped) -> None:
        """Write a part, whole or not at all."""
        columns: dict[str, Any] = {name: np.array(value) for name, value in answer.known.items()}
        columns[SPAN] = np.array(span)
        file = self._folder / f"part-{span[0]}-{span[1]}.npz"
        with whole_file(file) as stream:
            np.savez(stream, **columns)
        self._parts[span] = file

    def all(self) -> Stripped:
        """Give all columns, as files that are read where they are looked at."""
        if not (self._folder / WHOLE).exists():
            self._join()
        for file in self._parts.values():  # also those that an interrupted run left behind
            with suppress(OSError):
                file.unlink()
        told = self._told()
        known: dict[str, Any] = {}
        for name, like in self._nothing.known.items():
            if isinstance(like, list):
                known[name] = told[name]
                continue
            length, own = told[name]
            column = self._question.column(name, like, (length, *like.shape[1:]), "c")
            if own != _sum(column):
                raise self._question.changed(f"{name}.npy is not what was written")
            known[name] = np.asarray(column)
        return Stripped(self._nothing.kind, known)

    def _found(self) -> dict[Span, Path]:
        """Parts that are there, by their rows, which must not overlap."""
        matches = [(_PART.fullmatch(file.name), file) for file in self._folder.iterdir()]
        parts = {(int(match[1]), int(match[2])): file for match, file in matches if match}
        end = 0
        for first, last in sorted(parts):
            if not end <= first < last <= self._n:
                raise self._question.changed(f"{parts[first, last].name} is not what was written")
            end = last
        return parts

    def _join(self) -> None:
        """Make a file of each column, one part after the other, so that no more than one is in memory."""
        spans, told = sorted(self._parts), {}
        for name, like in self._nothing.known.items():
            if isinstance(like, list):
                told[name] = [text for span in spans for text in self._loaded(span, name).tolist()]
            else:
                told[name] = self._written(name, like, spans)
        write_whole(self._folder / WHOLE, json.dumps(told))  # the last: without it, the parts are what counts

    def _written(self, name: str, like: Any, spans: list[Span]) -> list[int]:
        """Write a column; give its length, and a sum over it."""
        is_offsets = name == OFFSETS
        length = sum(len(self._loaded(span, name)) - is_offsets for span in spans) + is_offsets
        file, shape = self._question.file(name), (length, *like.shape[1:])
        make_column(file, like.dtype, shape)
        column = self._question.column(name, like, shape, "r")
        end, before = int(is_offsets), 0
        for span in spans:
            part = self._loaded(span, name)
            if is_offsets:
                part = part[1:] + before
                before = int(part[-1])
            write_rows(file, column, end, part)
            end += len(part)
        return [length, _sum(column)]

    def _loaded(self, span: Span, name: str) -> Any:
        """A column of a part; what is damaged, or of other rows, is refused."""
        file = self._parts[span]
        try:
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as part:
                if tuple(part[SPAN].tolist()) != span:
                    raise ValueError
                return part[name]
        except Exception:  # a damaged archive makes NumPy raise anything at all
            raise self._question.changed(f"{file.name} is not what was written") from None

    def _told(self) -> dict[str, Any]:
        """Lengths and sums of all columns, and the lists."""
        try:
            told = json.loads((self._folder / WHOLE).read_text(encoding="utf-8"))
            for name, like in self._nothing.known.items():
                is_list = isinstance(like, list)
                if {type(item) for item in told[name]} - {str if is_list else int}:
                    raise ValueError
                if not is_list and len(told[name]) != len(("length", "sum")):
                    raise ValueError
        except (OSError, ValueError, TypeError, KeyError):
            raise self._question.changed(f"{WHOLE} is not what was written") from None
        return dict(told)


def _sum(column: Any) -> int:
    """A sum over a column, of which only a part is in memory at a time."""
    total = 0
    for first in range(0, len(column), SUMMED):
        total = crc32(column[first : first + SUMMED].tobytes(), total)
    return total
