"""Small meshes of all families, and points around them, for queries about points."""

import numpy as np

from firstcontact import Box, ConvexHull, Mesh, Sphere


def closed(rng):
    """A hull of random points."""
    return ConvexHull(rng.normal(size=(int(rng.integers(4, 24)), 3))).mesh


def ball(rng):
    """Half of the faces of this are about as far from the middle as the others."""
    return Sphere(1.0).mesh


def box(rng):
    return Box([1.0, 2.0, 4.0]).mesh


def hollow(rng):
    """A box with a cavity: the inner surface looks inwards."""
    outer, inner = Box([2.0, 2.0, 2.0]).mesh, Box([1.0, 1.0, 1.0]).mesh
    faces = np.concatenate([outer.faces, inner.faces[:, ::-1] + outer.n_vertices])
    return Mesh(np.concatenate([outer.vertices, inner.vertices]), faces)


def crossing(rng):
    """Two closed surfaces that go through each other."""
    one, other = closed(rng), closed(rng)
    faces = np.concatenate([one.faces, other.faces + one.n_vertices])
    return Mesh(np.concatenate([one.vertices, other.vertices + 0.5]), faces)


def holed(rng):
    mesh = closed(rng)
    return Mesh(mesh.vertices, mesh.faces[rng.random(mesh.n_faces) < 0.7])


def soup(rng):
    n = int(rng.integers(1, 40))
    return Mesh(rng.normal(size=(3 * n, 3)), np.arange(3 * n).reshape(n, 3))


def slivers(rng):
    """Triangles as thin as rounding, or thinner."""
    n = int(rng.integers(1, 12))
    a, b = rng.normal(size=(2, n, 3))
    c = a + rng.random((n, 1)) * (b - a) + 10.0 ** rng.uniform(-18, -3, (n, 1)) * rng.normal(size=(n, 3))
    return Mesh(np.stack([a, b, c], axis=1).reshape(-1, 3), np.arange(3 * n).reshape(n, 3))


def on_grid(rng):
    """Corners on a coarse grid: coplanar, doubled and degenerate faces, and many that are as near."""
    n = int(rng.integers(1, 30))
    return Mesh(rng.integers(-1, 2, (8, 3)).astype(float), rng.integers(0, 8, (n, 3)))


def doubled(rng):
    """Each face twice, or as often and turned over."""
    mesh = closed(rng)
    return Mesh(mesh.vertices, np.concatenate([mesh.faces, mesh.faces[:, :: int(rng.choice([-1, 1]))]]))


def single(rng):
    """One point, or one segment."""
    return Mesh(rng.normal(size=(2, 3)), [[0, 0, int(rng.integers(0, 2))]])


FAMILIES = (closed, ball, box, hollow, crossing, holed, soup, slivers, on_grid, doubled, single)
CLOSED = (closed, ball, box, hollow)


def placed(rng, mesh):
    """The mesh as it is, far from the origin, tiny or huge."""
    kind = int(rng.integers(0, 5))
    if kind == 1:
        return Mesh(mesh.vertices + 1e6 * rng.normal(size=3), mesh.faces)
    if kind == 2:
        return Mesh(1e-30 * mesh.vertices, mesh.faces)
    if kind == 3:
        return Mesh(1e30 * mesh.vertices, mesh.faces)
    return mesh


def points_around(rng, mesh, n):
    """Points in a box around the mesh, next to faces, on corners, edges and faces, and far away."""
    low, high = mesh.bounds
    size = float(np.max(high - low)) or 1.0
    middle = 0.5 * (low + high)
    corners = mesh.vertices[mesh.faces[rng.integers(0, mesh.n_faces, n)]]
    weights = rng.dirichlet([0.5, 0.5, 0.5], n)
    weights[rng.random(n) < 0.2] = [0.5, 0.5, 0.0]
    weights[rng.random(n) < 0.2] = [0.0, 0.0, 1.0]
    on = np.einsum("ni,nij->nj", weights, corners)
    off = 10.0 ** rng.uniform(-12, 0, (n, 1)) * size * rng.normal(size=(n, 3))
    far = middle + 10.0 ** rng.uniform(0, 6, (n, 1)) * size * rng.normal(size=(n, 3))
    choice = rng.integers(0, 5, (n, 1))
    around = middle + size * rng.uniform(-1, 1, (n, 3))
    return np.select(
        [choice == 0, choice == 1, choice == 2, choice == 3], [on, on + off, far, around], middle
    )


def size_at(points, mesh):
    """What rounding is relative to: the mesh, how far points are from it, and how finely they are given."""
    low, high = mesh.bounds
    extent = float(np.max(high - low))
    away = np.abs(points - 0.5 * (low + high)).max(axis=1)
    return extent + away
