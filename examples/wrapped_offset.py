"""Beads in a ring are wrapped: an offset around all of them, which then shrinks onto them like foil.

Shows `DistanceField.mesh`: the surface at a level is closed, whatever gaps of the shape close on the way. And
`contacts` of its vertices with the field: while the skin pulls itself tight, those that come too near are put
back, along the normal, by what they are too near.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
import trimesh
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import firstcontact as fc

N_BEADS, BEAD, RING = 9, 0.3, 1.0
OUT, GAP = 0.16, 0.03
TOLERANCE = 0.015
STEPS = 60


def beads():
    """Balls in a ring, with gaps between them, as one mesh."""
    ball = trimesh.creation.icosphere(subdivisions=2, radius=BEAD)
    angles = np.linspace(0, 2 * np.pi, N_BEADS, endpoint=False)
    middles = RING * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    return fc.Mesh.from_trimesh(
        trimesh.util.concatenate([ball.copy().apply_translation(middle) for middle in middles])
    )


def links(mesh):
    """Matrix with a one for each two vertices that an edge joins."""
    i, j = np.concatenate([mesh.edges, mesh.edges[:, ::-1]]).T
    return coo_array((np.ones(len(i)), (i, j)), shape=(mesh.n_vertices,) * 2).tocsr()


def shrunk(mesh, field):
    """Let each vertex go to the mean of its neighbours, but no nearer to the shape than the gap."""
    joined = links(mesh)
    mean_of, places = joined / joined.sum(axis=1)[:, None], mesh.vertices.copy()
    for _ in range(STEPS):
        places = 0.5 * places + 0.5 * (mean_of @ places)
        near = fc.contacts(places, field, within=GAP)
        back = np.maximum(GAP - near.distance, 0)
        places[near.vertex_ids] += back[:, None] * near.normals
    return fc.Mesh(places, mesh.faces)


def draw(states, field, path):
    """Write a picture: the skins, lit, and a slice of the field."""
    from matplotlib import pyplot as plt
    from matplotlib.colors import LightSource
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(12.5, 3.9), layout="constrained")
    for column, (title, (mesh, color)) in enumerate(states.items()):
        axes = figure.add_subplot(1, 3, column + 1, projection="3d", box_aspect=(1, 1, 0.4), title=title)
        lit = Poly3DCollection(
            mesh.vertices[mesh.faces], facecolors=color, shade=True, lightsource=LightSource(70, 50)
        )
        axes.add_collection3d(lit)
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), zlim=(-0.46, 0.46))
        axes.view_init(42, 20)
        axes.set_axis_off()
    fc.plot(field, plane="z=0", ax=figure.add_subplot(1, 3, 3), title="distances to the beads")
    figure.savefig(path, dpi=85)


def main():
    """Wrap the beads, and see how near the skin is to them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    body = beads()
    fc.DistanceField.of(fc.Box([1, 1, 1]).mesh, tolerance=0.2)  # compiles, before the clock starts
    began = perf_counter()
    field = fc.DistanceField.of(body, tolerance=TOLERANCE, margin=1.5 * OUT)
    print(f"the field: {field.n_cells:,} cells, in {perf_counter() - began:.1f} s")
    outer = field.mesh(level=OUT)
    n_parts = connected_components(links(outer))[0]
    print(f"the offset by {OUT}: {outer.n_faces:,} triangles, {n_parts} part of {N_BEADS} beads")
    assert n_parts == 1

    began = perf_counter()
    skin = shrunk(outer, field)
    areas = [trimesh.Trimesh(one.vertices, one.faces, process=False).area for one in (outer, skin)]
    print(
        f"{STEPS} steps in {perf_counter() - began:.1f} s: area {areas[0]:.2f} before, {areas[1]:.2f} after"
    )

    # What the field calls outside by more than its tolerance is outside: here, as all faces have it.
    gaps = fc.signed_distance(body, skin.vertices).distance
    print(
        f"the skin is {gaps.min():.3f} to {gaps.max():.3f} from the beads; {np.mean(gaps < 0.06):.0%} on them"
    )
    assert gaps.min() > 0
    if options.picture:
        states = {f"offset by {OUT}": (outer, "#8fb8de"), "shrunk onto the beads": (skin, "#e0a458")}
        draw(states, field, options.picture)


if __name__ == "__main__":
    main()
