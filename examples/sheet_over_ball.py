"""A sheet falls on a ball in one step: every contact, when it begins, and where.

Shows `contacts`, the list of all that touch in a step of two deforming meshes, each vertex with a face and
each edge with an edge; how to read a row of it; and how much of the step is safe.
"""

import argparse
from pathlib import Path

import numpy as np
import trimesh

import firstcontact as fc

N = 61  # vertices along a side of the sheet


def sheet():
    """Square with a wave in it, as a mesh."""
    x, y = np.meshgrid(np.linspace(-1, 1, N), np.linspace(-1, 1, N), indexing="ij")
    ids = np.arange(N * N).reshape(N, N)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    vertices = np.stack([x, y, 0.06 * np.sin(5 * x + 2 * y)], axis=-1).reshape(-1, 3)
    return fc.Mesh(vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]))


def draw(falling, found, path):
    """Write a picture: both at the first contact, and when each vertex of the sheet touches the ball."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10, 4.6), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", elev=18)
    fc.plot(found, ax=axes, names={"a": "sheet", "b": "ball"}, ghosts=False)

    # Vertices from above, where they are at the start, the earliest on top.
    axes = figure.add_subplot(1, 2, 2, aspect="equal", title="when vertices of the sheet touch the ball")
    rows = np.flatnonzero(found.kind == fc.ContactKind.VERTEX_FACE)[::-1]
    x, y, _ = falling.vertices(0)[found.ids_a[rows]].T
    shown = axes.scatter(x, y, c=found.time[rows], s=14, cmap="viridis")
    figure.colorbar(shown, ax=axes, label="time of contact", shrink=0.85)
    axes.set(xlim=(-1, 1), ylim=(-1, 1), xticks=[], yticks=[])
    figure.savefig(path, dpi=95)


def main():
    """Drop the sheet, and say what it touches."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    cloth, ball = sheet(), fc.Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions=4, radius=0.6))
    # Each vertex goes straight from its place at t = 0 to that at t = 1: the sheet falls, the ball rises.
    up = np.array([0, 0, 1])
    falling = cloth.deforming(cloth.vertices + 0.8 * up, cloth.vertices + 0.1 * up)
    rising = ball.deforming(ball.vertices, ball.vertices + 0.1 * up)

    found = fc.contacts(falling, rising)
    print(f"{len(found):,} contacts, by kind:")
    for kind, count in zip(*np.unique(found.kind, return_counts=True), strict=True):
        print(f"  {fc.ContactKind(kind).name:<12}{count:>6,}")

    # A row has two features, and weights that say where on them the contact is, at its time.
    row = int(np.argmax(found.kind == fc.ContactKind.VERTEX_FACE))
    t, (vertex, *corners) = found.time[row], found.vertex_ids[row]
    on_sheet, on_ball = falling.vertices(t)[vertex], found.weights[row, 1:] @ rising.vertices(t)[corners]
    gap = np.linalg.norm(on_sheet - on_ball)
    print(f"row {row}: vertex {vertex} meets face {found.ids_b[row]} at t = {t:.9f}, at a gap of {gap:.0e}")

    # Up to the first contact the step is safe; with a distance kept, up to an earlier time.
    step, careful = (fc.safe_step(falling, rising, min_separation=gap) for gap in (0.0, 0.05))
    print(f"the step is safe up to t = {step:.6f}, and up to {careful:.6f} with 0.05 between them")
    assert careful < step <= found.time_upper.min()
    halfway = cloth.deforming(falling.vertices(0), falling.vertices(0.99 * step))
    assert not fc.first_contact(halfway, ball.deforming(ball.vertices, rising.vertices(0.99 * step)))

    stats = found.stats
    print(f"{stats.node_tests:,} pairs of bounds compared, {stats.elementary_tests:,} elementary tests")
    if options.picture:
        draw(falling, found, options.picture)


if __name__ == "__main__":
    main()
