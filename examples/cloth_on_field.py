"""A cloth falls on a bumpy ring and drapes over it, pushed out by a penalty force from a distance field.

Shows `contacts` of points with a `DistanceField`: which are near the ring, how deep, and which way is out, in
one call a step. `penalty` makes forces of that, `friction` holds the cloth; the gradients of the forces make
the step implicit in them, so that stiff contacts need no smaller steps.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

import firstcontact as fc

N = 56  # vertices along a side of the cloth
SIDE, MASS = 2.9, 0.002
THICKNESS = 0.03  # the cloth stays this far from the ring
STEP, STEPS = 0.002, 550
SPRINGS, DAMPING = 6.0, 0.01
CONTACT, GRIP = 400.0, 40.0


def ring(n=40):
    """A bumpy ring, closed."""
    u, v = np.meshgrid(*[np.linspace(0, 2 * np.pi, n, endpoint=False)] * 2)
    radius = 0.3 + 0.05 * np.cos(6 * u)
    out, z = 0.8 + radius * np.cos(v), radius * np.sin(v)
    x, y = out * np.cos(u), out * np.sin(u)
    ids = np.arange(n * n).reshape(n, n)
    right, up = np.roll(ids, -1, axis=1), np.roll(ids, -1, axis=0)
    across = np.roll(right, -1, axis=0)
    quads = ((ids, right, across), (ids, across, up))
    faces = np.concatenate([np.stack(quad, axis=-1).reshape(-1, 3) for quad in quads])
    return fc.Mesh(np.stack([x, y, z], axis=-1).reshape(-1, 3), faces)


def springs():
    """Pairs of vertices along threads, across them, and over one, for the bending; and their lengths."""
    ids = np.arange(N * N).reshape(N, N)
    pairs = [(ids[1:], ids[:-1]), (ids[:, 1:], ids[:, :-1]), (ids[1:, 1:], ids[:-1, :-1])]
    pairs += [(ids[1:, :-1], ids[:-1, 1:]), (ids[2:], ids[:-2]), (ids[:, 2:], ids[:, :-2])]
    i, j = (np.concatenate([pair[k].ravel() for pair in pairs]) for k in (0, 1))
    return i, j


def forces(places, velocities, i, j, lengths):
    """Springs between vertices, and what damps them."""
    way = places[i] - places[j]
    length = np.linalg.norm(way, axis=1)
    pull = (SPRINGS * (length / lengths - 1) / length)[:, None] * way
    pull += DAMPING * (velocities[i] - velocities[j])
    total = np.zeros_like(places)
    for k in range(3):
        total[:, k] = np.bincount(j, pull[:, k], len(places)) - np.bincount(i, pull[:, k], len(places))
    return total


def advance(places, velocities, field, i, j, lengths):
    """Take one step; contacts are implicit: (M - h² dF/dx) v = M v + h F, for each vertex that is near."""
    force = forces(places, velocities, i, j, lengths)
    force[:, 2] -= 9.81 * MASS
    near = fc.contacts(places, field, within=THICKNESS)
    pushed, rows = near.penalty(CONTACT), near.vertex_ids
    force[rows] += pushed.forces
    moved = velocities + STEP / MASS * force
    matrices = MASS * np.eye(3) - STEP**2 * pushed.gradients
    moved[rows] = np.linalg.solve(matrices, (MASS * moved[rows])[:, :, None])[:, :, 0]
    # Friction takes at most all of what slides.
    drag = near.friction(GRIP, moved[rows])
    sliding = moved[rows] - np.einsum("ij,ij->i", moved[rows], near.normals)[:, None] * near.normals
    share = np.minimum(np.linalg.norm(drag, axis=1) / np.maximum(np.linalg.norm(sliding, axis=1), 1e-12), 1.0)
    moved[rows] -= share[:, None] * sliding
    moved *= 0.998  # the air
    return places + STEP * moved, moved, len(near)


def draw(cloth, body, gaps, path):
    """Write a picture: the ring, and the cloth that lies on it, coloured by its distance."""
    from matplotlib import pyplot as plt
    from matplotlib.colors import LightSource
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(10, 4.2), layout="constrained")
    scale = plt.cm.ScalarMappable(plt.Normalize(0, 0.4), "YlGnBu")
    shown = {"the ring": (body, (0.76, 0.71, 0.61)), "the cloth on it": (cloth, scale.to_rgba(gaps))}
    for column, (title, (mesh, colors)) in enumerate(shown.items()):
        axes = figure.add_subplot(1, 2, column + 1, projection="3d", box_aspect=(1, 1, 0.42), title=title)
        triangles, light = mesh.vertices[mesh.faces], LightSource(60, 45)
        lit = Poly3DCollection(triangles, facecolors=colors, shade=True, lightsource=light, antialiased=False)
        axes.add_collection3d(lit)
        axes.set(xlim=(-0.95, 0.95), ylim=(-0.95, 0.95), zlim=(-0.5, 0.3))
        axes.view_init(30, 35)
        axes.set_axis_off()
    figure.colorbar(scale, ax=figure.axes, label="distance to the ring", shrink=0.8)
    figure.savefig(path, dpi=90)


def main():
    """Drop the cloth, and see how it lies."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    body = ring()
    fc.DistanceField.of(fc.Box([1, 1, 1]).mesh, tolerance=0.2)  # compiles, before the clock starts
    began = perf_counter()
    field = fc.DistanceField.of(body, tolerance=0.01, margin=0.1)
    print(
        f"the field: {field.n_cells:,} cells, {field.nbytes / 1e6:.0f} MB, in {perf_counter() - began:.1f} s"
    )

    x, y = np.meshgrid(*[np.linspace(-SIDE / 2, SIDE / 2, N)] * 2, indexing="ij")
    places = np.stack([x, y, np.full_like(x, 0.45)], axis=-1).reshape(-1, 3)
    cloth = fc.Mesh(places, grid_faces())
    i, j = springs()
    lengths, velocities = np.linalg.norm(places[i] - places[j], axis=1), np.zeros_like(places)
    fc.contacts(places, field, within=THICKNESS)  # compiles, before the clock starts

    began, most = perf_counter(), 0
    for _ in range(STEPS):
        places, velocities, n = advance(places, velocities, field, i, j, lengths)
        most = max(most, n)
    seconds = perf_counter() - began
    print(f"{STEPS} steps of {len(places):,} vertices in {seconds:.1f} s; up to {most} near the ring at once")

    # The field's tolerance is known: what it says is outside by more than that is outside.
    near = fc.contacts(places, field, within=THICKNESS)
    print(f"{len(near)} vertices lie on the ring, the deepest {near.distance.min():.4f} from its surface")
    assert near.distance.min() > field.tolerance
    assert fc.signed_distance(body, places).distance.min() > 0
    if options.picture:
        draped = fc.Mesh(places, cloth.faces)
        draw(draped, body, field(places[cloth.faces].mean(axis=1)), options.picture)


def grid_faces():
    """Two triangles for each square of the cloth."""
    ids = np.arange(N * N).reshape(N, N)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


if __name__ == "__main__":
    main()
