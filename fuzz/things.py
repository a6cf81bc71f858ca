"""Random shapes, meshes, poses and motions as plain data, rich in what is degenerate, and what they describe.

A shape is ``{"kind": ..., ...sizes}``, a pose ``{"rotation": 3 rows, "place": 3 numbers}``.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc

Data = dict[str, Any]
Array = NDArray[np.float64]
Rng = np.random.Generator

CONVEX = ("sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "cone", "rounded")

# Turns by whole quarters, which are exact.
QUARTERS = [np.eye(3), np.diag([1.0, -1.0, -1.0]), np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])]

BOX_FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
BOX_FACES += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]


def scale_in(rng: Rng) -> float:
    """A size: mostly 1, at times tiny or huge."""
    return float(rng.choice([1.0, 1e-6, 1e6, 2.0**-60, 2.0**60], p=[0.8, 0.06, 0.06, 0.04, 0.04]))


def grid_in(rng: Rng, shape: tuple[int, ...], reach: int = 2) -> Array:
    """Multiples of a half: what touches does so exactly."""
    return rng.integers(-2 * reach, 2 * reach + 1, shape) / 2.0


def mesh_in(rng: Rng) -> Data:
    """A small mesh: closed, open, a soup, flat, with doubles and degenerate faces, or without any."""
    kind = str(rng.choice(["box", "tetra", "soup", "lattice", "sheet", "torus", "flat", "odd", "empty"],
                          p=[0.2, 0.15, 0.15, 0.15, 0.1, 0.1, 0.05, 0.08, 0.02]))  # fmt: skip
    if kind == "box":
        sizes = grid_in(rng, (3,)) if rng.random() < 0.5 else rng.uniform(0.2, 2.0, 3)
        corners, faces = np.array(list(product((-0.5, 0.5), repeat=3))) * (np.abs(sizes) + 0.5), BOX_FACES
    elif kind == "tetra":
        corners, faces = rng.uniform(-1, 1, (4, 3)), [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    elif kind == "sheet":
        corners, faces = sheet(3, 2, rng)
    elif kind == "torus":
        corners, faces = torus(6, 4)
    elif kind == "empty":
        corners, faces = np.zeros((0, 3)), []
    else:
        n = int(rng.integers(4, 8))
        corners = rng.uniform(-1, 1, (n, 3)) if kind == "soup" else grid_in(rng, (n, 3), 1)
        if kind == "flat":
            corners[:, 2] = 0.0
        if kind == "odd":
            corners[1] = corners[0]
        faces = rng.integers(0, n, (int(rng.integers(1, 6)), 3)).tolist()
    return {
        "kind": "mesh",
        "vertices": np.asarray(corners).tolist(),
        "faces": [list(map(int, f)) for f in faces],
    }


def sheet(n: int, m: int, rng: Rng) -> tuple[Array, list[list[int]]]:
    """A sheet of n times m squares that waves."""
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(m + 1.0), indexing="ij")
    z = rng.choice([0.0, 0.2]) * np.sin(x + y)
    corners = np.stack([x - n / 2, y - m / 2, z], axis=2).reshape(-1, 3) / 2
    first = [i * (m + 1) + j for i in range(n) for j in range(m)]
    return corners, [f for k in first for f in ([k, k + m + 1, k + m + 2], [k, k + m + 2, k + 1])]


def torus(n: int, m: int) -> tuple[Array, list[list[int]]]:
    """A closed torus about the third axis."""
    u, v = 2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(m) / m
    ring = 1.0 + 0.4 * np.cos(v)
    corners = [
        [r * np.cos(x), r * np.sin(x), z] for x in u for r, z in zip(ring, 0.4 * np.sin(v), strict=True)
    ]
    faces = []
    for i, j in product(range(n), range(m)):
        a, b, c, d = (k % n * m + h % m for k, h in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
        faces += [[a, b, c], [a, c, d]]
    return np.array(corners), faces


def convex_in(rng: Rng) -> Data:
    """A convex shape of any kind; at times flat, thin, or with doubled points."""
    kind = str(rng.choice(CONVEX))
    size = rng.uniform(0.2, 1.5, 3)
    if rng.random() < 0.15:
        size[rng.integers(3)] *= 1e-3
    if kind == "sphere":
        return {"kind": kind, "radius": size[0]}
    if kind in ("capsule", "cylinder"):
        return {"kind": kind, "radius": size[0], "length": size[1]}
    if kind == "cone":
        return {"kind": kind, "radius": size[0], "height": size[1]}
    if kind == "rounded":
        return {"kind": kind, "within": convex_in(rng), "radius": size[0]}
    if kind == "box":
        return {"kind": kind, "extents": size.tolist()}
    if kind == "ellipsoid":
        return {"kind": kind, "radii": size.tolist()}
    points = grid_in(rng, (int(rng.integers(4, 8)), 3), 1) if rng.random() < 0.5 else rng.normal(size=(6, 3))
    if rng.random() < 0.2:
        points[:, 2] = 0.0
    return {"kind": kind, "points": points.tolist()}


def shape_in(rng: Rng) -> Data:
    """A mesh or a convex shape."""
    return mesh_in(rng) if rng.random() < 0.5 else convex_in(rng)


def cloud_in(rng: Rng) -> Data:
    """Points or strands: radii that differ or are 0, points at one place, strands of one, or without any."""
    if rng.random() < 0.5:
        return {"kind": "points", "balls": _balls(rng, int(rng.integers(0 if rng.random() < 0.1 else 1, 7)))}
    n = 0 if rng.random() < 0.03 else int(rng.integers(1, 4))
    return {"kind": "strands", "strands": [_balls(rng, int(rng.integers(1, 5))) for _ in range(n)]}


def _balls(rng: Rng, n: int) -> list[Data]:
    """Places with radii: on a grid, in a line, doubled, or any; radii that are none, one, or any."""
    places = grid_in(rng, (n, 3), 1) if rng.random() < 0.4 else rng.uniform(-1, 1, (n, 3))
    if rng.random() < 0.15:
        places[:, 1:] = 0.0
    if rng.random() < 0.3:
        places = places[np.maximum(np.arange(n) - 1, 0)]
    kind = rng.integers(4)
    radii = [np.zeros(n), np.full(n, 0.25), rng.choice([0.0, 0.5], n), rng.uniform(0, 0.5, n)][kind]
    return [{"at": at, "radius": r} for at, r in zip(places.tolist(), radii.tolist(), strict=True)]


def pose_in(rng: Rng, reach: float = 2.0) -> Data:
    """A pose: exact quarter turns at places of a grid, or any."""
    if rng.random() < 0.4:
        rotation = QUARTERS[rng.integers(3)] @ QUARTERS[rng.integers(3)]
        return {"rotation": rotation.tolist(), "place": grid_in(rng, (3,), round(reach)).tolist()}
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    q[:, 0] *= np.sign(np.linalg.det(q))
    return {"rotation": q.tolist(), "place": rng.uniform(-reach, reach, 3).tolist()}


def motion_in(rng: Rng) -> Data:
    """A rigid motion over the step: a pose, a velocity, a turn; at times rest, or neither."""
    still = rng.random()
    velocity = np.zeros(3) if still < 0.15 else rng.uniform(-3, 3, 3)
    turn = np.zeros(3) if still < 0.35 else rng.normal(size=3) * rng.choice([0.1, 1.0, 5.0])
    center = np.zeros(3) if rng.random() < 0.7 else rng.uniform(-1, 1, 3)
    return pose_in(rng) | {"velocity": velocity.tolist(), "turn": turn.tolist(), "center": center.tolist()}


def scaled(data: Any, factor: float) -> Any:
    """All lengths of a shape, a pose or a motion times a factor: what turns and counts stays."""
    if isinstance(data, dict):
        same = ("rotation", "turn", "duration", "faces", "cells", "kind", "sort")
        return {name: value if name in same else scaled(value, factor) for name, value in data.items()}
    if isinstance(data, list):
        return [scaled(value, factor) for value in data]
    return data * factor


def shape_of(data: Data) -> Any:
    """The shape that is described."""
    kind = data["kind"]
    if kind == "mesh":
        return fc.Mesh(np.reshape(data["vertices"], (-1, 3)), np.reshape(data["faces"], (-1, 3)).astype(int))
    if kind == "points":
        return fc.Points(*_placed(data["balls"]))
    if kind == "strands":
        places, radii = _placed([ball for strand in data["strands"] for ball in strand])
        return fc.Strands(places, np.array([len(strand) for strand in data["strands"]], int), radii)
    if kind == "sphere":
        return fc.Sphere(data["radius"])
    if kind == "capsule":
        return fc.Capsule(data["radius"], data["length"])
    if kind == "cylinder":
        return fc.Cylinder(data["radius"], data["length"])
    if kind == "cone":
        return fc.Cone(data["radius"], data["height"])
    if kind == "rounded":
        return fc.Rounded(shape_of(data["within"]), data["radius"])
    if kind == "box":
        return fc.Box(data["extents"])
    if kind == "ellipsoid":
        return fc.Ellipsoid(data["radii"])
    return fc.ConvexHull(data["points"], flat=True)


def _placed(balls: list[Data]) -> tuple[Array, Array]:
    """Places and radii of what points and strands are made of."""
    places = np.reshape([ball["at"] for ball in balls], (-1, 3)).astype(float)
    return places, np.array([ball["radius"] for ball in balls], float)


def pose_of(data: Data) -> tuple[Array, Array]:
    """The pose that is described."""
    return np.array(data["rotation"], float), np.array(data["place"], float)


def moving_of(shape: Any, data: Data) -> Any:
    """A shape in its motion."""
    velocity, turn, center = (np.array(data[name], float) for name in ("velocity", "turn", "center"))
    return shape.moving(pose_of(data), velocity=velocity, angular_velocity=turn, center=center)


def motion_row(data: Data) -> Array:
    """The same motion as a row of numbers that the oracles take, (1, 24)."""
    rotation, place = pose_of(data)
    center, turn = np.array(data["center"], float), np.array(data["turn"], float)
    rate = float(np.linalg.norm(turn))
    axis = turn / rate if rate else np.zeros(3)
    start = (rotation.astype(np.longdouble) @ center + place).astype(float)
    return np.concatenate([rotation.ravel(), start, data["velocity"], axis, [rate, 0.0], center, [1.0]])[None]


def size_of(data: Data) -> float:
    """How far a shape reaches from its own origin, about."""
    if data["kind"] == "rounded":
        return size_of(data["within"]) + data["radius"]
    numbers = [abs(x) for name, value in data.items() if name not in ("kind", "faces") for x in flat(value)]
    return 2.0 * max(numbers, default=0.0)


def flat(value: Any) -> Iterator[float]:
    """All numbers of lists of lists, and of what is named in them."""
    if isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from flat(item)
    else:
        yield float(value)


def is_empty(data: Data) -> bool:
    """Is it a mesh without faces, or a cloud without points?"""
    if data["kind"] == "strands":
        return not any(data["strands"])
    return data["kind"] in ("mesh", "points") and not (data.get("faces") or data.get("balls"))
