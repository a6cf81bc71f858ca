"""The events of a scene, as users ask for them."""

from collections.abc import Mapping, Sequence
from math import inf, isnan
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._turns import Turns
from firstcontact._validate import as_count, as_scalar, as_stack, shown
from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Array
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_names import row_named
from firstcontact.scene.candidates import Candidates
from firstcontact.scene.events.bouncing import Bounce
from firstcontact.scene.events.changes import CHANGED_ACCELERATION, CHANGED_SPIN, CHANGED_VELOCITY, N_CHANGE
from firstcontact.scene.events.contact_place import FIRST, N_EVENT, POINT
from firstcontact.scene.events.event_queue import EventQueue
from firstcontact.scene.events.results import SceneEvent, SceneEvents
from firstcontact.scene.events.settling import settle
from firstcontact.scene.filters import Filters
from firstcontact.scene.many_motions import rows_of

T = TypeVar("T")

# Contacts that `bounce` goes through at most unless told otherwise: 200 MB.
MOST_EVENTS = 1_000_000

# Masses below this are refused: what pushes do to them has no number soon.
LEAST_MASS = 2.0**-500


class WithEvents:
    """What a scene has for events."""

    _turns: Turns
    _bodies: Bodies
    _filters: Filters
    _candidates: Candidates
    _revision: int
    _queue: EventQueue | None = None
    _time: float = 0.0
    _queued_revision: int = -1
    _is_ahead: bool = False

    @property
    def time(self) -> float:
        """The scene's time: its bodies are where their motions have brought them by then."""
        return self._time

    def next_contact(
        self,
        *,
        after: float | None = None,
        until: float = inf,
        min_separation: float = 0.0,
        tolerance: float | None = None,
    ) -> SceneEvent:
        """The next contact from the scene's time on, however late: when, where and between whom.

        Never late, none missed. Bodies go on beyond their step, each as its velocity, angular velocity and
        acceleration have it. Two that touch and part, or rest against each other, are in no contact; two that
        come nearer, or are pressed together, are, again and again until a motion changes.

        Parameters
        ----------
        after : look from a later time on, instead; contacts before do not count, and nothing is kept of it
        until : how far to look
        min_separation, tolerance : as for `first_contact`

        Examples
        --------
        >>> from firstcontact import HalfSpace, Scene, Sphere
        >>> ball = Sphere(1).moving((np.eye(3), [0, 0, 6]), velocity=[0, 0, -1])
        >>> scene = Scene(floor=HalfSpace([0, 0, 1]), ball=ball)
        >>> scene.next_contact(), scene.next_contact(until=2)
        (SceneEvent('floor', 'ball', 4.99999), SceneEvent(none))
        >>> scene.set("ball", velocity=[0, 0, 1])
        >>> scene.next_contact(), Scene().next_contact()
        (SceneEvent(none), SceneEvent(none))
        """
        ask = self._event_ask(min_separation, tolerance)
        limit = _as_time("until", until)
        start = None if after is None else _as_time("after", after)

        def now() -> SceneEvent:
            if start is None:
                row = self._kept(ask).next(limit)
            else:
                self._check_later("after", start)
                row = self._made(ask, start).next(limit)
            if row[FIRST] < 0:
                return SceneEvent(None, None, row)
            names = self._bodies.names
            return SceneEvent(names[int(row[FIRST])], names[int(row[FIRST + 1])], row)

        return self._turns.take(now)

    def advance(self, time: float) -> None:
        """Let the scene's time go on to a later one; bodies go on along their motions.

        The step of all other queries begins there. A contact on the way is passed over: `next_contact` says
        up to when there is none.

        Examples
        --------
        >>> from firstcontact import Scene, Sphere
        >>> scene = Scene(ball=Sphere(1).moving(np.eye(4), velocity=[1, 0, 0]))
        >>> scene.advance(2.5)
        >>> scene.time, scene["ball"].motion.pose(0.0)[:3, 3].tolist()
        (2.5, [2.5, 0.0, 0.0])
        >>> scene.advance(1)
        Traceback (most recent call last):
        ValueError: time must not be before the scene's, 2.5; received 1.0
        """
        later = as_scalar("time", time, -inf, inf)

        def go_on() -> None:
            self._check_later("time", later)
            if later > self._time:
                if self._queue is None or self._queued_revision != self._revision:
                    self._queue = self._made(Ask(), self._time)
                    self._queued_revision = self._revision
                self._time, self._is_ahead = later, True

        self._turns.take(go_on)

    def set(
        self,
        which: Any,
        *,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
    ) -> None:
        """Let bodies go on from the scene's time in another way; what is not given stays as it is.

        Velocities are of the centroid, and turns about it; a body that turned about another point goes on by
        what its centroid does then. Only certificates of these bodies are made anew.

        Parameters
        ----------
        which : a name; or n names or ids, none twice, for vectors (n, 3)
        velocity, angular_velocity, acceleration : (3,) or (n, 3), per unit of the scene's time

        Examples
        --------
        >>> from firstcontact import Scene, Sphere
        >>> scene = Scene(a=Sphere(1), b=Sphere(1).at((np.eye(3), [5, 0, 0])))
        >>> scene.set("a", velocity=[1, 0, 0])
        >>> scene.next_contact()
        SceneEvent('a', 'b', 2.99999)
        >>> scene.set("a")
        Traceback (most recent call last):
        TypeError: set takes a velocity, an angular velocity or an acceleration; received none of them
        """
        given = (velocity, angular_velocity, acceleration)
        if all(vector is None for vector in given):
            raise TypeError(
                "set takes a velocity, an angular velocity or an acceleration; received none of them"
            )

        def change() -> None:
            self._check_in_space()
            rows = _rows(which, self._bodies)
            changes = _as_changes(len(rows), *given)
            queue = self._kept_or_made()
            if queue.time > self._time or (angular_velocity is not None and queue.is_turned_plane(rows)):
                queue = self._queue = self._made(queue.ask, self._time)
            queue.change(rows, changes, self._time)
            self._is_ahead = True
            if angular_velocity is not None and queue.is_turned_plane(rows):
                self._settle()
                self._queue = None

        self._turns.take(change)

    def bounce(
        self,
        until: float,
        masses: Mapping[str, float] | Sequence[float] | Array,
        *,
        inertias: Mapping[str, float] | Sequence[float] | Array | None = None,
        restitution: float = 1.0,
        friction: float = 0.0,
        slow: float = 0.0,
        max_events: int = MOST_EVENTS,
        min_separation: float = 0.0,
        tolerance: float | None = None,
    ) -> SceneEvents:
        """Go from contact to contact up to a time, and let bodies bounce, all in compiled code.

        The scene's time is `until` then; or, after `max_events`, or Ctrl-C, that of the last of them.

        Parameters
        ----------
        until : a time
        masses : of bodies by name, or of all in their order; who has none is moved by nothing, as with inf
        inertias : moments of inertia, the same about every axis; without them bodies do not turn by contacts
        restitution, friction : speed after over that before, in [0, 1]; Coulomb's coefficient
        slow : contacts that close at a lower speed lose none of it, and friction leaves them so much sliding:
            what comes to rest would bounce for ever
        max_events : contacts to stop after
        min_separation, tolerance : as for `first_contact`

        Examples
        --------
        >>> from firstcontact import Scene, Sphere
        >>> balls = {str(i): Sphere(0.5).at((np.eye(3), [2.0 * i, 0, 0])) for i in range(3)}
        >>> scene = Scene(balls)
        >>> scene.set("0", velocity=[1, 0, 0])
        >>> scene.bounce(10, masses=[1, 1, 1]), scene["2"].motion.velocities[0, 0].round(6).tolist()
        (SceneEvents(2, last at 1.99999), [1.0, 0.0, 0.0])
        """
        ask = self._event_ask(min_separation, tolerance)
        limit, most = as_scalar("until", until, -inf, inf), as_count("max_events", max_events)
        back, rub = as_scalar("restitution", restitution, 0.0, 1.0), as_scalar("friction", friction, 0.0, inf)
        rest = as_scalar("slow", slow, 0.0, inf)

        def go_on() -> SceneEvents:
            self._check_later("until", limit)
            own = _inverses("masses", masses, self._bodies), _inverses("inertias", inertias, self._bodies)
            queue = self._kept(ask)
            rows, parts, n, is_done = np.empty((0, N_EVENT)), [], 0, False
            self._is_ahead = True
            try:
                while n < most and not is_done:
                    rows = np.empty((min(most - n, max(1024, n)), N_EVENT))
                    k, is_done = queue.bounce(Bounce(np.column_stack(own), back, rub, rest), limit, rows)
                    parts.append(rows[:k])
                    n += k
            except BaseException:  # Ctrl-C, or a search that failed: bodies are where the last contact was
                self._time = max(self._time, queue.time)
                self._settle()
                self._queue = None
                raise
            found = np.concatenate(parts) if parts else rows
            self._time = limit if is_done or n == 0 else max(self._time, float(found[-1, 0]))
            return SceneEvents.of(self._bodies.columns.ids[found[:, FIRST:POINT].astype(np.int64)], found)

        return self._turns.take(go_on)

    def _event_ask(self, min_separation: float, tolerance: float | None) -> Ask:
        if min_separation == 0.0 and tolerance is None:
            return _PLAIN
        return Ask.checked(tolerance=tolerance, min_separation=min_separation)

    def _check_later(self, name: str, time: float) -> None:
        if not time >= self._time:
            raise ValueError(f"{name} must not be before the scene's, {self._time}; received {time}")

    def _check_in_space(self) -> None:
        if self._bodies.dimension == 2:
            raise TypeError("events of a scene are of bodies in space, and these are in the plane")

    def _kept(self, ask: Ask) -> EventQueue:
        """The queue for what is asked: the one that is kept, unless it is about something else."""
        queue = self._queue
        if queue is None or self._queued_revision != self._revision or queue.ask != ask:
            queue = self._queue = self._made(ask, self._time)
            self._queued_revision = self._revision
        return queue

    def _kept_or_made(self) -> EventQueue:
        queue = self._queue
        return self._kept(Ask() if queue is None else queue.ask)

    def _made(self, ask: Ask, time: float) -> EventQueue:
        """A queue made anew, from a time on."""
        self._settle()
        self._check_in_space()
        queue = EventQueue(self._bodies, self._filters, ask, self._time)
        return queue.seen_from(time) if time > self._time else queue

    def _settled(self) -> Bodies:
        """Give all bodies, where the scene's time has them."""
        self._settle()
        return self._bodies

    def _settle(self) -> None:
        if self._is_ahead and self._queue is not None:
            bodies = self._bodies.to_change()
            self._candidates.forget()
            settle(bodies, self._queue, self._time)
            self._bodies, self._is_ahead = bodies, False


_PLAIN = Ask()


def _as_time(name: str, value: Any) -> float:
    """Accept a time, which may be inf."""
    if isinstance(value, float) and value == inf:
        return value
    return as_scalar(name, value, -inf, inf)


def _rows(which: Any, bodies: Bodies) -> NDArray[np.int64]:
    """Rows of a name, or of names or ids; a few names take a microsecond, not ten."""
    if isinstance(which, str):
        return np.array([row_named(bodies, which)])
    if isinstance(which, list | tuple) and len(which) == 2 and which[0] != which[1]:
        found = bodies.row_of.get(which[0]), bodies.row_of.get(which[1])
        if found[0] is not None and found[1] is not None:
            return np.array(found)
    return rows_of(which, bodies)


def _as_changes(n: int, *given: ArrayLike | None) -> Array:
    """Vectors (3,) or (n, 3) as rows of changes, (n, N_CHANGE)."""
    changes = np.full((n, N_CHANGE), np.nan)
    names = ("velocity", "angular_velocity", "acceleration")
    columns = (CHANGED_VELOCITY, CHANGED_SPIN, CHANGED_ACCELERATION)
    for name, column, vector in zip(names, columns, given, strict=True):
        if vector is not None:
            quick = np.array(vector) if isinstance(vector, list | tuple | np.ndarray) else None
            is_plain = quick is not None and quick.dtype == np.float64 and quick.shape in ((3,), (n, 3))
            if quick is not None and is_plain and np.isfinite(quick).all():
                changes[:, column : column + 3] = quick
                continue
            vectors, is_batch = as_stack(name, vector, (3,))
            if is_batch and len(vectors) != n:
                raise ValueError(
                    f"{name} must be one vector, or one for each of {n}; received {len(vectors)}"
                )
            changes[:, column : column + 3] = vectors
    return changes


def _inverses(name: str, given: Any, bodies: Bodies) -> NDArray[np.float64]:
    """Inverses of masses, or of moments of inertia, of all rows."""
    inverse = np.zeros(bodies.n_rows)
    if given is None:
        return inverse
    if isinstance(given, Mapping):
        pairs = [(row_named(bodies, body), value) for body, value in given.items()]
    else:
        rows = list(bodies.row_of.values())
        if len(given) != len(rows):
            raise ValueError(f"{name} must be one for each of {len(rows)} bodies; received {len(given)}")
        pairs = list(zip(rows, given, strict=True))
    for row, value in pairs:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise TypeError(f"{name} must be numbers; {bodies.names[row]!r} has {shown(value)}") from None
        if isnan(number) or not number >= LEAST_MASS:
            rule = "must be positive, 2**-500 (3e-151) at the least, or inf"
            raise ValueError(f"{name} {rule}; {bodies.names[row]!r} has {value}")
        inverse[row] = 1.0 / number
    return inverse
