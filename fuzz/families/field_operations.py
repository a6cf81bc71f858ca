"""Fields of fields, one operation after the other, offsets among them, and fields of meshes that change.

The referee takes the least or the largest of exact distances: formulas for balls and boxes, and all faces in
long doubles for others. In its box a field is within its tolerance of that function, `is_exact` is what the
rules say, and nowhere does a field tell more than the distance to a point that is in the shape, or, inside,
to one that is not. What is saved is read. A way that ends inside is not free. What was brought up to date is
within the tolerance of the mesh as it is now.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc
from families.distance_fields import distances
from things import BOX_FACES, Array, Data, Rng, shape_of

SECONDS_A_CASE = 60.0

SLACK = 1.0 + 1e-9

N_POINTS, MOST_CELLS = 400, 100_000

OPERATIONS = ("union", "intersection", "difference", "offset")

# What may be refused: too many cells, and what is empty, leaves the box or is not exact.
KNOWN = "max_cells", "empty", "more margin", "leaves nothing", "needs a field that is exact"


def make(rng: Rng) -> dict[str, Any]:
    """Shapes, operations that make one of them all, a tolerance, a mesh's change, and a seed of points."""
    n = int(rng.integers(1, 4))
    names = [str(rng.choice(OPERATIONS[:3])) for _ in range(n)]
    steps = [{"name": name, "shape": _shape(rng)} for name in names]
    for at in rng.integers(0, n + 1, int(rng.integers(0, 3))):
        steps.insert(int(at), {"name": "offset", "distance": float(rng.choice([0.0, 0.1, -0.1, 0.05]))})
    own = {"tolerance": float(rng.choice([0.04, 0.1])), "grow": float(rng.choice([1.05, 1.5, 2.0]))}
    return {"first": _shape(rng), "steps": steps, "seed": int(rng.integers(1 << 30))} | own


def _shape(rng: Rng) -> Data:
    """A ball, a box, or a box with corners pulled in or out, anywhere near."""
    kind, size = str(rng.choice(["sphere", "box", "mesh", "star"])), rng.choice([0.3, 0.6, 1.0], 3)
    if kind == "sphere":
        return {"kind": kind, "radius": float(size[0])}
    if kind == "box":
        return {"kind": kind, "extents": size.tolist()}
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size
    if kind == "star":
        corners = corners * rng.uniform(0.4, 1.6, (8, 1))
    shift = rng.choice([0.0, 0.25, 0.5, 0.3]) * rng.choice([-1, 0, 1], 3)
    return {"kind": "mesh", "vertices": (corners + shift).tolist(), "faces": BOX_FACES}


def check(case: dict[str, Any]) -> str | None:
    """Do one operation after the other, and compare with what their functions are."""
    field, rng = _field(case["first"], case["tolerance"]), np.random.default_rng(case["seed"])
    if field is None:
        return None
    fault, is_exact = _changed_fault(case["first"], field, rng), (True, True)
    for n, step in enumerate(case["steps"]):
        if fault:
            return fault
        try:
            field = _after(field, step, case)
        except ValueError as error:
            return None if any(words in str(error) for words in KNOWN) else f"refused: {error}"
        if field is None:
            return None
        is_exact = _exactness(is_exact, step)
        if field.is_exact != is_exact:
            return f"{step['name']}: is_exact is {field.is_exact}, and not {is_exact}"
        fault = _fault(case, case["steps"][: n + 1], field, rng)
    return fault


def _field(data: Data, tolerance: float) -> Any:
    try:
        return fc.DistanceField.of(shape_of(data), tolerance, margin=1.0, max_cells=MOST_CELLS)
    except ValueError as error:
        if "max_cells" in str(error):
            return None
        raise


def _after(field: Any, step: dict[str, Any], case: dict[str, Any]) -> Any:
    if step["name"] == "offset":
        return field.offset(step["distance"])
    other = _field(step["shape"], case["tolerance"])
    if other is None:
        return None
    allowed = case["grow"] * max(field.tolerance, other.tolerance)
    return getattr(field, step["name"])(other, allowed, max_cells=MOST_CELLS)


def _exactness(is_exact: tuple[bool, bool], step: dict[str, Any]) -> tuple[bool, bool]:
    outside, inside = is_exact
    if step["name"] == "offset":
        return outside and step["distance"] >= 0.0, inside and step["distance"] <= 0.0
    return (outside, False) if step["name"] == "union" else (False, inside)


def _truth(first: Data, steps: list[dict[str, Any]], points: Array) -> Array:
    found = distances(first, points, True)
    for step in steps:
        if step["name"] == "offset":
            found = found - step["distance"]
            continue
        other = distances(step["shape"], points, True)
        if step["name"] == "union":
            found = np.minimum(found, other)
        else:
            found = np.maximum(found, other if step["name"] == "intersection" else -other)
    return np.asarray(found)


def _fault(case: dict[str, Any], steps: list[dict[str, Any]], field: Any, rng: Rng) -> str | None:
    name, points = steps[-1]["name"], _points(field, rng)
    truth, told, allowed = _truth(case["first"], steps, points), field(points), field.tolerance * SLACK
    is_in = ((points >= field.box[0]) & (points <= field.box[1])).all(axis=1)
    if np.abs(told - truth)[is_in].max() > allowed:
        return f"{name}: off by more than the tolerance"
    apart = np.linalg.norm(points[:, np.newaxis] - points, axis=2)
    nearest = apart[:, truth <= 0.0].min(axis=1, initial=np.inf)
    if (told - allowed > nearest * SLACK).any():
        return f"{name}: more than the distance to a point of the shape"
    nearest = apart[:, truth >= 0.0].min(axis=1, initial=np.inf)
    if (-told - allowed > nearest * SLACK)[is_in].any():
        return f"{name}: deeper than a point that is outside"
    within = (points >= field.bounds[0] - 1e-9) & (points <= field.bounds[1] + 1e-9)
    if (truth < 0.0)[~within.all(axis=1)].any():
        return f"{name}: a point of the shape is beyond its bounds"
    return _kept_fault(field) or _contact_fault(field, points[is_in & (truth < 0.0)], rng)


def _points(field: Any, rng: Rng) -> Array:
    """Points anywhere in the box, on its grid, and outside."""
    lower, upper = field.box
    anywhere = rng.uniform(lower, upper, (N_POINTS, 3))
    cells = field.octree.grid.width / 2.0 ** rng.integers(0, 6, (N_POINTS // 2, 1))
    on_grid = lower + np.round((anywhere[: N_POINTS // 2] - lower) / cells) * cells
    outside = 0.5 * (lower + upper) + (upper - lower) * rng.normal(size=(N_POINTS // 4, 3)) * 2.0
    return np.concatenate([anywhere, np.clip(on_grid, lower, upper), outside])


def _kept_fault(field: Any) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "field.npz"
        field.save(file)
        return None if fc.DistanceField.load(file) == field else "what was read is not what was written"


def _contact_fault(field: Any, inside: Array, rng: Rng) -> str | None:
    """Let a ball arrive at points inside the shape: no way is free."""
    for goal in inside[rng.integers(len(inside), size=2)] if len(inside) else ():
        start = goal + rng.normal(size=3) * 4.0
        moving = fc.Sphere(1e-3).moving((np.eye(3), start), (np.eye(3), goal))
        found = fc.first_contact(moving, field)
        if found.status == fc.Status.SEPARATED:
            return "a way that ends inside is free"
    return None


def _changed_fault(data: Data, field: Any, rng: Rng) -> str | None:
    """Move some vertices of a mesh there and back: the field is that of the mesh as it is then."""
    if data["kind"] != "mesh":
        return None
    vertices, faces = np.array(data["vertices"]), data["faces"]
    moved = vertices.copy()
    some = rng.integers(0, len(vertices), int(rng.integers(1, 4)))
    moved[some] += rng.normal(size=(len(some), 3)) * rng.choice([1e-9, 0.05, 0.3])
    mesh, later = shape_of(data), fc.Mesh(moved, faces)
    try:
        updated = field.updated(mesh, later, max_cells=MOST_CELLS)
        again = updated.updated(later, mesh, max_cells=MOST_CELLS)
    except ValueError as error:
        return None if "max_cells" in str(error) else f"updated: {error}"
    for found, places in ((updated, moved), (again, vertices)):
        points = rng.uniform(*found.box, (N_POINTS, 3))
        truth = distances(data | {"vertices": places.tolist()}, points, found.is_signed)
        if np.abs(found(points) - truth).max() > found.tolerance * SLACK:
            return "updated: off by more than the tolerance"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer steps."""
    for i in range(len(case["steps"])):
        yield case | {"steps": case["steps"][:i] + case["steps"][i + 1 :]}
