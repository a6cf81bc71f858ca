"""Compounds of convex shapes, meshes and clouds, with each other: first contacts, distances, touching.

The referee: the library asked about each pair of parts by itself, as a thing that moves on its own.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import (
    cloud_in,
    motion_in,
    moving_of,
    pose_in,
    pose_of,
    scale_in,
    scaled,
    shape_in,
    shape_of,
)

# Of all lengths: what rounding may do to a distance.
ROUNDING = 1e-12

# Of the time, where tolerances are those of the parts, whoever is asked.
CLOSE = 1e-9


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two compounds of up to four parts; some far from the origin, tiny or huge."""
    case = {name: [_part(rng) for _ in range(rng.integers(0, 5))] for name in ("a", "b")}
    return scaled(case | {"motion_a": motion_in(rng), "motion_b": motion_in(rng)}, scale_in(rng))


def _part(rng: np.random.Generator) -> dict[str, Any]:
    make_shape = cloud_in if rng.random() < 0.2 else shape_in
    return {"shape": make_shape(rng), "pose": pose_in(rng)}


def check(case: dict[str, Any]) -> str | None:
    """Compare what is said of both with the first, the least and any of their parts."""
    a, b = (moving_of(_whole(case[x]), case[f"motion_{x}"]) for x in "ab")
    pairs = _pairs(a, b)
    found, own = fc.first_contact(a, b), [fc.first_contact(*pair) for pair in pairs]
    first = min((hit.time for hit in own), default=np.inf)
    upper = min((hit.time_upper for hit in own), default=np.inf)
    if found.time > upper + CLOSE:
        return "a compound's first contact is later than one of its parts' is certain"
    if found.time < first - CLOSE:
        return "a compound's first contact is earlier than all of its parts'"
    still = [thing.shape.at(thing.pose(0.5)) for thing in (a, b)]
    there = _pairs(*still)
    size = sum(thing.shape.reach + np.abs(thing.pose(0.0)).max() for thing in still)
    least = min((fc.distance(*pair).distance for pair in there), default=np.inf)
    if abs(fc.distance(*still).distance - least) > ROUNDING * size and least < np.inf:
        return "a compound's distance is not the least of its parts'"
    if fc.intersects(*still) is not any(fc.intersects(*pair) for pair in there):
        return "a compound touches where no part does, or does not where one does"
    return None


def _whole(parts: list[dict[str, Any]]) -> fc.Compound:
    return fc.Compound([shape_of(part["shape"]).at(pose_of(part["pose"])) for part in parts])


def _pairs(a: Any, b: Any) -> list[tuple[Any, Any]]:
    one, other = (fc.Compound.moving_parts(thing) for thing in (a, b))
    return list(product(one, other))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same with fewer parts, and rounder numbers."""
    return fewer_and_rounder(case)
