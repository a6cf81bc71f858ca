"""The pairs and rays of the convex benchmark, made so that no solver is needed to know what they are.

A takes random poses, B stands at the origin. Two shapes are apart where a plane lies between them, and
overlap where a point inside one is put on a point inside the other. Points of a hull come with their
opposites, so that the centre of every shape is its origin, about which all turn.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from deformable.surfaces import Faces, Points, rotations
from rigid.models import Model, organic_body
from rigid.motions import Flags, random_rotations

SPHERE, CAPSULE, BOX, CYLINDER, ELLIPSOID, HULL, MESH = (
    "sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "mesh",
)  # fmt: skip
_CLOSE, _FAR = 1e-2, 1.0  # gaps between shapes that are apart; the shapes have a diameter of about 1
_COLLIDING = 2.0 / 3.0  # of the motions
_TURN = 1.5  # radians that a motion with rotation turns at most


class Solid(NamedTuple):
    """One shape: three semi-axes; radius and length; or the points and faces of a hull or a mesh."""

    name: str
    kind: str
    sizes: tuple[float, ...] = ()
    points: Points = np.empty((0, 3))
    faces: Faces = np.empty((0, 3), np.int32)


class Case(NamedTuple):
    """Pairs of two solids: poses of A (n, 4, 4) by what they are for, B at the origin."""

    a: Solid
    b: Solid
    apart: Points
    overlapping: Points
    mixed: Points
    is_overlapping: Flags  # of the mixed poses
    starts: Points
    ends: Points  # translated only
    turned: Points  # ends with a rotation

    @property
    def name(self) -> str:
        """Both shapes."""
        return self.a.name if self.a.name == self.b.name else f"{self.a.name}, {self.b.name}"


class Rays(NamedTuple):
    """Rays at one solid at the origin: origins (n, 3) and directions (n, 3) of length 1."""

    solid: Solid
    origins: Points
    directions: Points

    @property
    def name(self) -> str:
        """The solid."""
        return self.solid.name


def solids() -> dict[str, tuple[Solid, Solid]]:
    """Two different shapes of each kind, of a diameter of about 1, by name."""
    pairs = {
        SPHERE: [(0.5,), (0.4,)],
        CAPSULE: [(0.2, 0.6), (0.25, 0.4)],
        BOX: [(0.3, 0.25, 0.4), (0.35, 0.2, 0.3)],
        CYLINDER: [(0.3, 0.8), (0.35, 0.5)],
        ELLIPSOID: [(0.5, 0.4, 0.3), (0.35, 0.45, 0.5)],
    }
    found = {kind: tuple(Solid(kind, kind, sizes) for sizes in both) for kind, both in pairs.items()}
    for n in (640, 2562):
        found[f"hull {n:,}"] = tuple(hull(n, radii, seed) for seed, radii in enumerate(pairs[ELLIPSOID]))
    return found  # type: ignore[return-value]


def hull(n_points: int, radii: tuple[float, ...], seed: int) -> Solid:
    """The hull of points spread evenly over an ellipsoid and moved a little on it: all are its vertices."""
    rng = np.random.default_rng(seed)
    step = np.arange(n_points // 2) + 0.5
    height, angle = 1.0 - 2.0 * step / n_points, np.pi * (1.0 + np.sqrt(5.0)) * step
    points = np.stack([*(np.sqrt(1.0 - height**2) * (np.cos(angle), np.sin(angle))), height], axis=-1)
    points += rng.normal(0.0, 0.2 / np.sqrt(n_points), points.shape)
    points /= np.linalg.norm(points, axis=-1, keepdims=True)
    points = np.concatenate([points, -points]) * radii
    return Solid(f"hull {n_points:,}", HULL, (), points, _outward(points))


def _outward(points: Points) -> Faces:
    faces = ConvexHull(points).simplices
    corners = points[faces]
    volumes = np.linalg.det(corners)
    return np.where((volumes < 0.0)[:, None], faces[:, ::-1], faces).astype(np.int32)


def mesh(n_triangles: int = 20_000) -> Solid:
    """A body with concavities."""
    body: Model = organic_body(n_triangles)
    return Solid(f"mesh {len(body[1]):,}", MESH, (), body[0] - body[0].mean(axis=0), body[1])


def case(a: Solid, b: Solid, n: int, seed: int = 5) -> Case:
    """As many poses and motions of each sort as asked."""
    rng = np.random.default_rng(seed)
    apart, overlapping = _poses(*_apart(rng, a, b, n)[:2]), _overlapping(rng, a, b, n)
    is_overlapping = rng.random(n) < 0.5
    mixed = np.where(is_overlapping[:, None, None], overlapping, apart)
    return Case(a, b, apart, overlapping, mixed, is_overlapping, *_motions(rng, a, b, n))


def _motions(rng: np.random.Generator, a: Solid, b: Solid, n: int) -> tuple[Points, Points, Points]:
    """Starts, ends and turned ends. Two thirds end in overlap; the others pass B on one side of a plane."""
    turns, places, normals = _apart(rng, a, b, n)
    is_free = (rng.random(n) > _COLLIDING)[:, None]
    clear = radius(a) - reach(a, -np.einsum("nji,nj->ni", turns, normals))  # room to turn, on its side
    places = np.where(is_free, places + clear[:, None] * normals, places)
    past = rng.uniform(-1.5, 1.5, (n, 3))
    past -= (past * normals).sum(axis=-1)[:, None] * normals
    turned = _turns(rng, n) @ turns
    ends, turned_ends = (
        np.where(is_free, places + past, _places_over(rng, rotation, a, b)) for rotation in (turns, turned)
    )
    return _poses(turns, places), _poses(turns, ends), _poses(turned, turned_ends)


def _apart(rng: np.random.Generator, a: Solid, b: Solid, n: int) -> tuple[Points, Points, Points]:
    """Rotations and places of A, and normals of planes between the two; gaps of all orders of magnitude."""
    turns, normals = random_rotations(rng, n), _directions(rng, n)
    gaps = np.exp(rng.uniform(np.log(_CLOSE), np.log(_FAR), n))
    away = gaps + reach(b, normals) + reach(a, -np.einsum("nji,nj->ni", turns, normals))
    places = rng.uniform(-0.3, 0.3, (n, 3))
    return turns, places + (away - (places * normals).sum(axis=-1))[:, None] * normals, normals


def _overlapping(rng: np.random.Generator, a: Solid, b: Solid, n: int) -> Points:
    """Random rotations; a random point inside A on a random point inside B."""
    turns = random_rotations(rng, n)
    return _poses(turns, _places_over(rng, turns, a, b))


def rays(solid: Solid, n: int, seed: int = 5) -> Rays:
    """From all around towards the solid and a little past it: some miss."""
    rng = np.random.default_rng(seed)
    size = np.stack([reach(solid, axis[None]) for axis in np.eye(3)], axis=-1)[0]
    origins = 3.0 * size.max() * _directions(rng, n)
    directions = rng.uniform(-size, size, (n, 3)) - origins
    return Rays(solid, origins, directions / np.linalg.norm(directions, axis=-1, keepdims=True))


def radius(solid: Solid) -> float:
    """Of the ball around the origin that holds the solid."""
    if len(solid.points):
        return float(np.linalg.norm(solid.points, axis=-1).max())
    size = solid.sizes
    return {
        SPHERE: size[0],
        CAPSULE: size[0] + 0.5 * size[-1],
        CYLINDER: float(np.hypot(size[0], 0.5 * size[-1])),
        BOX: float(np.linalg.norm(size)),
        ELLIPSOID: max(size),
    }[solid.kind]


def reach(solid: Solid, directions: Points) -> Points:
    """How far a solid goes in directions (n, 3) of length 1, from its origin."""
    if len(solid.points):
        parts = np.array_split(directions, len(directions) // 256 + 1)
        return np.concatenate([(part @ solid.points.T).max(axis=-1) for part in parts])
    size, along = solid.sizes, np.abs(directions)
    if solid.kind == SPHERE:
        return np.full(len(along), size[0])
    if solid.kind == CAPSULE:
        return size[0] + 0.5 * size[1] * along[:, 2]
    if solid.kind == CYLINDER:
        return size[0] * np.hypot(along[:, 0], along[:, 1]) + 0.5 * size[1] * along[:, 2]
    return along @ size if solid.kind == BOX else np.linalg.norm(along * size, axis=-1)


def _places_over(rng: np.random.Generator, turns: Points, a: Solid, b: Solid) -> Points:
    inside_a, inside_b = (_inside(rng, solid, len(turns)) for solid in (a, b))
    return inside_b - np.einsum("nij,nj->ni", turns, inside_a)


def _inside(rng: np.random.Generator, solid: Solid, n: int) -> Points:
    """Points inside a solid that is convex and its own mirror image: within a random double cone of it."""
    normals = _directions(rng, n)
    return (rng.random(n) ** (1.0 / 3.0) * _depth(solid, normals))[:, None] * normals


def _depth(solid: Solid, directions: Points) -> Points:
    """A length along each direction that surely stays inside."""
    axes = np.concatenate([np.eye(3), _directions(np.random.default_rng(0), 500)])
    slabs = np.abs(directions @ axes.T) / reach(solid, axes)
    return 0.9 / slabs.max(axis=-1)


def _turns(rng: np.random.Generator, n: int) -> Points:
    return rotations(_directions(rng, n), rng.uniform(-_TURN, _TURN, n))


def _directions(rng: np.random.Generator, n: int) -> Points:
    drawn = rng.normal(size=(n, 3))
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


def _poses(turns: Points, places: Points) -> Points:
    poses = np.tile(np.eye(4), (len(turns), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = turns, places
    return poses
