"""Manifolds of stacks: what boxes, hulls and meshes that stand on each other share, clipped by shapely.

Prisms with one and more sides, turned about their axes, aligned or not, in a tower that is turned as a whole,
at rest or about to meet. The hull of a pair's points is the overlap of both faces, each point is on both, and
gaps are those of the tower. All broad phases and numbers of threads give the same bytes; ids of features are
the same after a small step.
"""

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import shapely

import firstcontact as fc

Array = np.ndarray[Any, np.dtype[np.float64]]

ROUNDING = 1e-9


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A tower, floor by floor."""
    floors = []
    for _ in range(int(rng.integers(2, 6))):
        n, is_aligned = int(rng.integers(3, 9)), bool(rng.random() < 0.4)
        kind = str(rng.choice(["box", "hull", "hull", "mesh"]))
        floors.append(
            {
                "kind": kind,
                "sides": n,
                "sizes": (rng.integers(1, 4, 2) / 2.0 if is_aligned else rng.uniform(0.3, 1.5, 2)).tolist(),
                "height": float(rng.choice([0.5, rng.uniform(0.05, 2.0)])),
                "yaw": float(rng.choice([0.0, 0.5 * np.pi]) if is_aligned else rng.uniform(-4, 4)),
                "shift": (rng.integers(-1, 2, 2) / 4.0 if is_aligned else rng.normal(size=2) * 0.3).tolist(),
            }
        )
    return {
        "floors": floors,
        "gap": float(rng.choice([0.0, 1e-9, 1e-4, 1e-2])),
        "scale": float(rng.choice([1.0, 1.0, 1e-9, 1e9, 2.0**-40])),
        "axis": rng.normal(size=3).tolist(),
        "angle": float(rng.choice([0.0, rng.uniform(-3, 3)])),
        "off": (rng.normal(size=3) * rng.choice([0.0, 10.0, 1e4])).tolist(),
        "speed": float(rng.choice([0.0, 0.0, 1.0])),
        "slide": float(rng.choice([0.0, 1e-3])),
    }


def _outline(floor: dict[str, Any]) -> Array:
    """The face of a floor, (n, 2), where it stands."""
    if floor["kind"] == "box":
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    else:
        turns = 2.0 * np.pi * (np.arange(floor["sides"]) + 0.3) / floor["sides"]
        corners = 0.6 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return corners * floor["sizes"]


def _turn(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _about(axis: Array, angle: float) -> Array:
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def _things(case: dict[str, Any], slide: float) -> tuple[dict[str, Any], list[Array], Array]:
    """The bodies, their faces as seen along the tower, and the tower's turn."""
    scale, whole = case["scale"], _about(np.array(case["axis"]), case["angle"])
    things, faces, z = {}, [], 0.0
    for k, floor in enumerate(case["floors"]):
        outline, half = _outline(floor), 0.5 * floor["height"]
        sides = [np.concatenate([outline, np.full((len(outline), 1), h)], axis=1) for h in (-half, half)]
        corners = scale * np.concatenate(sides)
        if floor["kind"] == "box":
            shape: Any = fc.Box(scale * np.array([*floor["sizes"], floor["height"]]))
        else:
            shape = fc.ConvexHull(corners)
            shape = shape.mesh if floor["kind"] == "mesh" else shape
        move = np.array(floor["shift"]) + slide * np.array([1.0, 0.3]) * (k % 2)
        place = np.array([*move, z + half])
        pose = whole @ _turn(floor["yaw"]), scale * (whole @ place + case["off"])
        way = scale * case["speed"] * whole @ [0.0, 0.0, -2.0 * k]
        things[f"floor {k}"] = shape.moving(pose, velocity=way) if case["speed"] else shape.at(pose)
        faces.append(outline @ _turn(floor["yaw"])[:2, :2].T + move)
        z += floor["height"] + case["gap"]
    return things, faces, whole


def check(case: dict[str, Any]) -> str | None:
    """Compare with clipped faces; then in all ways to ask; then after a step."""
    if len(case["floors"]) < 2:
        return None
    found = _asked(case, 0.0, "auto", None)
    fault = _clipped(case, *found)
    if fault:
        return fault
    for how in ("sweep", "tree", "image"):
        if _bytes(_asked(case, 0.0, how, None)[1]) != _bytes(found[1]):
            return f"by {how} the manifold is another"
    for n in (1, 2):
        if _bytes(_asked(case, 0.0, "auto", n)[1]) != _bytes(found[1]):
            return "another number of threads gives another manifold"
    return _stepped(case, found)


def _asked(case: dict[str, Any], slide: float, how: str, n_threads: int | None) -> tuple[Any, Any]:
    things, _, _ = _things(case, slide)
    before = numba.get_num_threads()
    numba.set_num_threads(min(n_threads or before, numba.config.NUMBA_NUM_THREADS))
    try:
        scene = fc.Scene(things, broad_phase=how)
        near = case["scale"] * (case["gap"] + 1e-7 + 1e-10 * np.abs(case["off"]).max())
        contacts = scene.contacts(min_separation=near)
        return contacts, contacts.manifold(within=case["scale"] * 1e-6)
    finally:
        numba.set_num_threads(before)


def _bytes(manifold: Any) -> bytes:
    names = ("contact_ids", "points_a", "points_b", "normals", "gap", "closing_speed", "features", "body_ids")
    return b"".join(getattr(manifold, name).tobytes() for name in names)


def _clipped(case: dict[str, Any], contacts: Any, manifold: Any) -> str | None:
    _, faces, whole = _things(case, 0.0)
    scale = case["scale"]
    polygons = [shapely.Polygon(face) for face in faces]
    hair = ROUNDING * (1.0 + np.abs(case["off"]).max())
    listed = {
        tuple(sorted(int(name.split()[1]) for name in pair)): k for k, pair in enumerate(contacts.names)
    }
    if len(np.unique(manifold.contact_ids)) != len(contacts):
        return "a contact has no points"
    for k in range(len(faces) - 1):
        shared = polygons[k].intersection(polygons[k + 1])
        if shared.area < 1e-3:
            continue
        if (k, k + 1) not in listed:
            return "two floors that stand on each other are no contact"
        row = listed[k, k + 1]
        own = manifold.contact_ids == row
        normal = manifold.normals[own][0] @ whole
        if abs(abs(normal[2]) - 1.0) > 1e-6:
            return "the normal does not lead along the tower" if case["gap"] > 1e-6 else None
        for points in (manifold.points_a[own], manifold.points_b[own]):
            seen = (points / scale - case["off"]) @ whole
            hull = shapely.convex_hull(shapely.multipoints(seen[:, :2]))
            if abs(hull.area - shared.area) > 10 * hair + 3e-6:
                return f"points of faces hold an area of {hull.area:.9g}, and these share {shared.area:.9g}"
            if not shared.buffer(10 * hair + 2e-6).contains(hull):
                return "a point is beyond what the faces share"
        if np.abs(manifold.gap[own] / scale - manifold.gap[own][0] / scale).max() > 10 * hair + 1e-6:
            return "gaps of parallel faces differ"
        if case["speed"] and not (manifold.closing_speed[own] > 0).all():
            return "faces that come nearer do not close"
    return None


def _stepped(case: dict[str, Any], found: tuple[Any, Any]) -> str | None:
    manifold = found[1]
    later = _asked(case, case["slide"], "auto", None)[1]
    rows = later.rows_in(manifold)
    if case["slide"] == 0.0:
        return None if np.array_equal(rows, np.arange(len(manifold))) else "the same again has other features"
    known = rows >= 0
    if len(np.unique(rows[known])) != known.sum():
        return "two points are the same feature"
    if (later.features[known] != manifold.features[rows[known]]).any():
        return "rows of other features are told"
    keys = {tuple(row) for row in np.column_stack([manifold.body_ids, manifold.features]).tolist()}
    return "features are not unique" if len(keys) != len(manifold) else None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer floors, upright, near."""
    for i in range(len(case["floors"])):
        yield case | {"floors": case["floors"][:i] + case["floors"][i + 1 :]}
    for name, value in (("angle", 0.0), ("off", [0.0] * 3), ("scale", 1.0), ("speed", 0.0), ("slide", 0.0)):
        if case[name] != value:
            yield case | {name: value}
