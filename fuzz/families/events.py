"""A scene from event to event; the referee looks at every two bodies by themselves, in windows of time.

Balls, boxes, capsules and meshes fly, turn and fall. The next contact must not be later than that of any two
asked with `first_contact` over the time up to it; and a scene made anew must tell the same time.
"""

from itertools import combinations
from typing import Any

import numpy as np

import firstcontact as fc

SECONDS_A_CASE = 60.0


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Bodies with velocities, some of them in the same places, or at rest, and how many events to look at."""
    bodies = []
    for _ in range(int(rng.integers(2, 7))):
        place = (rng.integers(-6, 7, 3) * rng.choice([1.0, 0.5, 0.37])).tolist()
        bodies.append(
            {
                "kind": str(rng.choice(["ball", "ball", "box", "capsule", "mesh"])),
                "size": float(rng.choice([0.5, 1.0, 1.0, 0.1])),
                "place": place,
                "velocity": (rng.integers(-3, 4, 3) * rng.choice([0.0, 1.0, 0.3])).tolist(),
                "turn": (rng.normal(size=3) * rng.choice([0.0, 0.0, 1.0])).tolist(),
                "fall": float(rng.choice([0.0, 0.0, -1.0])),
            }
        )
    return {"bodies": bodies, "has_floor": bool(rng.random() < 0.5), "events": int(rng.integers(1, 5))}


def check(case: dict[str, Any]) -> str | None:
    """Go from event to event, and compare."""
    scene = fc.Scene({str(i): _thing(body) for i, body in enumerate(case["bodies"])})
    if case["has_floor"]:
        scene.add("floor", fc.HalfSpace([0, 0, 1], -9.0))
    for _ in range(case["events"]):
        now, until = scene.time, scene.time + 4.0
        event = scene.next_contact(until=until)
        if event and not now <= event.time <= until:
            return "an event is outside of the times that were asked for"
        span = min(event.time, until) - now
        fault = _missed(scene, span)
        if fault:
            return fault
        if not event:
            return None
        scene.advance(event.time)
        for k, name in enumerate((event.a, event.b)):
            if name != "floor":
                scene.set(name, velocity=(2 * k - 1) * 2.0 * event.normal, angular_velocity=[0, 0, 0])
    return None


def _thing(body: dict[str, Any]) -> Any:
    size, kind = body["size"], body["kind"]
    if kind == "ball":
        shape: Any = fc.Sphere(size)
    elif kind == "capsule":
        shape = fc.Capsule(0.5 * size, size)
    else:
        shape = fc.Box([size, 1.5 * size, 2.0 * size])
    shape = shape.mesh if kind == "mesh" else shape
    fall = [0.0, 0.0, body["fall"]]
    start = np.eye(3), np.array(body["place"], float)
    return shape.moving(start, velocity=body["velocity"], angular_velocity=body["turn"], acceleration=fall)


def _missed(scene: fc.Scene, span: float) -> str | None:
    """Is there a contact of two that are apart now, certainly within a span of time?"""
    if span <= 0.0:
        return None
    things = scene.things
    for a, b in combinations(things, 2):
        at = [things[name].shape.at(things[name].motion.pose(0.0)) for name in (a, b)]
        if fc.distance(*at).distance <= 1e-5:
            continue
        found = fc.first_contact(*(_stretched(things[name], span) for name in (a, b)))
        if found and found.time_upper < 1.0 - 1e-6:
            return "a contact was missed"
    return None


def _stretched(thing: Any, span: float) -> Any:
    """The same over a longer or shorter time."""
    motion, law = thing.motion, thing.motion.law
    piece = motion if law is None else None
    velocity = motion.velocities[0, 0] if piece is not None else law.pieces[0, 0, 12:15]
    acceleration = np.zeros(3) if law is None else law.accelerations[0]
    return thing.shape.moving(
        motion.pose(0.0),
        velocity=span * velocity,
        angular_velocity=span * motion.angular_velocities[0, 0],
        acceleration=span * span * acceleration,
        center=motion.centers[0, 0],
    )
