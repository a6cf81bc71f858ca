"""Segments of one strand that are close along it: they touch by how a strand is made, which is no contact."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.deformable.problem import Problem
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.strands import Strands


def has_strand_neighbors(problem: Problem) -> bool:
    """Are these strands, sought for contacts with themselves?"""
    return len(problem.meshes) == 1 and isinstance(problem.meshes[0], Strands)


def are_along_a_strand(problem: Problem, pairs: Ids) -> NDArray[np.bool_]:
    """Which pairs of edges (n, 2) are so close along a strand, as it was made, that their radii reach so far?

    Of strands with themselves alone, where all pairs are of edges.
    """
    mesh = problem.meshes[0]
    assert isinstance(mesh, Strands)
    first, second = np.minimum(*pairs.T), np.maximum(*pairs.T)  # edges have the numbers of their segments
    along, strands = _lengths_along(mesh), mesh.strand_ids
    between = along[mesh.segments[second, 0]] - along[mesh.segments[first, 1]]
    reach = mesh.radii[first] + mesh.radii[second]
    near: NDArray[np.bool_] = (strands[first] == strands[second]) & (between <= reach)
    return near


@OnceForEachMesh
def _lengths_along(mesh: Mesh) -> Array:
    """How far each point is along all strands, one behind the other, as they were made."""
    lengths = np.linalg.norm(np.diff(mesh.vertices, axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(lengths)])
