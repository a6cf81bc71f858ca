"""Meshes one behind the other, and the trees over their faces, kept from one step to the next.

A solver asks about the same meshes again and again. What does not depend on where they are is put together
once for a list of them, and kept as long as the first of them lives, or until it is the first of another
list; of a mesh alone, as long as that lives. Each mesh has a tree of its own, which stays as it is unless it
becomes loose.
"""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.deformable.mesh_tree import contours_of, tree_of, updated_tree_of
from firstcontact.deformable.normal_cones import flat_nodes
from firstcontact.deformable.regions import Contours
from firstcontact.deformable.surface import Starts, Surface, Topology, joined_topology, topology_of
from firstcontact.hierarchy.forest import Forest, fitted_below, planted, topped
from firstcontact.hierarchy.quality import qualities
from firstcontact.hierarchy.tree import Tree
from firstcontact.hierarchy.update import LOOSE, Action, FittedTree
from firstcontact.shapes.mesh import Mesh

# Faces from which the search gains more by knowing smooth regions than it takes to find them.
CONES_FROM = 1024


class Known(NamedTuple):
    """What is known of a list of meshes.

    meshes : which they are, without keeping them
    topology, starts : of all of them
    fitted : the last tree of each, without bounds; none at first
    below : these one behind the other
    smooth : trees of meshes, or None for some, and the contours over them
    """

    meshes: tuple["ReferenceType[Mesh]", ...]
    topology: Topology
    starts: Starts
    fitted: tuple[FittedTree, ...] = ()
    below: Forest | None = None
    smooth: tuple[tuple[Tree | None, ...], Contours] | None = None


class Fitted(NamedTuple):
    """Trees that fit their faces.

    forest : all of them, and what is above
    node_bounds : (n_nodes, k)
    trees, actions : of each mesh, and what was done to it
    """

    forest: Forest
    node_bounds: Array
    trees: tuple[Tree, ...]
    actions: tuple[Action, ...]


# By the first of the meshes, and of a mesh alone by that. What is there is never written to: of two threads,
# either may leave the last.
_known: WeakKeyDictionary[Mesh, Known] = WeakKeyDictionary()
_known_alone: WeakKeyDictionary[Mesh, Known] = WeakKeyDictionary()


def joined(meshes: Sequence[Mesh]) -> tuple[Topology, Starts]:
    """Topology of meshes one behind the other, and where each begins; do not write to it."""
    known = _of_list(meshes)
    if known is None:
        topology, starts = joined_topology([topology_of(mesh) for mesh in meshes])
        _keep(meshes, Known(tuple(map(ref, meshes)), topology, starts))
        return topology, starts
    return known.topology, known.starts


def fitted_forest(
    meshes: Sequence[Mesh],
    starts: Starts,
    face_bounds: Array,
    trees: Sequence[Tree] | None = None,
    is_gathered: Sequence[bool] | None = None,
) -> Fitted:
    """Fit the trees of meshes to the bounds of their faces, and put a top above them.

    trees : to take as they are, whatever the meshes had before
    is_gathered : meshes whose trees hang from one node
    """
    fitted = _fitted_below(meshes, starts, face_bounds, trees)
    return fitted._replace(forest=topped(fitted.forest, fitted.node_bounds, is_gathered))


def _fitted_below(
    meshes: Sequence[Mesh], starts: Starts, face_bounds: Array, trees: Sequence[Tree] | None
) -> Fitted:
    """Fit the trees, without a top."""
    if trees is not None:
        return _bounded(planted(trees, starts.face), face_bounds, trees, (Action.REFIT,) * len(trees))
    known = _of_list(meshes)
    if known is None or known.below is None:
        fitted = tuple(
            tree_of(mesh, face_bounds[starts.face[k] : starts.face[k + 1]]) for k, mesh in enumerate(meshes)
        )
    else:
        bounds = fitted_below(known.below, face_bounds)
        fitted = _updated(meshes, known, bounds, face_bounds)
        if fitted is known.fitted:
            trees = tuple(one.tree for one in fitted)
            return Fitted(known.below, bounds, trees, (Action.REFIT,) * len(trees))
    return _planted(meshes, starts, face_bounds, fitted)


def _planted(
    meshes: Sequence[Mesh], starts: Starts, face_bounds: Array, fitted: tuple[FittedTree, ...]
) -> Fitted:
    """Put new trees, or some that are new, one behind the other, and keep that."""
    trees = tuple(one.tree for one in fitted)
    below = planted(trees, starts.face)
    known = _of_list(meshes)
    if known is not None:
        kept = tuple(one._replace(node_bounds=np.empty((0, 0)), action=Action.REFIT) for one in fitted)
        _keep(meshes, known._replace(fitted=kept, below=below))
    return _bounded(below, face_bounds, trees, tuple(one.action for one in fitted))


def _bounded(below: Forest, face_bounds: Array, trees: Sequence[Tree], actions: tuple[Action, ...]) -> Fitted:
    return Fitted(below, fitted_below(below, face_bounds), tuple(trees), actions)


def _updated(
    meshes: Sequence[Mesh], known: Known, bounds: Array, face_bounds: Array
) -> tuple[FittedTree, ...]:
    """Trees of which those that are loose by now are repaired, or built anew."""
    assert known.below is not None  # whoever has fitted trees has them one behind the other
    overlaps, _ = qualities(known.below.children, known.below.roots, bounds)
    built = np.array([one.built.overlap for one in known.fitted])
    loose = np.flatnonzero(overlaps > LOOSE * built).tolist()
    if not loose:
        return known.fitted
    fitted, faces = list(known.fitted), known.starts.face
    for k in loose:
        fitted[k] = updated_tree_of(meshes[k], fitted[k], face_bounds[faces[k] : faces[k + 1]])
    return tuple(fitted)


def smooth_nodes(
    meshes: Sequence[Mesh],
    starts: Starts,
    forest: Forest,
    trees: Sequence[Tree],
    is_asked: Sequence[bool],
    surface: Surface,
) -> NDArray[np.bool_] | None:
    """Nodes of which normal cones and contours prove that their faces do not touch each other.

    None where there are so few faces that to look does not pay.

    is_asked : which of the meshes are asked about themselves; of others, no nodes are told
    """
    n_faces = sum(mesh.n_faces for mesh, asked in zip(meshes, is_asked, strict=True) if asked)
    if n_faces < CONES_FROM:
        return None
    told = tuple(tree if asked else None for tree, asked in zip(trees, is_asked, strict=True))
    contours = _joined_contours(meshes, starts, forest, told)
    ends = surface.vertices_t0, surface.vertices_t1
    return flat_nodes(forest.children, surface.faces, contours, *ends)


def _joined_contours(
    meshes: Sequence[Mesh], starts: Starts, forest: Forest, trees: tuple[Tree | None, ...]
) -> Contours:
    """Contours over some of the trees of a forest."""
    known = _of_list(meshes)
    if known is not None and known.smooth is not None and _are_same(known.smooth[0], trees):
        return known.smooth[1]
    parts = [contours_of(meshes[k], tree) for k, tree in enumerate(trees) if tree is not None]
    asked = [k for k, tree in enumerate(trees) if tree is not None]
    if len(meshes) == 1:
        return parts[0]
    together = _behind_each_other(parts, forest.roots[asked], starts.vertex[asked])
    if known is not None:
        _keep(meshes, known._replace(smooth=(trees, together)))
    return together


def _behind_each_other(
    parts: Sequence[Contours], nodes: NDArray[np.int64], vertices: NDArray[np.int64]
) -> Contours:
    """Contours of several trees, by the first node and the first vertex of each."""
    n_nodes, n_ids = [len(part.nodes) for part in parts], [len(part.vertex_ids) for part in parts]
    first_position = np.concatenate(([0], np.cumsum(n_nodes)))[:-1]
    first_id = np.concatenate(([0], np.cumsum(n_ids)))[:-1]
    n_trees = [len(part.subtrees) - 1 for part in parts]
    return Contours(
        (np.concatenate([part.nodes for part in parts]) + np.repeat(nodes, n_nodes)).astype(np.int32),
        _ends([part.subtrees for part in parts], np.repeat(first_position, n_trees)).astype(np.int32),
        _ends([part.offsets for part in parts], np.repeat(first_id, n_nodes)),
        (np.concatenate([part.vertex_ids for part in parts]) + np.repeat(vertices, n_ids)).astype(np.int32),
    )


def _ends(parts: Sequence[NDArray[np.integer]], shifts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where ranges begin, and the last one ends, of lists of them one behind the other."""
    ends = np.concatenate([part[1:] for part in parts]) + shifts
    return np.concatenate(([0], ends)).astype(np.int64)


def _are_same(some: Sequence[object], others: Sequence[object]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))


def _where(meshes: Sequence[Mesh]) -> WeakKeyDictionary[Mesh, Known]:
    return _known_alone if len(meshes) == 1 else _known


def _keep(meshes: Sequence[Mesh], known: Known) -> None:
    _where(meshes)[meshes[0]] = known


def _of_list(meshes: Sequence[Mesh]) -> Known | None:
    """What is known of just these meshes, in this order."""
    known = _where(meshes).get(meshes[0])
    if known is None or len(known.meshes) != len(meshes):
        return None
    return known if all(one() is other for one, other in zip(known.meshes, meshes, strict=True)) else None
