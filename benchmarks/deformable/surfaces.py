"""Surfaces that the scenes of the deformable benchmark are made of."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Faces = NDArray[np.int32]


class Step(NamedTuple):
    """One time step of a deforming mesh."""

    start: Points
    end: Points
    faces: Faces


class Blocks(NamedTuple):
    """The closed surfaces of the pieces of a block of cells, each with vertices of its own."""

    lattice: NDArray[np.int64]  # (n, 3): the corner of a cell that each vertex is
    piece: NDArray[np.int64]  # (n,): the label of the piece that each vertex belongs to
    faces: Faces


def grid_faces(n_rows: int, n_columns: int, is_round: bool = False) -> Faces:
    """Two triangles for each quad of a grid; `is_round`: the last column meets the first one again."""
    width = n_columns if is_round else n_columns + 1
    row, column = np.meshgrid(np.arange(n_rows), np.arange(n_columns), indexing="ij")
    beside = (column + 1) % width
    a, b = row * width + column, (row + 1) * width + column
    c, d = (row + 1) * width + beside, row * width + beside
    return _triangles(np.stack([a, b, c, d], axis=-1).reshape(-1, 4))


def block_surfaces(labels: NDArray[np.int64]) -> Blocks:
    """The surfaces between pieces of a block of cells, and around it; labels (nx, ny, nz) from 0."""
    padded = np.pad(labels, 1, constant_values=-1)
    quads, owners = [], []
    for axis in range(3):
        for side in (0, 1):
            beyond = np.roll(padded, 1 - 2 * side, axis)[1:-1, 1:-1, 1:-1]
            cells = np.argwhere(labels != beyond)
            ahead, back = [[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0], [0, 1], [1, 1], [1, 0]]
            corners = np.array(ahead if side else back)  # both sides of a quad have the same diagonal
            quads.append(cells[:, None] + np.roll(np.insert(corners, 0, side, axis=1), axis, axis=1))
            owners.append(labels[tuple(cells.T)])
    corner, owner = np.concatenate(quads), np.concatenate(owners)
    shape = (int(labels.max()) + 1, *(n + 1 for n in labels.shape))
    keys = np.ravel_multi_index((np.repeat(owner, 4), *corner.reshape(-1, 3).T), shape)
    unique, vertex = np.unique(keys, return_inverse=True)
    piece, *lattice = np.unravel_index(unique, shape)
    return Blocks(np.stack(lattice, axis=-1), piece, _triangles(vertex.reshape(-1, 4)))


def rounded(cube: Points) -> Points:
    """Map the cube [-1, 1]^3 to the unit ball, shells to shells, with cells of about one size."""
    even = np.tan(0.25 * np.pi * cube)
    shell, length = np.abs(even).max(-1, keepdims=True), np.linalg.norm(even, axis=-1, keepdims=True)
    return even * shell / np.maximum(length, np.finfo(float).tiny)


def ball_surface(n_side: int) -> tuple[Points, Faces]:
    """A unit ball of 12 n_side**2 triangles, a cube's grid blown up."""
    surface = block_surfaces(np.zeros((n_side,) * 3, np.int64))
    return rounded(2.0 * surface.lattice / n_side - 1.0), surface.faces


def joined(parts: list[tuple[Points, Faces]]) -> tuple[Points, Faces]:
    """Several meshes as one."""
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + first for (_, faces), first in zip(parts, firsts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces).astype(np.int32)


def rotations(axes: Points, angles: Points) -> Points:
    """Rotation matrices (n, 3, 3) about axes of any length, by Rodrigues' formula."""
    x, y, z = (axes / np.linalg.norm(axes, axis=-1, keepdims=True)).T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(-1, 3, 3)
    sine, cosine = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.eye(3) + sine * cross + (1.0 - cosine) * cross @ cross


def _triangles(quads: NDArray[np.int64]) -> Faces:
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)
