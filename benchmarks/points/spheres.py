"""Trees of spheres: how far those of each method stick out, and what they would save before swept spheres.

Three closed meshes of the benchmark `rigid`, as solids. The deviation is what is proven of each level, in
hundredths of the longest side; seconds are those of the whole tree, by the clock, with what is proven.

**As a filter.** Pairs of the same mesh in random poses, from touching to far apart. The spheres of a level,
as one shape, hold the mesh: where they are apart, it is. How often they prove that, of all pairs that are
apart; what that takes, and what the mesh takes by its swept spheres; and what a pose then takes in the mean,
if only those that are left are asked of the mesh. It pays where that is less than the mesh alone.
Microseconds a pose of a batch, of the processor, on one thread.
"""

from time import perf_counter, process_time

import numba
import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from report.section import Part, Run, Table
from rigid.models import cad_piece, gear, torus_knot

METHODS = "octree", "grid", "medial", "least-squares"
MODELS = {"torus knot": torus_knot, "gear": gear, "CAD piece": cad_piece}
ROUNDS = 3

Poses = NDArray[np.float64]


def spheres(run: Run) -> Part:
    """Three meshes by four methods."""
    levels, n = (3, 500) if run.quick else (4, 4_000)
    numba.set_num_threads(1)
    heads = [f"level {k}: spheres, deviation" for k in range(levels)]
    built: list[tuple[str, ...]] = [("mesh", "method", *heads, "seconds")]
    asked = [("mesh", "method", "spheres", "apart proven", "the spheres", "the mesh", "with the filter")]
    figures = []
    for name, make in MODELS.items():
        mesh = fc.Mesh(*make())
        size = float(np.ptp(mesh.vertices, axis=0).max())
        fc.signed_distance(mesh, mesh.vertices[:1])  # what is kept of a mesh is made before
        poses = _poses(size, n)
        whole, are_met = _least(mesh, poses)
        for method in METHODS:
            began = perf_counter()
            tree = mesh.sphere_tree(levels, method=method)
            seconds, parts = perf_counter() - began, 100.0 * tree.deviation / size
            cells = [f"{n}, {part:.1f}" for n, part in zip(tree.counts, parts, strict=True)]
            built.append((name, method, *cells, f"{seconds:.2f}"))
            figures.append((name, method, tree.counts.tolist(), parts.tolist(), seconds))
            for level in range(levels):
                filtering, are_left = _least(tree.as_points(level), poses)
                if (are_met & ~are_left).any():
                    raise AssertionError(f"spheres of {name} are apart where the mesh is not")
                proven = float((~are_left).sum() / max((~are_met).sum(), 1))
                rest, _ = _least(mesh, poses[are_left]) if are_left.any() else (0.0, are_left)
                both = filtering + rest * float(are_left.mean())
                row = (
                    f"{tree.counts[level]}",
                    f"{proven:.0%}",
                    *(f"{x:.2f}" for x in (filtering, whole, both)),
                )
                asked.append((name, method, *row))
                figures.append((name, method, level, proven, filtering, whole, both))
    note = "deviation in hundredths of the longest side"
    told = "microseconds a pose of a batch, whether two of the same mesh touch"
    tables = (
        Table("Spheres that cover meshes", built, n_left=2, note=note),
        Table("Spheres as a filter", asked, n_left=2, note=told),
    )
    return Part(tables=tables, figures=figures)


def _poses(size: float, n: int) -> Poses:
    """Random poses (n, 4, 4), half a size to two sizes away."""
    rng = np.random.default_rng(0)
    turns, _ = np.linalg.qr(rng.normal(size=(n, 3, 3)))
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = turns * np.linalg.det(turns)[:, np.newaxis, np.newaxis]
    ways = rng.normal(size=(n, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    poses[:, :3, 3] = size * rng.uniform(0.5, 2.0, (n, 1)) * ways
    return poses


def _least(shape: fc.Mesh | fc.Points, poses: Poses) -> tuple[float, NDArray[np.bool_]]:
    """Microseconds a pose, least of some rounds after one that does not count, and which touch."""
    took, found = [], np.empty(0, np.bool_)
    for _ in range(ROUNDS + 1):
        began = process_time()
        found = np.asarray(fc.intersects(shape.at(np.eye(4)), shape.at(poses)))
        took.append(process_time() - began)
    return 1e6 * min(took[1:]) / len(poses), found
