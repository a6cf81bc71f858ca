"""A cloth of 10,000 triangles falls on a ball that turns, with friction and folds, and never passes through.

Each step is proposed by gravity and springs. Pairs of features that can touch in it are listed once; those
that would come too close are pushed apart, with friction, some rounds of it; and what is left of the step is
cut short by `safe_step`, so that no step ends with an intersection, whatever the pushes did.
"""

import argparse
import os
from pathlib import Path
from time import perf_counter

import numpy as np
import trimesh

import firstcontact as fc

DT, GAP, TURN, FRICTION = 1 / 200, 0.004, 0.02, 0.6
ROUNDS = 4  # of pushes in a step
# How much neighbours in the grid of the cloth, so many rows and columns away, are pulled to their distance.
SPRINGS = {(1, 0): 0.5, (0, 1): 0.5, (1, 1): 0.3, (1, -1): 0.3, (2, 0): 0.1, (0, 2): 0.1}
GRAVITY = np.array([0.0, 0.0, -9.81])


def scene(n):
    """Cloth of n by n vertices, and a ball."""
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    ids = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    vertices = np.stack([x, y, 0.52 + 0.01 * np.sin(3 * x)], axis=-1).reshape(-1, 3)
    cloth = fc.Mesh(vertices, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))
    return cloth, fc.Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions=3, radius=0.5))


def sprung(cloth, edge, rounds):
    """Pull neighbours in a grid (n, n, 3), and those across a square or two apart, to their distances."""
    n = len(cloth)
    for k in range(rounds):
        for (i, j), part in SPRINGS.items():
            reach = (i * i + j * j) ** 0.5
            first = cloth[: n - i, -j if j < 0 else 0 : n - max(j, 0)]
            second = cloth[i:, max(j, 0) : n + min(j, 0)]
            # Every other line, so that no vertex is pulled from two sides at once.
            for odd in (k % 2, 1 - k % 2):
                axis = np.s_[odd :: 2 * max(i, 1)] if i else np.s_[:, odd :: 2 * j]
                p, q = first[axis], second[axis]
                along = q - p
                size = np.linalg.norm(along, axis=-1, keepdims=True)
                pull = 0.5 * part * along * (1 - reach * edge / size)
                p += pull
                q -= pull


def pushed(found, places, ahead, n_cloth):
    """Move the vertices of what comes too close apart, and against how they slide; the ball is not moved.

    found : what touches, places and ahead : (n, 3) of the cloth and of the ball behind it
    """
    is_edges = (found.kind == fc.ContactKind.EDGE_EDGE)[:, None]
    signs = np.where(is_edges, [-1, -1, 1, 1], [-1, 1, 1, 1])  # of the vertices of a, and of b
    signs[found.kind == fc.ContactKind.FACE_VERTEX] *= -1
    things = np.where(signs < 0, found.thing_ids[:, :1], found.thing_ids[:, 1:])
    ids = found.vertex_ids + n_cloth * things
    shares, normals = signs * found.weights, found.normals
    gaps = np.einsum("ni,nij->nj", shares, ahead[ids])
    short = np.maximum(1.1 * GAP - np.einsum("nj,nj->n", gaps, normals), 0)
    slides = gaps - np.einsum("ni,nij->nj", shares, places[ids])
    slides -= np.einsum("nj,nj->n", slides, normals)[:, None] * normals
    stuck = np.minimum(FRICTION * short / np.maximum(np.linalg.norm(slides, axis=1), 1e-12), 1)
    moved = shares * (ids < n_cloth)
    total = np.maximum(np.sum(moved**2, axis=1), 1e-9)[:, None]
    wanted = (short[:, None] * normals - stuck[:, None] * slides) / total
    counts = np.maximum(np.bincount(ids.ravel(), (moved != 0).ravel(), len(ahead)), 1)
    for axis in range(3):
        pushes = moved * wanted[:, axis, None]
        ahead[:, axis] += 1.5 * np.bincount(ids.ravel(), pushes.ravel(), len(ahead)) / counts


class Detection:
    """Pairs of a step, those of the cloth with itself and with the ball, and how long all that took."""

    def __init__(self, cloth, ball, places, reach):
        self.meshes, self.places, self.reach = (cloth, ball), places, reach
        began = perf_counter()
        flat, round_ = self.parts(places)
        things = [cloth.deforming(flat, flat), ball.placed(round_)]
        options = {"inflate": reach, "min_separation": GAP, "assume_free_start": True}
        self.listed = fc.candidates(things, self_contact=True, **options)
        self.seconds = perf_counter() - began

    def contacts(self, ahead):
        """What comes too close: of the cloth with itself, and with the ball."""
        began = perf_counter()
        found = self.listed.contacts(self.parts(ahead))
        self.seconds += perf_counter() - began
        return found

    def safe_step(self, ahead):
        """How much of the step is free of contact, whatever the gap."""
        began = perf_counter()
        ends = zip(self.meshes, self.parts(self.places), self.parts(ahead), strict=True)
        things = [mesh.deforming(start, end) for mesh, start, end in ends]
        share = fc.safe_step(things, self_contact=True, assume_free_start=True)
        self.seconds += perf_counter() - began
        return share

    def parts(self, places):
        """Positions of the cloth and of the ball."""
        n = self.meshes[0].n_vertices
        return [places[:n], places[n:]]


def step(meshes, places, ahead):
    """One step without contacts: where it ends, how many were prevented, and how much of it was taken."""
    cloth, ball = meshes
    n_cloth, n_found = cloth.n_vertices, 0
    detection = Detection(cloth, ball, places, 1.2 * np.linalg.norm(ahead - places, axis=1).max() + GAP)
    for _ in range(ROUNDS):
        found = detection.contacts(ahead)
        n_found += len(found)
        if len(found) == 0:
            break
        pushed(found, places, ahead, n_cloth)
        way = ahead - places
        far = np.linalg.norm(way, axis=1, keepdims=True) / (0.999 * detection.reach)
        ahead = places + way / np.maximum(far, 1.0)
    # Whatever the pushes did: up to the first contact the step is safe.
    share = detection.safe_step(ahead)
    if share < 1:  # short of the contact, and the ball waits, too
        ahead = places + 0.9 * share * (ahead - places)
    return ahead, detection.seconds, n_found, share


def turned(ball, angle):
    """The ball, turned about a slanted axis."""
    turn = trimesh.transformations.rotation_matrix(angle, [0.3, 0.0, 1.0])[:3, :3]
    return ball @ turn.T


def draw(meshes, states, times, path):
    """Write a picture: the cloth on its way, and what its contacts took."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(11, 3.8), layout="constrained")
    n = meshes[0].n_vertices
    for column, number in enumerate((len(states) // 3, len(states) - 1)):
        cloth, ball = meshes[0].placed(states[number][:n]), meshes[1].placed(states[number][n:])
        axes = figure.add_subplot(1, 3, column + 1, projection="3d", elev=8)
        fc.plot({"cloth": cloth, "ball": ball}, ax=axes, title=f"after {number} steps")
    axes = figure.add_subplot(1, 3, 3, title="detection, ms a step", xlabel="step")
    axes.plot(1000 * np.array(times), lw=1)
    axes.set_ylim(0)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=95)


def is_free(meshes, places):
    """Does the cloth pass through neither itself nor the ball?"""
    n = meshes[0].n_vertices
    cloth, ball = meshes[0].placed(places[:n]), meshes[1].placed(places[n:])
    return len(fc.intersections(cloth)) == 0 and not fc.intersects(cloth, ball)


def main():
    """Let the cloth fall."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size, steps = (30, 40) if "QUICK" in os.environ else (72, 100)
    parser.add_argument("--size", type=int, default=size, help=f"vertices along a side of the cloth ({size})")
    parser.add_argument("--steps", type=int, default=steps, help=f"how many steps ({steps})")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    parser.add_argument("--page", type=Path, metavar="HTML", help="write a page with the motion in 3-D")
    options = parser.parse_args()
    n, (cloth, ball) = options.size, scene(options.size)
    places = np.concatenate([cloth.vertices, ball.vertices])
    velocities, states, times, n_prevented, n_cut = np.zeros_like(places), [places], [], 0, 0
    for number in range(options.steps):
        ahead = places + DT * (velocities + DT * GRAVITY)
        sprung(ahead[: n * n].reshape(n, n, 3), 2 / (n - 1), 12)
        ahead[n * n :] = turned(ball.vertices, TURN * (number + 1))
        after, seconds, n_found, share = step((cloth, ball), places, ahead)
        velocities, places = 0.99 * (after - places) / DT, after
        states.append(places)
        times.append(seconds)
        n_prevented, n_cut = n_prevented + n_found, n_cut + (share < 1)
        if (number + 1) % 10 == 0:
            assert is_free((cloth, ball), places)
    print(f"{cloth.n_faces:,} triangles on {ball.n_faces:,}, {options.steps} steps, no intersection")
    print(f"{n_prevented:,} contacts prevented, {n_cut} steps cut short")
    print(f"detection: {1000 * np.mean(times):.1f} ms a step, {1000 * np.max(times):.1f} at most")
    assert n_prevented > 0
    if options.picture:
        draw((cloth, ball), states, times, options.picture)
    if options.page:
        frames = np.array(states)
        fc.show(
            {"cloth": cloth.along(frames[:, : n * n]), "ball": ball.along(frames[:, n * n :])}, options.page
        )


if __name__ == "__main__":
    main()
