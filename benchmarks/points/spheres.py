"""Trees of spheres: how far those of each method stick out, and what they would save before swept spheres.

Three closed meshes of the benchmark `rigid`, as solids. The deviation is what is proven of each level, in
hundredths of the longest side; seconds are those of the whole tree, by the clock, with what is proven.

**As a filter.** Pairs of the same mesh in random poses, from touching to far apart. The spheres of a level,
as one shape, hold the mesh: where they are apart, it is. How often they prove that, of all pairs that are
apart; what that takes, and what the mesh takes by its swept spheres; and what a pose then takes in the mean,
if only those that are left are asked of the mesh. It pays where that is less than the mesh alone.

**As a bound.** How far apart the spheres are is never more than how far the meshes are: which part of that
they prove, in the mean, and what it takes beside the true distance.

Microseconds a pose of a batch, of the processor, on one thread, least of some rounds taken in turns.
"""

from time import perf_counter
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from points.posed import Poses, in_turns, random_poses
from report.section import Part, Run, Table
from rigid.models import cad_piece, gear, torus_knot

METHODS = "octree", "grid", "medial", "least-squares"
MODELS = {"torus knot": torus_knot, "gear": gear, "CAD piece": cad_piece}
ROUNDS = 5


def spheres(run: Run) -> Part:
    """Three meshes by four methods."""
    levels, n = (3, 500) if run.quick else (4, 4_000)
    numba.set_num_threads(1)
    heads = [f"level {k}: spheres, deviation" for k in range(levels)]
    built: list[tuple[str, ...]] = [("mesh", "method", *heads, "seconds")]
    asked = [
        ("mesh", "method", "spheres", "apart proven", "the mesh", "the spheres", "with the filter", "parts")
    ]
    bounding = [("mesh", "method", "spheres", "distance proven", "the mesh", "the spheres", "parts")]
    figures: list[tuple[object, ...]] = []
    for name, make in MODELS.items():
        mesh = fc.Mesh(*make())
        size = float(np.ptp(mesh.vertices, axis=0).max())
        fc.signed_distance(mesh, mesh.vertices[:1])  # what is kept of a mesh is made before
        poses = random_poses(size, n, 0.5, 2.0)
        for method in METHODS:
            began = perf_counter()
            tree = mesh.sphere_tree(levels, method=method)
            seconds, parts = perf_counter() - began, 100.0 * tree.deviation / size
            cells = [f"{n}, {part:.1f}" for n, part in zip(tree.counts, parts, strict=True)]
            built.append((name, method, *cells, f"{seconds:.2f}"))
            figures.append((name, method, tree.counts.tolist(), parts.tolist(), seconds))
            for level in range(levels):
                seen = _filtered(mesh, tree.as_points(level), poses)
                figures.append((name, method, level, *seen))
                times = seen.mesh, seen.spheres, seen.both
                row = (f"{seen.proven:.0%}", *(f"{x:.2f}" for x in times), f"{seen.both / seen.mesh:.2f}")
                asked.append((name, method, f"{tree.counts[level]}", *row))
                bound = _bounded(mesh, tree.as_points(level), poses[: n // 20])
                figures.append((name, method, level, *bound))
                row = (f"{bound.proven:.0%}", f"{bound.mesh:.1f}", f"{bound.spheres:.1f}")
                bounding.append(
                    (name, method, f"{tree.counts[level]}", *row, f"{bound.spheres / bound.mesh:.2f}")
                )
    note = "deviation in hundredths of the longest side"
    told = "microseconds a pose of a batch, whether two of the same mesh touch; and parts of the mesh alone"
    tables = (
        Table("Spheres that cover meshes", built, n_left=2, note=note),
        Table("Spheres as a filter", asked, n_left=2, note=told),
        Table(
            "Spheres as a bound",
            bounding,
            n_left=2,
            note="microseconds a pose, how far apart two of them are",
        ),
    )
    return Part(tables=tables, figures=figures)


class Filtered(NamedTuple):
    """Which part of the poses that are apart spheres prove to be so, and microseconds a pose."""

    proven: float
    mesh: float
    spheres: float
    both: float


class Bounded(NamedTuple):
    """Which part of the distance, in the mean, spheres prove, and microseconds a pose."""

    proven: float
    mesh: float
    spheres: float


def _filtered(mesh: fc.Mesh, points: fc.Points, poses: Poses) -> Filtered:
    """Ask the mesh alone, the spheres, and the mesh where these leave it open."""
    are_met, are_left = _touch(mesh, poses), _touch(points, poses)
    if (are_met & ~are_left).any():
        raise AssertionError("spheres are apart where the mesh is not")
    whole, filtering, rest = in_turns(_touch, ROUNDS, (mesh, poses), (points, poses), (mesh, poses[are_left]))
    proven = float((~are_left).sum() / max((~are_met).sum(), 1))
    return Filtered(proven, whole, filtering, filtering + rest * float(are_left.mean()))


def _bounded(mesh: fc.Mesh, points: fc.Points, poses: Poses) -> Bounded:
    """Measure the mesh, and the spheres around it, which are never farther away."""
    true, lower = _distances(mesh, poses), _distances(points, poses)
    if (lower > true).any():
        raise AssertionError("spheres are farther away than the mesh")
    apart = true > 0.0
    return Bounded(
        float((lower[apart] / true[apart]).mean()),
        *in_turns(_distances, ROUNDS, (mesh, poses), (points, poses)),
    )


def _touch(shape: fc.Mesh | fc.Points, poses: Poses) -> NDArray[np.bool_]:
    return np.asarray(fc.intersects(shape.at(np.eye(4)), shape.at(poses)))


def _distances(shape: fc.Mesh | fc.Points, poses: Poses) -> NDArray[np.float64]:
    return np.asarray(fc.distance(shape.at(np.eye(4)), shape.at(poses)).distance)
