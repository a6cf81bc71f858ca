"""A cloth falls on a ball and folds over itself, and never passes through anything.

Each step is proposed freely. Vertices that would come too close to something are held where they are, until
the step has no contact left: it is then proven safe, at all times between its ends.
"""

import argparse
from pathlib import Path

import numpy as np
import trimesh

import firstcontact as fc

N, GAP, DT, STEPS = 22, 0.004, 1 / 60, 50
GRAVITY = np.array([0, 0, -9.81])


def scene():
    """Cloth and ball as one mesh: its contacts with itself are all there are. The cloth comes first."""
    x, y = np.meshgrid(np.linspace(-0.9, 1.1, N), np.linspace(-0.95, 1.05, N), indexing="ij")
    ids = np.arange(N * N).reshape(N, N)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    cloth = np.stack([x, y, 0.4 + 0.01 * np.sin(3 * x)], axis=-1).reshape(-1, 3)
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.3)
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1), ball.faces + N * N])
    return fc.Mesh(np.concatenate([cloth, ball.vertices]), faces)


def proposed(places, velocities, edges, lengths):
    """Where gravity, and springs along the edges, want the cloth to be next."""
    places = places + DT * (velocities + GRAVITY * DT)
    for _ in range(15):
        along = places[edges[:, 1]] - places[edges[:, 0]]
        pull = 0.15 * along * (1 - lengths / np.linalg.norm(along, axis=1))[:, None]
        np.add.at(places, edges[:, 0], pull)
        np.add.at(places, edges[:, 1], -pull)
    return places


def draw(mesh, states, counts, path):
    """Write a picture: the cloth on its way, and what was prevented in each step."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(11, 4.2), layout="constrained")
    is_cloth = (mesh.faces < N * N).all(axis=1)
    shown = (10, 22, 40)
    for column, step in enumerate(shown):
        # Drawn as two things: vertices that no face uses do no harm.
        cloth, ball = (fc.Mesh(states[step], mesh.faces[which]) for which in (is_cloth, ~is_cloth))
        axes = figure.add_subplot(1, 4, column + 1, projection="3d", elev=-4)
        fc.plot({"cloth": cloth, "ball": ball}, ax=axes, title=f"after {step} steps")
        if column > 0:
            axes.get_legend().remove()
    axes = figure.add_subplot(1, 4, 4, title="contacts prevented", xlabel="step", yscale="log")
    for n, label in zip(counts.T, ("with the ball", "with itself"), strict=True):
        axes.plot(np.where(n > 0, n, np.nan), "o", ms=3, label=label)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=95)


def main():
    """Let the cloth fall for some steps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    mesh = scene()
    is_cloth = np.arange(mesh.n_vertices) < N * N
    edges = mesh.edges[is_cloth[mesh.edges].all(axis=1)]
    places, velocities = mesh.vertices, np.zeros_like(mesh.vertices)
    lengths = np.linalg.norm(places[edges[:, 1]] - places[edges[:, 0]], axis=1)
    states, counts = [places], []  # counted: contacts with the ball, and of the cloth with itself
    for _ in range(STEPS):
        counts.append(np.zeros(2, int))
        ahead = np.where(is_cloth[:, None], proposed(places, velocities, edges, lengths), places)
        # The last step ended free, and so this one starts: no need to look for what overlaps already.
        free = {"min_separation": GAP, "assume_free_start": True}
        while len(found := fc.contacts(mesh.deforming(places, ahead), **free)):
            is_with_ball = ~is_cloth[found.vertex_ids].all(axis=1)
            counts[-1] += is_with_ball.sum(), (~is_with_ball).sum()
            ahead[found.vertex_ids] = places[found.vertex_ids]
        assert fc.safe_step(mesh.deforming(places, ahead), min_separation=GAP) == 1.0
        places, velocities = ahead, 0.99 * (ahead - places) / DT
        states.append(places)
    n_with_ball, n_with_itself = np.sum(counts, axis=0)
    print(f"prevented: {n_with_ball:,} contacts with the ball, {n_with_itself:,} of the cloth with itself")
    print(f"the cloth's lowest corner is at z = {places[: N * N, 2].min():.3f}")
    assert n_with_ball > 0
    assert n_with_itself > 0
    assert (np.linalg.norm(places[: N * N], axis=1) > 0.29).all()
    if options.picture:
        draw(mesh, states, np.array(counts), options.picture)


if __name__ == "__main__":
    main()
