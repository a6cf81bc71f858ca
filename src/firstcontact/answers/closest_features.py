"""Which vertex, edge or face of each body is closest to the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.plain import Plain
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.convex import BOX, HALF, HULL, KIND, POINT, SEGMENT
from firstcontact.shapes.convex_shape import as_convex
from firstcontact.shapes.mesh import as_mesh, is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

Ids = NDArray[np.int32]

# What is this near, in units of the sizes and places of both bodies, is in one place as far as can be told.
SAME_PLACE = 64.0 * UNIT_ROUNDOFF

# Closest points in the middle of a needle may be known less well than that, along it, and so is the direction
# between them: corners that differ by powers of this more are tried, until they hold the closest point.
WIDER, MOST_TRIES = 8.0, 8


@dataclass(frozen=True, eq=False)
class Feature(Plain):
    """A vertex, an edge or a face of a body: the smallest that has all of its points that are closest.

    Of boxes face to face these are faces, of one that stands on an edge the edge, and where edges cross in
    the air, both edges. What is parallel to within rounding counts as parallel, and a face is whole, however
    many triangles it has.

    Attributes
    ----------
    kind : str
        "vertex", "edge" or "face".
    vertices : (k,) int32
        Its corners, in ``mesh.vertices`` of the shape; of a face in the order in which they are seen from
        outside, counterclockwise, the lowest first. Of a sphere 0, of a capsule the ends of its axis.
    points : (k, 3) float64
        Where they are, in the world; of a rounded shape, of what it has within.
    """

    kind: str
    vertices: Ids
    points: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"<{self.kind} {' '.join(map(str, self.vertices.tolist()))}>"


class Ring(NamedTuple):
    """A corner, an edge or a polygon in a plane: ids of its corners, counterclockwise, and places (k, 2)."""

    ids: NDArray[np.intp]
    places: Array


class Look(NamedTuple):
    """A direction n from one body to the other, two axes across it, and how well it is known.

    slack : how far corners that are as far along n may differ
    """

    n: Array
    axes: Array
    slack: float


FeaturePair = tuple[Feature | None, Feature | None]


def closest_features(
    things: Sequence[Moving], points: tuple[Array, Array], faces: Ids, row: int
) -> FeaturePair:
    """The features of two bodies that are closest, in one row of a batch; None for a body that has none."""
    way = points[1] - points[0]
    length = float(np.linalg.norm(way))
    if not 0.0 < length < np.inf:
        return None, None
    corners, sizes = zip(*(_corners_of(thing, row) for thing in things), strict=True)
    size = max(sizes)
    near = SAME_PLACE * (size + length + float(np.abs(points[0]).max()))
    n = way / length
    axes = _axes_across(n)
    # The direction is off by what rounding does to the points, over their distance.
    slack = near * (1.0 + size / length)
    looks = Look(n, axes, slack), Look(-n, axes, slack)
    rings = [
        _farthest(own, look, point) if _is_polytope(thing) and own is not None else None
        for thing, own, look, point in zip(things, corners, looks, points, strict=True)
    ]
    found: list[Feature | None] = []
    for i, (ring, own) in enumerate(zip(rings, corners, strict=True)):
        other = rings[1 - i]
        if own is None:
            found.append(None)
        elif ring is not None:
            place = (points[i] @ axes.T)[np.newaxis]
            # The point that is told counts, too: where rings are parallel to within rounding, what they have
            # in common may be at their other end.
            common = np.vstack([place, _shared(ring, other, near)]) if other is not None else place
            ids = _smallest(ring, common, near)
            found.append(_named(ids[::-1] if i else ids, own))
        else:
            found.append(_on_triangle(own, as_mesh(things[i].shape).faces[faces[i]], points[i], near))
    return found[0], found[1]


def _is_polytope(thing: Moving) -> bool:
    """Is a body convex, and its core a polytope?"""
    is_convex = thing.kind is Kind.CONVEX
    return is_convex and int(as_convex(thing.shape).table.records[0, KIND]) in (POINT, SEGMENT, BOX, HULL)


def _corners_of(thing: Moving, row: int) -> tuple[Array | None, float]:
    """Where the vertices of a body are in the world, None where it has no features; and its largest number.

    A body far from its own origin may stand near that of the world: its numbers are rounded where it is far.
    """
    if _is_polytope(thing):
        record = as_convex(thing.shape).table.records[0]
        own = np.array([[0.0, 0.0, -record[HALF + 2]], [0.0, 0.0, record[HALF + 2]]])
        if record[KIND] not in (POINT, SEGMENT):
            own = as_convex(thing.shape).unrounded.mesh.vertices
        elif record[KIND] == POINT:
            own = np.zeros((1, 3))
    elif thing.kind is Kind.MESH and not is_empty(thing.shape):
        own = as_mesh(thing.shape).vertices
    else:
        return None, 0.0
    poses = thing.rigid.pose(0.0)
    pose = poses[row] if poses.ndim > 2 else poses
    placed: Array = own @ pose[:3, :3].T + pose[:3, 3]
    return placed, max(float(np.abs(numbers).max()) for numbers in (own, pose[:3, 3], placed))


def _axes_across(n: Array) -> Array:
    """Two unit vectors (2, 3) that make a right-handed frame with a third."""
    u = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(n, u)])


def _farthest(corners: Array, look: Look, point: Array) -> Ring:
    """The corners that are farthest along a direction, but for a slack: those that hold the closest point."""
    along, place, rings = corners @ look.n, look.axes @ point, []
    for slack in look.slack * WIDER ** np.arange(MOST_TRIES):
        ids = np.flatnonzero(along >= along.max() - slack)
        rings.append(_ring(ids, corners[ids] @ look.axes.T, look.slack))
        if _has(rings[-1], place, look.slack):
            return rings[-1]
    return rings[0]


def _ring(ids: NDArray[np.intp], places: Array, near: float) -> Ring:
    """The outline of points in a plane, without those that are between others."""
    # In order along their longest extent: of a needle, any other is that of rounding.
    ways = places - places[0]
    u = ways[np.argmax(np.einsum("ij,ij->i", ways, ways))]
    order = np.lexsort([ways @ [-u[1], u[0]], ways @ u])
    chains: list[list[int]] = []
    for way in (order, order[::-1]):
        chain: list[int] = []
        for k in way.tolist():
            while chain and _is_between(chain, k, places, near):
                chain.pop()
            chain.append(k)
        chains.append(chain)
    kept = chains[0][:-1] + chains[1][:-1] if len(chains[0]) + len(chains[1]) > 2 else chains[0]
    return Ring(ids[kept], places[kept])


def _is_between(chain: list[int], k: int, places: Array, near: float) -> bool:
    """Is the last of a chain in one place with the next, or not left of the way from the one before to it?"""
    last = places[chain[-1]]
    if np.linalg.norm(places[k] - last) <= near:
        return True
    if len(chain) < 2:
        return False
    before = places[chain[-2]]
    e, f = places[k] - before, last - before
    return bool(e[0] * f[1] - e[1] * f[0] >= -near * np.linalg.norm(e))


def _sides_of(ring: Ring) -> list[tuple[Array, Array]]:
    """The edges of a ring; of a corner none, of an edge one."""
    k = len(ring.ids)
    return [(ring.places[i], ring.places[(i + 1) % k]) for i in range(k if k > 2 else k - 1)]


def _apart(x: Array, side: tuple[Array, Array]) -> float:
    """Distance of a point from a segment."""
    e = side[1] - side[0]
    t = np.clip((x - side[0]) @ e / (e @ e), 0.0, 1.0)
    return float(np.linalg.norm(x - side[0] - t * e))


def _has(ring: Ring, x: Array, near: float) -> bool:
    """Is a point in a ring, or near it?"""
    if len(ring.ids) == 1:
        return bool(np.linalg.norm(x - ring.places[0]) <= near)
    sides = _sides_of(ring)
    if any(_apart(x, side) <= near for side in sides):
        return True
    turns = [(q - p)[0] * (x - p)[1] - (q - p)[1] * (x - p)[0] for p, q in sides]
    return len(sides) > 1 and min(turns) > 0.0


def _shared(a: Ring, b: Ring, near: float) -> Array:
    """Points whose hull is what two rings have in common, (k, 2)."""
    found = [x for x in a.places if _has(b, x, near)] + [x for x in b.places if _has(a, x, near)]
    for p, q in _sides_of(a):
        for r, s in _sides_of(b):
            e, f = q - p, s - r
            area = e[0] * f[1] - e[1] * f[0]
            if abs(area) > 0.0:
                t = ((r - p)[0] * f[1] - (r - p)[1] * f[0]) / area
                u = ((r - p)[0] * e[1] - (r - p)[1] * e[0]) / area
                if 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0:
                    found.append(p + t * e)
    return np.array(found).reshape(-1, 2)


def _smallest(ring: Ring, common: Array, near: float) -> NDArray[np.intp]:
    """Ids of the smallest of a ring, its edges and its corners that has all of some points."""
    for i, place in enumerate(ring.places):
        if max(float(np.linalg.norm(x - place)) for x in common) <= near:
            return ring.ids[[i]]
    for i, side in enumerate(_sides_of(ring)):
        if max(_apart(x, side) for x in common) <= near:
            return ring.ids[[i, (i + 1) % len(ring.ids)]]
    return ring.ids


def _on_triangle(corners: Array, ids: Ids, point: Array, near: float) -> Feature:
    """The feature of a triangle that has a point."""
    own = corners[ids]
    e = own - own[0]
    axes = _axes_across(_unit(np.cross(e[1], e[2])))
    if len(np.unique(ids)) < 3 or np.linalg.norm(np.cross(e[1], e[2])) == 0.0:
        axes = np.linalg.svd(e)[2][:2]
    ring = _ring(ids.astype(np.intp), own @ axes.T, near)
    return _named(_smallest(ring, (point @ axes.T)[np.newaxis], near), corners)


def _unit(v: Array) -> Array:
    length = float(np.linalg.norm(v))
    unit: Array = v / length if length > 0.0 else np.eye(3)[0]
    return unit


def _named(ids: NDArray[np.intp], corners: Array) -> Feature:
    """A feature of its corners, that with the lowest id first."""
    kind, ids = ("vertex", "edge", "face")[min(len(ids), 3) - 1], np.roll(ids, -np.argmin(ids))
    return Feature(kind, ids.astype(np.int32), corners[ids].copy())
