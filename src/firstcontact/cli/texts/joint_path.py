"""Paths of robots from text files: a configuration a row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import as_number
from firstcontact.cli.texts.number_file import (
    NumberFile,
    NumberRow,
    increasing_times,
    read_number_file,
    row_numbers,
)

TIME = "time"
_FLOATING = ("x", "y", "z", "qx", "qy", "qz", "qw")


class Waypoints(NamedTuple):
    """The configurations of a path.

    configurations : (k, dof), as the robot takes them
    times : (k,) as the file has them, increasing; None where it has none
    units : (dof,) what a 1 in the file is to the robot
    """

    configurations: Array
    times: Array | None
    units: Array


def read_path(file: Path, robot: fc.Robot, *, in_degrees: bool = False) -> Waypoints:
    """Read a path; what is wrong with the file is told with the line and the column."""
    content = read_number_file(file)
    columns = _columns(robot)
    header, rows = _header(file, content, columns)
    if not rows:
        raise CommandError(f"{file} has no configurations: there must be a row of numbers for each")
    if header is not None:
        _check_header(f"{file}, line {header.line}", header.cells, robot)
    names = columns if header is None else header.cells
    numbers = np.array([row_numbers(file, row, names) for row in rows])
    values = numbers[:, [names.index(name) for name in columns]]
    is_timed = TIME in names and TIME not in columns
    times = increasing_times(file, rows, numbers[:, names.index(TIME)]) if is_timed else None
    units = _units(robot, in_degrees)
    return Waypoints(_checked(file, robot, values * units), times, units)


def spline_of(path: Waypoints) -> Any:
    """Pass the configurations of a path smoothly: SciPy's `CubicSpline`, over even times if it has none."""
    from scipy.interpolate import CubicSpline

    n = len(path.configurations)
    if n < 2:
        raise CommandError("--spline needs two configurations or more; the path has one")
    return CubicSpline(np.arange(n) if path.times is None else path.times, path.configurations)


def beyond_limits(robot: fc.Robot, path: Waypoints) -> Iterator[str]:
    """Tell of each number that leaves its joint's limits, and where it does so first; in the file's units."""
    values, limits = path.configurations, robot.limits
    is_beyond = (values < limits[:, 0]) | (values > limits[:, 1])
    for i in np.flatnonzero(is_beyond.any(axis=0)).tolist():
        row = int(np.argmax(is_beyond[:, i]))
        value, low, high = np.array([values[row, i], *limits[i]]) / path.units[i]
        name = _columns(robot)[i]
        yield f"joint {name!r} is at {value:.6g} in configuration {row}, beyond [{low:.6g}, {high:.6g}]"


def _columns(robot: fc.Robot) -> list[str]:
    """Name the numbers of a configuration: by their joints; several of one with what they are."""
    names: list[str] = []
    for joint in robot.joints:
        if joint.n_values == 1:
            names.append(joint.name)
        elif joint.n_values > 1:
            names.extend(f"{joint.name}.{end}" for end in _FLOATING[-joint.n_values :])
    return names


def _units(robot: fc.Robot, in_degrees: bool) -> Array:
    turning = ("revolute", "continuous") if in_degrees else ()
    degree = math.radians(1.0)
    return np.array([degree if j.kind in turning else 1.0 for j in robot.joints for _ in range(j.n_values)])


def _header(
    file: Path, content: NumberFile, columns: Sequence[str]
) -> tuple[NumberRow | None, list[NumberRow]]:
    """Find the names of the columns: in the first row, or in a comment above it, as NumPy writes them."""
    if not content.rows:
        return None, []
    known, first = {*columns, TIME}, content.rows[0]
    has_names = not known.isdisjoint(first.cells)
    n_numbers = sum(as_number(cell) is not None for cell in first.cells)
    if has_names and n_numbers == len(first.cells):
        name = next(cell for cell in first.cells if cell in known)
        raise CommandError(
            f"{file}, line {first.line}: is {name!r} a joint or a number? Write {name}.0 for the latter"
        )
    if has_names or n_numbers == 0:  # where some are numbers, and none is a name, a number is mistyped
        return first, content.rows[1:]
    is_remark = len(content.remark.cells) == len(first.cells) and not known.isdisjoint(content.remark.cells)
    return content.remark if is_remark else None, content.rows


def _check_header(where: str, names: Sequence[str], robot: fc.Robot) -> None:
    """See that there is one column for each number, and none besides."""
    columns = _columns(robot)
    for name in names:
        if name not in columns and name != TIME:
            raise CommandError(f"{where}: {_no_column(name, robot)}")
        if names.count(name) > 1:
            raise CommandError(f"{where}: there are {names.count(name)} columns {name!r}")
    missing = [repr(name) for name in columns if name not in names]
    if missing:
        raise CommandError(f"{where}: there is no column for {', '.join(missing)}")


def _no_column(name: str, robot: fc.Robot) -> str:
    """Say why a name is none of a column."""
    of_name = {joint.name: joint for joint in robot.joints}
    if name not in of_name:
        near = get_close_matches(name, _columns(robot), 1)
        return f"column {name!r} is no joint of the robot" + (f"; did you mean {near[0]!r}?" if near else "")
    joint = of_name[name]
    if joint.n_values > 1:
        first = _FLOATING[-joint.n_values]
        return f"joint {name!r} needs a column for each of its numbers: {name}.{first}, ... {name}.qw"
    reason = "is fixed" if joint.mimic is None else f"follows {joint.mimic[0]!r}"
    return f"joint {name!r} {reason}, and has no values of its own: leave its column out"


def _checked(file: Path, robot: fc.Robot, values: Array) -> Array:
    """Let the robot itself say what is wrong with numbers."""
    try:
        robot.at(values)
    except ValueError as error:
        raise CommandError(f"{file}: {error}") from None
    return values
