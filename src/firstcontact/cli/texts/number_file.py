"""Text files of numbers, in rows and columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import as_number

if TYPE_CHECKING:
    from firstcontact.arrays import Array


class NumberRow(NamedTuple):
    """The cells of a line, and its number as editors count."""

    line: int
    cells: list[str]


class NumberFile(NamedTuple):
    """The rows of a file, and the words of the last comment above the first of them."""

    rows: list[NumberRow]
    remark: NumberRow


def read_number_file(file: Path) -> NumberFile:
    """Cut a file into cells: at semicolons, else at commas, else at blanks; comments begin with #."""
    parts = [line.partition("#") for line in read_text(file).splitlines()]
    lines = [(i, content) for i, (content, _, _) in enumerate(parts, 1) if content.strip()]
    used = "".join(content for _, content in lines)
    mark = next((mark for mark in ";," if mark in used), None)
    first = lines[0][0] if lines else 1
    above = [(i, text.strip()) for i, (_, _, text) in enumerate(parts[: first - 1], 1) if text.strip()]
    line, text = above[-1] if above else (0, "")
    rows = [NumberRow(i, [cell.strip().strip("\"'") for cell in content.split(mark)]) for i, content in lines]
    return NumberFile(rows, NumberRow(line, re.split(r"[;,\s]+", text)))


def read_text(file: Path) -> str:
    """Read a text file; what is wrong with it is told."""
    if not file.is_file():
        raise CommandError(f"there is no file {file}")
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not a text file") from None


def row_numbers(file: Path, row: NumberRow, names: Sequence[str]) -> list[float]:
    """Read the numbers of a row, one for each column."""
    if len(row.cells) != len(names):
        rule = f"{file}, line {row.line}: a row must have {len(names)} numbers ({', '.join(names)})"
        raise CommandError(f"{rule}; this one has {len(row.cells)}")
    numbers = []
    for name, cell in zip(names, row.cells, strict=True):
        number = as_number(cell)
        if number is None:
            where = f"{file}, line {row.line}, column {name!r}"
            raise CommandError(f"{where}: there must be a finite number; received {cell[:60]!r}")
        numbers.append(number)
    return numbers


def increasing_times(file: Path, rows: Sequence[NumberRow], times: Array) -> Array:
    """Accept the times of rows, each later than the one before."""
    is_back = times[1:] <= times[:-1]
    if is_back.any():
        i = int(is_back.argmax()) + 1
        rule = f"{file}, line {rows[i].line}: times must increase"
        raise CommandError(f"{rule}; {times[i]:.17g} follows {times[i - 1]:.17g}")
    return times
