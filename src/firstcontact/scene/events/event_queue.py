"""The queue of a scene's events, kept from contact to contact."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import RELATIVE_TOLERANCE, Ask
from firstcontact.arrays import Array
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.events.bouncing import Bounce, bounce_event, bounce_into
from firstcontact.scene.events.certificates import is_pair_kept
from firstcontact.scene.events.changes import change_motions, pose_into
from firstcontact.scene.events.contact_place import (
    FIRST,
    NORMAL,
    POINT,
    TIME,
    VELOCITIES,
    next_contact_into,
    place_into,
)
from firstcontact.scene.events.event_table import KIND, MIN_SEPARATION, NOW, PLANE, TOLERANCE
from firstcontact.scene.events.filling import filled_table, tune_cells
from firstcontact.scene.events.next_event import NONE, NOT_YET, TOO_MANY_OUTSIDE, fill_queue
from firstcontact.scene.events.other_pairs import OtherPairs
from firstcontact.scene.events.results import no_event
from firstcontact.scene.filters import Filters

# Certificates that fail in one call of compiled code: a tenth of a second of work, after which Ctrl-C is
# heard.
MOST_AT_ONCE = 20_000


class EventQueue:
    """All pairs of some bodies with a proven time before which they do not touch, from a time on."""

    def __init__(self, bodies: Bodies, filters: Filters, ask: Ask, time: float) -> None:
        self.ask = ask
        n = bodies.n_rows
        sizes = bodies.columns.sizes[:n]
        wide = RELATIVE_TOLERANCE * sizes.max(initial=0.0) if ask.tolerance is None else ask.tolerance
        self._margin = ask.min_separation + float(wide)
        self.table = table = filled_table(bodies, filters, time, self._margin)
        table.state[MIN_SEPARATION] = ask.min_separation
        table.state[TOLERANCE] = -1.0 if ask.tolerance is None else ask.tolerance
        self._others = OtherPairs(table, bodies.shapes, ask, self._is_kept, self.pose)
        fill_queue(table, time)
        self._there: list[int] = np.flatnonzero(bodies.columns.is_there[:n]).tolist()
        self._others.fill(self._there, time)

    @property
    def time(self) -> float:
        """The time that the queue has come to."""
        return float(self.table.state[NOW])

    def _is_kept(self, a: int, b: int) -> bool:
        return bool(is_pair_kept(self.table, a, b))

    def pose(self, row: int, time: float) -> tuple[Array, Array]:
        """Pose of a body at a time: orientation and translation."""
        out = np.empty(12)
        pose_into(self.table, row, time, out)
        return out[:9].reshape(3, 3), out[9:]

    def next(self, until: float) -> Array:
        """Give the row of the next contact up to a time; that of none, if there is none."""
        out = no_event()
        code = self._next_of_table(until, out)
        limit = float(out[TIME]) if code >= 0 else until
        found = self._others.next(limit)
        if found is None:
            return out if code >= 0 else no_event()
        return out if code >= 0 and out[TIME] <= found[0] else self._other_event(*found)

    def _other_event(self, time: float, pair: tuple[int, int]) -> Array:
        out = no_event()
        place_into(self.table, *pair, time, out)
        out[POINT:NORMAL], out[NORMAL:VELOCITIES] = self._others.place(*pair)
        return out

    def _next_of_table(self, until: float, out: Array) -> int:
        while True:
            code = next_contact_into(self.table, until, MOST_AT_ONCE, out)
            if code == TOO_MANY_OUTSIDE:
                self._tune()
            elif code != NOT_YET:
                return int(code)

    def _tune(self) -> None:
        now = self.time
        tune_cells(self.table, now, self._margin)
        fill_queue(self.table, now)

    def change(self, rows: NDArray[np.int64], changes: Array, now: float) -> None:
        """Change how bodies go on from a time, by rows of changes."""
        change_motions(self.table, rows, changes, now)
        self._others.change(rows.tolist(), now)

    def is_turned_plane(self, rows: NDArray[np.int64]) -> bool:
        """Is one of these a half-space? If it turns, it is another kind of body."""
        return bool((self.table.numbers[rows, KIND] == PLANE).any())

    def bounce(self, bounce: Bounce, until: float, events: Array) -> tuple[int, bool]:
        """Go on from contact to contact; give how many there were, and whether that is all up to the time."""
        n, room = 0, np.empty((1, 9))
        while n < len(events):
            found = self._others.next(until)
            limit, most = (until if found is None else found[0]), 1 if self._others else len(events)
            more, code = bounce_into(self.table, bounce, limit, MOST_AT_ONCE, events[n : n + most], room)
            if code == TOO_MANY_OUTSIDE:
                self._tune()
            elif code == NONE and found is None:
                return n + more, True
            elif code == NONE and found is not None:
                events[n] = self._other_event(*found)
                bounce_event(self.table, bounce, events[n], room)
                more = 1
            if more > 0 and self._others:
                self._others.change(events[n, FIRST:POINT].astype(np.int64).tolist(), float(events[n, TIME]))
            n += more
        return n, False

    def seen_from(self, time: float) -> "EventQueue":
        """Look from a later time on: contacts before do not count."""
        tune_cells(self.table, time, self._margin)
        fill_queue(self.table, time)
        self._others.fill(self._there, time)
        return self

    @property
    def motions(self) -> Array:
        """Motions of all bodies, in the columns of the table."""
        return self.table.motions
