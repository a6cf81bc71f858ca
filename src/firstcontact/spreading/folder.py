"""Answers that are kept in a folder: those that are larger than memory, and those that took long to find."""

import json
import os
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from firstcontact.spreading.batch import Batch
from firstcontact.spreading.chunks import Span
from firstcontact.spreading.column_file import make_column, write_rows
from firstcontact.spreading.joining import OFFSETS, Stripped
from firstcontact.spreading.question import Question, gaps

DONE = "done.txt"


class InFolder:
    """Keeps answers about the rows of a batch in a folder: a file for each column, written to as they come.

    Rows that are there stay: a run that was interrupted goes on where it stopped. A folder with answers to
    another question is refused, and one that was changed in the meantime.

    Parameters
    ----------
    folder : is made if it is not there
    batch, nothing : the question, and the answer about no rows of it
    """

    def __init__(self, folder: Path, batch: Batch, nothing: Stripped) -> None:
        self._n, self._nothing = batch.n, nothing
        self._columns = _columns(nothing.known, batch.axis)
        self._question = Question(folder, batch, nothing)
        self._path = folder / DONE
        if self._question.is_begun({self._question.file(name).name for name in self._columns}):
            self._mend()
        else:
            for name, like in self._columns.items():
                make_column(self._question.file(name), like.dtype, self._shape(like))
            self._question.begin()
        self._arrays = self._opened("r")
        self._done = self._checked()

    def missing(self) -> list[Span]:
        """Rows that nothing is kept of."""
        return gaps([(first, last) for first, last, _ in self._done], self._n)

    def put(self, span: Span, answer: Stripped) -> None:
        """Write a part, and then that it is there."""
        for name, array in self._arrays.items():
            write_rows(self._question.file(name), array, span[0], _value(answer.known, name))
        counts = _counts(answer.known)
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{json.dumps([*span, counts, self._sum(span)])}\n")
            file.flush()
            os.fsync(file.fileno())
        self._done.append((*span, counts))

    def all(self) -> Stripped:
        """Give all columns, as files that are read where they are looked at."""
        known = dict(self._nothing.known)
        for name, column in self._opened("c").items():
            head, _, counter = name.partition(".")
            array = np.asarray(column)
            known[head] = replace(known[head], **{counter: array}) if counter else array
        if "stats" in known:
            counts = [counts for _, _, counts in self._done]
            total = {name: sum(one[name] for one in counts) for name in _counts(known)}
            known["stats"] = replace(known["stats"], **total)
        self._arrays = {}
        return Stripped(self._nothing.kind, known)

    def _shape(self, like: Any) -> tuple[int, ...]:
        return self._n, *like.shape[1:]

    def _opened(self, mode: str) -> dict[str, Any]:
        columns = self._columns.items()
        return {name: self._question.column(name, like, self._shape(like), mode) for name, like in columns}

    def _mend(self) -> None:
        """Take a last line away that was cut off: what follows would become a part of it."""
        if self._path.exists():
            os.truncate(self._path, self._path.read_bytes().rfind(b"\n") + 1)

    def _checked(self) -> list[tuple[int, int, dict[str, float]]]:
        """Rows that are there, and what was counted of them; they must be what was written."""
        found: list[tuple[int, int, dict[str, float]]] = []
        for first, last, counts, own in self._lines():
            if own != self._sum((first, last)):
                raise self._question.changed(f"rows {first} to {last - 1} are not what was written")
            found.append((first, last, counts))
        return found

    def _lines(self) -> list[Any]:
        """Lines about rows that were written, in the order of the rows, of which none is there twice."""
        names, end = _counts(self._nothing.known).keys(), 0
        try:
            text = self._path.read_text(encoding="ascii") if self._path.exists() else ""
            lines = sorted(map(json.loads, text.split("\n")[:-1]), key=lambda line: (line[0], line[1]))
            for first, last, counts, own in lines:
                is_good = end <= first < last <= self._n and counts.keys() == names
                if not is_good or {type(n) for n in (first, last, own)} != {int}:
                    raise ValueError
                sum(counts.values())
                end = last
        except (ValueError, TypeError, AttributeError, LookupError):
            raise self._question.changed(f"{DONE} is not what was written") from None
        return lines

    def _sum(self, span: Span) -> int:
        """A sum over all that is kept of some rows."""
        total = 0
        for array in self._arrays.values():
            total = crc32(array[span[0] : span[1]].tobytes(), total)
        return total


def _columns(known: dict[str, Any], axis: int) -> dict[str, Any]:
    """Arrays with a row for each row of a batch, by their names; those of counters as `stats.name`."""
    if axis != 0 or OFFSETS in known or any(isinstance(value, list) for value in known.values()):
        raise ValueError("out is for answers with as many numbers for each row; leave it out here")
    found = {}
    for name, value in known.items():
        if isinstance(value, np.ndarray):
            found[name] = value
        elif name == "stats" and is_dataclass(value):
            counts = {item.name: getattr(value, item.name) for item in fields(value)}
            found |= {f"{name}.{k}": v for k, v in counts.items() if isinstance(v, np.ndarray)}
    return found


def _counts(known: dict[str, Any]) -> dict[str, float]:
    """Counters of all rows together."""
    stats = known.get("stats")
    found = {item.name: getattr(stats, item.name) for item in fields(stats)} if is_dataclass(stats) else {}
    return {name: value for name, value in found.items() if isinstance(value, int | float)}


def _value(known: dict[str, Any], name: str) -> Any:
    head, _, counter = name.partition(".")
    return getattr(known[head], counter) if counter else known[head]
