"""Distance fields of meshes and convex shapes, in their box and outside of it.

The referee measures all faces, and tells the side by solid angles; of convex shapes, by formulas. It looks at
random points, at places of the grid, at the shape's corners, in the middle between two of them, and, from
where the error was largest, beside them. The error is never more than the tolerance. What is saved is read.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import BOX_FACES, Array, Data, Rng, scale_in, scaled, shape_of, torus

# Faces of a bent sheet, the only mesh here that is open.
BENT = [[0, 1, 2], [1, 3, 2]]

SECONDS_A_CASE = 30.0

# Errors are compared with this much more than the tolerance: what the referee itself may be off by.
SLACK = 1.0 + 1e-9

N_POINTS, N_WORST, N_ROUNDS, MOST_CELLS = 300, 24, 4, 300_000


def make(rng: Rng) -> dict[str, Any]:
    """A convex shape, or a mesh that is closed and does not cross itself, or an open one."""
    kind = str(rng.choice(["sphere", "box", "capsule", "cylinder", "star", "torus", "slab", "pair", "sheet"]))
    size = rng.choice([0.05, 0.5, 1.0, 1.3], 3)
    shape: Data = {"kind": "mesh"}
    if kind == "sphere":
        shape = {"kind": kind, "radius": float(size[0])}
    elif kind == "box":
        shape = {"kind": kind, "extents": size.tolist()}
    elif kind in ("capsule", "cylinder"):
        shape = {"kind": kind, "radius": float(size[0]), "length": float(size[1])}
    else:
        corners, faces = _surface(kind, size, rng)
        shape |= {"vertices": np.asarray(corners).tolist(), "faces": np.asarray(faces).tolist()}
    if rng.random() < 0.3 and shape["kind"] == "mesh":
        q, r = np.linalg.qr(rng.normal(size=(3, 3)))
        shape["vertices"] = (np.array(shape["vertices"]) @ (q * np.sign(np.diag(r)))).tolist()
        if np.linalg.det(q * np.sign(np.diag(r))) < 0:
            shape["faces"] = np.array(shape["faces"])[:, ::-1].tolist()
    case = {"shape": shape, "tolerance": float(rng.choice([0.02, 0.05, 0.1])), "margin": 0.25}
    return scaled(case, scale_in(rng)) | {"seed": int(rng.integers(1 << 30))}


def _surface(kind: str, size: Array, rng: Rng) -> tuple[Any, Any]:
    """A star, a ring, a plate, two boxes side by side, or a bent sheet."""
    box = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    if kind == "star":
        return box * rng.uniform(0.3, 2.0, (8, 1)), BOX_FACES
    if kind == "torus":
        return torus(6, 4)
    if kind == "slab":
        return box * [1.0, 1.0, float(rng.choice([0.01, 0.03]))], BOX_FACES
    if kind == "pair":
        gap = [1.0 + float(rng.choice([0.01, 0.05, 0.3])), 0.0, 0.0]
        return np.concatenate([box, box * size + gap]), [*BOX_FACES, *(np.array(BOX_FACES) + 8).tolist()]
    return [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5]], BENT


def check(case: dict[str, Any]) -> str | None:
    """Make the field, and look for its largest error."""
    shape = shape_of(case["shape"])
    try:
        field = fc.DistanceField.of(shape, case["tolerance"], margin=case["margin"], max_cells=MOST_CELLS)
    except ValueError as error:
        return None if "cells" in str(error) or "bound a solid" in str(error) else f"refused: {error}"
    kind, rng = case["shape"]["kind"], np.random.default_rng(case["seed"])
    points = _places(field, _corners(case["shape"]), rng)
    width = float((field.box[1] - field.box[0]).max())
    for n in range(N_ROUNDS):
        fault, order = _fault(case, field, points)
        if fault:
            return f"{kind}: {fault}"
        worst = np.repeat(points[order[:N_WORST]], 12, axis=0)
        points = worst + rng.normal(size=worst.shape) * width * 0.1 * 4.0**-n
    return _kept_fault(field, points)


def _places(field: Any, corners: Array, rng: Rng) -> Array:
    """Points anywhere, on the grid, at corners, between two of them, and outside."""
    lower, upper = field.box
    anywhere = rng.uniform(lower, upper, (N_POINTS, 3))
    cells = 2.0 ** rng.integers(2, 9, (N_POINTS, 1))
    side = float((upper - lower).min())
    on_grid = lower + side * np.round((anywhere - lower) / side * cells) / cells
    pairs = corners[rng.integers(len(corners), size=(N_POINTS // 2, 2))]
    between = pairs[:, 0] + rng.choice([0.0, 0.5, 0.25], (len(pairs), 1)) * (pairs[:, 1] - pairs[:, 0])
    middle, reach = (lower + upper) / 2, upper - lower
    outside = middle + rng.normal(size=(N_POINTS // 4, 3)) * reach * 10.0 ** rng.uniform(0, 4)
    beside = between + rng.normal(size=between.shape) * reach * 1e-3
    return np.concatenate([anywhere, np.clip(on_grid, lower, upper), between, beside, outside])


def _corners(data: Data) -> Array:
    if data["kind"] == "mesh":
        return np.array(data["vertices"], float)
    bounds = shape_of(data).bounds
    return np.array(
        [[bounds[i, 0], bounds[j, 1], bounds[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )


def _fault(case: dict[str, Any], field: Any, points: Array) -> tuple[str | None, Any]:
    """What is wrong at points, and where the error is largest first."""
    truth, told, allowed = distances(case["shape"], points), field(points), field.tolerance * SLACK
    is_in = ((points >= field.box[0]) & (points <= field.box[1])).all(axis=1)
    error = np.where(is_in, np.abs(told - truth), 0.0)
    order = np.argsort(-error)
    if error[order[0]] > allowed:
        i = order[0]
        return f"{told[i]} in place of {truth[i]} at {points[i].tolist()}, tolerance {field.tolerance}", order
    far = ~is_in & ((told - allowed > truth * SLACK) | (truth > SLACK * np.sqrt(2.0) * told + allowed))
    if far.any():
        i = int(np.argmax(far))
        return f"outside, {told[i]} in place of {truth[i]} at {points[i].tolist()}", order
    return None, order


def _kept_fault(field: Any, points: Array) -> str | None:
    """Does a file give the same field?"""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "field.npz"
        field.save(file)
        again = fc.DistanceField.load(file)
    if again != field or not np.array_equal(again(points), field(points)):
        return "a field that was read is not the one that was written"
    return None


def distances(data: Data, points: Array) -> Array:
    """Signed distances, by all faces or by formulas."""
    kind = data["kind"]
    if kind == "mesh":
        return _from_faces(np.array(data["vertices"], float)[np.array(data["faces"], int)], points)
    x, y, z = points.T
    if kind == "sphere":
        return np.sqrt(x * x + y * y + z * z) - data["radius"]
    if kind == "capsule":
        return np.sqrt(x * x + y * y + np.maximum(np.abs(z) - data["length"] / 2, 0) ** 2) - data["radius"]
    over = np.abs(points) - np.array(data["extents"]) / 2 if kind == "box" else None
    if over is None:
        over = np.stack([np.hypot(x, y) - data["radius"], np.abs(z) - data["length"] / 2], axis=1)
    return np.sqrt((np.maximum(over, 0) ** 2).sum(axis=1)) + np.minimum(over.max(axis=1), 0)


def _from_faces(t: Array, points: Array) -> Array:
    """To the nearest of triangles (n, 3, 3); negative where they wind around a point, if they are closed."""
    p = points[:, None]
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    unit = n / np.linalg.norm(n, axis=1, keepdims=True)
    height = np.abs(((p - t[:, 0]) * unit).sum(axis=2))
    above, nearest = np.ones(height.shape, bool), np.full(height.shape, np.inf)
    for i in range(3):
        a, e = t[:, i], t[:, (i + 1) % 3] - t[:, i]
        above &= (np.cross(e, p - a) * unit).sum(axis=2) >= 0
        part = np.clip(((p - a) * e).sum(axis=2) / (e * e).sum(axis=1), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(a + part[..., None] * e - p, axis=2))
    distance = np.where(above, np.minimum(height, nearest), nearest).min(axis=1)
    is_closed = len(t) > len(BENT)
    return np.where(is_closed & (np.abs(_winding(t, p)) > 0.5), -distance, distance)


def _winding(t: Array, p: Array) -> Array:
    """How often triangles wind around points."""
    a, b, c = (t[:, i] - p for i in range(3))
    x, y, z = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    volume = (a * np.cross(b, c)).sum(axis=2)
    beside = x * y * z + (a * b).sum(axis=2) * z + (b * c).sum(axis=2) * x + (c * a).sum(axis=2) * y
    return np.asarray(np.arctan2(volume, beside).sum(axis=1) / (2 * np.pi))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Rounder numbers."""
    yield from (variant for variant in fewer_and_rounder(case) if _is_same_shape(case, variant))


def _is_same_shape(case: dict[str, Any], variant: dict[str, Any]) -> bool:
    return len(case["shape"].get("faces", [])) == len(variant["shape"].get("faces", []))
