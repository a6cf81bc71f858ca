"""Balls in a closed room, from contact to contact: what an event costs, by the number of balls.

Balls of a radius of 0.3 fly in a room of a unit of space each, elastic, at random speeds. After as many
events as there are balls the queue is as it will stay. Beside it: the same scene with a queue made anew after
each event; and a plain event-driven simulation in NumPy, which keeps the next contact of each ball, and looks
for those that an event has changed among all others at once.
"""

from math import log
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from report.section import Headline, Lines, Target
from report.tables import ratio_of
from scene.cases import Array

RADIUS, SIZES = 0.3, (100, 1000, 10000, 100000)
BATCH, LOOP, ANEW, PLAIN = "bounce", "next_contact, advance, set", "a queue made anew", "NumPy"
LIKE_THE_LOOP = (LOOP, ANEW, PLAIN)
_MOST_PLAIN = 10000  # balls
_A_SECOND = 20_000  # events at 1,000 balls, that a user may count on
_REPEATS = 3


class Events(NamedTuple):
    """Seconds an event of n balls, by a method."""

    method: str
    n_balls: int
    seconds: float


class Room(NamedTuple):
    """Balls at the start, and the side of their room."""

    places: Array
    velocities: Array
    side: float


def room_of(n: int) -> Room:
    """So many balls on a grid, each somewhere in its cell."""
    rng, side = np.random.default_rng(0), int(np.ceil(n ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:n] + 0.5
    places = grid + (rng.random((n, 3)) - 0.5) * (0.99 - 2.0 * RADIUS)
    return Room(places, rng.normal(size=(n, 3)), float(side))


def scene_of(room: Room) -> Any:
    """The balls and six walls as a scene."""
    ball = fc.Sphere(RADIUS)
    scene = fc.Scene({str(i): ball for i in range(len(room.places))})
    scene.move(scene.ids, (np.eye(3), room.places), velocity=room.velocities)
    for axis in range(3):
        for name, sign, offset in (("low", 1.0, 0.0), ("high", -1.0, -room.side)):
            scene.add(f"{name} {axis}", fc.HalfSpace(sign * np.eye(3)[axis], offset))
    return scene


def run_events(n: int, n_events: int) -> list[Events]:
    """Go from event to event in all ways, each from where the last one ended."""
    room = room_of(n)
    scene, masses = scene_of(room), np.concatenate([np.ones(n), np.full(6, np.inf)])
    scene.bounce(1e9, masses, max_events=n)
    found = [Events(BATCH, n, _best(lambda: scene.bounce(1e9, masses, max_events=n_events), n_events))]
    few = n_events // 10
    found.append(Events(LOOP, n, _best(lambda: [_one(scene) for _ in range(few)], few)))
    n_anew = max(few // n, 5)
    found.append(Events(ANEW, n, _best(lambda: [_anew(scene) for _ in range(n_anew)], n_anew)))
    if n <= _MOST_PLAIN:
        plain, n_plain = Plain(room), max(200_000 // n, 20)
        found.append(Events(PLAIN, n, _best(lambda: [plain.go_on() for _ in range(n_plain)], n_plain)))
    return found


def _best(go: Any, n_events: int) -> float:
    taken = []
    for _ in range(_REPEATS):
        began = process_time()
        go()
        taken.append((process_time() - began) / n_events)
    return min(taken)


def _one(scene: Any) -> None:
    """One event from Python, and the answer to it."""
    event = scene.next_contact()
    scene.advance(event.time)
    (one, other), normal = event.velocities, event.normal
    if event.b[0] in "lh":
        scene.set(event.a, velocity=one - 2.0 * (one @ normal) * normal)
    else:
        swapped = ((one - other) @ normal) * normal
        scene.set([event.a, event.b], velocity=[one - swapped, other + swapped])


def _anew(scene: Any) -> None:
    """The same with a queue that is not kept: a body that arrives ends it."""
    scene.add("guest", fc.Sphere(RADIUS).at((np.eye(3), [-1e6, 0, 0])))
    scene.remove("guest")
    _one(scene)


class Plain:
    """A plain event-driven simulation: of each ball the next contact, and a look for the least of them."""

    def __init__(self, room: Room) -> None:
        self.places, self.velocities, self.side = room.places.copy(), room.velocities.copy(), room.side
        n = len(room.places)
        self.times, self.partners = np.full(n, np.inf), np.zeros(n, np.int64)
        self.now, self.last = 0.0, (-1, -1)
        for i in range(n):
            self.look(i)

    def look(self, i: int) -> None:
        """Find the next contact of a ball: negative partners are walls."""
        offset, velocity = self.places - self.places[i], self.velocities - self.velocities[i]
        closing, speed = -(offset * velocity).sum(1), (velocity * velocity).sum(1)
        beyond = np.maximum((offset * offset).sum(1) - 4.0 * RADIUS * RADIUS, 0.0)
        squared = closing * closing - speed * beyond
        meets = np.flatnonzero((closing > 0.0) & (squared >= 0.0))
        meets = meets[meets != i]
        times = beyond[meets] / (closing[meets] + np.sqrt(squared[meets]))
        v, p = self.velocities[i], self.places[i]
        ways = np.where(v > 0.0, self.side - RADIUS - p, p - RADIUS)
        walls = np.where(v == 0.0, np.inf, np.maximum(ways, 0.0) / np.maximum(np.abs(v), 1e-300))
        axis = int(walls.argmin())
        self.times[i], self.partners[i] = self.now + walls[axis], -1 - axis
        if len(times) and times.min() < walls[axis]:
            self.times[i], self.partners[i] = self.now + times.min(), meets[times.argmin()]

    def go_on(self) -> None:
        """Go on to the next contact, let the two bounce, and look anew at whom that concerns."""
        i = int(self.times.argmin())
        j = int(self.partners[i])
        self.places += (self.times[i] - self.now) * self.velocities
        self.now = self.times[i]
        if j < 0:
            self.velocities[i, -1 - j] *= -1.0
            changed = [i]
        else:
            normal = self.places[j] - self.places[i]
            normal /= np.linalg.norm(normal)
            swapped = ((self.velocities[i] - self.velocities[j]) @ normal) * normal
            self.velocities[i] -= swapped
            self.velocities[j] += swapped
            changed = [i, j]
        for k in {*changed, *np.flatnonzero(np.isin(self.partners, changed)).tolist()}:
            self.look(k)
        for k in changed:  # whom one of them meets sooner than anybody else
            partner = int(self.partners[k])
            if partner >= 0 and self.times[k] < self.times[partner]:
                self.times[partner], self.partners[partner] = self.times[k], k


def event_lines(found: list[Events]) -> Lines:
    """Microseconds an event, and the growth beside that of the logarithm."""
    lines: Lines = [("method", *(f"{n:,} balls" for n in SIZES), "growth", "of log n")]
    for method in (BATCH, *LIKE_THE_LOOP):
        own = {one.n_balls: one.seconds for one in found if one.method == method}
        texts = [f"{1e6 * own[n]:,.3g}" if n in own else "" for n in SIZES]
        lines.append((method, *texts, *map(ratio_of, growth(found, method))))
    return lines


def growth(found: list[Events], method: str) -> tuple[float, float]:
    """How many times as long an event of the most balls takes as one of the fewest, and their logarithms."""
    own = {one.n_balls: one.seconds for one in found if one.method == method}
    fewest, most = min(own), max(own)
    return own[most] / own[fewest], log(most) / log(fewest)


def event_targets(found: list[Events]) -> list[Target]:
    """Growth, and events a second."""
    reached, logarithm = growth(found, BATCH)
    sizes = f"from {SIZES[0]:,} to {SIZES[-1]:,} balls"
    grows = f"{sizes} an event takes no more than {logarithm:.2g} times as long"
    targets = [Target(grows, ratio_of(reached), reached <= logarithm)]
    for one in found:
        if one.n_balls == 1000 and one.method in (BATCH, LOOP):
            text = f"{one.method}: {_A_SECOND:,} events a second of 1,000 balls"
            targets.append(Target(text, f"{1.0 / one.seconds:,.0f}", one.seconds <= 1.0 / _A_SECOND))
    return targets


def event_headlines(found: list[Events]) -> list[Headline]:
    """Each size in a batch loop beside NumPy."""
    seconds = {(one.method, one.n_balls): one.seconds for one in found}
    return [
        Headline(f"one event of {n:,} balls, 1 thread", seconds[BATCH, n], PLAIN, seconds[PLAIN, n])
        for n in SIZES
        if (PLAIN, n) in seconds
    ]
