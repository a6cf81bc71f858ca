"""The tree over a mesh's faces, and what rests on it, kept from one step to the next."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.deformable.normal_cones import flat_nodes
from firstcontact.deformable.regions import Contours, region_contours
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.tree import Tree
from firstcontact.hierarchy.update import FittedTree, fitted_tree, updated_tree
from firstcontact.shapes.mesh import Mesh

# Faces from which the search gains more by knowing smooth regions than it takes to find them.
CONES_FROM = 1024


class Kept(NamedTuple):
    """The last tree of a mesh, without its bounds, and the contours over a tree."""

    fitted: FittedTree | None = None
    contours: tuple[Tree, Contours] | None = None


# Each mesh has a tree that follows its own steps: of two that are alike, and deform apart, each would spoil
# the other's. A mesh without one, such as a copy that comes from elsewhere, begins with the last tree of any
# mesh of its content. A tree is never written to, and changes nothing but the time that a search takes, so
# that it does not matter which of two threads leaves the last one here.
_kept: WeakKeyDictionary[Mesh, Kept] = WeakKeyDictionary()
_LAST = "deformable tree"


def tree_of(mesh: Mesh, face_bounds: Array) -> FittedTree:
    """Fit the mesh's tree to the bounds of its faces: the last one where that still fits, else a new one."""
    known = _known(mesh)
    last = known.fitted
    fitted = fitted_tree(face_bounds) if last is None else updated_tree(last.tree, last.built, face_bounds)
    # The bounds are of this step only.
    _keep(mesh, known._replace(fitted=fitted._replace(node_bounds=np.empty((0, 0)))))
    return fitted


def smooth_nodes(mesh: Mesh, tree: Tree, surface: Surface) -> NDArray[np.bool_]:
    """Nodes of which normal cones and contours prove that their faces do not touch each other."""
    known = _known(mesh)
    contours = known.contours
    if contours is None or contours[0] is not tree:
        contours = tree, region_contours(tree.children, surface.faces)
        _keep(mesh, known._replace(contours=contours))
    return flat_nodes(tree.children, surface.faces, contours[1], surface.vertices_t0, surface.vertices_t1)


def _known(mesh: Mesh) -> Kept:
    """What the mesh has, or else what the last of its content had."""
    known = _kept.get(mesh)
    if known is None:
        known = mesh.content.known.get(_LAST, Kept())
    return known


def _keep(mesh: Mesh, known: Kept) -> None:
    _kept[mesh] = mesh.content.known[_LAST] = known
