"""From moving meshes to what the search works on: joined surfaces, swept bounds, fitted trees."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.bounds.swept_bounds import LinearMotion, feature_bounds
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import ROUNDED_UP, FeatureOptions
from firstcontact.deformable.joined_meshes import fitted_forest, joined, smooth_nodes
from firstcontact.deformable.left_out import LeftOut
from firstcontact.deformable.surface import (
    OWN_EDGES,
    OWNS_ALL,
    OWNS_CORNERS,
    Starts,
    Surface,
    Topology,
    joined_positions,
    topology_in,
)
from firstcontact.deformable.timed_bounds import are_fast, bounds_at_ends
from firstcontact.hierarchy.forest import Forest, refit_forest
from firstcontact.hierarchy.traversal import NOT_ASKED, NOT_QUIET, SMOOTH, Pairing
from firstcontact.hierarchy.tree import Tree
from firstcontact.hierarchy.update import Action
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving


class Problem(NamedTuple):
    """Moving meshes made ready for a search: one of them, or several.

    is_asked : which of them are sought for contacts with themselves; all are, with each other
    forest, trees, actions : over the faces, one tree a mesh, and what was done to it
    min_separation : beside the radii of features; below 0, those are less than they are
    only_closing : whether pairs that touch at the start and part are left out
    left_out : which pairs are not asked for; None where all are
    """

    meshes: tuple[Mesh, ...]
    is_asked: tuple[bool, ...]
    surface: Surface
    pairing: Pairing
    starts: Starts
    forest: Forest
    trees: tuple[Tree, ...]
    actions: tuple[Action, ...]
    culling: Culling
    min_separation: float
    seconds: float
    only_closing: bool = False
    left_out: LeftOut | None = None

    @property
    def is_touch(self) -> bool:
        """Have all features to touch, as there is no separation, and no radius?"""
        return self.min_separation == 0.0 and max(mesh.thickness for mesh in self.meshes) == 0.0


def pose_problem(
    things: Sequence[Moving],
    min_separation: float,
    culling: Culling,
    known: Sequence[Tree] | None = None,
    is_asked: Sequence[bool] | None = None,
    are_settled: Sequence[bool] | None = None,
) -> Problem:
    """Bound everything over the whole step and fit the trees.

    known : trees to take as they are, whatever the meshes had before
    is_asked : which things are sought for contacts with themselves; unless told, one that is alone
    are_settled : things that are not sought for contacts with each other, nor with themselves
    """
    began = perf_counter()
    meshes = tuple(thing.surface for thing in things)
    asked = (len(things) == 1,) * len(things) if is_asked is None else tuple(is_asked)
    topology, starts = joined(meshes)
    if not culling.representatives:
        topology = topology._replace(owned=np.full_like(topology.owned, OWNS_ALL))
    if any(mesh.is_cloud for mesh in meshes):
        topology = topology._replace(owned=_counted(topology, meshes, starts))
    surface = _bounded(*joined_positions(things), topology, culling.dop, min_separation, 1.0)
    fitted = fitted_forest(meshes, starts, surface.face_bounds, known, are_settled)
    children, bounds = fitted.forest.children, fitted.node_bounds
    nowhere = np.zeros(len(children), np.int8)
    pairing = Pairing(children, bounds, culling.triangle_bounds, nowhere)
    if culling.triangle_bounds and are_fast(surface):
        pairing = _timed(pairing, surface, fitted.forest, min_separation)
    forest, trees, actions = fitted.forest, fitted.trees, fitted.actions
    problem = Problem(
        meshes, asked, surface, pairing, starts, forest, trees, actions, culling, min_separation, 0.0
    )
    quiet = quiet_nodes(problem, surface)
    return problem._replace(pairing=pairing._replace(quiet=quiet), seconds=perf_counter() - began)


def _timed(pairing: Pairing, surface: Surface, forest: Forest, min_separation: float) -> Pairing:
    """The same pairing, with bounds at both ends of the step."""
    margins = _margins(min_separation, surface.vertex_radii)
    ends = bounds_at_ends(surface.vertices_t0, surface.vertices_t1, margins, surface.faces)
    fitted = refit_forest(forest, ends)
    return pairing._replace(ends=fitted)


def _counted(topology: Topology, meshes: Sequence[Mesh], starts: Starts) -> NDArray[np.uint8]:
    """What faces own, of points and strands no more than their elements, and of others what meets these."""
    owned = topology.owned.copy()
    for k, (mesh, other) in enumerate(zip(meshes, (meshes[-1], meshes[0]), strict=False)):
        part = slice(starts.face[k], starts.face[k + 1])
        if other.is_cloud:  # it has no faces for vertices to touch
            owned[part] &= np.uint8(OWNS_ALL - OWNS_CORNERS)
        elif isinstance(mesh, Points):  # its points touch faces, and so all that these have
            owned[part] &= np.uint8(OWNS_CORNERS)
        if mesh.is_cloud:  # three times the same edge
            owned[part] &= np.uint8(OWNS_CORNERS | OWN_EDGES)
    return owned


def narrowed(problem: Problem, end: float) -> Problem:
    """Bound everything over the times up to `end` only, in the same trees."""
    surface = problem.surface
    ends, topology = (surface.vertices_t0, surface.vertices_t1), topology_in(surface)
    bounded = _bounded(*ends, topology, problem.culling.dop, problem.min_separation, end)
    bounds = refit_forest(problem.forest, bounded.face_bounds)
    return problem._replace(surface=bounded, pairing=problem.pairing._replace(bounds=bounds))


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
    if not radii.any():
        return np.full(len(radii), half)
    margins: Array = np.where(radii > 0.0, (half + radii) * ROUNDED_UP, half)
    return margins


def _bounded(
    vertices_t0: Array, vertices_t1: Array, topology: Topology, dop: int, min_separation: float, end: float
) -> Surface:
    margins = _margins(min_separation, topology.vertex_radii)
    motion, faces = LinearMotion(vertices_t0, vertices_t1, margins, end), topology.faces
    if _are_edges(topology):
        bounds, face_bounds, _ = feature_bounds(motion, dop, faces, faces[:0, :2])
        return Surface(vertices_t0, vertices_t1, *topology, bounds, face_bounds, face_bounds)
    bounds, face_bounds, edge_bounds = feature_bounds(motion, dop, faces, topology.edges)
    return Surface(vertices_t0, vertices_t1, *topology, bounds, edge_bounds, face_bounds)


def _are_edges(topology: Topology) -> bool:
    """Is each face no more than the edge with its number, as those of points and strands are?"""
    edges, faces = topology.edges, topology.faces
    return (
        len(edges) == len(faces)
        and np.array_equal(faces[:, :2], edges)
        and np.array_equal(faces[:, 1], faces[:, 2])
    )


def may_touch(problem: Problem) -> bool:
    """May any of what is asked about touch, by the bounds of whole things?"""
    if any(problem.is_asked) or not problem.culling.triangle_bounds:
        return len(problem.pairing.children) > 0
    children, roots, _, gathered = problem.forest
    n_above = int(roots[0]) if gathered < 0 else gathered
    below = children[:n_above][children[:n_above] >= n_above]
    low, high = np.split(problem.pairing.bounds[below], 2, axis=1)
    return any(
        bool(np.any(np.all((low[k] <= high[:k]) & (low[:k] <= high[k]), axis=1))) for k in range(len(low))
    )


def quiet_nodes(problem: Problem, surface: Surface, is_still: bool = False) -> NDArray[np.int8]:
    """Nodes that are not sought for pairs within: of meshes not asked about themselves, and smooth ones.

    surface : as it moves; of regions that are smooth meanwhile, no two features touch
    is_still : whether edges are sought that pass through faces, which no features do that are near
    """
    forest, culling = problem.forest, problem.culling
    # With a separation or a thickness smooth regions prove nothing of what is near, and strands have none.
    has_regions = is_still or problem.min_separation == 0.0
    can_be_smooth = [
        has_regions and asked and not mesh.is_cloud and (is_still or not mesh.is_thick)
        for mesh, asked in zip(problem.meshes, problem.is_asked, strict=True)
    ]
    quiet = np.full(len(forest.children), NOT_QUIET, np.int8)
    if culling.normal_cones and any(can_be_smooth):
        is_smooth = smooth_nodes(
            problem.meshes, problem.starts, forest, problem.trees, can_be_smooth, surface
        )
        if is_smooth is not None:
            quiet[is_smooth] = SMOOTH
    if not all(problem.is_asked):
        is_left = (np.diff(forest.roots) > 0) & ~np.array(problem.is_asked)
        quiet[forest.roots[:-1][is_left]] = NOT_ASKED
    if forest.gathered >= 0:
        quiet[forest.gathered] = NOT_ASKED
    return quiet
