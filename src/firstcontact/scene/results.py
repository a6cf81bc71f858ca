"""What the queries about a scene give back."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firstcontact.queries.answer import Answer
from firstcontact.queries.contact_results import Contacts, FirstContact
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status


@dataclass(frozen=True)
class SceneStats:
    """What a query about a scene did.

    Attributes
    ----------
    bodies : bodies that are there
    pairs : pairs that the broad phase left, without those ignored
    due : those whose boxes meet at the same time
    solved : those whose first contact was searched for
    seconds : wall-clock time by stage: "bounds", "broad phase", "search"
    """

    bodies: int = 0
    pairs: int = 0
    due: int = 0
    solved: int = 0
    seconds: dict[str, float] = field(default_factory=dict)


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
    stats: SceneStats

    @property
    def time(self) -> float:
        """At most the true first time; ``inf`` where all stay apart."""
        return self.contact.time

    @property
    def status(self) -> Status:
        """Status of the contact."""
        return self.contact.status

    def __bool__(self) -> bool:
        return bool(self.contact)

    def __repr__(self) -> str:
        return f"SceneContact({self.a!r}, {self.b!r}, {self.time:.6g})" if self else "SceneContact(none)"


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
    things : all bodies, by name
    """

    names: list[tuple[str, str]]
    ids: NDArray[np.int64]
    time: NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    status: NDArray[np.int8]
    stats: SceneStats
    _detail: Callable[[str, str], FirstContact | Contacts] = field(repr=False)
    _bodies: Callable[[], dict[str, Moving]] = field(repr=False)

    @property
    def things(self) -> dict[str, Moving]:
        """All bodies of the scene as they were then, by name."""
        return self._bodies()

    def between(self, a: str, b: str) -> FirstContact | Contacts:
        """All that is known of a pair in this step, worked out when it is asked for.

        Of meshes that deform, or rest, it is every contact: `Contacts`. Of others it is the `FirstContact`.
        """
        return self._detail(a, b)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        n = len(self)
        return f"SceneContacts({n}, first at {self.time[0]:.6g})" if n else "SceneContacts(none)"
