"""What a scene says of its events."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.plain import Plain
from firstcontact.scene.events.contact_place import CENTERS, FIRST, NORMAL, POINT, SPINS, TIME, VELOCITIES
from firstcontact.times import time_text


class SceneEvent:
    """The next contact of a scene; truthy where there is one.

    Attributes
    ----------
    a, b : names of the two bodies, in the order of their arrival; None where there is no contact
    time : at most the true time, in the scene's time; ``inf`` where there is none
    """

    __slots__ = ("_row", "a", "b", "time")

    def __init__(self, a: str | None, b: str | None, row: Array) -> None:
        self.a, self.b, self._row = a, b, row
        self.time: float = float(row[TIME])

    @property
    def point(self) -> Array:
        """Where they touch, (3,): the middle between points that are nearest to each other."""
        return self._row[POINT:NORMAL].copy()

    @property
    def normal(self) -> Array:
        """Unit vector from the first to the second, (3,)."""
        return self._row[NORMAL:VELOCITIES].copy()

    @property
    def velocities(self) -> Array:
        """Of the centers of both, just before, (2, 3)."""
        return self._row[VELOCITIES:SPINS].reshape(2, 3).copy()

    @property
    def angular_velocities(self) -> Array:
        """Of both, (2, 3)."""
        return self._row[SPINS:CENTERS].reshape(2, 3).copy()

    @property
    def centers(self) -> Array:
        """Points that the two turn about, (2, 3): where they do not turn, the middles of the shapes."""
        return self._row[CENTERS : CENTERS + 6].reshape(2, 3).copy()

    def __bool__(self) -> bool:
        return self.a is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SceneEvent):
            return NotImplemented
        names, theirs = (self.a, self.b), (other.a, other.b)
        return names == theirs and np.array_equal(self._row, other._row, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return SceneEvent, (self.a, self.b, self._row)

    def __repr__(self) -> str:
        return f"SceneEvent({self.a!r}, {self.b!r}, {time_text(self.time)})" if self else "SceneEvent(none)"


@dataclass(frozen=True, eq=False)
class SceneEvents(Plain):
    """Contacts of a scene, one after the other, as `Scene.bounce` went through them.

    Attributes
    ----------
    ids : (k, 2) int64, of the bodies, in the order of their arrival
    time : (k,) float64, ascending
    points, normals : (k, 3) float64, where they touched, and from the first to the second
    velocities, angular_velocities : (k, 2, 3) float64, just before
    """

    ids: NDArray[np.int64]
    time: Array
    points: Array
    normals: Array
    velocities: Array
    angular_velocities: Array

    @classmethod
    def of(cls, ids: NDArray[np.int64], rows: Array) -> "SceneEvents":
        """Take apart the rows of events."""
        both, k = rows[:, VELOCITIES:CENTERS].reshape(-1, 2, 2, 3), len(rows)
        time, places = rows[:, TIME].copy(), rows[:, POINT:VELOCITIES].copy().reshape(k, 2, 3)
        own = places[:, 0].copy(), places[:, 1].copy(), both[:, 0].copy(), both[:, 1].copy()
        return cls(ids, time, *own)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        last = f", last at {time_text(self.time[-1])}" if len(self) else ""
        return f"SceneEvents({len(self)}{last})"


def no_event() -> Array:
    """The row of no contact."""
    row = np.full(CENTERS + 6, np.nan)
    row[TIME], row[FIRST], row[FIRST + 1] = np.inf, -1, -1
    return row
