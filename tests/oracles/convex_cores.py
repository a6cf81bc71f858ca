"""Convex shapes as sums: a hull of points, an ellipsoid, a ball. Many at once, in extended precision.

A disc is a flat ellipsoid, and a cylinder the sum of a segment and a disc. A cone is none of these sums: its
apex is a height above the points, and the ellipsoid is its base. Arrays have the components of vectors first
and the things last, as in `oracles.closest_triangles`.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from oracles.closest_triangles import Real, cross, dot, norm, over

# The columns of a piece of motion, as `motions.rigid_motion` describes them.
ROTATION, POSITION, VELOCITY, AXIS = slice(0, 9), slice(9, 12), slice(12, 15), slice(15, 18)
RATE, START_TIME, CENTER, END_TIME = 18, 19, slice(20, 23), 23


class Core(NamedTuple):
    """All points within `radius` of a sum of a point of a hull (k, 3) and one of an ellipsoid (3,)."""

    points: np.ndarray
    semiaxes: np.ndarray
    radius: float
    apex: float = 0.0


class Cores(NamedTuple):
    """Shapes where they are: (3, k, n), (3, n), (n,), (n,), (3, 3, n) and (3, n)."""

    points: np.ndarray
    semiaxes: np.ndarray
    radius: np.ndarray
    apex: np.ndarray
    rotation: np.ndarray
    origin: np.ndarray

    def only(self, chosen):
        return Cores(*(x[..., chosen] for x in self))


def core_of(shape):
    """What a shape of the library is."""
    kind, nothing = type(shape).__name__, np.zeros((1, 3))
    if kind == "Sphere":
        return Core(nothing, np.zeros(3), float(shape.radius))
    if kind == "Ellipsoid":
        return Core(nothing, np.asarray(shape.radii, float), 0.0)
    if kind in ("Capsule", "Cylinder"):
        ends = np.array([[0.0, 0.0, -0.5 * shape.length], [0.0, 0.0, 0.5 * shape.length]])
        if kind == "Capsule":
            return Core(ends, np.zeros(3), float(shape.radius))
        return Core(ends, np.array([shape.radius, shape.radius, 0.0]), 0.0)
    if kind == "Box":
        return Core(0.5 * np.array(list(product((-1, 1), repeat=3))) * shape.extents, np.zeros(3), 0.0)
    if kind == "Cone":
        base = np.array([[0.0, 0.0, -0.5 * shape.height]])
        return Core(base, np.array([shape.radius, shape.radius, 0.0]), 0.0, float(shape.height))
    if kind == "Rounded":
        within = core_of(shape.unrounded)
        return within._replace(radius=within.radius + shape.radius)
    if kind in ("ConvexHull", "ConvexSupport"):
        return Core(np.array(shape.points), np.zeros(3), 0.0)
    raise TypeError(f"{kind} is not convex")


def size_of(core):
    """Twice the radius of a ball about the middle of the points that holds the shape."""
    points = np.asarray(core.points, Real)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    reach = np.sqrt(((points - middle) ** 2).sum(axis=1).max())
    return float(2 * (reach + np.max(core.semiaxes) + core.radius + core.apex))


def placed(cores, rotations, origins):
    """Shapes, each at a pose of its own: rotations (n, 3, 3), origins (n, 3)."""
    n, k = len(cores), max(len(core.points) for core in cores)
    points = [core.points[np.minimum(np.arange(k), len(core.points) - 1)] for core in cores]
    return Cores(
        np.asarray(points, Real).transpose(2, 1, 0),
        np.array([core.semiaxes for core in cores], Real).T,
        np.array([core.radius for core in cores], Real),
        np.array([core.apex for core in cores], Real),
        np.broadcast_to(np.asarray(rotations, Real), (n, 3, 3)).transpose(1, 2, 0),
        np.broadcast_to(np.asarray(origins, Real), (n, 3)).T,
    )


def support(cores, d):
    """The point of each core, without its ball, that is farthest along d (3, n), counted from its origin."""
    r = cores.rotation
    local = r[0] * d[0] + r[1] * d[1] + r[2] * d[2]
    best = np.argmax(dot(cores.points, local[:, None]), axis=0)[None, None]
    x = np.take_along_axis(cores.points, np.broadcast_to(best, (3, 1, best.shape[2])), axis=1)[:, 0]
    stretched = cores.semiaxes * local
    base = x + cores.semiaxes * over(stretched, norm(stretched))
    top = x + np.array([0, 0, 1], Real)[:, None] * cores.apex
    x = np.where((cores.apex > 0) & (dot(top, local) >= dot(base, local)), top, base)
    return turned(r, x)


def turned(rotation, x):
    return rotation[:, 0] * x[0] + rotation[:, 1] * x[1] + rotation[:, 2] * x[2]


def shadow_gap(a, b, d, offset=None):
    """How far apart the shadows of shapes are along d, from a to b; negative if they overlap."""
    offset = b.origin - a.origin if offset is None else offset
    between = offset + support(b, -d) - support(a, d)
    return over(dot(between, d), norm(d)) - a.radius - b.radius


def turned_by(axis, angle, x):
    """Turn vectors about unit axes (Rodrigues)."""
    across = cross(axis, x)
    return x + np.sin(angle) * across + 2 * np.sin(angle / 2) ** 2 * cross(axis, across)


class Moved(NamedTuple):
    """Shapes at an instant of their motion: where they are, how they move (3, n), until when they do (n,)."""

    cores: Cores
    velocity: np.ndarray
    axis: np.ndarray
    rate: np.ndarray
    pivot: np.ndarray
    end: np.ndarray


def moved_to(cores, rows, t):
    """Place shapes, whatever their poses were, by rows (n, k, 26) of motions, each at a time of its own.

    x(t) = g0 + (t - tb) v + Rot(axis, rate (t - tb)) R0 (x - center).
    """
    rows = np.broadcast_to(rows, (len(t), *np.shape(rows)[1:]))
    piece = (rows[:, :-1, END_TIME] <= t[:, None]).sum(axis=1)  # of two pieces that meet, the later one
    row = rows[np.arange(len(t)), piece].T.astype(Real)
    axis = row[AXIS] * over(Real(1), norm(row[AXIS]))
    passed = t - row[START_TIME]
    pivot = row[POSITION] + passed * row[VELOCITY]
    start = row[ROTATION].reshape(3, 3, -1)
    columns = [turned_by(axis, row[RATE] * passed, start[:, j]) for j in range(3)]
    rotation = np.stack(columns, axis=1)
    origin = pivot - turned(rotation, row[CENTER])
    return Moved(
        cores._replace(rotation=rotation, origin=origin),
        row[VELOCITY],
        axis,
        row[RATE],
        pivot,
        row[END_TIME],
    )
