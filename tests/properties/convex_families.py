"""Seeded families of pairs of convex shapes: all kinds, from tiny to huge, touching, parallel, flat, on edge.

A family maps a random generator to a `Case`: two shapes and a few poses of each.
"""

from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from oracles.convex_cores import core_of, placed, size_of, support
from properties.rigid_families import orientation, rotation_by, unit

# Poses of each case.
N_POSES = 8

KINDS = ("sphere", "ellipsoid", "capsule", "cylinder", "box", "hull", "cone", "rounded")

# Gaps of what almost touches, in units of the size; negative ones overlap.
GAPS = (0.0, 0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, -1e-12, -1e-9, -1e-6, -1e-3)


class Case(NamedTuple):
    """Two shapes, and poses of each: rotations (n, 3, 3) and places (n, 3) of their origins."""

    a: Any
    b: Any
    rotations_a: np.ndarray
    places_a: np.ndarray
    rotations_b: np.ndarray
    places_b: np.ndarray

    @property
    def poses_a(self):
        return self.rotations_a, self.places_a

    @property
    def poses_b(self):
        return self.rotations_b, self.places_b


def generate(family, seed):
    """A case of a family; the same for the same arguments."""
    return FAMILIES[family](np.random.default_rng([seed, list(FAMILIES).index(family)]))


def sizes_of(case):
    return size_of(core_of(case.a)), size_of(core_of(case.b))


def cores_of(case):
    """Both shapes in all poses, as the oracles take them."""
    n = len(case.places_a)
    return placed([core_of(case.a)] * n, *case.poses_a), placed([core_of(case.b)] * n, *case.poses_b)


def shape(rng, size=1.0, kind=None, aspect=0.1):
    """A shape of a kind, about as large as the size; its extents may differ by the aspect."""
    kind = KINDS[rng.integers(len(KINDS))] if kind is None else kind
    extents = 0.5 * size * aspect ** rng.uniform(0.0, 1.0, 3)
    if kind == "sphere":
        return fc.Sphere(extents[0])
    if kind == "ellipsoid":
        return fc.Ellipsoid(extents)
    if kind == "capsule":
        return fc.Capsule(extents[0], 2.0 * extents[1])
    if kind == "cylinder":
        return fc.Cylinder(extents[0], 2.0 * extents[1])
    if kind == "box":
        return fc.Box(2.0 * extents)
    if kind == "cone":
        return fc.Cone(extents[0], 2.0 * extents[1])
    if kind == "rounded":
        within = ("cylinder", "box", "hull", "cone", "ellipsoid")[rng.integers(5)]
        return fc.Rounded(shape(rng, 0.8 * size, within, aspect), 0.2 * extents[0])
    return hull(rng, size)


def hull(rng, size=1.0, n=None):
    """The hull of points in a ball or on it, its middle somewhere near the origin."""
    n = rng.integers(4, 25) if n is None else n
    points = rng.standard_normal((n, 3))
    if rng.random() < 0.5:
        points /= np.linalg.norm(points, axis=1)[:, None]
    return fc.ConvexHull(size * (0.5 * points + 0.3 * rng.standard_normal(3)))


def flat_hull(rng, size=1.0):
    """A polygon, a segment or a point, in a plane of the coordinates or tilted."""
    n = rng.integers(1, 12)
    points = rng.standard_normal((n, 3)) * [1.0, 1.0, 0.0]
    if rng.random() < 0.3:
        points = np.outer(rng.standard_normal(n), unit(rng))
    elif rng.random() < 0.5:
        points = points @ orientation(rng).T
    return fc.ConvexHull(size * points, flat=True)


def needle_hull(rng, size=1.0):
    """Long in one direction, or wide in two: up to 1e8 times what it is in the others."""
    thin = 10.0 ** rng.uniform(-8.0, -2.0)
    scale = [1.0, thin, thin] if rng.random() < 0.6 else [1.0, 1.0, thin]
    points = rng.standard_normal((rng.integers(4, 20), 3)) * scale
    if rng.random() < 0.7:
        points = points @ orientation(rng).T
    return fc.ConvexHull(size * points, flat=True)


def doubled_hull(rng, size=1.0):
    """Points twice, and almost twice; points inside, on faces and on edges."""
    points = rng.standard_normal((rng.integers(4, 12), 3))
    near = points + 10.0 ** rng.uniform(-17.0, -8.0, (len(points), 1)) * rng.standard_normal(points.shape)
    middles = 0.5 * (points + np.roll(points, 1, axis=0))
    parts = [points, points, near, middles, points.mean(axis=0, keepdims=True)]
    return fc.ConvexHull(size * np.concatenate(parts), flat=True)


def large_hull(rng, size=1.0):
    return hull(rng, size, rng.integers(30, 300))


def smooth_needle(rng, size=1.0):
    """An ellipsoid, a capsule, a cylinder or a box, up to a million times as long as it is thick."""
    kind = ("ellipsoid", "capsule", "cylinder", "box")[rng.integers(4)]
    return shape(rng, size, kind, aspect=10.0 ** rng.uniform(-6.0, -1.0))


def any_size(rng):
    return 10.0 ** rng.uniform(-6.0, 6.0)


def scattered(rng, a, b, spread=None):
    """Poses about the origin: some in each other, some a few sizes apart."""
    sizes = size_of(core_of(a)), size_of(core_of(b))
    spread = rng.choice([0.3, 1.0, 3.0]) * (sizes[0] + sizes[1]) if spread is None else spread
    rotations = np.array([[orientation(rng) for _ in range(N_POSES)] for _ in range(2)])
    places_a = spread * rng.standard_normal((N_POSES, 3))
    places_b = 0.1 * spread * rng.standard_normal((N_POSES, 3))
    return Case(a, b, rotations[0], places_a, rotations[1], places_b)


def brought_to(rng, case, gaps=GAPS):
    """Bring the shapes to a gap between their shadows along some direction: there they touch, or almost."""
    directions = np.array([unit(rng) for _ in range(N_POSES)]).T.astype(np.longdouble)
    if rng.random() < 0.4:  # along the normal of a box's face, the axis of a cylinder
        directions = case.rotations_a[:, :, rng.integers(3)].T.astype(np.longdouble)
    a, b = cores_of(case)
    reach_a = (support(a, directions) * directions).sum(axis=0) + a.radius
    reach_b = (support(b, -directions) * -directions).sum(axis=0) + b.radius
    gaps = rng.choice(gaps, N_POSES) * sum(sizes_of(case))
    # Sideways as well, so that not always the points farthest along the direction meet.
    aside = rng.standard_normal((3, N_POSES)) * rng.choice([0.0, 0.1]) * min(sizes_of(case))
    aside = aside - (aside * directions).sum(axis=0) * directions
    places = case.places_a.T + (reach_a + reach_b + gaps) * directions + aside
    places -= support(b, -directions) - (support(b, -directions) * directions).sum(axis=0) * directions
    places += support(a, directions) - (support(a, directions) * directions).sum(axis=0) * directions
    return case._replace(places_b=places.T.astype(float))


def plain(rng):
    return scattered(rng, shape(rng), shape(rng))


def all_sizes(rng):
    return scattered(rng, shape(rng, any_size(rng)), shape(rng, any_size(rng)))


def thin(rng):
    return scattered(rng, smooth_needle(rng), (shape, smooth_needle)[rng.integers(2)](rng))


def with_hull(make):
    """Cases of a special hull and any shape, or two of them; of all sizes, apart or brought together."""

    def cases(rng):
        others = make, shape, hull
        size = any_size(rng) if rng.random() < 0.5 else 1.0
        case = scattered(rng, make(rng, size), others[rng.integers(3)](rng, size))
        return brought_to(rng, case) if rng.random() < 0.5 else case

    return cases


def touching(rng):
    size = any_size(rng) if rng.random() < 0.3 else 1.0
    ratio = any_size(rng) if rng.random() < 0.3 else 1.0
    return brought_to(rng, scattered(rng, shape(rng, size), shape(rng, size * ratio)))


def parallel(rng):
    """Faces parallel to faces, or off by a tiny angle; at all gaps."""
    case = scattered(rng, shape(rng), shape(rng))
    angle = rng.choice([0.0, 0.0, 1e-16, 1e-12, 1e-8, 1e-4])
    tilt = np.array([rotation_by(angle * unit(rng)) for _ in range(N_POSES)])
    return brought_to(rng, case._replace(rotations_b=tilt @ case.rotations_a))


def lattice_shape(rng):
    kind = KINDS[rng.integers(len(KINDS))]
    x, y, z = rng.integers(1, 4, 3).astype(float)
    if kind == "hull":
        corners = rng.integers(-1, 2, (rng.integers(1, 12), 3)).astype(float)
        return fc.ConvexHull(corners, flat=True)
    kinds = {
        "sphere": lambda: fc.Sphere(x),
        "ellipsoid": lambda: fc.Ellipsoid([x, y, z]),
        "capsule": lambda: fc.Capsule(x, 2.0 * y),
        "cylinder": lambda: fc.Cylinder(x, 2.0 * y),
        "box": lambda: fc.Box([2.0 * x, 2.0 * y, 2.0 * z]),
        "cone": lambda: fc.Cone(x, 2.0 * y),
        "rounded": lambda: fc.Rounded(fc.Box([2.0 * x, 2.0 * y, 2.0 * z]), 1.0),
    }
    return kinds[kind]()


def lattice(rng):
    """Whole numbers and quarter turns: exact contacts of corners, edges and faces; whole distances."""
    quarter = np.array([np.roll(np.eye(3), k, axis=0) for k in range(3)])
    places = rng.integers(-5, 6, (2, N_POSES, 3)).astype(float)
    turns = quarter[rng.integers(0, 3, (2, N_POSES))]
    return Case(lattice_shape(rng), lattice_shape(rng), turns[0], places[0], turns[1], places[1])


def coincident(rng):
    """The same shape at the same place, or a small way or turn from it."""
    case = scattered(rng, thing := shape(rng), thing)
    off = rng.choice([0.0, 1e-16, 1e-9, 1e-3], (N_POSES, 1))
    tilt = np.array([rotation_by(x * unit(rng)) for x in off])
    places = case.places_a + off * rng.standard_normal((N_POSES, 3)) * rng.integers(2)
    return case._replace(rotations_b=tilt @ case.rotations_a, places_b=places)


def deep(rng):
    """A small shape inside of a large one, in the middle or next to the surface."""
    ratio = 10.0 ** rng.uniform(-6.0, 0.0)
    return scattered(rng, shape(rng), shape(rng, ratio), rng.choice([0.0, 1e-9, 0.05, 0.3]))


def moved_by(case, offset):
    return case._replace(places_a=case.places_a + offset, places_b=case.places_b + offset)


def far(rng):
    """Far from the world's origin."""
    return moved_by(any_of(rng), 10.0 ** rng.uniform(4.0, 8.0) * unit(rng))


def far_apart(rng):
    case = any_of(rng)
    return case._replace(places_b=case.places_b + 10.0 ** rng.uniform(2.0, 12.0) * unit(rng))


def scaled_shape(thing, factor):
    if isinstance(thing, fc.Sphere):
        return fc.Sphere(factor * thing.radius)
    if isinstance(thing, fc.Ellipsoid):
        return fc.Ellipsoid(factor * thing.radii)
    if isinstance(thing, fc.Box):
        return fc.Box(factor * thing.extents)
    if isinstance(thing, fc.ConvexHull):
        return fc.ConvexHull(factor * thing.points, flat=True)
    if isinstance(thing, fc.Cone):
        return fc.Cone(factor * thing.radius, factor * thing.height)
    if isinstance(thing, fc.Rounded):
        return fc.Rounded(scaled_shape(thing.unrounded, factor), factor * thing.radius)
    return type(thing)(factor * thing.radius, factor * thing.length)


def scaled(case, factor):
    """The same with all lengths larger, or smaller."""
    return case._replace(
        a=scaled_shape(case.a, factor),
        b=scaled_shape(case.b, factor),
        places_a=factor * case.places_a,
        places_b=factor * case.places_b,
    )


def any_of(rng):
    return (plain, touching, parallel, thin, with_hull(flat_hull))[rng.integers(5)](rng)


FAMILIES = {
    "plain": plain,
    "all sizes": all_sizes,
    "thin": thin,
    "flat hulls": with_hull(flat_hull),
    "needles": with_hull(needle_hull),
    "doubled points": with_hull(doubled_hull),
    "many points": with_hull(large_hull),
    "touching": touching,
    "parallel": parallel,
    "lattice": lattice,
    "coincident": coincident,
    "deep": deep,
    "far": far,
    "far apart": far_apart,
    "tiny": lambda rng: scaled(any_of(rng), 1e-30),
    "huge": lambda rng: scaled(any_of(rng), 1e30),
}
