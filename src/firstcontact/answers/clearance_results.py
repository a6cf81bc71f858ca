"""What `clearance` gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_count
from firstcontact.answers.answer import Answer
from firstcontact.answers.contact_results import AdvancementStats, RobotStats
from firstcontact.answers.gradients import distance_gradient
from firstcontact.arrays import Array
from firstcontact.shapes.moving import Moving
from firstcontact.times import time_text

if TYPE_CHECKING:
    from firstcontact.articulated.proof.certificate import Certificate

# Times of a profile unless told otherwise.
N_TIMES = 101


class Measurer(Protocol):
    """Measures things at times: plain data about what was asked, without the things."""

    def distances(self, things: Mapping[str, Moving], times: Array) -> Array:
        """Distances at times (m,): (m,), of a batch (n, m)."""

    def certificate(self, things: Mapping[str, Moving], kept: float) -> "Certificate":
        """The proof that things keep a distance at all times."""


class Profile(NamedTuple):
    """Distance against time: times (m,) from 0 to 1, and distances (m,), of a batch (n, m)."""

    times: Array
    distances: Array


@dataclass(frozen=True, eq=False)
class Clearance(Answer):
    """How near two things come over a whole motion; of a batch, with a leading axis everywhere.

    Attributes
    ----------
    distance : float, or (n,) float64
        What `fc.distance` says at `time`: the least distance is no more. Zero where they touch, ``inf`` where
        a mesh has no faces. With a field, more than the truth by some tolerances of it, never less.
    distance_lower : float, or (n,) float64
        Proven: they are never nearer. At most the tolerance less than `distance`, to rounding; zero where
        contact is not excluded.
    time : float, or (n,) float64
    points : (2, 3) or (n, 2, 3) float64
        The closest points on a and on b in the world at `time`; a common one where they touch.
    faces : (2,) or (n, 2) int32
        The faces of a and of b that they lie on; -1 where there are none.
    status : (n,) int8, or int
        A `Status`: SEPARATED where contact is excluded, CONTACT where they touch at `time`, UNDECIDED where
        they are within the tolerance then, MAX_ITERATIONS where the search had to end.
    stats : AdvancementStats
    things : what was asked about, by name
    """

    distance: float | NDArray[np.float64]
    distance_lower: float | NDArray[np.float64]
    time: float | NDArray[np.float64]
    points: NDArray[np.float64]
    faces: NDArray[np.int32]
    status: int | NDArray[np.int8]
    stats: AdvancementStats | RobotStats = field(compare=False)
    _measurer: Measurer = field(compare=False, repr=False)

    def profile(self, n: int = N_TIMES) -> Profile:
        """Measure the distance at n times, from 0 to 1: for plots, and for the eye. Nothing is proven by it.

        Examples
        --------
        >>> from firstcontact import Sphere, clearance
        >>> import numpy as np
        >>> passing = Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[8, 0, 0])
        >>> clearance(passing, Sphere(1)).profile(3).distances.tolist()
        [3.0, 1.0, 3.0]
        """
        times = np.linspace(0.0, 1.0, as_count("n", n))
        return Profile(times, self._measurer.distances(self._subject, times))

    @property
    def gradient(self) -> NDArray[np.float64]:
        """How the least distance changes as the motion of a is moved, and that of b: (2, 6), or (n, 2, 6).

        For each a translation, and a rotation vector about the origin of its pose at `time`, in the world:
        those of the distance then, as to first order the nearest time does not matter. NaN where they touch.

        Examples
        --------
        >>> from firstcontact import Sphere, clearance
        >>> import numpy as np
        >>> passing = Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[8, 0, 0])
        >>> clearance(passing, Sphere(1), tolerance=1e-9).gradient[0, :3].round(6) + 0.0
        array([0., 1., 0.])
        """
        points = self.points[np.newaxis] if self.points.ndim == 2 else self.points
        distances, times = np.atleast_1d(self.distance), np.atleast_1d(self.time)
        found = distance_gradient(self._subject, (points[:, 0], points[:, 1]), distances, times)
        return found[0] if self.points.ndim == 2 else found

    @property
    def certificate(self) -> "Certificate":
        """The proof that `distance_lower` is kept at all times; `Certificate.verify` checks it.

        Of one motion. Found whenever it is asked for, by other means than the clearance.

        Examples
        --------
        >>> from firstcontact import Sphere, clearance
        >>> import numpy as np
        >>> passing = Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[8, 0, 0])
        >>> near = clearance(passing, Sphere(1))
        >>> near.certificate.verify(), near.certificate.min_separation == near.distance_lower
        (True, True)
        >>> clearance(passing, Sphere(2)).certificate
        Traceback (most recent call last):
        ValueError: there is nothing to prove: contact is not excluded
        """
        if not isinstance(self.distance_lower, float):
            raise ValueError("a certificate is for one motion: ask about that alone")
        if self.distance_lower == 0.0:
            raise ValueError("there is nothing to prove: contact is not excluded")
        kept = self.distance_lower if self.distance_lower < np.inf else 0.0
        return self._measurer.certificate(self._subject, kept)

    def __repr__(self) -> str:
        if not isinstance(self.distance, float) or not isinstance(self.time, float):
            return f"{type(self).__name__}({len(np.atleast_1d(self.distance))} motions)"
        least = f"{self.distance_lower:.6g} to {self.distance:.6g}"
        return f"{type(self).__name__}({least}, at {time_text(self.time)})"
