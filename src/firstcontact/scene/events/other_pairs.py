"""Pairs of which one is no convex shape: each has a certificate of its own, by the search of all queries.

Their certificates are in a heap. Who changes its motion gets new ones; the old are found out by the stamps of
the two, when their time has come.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from math import inf, sqrt
from typing import Any

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import FirstContact
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import AXIS, CENTER, END_TIME, RATE
from firstcontact.queries.look_up import answer_about, row_for
from firstcontact.scene.events.ball_times import RESTING
from firstcontact.scene.events.certificates import apart_time
from firstcontact.scene.events.convex_times import ANGLE, OVERLAPPING, WAYS
from firstcontact.scene.events.event_table import (
    ABSENT,
    ACCELERATION,
    BALL,
    KIND,
    LOOK_AGAIN,
    SIZE,
    STAMP,
    TOUCHES,
    EventTable,
)
from firstcontact.scene.events.plane_times import DEEPER
from firstcontact.shapes.shape import Shape

Pair = tuple[int, int]

# Two that part are in contact again when they are nearer than this part of the tolerance.
TIGHTER = 2.0**-20


class OtherPairs:
    """Certificates of pairs of bodies of a table, at least one of which is absent in it.

    is_kept : which pairs of rows to look at; pose_of : pose of a row at a time
    """

    def __init__(
        self,
        table: EventTable,
        shapes: list[Shape],
        ask: Ask,
        is_kept: Callable[[int, int], bool],
        pose_of: Callable[[int, float], tuple[Array, Array]],
    ) -> None:
        self._table, self._shapes, self._ask = table, shapes, ask
        self._is_kept, self._pose_of = is_kept, pose_of
        self._heap: list[tuple[float, int, int, int, int, int]] = []
        self._places: dict[Pair, tuple[Array, Array]] = {}
        self._waits: dict[Pair, float] = {}
        self._own: list[int] = []
        self._there: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._own)

    def fill(self, there: list[int], now: float) -> None:
        """Make the certificates of all pairs."""
        kinds = self._table.numbers[:, KIND]
        self._there, self._own = there, [row for row in there if kinds[row] == ABSENT]
        own = set(self._own)
        pairs = [(a, b) for a in self._own for b in there if b not in own or a < b]
        self._heap = [self._entry(min(pair), max(pair), now) for pair in pairs if self._is_kept(*pair)]
        heapify(self._heap)

    def change(self, rows: list[int], now: float) -> None:
        """Make the certificates of bodies anew that have changed their motions."""
        own = set(self._own)
        for row in rows:
            for other in self._there if row in own else self._own:
                if other != row and self._is_kept(row, other):
                    heappush(self._heap, self._entry(min(row, other), max(row, other), now))

    def next(self, until: float) -> tuple[float, Pair] | None:
        """Give the next contact up to a time: when, and which two."""
        while self._heap and self._heap[0][0] <= until:
            time, outcome, a, b, *stamps = self._heap[0]
            if stamps != self._stamps(a, b):
                heappop(self._heap)
            elif outcome == TOUCHES:
                return time, (a, b)
            else:
                looked, outcome = self._look(a, b, time)
                later = max(time + looked, time) if outcome == TOUCHES else max(time + looked, _after(time))
                heappop(self._heap)
                if later < inf:
                    heappush(self._heap, (later, outcome, a, b, *self._stamps(a, b)))  # type: ignore[misc]
        return None

    def place(self, a: int, b: int) -> tuple[Array, Array]:
        """Point and normal of the contact of a pair."""
        return self._places[a, b]

    def _stamps(self, a: int, b: int) -> list[int]:
        return [int(self._table.numbers[row, STAMP]) for row in (a, b)]

    def _entry(self, a: int, b: int, now: float) -> tuple[float, int, int, int, int, int]:
        apart = apart_time(self._table, a, b, now)
        one, other = self._stamps(a, b)
        return (now + apart) * (1.0 - 2.0**-50), LOOK_AGAIN, a, b, one, other

    def _look(self, a: int, b: int, now: float) -> tuple[float, int]:
        """Search a pair from now on for a while: how long it is apart, and what there is then."""
        apart = apart_time(self._table, a, b, now)
        if apart > 0.0 and now + apart > _after(now):
            return apart * (1.0 - 2.0**-50), LOOK_AGAIN
        rows = self._table.motions[[a, b]]
        speed, window = self._speed_and_window(a, b, now, rows)
        if speed == 0.0 and window == inf:
            return inf, TOUCHES
        window = max(window, 64.0 * (_after(now) - now))
        tolerance = self._tolerance(rows)
        found = self._search(a, b, now, window, tolerance)
        if found.time > 0.0 or not found:
            self._waits.pop((a, b), None)
            return self._told(a, b, found, window)
        if self._comes_nearer(a, b, now, found, speed):
            return self._told(a, b, found, window)
        again = self._search(a, b, now, window, TIGHTER * tolerance)
        if again.time > 0.0 or not again:
            self._waits.pop((a, b), None)
            return self._told(a, b, again, window)
        shortest = DEEPER * tolerance / speed if speed > 0.0 else window
        wait = max(2.0 * self._waits.get((a, b), 0.0), shortest)
        longest = OVERLAPPING * float(rows[:, SIZE].min()) / speed if speed > 0.0 else window
        self._waits[a, b] = min(wait, max(longest, shortest))
        return min(wait, window, max(longest, shortest)), LOOK_AGAIN

    def _told(self, a: int, b: int, found: FirstContact, window: float) -> tuple[float, int]:
        if not found:
            return window * min(found.time, 1.0), LOOK_AGAIN
        if len(found.points) > 0:
            self._places[a, b] = found.points[0], found.normals[0]
        return window * found.time * (1.0 - 2.0**-50), TOUCHES

    def _tolerance(self, rows: Array) -> float:
        sizes = np.where(np.isfinite(rows[:, SIZE]), rows[:, SIZE], 0.0)[np.newaxis]
        return float(self._ask.tolerances(sizes)[0])

    def _speed_and_window(self, a: int, b: int, now: float, rows: Array) -> tuple[float, float]:
        """How fast any two points come nearer, and for how long to look."""
        velocities = [self._velocity(row, now) for row in (a, b)]
        balls = np.where(np.isfinite(rows[:, BALL]), rows[:, BALL], rows[::-1, BALL])
        speed = float(np.linalg.norm(velocities[1] - velocities[0]) + rows[:, RATE] @ balls)
        bend = float(np.linalg.norm(rows[1, ACCELERATION:BALL] - rows[0, ACCELERATION:BALL]))
        size, rate, window = float(balls.sum()), float(rows[:, RATE].sum()), inf
        if speed > 0.0:
            window = min(window, WAYS * size / speed)
        if rate > 0.0:
            window = min(window, ANGLE / rate)
        if bend > 0.0:
            window = min(window, sqrt(WAYS * size / bend))
        return speed, window if size > 0.0 else min(window, 1.0)

    def _velocity(self, row: int, now: float) -> Array:
        motion = self._table.motions[row]
        velocity: Array = motion[12:15] + (now - motion[19]) * motion[ACCELERATION:BALL]
        return velocity

    def _moving(self, row: int, now: float, window: float) -> Any:
        motion = self._table.motions[row]
        return self._shapes[row].moving(
            self._pose_of(row, now),
            velocity=window * self._velocity(row, now),
            angular_velocity=window * motion[RATE] * motion[AXIS:RATE],
            acceleration=window * window * motion[ACCELERATION:BALL],
            center=motion[CENTER:END_TIME],
        )

    def _search(self, a: int, b: int, now: float, window: float, tolerance: float) -> FirstContact:
        one, other = self._moving(a, now, window), self._moving(b, now, window)
        ask = self._ask._replace(tolerance=tolerance)
        own = row_for("first_contact", one, other).only(ask)
        found: FirstContact = answer_about("first_contact", one, other, own)
        return found

    def _comes_nearer(self, a: int, b: int, now: float, found: FirstContact, speed: float) -> bool:
        """Do two that touch come nearer where they do, or are they pressed together?"""
        if len(found.points) == 0 or not np.isfinite(found.normals[0]).all():
            return True
        moving, bends = [], []
        for row in (a, b):
            motion, point = self._table.motions[row], found.points[0]
            rotation, translation = self._pose_of(row, now)
            arm = point - (rotation @ motion[CENTER:END_TIME] + translation)
            moving.append(self._velocity(row, now) + np.cross(motion[RATE] * motion[AXIS:RATE], arm))
            bends.append(motion[ACCELERATION:BALL])
        closing, pressing = (-float(found.normals[0] @ (two - one)) for one, two in (moving, bends))
        resting = RESTING * (speed + sum(float(np.linalg.norm(one)) for one in moving))
        is_turning = self._table.motions[[a, b], RATE].any()
        return closing > resting or (closing >= -resting and pressing > 0.0 and not is_turning)


def _after(time: float) -> float:
    """A time that is a little later."""
    return time + 8.0 * abs(time) * 2.0**-52 + 2.0**-480
