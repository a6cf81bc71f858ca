"""A skin shrinks around a body, as far as each step is proven safe, and never goes through it.

Shows `safe_step` as the limit of a line search, the way in which solvers for contact use it: a direction is
chosen freely, then one asks how much of it may be taken. `contacts` of a skin at rest, with a distance, lists
what is near, so that the next direction leads along the body instead of into it.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
import trimesh
from scipy.sparse import coo_array

import firstcontact as fc

GAP = 0.01  # kept at all times
NEAR = 2 * GAP  # within this, the skin may slide but not approach
STEPS = 100

# Which of the four vertices of a contact belong to the skin.
OWN = {
    fc.ContactKind.VERTEX_FACE: slice(0, 1),
    fc.ContactKind.EDGE_EDGE: slice(0, 2),
    fc.ContactKind.FACE_VERTEX: slice(1, 4),
}


def balls():
    """Four balls at the corners of a tetrahedron, as one mesh."""
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.4)
    corners = 0.45 * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    return fc.Mesh.from_trimesh(trimesh.util.concatenate([ball.copy().apply_translation(c) for c in corners]))


def neighbours(mesh):
    """Matrix that takes values at vertices to the means of their neighbours."""
    i, j = np.concatenate([mesh.edges, mesh.edges[:, ::-1]]).T
    ones = coo_array((np.ones(len(i)), (i, j))).tocsr()
    return ones / ones.sum(axis=1)[:, None]


def direction(skin, places, body, mean_of):
    """Where the skin wants to go: to the means of its neighbours, but no closer to what is near."""
    ahead = places
    for _ in range(10):  # a few times over, for longer steps
        ahead = 0.1 * ahead + 0.9 * (mean_of @ ahead)
    pull = ahead - places
    near = fc.contacts(skin.deforming(places, places), body, min_separation=NEAR)
    for kind, ids, normal in zip(near.kind, near.vertex_ids, near.normals, strict=True):
        own = ids[OWN[kind]]
        pull[own] -= np.maximum(pull[own] @ normal, 0)[:, None] * normal  # normals lead to the body
    return pull


def draw(skin, states, body, path):
    """Write a picture: the skin on its way and at the end, coloured by its distance to the body."""
    from matplotlib import pyplot as plt
    from matplotlib.colors import LightSource
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(10, 4.6), layout="constrained")
    for column, (title, places) in enumerate(states.items()):
        axes = figure.add_subplot(1, 2, column + 1, projection="3d", box_aspect=(1, 1, 1), title=title)
        centers = places[skin.faces].mean(axis=1)
        poses = np.tile(np.eye(4), (len(centers), 1, 1))
        poses[:, :3, 3] = centers
        gaps = fc.distance(fc.Sphere(1e-9).at(poses), body).distance
        colors = plt.colormaps["YlGnBu"](np.clip(gaps / 0.4, 0, 1))
        axes.add_collection3d(
            Poly3DCollection(
                places[skin.faces], facecolors=colors, shade=True, lightsource=LightSource(60, 50)
            )
        )
        axes.set(xlim=(-0.95, 0.95), ylim=(-0.95, 0.95), zlim=(-0.95, 0.95))
        axes.view_init(18, 15)
        axes.set_axis_off()
    scale = plt.cm.ScalarMappable(plt.Normalize(0, 0.4), "YlGnBu")
    figure.colorbar(scale, ax=figure.axes, label="distance to the body", shrink=0.8)
    figure.savefig(path, dpi=90)


def main():
    """Let the skin shrink, and see that it never went through."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    body = balls()
    skin = fc.Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions=4, radius=1.35))
    mean_of, places, shares, states = neighbours(skin), skin.vertices, [], {}
    fc.safe_step(skin.deforming(places, places), body)  # compiles, before the clock starts

    began = perf_counter()
    for step in range(STEPS):
        pull = direction(skin, places, body, mean_of)
        share = fc.safe_step(skin.deforming(places, places + pull), body, min_separation=GAP)
        shares.append(share)
        places = places + 0.9 * share * pull  # not all of it: what is left is the room of the next step
        if step + 1 in (15, STEPS):
            states[f"after {step + 1} steps"] = places
    seconds, short = perf_counter() - began, [share for share in shares if share < 1]
    print(f"{STEPS} steps in {seconds:.1f} s; {len(short)} cut short, to {min(short):.2f} at the least")

    areas = [trimesh.Trimesh(of, skin.faces, process=False).area for of in (skin.vertices, places)]
    gap = fc.distance(fc.Mesh(places, skin.faces), body).distance
    print(f"area {areas[0]:.2f} at the start, {areas[1]:.2f} at the end; least distance {gap:.4f}")
    assert gap >= GAP
    if options.picture:
        draw(skin, states, body, options.picture)


if __name__ == "__main__":
    main()
