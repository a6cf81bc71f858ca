"""Meshes with flat sides, and places for them."""

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc
from poses import pose


def box(*sizes, cuts=0):
    """A box around the origin, each triangle cut in four as often as asked."""
    return cut(fc.Mesh.from_trimesh(trimesh.creation.box(sizes)), cuts)


def corner_piece(cuts=0):
    """A prism over an L: two by two without a quarter, one high."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float) - 1.0
    layers = [np.column_stack([outline, np.full(6, z)]) for z in (-0.5, 0.5)]
    caps = [(0, i, i + 1) for i in range(1, 5)]
    faces = [(i, k, j) for i, j, k in caps] + [(i + 6, j + 6, k + 6) for i, j, k in caps]
    for i in range(6):
        j = (i + 1) % 6
        faces += [(i, j, j + 6), (i, j + 6, i + 6)]
    return cut(fc.Mesh(np.concatenate(layers), faces), cuts)


def cut(mesh, cuts):
    solid = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    for _ in range(cuts):
        solid = solid.subdivide()
    return fc.Mesh.from_trimesh(solid)


def soup(rng, n):
    """Triangles that share no vertices."""
    triangles = 0.5 * rng.standard_normal((n, 1, 3)) + 0.5 * rng.standard_normal((n, 3, 3))
    return fc.Mesh(triangles.reshape(-1, 3), np.arange(3 * n).reshape(-1, 3))


def hull(rng, n):
    """The hull of random points."""
    return fc.Mesh.from_trimesh(trimesh.convex.convex_hull(rng.standard_normal((n, 3))))


def resting(mesh, *where, **how):
    """Piece of the motion of a mesh that stands still."""
    return mesh.at(pose(*where, **how)).motion.rows()[0, 0]


def placed(mesh, row, t):
    """Vertices in the world at a time, by the formula of a piece."""
    turned = Rotation.from_rotvec(row[15:18] * row[18] * (t - row[19])).as_matrix() @ row[:9].reshape(3, 3)
    return (mesh.vertices - row[20:23]) @ turned.T + row[9:12] + (t - row[19]) * row[12:15]


def piece_at(rows, t):
    """Piece of a motion (k, 26) that a time lies in."""
    return rows[np.count_nonzero(rows[:-1, 23] <= t)]
