"""What a sequence of frames gives back: the contacts of all its steps, one after the other."""

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.contact_results import Contacts, ContactStats
from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class SequenceContacts(Plain):
    """Contacts of n steps, k in all: step by step, each in the order of `Contacts`; ``found[i]`` is step i.

    Attributes
    ----------
    offsets : (n + 1,) int64
        The contacts of step `i` are the rows ``offsets[i]`` up to, not with, ``offsets[i + 1]``.
    kind, thing_ids, ids_a, ids_b, vertex_ids, time, time_upper, points, normals, closing_speed, weights,
    status, gap, velocities
        As in `Contacts`, (k, ...). Where only the first contacts were asked for, `time` and `time_upper` are
        those of the step's `FirstContact`.
    problems : of each step, why it was skipped; "" where it was checked
    seconds : (n,) float64
        How long each step took, wherever it was worked on, without the reading of its frames.
    """

    offsets: NDArray[np.int64]
    kind: NDArray[np.int8]
    thing_ids: NDArray[np.int32]
    ids_a: NDArray[np.int32]
    ids_b: NDArray[np.int32]
    vertex_ids: NDArray[np.int32]
    time: NDArray[np.float64]
    time_upper: NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    closing_speed: NDArray[np.float64]
    weights: NDArray[np.float64]
    status: NDArray[np.int8]
    gap: NDArray[np.float64]
    velocities: NDArray[np.float64]
    problems: list[str]
    seconds: NDArray[np.float64] = field(compare=False)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many contacts each step has, (n,)."""
        return np.diff(self.offsets)

    @property
    def first_times(self) -> NDArray[np.float64]:
        """Of each step the time of its first contact, (n,): ``inf`` where it has none, NaN where skipped."""
        first = np.full(len(self), np.inf)
        has_any = self.counts > 0
        first[has_any] = self.time[self.offsets[:-1][has_any]]
        first[[bool(problem) for problem in self.problems]] = np.nan
        return first

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, step: int) -> Contacts:
        i = range(len(self))[step]
        if self.problems[i]:
            raise ValueError(f"step {i} was skipped: {self.problems[i]}")
        rows = slice(self.offsets[i], self.offsets[i + 1])
        columns: dict[str, Any] = {name: getattr(self, name)[rows] for name in COLUMNS}
        return Contacts(**columns, stats=ContactStats())

    def __repr__(self) -> str:
        n_skipped = sum(map(bool, self.problems))
        skipped = f", {n_skipped} skipped" if n_skipped else ""
        return f"SequenceContacts({len(self)} steps{skipped}, {len(self.time)} contacts)"


# Columns of a list of contacts, in their order.
COLUMNS = tuple(item.name for item in fields(Contacts) if item.name not in ("stats", "_about"))


def steps_joined(steps: list[Any], problems: list[str], seconds: list[float]) -> SequenceContacts:
    """Put the contacts of some steps together; None for those that were skipped."""
    from firstcontact.deformable.rows import no_rows  # loads a search, which whoever has steps has loaded

    parts = [no_rows(), *(step for step in steps if step is not None)]
    counts = [0 if step is None else len(step.time) for step in steps]
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS
    }
    offsets = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)
    return SequenceContacts(offsets, **columns, problems=problems, seconds=np.array(seconds, np.float64))
