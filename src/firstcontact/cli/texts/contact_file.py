"""Files of contacts: NumPy archives, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact._whole_file import whole_file
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.steps import Columns, SequenceStep, no_contacts
from firstcontact.cli.texts.json_text import name_of, plain

_ENUMS = {"kind": "ContactKind", "status": "Status"}  # in the public names
_AXES = "xyz"


def check_output(file: Path, inputs: Sequence[Path]) -> None:
    """See that the file can be written, before any work is done for it."""
    if file.suffix.lower() not in _WRITERS:
        raise CommandError(f"the output must end in one of {', '.join(_WRITERS)}; received {file}")
    if file.is_dir():
        raise CommandError(f"{file} cannot be written: it is a folder")
    if not file.parent.is_dir():
        raise CommandError(f"{file} cannot be written: there is no folder {file.parent}")
    if file.resolve() in [path.resolve() for path in inputs]:
        raise CommandError(f"{file} is one of the frames: the output needs another name")


def write_contacts(file: Path, steps: Sequence[SequenceStep]) -> None:
    """Write the contacts of all steps, in the format of the extension: the whole file or nothing."""
    try:
        with whole_file(file) as stream:
            _WRITERS[file.suffix.lower()](stream, steps)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None


def _write_archive(stream: BinaryIO, steps: Sequence[SequenceStep]) -> None:
    """All columns, the step of each row, and the steps that were skipped."""
    skipped = np.array([step.number for step in steps if step.problem], np.int32)
    columns: dict[str, Any] = _joined(steps) | {"skipped": skipped}
    np.savez(stream, **columns)


def _write_json(stream: BinaryIO, steps: Sequence[SequenceStep]) -> None:
    """A list of steps, each with a list of its contacts; one step at a time, to spare memory."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    text.write("[")
    for step in steps:
        text.write(",\n" if step is not steps[0] else "\n")
        json.dump(plain(_described(step)), text, allow_nan=False)
    text.write("\n]\n")
    text.detach()


def _write_csv(stream: BinaryIO, steps: Sequence[SequenceStep]) -> None:
    """One row a contact; vectors in a column for each coordinate."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    columns = [pair for name, array in _joined(steps).items() for pair in _scalars(name, array)]
    writer = csv.writer(text)
    writer.writerow([name for name, _ in columns])
    writer.writerows(zip(*(values for _, values in columns), strict=True))
    text.detach()


_WRITERS = {".npz": _write_archive, ".json": _write_json, ".csv": _write_csv}


def _joined(steps: Sequence[SequenceStep]) -> Columns:
    """One table of the contacts of all steps."""
    parts = [step.columns for step in steps if not step.problem] or [no_contacts()]
    numbers = np.repeat([step.number for step in steps], [step.n_contacts for step in steps])
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {"step": numbers.astype(np.int32)} | columns


def _described(step: SequenceStep) -> dict[str, Any]:
    values = [_named(name, array) for name, array in step.columns.items()]
    return {
        "step": step.number,
        "frames": step.frames,
        "skipped": step.problem or None,
        "n_contacts": step.n_contacts,
        "first_time": step.first_time,
        "seconds": step.seconds,
        "contacts": [dict(zip(step.columns, row, strict=True)) for row in zip(*values, strict=True)],
    }


def _scalars(name: str, array: NDArray[Any]) -> list[tuple[str, list[Any]]]:
    """Columns of a table of scalars."""
    if array.ndim == 1:
        return [(name, _named(name, array))]
    ends = _AXES if array.shape[1] == len(_AXES) else range(array.shape[1])
    return [(f"{name}_{end}", array[:, i].tolist()) for i, end in enumerate(ends)]


def _named(name: str, array: NDArray[Any]) -> list[Any]:
    """Python's own numbers; kinds and statuses by their names, such as "edge-edge"."""
    values: list[Any] = array.tolist()
    if name in _ENUMS:
        names = {value: name_of(value) for value in getattr(fc, _ENUMS[name])}
        return [names[value] for value in values]
    return values
