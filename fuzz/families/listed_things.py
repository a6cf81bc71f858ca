"""Pairs of features of several things that are listed once, sifted or not, thick or not, at rest or not.

The referee is the library, asked anew each time: about the same list, with the same options. The safe step
and the first contact are held against the first row of the list of contacts.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from families.candidates import moved, sheet, sheet_faces

SCALES = (1.0, 1.0, 1e-6, 1e6)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One to four sheets, one alone, two of them or a list, and some steps."""
    n_things, is_grid = int(rng.integers(1, 5)), bool(rng.random() < 0.3)
    inflate, scale = float(rng.choice([0.0, 0.01, 0.1, 0.5])), float(rng.choice(SCALES))
    things = [_thing(rng, int(rng.integers(2, 6)), is_grid) for _ in range(n_things)]
    steps = [
        {end: None if end == "start" and k % 2 == 0 else _moved(rng, things, inflate, is_grid)
         for end in ("start", "end")}
        for k in range(4)
    ]  # fmt: skip
    is_list = n_things > 2 or bool(rng.random() < 0.5)
    for thing in things:
        thing["is_resting"] = is_list and bool(rng.random() < 0.3)
    options: dict[str, Any] = {"min_separation": scale * float(rng.choice([0.0, 0.0, 0.01, 0.1]))}
    if is_list and rng.random() < 0.7:
        options["self_contact"] = True
    if rng.random() < 0.3:
        options["only_closing"] = True
    if (is_list or n_things == 1) and rng.random() < 0.4:
        rings, distance = int(rng.integers(0, 3)), scale * float(rng.choice([0.0, 0.1, 0.4]))
        options["ignore_near"] = rings if rng.random() < 0.5 else distance
    if rng.random() < 0.4:
        options["ignore_groups"] = rng.integers(0, 3, (int(rng.integers(1, 4)), 2)).tolist()
    return {
        "things": things,
        "inflate": inflate,
        "scale": scale,
        "is_list": is_list,
        "options": options,
        "steps": steps,
    }


def _thing(rng: np.random.Generator, n: int, is_grid: bool) -> dict[str, Any]:
    """A sheet, its thickness, and groups of its vertices."""
    thick = rng.choice([0.0, 0.0, 0.01, 0.05], n * n if rng.random() < 0.3 else 1)
    return {
        "n": n,
        "places": sheet(rng, n, is_grid).tolist(),
        "thickness": np.broadcast_to(thick, n * n).tolist(),
        "groups": rng.integers(0, 3, n * n).tolist(),
    }


def _moved(rng: np.random.Generator, things: list[dict[str, Any]], most: float, is_grid: bool) -> list[Any]:
    """Where the vertices of all things are, each elsewhere, or all of a thing along one way."""
    if rng.random() < 0.7:
        return [moved(rng, np.array(thing["places"]), most, is_grid) for thing in things]
    ways = rng.normal(size=(len(things), 3))
    ways *= 0.999 * most * rng.random((len(things), 1)) / np.linalg.norm(ways, axis=1, keepdims=True)
    return [(np.array(thing["places"]) + way).tolist() for thing, way in zip(things, ways, strict=True)]


def check(case: dict[str, Any]) -> str | None:
    """Ask about each step twice."""
    scale, things, options = case["scale"], case["things"], dict(case["options"])
    meshes = [
        fc.Mesh(scale * np.array(own["places"]), sheet_faces(own["n"]), scale * np.array(own["thickness"]))
        for own in things
    ]
    if "ignore_groups" in options:
        groups = [own["groups"] for own in things]
        options["groups"] = groups if case["is_list"] or len(groups) == 2 else groups[0]
    starts = [mesh.vertices for mesh in meshes]
    listed = fc.candidates(*_asked(case, meshes, starts, starts), inflate=scale * case["inflate"], **options)
    for step in case["steps"]:
        start, end = (
            [
                mesh.vertices if own["is_resting"] or places is None else scale * np.array(places[k])
                for k, (own, mesh) in enumerate(zip(things, meshes, strict=True))
            ]
            for places in (step["start"], step["end"])
        )
        if not all(listed.covers(_positions(places)) for places in (start, end)):
            continue  # rounded by the scale
        fault = _fault(listed, _asked(case, meshes, start, end), (start, end), options)
        if fault:
            return fault
    return None


def _asked(case: dict[str, Any], meshes: list[fc.Mesh], start: Any, end: Any) -> tuple[Any, ...]:
    """What a query is asked about: a list, or one thing or two."""
    things = tuple(
        mesh if own["is_resting"] else mesh.deforming(v0, v1)
        for own, mesh, v0, v1 in zip(case["things"], meshes, start, end, strict=True)
    )
    return (things,) if case["is_list"] else things


def _positions(places: list[Any]) -> Any:
    return places if len(places) > 1 else places[0]


def _fault(listed: fc.Candidates, asked: Any, ends: Any, options: dict[str, Any]) -> str | None:
    """What is not the same when asked anew, or of two queries."""
    start, end = map(_positions, ends)
    found, first, step = (query(*asked, **options) for query in (fc.contacts, fc.first_contact, fc.safe_step))
    if listed.contacts(end, start) != found:
        return "the contacts are others"
    if listed.first_contact(end, start) != first:
        return "the first contact is another"
    if not listed.safe_step(end, start) == step == min(first.time, 1.0):
        return "the safe step is another"
    if abs(found.time.min(initial=2.0) - min(first.time, 2.0)) > 1e-8:
        return f"the first contact is at {first.time}, and the first of the list {found.time.min(initial=2)}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer steps, and fewer options."""
    for k in range(len(case["steps"]) if len(case["steps"]) > 1 else 0):
        yield {**case, "steps": case["steps"][:k] + case["steps"][k + 1 :]}
    for name in case["options"]:
        yield {**case, "options": {key: value for key, value in case["options"].items() if key != name}}
