"""Fields of meshes that change step after step, brought up to date: closed, open, in each other, inside out.

The referee measures all faces in long doubles, and tells the side by solid angles. In its box each field is
within its tolerance of the mesh as it is then; its bounds are around the faces; and it has an inside where a
field that is made anew has one.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from families.distance_fields import distances
from things import BOX_FACES, Array, Data, Rng, mesh_in, torus

SECONDS_A_CASE = 60.0

# Errors are compared with this much more than the tolerance: what the referee itself may be off by.
SLACK = 1.0 + 1e-9

N_POINTS, MOST_CELLS, N_STEPS = 250, 60_000, 4

BOX = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])

KNOWN = "max_cells", "tolerance", "must be", "too thin, or too far"


def make(rng: Rng) -> dict[str, Any]:
    """A mesh, how its vertices go step by step, a tolerance, a scale and a place."""
    shape, steps = _mesh(rng), []
    n = len(shape["vertices"])
    for _ in range(int(rng.integers(1, N_STEPS))):
        kind = str(rng.choice(["some", "all", "one", "back", "flat", "inside out", "onto", "part"]))
        moved = np.flatnonzero(rng.random(n) < (1.0 if kind in ("all", "flat") else 0.3))
        if kind == "part" and n >= 16:
            moved = np.arange(8)
        if kind == "one":
            moved = moved[:1]
        far = float(rng.choice([1e-12, 1e-3, 0.1, 0.6]))
        by = (
            np.tile(rng.normal(size=3), (len(moved), 1))
            if kind == "part"
            else rng.normal(size=(len(moved), 3))
        )
        steps.append({"kind": kind, "moved": moved.tolist(), "by": (far * by).tolist()})
    own = {"part": float(rng.choice([0.05, 0.1, 0.2])), "margin": float(rng.choice([0.0, 0.3, 1.0]))}
    own["scale"] = float(rng.choice([1.0, 1.0, 1e-9, 2.0**60]))
    own["place"] = (rng.choice([0.0, 1.0, 1e4]) * rng.choice([-1, 0, 1], 3)).tolist()
    return {"shape": shape, "steps": steps, "seed": int(rng.integers(1 << 30))} | own


def _mesh(rng: Rng) -> Data:
    """One of those of all families, or boxes: two that are apart, cross, or hold each other; doubled."""
    kind = str(rng.choice(["any", "boxes", "doubled", "ring", "blade"]))
    if kind == "any":
        return mesh_in(rng)
    corners: Any = BOX * rng.choice([0.3, 1.0], 3)
    faces: Any = np.array(BOX_FACES)
    if kind == "ring":
        corners, faces = torus(8, 5)
    elif kind == "blade":
        corners = corners * rng.choice([1.0, 1e-3, 1e-6], 3)
    else:
        other = (
            corners
            if kind == "doubled"
            else BOX * 0.4 + rng.choice([0.0, 0.3, 0.7]) * rng.choice([-1, 0, 1], 3)
        )
        back = faces[:, ::-1] if rng.random() < 0.5 else faces
        corners, faces = np.concatenate([corners, other]), np.concatenate([faces, back + 8])
    return {"kind": "mesh", "vertices": np.asarray(corners).tolist(), "faces": np.asarray(faces).tolist()}


def check(case: dict[str, Any]) -> str | None:
    """Make the field of the first mesh, bring it up to date, and compare each with the mesh."""
    faces = np.reshape(case["shape"]["faces"], (-1, 3)).astype(int)
    if len(faces) == 0:
        return None
    vertices = np.reshape(case["shape"]["vertices"], (-1, 3)).astype(float)
    scale, place = case["scale"], np.array(case["place"])
    size = float(np.ptp(vertices[faces.reshape(-1)], axis=0).max()) or 1.0
    rng, all_of_them = np.random.default_rng(case["seed"]), [vertices]
    for step in case["steps"]:
        all_of_them.append(_after(all_of_them, step))
    meshes = [fc.Mesh((places + place) * scale, faces) for places in all_of_them]
    tolerance = case["part"] * size * scale
    try:
        field = fc.DistanceField.of(
            meshes[0], tolerance, margin=case["margin"] * size * scale, max_cells=MOST_CELLS
        )
        fault = _fault(field, meshes[0], rng)
        for before, after, step in zip(meshes, meshes[1:], case["steps"], strict=False):
            if fault:
                return fault
            field = field.updated(before, after, max_cells=MOST_CELLS)
            fault = _fault(field, after, rng)
            fault = fault and f"{step['kind']}: {fault}"
    except ValueError as error:
        return None if any(words in str(error) for words in KNOWN) else f"refused: {error}"
    return fault


def _after(before: list[Array], step: dict[str, Any]) -> Array:
    """Where vertices are after a step."""
    places, moved = before[-1].copy(), np.array(step["moved"], int)
    if step["kind"] == "back":
        return before[0]
    if step["kind"] == "inside out":
        return np.asarray(-places)
    if step["kind"] == "flat":
        places[:, 2] = 0.0
        return places
    if step["kind"] == "onto" and len(moved) > 1:
        places[moved[0]] = places[moved[1]]
        return places
    places[moved] += np.reshape(step["by"], (-1, 3))
    return places


def _fault(field: Any, mesh: Any, rng: Rng) -> str | None:
    lower, upper = field.box
    corners = mesh.vertices[mesh.faces.reshape(-1)]
    if (field.bounds[0] > corners.min(axis=0)).any() or (field.bounds[1] < corners.max(axis=0)).any():
        return "faces are beyond its bounds"
    near = corners[rng.integers(0, len(corners), N_POINTS)] + rng.normal(size=(N_POINTS, 3)) * field.tolerance
    points = np.clip(np.concatenate([rng.uniform(lower, upper, (N_POINTS, 3)), near]), lower, upper)
    data = {"kind": "mesh", "vertices": mesh.vertices.tolist(), "faces": mesh.faces.tolist()}
    truth = distances(data, points, field.is_signed)
    off = np.abs(field(points) - truth)
    if off.max() > field.tolerance * SLACK:
        return f"off by more than the tolerance: {off.max() / field.tolerance}"
    anew = fc.DistanceField.of(mesh, 0.5 * float(np.ptp(field.box, axis=0).max()), max_cells=MOST_CELLS)
    return None if anew.is_signed == field.is_signed else "it has an inside, and made anew it has none"


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer steps, as it is near the origin."""
    for i in range(len(case["steps"])):
        yield case | {"steps": case["steps"][:i] + case["steps"][i + 1 :]}
    yield case | {"place": [0.0] * 3, "scale": 1.0}
