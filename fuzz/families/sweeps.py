"""What moving things pass through: random points of theirs at random times must be inside of the mesh.

The referee places points of the thing by poses alone, and tells sides by winding numbers. The mesh must be
closed, each edge with two faces in opposite directions, and no point of it, vertices and middles of faces, is
farther from the sweep than is told: the thing is looked at at times that are halved wherever it goes fast
enough to come nearer in between. Points of a mesh inside of the sweep must be in the thing at some time.
"""

from typing import Any

import numpy as np

import firstcontact as fc
from oracles.swept_points import is_closed_manifold, least_distances, swept_points
from shrinking import fewer_and_rounder
from swept_things import length_of, swept_thing_in, swept_thing_of

SECONDS_A_CASE = 120.0

# Points of a mesh that are looked at. Distances are known to a part of the tolerance, but for those that are
# below a part of what is told.
N_PLACES, NEAR, ENOUGH = 1000, 1e-3, 0.8

REFUSED = (
    "allow a larger tolerance",
    "tolerance must be at least",
    "inner=True needs closed meshes",
    "method has no meaning for what deforms",
)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A thing, a tolerance as a part of its size, and what is asked."""
    kind = str(rng.choice(["outer", "inner", "capsules"], p=[0.7, 0.15, 0.15]))
    part, seed = float(rng.choice([0.5, 0.25, 0.125])), int(rng.integers(1 << 30))
    return {"thing": swept_thing_in(rng), "kind": kind, "part": part, "seed": seed}


def check(case: dict[str, Any]) -> str | None:
    """Sweep, and look at points."""
    try:
        moving = swept_thing_of(case["thing"])
        found = _swept(moving, case["part"] * length_of(case["thing"]), case["kind"])
    except ValueError as refusal:
        return None if any(word in str(refusal) for word in REFUSED) else f"refused: {refusal}"
    if len(found.faces) == 0:
        is_nothing = case["kind"] == "inner" or len(_points(case, moving)) == 0
        return None if is_nothing else "nothing is around the sweep of something"
    if not is_closed_manifold(found.faces):
        return f"the {case['kind']} mesh is not closed"
    if case["kind"] != "inner" and not fc.contains(found.mesh, _points(case, moving)).all():
        return f"a point of the sweep is outside of the mesh: {case['kind']}"
    if case["kind"] == "outer" and found.outer_error > found.tolerance:
        return "the error is more than the tolerance"
    most = farthest(case, moving, found)
    if most > found.outer_error:
        return f"the mesh is farther from the sweep than it says: {case['kind']}, {most / found.tolerance}"
    return None


def farthest(case: dict[str, Any], moving: fc.Moving, found: fc.SweptVolume) -> float:
    """How far the farthest of some points of the mesh is from the sweep; if inside at some time, below 0."""
    places = np.concatenate([found.vertices, found.vertices[found.faces].mean(axis=1)])
    some = places[np.random.default_rng(case["seed"]).permutation(len(places))[:N_PLACES]]
    # Outside of all of a sweep, the distance from a solid is that from its surface, which soups have as well.
    enough, near = ENOUGH * found.outer_error, NEAR * found.tolerance
    is_outer = case["kind"] != "inner"
    return float(least_distances(moving, some, near, enough=enough, is_surface=is_outer).max())


def smaller(case: dict[str, Any]) -> Any:
    """Fewer parts, rounder numbers."""
    for thing in fewer_and_rounder(case["thing"]):
        yield case | {"thing": thing}


def _points(case: dict[str, Any], moving: fc.Moving) -> Any:
    return swept_points(moving, np.random.default_rng(case["seed"]), 20, 50)


def _swept(moving: fc.Moving, tolerance: float, kind: str) -> fc.SweptVolume:
    method = "capsules" if kind == "capsules" else "elements"
    return fc.swept_volume(moving, tolerance, inner=kind == "inner", method=method, max_cells=1 << 18)
