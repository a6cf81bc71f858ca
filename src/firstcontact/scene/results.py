"""What the queries about a scene give back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_length
from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import Answer, named
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import Contacts, FirstContact
from firstcontact.answers.ray_results import RayHits
from firstcontact.plain import Plain
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_names import nobody_named
from firstcontact.scene.manifold_of import Known, manifold_of
from firstcontact.scene.manifold_results import Manifold
from firstcontact.scene.solving import detail_of_pair
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status
from firstcontact.times import time_text


@dataclass(frozen=True)
class SceneStats:
    """What a query about a scene did.

    Attributes
    ----------
    bodies : bodies that are there
    pairs : pairs that the broad phase left, without those ignored
    due : those whose boxes meet at the same time, and of which not both rest since contacts were asked for
    solved : those whose first contact was searched for
    seconds : wall-clock time by stage: "bounds", "broad phase", "search"
    """

    bodies: int = 0
    pairs: int = 0
    due: int = 0
    solved: int = 0
    seconds: dict[str, float] = field(default_factory=dict)


def _two_of(things: Mapping[str, Moving], a: str | None, b: str | None) -> dict[str, Moving] | None:
    """The two that an answer is about, as queries name them; None where it is about none."""
    if a is None or b is None:
        return None
    for name in (a, b):
        if name not in things:
            raise nobody_named(name, things)
    return named([things[name] for name in dict.fromkeys((a, b))])


@dataclass(frozen=True, eq=False)
class SceneContact(Answer):
    """The first contact in a scene; truthy where there is one.

    Attributes
    ----------
    a, b : names of the two bodies, in the order of their arrival; the same name twice where a body that
        deforms touches itself; None where there is no contact
    contact : FirstContact
        Of the two, in all detail.
    stats : SceneStats
    things : the two, by name
    """

    a: str | None
    b: str | None
    contact: FirstContact
    stats: SceneStats = field(compare=False)

    @property
    def time(self) -> float:
        """At most the true first time; ``inf`` where all stay apart."""
        return self.contact.time

    @property
    def status(self) -> Status:
        """Status of the contact."""
        return self.contact.status

    def with_things(self, things: Mapping[str, Moving]) -> Self:
        """Return the same answer that knows again what it, and its contact, is about: see `Answer`."""
        known, two = super().with_things(things), _two_of(things, self.a, self.b)
        if two is None:
            return known
        return replace(known, contact=self.contact.with_things(two))

    def __bool__(self) -> bool:
        return self.a is not None

    def __repr__(self) -> str:
        return (
            f"SceneContact({self.a!r}, {self.b!r}, {time_text(self.time)})" if self else "SceneContact(none)"
        )


@dataclass(frozen=True, eq=False)
class SceneClearance(Answer):
    """How near any two bodies of a scene come over a step.

    Attributes
    ----------
    a, b : names of the two that come nearest, in the order of their arrival; None where there are none
    clearance : Clearance
        Of the two, with all detail; None where there are none.
    distance_lower : float
        Proven: no two bodies are ever nearer.
    stats : SceneStats
    things : the two, by name
    """

    a: str | None
    b: str | None
    clearance: Clearance | None
    distance_lower: float
    stats: SceneStats = field(compare=False)

    @property
    def distance(self) -> float:
        """What `fc.distance` of the two says at `time`; ``inf`` where there are none."""
        return np.inf if self.clearance is None else float(self.clearance.distance)

    @property
    def time(self) -> float:
        """When the two are nearest."""
        return 0.0 if self.clearance is None else float(self.clearance.time)

    @property
    def status(self) -> Status:
        """SEPARATED where contact is excluded, CONTACT where two touch, UNDECIDED, or MAX_ITERATIONS."""
        if self.clearance is None or self.distance_lower > 0.0:
            return Status.SEPARATED
        own = Status(int(self.clearance.status))
        return Status.UNDECIDED if own == Status.SEPARATED else own

    def with_things(self, things: Mapping[str, Moving]) -> Self:
        """Return the same answer that knows again what it, and its clearance, is about: see `Answer`."""
        known, two = super().with_things(things), _two_of(things, self.a, self.b)
        if two is None or self.clearance is None:
            return known
        return replace(known, clearance=self.clearance.with_things(two))

    def __repr__(self) -> str:
        if self.clearance is None:
            return "SceneClearance(none)"
        least = f"{self.distance_lower:.6g} to {self.distance:.6g}"
        return f"SceneClearance({self.a!r}, {self.b!r}, {least}, at {time_text(self.time)})"


@dataclass(frozen=True, eq=False)
class SceneContacts(Answer):
    """The first contact of each pair of bodies that touch in a step, sorted by time, then by ids.

    Attributes
    ----------
    names : k pairs of names, in the order of arrival
    ids : (k, 2) int64
    time : (k,) float64
        At most the true first time of each pair.
    points : (k, 3) float64
        One of the places where the two touch then.
    normals : (k, 3) float64
        Unit vectors from the first body to the second.
    status : (k,) int8
        A `Status` for each pair.
    stats : SceneStats
    things : all bodies, as they were then, by name
    """

    names: list[tuple[str, str]]
    ids: NDArray[np.int64]
    time: NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    status: NDArray[np.int8]
    stats: SceneStats = field(compare=False)
    _ask: Ask = field(compare=False)

    def between(self, a: str, b: str) -> FirstContact | Contacts:
        """All that is known of a pair in this step, worked out when it is asked for.

        Of meshes that deform, or rest, it is every contact: `Contacts`. Of others it is the `FirstContact`.
        """
        things = self._subject
        for name in (a, b):
            if not isinstance(name, str) or name not in things:
                raise nobody_named(name, things)
        two = {name: things[name] for name in things if name in (a, b)}
        bodies = Bodies()
        bodies.add(two)
        return detail_of_pair(bodies, 0, len(two) - 1, self._ask)

    def manifold(self, within: float | None = None) -> Manifold:
        """All points at which the pairs face each other at their contacts, worked out when it is asked for.

        Of boxes, hulls, cylinders and cones the corners of what faces the other; of what is round a point,
        or the two ends of a line; of meshes every vertex above a face and every two edges that cross; of all
        others, and of meshes that overlap, the point of the contact. Ids stay the same from step to step.

        Parameters
        ----------
        within : how much farther apart than the nearest two points count; a hundredth of the smaller body

        Examples
        --------
        >>> from firstcontact import Box, Scene
        >>> box, here = Box([1, 1, 1]), np.eye(3)
        >>> scene = Scene(low=box, high=box.moving((here, [0.25, 0, 2]), velocity=[0, 0, -4]))
        >>> m = scene.contacts().manifold()
        >>> m, m.points_b[:, 0].round(6).tolist(), m.closing.all()
        (Manifold(4 points of 1 contacts), [0.5, 0.5, -0.25, -0.25], np.True_)
        >>> Scene().contacts().manifold()
        Manifold(0 points of 0 contacts)
        """
        near = None if within is None else as_length("within", within)
        known = Known(self.ids, self.time, self.points, self.normals, self.names)
        return manifold_of(self._subject, known, near)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        n = len(self)
        return f"SceneContacts({n}, first at {time_text(self.time[0])})" if n else "SceneContacts(none)"


@dataclass(frozen=True, eq=False)
class SceneRayHits(Plain):
    """What rays meet first in a scene.

    Attributes
    ----------
    hits : RayHits
    names : n names of the bodies that are met, None for none; of a single ray one
    """

    hits: RayHits
    names: list[str | None] | str | None

    def __repr__(self) -> str:
        if isinstance(self.names, list):
            return f"SceneRayHits({len(self.names)} rays, {np.count_nonzero(self.hits.hit)} hits)"
        return (
            "SceneRayHits(no hit)" if self.names is None else f"SceneRayHits({self.names!r}, {self.hits!r})"
        )
