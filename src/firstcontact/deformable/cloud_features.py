"""Points and strands that deform: which of their features count, the radii around them, and their names.

To the search they are faces without area. Of a face that is a segment only one of three edges counts, which
is the segment; of one that is a point, its edge, which is that point. With each other, edges are all there
is: two segments that touch are two closed edges that touch. With a mesh, points touch its faces, segments
its edges.

The search looks for pairs within the largest radii that there are. What it finds is asked again, pair by
pair, with the radii of the two where those are less.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.rows import Rows
from firstcontact.deformable.settle import corner_ids, pair_points, take
from firstcontact.narrowphase.elementary.elementary_ccd import decide_exactly, solve_queries
from firstcontact.narrowphase.elementary.elementary_query import SEPARATED, Options
from firstcontact.shapes.cloud import Cloud
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.strands import Strands
from firstcontact.status import ContactKind


def within_radii(
    problem: Problem, found: FeaturesFound, min_separation: float, time_tolerance: float, exact: bool
) -> FeaturesFound:
    """Keep the contacts of features with their own radii; neighbours along a strand are none."""
    found = take(found, ~_are_neighbours(problem, found))
    reach = _radii(problem, found) + min_separation
    # As far as the search went, but for what a sum is rounded up by.
    asked_again = np.flatnonzero(widened(reach) < problem.min_separation)
    for separation in np.unique(reach[asked_again]):
        for is_edge_edge in (False, True):
            rows = asked_again[
                (reach[asked_again] == separation) & (found.is_edge_edge[asked_again] == is_edge_edge)
            ]
            if len(rows) > 0:
                own = Options(is_edge_edge, 1.0, time_tolerance, float(widened(separation)))
                _ask_again(problem, found, rows, own, exact)
    return take(found, found.status != SEPARATED)


def widened(lengths: Array) -> Array:
    """Lengths that are sums, a little longer than what rounding took off; none stays none."""
    wider: Array = lengths * (1.0 + 2.0**-50)
    return wider


def _ask_again(
    problem: Problem, found: FeaturesFound, rows: NDArray[np.intp], options: Options, exact: bool
) -> None:
    """Let the elementary test decide pairs with a separation of their own."""
    corners = corner_ids(problem.surface, options.is_edge_edge, found.ids[rows])
    start, end = pair_points(problem.surface, corners)
    answers = solve_queries(start, end, options)
    if exact:
        decide_exactly(start, end, options, answers)
    found.status[rows], found.time[rows] = answers.status, answers.time
    found.time_upper[rows] = answers.time_upper


def _radii(problem: Problem, found: FeaturesFound) -> Array:
    """The sum of the radii of each pair."""
    of_edges = np.concatenate([edge_radii(mesh) for mesh in problem.meshes])
    of_points = np.concatenate([_point_radii(mesh) for mesh in problem.meshes])
    sums = np.empty(len(found.time))
    is_edges, ids = found.is_edge_edge, found.ids
    sums[is_edges] = of_edges[ids[is_edges, 0]] + of_edges[ids[is_edges, 1]]
    sums[~is_edges] = of_points[ids[~is_edges, 0]]  # faces that touch are a mesh's
    return sums


def edge_radii(mesh: Mesh) -> Array:
    """The radius of the element that each edge is, (k,); 0 of a mesh."""
    radii = np.zeros(len(mesh.edges))
    if mesh.is_cloud:
        radii[mesh.face_edges[:, 0]] = mesh.radii
    return radii


def _point_radii(mesh: Mesh) -> Array:
    """The largest radius of an element that ends in each vertex, (n,)."""
    radii = np.zeros(mesh.n_vertices)
    if mesh.is_cloud:
        np.maximum.at(radii, mesh.faces[:, :2].reshape(-1), np.repeat(mesh.radii, 2))
    return radii


def _are_neighbours(problem: Problem, found: FeaturesFound) -> NDArray[np.bool_]:
    """Pairs of one strand so close along it, as it was made, that their radii reach that far."""
    mesh, n = problem.meshes[0], len(found.time)
    if not (problem.is_self and isinstance(mesh, Strands)) or n == 0:
        return np.zeros(n, np.bool_)
    elements = _elements(mesh)[found.ids]
    first, second = elements.min(axis=1), elements.max(axis=1)
    lengths = np.linalg.norm(np.diff(mesh.positions, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    between = along[mesh.segments[second, 0]] - along[mesh.segments[first, 1]]
    strands, reach = mesh.strand_ids, mesh.radii[first] + mesh.radii[second]
    near: NDArray[np.bool_] = (strands[first] == strands[second]) & (between <= reach)
    return near


def _elements(mesh: Mesh) -> Ids:
    """The element that each edge of a cloud is, (k,); -1 of those that are none."""
    ids = np.full(len(mesh.edges), -1, np.int32)
    ids[mesh.face_edges[:, 0]] = np.arange(mesh.n_faces, dtype=np.int32)
    return ids


def named_elements(rows: Rows, problem: Problem) -> Rows:
    """Name what touches of clouds by their elements and points, and put places between the surfaces."""
    meshes: Sequence[Mesh] = (problem.meshes[0], problem.meshes[-1])
    kind, ids, radii = rows.kind.copy(), [rows.ids_a.copy(), rows.ids_b.copy()], np.zeros((2, len(rows.kind)))
    for number in np.unique(rows.kind).tolist():
        which, words = rows.kind == number, ContactKind(number).name.split("_")
        for side, mesh in enumerate(meshes):
            if not isinstance(mesh, Cloud):
                continue
            own = ids[side][which]
            if words[side] == "EDGE":
                words[side], radii[side, which] = mesh.element, edge_radii(mesh)[own]
                ids[side][which] = _elements(mesh)[own]
            else:
                words[side], radii[side, which] = "POINT", _point_radii(mesh)[own]
        kind[which] = ContactKind["_".join(words)]
    points = rows.points + 0.5 * (radii[0] - radii[1])[:, np.newaxis] * rows.normals
    named = rows._replace(kind=kind, ids_a=ids[0], ids_b=ids[1], points=points)
    order = np.lexsort((named.ids_b, named.ids_a, named.kind, named.time))
    return Rows._make(column[order] for column in named)
