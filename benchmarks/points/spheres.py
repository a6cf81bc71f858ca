"""Trees of spheres: how far those of each method stick out, how many there are, and how long that takes.

Three closed meshes of the benchmark `rigid`, as solids. The deviation is what is proven of each level, in
hundredths of the longest side; seconds are those of the whole tree, by the clock, with what is proven.
"""

from time import perf_counter

import numpy as np

import firstcontact as fc
from report.section import Part, Run, Table
from rigid.models import cad_piece, gear, torus_knot

METHODS = "octree", "grid", "medial", "least-squares"
MODELS = {"torus knot": torus_knot, "gear": gear, "CAD piece": cad_piece}


def spheres(run: Run) -> Part:
    """Three meshes by four methods."""
    levels = 3 if run.quick else 4
    heads = [f"level {k}: spheres, deviation" for k in range(levels)]
    lines: list[tuple[str, ...]] = [("mesh", "method", *heads, "seconds")]
    figures = []
    for name, make in MODELS.items():
        mesh = fc.Mesh(*make())
        size = float(np.ptp(mesh.vertices, axis=0).max())
        fc.signed_distance(mesh, mesh.vertices[:1])  # what is kept of a mesh is made before
        for method in METHODS:
            began = perf_counter()
            tree = mesh.sphere_tree(levels, method=method)
            seconds, parts = perf_counter() - began, 100.0 * tree.deviation / size
            cells = [f"{n}, {part:.1f}" for n, part in zip(tree.counts, parts, strict=True)]
            lines.append((name, method, *cells, f"{seconds:.2f}"))
            figures.append((name, method, tree.counts.tolist(), parts.tolist(), seconds))
    note = "deviation in hundredths of the longest side"
    return Part(tables=(Table("Spheres that cover meshes", lines, n_left=2, note=note),), figures=figures)
