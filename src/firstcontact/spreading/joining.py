"""Answers about parts of a batch, made one: the same bytes as of the whole batch."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from firstcontact.answers.answer import Answer, about
from firstcontact.plain import Later

# Columns that count rows from the start of the batch: of the first row of a part, and of what is before it.
OFFSETS, NUMBERS = "offsets", "rays"


class Stripped(NamedTuple):
    """An answer without what it is about: its class and its fields by their names; or an array, by none."""

    kind: type
    known: dict[str, Any]


def stripped(answer: Any) -> Stripped:
    """Take an answer apart; what it finds when it is asked for is not asked for here.

    What is put off, and made of what was written for this part alone, is made now.
    """
    if isinstance(answer, np.ndarray):
        return Stripped(np.ndarray, {"": answer})
    known = Later.__getstate__(answer) if isinstance(answer, Later) else answer.__dict__
    names = [item.name for item in fields(answer) if item.name in known and item.name != "_about"]
    return Stripped(type(answer), {name: known[name] for name in names})


def restored(parts: Stripped) -> Any:
    """Put an answer together again."""
    if parts.kind is np.ndarray:
        return parts.known[""]
    answer: Any = object.__new__(parts.kind)
    answer.__dict__.update(parts.known)
    return about(answer, {}) if isinstance(answer, Answer) else answer


def joined(parts: Sequence[Stripped], axis: int = 0) -> Stripped:
    """Join answers about parts, in their order."""
    kind, known = parts[0]
    found: dict[str, Any] = {}
    for name in list(known):
        values = [part.known.pop(name) for part in parts]  # so that no more than one column is there twice
        found[name] = _join(name, values, axis)
    if NUMBERS in found:
        counts = np.diff(found[OFFSETS])
        found[NUMBERS] = np.repeat(np.arange(len(counts), dtype=found[NUMBERS].dtype), counts)
    return Stripped(kind, found)


def _join(name: str, values: list[Any], axis: int) -> Any:
    first = values[0]
    if name == OFFSETS:
        before = accumulate((int(value[-1]) for value in values[:-1]), initial=0)
        ends = [value[1:] + start for value, start in zip(values, before, strict=True)]
        return np.concatenate([first[:1], *ends])
    if isinstance(first, np.ndarray):
        return np.concatenate(values, axis)
    if isinstance(first, list):
        return [item for value in values for item in value]
    return _joined_stats(values, axis) if name == "stats" else first  # else it is what all rows share


def _joined_stats(values: list[Any], axis: int) -> Any:
    kind: Any = type(values[0])
    names = [item.name for item in fields(kind)]
    return kind(**{name: _counted([getattr(value, name) for value in values], axis) for name in names})


def _counted(values: list[Any], axis: int) -> Any:
    """Join counters: those of each row, or those of all of them, which add up."""
    return np.concatenate(values, axis) if isinstance(values[0], np.ndarray) else sum(values)
