"""What a function does to t, noted, and made ready for compiled code."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.scalar.formula_codes import Operation
from firstcontact.scalar.jets import Tape


class Notes:
    """What has been done to t so far: each operation once."""

    def __init__(self) -> None:
        self._operations: list[tuple[Operation, int, int, float]] = []
        self._places: dict[tuple[Operation, int, int, float], int] = {}

    def __len__(self) -> int:
        return len(self._operations)

    def note(self, code: Operation, left: int = 0, right: int = 0, constant: float = 0.0) -> int:
        """Note an operation, unless it is noted already; return its place."""
        operation = (code, left, right, constant)
        if operation not in self._places:
            self._places[operation] = len(self._operations)
            self._operations.append(operation)
        return self._places[operation]

    def operation(self, place: int) -> tuple[Operation, int, int, float]:
        """Give an operation, the places of what it is carried out on, and its constant."""
        return self._operations[place]

    def tape(self, places: list[int]) -> tuple[Tape, NDArray[np.int32]]:
        """Give what leads to some places to compiled code, and where they are then.

        In the order in which it is needed, and with a place for every use of a number: formulas that differ
        in numbers alone differ in these alone, whatever was noted before.
        """
        rows: list[tuple[Operation, int, int, float]] = []
        new: dict[int, int] = {}
        found = [self._add_to_tape(place, rows, new) for place in places]
        codes, lefts, rights = (np.array([row[k] for row in rows], np.int32) for k in range(3))
        constants = np.array([row[3] for row in rows], np.float64)
        return Tape(codes, lefts, rights, constants), np.array(found, np.int32)

    def _add_to_tape(
        self, place: int, rows: list[tuple[Operation, int, int, float]], new: dict[int, int]
    ) -> int:
        """Write an operation behind all that leads to it, unless it is there; return where it is."""
        if self._operations[place][0] == Operation.CONSTANT:
            rows.append((Operation.CONSTANT, 0, 0, self._operations[place][3]))
            return len(rows) - 1
        waiting = [place]
        while waiting:
            code, left, right, _ = self._operations[waiting[-1]]
            parts = () if code == Operation.TIME else tuple(dict.fromkeys((left, right)))
            needed = [k for k in parts if k not in new and self._operations[k][0] != Operation.CONSTANT]
            if needed:
                waiting += reversed(needed)
                continue
            here = waiting.pop()
            if here not in new:
                at = {k: new[k] if k in new else self._add_to_tape(k, rows, new) for k in parts}
                rows.append((code, at.get(left, 0), at.get(right, 0), 0.0))
                new[here] = len(rows) - 1
        return new[place]
