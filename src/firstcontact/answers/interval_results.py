"""What `contact_intervals` gives back."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.times import time_text


@dataclass(frozen=True, eq=False, repr=False)
class ContactIntervals(Answer):
    """When two things touch and when they part: k intervals of time, in their order.

    A sequence of ``(touch, part)``, each a pair of a lower and an upper bound; of a batch, one of
    `ContactIntervals`, a motion each. Before ``touch[0]`` of the first, after ``part[1]`` of the last, and
    between ``part[1]`` and the next ``touch[0]``, there is no contact: that is proven. Between ``touch[1]``
    and ``part[0]`` there is, but for `doubt`.

    Attributes
    ----------
    touch, part : (k, 2) float64
        Bounds of when they touch and when they part; 0 and 0 where they do from the start, 1 and 1 where
        they do at the end. Of an interval that is not proven, both are the whole of it.
    doubt : (k,) float64
        How long, in all, between ``touch[1]`` and ``part[0]``, contact is not proven: there they are within
        the tolerance each time that was looked at. 0 but for things that slide along each other.
    is_proven : (k,) bool
        Whether there is a contact for sure; else they only come within the tolerance of each other.
    offsets : (n + 1,) int64
        Those of motion i are the rows from ``offsets[i]`` to ``offsets[i + 1]``.
    is_batch : whether there is a batch of motions
    things : what was asked about, by name
    """

    _ROWS: ClassVar[tuple[str, ...]] = ("touch", "part", "doubt", "is_proven")

    touch: NDArray[np.float64]
    part: NDArray[np.float64]
    doubt: NDArray[np.float64]
    is_proven: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    is_batch: bool

    def __len__(self) -> int:
        return len(self.offsets) - 1 if self.is_batch else len(self.touch)

    def __getitem__(self, i: int) -> Any:
        k = range(len(self))[i]
        if not self.is_batch:
            (a, b), (c, d) = self.touch[k].tolist(), self.part[k].tolist()
            return (a, b), (c, d)
        rows = slice(self.offsets[k], self.offsets[k + 1])
        known = {name: copy(getattr(self, name)[rows]) for name in self._ROWS}
        offsets = np.array([0, len(known["touch"])])
        return replace(self, **known, offsets=offsets, is_batch=False)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        if self.is_batch:
            return f"{type(self).__name__}({len(self)} motions, {len(self.touch)} intervals)"
        spans = [f"{time_text(a)} to {time_text(b)}" for (a, _), (_, b) in self]
        return f"{type(self).__name__}({', '.join(spans) or 'none'})"
