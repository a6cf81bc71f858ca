"""Pairs of faces that meet, of two meshes and of one with itself; the referee is all pairs in integers.

Besides: every end of what two faces share is on both, the other way round gives the same, a batch of two
poses gives twice the same, curves of closed meshes that only cross are closed, and oriented boxes change
nothing.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import trimesh

import firstcontact as fc
from oracles.triangles_apart import are_apart
from shrinking import fewer_and_rounder

SECONDS_A_CASE = 60.0

SIZES = (1.0, 1.0, 1e-30, 1e30, 1e-80, 5e-324)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two soups or closed meshes, on a grid, a hair beside it, in one plane, without area, or anywhere."""
    family, size = (
        str(rng.choice(["grid", "hair", "flat", "thin", "free", "closed"])),
        float(rng.choice(SIZES)),
    )
    things = [_thing(rng, family, size) for _ in range(2)]
    turn = rng.normal(size=3) if rng.random() < 0.5 else np.zeros(3)
    return {
        "a": things[0],
        "b": things[1],
        "turn": turn.tolist(),
        "offset": (size * rng.integers(-1, 2, 3)).tolist(),
    }


def _thing(rng: np.random.Generator, family: str, size: float) -> dict[str, Any]:
    if family == "closed":
        mesh = fc.ConvexHull(
            rng.integers(-3, 4, (int(rng.integers(5, 9)), 3)) + rng.normal(size=3) * 1e-9
        ).mesh
        return {"vertices": (mesh.vertices * size).tolist(), "faces": mesh.faces.tolist()}
    n = int(rng.integers(1, 7))
    vertices = (
        rng.normal(size=(3 * n, 3)) if family == "free" else rng.integers(-2, 3, (3 * n, 3)).astype(float)
    )
    if family == "hair":
        vertices *= rng.choice([1.0, 1.0 + 2.0**-52], vertices.shape)
    if family == "flat":
        vertices[:, 2] = vertices[:, 0]
    faces = np.arange(3 * n).reshape(n, 3)
    if family == "thin":
        faces = rng.integers(0, 3 * n, (n, 3))
        vertices[rng.integers(0, 3 * n, n)] = 0.5 * (vertices[faces[:, 0]] + vertices[faces[:, 1]])
    return {"vertices": (vertices * size).tolist(), "faces": faces.tolist()}


def check(case: dict[str, Any]) -> str | None:
    """Ask about both in a pose, and about the first alone."""
    a, b = (fc.Mesh(thing["vertices"], thing["faces"]) for thing in (case["a"], case["b"]))
    pose = np.eye(4)
    pose[:3, :3] = trimesh.transformations.euler_matrix(*case["turn"])[:3, :3]
    pose[:3, 3] = case["offset"]
    placed = a.at(pose)
    found = fc.intersections(placed, b)
    corners = placed.vertices(0.0)[a.faces].tolist(), b.vertices[b.faces].tolist()
    pairs = {
        (f, g)
        for f, one in enumerate(corners[0])
        for g, other in enumerate(corners[1])
        if not are_apart(one, other)
    }
    if set(zip(found.faces_a.tolist(), found.faces_b.tolist(), strict=True)) != pairs or len(found) != len(
        pairs
    ):
        return "other pairs of faces meet"
    if found and not fc.intersects(placed, b):
        return "faces meet, and intersects says no"
    faults = (
        _fault_of_places(found, corners),
        _fault_of_ways(placed, b, found),
        _fault_alone(a),
        _fault_of_boxes(placed, b, found),
    )
    return next((fault for fault in faults if fault), None)


def _fault_of_boxes(placed: fc.Moving, b: fc.Mesh, found: fc.Intersections) -> str | None:
    """Oriented boxes leave out no pair, and say what swept spheres say, also of what is near."""
    if fc.intersections(placed, b, method="obb") != found:
        return "oriented boxes give other pairs"
    mesh = placed.shape
    if fc.intersections(mesh, method="obb") != fc.intersections(mesh):
        return "oriented boxes give other pairs of a mesh alone"
    size = float(np.abs(b.vertices).max(initial=0.0))
    for within in (None, 0.3 * size):
        usual, other = (fc.intersects(placed, b, within=within, method=how) for how in ("spheres", "obb"))
        if usual != other:
            return "intersects has another answer by oriented boxes"
    return None


def _fault_of_places(found: fc.Intersections, corners: tuple[Any, Any]) -> str | None:
    rows = np.flatnonzero(~found.is_coplanar)
    segments = found.segments[rows]
    if np.isnan(segments).any() or not np.isnan(found.segments[found.is_coplanar]).all():
        return "a place is missing"
    for faces, own in ((found.faces_a, corners[0]), (found.faces_b, corners[1])):
        triangles = np.array(own).reshape(-1, 3, 3)[faces[rows]]
        size = np.abs(triangles).max(initial=0.0)
        if size < 1e-100 or size > 1e100:
            continue
        for end in range(2):
            if _distances(triangles / size, segments[:, end] / size).max(initial=0.0) > 1e-5:
                return "what two faces share is not on both"
    return None


def _distances(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Distances of points from triangles; from the edges, too, since the peer is wrong about needles."""
    off = np.linalg.norm(trimesh.triangles.closest_point(triangles, points) - points, axis=1)
    for k in range(3):
        start, along = triangles[:, k], triangles[:, (k + 1) % 3] - triangles[:, k]
        squared = np.einsum("ij,ij->i", along, along)
        share = np.einsum("ij,ij->i", points - start, along) / np.where(squared > 0.0, squared, 1.0)
        on_edge = start + np.clip(share, 0.0, 1.0)[:, np.newaxis] * along
        off = np.fmin(off, np.linalg.norm(on_edge - points, axis=1))
    return off


def _fault_of_ways(placed: fc.Moving, b: fc.Mesh, found: fc.Intersections) -> str | None:
    back = fc.intersections(b, placed)
    order = np.lexsort((back.faces_a, back.faces_b))
    if not np.array_equal(back.faces_b[order], found.faces_a) or not np.array_equal(
        back.is_coplanar[order], found.is_coplanar
    ):
        return "it is another answer the other way round"
    ends, others = (np.sort(x.reshape(-1)) for x in (found.segments, back.segments))
    if not np.array_equal(ends, others, equal_nan=True):
        return "places differ the other way round"
    twice = fc.intersections(placed.shape.at(np.stack([placed.pose(0.0)] * 2)), b)
    if len(twice) != 2 * len(found) or twice.at_pose(1).faces_b.tolist() != found.faces_b.tolist():
        return "a batch has another answer"
    return None


def _fault_alone(a: fc.Mesh) -> str | None:
    """Faces that have no place in common are those of any two meshes; where they have, two at least meet."""
    found = fc.intersections(a)
    if bool(found) != fc.intersects(a):
        return "intersects and intersections differ about a mesh alone"
    listed = set(zip(found.faces_a.tolist(), found.faces_b.tolist(), strict=True))
    corners = a.vertices[a.faces].tolist()
    places = [{tuple(np.array(corner) + 0.0) for corner in face} for face in corners]
    for f in range(len(corners)):
        for g in range(f + 1, len(corners)):
            is_met = not are_apart(corners[f], corners[g])
            if not places[f] & places[g] and ((f, g) in listed) != is_met:
                return "other faces of one mesh meet"
            if (f, g) in listed and not is_met:
                return "faces of one mesh are listed that do not meet"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give fewer faces and rounder vertices."""
    for name in ("a", "b"):
        for thing in fewer_and_rounder(case[name]):
            yield case | {name: thing}
