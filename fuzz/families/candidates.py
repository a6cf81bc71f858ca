"""Pairs that are listed once, and steps asked about them; the referee is the library, asked anew each time.

Sheets that are flat, bent or crumpled, on a grid or not, alone or with another; steps from where the pairs
were listed and from elsewhere, of all lengths up to what was said. Of distances, the referee is all pairs.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder

Array = np.ndarray[Any, np.dtype[np.float64]]


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One sheet or two, and some steps."""
    is_grid, n = bool(rng.random() < 0.3), int(rng.integers(2, 7))
    inflate = float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    sheets = [sheet(rng, n, is_grid) for _ in range(int(rng.integers(1, 3)))]
    steps = [
        {"start": None if k % 2 == 0 else [moved(rng, one, inflate, is_grid) for one in sheets],
         "end": [moved(rng, one, inflate, is_grid) for one in sheets]}
        for k in range(4)
    ]  # fmt: skip
    separation = float(rng.choice([0.0, 0.0, 0.01, 0.1]))
    return {
        "n": n,
        "sheets": [one.tolist() for one in sheets],
        "inflate": inflate,
        "separation": separation,
        "steps": steps,
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask about each step twice."""
    faces, separation = sheet_faces(case["n"]), case["separation"]
    meshes = [fc.Mesh(one, faces) for one in case["sheets"]]
    listed = fc.candidates(*meshes, inflate=case["inflate"], min_separation=separation)
    for step in case["steps"]:
        fault = _fault(listed, meshes, step, separation)
        if fault:
            return fault
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer steps."""
    for steps in fewer_and_rounder(case["steps"]):
        if steps:
            yield {**case, "steps": steps}


def _fault(
    listed: fc.Candidates, meshes: list[fc.Mesh], step: dict[str, Any], separation: float
) -> str | None:
    """What is not the same when asked anew."""
    starts = [mesh.vertices.tolist() for mesh in meshes] if step["start"] is None else step["start"]
    things = [
        mesh.deforming(start, end) for mesh, start, end in zip(meshes, starts, step["end"], strict=True)
    ]
    is_one = len(meshes) == 1
    end = step["end"][0] if is_one else step["end"]
    start = step["start"][0] if is_one and step["start"] else step["start"]
    if listed.contacts(end, start) != fc.contacts(*things, min_separation=separation):
        return "the contacts are others"
    if listed.first_contact(end, start) != fc.first_contact(*things, min_separation=separation):
        return "the first contact is another"
    if listed.safe_step(end, start) != fc.safe_step(*things, min_separation=separation):
        return "the safe step is another"
    return None


def sheet(rng: np.random.Generator, n: int, is_grid: bool) -> Array:
    """Places of n by n points, somewhere, flat or not."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, n), np.linspace(0.0, 1.0, n), indexing="ij")
    places = np.stack([u, v, np.zeros_like(u)], axis=-1).reshape(-1, 3)
    places = places[:, rng.permutation(3)] + 0.3 * rng.random(3)
    places = places + float(rng.choice([0.0, 0.02, 0.2])) * rng.normal(size=places.shape)
    return np.round(8.0 * places) / 8.0 if is_grid else places


def sheet_faces(n: int) -> Array:
    """Two triangles for each of its squares."""
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def moved(rng: np.random.Generator, places: Array, most: float, is_grid: bool) -> list[list[float]]:
    """Each point elsewhere, by no more than that."""
    ways = rng.normal(size=places.shape)
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)
    ends = places + most * float(rng.choice([0.01, 0.3, 1.0])) * rng.random((len(places), 1)) * ways
    ends = np.round(64.0 * ends) / 64.0 if is_grid else ends
    is_near = np.linalg.norm(ends - places, axis=1, keepdims=True) <= most
    within: list[list[float]] = np.where(is_near, ends, places).tolist()
    return within
