"""An elastic sheet falls on a ball by implicit steps with a barrier and friction, free of intersections.

Newton's method on an energy: inertia, springs along edges, a logarithmic barrier of the squared distances
that `Candidates.distances` gives, and friction, whose normals and forces are those of the step before. Pairs
are listed once and again only where the sheet leaves what they cover; `safe_step` of them cuts each step
short before anything touches.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import trimesh
from scipy import sparse
from scipy.sparse.linalg import spsolve

import firstcontact as fc

N, STEPS, DT = 19, 16, 0.02
NEAR = 0.02  # distance from which the barrier pushes
REACH = 0.06  # how far vertices may go before pairs are listed again
STIFFNESS, BARRIER, FRICTION, SLOW = 40.0, 2e4, 0.4, 1e-3
GRAVITY = np.array([0.0, 0.0, -9.81])


class Slides(NamedTuple):
    """Friction of pairs that were near at the start of a step: vertices, weights, planes and forces."""

    ids: np.ndarray
    weights: np.ndarray
    planes: np.ndarray
    forces: np.ndarray


def scene():
    """Sheet and ball as one mesh, the sheet first: its contacts with itself are all there are."""
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, N), np.linspace(-0.8, 0.8, N), indexing="ij")
    ids = np.arange(N * N).reshape(N, N)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.4)
    sheet = np.stack([x, y, 0.43 + 0.02 * x], axis=-1).reshape(-1, 3)
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1), ball.faces + N * N])
    return fc.Mesh(np.concatenate([sheet, ball.vertices]), faces)


def signed_weights(near):
    """Weights of the closest points: their product with the places is the vector between them."""
    is_edges = (near.kind == fc.ContactKind.EDGE_EDGE)[:, None]
    return np.where(is_edges, [1, 1, -1, -1], [1, -1, -1, -1]) * near.weights


def barrier(squared):
    """A barrier of squared distances, and its first two derivatives; 0 from `NEAR` on."""
    limit = NEAR * NEAR
    squared = np.minimum(squared, limit)
    short, log = squared - limit, np.log(squared / limit)
    slope = -2 * short * log - short**2 / squared
    bend = -2 * log - 4 * short / squared + short**2 / squared**2
    return -(short**2) * log, slope, bend


class Step:
    """The energy of one implicit step."""

    def __init__(self, mesh, springs, start, ahead, slides):
        self.mesh, self.springs, self.start, self.ahead, self.slides = mesh, springs, start, ahead, slides
        self.listed, self.n_lists = fc.candidates(fc.Mesh(start, mesh.faces), inflate=REACH), 1

    def cover(self, places, goal):
        """List pairs again where a way would lead out of what they cover; a longer way is cut short."""
        way = goal - places
        way *= min(1.0, (REACH - NEAR) / max(np.linalg.norm(way, axis=1).max(), NEAR))
        if not self.listed.covers(places + way, within=NEAR):
            self.listed = fc.candidates(fc.Mesh(places, self.mesh.faces), inflate=REACH)
            self.n_lists += 1
        return way

    def near(self, places, gradient=False):
        """Pairs within the barrier, each pair of closest parts once."""
        return self.listed.distances(places, within=NEAR, gradient=gradient, merge=True)

    def energy(self, places):
        """All of it, in units of the mass of a vertex."""
        edges, lengths = self.springs
        stretch = np.linalg.norm(places[edges[:, 1]] - places[edges[:, 0]], axis=1) / lengths - 1
        near, moved = self.near(places), places - self.ahead
        slid = np.linalg.norm(self.slid(places), axis=1)
        held = np.where(slid < SLOW, slid**2 / SLOW - slid**3 / (3 * SLOW**2) + SLOW / 3, slid)
        return (
            0.5 * np.sum(moved[: N * N] ** 2) / DT**2
            + 0.5 * STIFFNESS * np.sum(stretch**2)
            + BARRIER * np.sum(near.multiplicity * barrier(near.distance_squared)[0])
            + FRICTION * np.sum(self.slides.forces * held)
        )

    def slid(self, places):
        """How far near pairs have slid along each other since the start of the step."""
        way = np.einsum("ni,nij->nj", self.slides.weights, (places - self.start)[self.slides.ids])
        return np.einsum("nij,nj->ni", self.slides.planes, way)

    def newton(self, places):
        """Slope of the energy, and the step of Newton's method: each part of the matrix is positive."""
        near, edges, lengths = self.near(places, gradient=True), *self.springs
        slope = np.zeros_like(places)
        slope[: N * N] = (places - self.ahead)[: N * N] / DT**2
        parts = [(np.arange(3 * N * N)[:, None], np.full((3 * N * N, 1, 1), 1 / DT**2))]
        along = places[edges[:, 1]] - places[edges[:, 0]]
        size = np.linalg.norm(along, axis=1)
        unit, tension = along / size[:, None], STIFFNESS * (size / lengths - 1) / lengths
        np.add.at(slope, edges[:, 1], tension[:, None] * unit)
        np.add.at(slope, edges[:, 0], -tension[:, None] * unit)
        outer = unit[:, :, None] * unit[:, None]
        across = np.maximum(tension / size, 0)[:, None, None] * (np.eye(3) - outer)
        block = (STIFFNESS / lengths**2)[:, None, None] * outer + across
        parts.append((dofs(edges), np.block([[block, -block], [-block, block]])))
        _, push, bend = barrier(near.distance_squared)
        count = BARRIER * near.multiplicity
        np.add.at(slope, near.vertex_ids, (count * push)[:, None, None] * near.gradient)
        flat = near.gradient.reshape(-1, 12)
        matrices = (count * np.maximum(bend, 0))[:, None, None] * flat[:, :, None] * flat[:, None]
        parts.append((dofs(near.vertex_ids), matrices))
        slid, own = self.slid(places), self.slides
        rate = np.linalg.norm(slid, axis=1)
        pull = (
            FRICTION
            * own.forces
            * np.where(rate < SLOW, 2 / SLOW - rate / SLOW**2, 1 / np.maximum(rate, SLOW))
        )
        np.add.at(slope, own.ids, pull[:, None, None] * own.weights[:, :, None] * slid[:, None])
        weights = own.weights[:, :, None, None, None] * own.weights[:, None, :, None, None]
        matrices = (pull[:, None, None, None, None] * weights * own.planes[:, None, None]).transpose(
            0, 1, 3, 2, 4
        )
        parts.append((dofs(own.ids), matrices.reshape(-1, 12, 12)))
        slope[N * N :] = 0
        return slope, solved(parts, slope)


def dofs(ids):
    """Rows of the coordinates of vertices, (n, 3 k)."""
    return (3 * ids[:, :, None] + np.arange(3)).reshape(len(ids), 3 * ids.shape[1])


def solved(parts, slope):
    """The step against a slope, of the sheet alone, by a sparse matrix that is the sum of small ones."""
    rows = np.concatenate([np.repeat(ids, ids.shape[1], axis=1).ravel() for ids, _ in parts])
    columns = np.concatenate([np.tile(ids, (1, ids.shape[1])).ravel() for ids, _ in parts])
    values = np.concatenate([matrices.ravel() for _, matrices in parts])
    mine = (rows < 3 * N * N) & (columns < 3 * N * N)
    matrix = sparse.csc_matrix((values[mine], (rows[mine], columns[mine])), shape=(3 * N * N,) * 2)
    step = np.zeros_like(slope)
    step[: N * N] = spsolve(matrix, -slope[: N * N].ravel()).reshape(-1, 3)
    return step


def minimised(step):
    """Go down until hardly anything moves; no way is longer than what is free of contacts."""
    places, n_newton = step.start.copy(), 0
    while n_newton < 60:
        n_newton += 1
        slope, way = step.newton(places)
        if np.abs(way).max() < 1e-3 * DT:
            break
        way = step.cover(places, places + way)
        share = min(0.9 * step.listed.safe_step(places + way, places), 1.0)
        energy, fall = step.energy(places), np.sum(slope * way)
        while step.energy(places + share * way) > energy + 1e-4 * share * fall and share > 1e-9:
            share *= 0.5
        places = places + share * way
    return places, n_newton


def slides_of(near, places):
    """What rubs in the next step, by the forces of this one."""
    weights, distances = signed_weights(near), np.sqrt(near.distance_squared)
    normals = np.einsum("ni,nij->nj", weights, places[near.vertex_ids]) / distances[:, None]
    forces = -2 * BARRIER * near.multiplicity * barrier(near.distance_squared)[1] * distances
    return Slides(near.vertex_ids, weights, np.eye(3) - normals[:, :, None] * normals[:, None], forces)


def draw(mesh, states, path):
    """Write a picture: the sheet on its way."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10, 3.8), layout="constrained")
    is_sheet = (mesh.faces < N * N).all(axis=1)
    for column, number in enumerate((0, len(states) // 2, len(states) - 1)):
        sheet, ball = (fc.Mesh(states[number], mesh.faces[which]) for which in (is_sheet, ~is_sheet))
        axes = figure.add_subplot(1, 3, column + 1, projection="3d", elev=12)
        fc.plot({"sheet": sheet, "ball": ball}, ax=axes, title=f"after {number} steps")
    figure.savefig(path, dpi=95)


def main():
    """Take some implicit steps, and look at what is near."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    mesh = scene()
    is_sheet = (np.arange(mesh.n_vertices) < N * N)[:, None]
    edges = mesh.edges[(mesh.edges < N * N).all(axis=1)]
    lengths = np.linalg.norm(mesh.vertices[edges[:, 1]] - mesh.vertices[edges[:, 0]], axis=1)
    places, velocities, states = mesh.vertices.copy(), np.zeros_like(mesh.vertices), [mesh.vertices]
    slides = slides_of(fc.candidates(mesh, inflate=REACH).distances(within=0.0), places)
    for number in range(STEPS):
        ahead = places + np.where(is_sheet, DT * (velocities + DT * GRAVITY), 0.0)
        step = Step(mesh, (edges, lengths), places, ahead, slides)
        after, n_newton = minimised(step)
        velocities, places = (after - places) / DT, after
        step.cover(places, places)
        near = step.near(places)
        slides = slides_of(near, places)
        gap = np.sqrt(near.distance_squared.min()) if len(near) else np.inf
        print(f"step {number + 1:>2}: {n_newton:>2} of Newton's, {step.n_lists} lists, least gap {gap:.5f}")
        assert len(fc.intersections(fc.Mesh(places, mesh.faces))) == 0
        states.append(places)
    assert len(near) > 0
    if options.picture:
        draw(mesh, states, options.picture)


if __name__ == "__main__":
    main()
