"""The steps of a sequence of frames, as a command tells of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.cli.texts.frames import Animation

Columns = dict[str, NDArray[Any]]

COLUMNS = (
    *("kind", "ids_a", "ids_b", "vertex_ids", "time", "time_upper"),
    *("points", "normals", "closing_speed", "weights", "status", "gap", "velocities"),
)


class SequenceStep(NamedTuple):
    """From one frame to the next: what was found, or why nothing was looked for."""

    number: int
    frames: tuple[str, str]
    problem: str  # empty where the step was checked
    n_contacts: int
    first_time: float  # infinite where there is no contact
    seconds: float
    columns: Columns  # of the contacts, one row each


def steps_of(found: fc.SequenceContacts, animation: Animation) -> list[SequenceStep]:
    """Take the steps of a sequence apart."""
    steps, columns = [], {name: getattr(found, name) for name in COLUMNS}
    for i, names in enumerate(pairwise(animation.names)):
        rows = slice(found.offsets[i], found.offsets[i + 1])
        own = {name: column[rows] for name, column in columns.items()}
        problem = found.problems[i]
        if problem and animation.archive:
            problem = f"{animation.archive}: {problem}"
        first = min(own["time"][:1].tolist(), default=float("inf"))
        steps.append(SequenceStep(i, names, problem, len(own["time"]), first, float(found.seconds[i]), own))
    return steps


def no_contacts() -> Columns:
    """Give columns without rows."""
    nothing = fc.sequence([])
    return {name: getattr(nothing, name) for name in COLUMNS}


def faults_of(steps: list[SequenceStep]) -> list[str]:
    """Say once of each fault which steps it costs."""
    of_faults: dict[str, list[str]] = {}
    for step in steps:
        if step.problem:
            of_faults.setdefault(step.problem, []).append(str(step.number))
    return [f"{fault}: {_listed(own)} skipped" for fault, own in of_faults.items()]


def _listed(numbers: list[str]) -> str:
    *most, last = numbers
    return f"steps {', '.join(most)} and {last} are" if most else f"step {last} is"
