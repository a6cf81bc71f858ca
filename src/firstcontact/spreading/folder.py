"""Answers that are kept in a folder: those that are larger than memory, and those that took long to find."""

import json
import os
import pickle
from dataclasses import fields, is_dataclass, replace
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from firstcontact._whole_file import write_whole
from firstcontact.spreading.batch import Batch, part_of
from firstcontact.spreading.chunks import Span
from firstcontact.spreading.joining import OFFSETS, Stripped

QUESTION, DONE = "question.json", "done.txt"

# Rows that are hashed at a time.
HASHED = 1 << 16


class InFolder:
    """Keeps answers about the rows of a batch in a folder: a file for each column, written to as they come.

    Rows that are there stay: a run that was interrupted goes on where it stopped. A folder with answers to
    another question is refused.

    Parameters
    ----------
    folder : is made if it is not there
    batch, nothing : the question, and the answer about no rows of it
    """

    def __init__(self, folder: Path, batch: Batch, nothing: Stripped) -> None:
        self._folder, self._n, self._nothing = folder, batch.n, nothing
        columns = _columns(nothing.known, batch.axis)
        folder.mkdir(parents=True, exist_ok=True)
        question = {"rows": batch.n, "answer": nothing.kind.__name__, "digest": _digest(batch)}
        self._begin(question, columns)
        self._arrays = {name: np.load(self._file(name), mmap_mode="r+") for name in columns}

    def missing(self) -> list[Span]:
        """Rows that nothing is kept of."""
        found, end = [], 0
        spans = [(first, last) for first, last, _ in self._done()]
        for first, last in sorted((*spans, (self._n, self._n))):
            if first > end:
                found.append((end, first))
            end = max(end, last)
        return found

    def put(self, span: Span, answer: Stripped) -> None:
        """Write a part, and then that it is there."""
        for name, array in self._arrays.items():
            array[span[0] : span[1]] = _value(answer.known, name)
            array.flush()
        with (self._folder / DONE).open("a", encoding="ascii") as file:
            file.write(f"{json.dumps([*span, _counts(answer.known)])}\n")
            file.flush()
            os.fsync(file.fileno())

    def all(self) -> Stripped:
        """Give all columns, as files that are read where they are looked at."""
        known = dict(self._nothing.known)
        for name in self._arrays:
            array = np.asarray(np.load(self._file(name), mmap_mode="c"))
            head, _, counter = name.partition(".")
            known[head] = replace(known[head], **{counter: array}) if counter else array
        if "stats" in known:
            counts = [counts for _, _, counts in self._done()]
            total = {name: sum(one[name] for one in counts) for name in _counts(known)}
            known["stats"] = replace(known["stats"], **total)
        self._arrays = {}
        return Stripped(self._nothing.kind, known)

    def _begin(self, question: dict[str, Any], columns: dict[str, Any]) -> None:
        """Make the files, or see that those there are about the same."""
        path = self._folder / QUESTION
        if path.exists():
            if json.loads(path.read_text(encoding="utf-8")) != question:
                raise ValueError(f"{self._folder} has answers to another question: give another folder")
            self._mend()
            return
        if {file.name for file in self._folder.iterdir()} - {self._file(name).name for name in columns}:
            raise ValueError(f"{self._folder} must be empty, or have answers to this question")
        for name, nothing in columns.items():
            shape = self._n, *nothing.shape[1:]
            np.lib.format.open_memmap(self._file(name), "w+", nothing.dtype, shape).flush()
        write_whole(path, json.dumps(question))  # the last: without it, nothing was begun

    def _mend(self) -> None:
        """Take a last line away that was cut off: what follows would become a part of it."""
        path = self._folder / DONE
        if path.exists():
            text = path.read_text(encoding="ascii")
            os.truncate(path, text.rfind("\n") + 1)

    def _done(self) -> list[tuple[int, int, dict[str, float]]]:
        """Rows that are there, and what was counted of them."""
        path = self._folder / DONE
        lines = path.read_text(encoding="ascii").split("\n")[:-1] if path.exists() else []
        return [tuple(json.loads(line)) for line in lines]

    def _file(self, name: str) -> Path:
        return self._folder / f"{name or 'answer'}.npy"


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


def _digest(batch: Batch) -> str:
    """Hash a question, with all its rows."""
    digest = blake2b(_written(batch.whole), digest_size=16)
    for first in range(0, batch.n, HASHED):
        digest.update(_written(part_of(batch.rows, first, min(first + HASHED, batch.n))))
    return digest.hexdigest()


def _written(thing: Any) -> bytes:
    stream = BytesIO()
    _Ordered(stream, pickle.HIGHEST_PROTOCOL).dump(thing)
    return stream.getvalue()


class _Ordered(pickle.Pickler):
    """Writes the same thing in the same way in every process: sets, which have no order, in one."""

    def persistent_id(self, obj: Any) -> Any:
        """Give the members of a set in order; None for all else."""
        return sorted(map(_written, obj)) if isinstance(obj, set | frozenset) else None
