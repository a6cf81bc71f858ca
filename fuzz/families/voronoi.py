"""Voronoi diagrams of points, segments and triangles, of any size, in any number; the referee is brute force.

In extended precision, all sites for all cells. Sites lie on a lattice, in a crowd, on a ring, on each other;
triangles may be slivers. A diagram of the same sites elsewhere must be the one made anew, to the last bit.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.nearest_sites import centers, to_segments, to_triangles
from shrinking import fewer_and_rounder

Array = np.ndarray[Any, np.dtype[np.float64]]

COUNTS = {2: (19, 23), 3: (7, 8, 9)}


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Sites of one kind, a box, weights."""
    dimension, n_corners = int(rng.integers(2, 4)), int(rng.integers(1, 4))
    n_corners = min(n_corners, dimension)
    n = int(rng.choice([1, 2, 10, 60, 700 if n_corners == 1 else 60]))
    size = 10.0 ** float(rng.choice([0, 0, -20, -6, 6, 20]))
    sites = _places(rng, n, dimension)[:, np.newaxis] + np.zeros((1, n_corners, 1))
    sites[:, 1:] += rng.integers(-2, 3, (n, n_corners - 1, dimension)) * float(rng.choice([0.25, 0.1, 1e-9]))
    if n_corners == 3 and rng.random() < 0.5:  # slivers, wide and narrow
        sites[:, 2] = sites[:, 0] + (sites[:, 1] - sites[:, 0]) * rng.random((n, 1))
        sites[:, 2] += rng.normal(size=(n, dimension)) * float(rng.choice([0.0, 1e-15, 1e-8]))
    later = sites.copy()
    later[rng.random(n) < float(rng.choice([0.02, 1.0]))] += 0.1 * rng.normal(size=(1, 1, dimension))
    case = {"sites": (sites * size).tolist(), "later": (later * size).tolist(), "size": size}
    words = {"weights": None, "factors": None, "farthest": bool(rng.random() < 0.3)}
    if rng.random() < 0.4:
        words["weights"] = (rng.choice([0.1, 0.3, -0.2], n) * size).tolist()
        words["factors"] = rng.choice([1.0, 1.5, 3.0], n).tolist()
    return case | words | {"features": bool(words["weights"] is None and rng.random() < 0.3)}


def _places(rng: np.random.Generator, n: int, dimension: int) -> Array:
    kind = int(rng.integers(5))
    if kind == 0:
        return rng.random((n, dimension))
    if kind == 1:
        return rng.integers(0, 4, (n, dimension)) / 3.0
    if kind == 2:  # a crowd below the size of a cell, in the image or not
        return rng.normal(size=dimension) + 1e-6 * rng.random((n, dimension))
    if kind == 3:  # all as far from the middle
        ways = rng.normal(size=(n, dimension))
        return 0.5 + 3.0 * ways / np.linalg.norm(ways, axis=1, keepdims=True)
    return np.full((n, dimension), 0.5)


def check(case: dict[str, Any]) -> str | None:
    """Compare with all sites, and the diagram of what has moved with one made anew."""
    sites, later = (np.array(case[name], float) for name in ("sites", "later"))
    if len(sites) == 0:
        return None
    dimension = sites.shape[2]
    box = np.array([[-0.2] * dimension, [1.1] * dimension]) * case["size"]
    words = {name: case[name] for name in ("weights", "factors", "farthest", "features")}
    if words["farthest"] and words["features"]:
        words["features"] = False
    found = fc.voronoi(_things(sites), box, COUNTS[dimension], **words)
    fault = _fault(found, sites, words)
    if fault:
        return fault
    moved, anew = found.moved(_things(later)), fc.voronoi(_things(later), box, COUNTS[dimension], **words)
    if not (np.array_equal(moved.ids, anew.ids) and np.array_equal(moved.distance, anew.distance)):
        return "what has moved is not as made anew"
    return _fault(anew, later, words)


def _things(sites: Array) -> Any:
    if sites.shape[1] < 3:
        return sites[:, 0] if sites.shape[1] == 1 else sites
    return [fc.Mesh(corners, [[0, 1, 2]]) for corners in sites]


def _fault(found: fc.Voronoi, sites: Array, words: dict[str, Any]) -> str | None:
    points = centers(found)
    measured = (
        to_triangles(points, sites) if sites.shape[1] == 3 else to_segments(points, sites[:, 0], sites[:, -1])
    )
    if words["weights"] is not None:
        measured = measured * np.array(words["factors"]) - np.array(words["weights"])
    best = measured.max(axis=1) if words["farthest"] else measured.min(axis=1)
    ids = found.ids.reshape(-1)
    ids = ids if found.features is None else found.features[ids, 0]
    if np.abs(found.distance.reshape(-1) - best).max() > found.error:
        return "a distance is off by more than the error"
    if np.abs(measured[np.arange(len(ids)), ids] - best).max() > 2.0 * found.error:
        return "a site is told that another beats by more than two errors"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer sites, and rounder numbers."""
    if case["weights"] is None and case["sites"] == case["later"]:
        yield from fewer_and_rounder(case)
