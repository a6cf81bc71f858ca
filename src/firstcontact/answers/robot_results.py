"""What the queries about robots give back: what those about other things do, and names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import About
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import FirstContact, FirstContacts, RobotStats
from firstcontact.answers.gradients import joint_gradients
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.articulated.proof.certificate import Certificate
from firstcontact.plain import once
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status
from firstcontact.times import time_text

NO_GRADIENT = "the gradient of a first contact's time is for two rigid bodies; a robot's distance has one"


class Finder(Protocol):
    """Finds what takes time when it is asked for: plain data about what was asked, without the things."""

    def posed(self, things: Mapping[str, Moving]) -> Any:
        """Pose the question about these things anew."""

    def part(self, posed: Any, path: int) -> tuple[Any, dict[str, Moving]]:
        """One path of a question, and the things of that."""

    def detail(self, posed: Any, pair: int, time: float) -> FirstContact:
        """What of a pair touches at a time."""

    def upper(self, posed: Any, pair: int, time: float) -> float:
        """A time at which the contact of a pair is proven."""

    def certificate(self, posed: Any, time: float) -> Certificate:
        """The proof that the path is free up to a time."""


class Details(NamedTuple):
    """What touches on each of n paths: those of path `i` are the rows from ``offsets[i]`` on."""

    offsets: NDArray[np.int64]
    points: Array
    normals: Array
    features: NDArray[np.int32]

    def of(self, path: int) -> dict[str, NDArray[Any]]:
        """Those of a path, by the names of the attributes."""
        rows = slice(self.offsets[path], self.offsets[path + 1])
        return {name: getattr(self, name)[rows].copy() for name in self._fields[1:]}

    def first(self, column: NDArray[Any], nothing: float) -> NDArray[Any]:
        """The first row of each path, (n, 3)."""
        found = np.full((len(self.offsets) - 1, 3), nothing, column.dtype)
        has_any = np.diff(self.offsets) > 0
        found[has_any] = column[self.offsets[:-1][has_any]]
        return found


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RobotContact(FirstContact):
    """The first contact along a robot's path; truthy where there is one.

    A `FirstContact` of the two that touch. What takes time is found when it is asked for: `time_upper`,
    places and features, `certificate`. All but the certificate is found before the answer is pickled.
    Equal ones have the same names, status, time, places and features.

    Attributes
    ----------
    a, b : names of a link of the robot and of the link or the obstacle that it touches; None where it is free
    """

    a: str | None
    b: str | None
    _not_compared: ClassVar = frozenset({"time_upper"})
    _finder: Finder = field(compare=False)
    _pair: int = field(compare=False)

    def __init__(self, **known: Any) -> None:
        self.__dict__.update({"_about": About({}), "is_truncated": False} | known)

    @property
    def gradient(self) -> Array:
        """Refused: the gradient of a first contact's time is of two rigid bodies."""
        raise ValueError(NO_GRADIENT)

    @once  # type: ignore[misc]
    def time_upper(self) -> float:
        """At least the true first time, where the contact is proven; ``inf`` where it is not."""
        return self._finder.upper(self._posed, self._pair, self.time)

    @once  # type: ignore[misc]
    def points(self) -> Array:
        """Where the two touch at `time`, (k, 3)."""
        return self._detail.points

    @once  # type: ignore[misc]
    def normals(self) -> Array:
        """Unit vectors from a to b, (k, 3)."""
        return self._detail.normals

    @once  # type: ignore[misc]
    def features(self) -> NDArray[np.int32]:
        """For each of them its `ContactKind`, the id on a and the id on b, (k, 3)."""
        return self._detail.features

    @once
    def certificate(self) -> Certificate:
        """The proof that all pairs are apart on the whole path, or before `time`.

        It knows what it is about, and travels by itself: where the answer is sent, it is left behind.
        """
        return self._finder.certificate(self._posed, self.time)

    @once
    def _detail(self) -> FirstContact:
        return self._finder.detail(self._posed, self._pair, self.time)

    @once
    def _posed(self) -> Any:
        return self._finder.posed(self._subject)

    def __getstate__(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def __repr__(self) -> str:
        return (
            f"RobotContact({self.a!r}, {self.b!r}, {time_text(self.time)})" if self else "RobotContact(none)"
        )


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RobotContacts(FirstContacts):
    """The first contacts along n paths; ``contacts[i]`` is all that is known of one of them.

    Places and features are found before the answers are pickled; `time_upper`, a tenth of a second a contact,
    travels where it was asked for before.

    Attributes
    ----------
    a, b : n names each, as in `RobotContact`
    """

    a: list[str | None]
    b: list[str | None]
    _not_compared: ClassVar = frozenset({"time_upper"})
    _finder: Finder = field(compare=False)
    _pairs: NDArray[np.int32] = field(compare=False)
    _found: Details | None = field(default=None, compare=False)

    def __init__(self, **known: Any) -> None:
        self.__dict__.update({"_about": About({})} | known)

    @property
    def gradient(self) -> Array:
        """Refused: the gradient of a first contact's time is of two rigid bodies."""
        raise ValueError(NO_GRADIENT)

    @once  # type: ignore[misc]
    def time_upper(self) -> Array:
        """At least the true first times, where contacts are proven; ``inf`` where they are not."""
        return np.array([one.time_upper for one in self], np.float64)

    @once  # type: ignore[misc]
    def points(self) -> Array:
        """Where each path has its contact, (n, 3); NaN where there is none."""
        return self._details.first(self._details.points, np.nan)

    @once  # type: ignore[misc]
    def normals(self) -> Array:
        """Unit vectors from a to b, (n, 3)."""
        return self._details.first(self._details.normals, np.nan)

    @once  # type: ignore[misc]
    def features(self) -> NDArray[np.int32]:
        """`ContactKind`, id on a and id on b, (n, 3); -1 where there is none."""
        return self._details.first(self._details.features, -1)

    @property
    def _details(self) -> Details:
        """What touches on all paths, found once."""
        if self._found is None:
            found = [(one.points, one.normals, one.features) for one in self]
            offsets = np.cumsum([0, *(len(points) for points, _, _ in found)])
            nothing = np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3), np.int32)
            columns = (np.concatenate(column) for column in zip(nothing, *found, strict=True))
            self.__dict__["_found"] = Details(offsets, *columns)
        details: Details = self.__dict__["_found"]
        return details

    @once
    def _posed(self) -> Any:
        return self._finder.posed(self._subject)

    def __getstate__(self) -> dict[str, Any]:
        places = {"_found": self._details, "points": self.points, "normals": self.normals}
        names = [item.name for item in fields(self) if item.name in self.__dict__]
        return {name: self.__dict__[name] for name in names} | places | {"features": self.features}

    def __iter__(self) -> Iterator[RobotContact]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> RobotContact:
        path = range(len(self))[i]
        counts = {k: int(v[path]) for k, v in self.stats.__dict__.items() if k != "seconds"}
        known: dict[str, Any] = {
            "a": self.a[path],
            "b": self.b[path],
            "status": Status(self.status[path]),
            "time": float(self.time[path]),
            "stats": RobotStats(**counts, seconds=self.stats.seconds),
            "_finder": self._finder,
            "_pair": int(self._pairs[path]),
            "_about": About(),
        }
        if self._about.things is not None:
            known["_posed"], things = self._finder.part(self._posed, path)
            known["_about"] = About(things)
        if "time_upper" in self.__dict__:
            known["time_upper"] = float(self.time_upper[path])
        if self._found is not None:
            known |= self._found.of(path)
        return RobotContact(**known)

    def __repr__(self) -> str:
        return f"RobotContacts({len(self)} paths, {np.count_nonzero(self.hit)} with contact)"


def robot_gradient(near: Any, things: Mapping[str, Moving], times: Any, points: tuple[Array, Array]) -> Array:
    """Gradient (dof,), of a batch (n, dof), of a robot's distance at a time of its path, or at one each."""
    motion: Any = next(iter(things.values())).motion
    distances, is_single = np.atleast_1d(near.distance), isinstance(near.distance, float)
    if np.ndim(times) == 0:
        q = np.atleast_2d(motion.configuration(times))
    else:
        rows = [slice(i, i + 1) if len(motion) > 1 else slice(1) for i in range(len(times))]
        own = [motion.chosen(row, False) for row in rows]
        q = np.array([one.configuration(t) for one, t in zip(own, times.tolist(), strict=True)])
    q = np.broadcast_to(q.reshape(-1, motion.configurations.shape[-1]), (len(distances), q.shape[-1]))
    names = ([near.a], [near.b]) if is_single else (near.a, near.b)
    one, other = (np.atleast_2d(point) for point in points)
    found = joint_gradients(things, q, names, (one, other), distances)
    return found[0] if is_single else found


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RobotClearance(Clearance):
    """How near a robot comes to what it may not touch along a path: a `Clearance`, and names.

    Points and faces are found when they are asked for, and before it is pickled.

    Attributes
    ----------
    a, b : name of the link that comes nearest, and of the obstacle or the other link; of a batch, n each
    """

    a: str | list[str | None] | None
    b: str | list[str | None] | None
    _pairs: NDArray[np.int32] = field(compare=False)

    def __init__(self, **known: Any) -> None:
        self.__dict__.update(known)

    @once  # type: ignore[misc]
    def points(self) -> Array:
        """The closest points on a and on b at `time`, (2, 3), of a batch (n, 2, 3)."""
        points: Array = self._places[0]
        return points if isinstance(self.distance, np.ndarray) else points[0]

    @once  # type: ignore[misc]
    def faces(self) -> NDArray[np.int32]:
        """The faces that they lie on, (2,), of a batch (n, 2)."""
        faces: NDArray[np.int32] = self._places[1]
        return faces if isinstance(self.distance, np.ndarray) else faces[0]

    @property
    def gradient(self) -> Array:
        """How the distance at `time` changes with each number of the configuration then: (dof,), or (n, dof).

        To first order, so does the least distance where the whole path is shifted by as much. Obstacles stay
        as they are. NaN where the robot touches.
        """
        points = self.points[np.newaxis] if self.points.ndim == 2 else self.points
        return robot_gradient(self, self._subject, self.time, (points[:, 0], points[:, 1]))

    @once
    def _places(self) -> tuple[Any, Any]:
        finder: Any = self._measurer
        times, distances = np.atleast_1d(self.time), np.atleast_1d(self.distance)
        places: tuple[Any, Any] = finder.places(self._subject, self._pairs, times, distances)
        return places

    def __getstate__(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def __repr__(self) -> str:
        names = f", {self.a!r} and {self.b!r})" if isinstance(self.distance, float) else ")"
        return super().__repr__()[:-1] + names


@dataclass(frozen=True, eq=False, repr=False)
class RobotIntervals(ContactIntervals):
    """When a robot touches something along a path, and when it is free again: `ContactIntervals`, and names.

    An interval goes on for as long as anything touches, whoever began it.

    Attributes
    ----------
    a, b : (k,) of each interval, the link that comes within the tolerance first, and of what: an obstacle, or
        another link
    """

    _ROWS: ClassVar[tuple[str, ...]] = (*ContactIntervals._ROWS, "a", "b")

    a: list[str]
    b: list[str]


@dataclass(frozen=True, eq=False, repr=False)
class RobotPenetration(Penetration):
    """How deep a robot is in what it may not touch: a `Penetration` of the deepest two, and their names.

    Attributes
    ----------
    a, b : name of the deepest link, and of the obstacle or the other link; of a batch, n names each
    """

    a: str | list[str | None] | None
    b: str | list[str | None] | None

    def __repr__(self) -> str:
        if isinstance(self.depth, float):
            pair = f"{self.depth:.6g}, {self.a!r} and {self.b!r}"
            return f"RobotPenetration({pair})" if self.is_overlapping else "RobotPenetration(apart)"
        return f"RobotPenetration({len(self.depth)} configurations)"


@dataclass(frozen=True, eq=False, repr=False)
class RobotDistance(Distance):
    """How far a robot is from what it may not touch: a `Distance` of the closest two, and their names.

    Attributes
    ----------
    a, b : name of the closest link, and of the obstacle or the other link; of a batch, n names each
    """

    a: str | list[str | None] | None
    b: str | list[str | None] | None

    @property
    def gradient(self) -> Array:
        """How the distance changes with each number of the robot's configuration: (dof,), or (n, dof).

        To some 1e-9, by differences of the links' poses. Obstacles stay where they are. NaN where it touches.
        """
        return robot_gradient(self, self._subject, 0.0, (self.points_a, self.points_b))

    def __repr__(self) -> str:
        if isinstance(self.distance, float):
            return f"RobotDistance({self.distance:.6g}, {self.a!r} and {self.b!r})"
        return f"RobotDistance({len(self.distance)} configurations)"
