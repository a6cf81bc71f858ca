"""What the queries about robots give back: what those about other things do, and names."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.articulated.certificate import Certificate
from firstcontact.queries.contact_results import FirstContact, FirstContacts, RobotStats
from firstcontact.queries.proximity_results import Distance
from firstcontact.status import Status

Names = tuple[str | None, str | None]


class Finders(NamedTuple):
    """What finds, when it is asked for, what touches, a time at which contact is proven, and the proof."""

    detail: Callable[[], FirstContact]
    upper: Callable[[], float]
    certificate: Callable[[], Certificate]


class RobotContact(FirstContact):
    """The first contact along a robot's path; truthy where there is one.

    A `FirstContact` of the two that touch. What takes time is found when it is asked for: `time_upper`,
    places and features, `certificate`.

    Attributes
    ----------
    a, b : names of a link of the robot and of the link or the obstacle that it touches; None where it is free
    """

    a: str | None
    b: str | None

    def __init__(
        self,
        names: Names,
        status: Status,
        time: float,
        stats: RobotStats,
        finders: Finders,
    ) -> None:
        own = {"a": names[0], "b": names[1], "status": status, "time": time, "stats": stats}
        self.__dict__.update(own, _finders=finders)

    @cached_property
    def time_upper(self) -> float:
        """At least the true first time, where the contact is proven; ``inf`` where it is not."""
        return self._found.upper()

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """Where the two touch at `time`, (k, 3)."""
        return self._detail.points

    @cached_property
    def normals(self) -> NDArray[np.float64]:
        """Unit vectors from a to b, (k, 3)."""
        return self._detail.normals

    @cached_property
    def features(self) -> NDArray[np.int32]:
        """For each of them its `ContactKind`, the id on a and the id on b, (k, 3)."""
        return self._detail.features

    @cached_property
    def certificate(self) -> Certificate:
        """The proof that all pairs are apart on the whole path, or before `time`."""
        return self._found.certificate()

    @cached_property
    def _detail(self) -> FirstContact:
        return self._found.detail()

    @property
    def _found(self) -> Finders:
        finders: Finders = self.__dict__["_finders"]
        return finders

    def __repr__(self) -> str:
        return f"RobotContact({self.a!r}, {self.b!r}, {self.time:.6g})" if self else "RobotContact(none)"


class RobotContacts(FirstContacts):
    """The first contacts along n paths; ``contacts[i]`` is all that is known of one of them.

    Attributes
    ----------
    a, b : n names each, as in `RobotContact`
    """

    a: list[str | None]
    b: list[str | None]

    def __init__(
        self,
        names: list[Names],
        status: NDArray[np.int8],
        time: NDArray[np.float64],
        stats: RobotStats,
        one: Callable[[int], RobotContact],
    ) -> None:
        own = {"a": [a for a, _ in names], "b": [b for _, b in names], "status": status, "time": time}
        self.__dict__.update(own, stats=stats, _one=one)

    @cached_property
    def time_upper(self) -> NDArray[np.float64]:
        """At least the true first times, where contacts are proven; ``inf`` where they are not."""
        return np.array([one.time_upper for one in self])

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """Where each path has its contact, (n, 3); NaN where there is none."""
        return np.array([one.points[0] if one else np.full(3, np.nan) for one in self]).reshape(-1, 3)

    @cached_property
    def normals(self) -> NDArray[np.float64]:
        """Unit vectors from a to b, (n, 3)."""
        return np.array([one.normals[0] if one else np.full(3, np.nan) for one in self]).reshape(-1, 3)

    @cached_property
    def features(self) -> NDArray[np.int32]:
        """`ContactKind`, id on a and id on b, (n, 3); -1 where there is none."""
        rows = [one.features[0] if one else np.full(3, -1) for one in self]
        return np.array(rows, np.int32).reshape(-1, 3)

    def __iter__(self) -> Iterator[RobotContact]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> RobotContact:
        one: RobotContact = self.__dict__["_one"](range(len(self))[i])
        return one

    def __repr__(self) -> str:
        return f"RobotContacts({len(self)} paths, {np.count_nonzero(self.hit)} with contact)"


@dataclass(frozen=True, eq=False, repr=False)
class RobotDistance(Distance):
    """How far a robot is from what it may not touch: a `Distance` of the closest two, and their names.

    Attributes
    ----------
    a, b : name of the closest link, and of the obstacle or the other link; of a batch, n names each
    """

    a: str | list[str | None] | None
    b: str | list[str | None] | None

    def __repr__(self) -> str:
        if isinstance(self.distance, float):
            return f"RobotDistance({self.distance:.6g}, {self.a!r} and {self.b!r})"
        return f"RobotDistance({len(self.distance)} configurations)"
