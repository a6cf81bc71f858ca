"""How deep solids are in each other; the referee looks along all directions that can be the shortest.

Moved by the depth along the direction, two convex shapes are seen apart along it; no shorter way is known;
closed meshes that are convex are as deep as their hulls; overlap is told as `intersects` does.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_cores import core_of, placed, shadow_gap
from oracles.convex_penetration import penetration
from pieces import Real, extent_of, is_round
from shrinking import fewer_and_rounder
from things import BOX_FACES, convex_in, pose_in, pose_of, scale_in, scaled, shape_of, torus


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two solids near each other; at times the same, at the same place, or meshes that are convex, or not."""
    a, b = _solid(rng), _solid(rng)
    if rng.random() < 0.15:
        b = a
    case = {"a": a, "b": b, "pose_a": pose_in(rng, 0.5), "pose_b": pose_in(rng, 0.5)}
    if rng.random() < 0.1:
        case["pose_b"] = case["pose_a"]
    return scaled(case, scale_in(rng))


def _solid(rng: np.random.Generator) -> dict[str, Any]:
    kind = rng.integers(6)
    if kind == 0:
        box = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        return {"kind": "mesh", "vertices": (box * rng.integers(1, 4, 3)).tolist(), "faces": BOX_FACES}
    if kind == 1:
        vertices, faces = torus(6, 4)
        return {"kind": "mesh", "vertices": vertices.tolist(), "faces": faces}
    return convex_in(rng)


def check(case: dict[str, Any]) -> str | None:
    """Compare the depth and the way out."""
    shapes = [shape_of(case[name]) for name in "ab"]
    poses = [pose_of(case[name]) for name in ("pose_a", "pose_b")]
    x, y = (shape.at(pose) for shape, pose in zip(shapes, poses, strict=True))
    kinds = "-".join(sorted((case["a"]["kind"], case["b"]["kind"])))
    found, back = fc.penetration(x, y), fc.penetration(y, x)
    is_round_off = is_round(case["a"]) or is_round(case["b"])
    slack = (5e-8 if is_round_off else 1e-9) * extent_of(case["a"], case["b"], [pose[1] for pose in poses])
    if found.depth < 0.0 or not (found.is_overlapping or found.depth == 0.0):
        return f"{kinds}: depth {found.depth}, overlapping {found.is_overlapping}"
    if found.depth > slack and abs(np.linalg.norm(found.direction) - 1) > 1e-9:
        return f"{kinds}: the direction has the length {np.linalg.norm(found.direction)}"
    has_mesh = "mesh" in kinds
    cores = [_core(case[name], shape, has_mesh) for name, shape in zip("ab", shapes, strict=True)]
    if any(core is None for core in cores):
        touches = fc.intersects(x, y, solid=True)
        if touches != found.is_overlapping and found.depth > slack:
            return f"{kinds}: intersects with solid=True is {touches}, overlapping {found.is_overlapping}"
        return None
    if abs(found.depth - back.depth) > slack:
        return f"{kinds}: the depth is {found.depth}, and {back.depth} with a and b swapped"
    is_least = not (has_mesh and any(_is_flat(case[name]) for name in "ab"))
    return _convex_fault(cores, poses, found, slack, kinds if is_least else f"{kinds}, flat")


def _core(data: dict[str, Any], shape: Any, has_mesh: bool) -> Any:
    """The shape as the referee knows it; None where it is not convex, or is round and meets a mesh."""
    if data["kind"] == "mesh":
        return core_of(fc.ConvexHull(shape.vertices)) if len(data["faces"]) == len(BOX_FACES) else None
    return core_of(shape) if not has_mesh or data["kind"] in ("box", "hull") else None


def _is_flat(data: dict[str, Any]) -> bool:
    """Is it a hull in a plane? In a mesh, it need not take the shortest way out."""
    points = np.array(data.get("points", np.eye(4)[:, :3]))
    return bool(np.linalg.matrix_rank(points - points[0], tol=1e-9 * np.abs(points).max()) < 3)


def _convex_fault(cores: list[Any], poses: list[Any], found: Any, slack: float, kinds: str) -> str | None:
    truth = penetration(cores[0], poses[0], cores[1], poses[1])
    upper = np.inf if "flat" in kinds else float(truth.upper)
    if not float(truth.lower) - slack <= found.depth <= upper + slack:
        return f"{kinds}: the depth is {found.depth}, and not {float(truth.lower)} to {float(truth.upper)}"
    if float(truth.lower) > slack and not found.is_overlapping:
        return f"{kinds}: not overlapping at a depth of {float(truth.lower)}"
    if found.depth > slack:
        a, b = (placed([core], [pose[0]], [pose[1]]) for core, pose in zip(cores, poses, strict=True))
        gap = float(shadow_gap(a, b, np.asarray(found.direction, Real)[:, None])[0])
        if gap + found.depth < -slack:
            return f"{kinds}: moved by the depth {found.depth}, they still overlap by {-gap - found.depth}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Straight poses, fewer points, rounder numbers; meshes stay closed."""
    for name in ("pose_a", "pose_b"):
        yield case | {name: case[name] | {"rotation": np.eye(3).tolist()}}
    yield from (variant for variant in fewer_and_rounder(case) if _same_faces(case, variant))


def _same_faces(case: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(case[name].get("faces") == other[name].get("faces") for name in "ab")
