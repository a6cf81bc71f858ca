"""What the queries about moving things give back."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.answers.gradients import time_gradient
from firstcontact.plain import Plain
from firstcontact.status import ContactKind as ContactKind
from firstcontact.status import Status
from firstcontact.times import time_text

if TYPE_CHECKING:
    from firstcontact.articulated.proof.certificate import Certificate


@dataclass(frozen=True)
class ContactStats:
    """What a search did, stage by stage: every pair that a stage does not drop is the next one's work.

    Attributes
    ----------
    node_tests : pairs of bounding volumes compared
    smooth_regions : regions skipped because their normals and contours prove them free of self-contact
    triangle_pairs : pairs of triangles whose swept bounds overlap
    feature_pairs : vertices with faces and edges with edges that came out of them
    elementary_tests : those of them whose own swept bounds overlap
    filtered : of these, dropped by the non-penetration filter
    solved : decided by the roots of the coplanarity cubic
    advanced : decided by conservative advancement
    refined : decided in double-double arithmetic, or left undecided
    ties : decided as exact ties, in compiled code
    exact : decided in integers of any length
    trees : what was done to the tree of each mesh: "refit", "restructured" or "rebuilt"
    seconds : wall-clock time by stage: "bounds" (with the trees), "search", "settling", "total"
    """

    node_tests: int = 0
    smooth_regions: int = 0
    triangle_pairs: int = 0
    feature_pairs: int = 0
    elementary_tests: int = 0
    filtered: int = 0
    solved: int = 0
    advanced: int = 0
    refined: int = 0
    ties: int = 0
    exact: int = 0
    trees: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Contacts(Answer):
    """All contacts of a step: one row for each pair of features, by time, then by kind, things and ids.

    Attributes
    ----------
    kind : (n,) int8
        A `ContactKind` for each row.
    thing_ids : (n, 2) int32
        Which things touch: of a list, their places in it, the earlier one first; of a and b, 0 and 1; of a
        thing alone, 0 and 0.
    ids_a, ids_b : (n,) int32
        Rows of the vertices, faces or `Mesh.edges` of a and of b, as the kind says.
    vertex_ids : (n, 4) int32
        The vertices of the two features: vertex and corners of the face, or the ends of the edge of a, then
        of b. An edge that passes through a face has five with it: -1 here, see `Mesh.edges` and `faces`.
    time : (n,) float64
        At most the true first time at which the two features touch.
    time_upper : (n,) float64
        At least that time, where the contact is proven; 1 where it is not.
    points : (n, 3) float64
        Where they touch, at `time`.
    normals : (n, 3) float64
        Unit vectors from a to b, by their places at `time`: from the one closest point to the other. Where
        that gap is no more than rounding, to the side of b from which a comes, or on which it rests. Where an
        edge passes through a face, the two part the soonest against it.
    closing_speed : (n,) float64
        How fast the touching points approach each other along the normal, in lengths a step: positive where
        the two close, negative where they part.
    weights : (n, 4) float64
        Barycentric weights, in the order of `vertex_ids`, of the touching points; NaN where those are -1.
    status : (n,) int8
        A `Status` for each row.
    gap : (n,) float64
        How far the touching points are from each other at `time`, less what both are thick; below 0 where
        more of that overlaps, as it may at the start.
    velocities : (n, 3) float64
        How a's touching point moves as seen from b's, in lengths a step; along the normal, `closing_speed`.
    stats : ContactStats
    things : what was asked about, by name
    """

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
    stats: ContactStats = field(compare=False)

    @property
    def closing(self) -> NDArray[np.bool_]:
        """Which pairs approach at `time`, (n,): those with a positive `closing_speed`; none that rests."""
        is_closing: NDArray[np.bool_] = self.closing_speed > 0.0
        return is_closing

    @property
    def tangents(self) -> NDArray[np.float64]:
        """Two unit vectors across each normal, (n, 2, 3): with it, as the third, a right-handed frame.

        The frame of the axes, turned by the shortest turn that brings z to the normal, or -z where that is
        nearer: with the normal it changes steadily but where the normal passes through the plane of x and y.

        Examples
        --------
        >>> import firstcontact as fc
        >>> floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
        >>> leaf = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
        >>> c = fc.contacts(leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4]), floor)
        >>> c.normals[0, 2].tolist(), c.tangents[0].tolist()
        (-1.0, [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
        >>> c.gap.round(6).tolist(), c.velocities[0].tolist(), c.closing.tolist()
        ([0.0, 0.0, 0.0], [0.0, 0.0, -4.0], [True, True, True])
        """
        return tangents_of(self.normals)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        n = len(self)
        return f"Contacts({n}, first at {time_text(self.time[0])})" if n else "Contacts(none)"


def tangents_of(normals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two unit vectors across each of some unit vectors (n, 3), which follow as the third: (n, 2, 3).

    In the plane, one across each (n, 2), which follows it in a right-handed frame: (n, 1, 2).
    """
    if normals.shape[1] == 2:
        only: NDArray[np.float64] = np.stack([normals[:, 1], -normals[:, 0]], axis=1)[:, np.newaxis] + 0.0
        return only
    x, y, z = normals.T
    side = np.where(z < 0.0, -1.0, 1.0)
    # The turn about (-y, x, 0) by the angle with the cosine z brings x to (1 - x x c, -x y c, -x).
    c = 1.0 / (1.0 + side * z)
    first = np.stack([1.0 - x * x * c, -x * y * c, -side * x], axis=1)
    second = np.stack([-side * x * y * c, side * (1.0 - y * y * c), -y], axis=1)
    return np.stack([first, second], axis=1) + 0.0  # no zeros with a sign


@dataclass(frozen=True, eq=False)
class AdvancementStats(Plain):
    """What a search for the first contact of rigid bodies did; of a batch, arrays (n,).

    Attributes
    ----------
    iterations : times at which the bodies were placed
    front_nodes : pairs of volumes or triangles at which the search stopped to go deeper
    volume_tests : pairs of bounding volumes whose distance was computed
    triangle_tests : pairs of triangles whose distance was computed
    seconds : wall-clock time of the whole query
    """

    iterations: int | NDArray[np.int64]
    front_nodes: int | NDArray[np.int64]
    volume_tests: int | NDArray[np.int64]
    triangle_tests: int | NDArray[np.int64]
    seconds: float


@dataclass(frozen=True, eq=False)
class RobotStats(Plain):
    """What a search along a robot's path did; of a batch, (n,) int64 each.

    Attributes
    ----------
    configurations : configurations that the robot was put into
    pairs : pairs of shapes looked at, once in each of them
    gaps : of these, gaps of convex shapes computed
    mesh_gaps : of these, distances of meshes computed
    seconds : wall-clock time of the whole query
    """

    configurations: int | NDArray[np.int64]
    pairs: int | NDArray[np.int64]
    gaps: int | NDArray[np.int64]
    mesh_gaps: int | NDArray[np.int64]
    seconds: float


@dataclass(frozen=True, eq=False)
class FirstContact(Answer):
    """The first contact of a motion; truthy where there is one.

    Attributes
    ----------
    status : Status
    time : float
        At most the true first time; ``inf`` where the things stay apart.
    time_upper : float
        At least the true first time, where the contact is proven; ``inf`` where it is not, as where rigid
        bodies come within the tolerance of each other and go apart again.
    points, normals : (k, 3) float64
        Of all contacts that are not told apart from the first: where, and unit vectors from a to b. Of a
        convex shape that touches at the start, those along which the two part soonest.
    features : (k, 3) int32
        For each of them its `ContactKind`, the id on a and the id on b.
    stats : ContactStats, AdvancementStats or RobotStats
    is_truncated : whether more touches at that time than is listed: 1,024 places of rigid bodies, 65,536
        pairs of features of what deforms
    things : what was asked about, by name: "a" and "b", or a robot and its obstacles
    """

    status: Status
    time: float
    time_upper: float
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    features: NDArray[np.int32]
    stats: ContactStats | AdvancementStats | RobotStats = field(compare=False)
    is_truncated: bool = field(default_factory=bool, kw_only=True)  # a default would hide what comes later
    _kept: float = field(default=0.0, kw_only=True, repr=False, compare=False)
    _is_solid: bool = field(default=False, kw_only=True, repr=False, compare=False)
    _thing_ids: NDArray[np.int32] | None = field(default=None, kw_only=True, repr=False)

    @property
    def thing_ids(self) -> NDArray[np.int32]:
        """Which things touch, (k, 2): of a list, their places; of a and b 0 and 1; of a alone 0 and 0."""
        if self._thing_ids is None:
            return np.tile(np.array([[0, 1]], np.int32), (len(self.points), 1))
        return self._thing_ids

    @property
    def certificate(self) -> "Certificate":
        """The proof that two rigid bodies are apart for the whole motion, or before `time`.

        Found whenever it is asked for, by other means than the contact; `Certificate.verify` checks it. It
        goes up to its own `end`: `time`, or a little before, where rounding hides the gap that is left then.

        Examples
        --------
        >>> from firstcontact import Sphere, first_contact
        >>> hit = first_contact(Sphere(1).moving((np.eye(3), [-4, 0, 0]), velocity=[8, 0, 0]), Sphere(1))
        >>> hit.certificate.verify(), hit.time - 1e-6 < hit.certificate.end <= hit.time
        (True, True)
        """
        from firstcontact.answers.rigid_certificate import rigid_certificate  # loads what robots need

        return rigid_certificate(self._subject, self._kept, self.time, self._is_solid)

    @property
    def gradient(self) -> NDArray[np.float64]:
        """How the time changes as the motion of a is displaced, and as that of b is: (2, 6).

        For each a translation, and a rotation vector about the origin of its pose at `time`, in the world. By
        the first of the contacts; NaN without one, or where the bodies do not close there. Rigid bodies only.

        Examples
        --------
        >>> from firstcontact import Sphere, first_contact
        >>> hit = first_contact(Sphere(1).moving((np.eye(3), [-4, 0, 0]), velocity=[8, 0, 0]), Sphere(1))
        >>> hit.gradient[0, :3].round(9) + 0.0
        array([-0.125,  0.   ,  0.   ])
        """
        if len(self.points) == 0:
            return np.full((2, 6 if self.points.shape[1] == 3 else 3), np.nan)
        found = time_gradient(self._subject, np.array([self.time]), self.points[:1], self.normals[:1])
        own: NDArray[np.float64] = found[0]
        return own

    def __bool__(self) -> bool:
        return self.status != Status.SEPARATED


@dataclass(frozen=True, eq=False)
class FirstContacts(Answer):
    """The first contacts of n motions, one row each; those that stay apart have NaN for a place, and -1.

    Attributes
    ----------
    status : (n,) int8
        A `Status` for each motion.
    time, time_upper : (n,) float64
        As in `FirstContact`.
    points, normals : (n, 3) float64
        One of the contacts: where, and a unit vector from a to b.
    features : (n, 3) int32
        Its `ContactKind`, the id on a and the id on b.
    stats : AdvancementStats or RobotStats
    things : what was asked about, by name
    """

    status: NDArray[np.int8]
    time: NDArray[np.float64]
    time_upper: NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    features: NDArray[np.int32]
    stats: AdvancementStats | RobotStats = field(compare=False)

    @property
    def gradient(self) -> NDArray[np.float64]:
        """How the times change as the motions are displaced, (n, 2, 6), as in `FirstContact`."""
        return time_gradient(self._subject, self.time, self.points, self.normals)

    @property
    def hit(self) -> NDArray[np.bool_]:
        """Which motions have a contact, (n,)."""
        is_hit: NDArray[np.bool_] = self.status != Status.SEPARATED
        return is_hit

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"FirstContacts({len(self)} motions, {np.count_nonzero(self.hit)} with contact)"


def no_contact(stats: ContactStats | AdvancementStats) -> FirstContact:
    """The answer where things stay apart."""
    nowhere = np.empty((0, 3))
    return FirstContact(
        Status.SEPARATED, np.inf, np.inf, nowhere, nowhere.copy(), np.empty((0, 3), np.int32), stats
    )
