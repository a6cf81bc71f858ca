"""The same question put in another way gets the same answer; the library is its own referee.

Contacts of deforming meshes are exact: the same pairs touch at the same times with a and b swapped, with
vertices and faces in another order, at twice to the power of anything the size, and, for whether they touch,
with time reversed. Distances follow rigid motions and sizes, to rounding.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import mesh_in, pose_in, pose_of, scaled, shape_in, shape_of, size_of

# What the kind of a contact is called from the other side.
SWAPPED = {0: 2, 1: 1, 2: 0, 3: 4, 4: 3}

MOST_FACES = 12


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two deforming meshes, an order of vertices, a size; two shapes, their poses and one for both."""
    case: dict[str, Any] = {name: _deforming(rng) for name in "ab"}
    case["order"] = rng.permutation(len(case["a"]["start"])).tolist()
    case["turned"] = rng.permutation(len(case["a"]["faces"])).tolist()
    case["power"] = int(rng.integers(-60, 60))
    case["shapes"] = [shape_in(rng), shape_in(rng)]
    case["poses"] = [pose_in(rng, 1.0), pose_in(rng, 2.0), pose_in(rng, 4.0)]
    case["factor"] = float(rng.choice([1e-6, 1e-3, 1e3, 1e6]))
    return case


def _deforming(rng: np.random.Generator) -> dict[str, Any]:
    mesh = mesh_in(rng)
    start = np.reshape(mesh["vertices"], (-1, 3)) + rng.integers(-2, 3, 3) / 2
    end = start + rng.integers(-3, 4, 3) / 2 + rng.choice([0.0, 0.3]) * rng.normal(size=start.shape)
    return {"start": start.tolist(), "end": end.tolist(), "faces": mesh["faces"][:MOST_FACES]}


def check(case: dict[str, Any]) -> str | None:
    """Ask in all ways."""
    return _contacts_fault(case) or _distance_fault(case)


def _contacts_fault(case: dict[str, Any]) -> str | None:
    a, b = (_ends(case[name]) for name in "ab")
    here = _times(a, b)
    back = {(SWAPPED[kind], y, x): time for (kind, x, y), time in _times(b, a).items()}
    scale = 2.0 ** case["power"]
    larger = _times(*((scale * start, scale * end, faces) for start, end, faces in (a, b)))
    reverse = _times(*((end, start, faces) for start, end, faces in (a, b)))
    for what, other in (
        ("swapped", back),
        ("scaled by a power of two", larger),
        ("in another order", _shuffled(case, a, b)),
    ):
        if other.keys() != here.keys():
            return f"{what}, {len(other)} pairs touch, and {len(here)} as they are"
        if any(abs(other[pair][0] - here[pair][0]) > 1e-8 for pair in here):
            return f"{what}, a pair touches at another time"
    features = {pair for pair in here if pair[0] <= 2}
    if {pair for pair in reverse if pair[0] <= 2} != features:
        return f"with time reversed {len(reverse)} pairs touch, and {len(features)} as they are"
    return None


def _ends(data: dict[str, Any]) -> tuple[Any, Any, Any]:
    start, end = (np.reshape(data[name], (-1, 3)).astype(float) for name in ("start", "end"))
    return start, end, np.reshape(data["faces"], (-1, 3)).astype(int)


def _times(a: Any, b: Any) -> dict[tuple[int, ...], tuple[float, float]]:
    """When each pair touches."""
    found = fc.contacts(*(fc.Mesh(start, faces).deforming(start, end) for start, end, faces in (a, b)))
    keys = zip(found.kind.tolist(), found.ids_a.tolist(), found.ids_b.tolist(), strict=True)
    return dict(zip(keys, zip(found.time.tolist(), found.time_upper.tolist(), strict=True), strict=True))


def _shuffled(case: dict[str, Any], a: Any, b: Any) -> dict[tuple[int, ...], tuple[float, float]]:
    """The same with the vertices and faces of a in another order, told by the ids of the first."""
    start, end, faces = a
    order = [i for i in case["order"] if i < len(start)]
    turned = [i for i in case["turned"] if i < len(faces)]
    if len(order) != len(start) or len(turned) != len(faces):
        return _times(a, b)
    place = np.argsort(order)
    other = (start[order], end[order], place[faces[turned]].reshape(-1, 3))
    edges = _edge_ids(start, end, faces, other, order)
    names = {0: order, 1: edges, 2: turned, 3: edges, 4: turned}
    return {(kind, int(names[kind][x]), y): time for (kind, x, y), time in _times(other, b).items()}


def _edge_ids(start: Any, end: Any, faces: Any, other: Any, order: Any) -> list[int]:
    """The row, in the edges of the mesh, of each edge of the same mesh in another order."""
    rows = {tuple(edge): i for i, edge in enumerate(fc.Mesh(start, faces).edges.tolist())}
    edges = fc.Mesh(other[0], other[2]).edges
    return [rows[tuple(sorted((int(order[i]), int(order[j]))))] for i, j in edges]


def _distance_fault(case: dict[str, Any]) -> str | None:
    a, b = (shape_of(data) for data in case["shapes"])
    poses = [pose_of(pose) for pose in case["poses"]]
    rotation, place = poses[2]
    moved = [(rotation @ r, rotation @ p + place) for r, p in poses[:2]]
    here = fc.distance(a.at(poses[0]), b.at(poses[1])).distance
    there = fc.distance(a.at(moved[0]), b.at(moved[1])).distance
    slack = 1e-8 * (sum(map(size_of, case["shapes"])) + sum(float(np.linalg.norm(p)) for _, p in poses))
    if here != there and not abs(here - there) <= slack:
        return f"the distance is {here}, and {there} after a motion of both"
    c, d = (shape_of(scaled(data, case["factor"])) for data in case["shapes"])
    sizes = [(r, case["factor"] * p) for r, p in poses[:2]]
    larger = fc.distance(c.at(sizes[0]), d.at(sizes[1])).distance / case["factor"]
    if here != larger and not abs(here - larger) <= slack:
        return f"the distance is {here}, and {larger} of all scaled by {case['factor']}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer faces, rounder numbers."""
    yield from (
        variant
        for variant in fewer_and_rounder(case)
        if len(variant["shapes"]) == 2 and len(variant["poses"]) == 3
    )
