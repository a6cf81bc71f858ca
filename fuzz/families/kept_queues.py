"""The queue of a scene's events as it is kept, beside one made anew at every event, from the same motions.

Balls, boxes and capsules of several sizes fly, turn and fall in a room, or in none, and bounce with and
without loss. At each event both queues must tell the same time, to the tolerance; which two may differ where
two contacts are as near in time. Of balls that fall alike, closed forms tell the next contact of all pairs.
"""

from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.motions.rigid_motion import AXIS, BASE_TIME, POSITION, VELOCITY
from firstcontact.scene.events.bouncing import Bounce
from firstcontact.scene.events.contact_place import (
    CENTERS,
    FIRST,
    N_EVENT,
    NORMAL,
    POINT,
    SPINS,
    TIME,
    VELOCITIES,
)
from firstcontact.scene.events.event_table import (
    ACCELERATION,
    BALL,
    FIRST_ROAMING,
    N_ROAMING,
    NOBODY,
    EventTable,
)
from firstcontact.scene.events.next_event import fill_queue

SECONDS_A_CASE = 60.0

# Times may differ by what a speed takes to go so many sizes of the larger; and by the rounding of the clock.
NEAR, ROUNDED = 4e-6, 1e-11


def make(rng: np.random.Generator) -> dict[str, Any]:
    """What there is, and for how many events to look."""
    return {
        "seed": int(rng.integers(1 << 30)),
        "n": int(rng.choice([2, 3, 8, 20, 60])),
        "has_room": bool(rng.random() < 0.8),
        "is_even": bool(rng.random() < 0.3),
        "shapes": str(rng.choice(["balls", "balls", "all"])),
        "fall": str(rng.choice(["none", "alike", "each"])),
        "restitution": float(rng.choice([1.0, 1.0, 0.9])),
        "events": int(rng.choice([100, 400])),
    }


def check(case: dict[str, Any]) -> str | None:
    """Go from event to event, and compare."""
    return walked(case)[0]


def walked(case: dict[str, Any]) -> tuple[str | None, int]:
    """What is wrong, and after how many events."""
    scene, radii = _scene(case)
    n = case["n"]
    scene.next_contact(until=0.0)
    queue = scene._queue
    inverse = np.zeros((len(scene), 2))
    inverse[:n, 0], inverse[:n, 1] = 1.0, 0.0 if case["shapes"] == "balls" else 4.0
    bounce, row = Bounce(inverse, case["restitution"], 0.0, 0.2), np.empty((1, N_EVENT))
    is_plain = case["shapes"] == "balls" and case["fall"] != "each"
    for n_events in range(case["events"]):
        now, table = queue.time, queue.table
        anew, kept = _first_anew(queue, table, now), queue.next(now + 50.0)
        size = 2.0 * float(radii.max())
        fault = _differ(kept, anew, size)
        if fault:
            return fault, n_events
        if is_plain and kept[FIRST] >= 0 and kept[TIME] > _closed_form(table, radii, now) + ROUNDED:
            return "a contact of two balls is told late", n_events
        k, _ = queue.bounce(bounce, now + 50.0, row)
        if k == 0:
            return None, n_events
    return None, case["events"]


def _first_anew(queue: Any, table: EventTable, now: float) -> Any:
    """The next contact of a table with the same motions and cells, where all certificates are new."""
    own = EventTable(*(part.copy() for part in table))
    own.buckets[:], own.counts[FIRST_ROAMING], own.counts[N_ROAMING] = NOBODY, NOBODY, 0
    fill_queue(own, now)
    try:
        queue.table = own
        return queue.next(now + 50.0)
    finally:
        queue.table = table


def _differ(kept: Any, anew: Any, size: float) -> str | None:
    if (kept[FIRST] < 0) != (anew[FIRST] < 0):
        told = kept if kept[FIRST] >= 0 else anew
        return None if _closing(told) < NEAR else "one queue has a contact, the other none"
    if kept[FIRST] < 0:
        return None
    apart, rounding = abs(kept[TIME] - anew[TIME]), ROUNDED * (1.0 + abs(kept[TIME]))
    slowest = min(_closing(kept), _closing(anew))
    if apart > rounding and apart * max(slowest, 1e-3) > NEAR * size:
        return "the two queues tell different times"
    return None


def _closing(row: Any) -> float:
    """How fast the two come nearer where they touch."""
    moving = []
    for k in range(2):
        arm = row[POINT:NORMAL] - row[CENTERS + 3 * k : CENTERS + 3 * k + 3]
        spin = row[SPINS + 3 * k : SPINS + 3 * k + 3]
        moving.append(row[VELOCITIES + 3 * k : VELOCITIES + 3 * k + 3] + np.cross(spin, arm))
    return abs(float(row[NORMAL:VELOCITIES] @ (moving[1] - moving[0])))


def _closed_form(table: EventTable, radii: Any, now: float) -> float:
    """The next time at which two balls that come nearer are as far apart as their radii."""
    n, motions = len(radii), table.motions
    passed, bend = now - motions[:n, BASE_TIME, np.newaxis], motions[:n, ACCELERATION:BALL]
    v = motions[:n, VELOCITY:AXIS] + passed * bend
    p = motions[:n, POSITION:VELOCITY] + passed * (v - 0.5 * passed * bend)
    i, j = np.triu_indices(n, 1)
    offset, moving = (p[j] - p[i]).astype(np.longdouble), (v[j] - v[i]).astype(np.longdouble)
    closing, speed = -(offset * moving).sum(1), (moving * moving).sum(1)
    beyond = np.maximum((offset * offset).sum(1) - (radii[i] + radii[j]).astype(np.longdouble) ** 2, 0.0)
    squared = closing * closing - speed * beyond
    meets = (closing > 1e-9) & (squared >= 0)
    if not meets.any():
        return np.inf
    return now + float((beyond[meets] / (closing[meets] + np.sqrt(squared[meets]))).min())


def _scene(case: dict[str, Any]) -> tuple[fc.Scene, Any]:
    rng, n = np.random.default_rng(case["seed"]), case["n"]
    side = int(np.ceil(n ** (1 / 3)))
    radii = np.full(n, rng.uniform(0.05, 0.45)) if case["is_even"] else rng.uniform(0.05, 0.42, n)
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:n] + 0.5
    places = grid + (rng.random((n, 3)) - 0.5) * (0.99 - 2.0 * radii)[:, np.newaxis]
    falls = {
        "none": np.zeros((n, 3)),
        "alike": np.tile([0, 0, -1.0], (n, 1)),
        "each": rng.normal(size=(n, 3)),
    }
    things = {}
    for i in range(n):
        kind = "ball" if case["shapes"] == "balls" else str(rng.choice(["ball", "box", "capsule"]))
        sizes = {"ball": radii[i], "box": 0.5 * radii[i], "capsule": 0.4 * radii[i]}
        size = float(sizes[kind])
        shape: Any = fc.Sphere(size) if kind == "ball" else fc.Box([2 * size, 1.8 * size, 1.6 * size])
        shape = fc.Capsule(size, 2 * size) if kind == "capsule" else shape
        spin = rng.normal(size=3) if kind != "ball" else np.zeros(3)
        moves = {"velocity": rng.normal(size=3), "acceleration": falls[case["fall"]][i]}
        things[str(i)] = shape.moving((np.eye(3), places[i]), angular_velocity=spin, **moves)
    scene = fc.Scene(things)
    for axis in range(3 if case["has_room"] else 0):
        scene.add(f"low {axis}", fc.HalfSpace(np.eye(3)[axis], 0.0))
        scene.add(f"high {axis}", fc.HalfSpace(-np.eye(3)[axis], -float(side)))
    return scene, radii
