"""Answers and things, sent elsewhere and copied.

Tried: random questions about random shapes, at rest, moving and deforming, and scenes of them. The referee is
the answer itself, compared field by field and bit by bit with what comes back from a pickle and from copies,
and the same question asked again about things that were pickled.
"""

import copy
import dataclasses
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc

SECONDS_A_CASE = 20.0
QUERIES = ("first_contact", "contacts", "distance", "penetration", "scene")
SHAPES = ("ball", "box", "hull", "mesh", "field")


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A question about two things."""
    query = str(rng.choice(QUERIES))
    kinds = ("mesh", "field") if query == "contacts" else SHAPES
    things = [
        {
            "shape": str(rng.choice(kinds)),
            "numbers": rng.uniform(0.2, 1.0, 12).round(3).tolist(),
            "start": rng.uniform(-2.0, 2.0, 3).round(3).tolist(),
            "way": rng.uniform(-3.0, 3.0, 3).round(3).tolist(),
            "turn": rng.uniform(-3.0, 3.0, 3).round(3).tolist(),
        }
        for _ in range(2)
    ]
    return {"query": query, "things": things, "protocol": int(rng.integers(2, 6))}


def check(case: dict[str, Any]) -> str | None:
    """Send the answer, and what it is about, there and back."""
    things = [_thing(one, case["query"]) for one in case["things"]]
    answer = _ask(case["query"], things)
    data = pickle.dumps(answer, case["protocol"])
    for name, twin in (("pickle", pickle.loads(data)), ("deepcopy", copy.deepcopy(answer))):
        if fault := _difference(answer, twin):
            return f"{name} changes {fault} of a {type(answer).__name__}"
        if twin != answer:
            return f"{name} of a {type(answer).__name__} is not equal to it"
    if b"Moving" in data or b"vertices_t0" in data:
        return f"the pickle of a {type(answer).__name__} has its things in it"
    again = _ask(case["query"], pickle.loads(pickle.dumps(things, case["protocol"])))
    if fault := _difference(answer, again):
        return f"things that were pickled have another answer: {fault} of a {type(answer).__name__}"
    whole = pickle.loads(data).with_things(answer.things)
    return (
        None if whole == answer and whole.things.keys() == answer.things.keys() else "things do not come back"
    )


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Things that turn no more, or do not move."""
    for k, thing in enumerate(case["things"]):
        for name in ("turn", "way"):
            if any(thing[name]):
                simpler = thing | {name: [0.0, 0.0, 0.0]}
                yield case | {"things": [simpler if i == k else one for i, one in enumerate(case["things"])]}


def _shape(kind: str, numbers: list[float]) -> Any:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]) + 0.1 * np.reshape(numbers, (4, 3))
    if kind == "ball":
        return fc.Sphere(numbers[0])
    if kind == "box":
        return fc.Box(numbers[:3])
    if kind == "hull":
        return fc.ConvexHull(points)
    if kind == "mesh":
        return fc.Mesh(points, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return fc.HeightField(np.reshape(numbers, (3, 4)), 0.5)


def _thing(one: dict[str, Any], query: str) -> fc.Moving:
    shape, start = _shape(one["shape"], one["numbers"]), (np.eye(3), one["start"])
    if query in ("distance", "penetration"):
        return shape.at(start)
    if query == "contacts":
        places = shape.vertices + np.array(one["start"])
        return shape.deforming(places, places + np.array(one["way"]))
    return shape.moving(start, velocity=one["way"], angular_velocity=one["turn"])


def _ask(query: str, things: list[fc.Moving]) -> Any:
    a, b = things
    if query == "scene":
        return fc.Scene(a=a, b=b, c=fc.Box([9, 9, 1])).contacts()
    if query == "penetration":
        a, b = fc.ConvexHull(_points(a)).at(np.eye(4)), fc.ConvexHull(_points(b)).at(np.eye(4))
    return getattr(fc, query)(a, b)


def _points(thing: fc.Moving) -> Any:
    shape: Any = thing.shape
    mesh = shape if isinstance(shape, fc.Mesh) else shape.mesh
    return mesh.at(thing.pose(0.0)).vertices(0.0)


def _difference(one: Any, other: Any) -> str | None:
    """The first field that differs in a bit, counters and what they are about aside."""
    for item in dataclasses.fields(one):
        if item.name.startswith("_") or item.name == "stats":
            continue
        value, twin = getattr(one, item.name), getattr(other, item.name)
        if isinstance(value, np.ndarray):
            if value.tobytes() != twin.tobytes() or value.dtype != twin.dtype or value.shape != twin.shape:
                return item.name
        elif repr(value) != repr(twin):
            return item.name
    return None
