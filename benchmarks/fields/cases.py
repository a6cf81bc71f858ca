"""What is asked: points around a mesh, uniform in a box a fifth larger than its own, and near its surface."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

import firstcontact as fc

UNIFORM, NEAR = "uniform", "near the surface"

# How far points near the surface are from it: the deviation, in units of the diagonal.
SPREAD = 0.01


class Cloud(NamedTuple):
    """Points, and where they are."""

    where: str
    points: np.ndarray


def mesh_of(path: Path) -> fc.Mesh:
    """Load a mesh."""
    return fc.load(path)


def mesh_named(text: str) -> fc.Mesh:
    """Load a mesh from a file, or make one: "ring 20000" is a bumpy ring of about so many faces."""
    word, _, size = text.partition(" ")
    return ball(int(size)) if word == "ring" and size.isdigit() else mesh_of(Path(text))


def clouds(mesh: fc.Mesh, n: int) -> list[Cloud]:
    """So many points of each kind, always the same."""
    rng = np.random.default_rng(0)
    low, high = mesh.bounds
    margin = 0.1 * (high - low)
    corners = mesh.vertices[mesh.faces[rng.integers(0, mesh.n_faces, n)]]
    on = np.einsum("ni,nij->nj", rng.dirichlet([1, 1, 1], n), corners)
    off = SPREAD * np.linalg.norm(high - low) * rng.normal(size=(n, 3))
    return [Cloud(UNIFORM, rng.uniform(low - margin, high + margin, (n, 3))), Cloud(NEAR, on + off)]


def ball(n_faces: int) -> fc.Mesh:
    """A bumpy closed surface of about so many faces."""
    n = max(int(np.sqrt(n_faces / 2)), 4)
    u, v = np.meshgrid(
        np.linspace(0, 2 * np.pi, n, endpoint=False), np.linspace(0, 2 * np.pi, n, endpoint=False)
    )
    radius = 0.4 + 0.05 * np.cos(7 * u + 3 * v)
    x, y, z = (1 + radius * np.cos(v)) * np.cos(u), (1 + radius * np.cos(v)) * np.sin(u), radius * np.sin(v)
    ids = np.arange(n * n).reshape(n, n)
    right, up = np.roll(ids, -1, axis=1), np.roll(ids, -1, axis=0)
    across = np.roll(right, -1, axis=0)
    faces = np.concatenate(
        [np.stack(c, axis=-1).reshape(-1, 3) for c in ((ids, right, across), (ids, across, up))]
    )
    return fc.Mesh(np.stack([x, y, z], axis=-1).reshape(-1, 3), faces)
