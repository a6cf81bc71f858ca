"""Sites of a Voronoi diagram, as a user gives them: what each is made of."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_each, as_rows, as_several, shown
from firstcontact.arrays import Array, Ids
from firstcontact.raster.elements import Parts
from firstcontact.raster.inside import closed_sites
from firstcontact.shapes.convex import BOX, HALF, KIND, ORIGIN, POINT, RADIUS, SEGMENT, has_faces
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving

# Products of factors, and their squares, stay far from underflow.
LEAST_FACTOR = 2.0**-100

RULE = (
    "a site must be a point, the points of a polyline, or a shape of points, edges and faces: Mesh, Points, "
    "Strands, HeightField, Voxels, Box, ConvexHull, Sphere, Capsule, Polygon, Polyline"
)


class Soup(NamedTuple):
    """A site in pieces: corners (n, 3, 3) of its points, segments and triangles, and their radii (n,)."""

    corners: Array
    radii: Array


class Taken(NamedTuple):
    """All pieces of all sites, site by site, and how many each has, (n_sites,)."""

    corners: Array
    radii: Array
    counts: NDArray[np.int64]


class Sites(NamedTuple):
    """What a diagram is of.

    parts : all elements
    n : how many sites there are; with features, of those
    solids : which of them enclose something
    features : (n, 3), with features: of which site, 0, 1 or 2 for a vertex, an edge or a face, and which
    """

    parts: Parts
    n: int
    solids: Ids
    features: NDArray[np.int32] | None


class Weights(NamedTuple):
    """Lengths that are taken off distances, and what those are multiplied by: of all sites, as given."""

    weights: Any
    factors: Any


def sites_from(given: Any, dimension: int, time: float, weights: Weights, has_features: bool) -> Sites:
    """Take sites apart."""
    taken = _taken(given, dimension, time)
    corners, counts = taken.corners, taken.counts
    n = len(counts)
    weight = _of_sites("weights", weights.weights, 0.0, n)
    factor = _of_sites("factors", weights.factors, 1.0, n)
    if (factor < LEAST_FACTOR).any():
        raise ValueError(f"factors must be positive, 2**-100 or more; received {factor.min():g}")
    owners = np.repeat(np.arange(n, dtype=np.int32), counts)
    radii = taken.radii * factor[owners] + weight[owners]
    if has_features:
        return _features(corners, owners, (radii, factor[owners]))
    parts = Parts(corners, owners, radii, factor[owners], False)
    return Sites(parts, n, closed_sites(corners, counts, dimension), None)


def _of_sites(name: str, values: Any, usual: float, n: int) -> Array:
    """Cast a number for each site, or one for all."""
    return np.full(n, usual) if values is None else as_each(name, values, n, "sites")


def _taken(given: Any, dimension: int, time: float) -> Taken:
    """Take all sites apart; rows of one array at once."""
    if isinstance(given, Moving | Movable):
        raise TypeError("sites must be several, as in a list; received one shape")
    if isinstance(given, np.ndarray) or (isinstance(given, list | tuple) and _are_rows(given, dimension)):
        array = as_rows("sites", given)
        if array.shape == (0,):
            array = array.reshape(0, dimension)
        if array.ndim not in (2, 3) or array.shape[-1] != dimension or 0 in array.shape[1:]:
            rule = f"(n, {dimension}) for points, or (n, m, {dimension}) for polylines"
            raise ValueError(f"sites in an array must have shape {rule}; received {array.shape}")
        points = _lifted(array)
        corners = _corners_of_rows(points[:, np.newaxis] if array.ndim == 2 else points)
        counts = np.full(len(corners), corners.shape[1])
        corners = np.ascontiguousarray(corners.reshape(-1, 3, 3))
        return Taken(corners, np.zeros(len(corners)), counts)
    soups = [_soup(site, dimension, time) for site in as_several("sites", given)]
    corners = np.ascontiguousarray(np.concatenate([soup.corners for soup in soups]))
    counts = np.array([len(soup.corners) for soup in soups], np.int64)
    return Taken(corners, np.concatenate([soup.radii for soup in soups]), counts)


def _are_rows(given: Any, dimension: int) -> bool:
    """Are these all single points, as numbers?"""
    return len(given) == 0 or all(
        isinstance(row, list | tuple) and len(row) == dimension and not hasattr(row[0], "__len__")
        for row in given
    )


def _lifted(points: Array) -> Array:
    """Points of the plane as they are in an image of one layer: with 0 as first coordinate."""
    if points.shape[-1] == 3:
        return points
    return np.concatenate([np.zeros((*points.shape[:-1], 1)), points], axis=-1)


def _corners_of_rows(points: Array) -> Array:
    """Corners (n, k, 3, 3) of polylines of as many points each, (n, m, 3)."""
    starts, ends = (points, points) if points.shape[1] == 1 else (points[:, :-1], points[:, 1:])
    return np.stack([starts, ends, ends], axis=2)


def _soup(site: Any, dimension: int, time: float) -> Soup:
    """Take one site apart."""
    if isinstance(site, Moving | Movable) or hasattr(site, "faces"):
        thing = as_moving(site)
        if thing.motion.is_batch:
            raise ValueError("a site must have one motion; received a batch")
        if getattr(thing.shape, "dimension", 3) != dimension:
            name = type(thing.shape).__name__
            raise ValueError(f"sites must be in the {dimension} dimensions of the bounds; received a {name}")
        return _soup_of(thing, time)
    try:
        array = as_rows("a site", site)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{RULE}; received {shown(site)}") from error
    if array.shape[-1:] != (dimension,) or array.ndim not in (1, 2) or len(array) == 0:
        rule = f"({dimension},) for a point, or (m, {dimension}) for a polyline"
        raise ValueError(f"a site in an array must have shape {rule}; received {array.shape}")
    points = _lifted(array).reshape(1, -1, 3)
    corners = _corners_of_rows(points)[0]
    return Soup(corners, np.zeros(len(corners)))


def _soup_of(thing: Moving, time: float) -> Soup:
    """Take a shape apart, where it is at a time."""
    shape: Any = thing.shape
    if thing.kind is Kind.CONVEX:
        return _soup_of_convex(thing, time)
    if hasattr(shape, "is_filled"):
        points = _lifted(np.ascontiguousarray(thing.vertices(time)))
        return Soup(points[shape.edges[:, [0, 1, 1]]], np.zeros(len(shape.edges)))
    if thing.kind is Kind.VOXELS:
        thing = Moving(shape.mesh, thing.rigid)
    if thing.kind not in (Kind.MESH, Kind.DEFORMING):
        raise TypeError(f"{RULE}; received a {type(shape).__name__}")
    surface = thing.surface
    return Soup(thing.vertices(time)[surface.faces], np.asarray(surface.radii, np.float64).copy())


def _soup_of_convex(thing: Moving, time: float) -> Soup:
    """Take a ball, a capsule or what has plain faces apart."""
    shape: Any = thing.shape
    records = table_of(shape).records
    kind, radius = records[0, KIND], float(records[0, RADIUS])
    if has_faces(records[0]) or (kind == BOX and radius == 0.0):
        corners = Moving(shape.mesh, thing.rigid).vertices(time)[shape.mesh.faces]
        return Soup(corners, np.zeros(len(corners)))
    if kind not in (POINT, SEGMENT):
        raise TypeError(f"{RULE}; received a {type(shape).__name__}, whose .mesh is one in triangles")
    half = np.array([0.0, 0.0, records[0, HALF + 2] if kind == SEGMENT else 0.0])
    ends = records[0, ORIGIN : ORIGIN + 3] + np.stack([-half, half, half])
    pose = thing.pose(time)
    return Soup((ends @ pose[:3, :3].T + pose[:3, 3])[np.newaxis], np.array([radius]))


def _features(corners: Array, owners: Ids, sizes: tuple[Array, Array]) -> Sites:
    """Vertices, edges and faces of all sites, each a site of its own: vertices first, faces last."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    rows = np.arange(len(corners))
    is_flat = (a == b).all(axis=1) | (b == c).all(axis=1) | (a == c).all(axis=1)
    ends = np.concatenate([np.repeat(p[:, np.newaxis], 3, axis=1) for p in (a, b, c)])
    sides = np.concatenate([np.stack([p, q, q], axis=1) for p, q in ((a, b), (b, c), (c, a))])
    is_long = (sides[:, 0] != sides[:, 1]).any(axis=1)
    sides[is_long] = _ordered(sides[is_long])
    found = (
        _unlike(ends, np.tile(rows, 3), owners),
        _unlike(sides[is_long], np.tile(rows, 3)[is_long], owners),
        (corners[~is_flat], rows[~is_flat]),
    )
    features = [_numbered(owners[own], kind) for kind, (_, own) in enumerate(found)]
    of_rows = np.concatenate([own for _, own in found])
    n = len(of_rows)
    every = np.ascontiguousarray(np.concatenate([own for own, _ in found]))
    parts = Parts(every, np.arange(n, dtype=np.int32), sizes[0][of_rows], sizes[1][of_rows], True)
    return Sites(parts, n, np.empty(0, np.int32), np.concatenate(features))


def _ordered(sides: Array) -> Array:
    """Edges with the end first that comes first by its first coordinate that differs."""
    first, rows = (sides[:, 0] != sides[:, 1]).argmax(axis=1), np.arange(len(sides))
    is_after = sides[rows, 0, first] > sides[rows, 1, first]
    return np.where(is_after[:, np.newaxis, np.newaxis], sides[:, [1, 0, 0]], sides)


def _unlike(corners: Array, rows: NDArray[np.int64], owners: Ids) -> tuple[Array, NDArray[np.int64]]:
    """Leave out what a site has at the same place already; site by site."""
    keys = np.concatenate([owners[rows, np.newaxis], corners[:, :2].reshape(-1, 6)], axis=1)
    first = np.sort(np.unique(keys, axis=0, return_index=True)[1])
    order = first[np.argsort(owners[rows[first]], kind="stable")]
    return corners[order], rows[order]


def _numbered(sites: Ids, kind: int) -> Ids:
    """Rows (n, 3) of features of a kind: of which site, the kind, and the number within the site."""
    numbers = np.arange(len(sites)) - np.searchsorted(sites, sites)
    return np.stack([sites, np.full(len(sites), kind), numbers], axis=1).astype(np.int32)
