"""A cloth lies on a ball that turns: repulsions, impulses and rigid impact zones, after Bridson (2002).

Each step begins where nothing meets. The springs propose velocities. What is nearer than the cloth is thick
is pushed by a penalty and slowed down by friction (repulsions). What would still meet in the step gets
impulses at the contacts, one round of them or more. What is left after that is put into zones that go on as
if they were rigid: each goes by one affine map from its start, under which nothing of it can meet. Zones
grow, and join, until no contact is left, so that no step ends, or has on its way, an intersection.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.transform import Rotation

import firstcontact as fc

DT, GRAVITY = 1 / 240, np.array([0.0, 0.0, -9.81])
THICK, STIFF, FRICTION = (
    0.012,
    0.2,
    0.5,
)  # how near is pushed, by which part of the depth, Coulomb's coefficient
SPRING, DAMPING = 0.3, 0.999  # part of a spring's error that is corrected in a pass
PASSES, ROUNDS, SWEEPS = 8, 1, 40  # over the springs, of impulses, of zones
SPIN = np.array([0.4, 0.0, 2.2])  # of the ball, in radians a second


def things(n):
    """A cloth of n by n vertices, and a ball below it."""
    x, y = np.meshgrid(*[np.linspace(-1, 1, n)] * 2, indexing="ij")
    ids = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    flat = np.stack([x, y, 0.515 + 0.01 * np.sin(3 * x)], axis=-1).reshape(-1, 3)
    return fc.Mesh(flat, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])), ball(0.5)


def ball(radius):
    """A sphere of some 500 triangles."""
    up, around = np.linspace(0, np.pi, 13)[1:-1], np.linspace(0, 2 * np.pi, 24, endpoint=False)
    u, v = np.meshgrid(up, around, indexing="ij")
    rings = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    return fc.ConvexHull(radius * np.concatenate([rings, [[0, 0, 1], [0, 0, -1]]])).mesh


def springs(n):
    """Pairs of vertices: along the threads, across them, and two apart; in groups that share none."""
    ids, groups = np.arange(n * n).reshape(n, n), []
    for i, j in ((1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (0, 2)):
        first = ids[: n - i, max(-j, 0) : n - max(j, 0)]
        second = ids[i:, max(j, 0) : n + min(j, 0)]
        for odd in range(2):
            lines = np.arange(first.shape[0 if i else 1]) // max(i, j) % 2 == odd
            pick = (lines, slice(None)) if i else (slice(None), lines)
            groups.append((first[pick].ravel(), second[pick].ravel()))
    return groups


def proposed(places, velocities, groups, lengths):
    """Velocities of the cloth after gravity and springs, without any contact."""
    ahead = places + DT * (velocities + DT * GRAVITY)
    for _ in range(PASSES):
        for (i, j), length in zip(groups, lengths, strict=True):
            way = ahead[j] - ahead[i]
            now = np.linalg.norm(way, axis=1, keepdims=True)
            pull = 0.5 * SPRING * (1.0 - length / now) * way
            ahead[i] += pull
            ahead[j] -= pull
    return DAMPING * (ahead - places) / DT


def touching(found, n_cloth):
    """Of contacts: vertices in both meshes behind one another, their shares, and which are the cloth's."""
    is_edges = (found.kind == fc.ContactKind.EDGE_EDGE)[:, None]
    signs = np.where(is_edges, [-1, -1, 1, 1], [-1, 1, 1, 1])  # of the vertices of a, and of b
    signs[found.kind == fc.ContactKind.FACE_VERTEX] *= -1
    owners = np.where(signs < 0, found.thing_ids[:, :1], found.thing_ids[:, 1:])
    ids = found.vertex_ids + n_cloth * owners
    return ids, signs * found.weights, owners == 0


def impulses(found, velocities, wanted, n_cloth):
    """Change the speed along each normal by what is wanted, and take friction off what slides; in place."""
    ids, shares, is_cloth = touching(found, n_cloth)
    moved = shares * is_cloth
    weight = np.maximum((moved**2).sum(axis=1), 1e-9)
    slip = np.einsum("ni,nij->nj", shares, velocities[ids])
    closing = -np.einsum("nj,nj->n", slip, found.normals)
    push = np.maximum(wanted(closing), 0.0)
    across = slip + closing[:, None] * found.normals
    sliding = np.maximum(np.linalg.norm(across, axis=1), 1e-12)
    drag = np.minimum(FRICTION * push / sliding, 1.0)
    change = (push[:, None] * found.normals - drag[:, None] * across) / weight[:, None]
    counts = np.maximum(np.bincount(ids.ravel(), (moved != 0).ravel(), len(velocities)), 1)
    for axis in range(3):
        sums = np.bincount(ids.ravel(), (moved * change[:, axis, None]).ravel(), len(velocities))
        velocities[:, axis] += sums / counts
    return len(found)


def repelled(listed, meshes, places, velocities):
    """Push what is nearer than the cloth is thick: a spring, and no more than brings it out in some steps."""
    n = meshes[0].n_vertices
    near = listed.contacts([places[:n], places[n:]])  # as they are: within THICK
    depth = np.maximum(THICK - near.gap, 0.0)

    def wanted(closing):
        return np.where(closing > 0, closing, np.minimum(STIFF * depth / DT + closing, 0.1 * depth / DT))

    return impulses(near, velocities, wanted, n)


def zoned(meshes, places, ahead, turn, found):
    """Join what meets into zones, one by one until none is left; each goes on as if it were rigid."""
    n, n_zones, joined = meshes[0].n_vertices, 0, np.arange(len(places))
    for _ in range(SWEEPS):
        if len(found) == 0:
            return ahead, n_zones
        ids, _, _ = touching(found, n)
        ids = np.where(ids < n, ids, n)  # all of the ball is one
        edges = [(ids[:, k], ids[:, k + 1]) for k in range(3)] + [(np.arange(len(places)), joined)]
        rows, columns = (np.concatenate([edge[k] for edge in edges]) for k in (0, 1))
        graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(places),) * 2)
        joined = connected_components(graph, directed=False)[1]
        _, first, joined, sizes = np.unique(
            joined, return_index=True, return_inverse=True, return_counts=True
        )
        zones, ahead = np.flatnonzero(sizes > 1), ahead.copy()
        for zone in zones:
            own = np.flatnonzero(joined == zone)
            is_on_ball = own[-1] >= n
            own = own[own < n]
            ahead[own] = places[own] @ turn.T if is_on_ball else rigid(places[own], ahead[own])
        n_zones, joined = len(zones), first[joined]
        found = contacts_of(meshes, places, ahead)
    raise RuntimeError("zones that cover everything still meet")


def rigid(start, end):
    """Where points go that keep their momentum, and that about their middle, and are rigid."""
    middle, way = start.mean(axis=0), (end - start).mean(axis=0)
    arms, speeds = start - middle, end - start - way
    inertia = np.sum(arms**2) * np.eye(3) - arms.T @ arms
    spin = np.linalg.pinv(inertia) @ np.cross(arms, speeds).sum(axis=0)
    return middle + way + Rotation.from_rotvec(spin).apply(arms)


def contacts_of(meshes, places, ahead):
    """Everything that meets on straight ways to the end of the step."""
    n = meshes[0].n_vertices
    ends = zip(meshes, (places[:n], places[n:]), (ahead[:n], ahead[n:]), strict=True)
    moving = [mesh.deforming(start, end) for mesh, start, end in ends]
    return fc.contacts(moving, self_contact=True, assume_free_start=True)


def step(meshes, places, velocities, turn):
    """One step: where it ends, and how many repulsions, impulses and zones it took."""
    n, ahead = meshes[0].n_vertices, np.empty_like(places)
    ahead[n:] = places[n:] @ turn.T
    velocities = np.concatenate([velocities, (ahead[n:] - places[n:]) / DT])
    still = [mesh.placed(part) for mesh, part in zip(meshes, (places[:n], places[n:]), strict=True)]
    options = {"self_contact": True, "min_separation": THICK, "assume_free_start": True}
    listed = fc.candidates(still, inflate=0.0, ignore_near=3, **options)
    n_near, n_pushed = repelled(listed, meshes, places, velocities), 0
    for _ in range(ROUNDS):
        ahead[:n] = places[:n] + DT * velocities[:n]
        found = contacts_of(meshes, places, ahead)
        if len(found) == 0:
            break
        # At the speed at which they come, and a little more, to part by a hundredth of the thickness.
        n_pushed += impulses(found, velocities, lambda closing: closing + 0.01 * THICK / DT, n)
    ahead[:n] = places[:n] + DT * velocities[:n]
    ahead, n_zones = zoned(meshes, places, ahead, turn, contacts_of(meshes, places, ahead))
    return ahead, (n_near, n_pushed, n_zones)


def draw(meshes, states, counts, path):
    """Write a picture: the cloth on its way, and what kept it from meeting anything."""
    from matplotlib import pyplot as plt

    figure, n = plt.figure(figsize=(11, 3.8), layout="constrained"), meshes[0].n_vertices
    for column, number in enumerate((len(states) // 3, len(states) - 1)):
        cloth, body = meshes[0].placed(states[number][:n]), meshes[1].placed(states[number][n:])
        axes = figure.add_subplot(1, 3, column + 1, projection="3d", elev=12)
        fc.plot({"cloth": cloth, "ball": body}, ax=axes, title=f"after {number} steps")
    axes = figure.add_subplot(1, 3, 3, title="contacts a step", xlabel="step")
    for label, line in zip(("repulsions", "impulses", "zones"), np.array(counts).T, strict=True):
        axes.plot(line + 0.1, lw=1, label=label)
    axes.set_yscale("log")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=90)


def main():
    """Let the cloth fall, and look at every step whether anything meets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size, steps = (16, 60) if "QUICK" in os.environ else (40, 200)
    parser.add_argument("--size", type=int, default=size, help=f"vertices along a side of the cloth ({size})")
    parser.add_argument("--steps", type=int, default=steps, help=f"how many steps ({steps})")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    meshes, groups = things(options.size), springs(options.size)
    places = np.concatenate([mesh.vertices for mesh in meshes])
    n, states, counts = meshes[0].n_vertices, [places], []
    lengths = [np.linalg.norm(places[j] - places[i], axis=1, keepdims=True) for i, j in groups]
    velocities, turn = np.zeros((n, 3)), Rotation.from_rotvec(DT * SPIN).as_matrix()
    for _ in range(options.steps):
        velocities = proposed(places[:n], velocities, groups, lengths)
        after, count = step(meshes, places, velocities, turn)
        velocities, places = (after[:n] - places[:n]) / DT, after
        states.append(places)
        counts.append(count)
        # By other means: at rest, does the cloth meet itself or the ball?
        cloth, body = meshes[0].placed(places[:n]), meshes[1].placed(places[n:])
        assert len(fc.intersections(cloth)) == 0
        assert not fc.intersects(cloth, body)
    near, pushed, zones = np.sum(counts, axis=0)
    print(f"{meshes[0].n_faces:,} triangles on {meshes[1].n_faces:,}, {options.steps} steps, no intersection")
    print(f"{near:,} repulsions, {pushed:,} impulses, {zones:,} rigid zones")
    assert near > 0
    if options.picture:
        draw(meshes, states, counts, options.picture)


if __name__ == "__main__":
    main()
