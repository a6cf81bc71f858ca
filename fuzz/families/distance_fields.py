"""Distance fields of meshes of all families and of convex shapes, in their box and outside of it.

The referee measures all faces in long doubles, and tells the side by solid angles; of convex shapes, by
formulas. It looks at random points, at places of the grid, at the shape's corners, in the middle between two
of them, and, from where the error was largest, beside them. The error is never more than the tolerance, and
outside its box a field is a bound. What is saved is read. Closed meshes may pass through themselves.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.point_meshes import distances_to_faces, winding_numbers
from shrinking import fewer_and_rounder
from things import BOX_FACES, Array, Data, Rng, is_empty, mesh_in, scale_in, scaled, shape_of, size_of, torus

SECONDS_A_CASE = 60.0

# Errors are compared with this much more than the tolerance: what the referee itself may be off by.
SLACK = 1.0 + 1e-9

N_POINTS, N_WORST, N_ROUNDS, MOST_CELLS = 300, 24, 4, 200_000

CONVEX = ("sphere", "box", "capsule", "cylinder")
SURFACES = ("star", "torus", "slab", "pair", "crossed", "sheet", "thin", "any")

# What a field may be refused for.
KNOWN = "max_cells", "tolerance", "must be"


def make(rng: Rng) -> dict[str, Any]:
    """A convex shape or a mesh, closed or open, a tolerance as a part of its size, and a seed of points."""
    kind = str(rng.choice([*CONVEX, *SURFACES, "any", "any", "any"]))
    size = rng.choice([0.05, 0.5, 1.0, 1.3], 3)
    if kind == "any":
        shape = mesh_in(rng)
    elif kind == "sphere":
        shape = {"kind": kind, "radius": float(size[0])}
    elif kind == "box":
        shape = {"kind": kind, "extents": size.tolist()}
    elif kind in CONVEX:
        shape = {"kind": kind, "radius": float(size[0]), "length": float(size[1])}
    else:
        corners, faces = _surface(kind, size, rng)
        shape = {
            "kind": "mesh",
            "vertices": np.asarray(corners).tolist(),
            "faces": np.asarray(faces).tolist(),
        }
    if rng.random() < 0.3 and shape["kind"] == "mesh" and not is_empty(shape):
        q, r = np.linalg.qr(rng.normal(size=(3, 3)))
        shape["vertices"] = (np.array(shape["vertices"]) @ (q * np.sign(np.diag(r)))).tolist()
    if rng.random() < 0.1 and shape["kind"] == "mesh" and not is_empty(shape):
        shape["vertices"] = (np.array(shape["vertices"]) + 10.0 ** rng.integers(1, 5)).tolist()
    part = float(rng.choice([0.02, 0.05, 0.1, 0.2]))
    return scaled({"shape": shape}, scale_in(rng)) | {"part": part, "seed": int(rng.integers(1 << 30))}


def _surface(kind: str, size: Array, rng: Rng) -> tuple[Any, Any]:
    """A star, a ring, a plate, two boxes beside or through each other, a bent sheet, thin triangles."""
    box = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    both = [*BOX_FACES, *(np.array(BOX_FACES) + 8).tolist()]
    if kind == "star":
        return box * rng.uniform(0.3, 2.0, (8, 1)), BOX_FACES
    if kind == "torus":
        return torus(6, 4)
    if kind == "slab":
        return box * [1.0, 1.0, float(rng.choice([1e-9, 1e-4, 0.01, 0.03]))], BOX_FACES
    if kind == "pair":
        gap = [1.0 + float(rng.choice([0.0, 1e-6, 0.01, 0.05, 0.3])), 0.0, 0.0]
        return np.concatenate([box, box * size + gap]), both
    if kind == "crossed":
        shift = rng.choice([0.0, 0.25, 0.5, 1.0 - 1e-6], 3)
        turned = [face[:: int(rng.choice([1, -1]))] for face in both[12:]]
        return np.concatenate([box, box * rng.choice([0.5, 1.0], 3) + shift]), [*both[:12], *turned]
    if kind == "thin":
        height = 10.0 ** -rng.integers(2, 13)
        corners = np.array([[0, 0, 0], [1, 0, 0], [rng.random(), height, 0], [0.5, 0.0, height]])
        return corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    return [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5]], [[0, 1, 2], [1, 3, 2]]


def check(case: dict[str, Any]) -> str | None:
    """Make the field, and look for its largest error."""
    data = case["shape"]
    if is_empty(data):
        return None
    shape, size = shape_of(data), _size(data)
    if not size > 0.0:
        return None
    try:
        field = fc.DistanceField.of(shape, case["part"] * size, max_cells=MOST_CELLS)
    except ValueError as error:
        return None if any(words in str(error) for words in KNOWN) else f"refused: {error}"
    kind, rng = data["kind"], np.random.default_rng(case["seed"])
    points = _places(field, _corners(data), rng)
    width = float((field.box[1] - field.box[0]).max())
    for n in range(N_ROUNDS):
        fault, order = _fault(data, field, points)
        if fault:
            return f"{kind}: {fault}"
        worst = np.repeat(points[order[:N_WORST]], 12, axis=0)
        points = worst + rng.normal(size=worst.shape) * width * 0.1 * 4.0**-n
    return _kept_fault(field, points)


def _size(data: Data) -> float:
    """The largest size of what has faces, or is convex."""
    if data["kind"] != "mesh":
        return size_of(data)
    corners = np.array(data["vertices"], float)[np.array(data["faces"], int).reshape(-1)]
    return float(np.ptp(corners, axis=0).max()) or size_of(data)


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
    around = lower + reach * rng.uniform(-2, 3, (N_POINTS // 4, 3))
    beside = between + rng.normal(size=between.shape) * reach * 1e-3
    return np.concatenate([anywhere, np.clip(on_grid, lower, upper), between, beside, outside, around])


def _corners(data: Data) -> Array:
    if data["kind"] == "mesh":
        return np.array(data["vertices"], float)
    bounds = shape_of(data).bounds
    return np.array(
        [[bounds[i, 0], bounds[j, 1], bounds[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )


def _fault(data: Data, field: Any, points: Array) -> tuple[str | None, Any]:
    """What is wrong at points, and where the error is largest first."""
    truth, told = distances(data, points, field.is_signed), field(points)
    allowed = field.tolerance * SLACK
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


def distances(data: Data, points: Array, is_signed: bool) -> Array:
    """Signed distances, by all faces or by formulas."""
    kind = data["kind"]
    if kind == "mesh":
        vertices, faces = np.array(data["vertices"], float), np.array(data["faces"], int)
        unsigned = distances_to_faces(points, vertices, faces).min(axis=1).astype(float)
        inside = is_signed & (np.abs(winding_numbers(points, vertices, faces)) > 0.5)
        return np.asarray(np.where(inside, -unsigned, unsigned))
    x, y, z = points.T
    if kind == "sphere":
        return np.asarray(np.sqrt(x * x + y * y + z * z) - data["radius"])
    if kind == "capsule":
        beyond = np.maximum(np.abs(z) - data["length"] / 2, 0)
        return np.asarray(np.sqrt(x * x + y * y + beyond**2) - data["radius"])
    over = np.abs(points) - np.array(data["extents"]) / 2 if kind == "box" else None
    if over is None:
        over = np.stack([np.hypot(x, y) - data["radius"], np.abs(z) - data["length"] / 2], axis=1)
    return np.asarray(np.sqrt((np.maximum(over, 0) ** 2).sum(axis=1)) + np.minimum(over.max(axis=1), 0))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Simpler shapes."""
    for shape in fewer_and_rounder(case["shape"]):
        yield case | {"shape": shape}
