"""The tree over a mesh's faces, and what rests on it, kept from one step to the next."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from firstcontact.deformable.normal_cones import flat_nodes
from firstcontact.deformable.regions import Contours, region_contours
from firstcontact.deformable.surface import Array, Surface
from firstcontact.hierarchy.tree import Tree
from firstcontact.hierarchy.update import FittedTree, fitted_tree, updated_tree
from firstcontact.shapes.mesh import Mesh

# Faces from which the search gains more by knowing smooth regions than it takes to find them.
CONES_FROM = 1024

# Trees and contours by mesh. A tree changes nothing but the time that a search takes, so that it does not
# matter which of two threads leaves the last one here.
_trees: WeakKeyDictionary[Mesh, FittedTree] = WeakKeyDictionary()
_contours: WeakKeyDictionary[Mesh, tuple[Tree, Contours]] = WeakKeyDictionary()


def tree_of(mesh: Mesh, face_bounds: Array) -> FittedTree:
    """Fit the mesh's tree to the bounds of its faces: the last one where that still fits, else a new one."""
    last = _trees.get(mesh)
    fitted = fitted_tree(face_bounds) if last is None else updated_tree(last.tree, last.built, face_bounds)
    _trees[mesh] = fitted._replace(node_bounds=np.empty((0, 0)))  # the bounds are of this step only
    return fitted


def smooth_nodes(mesh: Mesh, tree: Tree, surface: Surface) -> NDArray[np.bool_]:
    """Nodes of which normal cones and contours prove that their faces do not touch each other."""
    known = _contours.get(mesh)
    if known is None or known[0] is not tree:
        known = _contours[mesh] = tree, region_contours(tree.children, surface.faces)
    return flat_nodes(tree.children, surface.faces, known[1], surface.vertices_t0, surface.vertices_t1)
