"""Diagrams of sites of all kinds, solid or not, moving or not, in any image; the referee is brute force.

Distances to all pieces of all sites in extended precision; sides by winding numbers. Sites are points,
polylines, closed or not, polygons with holes, balls, capsules, boxes, hulls, meshes, clouds and voxels, some
twice, some outside of the image; images may have one cell along an axis or be far away. What has moved is as
made anew, to the last bit.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.nearest_sites import centers, to_segments, to_triangles
from things import torus

Array = np.ndarray[Any, Any]

PLANE = ("point", "line", "ring", "polygon", "polyline")
SPACE = (
    "point",
    "line",
    "sphere",
    "capsule",
    "box",
    "hull",
    "tetra",
    "torus",
    "sheet",
    "points",
    "strands",
    "voxels",
)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Sites, an image, weights."""
    dimension = int(rng.integers(2, 4))
    n = int(rng.choice([0, 1, 1, 2, 5, 12]))
    size = 10.0 ** float(rng.choice([0, 0, 0, -20, 20]))
    kinds = [str(rng.choice(PLANE if dimension == 2 else SPACE)) for _ in range(n)]
    is_grid = bool(rng.random() < 0.4)
    sites = []
    for kind in kinds:
        place = rng.integers(-2, 6, dimension) / 4.0 if is_grid else rng.uniform(-0.5, 1.5, dimension)
        if sites and rng.random() < 0.1:
            sites.append(sites[-1])
            continue
        seed, turn = int(rng.integers(1 << 30)), float(rng.choice([0.0, rng.uniform(-3, 3)]))
        way = rng.normal(size=dimension) * float(rng.choice([0.0, 0.0, 0.2]))
        sites.append({"kind": kind, "seed": seed, "place": place.tolist(), "turn": turn, "way": way.tolist()})
    counts = rng.choice([1, 2, 3, 5, 9, 17], dimension)
    corner = rng.choice([-0.3, 0.0, 0.25]) * rng.integers(0, 2, dimension)
    extent = rng.choice([1.0, 0.5, 1e-3, 3.0], dimension)
    is_weighted = bool(rng.random() < 0.3)
    mode = str(rng.choice(["", "solid", "solid", "farthest", "features"]))
    return {
        "sites": sites,
        "size": size,
        "bounds": [(size * corner).tolist(), (size * (corner + extent)).tolist()],
        "counts": counts.tolist(),
        "weights": (size * rng.choice([0.0, 0.1, -0.2], n)).tolist() if is_weighted else None,
        "factors": rng.choice([1.0, 1.5, 3.0], n).tolist() if is_weighted else None,
        "mode": mode,
        "time": float(rng.choice([0.0, 0.3, 1.0])),
    }


def _ring(rng: np.random.Generator) -> Array:
    n = int(rng.integers(3, 9))
    turns = np.sort(rng.uniform(0, 2 * np.pi, n))
    if rng.random() < 0.3:
        return 0.25 * np.array([[-1.0, -1], [1, -1], [1, 1], [0, 0], [-1, 1]])
    return rng.uniform(0.1, 0.5, (n, 1)) * np.stack([np.cos(turns), np.sin(turns)], axis=1)


def _site(data: dict[str, Any], size: float, dimension: int, later: float) -> Any:
    """A site as it is given."""
    rng = np.random.default_rng(data["seed"])
    kind = data["kind"]
    place = size * (np.array(data["place"]) + later * np.array(data["way"]))
    way = size * np.array(data["way"])
    if kind == "point":
        return place
    if kind == "line":
        return place + size * np.cumsum(rng.normal(size=(int(rng.integers(1, 5)), dimension)) * 0.2, axis=0)
    if kind == "ring":
        ring = _ring(rng)
        return place + size * np.concatenate([ring, ring[:1]])
    if dimension == 2:
        try:
            ring = _ring(rng)
            holes = [ring.mean(axis=0) + 0.2 * (ring - ring.mean(axis=0))] if rng.random() < 0.5 else []
            shape: Any = fc.Polygon(size * ring, [size * hole for hole in holes])
        except ValueError:
            shape = fc.Polyline(size * ring, closed=True)
        if kind == "polyline":
            shape = fc.Polyline(shape.vertices, shape.counts, closed=bool(rng.integers(2)))
        return shape.moving((data["turn"], place), velocity=way)
    shape = _solid(kind, rng, size)
    axis = rng.normal(size=3)
    return shape.moving((_rotation(axis, data["turn"]), place), velocity=way)


def _solid(kind: str, rng: np.random.Generator, size: float) -> Any:
    lengths = size * rng.uniform(0.1, 0.5, 3)
    if kind == "sphere":
        return fc.Sphere(lengths[0])
    if kind == "capsule":
        return fc.Capsule(lengths[0], lengths[1])
    if kind == "box":
        return fc.Box(lengths)
    if kind == "hull":
        return fc.ConvexHull(size * 0.4 * rng.normal(size=(8, 3)))
    if kind == "tetra":
        corners = size * 0.4 * rng.normal(size=(4, 3))
        return fc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    if kind == "torus":
        corners, faces = torus(6, 4)
        return fc.Mesh(0.3 * size * corners, faces)
    if kind == "sheet":
        return fc.Mesh(size * 0.3 * rng.normal(size=(5, 3)), [[0, 1, 2], [2, 3, 4]])
    if kind == "points":
        return fc.Points(size * 0.3 * rng.normal(size=(4, 3)), 0.05 * size)
    if kind == "strands":
        return fc.Strands(size * 0.3 * rng.normal(size=(5, 3)), [3, 2], 0.03 * size)
    return fc.Voxels(rng.random((3, 3, 3)) < 0.5, size * 0.15)


def _rotation(axis: Array, angle: float) -> Array:
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def check(case: dict[str, Any]) -> str | None:
    """Compare with all pieces of all sites; then what has moved with a diagram made anew."""
    dimension, size = len(case["counts"]), case["size"]
    words: dict[str, Any] = {"weights": case["weights"], "factors": case["factors"]}
    if case["mode"]:
        words[case["mode"]] = True
    if words["weights"] is not None and len(words["weights"]) != len(case["sites"]):
        return None
    given = [_site(site, size, dimension, 0.0) for site in case["sites"]]
    later = [_site(site, size, dimension, 0.7) for site in case["sites"]]
    asked = case["bounds"], case["counts"]
    try:
        found = fc.voronoi(given, *asked, **words, time=case["time"])
    except ValueError as error:
        return None if "where no site is closed" in str(error) and not _has_solid(given) else repr(error)
    fault = _fault(found, given, case, words)
    if fault:
        return fault
    if case["mode"] == "features":
        return None
    moved, anew = found.moved(later, time=case["time"]), fc.voronoi(later, *asked, **words, time=case["time"])
    if moved.ids.tobytes() != anew.ids.tobytes() or moved.distance.tobytes() != anew.distance.tobytes():
        return "what has moved is not as made anew"
    return _fault(anew, later, case, words)


def _fault(found: fc.Voronoi, sites: list[Any], case: dict[str, Any], words: dict[str, Any]) -> str | None:
    ids, told = found.ids.reshape(-1), found.distance.reshape(-1)
    if found.ids.shape != tuple(case["counts"]):
        return "the image has other counts"
    if not sites:
        return None if (ids == -1).all() and np.isinf(told).all() else "without sites something is told"
    points = centers(found).astype(np.float64)
    values = []
    for k, site in enumerate(sites):
        pieces, radii = _pieces(site, case["time"])
        gaps = np.stack([_gaps(points, piece) for piece in pieces], axis=1)
        factor = 1.0 if words["factors"] is None else words["factors"][k]
        weight = 0.0 if words["weights"] is None else words["weights"][k]
        own = (gaps - np.asarray(radii)).min(axis=1)
        if case["mode"] == "solid":
            inside = _inside(points, site, pieces)
            own = np.where(inside, -(gaps + np.asarray(radii)).min(axis=1), own)
        values.append(own * factor - weight)
    measured = np.stack(values, axis=1)
    best = measured.max(axis=1) if case["mode"] == "farthest" else measured.min(axis=1)
    who = ids if found.features is None else found.features[ids, 0]
    if np.abs(told - best).max() > found.error:
        return "a distance is off by more than the error"
    if np.abs(measured[np.arange(len(who)), who] - best).max() > 2.0 * found.error:
        return "a site is told that another beats by more than two errors"
    reach = (
        np.abs(np.concatenate([np.asarray(points), np.asarray(case["bounds"])])).max() + 8.0 * case["size"]
    )
    return "the error is told to be large" if found.error > 1e-12 * reach else None


def _pieces(site: Any, time: float) -> tuple[list[Array], list[float]]:
    """Corners (k, d) of points, segments and triangles, and their radii."""
    if isinstance(site, np.ndarray):
        if site.ndim == 1 or len(site) == 1:
            return [site.reshape(1, -1)], [0.0]
        return [site[i : i + 2] for i in range(len(site) - 1)], [0.0] * (len(site) - 1)
    shape, points = site.shape, None
    if isinstance(shape, fc.Sphere):
        return [site.pose(time)[:3, 3].reshape(1, 3)], [shape.radius]
    if isinstance(shape, fc.Capsule):
        pose, half = site.pose(time), np.array([0.0, 0.0, 0.5 * shape.length])
        return [np.stack([pose[:3, 3] - pose[:3, :3] @ half, pose[:3, 3] + pose[:3, :3] @ half])], [
            shape.radius
        ]
    if isinstance(shape, fc.Polygon | fc.Polyline):
        points = site.vertices(time)
        return [points[edge] for edge in shape.edges], [0.0] * shape.n_edges
    if isinstance(shape, fc.Box | fc.ConvexHull | fc.Voxels):
        shape = shape.mesh
    pose = site.pose(time)
    points = shape.vertices @ pose[:3, :3].T + pose[:3, 3]
    radii = np.broadcast_to(np.asarray(getattr(shape, "radii", 0.0), float), len(shape.faces))
    return [points[face] for face in shape.faces], radii.tolist()


def _gaps(points: Array, piece: Array) -> Array:
    if len(piece) == 1:
        return to_segments(points, piece, piece)[:, 0]
    if len(piece) == 2:
        return to_segments(points, piece[:1], piece[1:])[:, 0]
    return to_triangles(points, piece[np.newaxis])[:, 0]


def _has_solid(sites: list[Any]) -> bool:
    """Is any site closed? Of polylines that may be, the library's word is taken."""
    closed = fc.Box | fc.ConvexHull | fc.Voxels | fc.Polygon
    return any(isinstance(getattr(site, "shape", None), closed) for site in sites)


def _inside(points: Array, site: Any, pieces: list[Array]) -> Array:
    """Which points are inside of what is closed, by parity in the plane, and by solid angles in space."""
    nowhere = np.zeros(len(points), bool)
    if points.shape[1] == 2:
        ends = np.array([piece for piece in pieces if len(piece) == 2]).reshape(-1, 2, 2)
        counts = np.unique(ends.reshape(-1, 2), axis=0, return_counts=True)[1]
        if len(ends) == 0 or (counts % 2).any():
            return nowhere
        p, q = ends[:, 0], ends[:, 1]
        x, y = points[:, 0, np.newaxis], points[:, 1, np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = p[:, 0] + (y - p[:, 1]) * (q[:, 0] - p[:, 0]) / (q[:, 1] - p[:, 1])
        return (((p[:, 1] <= y) != (q[:, 1] <= y)) & (x < at)).sum(axis=1) % 2 == 1
    if not isinstance(getattr(site, "shape", None), fc.Box | fc.ConvexHull | fc.Voxels | fc.Mesh):
        return nowhere
    if isinstance(site.shape, fc.Mesh) and len(site.shape.faces) == 2:
        return nowhere
    faces = np.array(pieces).reshape(-1, 3, 3)
    if len(faces) == 0:
        return nowhere
    r = faces[np.newaxis] - points[:, np.newaxis, np.newaxis]
    lengths = np.linalg.norm(r, axis=3)
    top = np.einsum("nmi,nmi->nm", r[:, :, 0], np.cross(r[:, :, 1], r[:, :, 2]))
    low = lengths.prod(axis=2)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        low = low + np.einsum("nmi,nmi->nm", r[:, :, i], r[:, :, j]) * lengths[:, :, k]
    turns = 2.0 * np.arctan2(top, low).sum(axis=1) / (4.0 * np.pi)
    return np.rint(turns).astype(int) % 2 == 1


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer sites, fewer cells."""
    for i in range(len(case["sites"])):
        rest = {
            name: case[name][:i] + case[name][i + 1 :]
            for name in ("sites", "weights", "factors")
            if case[name]
        }
        yield case | rest
    for i, n in enumerate(case["counts"]):
        if n > 1:
            yield case | {"counts": [*case["counts"][:i], 1, *case["counts"][i + 1 :]]}
    if case["weights"]:
        yield case | {"weights": None, "factors": None}
