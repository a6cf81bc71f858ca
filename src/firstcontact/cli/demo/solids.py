"""Solids made by code, through rounded outlines."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.arrays import Ids

Points = NDArray[np.float64]

# A station of a solid: how far along, where its middle is across, its two half widths, and how square it is:
# 2 is an ellipse, 8 nearly a rectangle with rounded corners.
Station = tuple[float, tuple[float, float], tuple[float, float], float]


def lofted(axis: int, stations: Sequence[Station], n_around: int) -> fc.Mesh:
    """Make a closed solid along an axis, through rounded outlines from station to station."""
    angles = np.linspace(0.0, 2.0 * np.pi, n_around, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    rings = [_ring(circle, station) for station in stations]
    tips = [ring.mean(axis=0, keepdims=True) for ring in (rings[0], rings[-1])]
    vertices = np.concatenate([*rings, *tips])
    # Columns are along, across and across: a turn of the axes keeps the orientation.
    return fc.Mesh(np.roll(vertices, axis, axis=1), _loft_faces(len(stations), n_around))


def _ring(circle: Points, station: Station) -> Points:
    """Points of a superellipse, all at one place along the axis."""
    along, middle, half_widths, power = station
    reach = (np.abs(circle) ** power).sum(axis=1, keepdims=True) ** (-1.0 / power)
    across = np.asarray(middle) + np.asarray(half_widths) * circle * reach
    return np.column_stack([np.full(len(circle), along), across])


def _loft_faces(n_rings: int, n_around: int) -> Ids:
    """Sides between neighbouring rings, and fans that close both ends."""
    ids = np.arange(n_rings * n_around).reshape(n_rings, n_around)
    beside = np.roll(ids, -1, axis=1)
    a, b, c, d = ids[:-1], beside[:-1], beside[1:], ids[1:]
    sides = np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)]).reshape(-1, 3)
    first, last = np.broadcast_to(ids.size, n_around), np.broadcast_to(ids.size + 1, n_around)
    lids = [np.stack([first, beside[0], ids[0]], axis=-1), np.stack([last, ids[-1], beside[-1]], axis=-1)]
    return np.concatenate([sides, *lids]).astype(np.int32)


def joined(meshes: Sequence[fc.Mesh]) -> fc.Mesh:
    """Make one mesh of several."""
    starts = np.cumsum([0, *(mesh.n_vertices for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    return fc.Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))
