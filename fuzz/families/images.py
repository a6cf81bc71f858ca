"""Pairs that images of depth keep apart never touch: crowds of meshes that turn, deform and graze.

The referee is the list of contacts by sorted lists, which knows no images, with the same separation. Soups,
slivers, shells in shells, sheets on each other; tiny, huge, far away; turns of many radians, throws, frames.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from things import mesh_in

# What deforms is searched as one, or pair by pair, by how many there are: times agree to that.
MOST = 1e-9

Array = np.ndarray[Any, np.dtype[np.float64]]


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Meshes with motions, and a separation."""
    scale = float(rng.choice([1.0, 1.0, 1.0, 1e-12, 1e12, 2.0**-200, 2.0**100]))
    n, is_grid = int(rng.integers(2, 14)), bool(rng.random() < 0.5)
    spread = float(rng.choice([0.5, 1.0, 2.0]))
    off = (rng.choice([0.0, 0.0, 1e3, 1e7]) * np.round(rng.normal(size=3))).tolist()
    bodies = [_body(rng, spread, is_grid) for _ in range(n)]
    separation = float(rng.choice([0.0, 0.0, 1e-9, 0.05, 0.5]))
    return {"scale": scale, "off": off, "bodies": bodies, "separation": separation}


def _body(rng: np.random.Generator, spread: float, is_grid: bool) -> dict[str, Any]:
    kind = int(rng.integers(4))
    if kind == 0:
        data = mesh_in(rng)
        corners, faces = np.reshape(data["vertices"], (-1, 3)), data["faces"]
    elif kind == 1:  # slivers
        corners = rng.uniform(-1, 1, (6, 3))
        corners[2] = corners[:2].mean(axis=0) + rng.choice([0.0, 1e-12, 1e-3]) * rng.normal(size=3)
        faces = [[0, 1, 2], [3, 4, 5]]
    elif kind == 2:  # a closed shell, which may hold others
        corners = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]])
        corners = corners * float(rng.choice([0.25, 1.0, 2.0]))
        faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [5, 2, 1], [5, 3, 2], [5, 4, 3], [5, 1, 4]]
    else:  # a square in a plane of the axes
        square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 0.5
        corners, faces = np.roll(square, int(rng.integers(3)), axis=1), [[0, 1, 2], [0, 2, 3]]
    place = rng.integers(-2, 3, 3) / 2.0 if is_grid else spread * rng.normal(size=3)
    velocity = rng.integers(-1, 2, 3) / 2.0 if is_grid else rng.normal(size=3)
    return {
        "vertices": np.asarray(corners, float).tolist(),
        "faces": [list(map(int, face)) for face in faces],
        "thickness": float(rng.choice([0.0, 0.0, 0.1])),
        "place": place.tolist(),
        "velocity": (velocity * rng.choice([0.0, 1.0, 3.0])).tolist(),
        "turn": (rng.normal(size=3) * rng.choice([0.0, 0.0, 1.0, 12.0])).tolist(),
        "how": str(rng.choice(["rigid", "rigid", "throw", "deforming", "deforming", "frames", "poses"])),
        "bent": (rng.normal(size=(len(corners), 3)) * rng.choice([0.0, 0.3])).tolist(),
    }


def check(case: dict[str, Any]) -> str | None:
    """Compare the contacts, with images and without."""
    things = {f"b{k}": _thing(body, case) for k, body in enumerate(case["bodies"])}
    asked = {"min_separation": case["separation"] * case["scale"]}
    seen, plain = (_contacts(fc.Scene(things, broad_phase=how), asked) for how in ("image", "sweep"))
    if seen.keys() != plain.keys():
        return "with images other pairs touch"
    off = max((abs(seen[pair] - plain[pair]) for pair in seen), default=0.0)
    return "with images pairs touch at another time" if off > MOST else None


def _contacts(scene: fc.Scene, asked: dict[str, float]) -> dict[frozenset[str], float]:
    found = scene.contacts(**asked)
    return {frozenset(names): time for names, time in zip(found.names, found.time.tolist(), strict=True)}


def _thing(body: dict[str, Any], case: dict[str, Any]) -> Any:
    scale = case["scale"]
    corners = scale * np.reshape(body["vertices"], (-1, 3))
    place = scale * (np.array(body["place"]) + case["off"])
    velocity, turn = scale * np.array(body["velocity"]), np.array(body["turn"])
    shape = fc.Mesh(corners, body["faces"], thickness=scale * body["thickness"])
    if body["how"] in ("deforming", "frames"):
        start, end = corners + place, corners + place + velocity + scale * np.reshape(body["bent"], (-1, 3))
        frames = [start, end] if body["how"] == "deforming" else [start, end, 2.0 * end - start]
        return shape.along(frames) if len(frames) > 2 else shape.deforming(*frames)
    here = np.eye(3), place
    if body["how"] == "poses":
        poses = (
            np.stack([np.eye(3), np.diag([-1.0, -1.0, 1.0]), np.eye(3)]),
            np.stack([place, place + velocity, place]),
        )
        return shape.along(poses)
    words = {"acceleration": 1.3 * velocity[::-1]} if body["how"] == "throw" else {}
    return shape.moving(here, velocity=velocity, angular_velocity=turn, **words)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer bodies, no separation, nowhere far."""
    bodies = case["bodies"]
    for i in range(len(bodies)):
        yield case | {"bodies": bodies[:i] + bodies[i + 1 :]}
    if case["separation"]:
        yield case | {"separation": 0.0}
    if any(case["off"]):
        yield case | {"off": [0.0, 0.0, 0.0]}
