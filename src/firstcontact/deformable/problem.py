"""From moving meshes to what the search works on: joined surfaces, swept bounds, fitted trees."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.bounds.swept_bounds import union_bounds, vertex_bounds
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import ROUNDED_UP, FeatureOptions
from firstcontact.deformable.left_out import LeftOut
from firstcontact.deformable.mesh_tree import CONES_FROM, smooth_nodes, tree_of
from firstcontact.deformable.surface import (
    OWN_EDGES,
    OWNS_ALL,
    OWNS_CORNERS,
    Offsets,
    Surface,
    Topology,
    joined_positions,
    joined_topology,
    topology_in,
    topology_of,
)
from firstcontact.deformable.timed_bounds import are_fast, bounds_at_ends
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.traversal import Pairing
from firstcontact.hierarchy.tree import Tree
from firstcontact.hierarchy.update import FittedTree, refitted
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving


class Problem(NamedTuple):
    """Moving meshes made ready for a search: one of them, or two.

    min_separation : beside the radii of features; below 0, those are less than they are
    only_closing : whether pairs that touch at the start and part are left out
    left_out : which pairs are not asked for; None where all are
    """

    meshes: tuple[Mesh, ...]
    surface: Surface
    pairing: Pairing
    offsets: Offsets
    trees: Sequence[FittedTree]
    depths: tuple[int, int]
    culling: Culling
    min_separation: float
    seconds: float
    only_closing: bool = False
    left_out: LeftOut | None = None

    @property
    def is_self(self) -> bool:
        """Is this one mesh, sought for contacts with itself?"""
        return self.pairing.is_self

    @property
    def is_touch(self) -> bool:
        """Have all features to touch, as there is no separation, and no radius?"""
        return self.min_separation == 0.0 and max(mesh.thickness for mesh in self.meshes) == 0.0


def pose_problem(
    things: Sequence[Moving], min_separation: float, culling: Culling, known: Sequence[Tree] | None = None
) -> Problem:
    """Bound everything over the whole step and fit the trees, one mesh alone or two against each other.

    known : trees to take as they are, whatever the meshes had before
    """
    began = perf_counter()
    topology, offsets = joined_topology(
        [topology_of(thing.surface) for thing in things], things[0].surface.n_vertices
    )
    if not culling.representatives:
        topology = topology._replace(owned=np.full_like(topology.owned, OWNS_ALL))
    if any(thing.shape.is_cloud for thing in things):
        topology = topology._replace(owned=_counted(topology, things, offsets))
    surface = _bounded(*joined_positions(things), topology, culling.dop, min_separation, 1.0)
    parts = parts_of_faces(surface.face_bounds, offsets, len(things))
    if known is None:
        trees = [tree_of(thing.surface, part) for thing, part in zip(things, parts, strict=True)]
    else:
        trees = [refitted(tree, part) for tree, part in zip(known, parts, strict=True)]
    is_self = len(things) == 1
    meshes = tuple(thing.surface for thing in things)
    # With a separation or a thickness smooth regions prove nothing, and strands have none.
    if is_self and min_separation == 0.0 and not meshes[0].is_cloud and not meshes[0].is_thick:
        is_quiet = quiet_nodes(meshes[0], trees[0], surface, culling)
    else:
        is_quiet = np.zeros(len(trees[0].tree.children), np.bool_)
    pairing = Pairing(
        trees[0].tree.children,
        trees[0].node_bounds,
        trees[-1].tree.children,
        trees[-1].node_bounds,
        0 if is_self else offsets.face,
        is_self,
        culling.triangle_bounds,
        is_quiet,
    )
    if culling.triangle_bounds and are_fast(surface):
        pairing = _timed(pairing, surface, trees, offsets, min_separation)
    depths = trees[0].tree.depth, trees[-1].tree.depth
    seconds = perf_counter() - began
    return Problem(meshes, surface, pairing, offsets, trees, depths, culling, min_separation, seconds)


def _timed(
    pairing: Pairing, surface: Surface, trees: Sequence[FittedTree], offsets: Offsets, min_separation: float
) -> Pairing:
    """The same pairing, with bounds at both ends of the step."""
    margins = _margins(min_separation, surface.vertex_radii)
    ends = bounds_at_ends(surface.vertices_t0, surface.vertices_t1, margins, surface.faces)
    parts = parts_of_faces(ends, offsets, len(trees))
    fitted = [refit(tree.tree, part) for tree, part in zip(trees, parts, strict=True)]
    return pairing._replace(ends_a=fitted[0], ends_b=fitted[-1])


def _counted(topology: Topology, things: Sequence[Moving], offsets: Offsets) -> NDArray[np.uint8]:
    """What faces own, of points and strands no more than their elements, and of others what meets these."""
    owned = topology.owned.copy()
    parts = slice(offsets.face), slice(offsets.face, None)
    for part, thing, other in zip(parts, things, (things[-1], things[0]), strict=False):
        if other.shape.is_cloud:  # it has no faces for vertices to touch
            owned[part] &= np.uint8(OWNS_ALL - OWNS_CORNERS)
        elif isinstance(thing.shape, Points):  # its points touch faces, and so all that these have
            owned[part] &= np.uint8(OWNS_CORNERS)
        if thing.shape.is_cloud:  # three times the same edge
            owned[part] &= np.uint8(OWNS_CORNERS | OWN_EDGES)
    return owned


def narrowed(problem: Problem, end: float) -> Problem:
    """Bound everything over the times up to `end` only, in the same trees."""
    surface, pairing, offsets, trees = problem[1:5]
    ends, topology = (surface.vertices_t0, surface.vertices_t1), topology_in(surface)
    bounded = _bounded(*ends, topology, problem.culling.dop, problem.min_separation, end)
    parts = parts_of_faces(bounded.face_bounds, offsets, len(trees))
    bounds = [refit(tree.tree, part) for tree, part in zip(trees, parts, strict=True)]
    return problem._replace(
        surface=bounded, pairing=pairing._replace(bounds_a=bounds[0], bounds_b=bounds[-1])
    )


def feature_options(problem: Problem, max_time: float, time_tolerance: float) -> FeatureOptions:
    """Ask for contacts up to a time."""
    culling = problem.culling
    return FeatureOptions(
        max_time,
        time_tolerance,
        problem.min_separation,
        problem.is_touch,
        culling.feature_bounds,
        culling.non_penetration,
    )


def _margins(min_separation: float, radii: Array) -> Array:
    """Half the separation, for each of two sides, and radii; rounded up, where half of it would be zero."""
    half = float(np.nextafter(0.5 * min_separation, np.inf)) if min_separation > 0.0 else 0.0
    margins: Array = np.where(radii > 0.0, (half + radii) * ROUNDED_UP, half)
    return margins


def _bounded(
    vertices_t0: Array, vertices_t1: Array, topology: Topology, dop: int, min_separation: float, end: float
) -> Surface:
    margins = _margins(min_separation, topology.vertex_radii)
    bounds = vertex_bounds(vertices_t0, vertices_t1, dop, margins, end)
    face_bounds = union_bounds(bounds, topology.faces)
    edge_bounds = face_bounds if _are_edges(topology) else union_bounds(bounds, topology.edges)
    return Surface(vertices_t0, vertices_t1, *topology, bounds, edge_bounds, face_bounds)


def _are_edges(topology: Topology) -> bool:
    """Is each face no more than the edge with its number, as those of points and strands are?"""
    edges, faces = topology.edges, topology.faces
    return np.array_equal(faces[:, :2], edges) and np.array_equal(faces[:, 1], faces[:, 2])


def parts_of_faces(face_bounds: Array, offsets: Offsets, n_things: int) -> list[Array]:
    """Bounds of the faces of each mesh."""
    return [face_bounds] if n_things == 1 else [face_bounds[: offsets.face], face_bounds[offsets.face :]]


def quiet_nodes(mesh: Mesh, tree: FittedTree, surface: Surface, culling: Culling) -> NDArray[np.bool_]:
    """Nodes of the tree of a mesh alone whose faces cannot touch each other."""
    if culling.normal_cones and len(surface.faces) >= CONES_FROM:
        return smooth_nodes(mesh, tree.tree, surface)
    return np.zeros(len(tree.tree.children), np.bool_)
